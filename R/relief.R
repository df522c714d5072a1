# Layer: fit. The Relief family scores features by their margins over near hits
# and near misses.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature scores by near hits and near misses (Relief family)
#'
#' The score of a feature is its mean margin: how much farther, in that feature,
#' samples lie from their near misses (other classes) than from their near hits
#' (own class). Nothing is drawn at random unless `samples` is given.
#'
#' * `"relieff"`: `k` near hits, and `k` near misses in each other class; fewer
#'   where classes are unequal, see Scores of noise.
#' * `"relief"`: near misses pooled over the other classes, `k` = 1.
#' * `"map"` (M-Relief): near misses are weighted by the share of the sample's
#'   own class, near hits by one minus this share (eq. 16). `"map15"` exchanges
#'   both weights, as in eq. 15. Noise scores \eqn{s (2 \sum p_c^2 - 1)}{s (2
#'   sum p_c^2 - 1)} by `"map"`, with `s` its spread and `p_c` the shares of the
#'   classes, and the opposite by `"map15"`. So each ranks worse than
#'   `"relieff"` on some data, and neither gives all the paper's figures
#'   (`vignette("papers")`).
#' * `"irelief"`: all samples count, weighted by the probability that they are
#'   nearest under the feature weights, which are iterated to a fixed point.
#' * `"surf"`: a sample is near if its distance is below the mean of all pairs.
#'   `"multisurf"`: below the mean less half the standard deviation of the
#'   distances from the sample itself. `"surfstar"` and `"multisurfstar"` add
#'   the far samples, above the mean, or the mean plus half the standard
#'   deviation, with the opposite signs. On each side a sample counts only if it
#'   has both a hit and a miss there.
#' * `"rrelieff"` (RReliefF): the only method for a numeric `y`. A feature
#'   scores high if it differs between near samples whose outcomes differ, and
#'   agrees between near samples whose outcomes agree. The `k` nearest samples
#'   have equal weight; differences of `y` are in units of its range.
#' * `"srelieff"`: for survival times, of which it is the default; see Survival
#'   times.
#' * `"parzen"` (P-Relief): scores every feature separately, with a Gaussian
#'   kernel (eqs 12 to 14). The paper's bandwidth is 0.01.
#'
#' @inheritParams logo
#' @param preset As in [logo()], for the paper's methods: `"relief"`,
#'   `"relieff"`, `"map"`, `"map15"` and `"parzen"`.
#' @param method Which member of the family.
#' @param k Number of near hits and of near misses (per class), for `"relieff"`,
#'   `"relief"`, `"map"` and `"map15"`, and of neighbours for `"rrelieff"` and
#'   `"srelieff"`. `NULL`: 1 for `"relief"`, `"map"` and `"map15"`, for
#'   `"srelieff"` half of the samples, but at least 10, otherwise 10. A class
#'   with fewer samples gives all it has, with one warning if `k` is given.
#'   Where classes are unequal, fewer than `k` count, see Scores of noise.
#'   Samples that tie for the last places share them.
#' @section Scores of noise:
#' The `k` nearest of a large class are nearer than the `k` nearest of a small
#' one, because they are chosen among more. In the papers' form of `"relieff"`
#' and `"relief"`, with unequal classes, a feature without information therefore
#' scores in proportion to its spread. Features of large spread come first: 0/1
#' columns beside numbers, genes with two peaks, methylation. With permuted
#' labels, 5 % of 400 samples in one class, 0/1 columns score .094 and numbers
#' .005.
#'
#' So both methods weigh near hits and near misses as if they came from equally
#' many candidates. If sample n has h hits and q misses of class c to be
#' compared with (with `group`, of each group and class only the sample nearest
#' to n), let m be the smaller and L the larger of h and q, and \eqn{k' =
#' \lceil \min(k, m) \sqrt{m / L} \rceil}{k' = ceiling(min(k, m) sqrt(m /
#' L))}. The r-th nearest of N = h or q has the weight that it would be among
#' the \eqn{k'}{k'} nearest of a random m of the N,
#' \deqn{w_r = \frac{m}{N} P(X \le k' - 1),}{w_r = m / N P(X <= k' - 1),}
#' where m - 1 are drawn from the N - 1 others, and X is how many of these are
#' nearer than the r-th. With N = m the \eqn{k'}{k'} nearest count. Ties have
#' the mean weight of their ranks. For N > 40 the ranks are joined into 20
#' blocks of about equal weight, each at its mean rank. The margin of n is the
#' mean over the classes c, weighted as in `weighting`, of the difference from
#' the misses less that from the hits; a class without a hit or a miss for n
#' gives nothing. `print()` tells \eqn{k'}{k'}.
#'
#' Then **every feature without information scores 0 on average**, whatever the
#' sizes of the classes and the spread of the feature, as far as labels could be
#' exchanged: within blocks, and between groups whose samples have one label.
#' It does not hold in the later rounds of [turf()], whose distances are over
#' features that the labels have chosen, nor for `"map"` and `"map15"`, see
#' above. Of a `group` the nearest sample of a class is compared, of a `pair` of
#' one case and several controls all are. Features of large spread lose their
#' advantage, true ones too. A rare class of *smaller* spread is found by no
#' method of this page.
#'
#' `control = list(balance = FALSE)` takes the `k` nearest of each class as the
#' papers do, and `preset = "paper"` sets it. Then, and by the methods with a
#' radius, `weighting = "prior"` shifts all scores down if there are more than
#' two classes, as misses weigh less than hits.
#'
#' @param weighting For `"relieff"` and the methods with a radius (`"surf"` and
#'   its variants): a class c of misses has the weight \eqn{p(c)/(1-p(y))}
#'   (`"conditional"`) or \eqn{p(c)} (`"prior"`, as in the paper).
#' @param metric Distance by which neighbours are found; `"irelief"` and
#'   `"parzen"` do not use it. Two samples that differ in a factor are as far
#'   apart in it (1) as the least and the largest value of a number.
#' @param hubs For the methods with `k`: `"centre"` looks for the `k` samples i
#'   with the smallest d(n, i) - m(i), where m(i) is the mean distance of i to
#'   all samples that it may be compared with (the mean squared distance, with
#'   `metric = "euclidean"`), see the section Hubs. `"none"`: the `k` nearest.
#'   `NULL`: `"centre"` for `"relieff"`, `"none"` for the others, as in the
#'   papers.
#' @param samples Not for `"irelief"` and `"parzen"`: number of reference
#'   samples, drawn from each class in proportion, whose neighbours are looked
#'   for among all samples. `NULL`: all. The time is proportional to it.
#' @param bandwidth,self For `"parzen"`: standard deviation of the kernel in
#'   scaled units, and whether a sample counts as its own near hit (as printed
#'   in the paper; a feature without information then scores above 0).
#' @param sigma,tol,max_iter For `"irelief"`: width of the softmax, the change
#'   of the weights at which to stop, and the largest number of iterations.
#' @param control `list(balance = TRUE)`: does `"relieff"` or `"relief"` take
#'   hits and misses as if from equally many candidates, see Scores of noise?
#' @section Reference samples:
#' With `samples`, the score is the sum over classes of the share of the class
#' times the mean margin of its drawn samples. The field `score_se` (not for
#' `"rrelieff"` and `"srelieff"`) is its standard error as an estimate of the
#' score over all samples, not over the population. `set.seed()` fixes the draw.
#' With `"surf"` the mean distance is the one between the drawn samples and all
#' others.
#' @section Hubs:
#' In data with many features a few samples near the centre can be among the
#' nearest of nearly all others ("hubs"), above all in sparse data, where a
#' sample of few nonzero values is near to every other. With `hubs = "centre"`
#' they do not decide the scores. If a tenth of the samples, or fewer, still
#' fill most places among the neighbours, a message of class
#' `hitmiss_message_hubs` names them.
#' @section Interactions:
#' For features without an effect of their own the default of `k` is too small.
#' Use `"multisurf"`, or `k` about a quarter of the size of the smallest class;
#' with `k` near that size they are not found. Give SNPs (single-nucleotide
#' polymorphisms) as factors, and score again without the lowest-ranked
#' features, with [turf()]; [interactions()] then names pairs.
#' @section Missing values:
#' `x` may hold missing values for `"relieff"`, `"rrelieff"` and `"srelieff"`:
#' see [hitmiss-missing].
#' @section Survival times:
#' `y` is a `Surv(time, event)` of package survival, right-censored, or names a
#' column that is one; a formula is `Surv(time, event) ~ .`. A sample's position
#' is the share of the samples that have had the event by then, by Kaplan-Meier:
#' of an event the mean of the shares before and after its time, of a censored
#' sample uniform from the share at its time to 1. With \eqn{\tau_{ni}}{tau_ni}
#' the expected distance of two positions, \eqn{s_{ni}}{s_ni} the shares of the
#' `k` nearest of sample n (with sum 1), and \eqn{m_n = \sum_i s_{ni}
#' \tau_{ni}}{m_n = sum_i s_ni tau_ni}, feature j scores \deqn{W_j = \sum_{n,i}
#' s_{ni} (\tau_{ni} - m_n) |x_{nj} - x_{ij}| / H, \quad H = \sum_{n,i} s_{ni}
#' \max(\tau_{ni} - m_n, 0),}{ W_j = sum_ni s_ni (tau_ni - m_n) |x_nj - x_ij| /
#' H, with H = sum_ni s_ni max(tau_ni - m_n, 0),} between -1 and 1; noise scores
#' a little below 0. Of the times only their order counts.
#'
#' With `block` the mean of the block is subtracted from every value, each block
#' has a Kaplan-Meier curve of its own, and samples of all blocks are compared:
#' a block needs 10 samples and an event. `pair` is refused. With several kinds
#' of events give one, as `Surv(time, event == "relapse")`; others count as
#' censored.
#'
#' The tables of such a fit have, for each feature alone, `direction` (`"up"` if
#' high values go with early events), `effect_raw`, the log hazard ratio of one
#' standard deviation (one Newton step), and `z`, both by Cox's score test
#' (stratified by block; with `group` the variance of `z` is by groups). The
#' table shows how many of 10 true features among 500 are in the best 20, by
#' `relief()` and by `reference_scores(method = "cox")` and `"cox2"` (200
#' samples, 30 % censored, 30 data sets, standard errors at most 0.3;
#' `tests/bench/survival.R`). For interactions give `k` of an eighth to a
#' quarter of the samples.
#'
#' | effects | `relief()` | `"cox"` | `"cox2"` |
#' |---|---|---|---|
#' | linear | 7.5 | 8.9 | 8.3 |
#' | linear, other features in each half of the patients | 7.5 | 6.4 | 5.6 |
#' | of both extremes | 3.5 | 0.6 | 9.5 |
#' @section Designs:
#' A design ([hitmiss-designs]) may leave a sample no miss of some class: the
#' sample is then scored as if that class did not exist. A sample without a hit
#' does not count with `"relieff"` and `"relief"`; with `control = list(balance
#' = FALSE)` it uses its misses alone.
#' @return A fit of class `c("hitmiss_relief", "hitmiss")`, see
#'   [hitmiss-methods]. `scores` are the signed mean margins (for `"irelief"`
#'   the weights), `weights` their positive part with unit norm. Except for
#'   `"irelief"` the fit is a ranking and selects no features of its own; the
#'   field `selected` holds the features of positive score, which
#'   [predict()][predict.hitmiss] may use. `score_se` only with `samples`;
#'   `class_margins`, features x classes, only of `"relieff"` with three or more
#'   classes: see Lists for every class in [hitmiss-methods]; `present` only
#'   with missing values, see [hitmiss-missing].
#' @references
#' `r reference("bayes_error")`
#' Equation numbers refer to this paper.
#'
#' `r reference("relief")`
#'
#' `r reference("relieff")`
#'
#' `r reference("rrelieff")`
#'
#' `r reference("hubs")`
#'
#' `r reference("surf")`
#'
#' `r reference("surfstar")`
#'
#' `r reference("multisurf")`
#'
#' `r reference("irelief")`
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- relief(toy$x, toy$y, threads = 1)
#' selected(fit, n = 2)
#'
#' # Survival times:
#' patients <- survival::lung[c("time", "status", "age", "sex", "ph.ecog")]
#' patients <- patients[complete.cases(patients), ]
#' relief(Surv(time, status == 2) ~ ., patients, threads = 1)
#' @export
relief <- function(x, ...) UseMethod("relief", formula_or_x(x, ...))

#' @rdname relief
#' @export
relief.default <- function(x, y,
                           method = c(
                             "relieff", "relief", "irelief", "map", "map15",
                             "parzen", "surf", "surfstar", "multisurf",
                             "multisurfstar", "rrelieff", "srelieff"
                           ),
                           k = NULL, weighting = c("conditional", "prior"),
                           metric = c("manhattan", "euclidean"),
                           hubs = NULL, samples = NULL,
                           bandwidth = 0.1, self = FALSE, sigma = 2,
                           tol = 1e-6, max_iter = 100, control = list(),
                           block = NULL, group = NULL, pair = NULL, ...,
                           assay = NULL,
                           scale = "range", preset = c("default", "paper"),
                           threads = NULL, verbose = FALSE) {
  if (missing(method) && !missing(x) && !missing(y)) {
    method <- kind_of(design_column(y, x, "y"))$relief
  }
  method <- check_choice(method)
  if (check_choice(preset) == "paper") {
    check_in_paper(method)
    if (missing(k)) k <- 1
    if (missing(weighting)) weighting <- "prior"
    if (missing(metric)) metric <- "euclidean"
    if (missing(hubs)) hubs <- "none"
    if (missing(bandwidth)) bandwidth <- 0.01
    if (missing(self)) self <- TRUE
    if (missing(scale)) scale <- "none"
    if (missing(control) && method %in% balanced_methods) {
      control <- list(balance = FALSE)
    }
  }
  settings <- check_control(control, list(balance = TRUE))
  given <- setdiff(c(names(match.call())[-1L], names(control)), "")
  check_used_by(given, relief_arguments, method)
  parameters <- c(list(method = method), switch(relief_family(method),
    parzen = list(
      bandwidth = check_number(bandwidth, above = 0), self = check_flag(self)
    ),
    irelief = list(
      sigma = check_number(sigma, above = 0),
      tol = check_number(tol, above = 0), max_iter = check_count(max_iter)
    ),
    list(
      k = if (!is.null(k)) check_count(k),
      metric = check_choice(metric),
      weighting = check_choice(weighting),
      hubs = if (is.null(hubs)) {
        if (method == "relieff") "centre" else "none"
      } else {
        check_choice(hubs, c("centre", "none"))
      }
    )[near_parameters(method)]
  ), scale = scale)
  if (!is.null(samples)) parameters$samples <- check_count(samples)
  if (method %in% balanced_methods) {
    check_flag(settings$balance, "control$balance")
    parameters$control <- settings
  }
  balance <- isTRUE(parameters$control$balance)
  if (missing(x)) abort_missing("x")
  check_categories_method(category_levels(plain_frame(x)), method)
  if ("method" %in% given && !missing(y)) {
    check_survival_method(design_column(y, x, "y"), method, "srelieff")
  }
  check_no_dots(...)
  problem <- as_problem_coded(x, y,
    assay = assay, outcome = relief_outcome(method),
    missing = method %in% takes_missing
  ) |>
    with_design(x, block, group, pair, hits = balance)
  parameters$k <- kind_of(problem$y)$neighbours(problem, parameters)
  parameters <- c(parameters, design_sizes(problem))
  fit_relief(problem, parameters, threads, verbose, match.call())
}

#' @rdname relief
#' @export
relief.formula <- function(formula, data, ...) {
  parts <- formula_terms(formula, data, ...names())
  with_formula(relief.default(parts$x, parts$y, ...), match.call(), formula)
}

# ---- from checked arguments to a fit -----------------------------------------

takes_missing <- c("relieff", "rrelieff", "srelieff")

# The weights of M-Relief are others by definition.
balanced_methods <- c("relieff", "relief")

relief_family <- function(method) family_of[[method]]

family_of <- rep(names(relief_families), lengths(relief_families)) |>
  stats::setNames(unlist(lapply(relief_families, names)))

# Returns the kind of outcome that a method takes.
relief_outcome <- function(method) {
  switch(method, rrelieff = "numeric", srelieff = "Surv", "factor")
}

fit_relief <- function(problem, parameters, threads, verbose, call) {
  sizes <- c(
    parameters[intersect(c("k", "samples"), names(parameters))],
    balanced = isTRUE(parameters$control$balance)
  )
  check_memory(parameters$method, problem, sizes, threads)
  preprocess <- NULL
  compute <- switch(parameters$method,
    parzen = cpp_parzen_relief, irelief = cpp_soft_relief,
    rrelieff = , srelieff = cpp_outcome_relief, cpp_near_relief
  )
  rule <- switch(parameters$method,
    relief = "pooled", map = , map15 = parameters$method,
    parameters$weighting %||% "conditional"
  )
  kind <- kind_of(problem$y)
  run <- run_core("Relief", threads, verbose, function(runtime) {
    # The number of samples is that of the outcomes, which are left out below.
    known <- !is.null(problem$present)
    problem <<- problem <- staged(problem, runtime)
    if (!known && !is.null(problem$present)) {
      check_memory(parameters$method, problem, sizes, threads)
    }
    learn <- function(problem) {
      problem$y <- kind$classes(problem$y)
      prepare_scaling(problem, parameters$scale, runtime)
    }
    preprocess <<- learned <- learn(problem)
    if (!is.null(problem$present)) warn_few_values(problem, learned$constant)
    problem <- kind$placed(problem)
    # Values became differences from the means of their blocks.
    if (isTRUE(problem$centred)) learned <- learn(problem)
    options <- c(
      parameters, sizes["balanced"], rule = rule, simd = resolve_simd()
    )
    compute_by_feature(compute, problem, learned, options, runtime)
  }, random = !is.null(parameters$samples))
  run$k <- parameters$k
  if (identical(parameters$hubs, "centre")) {
    names <- unique_names(problem$samples, length(problem$y))
    inform_hubs(run$times_listed, kind$classes(problem$y), names)
  }
  if (!is.null(run$report)) {
    warn_unconverged(run$report, if (run$report$status == "stalled") {
      "No feature has a positive margin: near misses are nearer than near hits."
    } else {
      "Raise {.arg max_iter}."
    })
  }
  if (parameters$method == "irelief") {
    run[c("scores", "weights")] <- run[c("scores", "weights")] |>
      lapply(without_rounding)
  }
  fit <- new_selector("relief", problem, preprocess, run$scores,
    run$scores > 0 & !preprocess$constant, parameters, run,
    report = run$report,
    weights = stats::setNames(run$weights, problem$features),
    training = vote_memory(problem, run$weights, attr(run, "threads")),
    call = call
  )
  fit$levels <- problem$levels
  if (!is.null(run$class_margins)) {
    fit$class_margins <- matrix(run$class_margins, length(problem$features),
      dimnames = list(problem$features, levels(problem$y))
    )
  }
  if (!is.null(run$score_se)) {
    fit$score_se <- stats::setNames(run$score_se, problem$features)
  }
  fit
}

# The settings of the paper exist for the methods that Yang and Hu (2012) use,
# and for no others.
check_in_paper <- function(method) {
  of_paper <- c("relieff", "relief", "map", "map15", "parzen")
  if (!method %in% of_paper) {
    abort_input(c(
      "{.arg preset = \"paper\"} has no values for {.arg method =
       \"{method}\"}, which is not in that paper.",
      i = "It has them for {.or {.val {of_paper}}}."
    ), "preset")
  }
}

# The drawn samples must hold two of each class that has two.
check_reference_samples <- function(problem, samples, balance) {
  if (is.null(samples)) {
    return(invisible())
  }
  counted <- problem$y[counted_samples(problem, balance)]
  least <- sum(pmin(2L, table(counted)))
  if (samples < least) {
    abort_input(c(
      "{.arg samples} = {samples} cannot hold two samples of each class.",
      i = "It must be at least {least} here."
    ), "samples")
  }
}

relief_arguments <- local({
  nearest <- names(relief_families$nearest)
  radius <- names(relief_families$radius)
  outcome <- names(relief_families$outcome)
  list(
    k = c(nearest, outcome), weighting = c("relieff", radius),
    metric = c(nearest, radius, outcome), hubs = c(nearest, outcome),
    samples = c(nearest, radius, outcome),
    bandwidth = "parzen", self = "parzen", sigma = "irelief", tol = "irelief",
    max_iter = "irelief", balance = balanced_methods
  )
})

near_parameters <- function(method) {
  names <- c("k", "metric", "weighting", "hubs")
  names[vapply(relief_arguments[names], \(used) method %in% used, NA)]
}

# Gives one warning if some class has fewer neighbours than the user asks for. A
# class of one sample has a warning of its own.
warn_small_classes <- function(y, k, method) {
  if (is.null(k)) {
    return(invisible())
  }
  counts <- tabulate(y, nlevels(y))
  hits <- counts - 1L
  misses <- if (method == "relieff") counts else sum(counts) - counts
  small <- levels(y)[hits > 0L & (hits < k | misses < k)]
  if (length(small) > 0L) {
    warn(
      "{cli::qty(length(small))}class{?es} {.val {small}} {?has/have} fewer than
       {.arg k} = {k} neighbours available, and {?is/are} compared by fewer.",
      "hitmiss_warning_k",
      classes = small
    )
  }
}

# Hits and misses from equally many candidates need a hit.
warn_without_hits <- function(y) {
  if (max(tabulate(y)) < 2L) {
    abort_input(c(
      "every class of {.arg y} has a single sample: no sample has a near hit.",
      i = "{.code control = list(balance = FALSE)} takes near misses alone."
    ), "y")
  }
  warn_single_samples(y, "sample: without a near hit {?it has/they have} no
                          margin, but {?is/are} near misses of others.")
}

class_neighbours <- function(problem, parameters) {
  method <- parameters$method
  balance <- isTRUE(parameters$control$balance)
  check_reference_samples(problem, parameters$samples, balance)
  if (balance) {
    warn_without_hits(problem$y)
  } else {
    warn_single_samples(problem$y)
  }
  warn_small_classes(problem$y, parameters$k, method)
  if (method %in% relief_arguments$k) {
    parameters$k %||% usual_k(problem$y, method)
  }
}

# ---- numbers and survival times ----------------------------------------------

# The default of `k` is at most n - 1. If the user's `k` is larger, all
# neighbours are used, with one warning.
outcome_neighbours <- function(problem, parameters) {
  n <- length(problem$y)
  k <- parameters$k
  if (!is.null(parameters$samples)) {
    check_count(parameters$samples, "samples", min = 2)
  }
  if (is.null(k)) {
    return(usual_k(problem$y, parameters$method))
  }
  if (k > n - 1L) {
    warn(
      "every sample has {n - 1L} neighbour{?s}, fewer than {.arg k} = {k}; all
       of them are used.",
      "hitmiss_warning_k"
    )
  }
  k
}

warn_few_events <- function(y) {
  events <- sum(times_of(y)$event)
  if (events < 10L) {
    warn(
      "{.arg y} has {events} event{?s}: fewer than 10 say little about any
       feature.",
      "hitmiss_warning_events",
      events = events
    )
  }
}

#' The problem whose samples the core compares, with their positions
#'
#' From every value the mean of its block is subtracted, and all samples are
#' compared: neighbours from within the blocks would be too few.
#' @noRd
compared_times <- function(problem) {
  y <- times_of(problem$y)
  block <- problem$block
  problem$position <- survival_positions(
    y$time, y$event, block %||% rep(1L, length(y$time))
  )$position
  problem$event <- y$event
  if (!is.null(block)) {
    values <- dense_by_sample(problem, "block")
    centred <- centre_pairs(values, block, known = TRUE)
    # A feature that is constant within blocks is so after rounding too.
    centred[which(abs(centred) <= 1e-14 * abs(values))] <- 0
    problem$values <- centred
    problem[c("storage", "features_in")] <- list("dense", "columns")
    problem$block <- NULL
    problem$centred <- TRUE
  }
  problem
}

abort_no_spread <- function(k) {
  abort_input(c(
    "the survival times of all neighbours of a sample are alike, so nothing can
     be ranked.",
    i = if (k == 1) {
      "One neighbour has no other to be compared with: give a larger {.arg k}."
    } else {
      "Give more samples with events at different times."
    }
  ), if (k == 1) "k" else "y")
}
