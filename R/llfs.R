# SPDX-License-Identifier: GPL-3.0-or-later

#' Localized feature selection (LLFS)
#'
#' Gives every training sample (*representative*) its own subset of features:
#' the one under which samples of its class lie close and samples of other
#' classes far. Around each representative a sphere in its own features is
#' drawn; new samples are classified by what it means to lie inside or outside
#' these spheres, see [predict.hitmiss_llfs()].
#'
#' @details
#' For representative i, `a_j = |x_j - x_i|` over scaled features, and
#' `G(z) = 1/(1 + exp(-sigma z)) - 1/2 + lambda z` (3). `U1` is the mean of
#' `G(a_j'f)` over samples of the same class, `U2` over all others (1). For
#' every `beta`, LLFS minimises `U1` over `0 <= f <= 1`, `1 <= sum(f) <= alpha`
#' subject to `U2 >= beta * eps_max` (7), where `eps_max` is the largest `U2`
#' that can be had (6); rounds `f` to a binary set; draws the sphere; and keeps
#' the `beta` whose sphere classifies best, leaving samples out one by one.
#'
#' What is guaranteed, and what is not: (6) is a concave maximisation and is
#' solved to its global optimum; `beta = 0` is solved exactly. (7) minimises a
#' *concave* function (the paper calls it quasi-convex), so it has local
#' minima, and what is found is a stationary point. In measurements 0 to 9 % of
#' these problems ended more than 0.2 % above the best of three starts. Every
#' binary set returned satisfies its constraint. Features that do not vary
#' within the representative's class cost nothing in (7), which then does not
#' say which of them to take: the objective gives each a preference of at most
#' 1e-6 of the largest gradient of `U1`, in proportion to what it separates, and
#' among single features without spread (`beta = 0`) the largest `U2` wins. The
#' paper leaves both to chance. On another compiler or processor
#' a few samples may get another subset, as good as the first: see
#' `vignette("trust")`.
#'
#' An error minimised over `alpha`, as the paper reports, is optimistic, and so
#' is the leave-one-out score of the fit: estimate errors on samples that had no
#' part in the fit.
#'
#' @inheritParams logo
#' @param alpha Largest number of features of a representative, `>= 1`. With a
#'   vector every representative takes its own, the one with the best score;
#'   `"auto"` is the vector 2, 3, 5, 10, 20 (none above the number of features).
#'   A single number, as in the paper, takes a fifth of the time.
#' @param gamma Largest impurity of a sphere, `> 0`, see `impurity`.
#' @param beta Increasing grid in \[0, 1\] that contains 0 and 1: the shares of
#'   the largest separation that are tried.
#' @param vote `"evidence"` averages, over the representatives of a class, log
#'   odds learned for a sample inside or outside the sphere, with or without its
#'   nearest neighbour's agreement. `"spheres"` counts the spheres that contain
#'   the sample (11).
#' @param neighbour With `vote = "spheres"` only: must the nearest training
#'   sample, in the sphere's features, agree for a sphere to vote (the paper's
#'   footnote 2)? `"none"`: no (9); `"full"`: yes; `"half"`: a sphere that
#'   disagrees counts half. The default is `"none"`, and `"full"` where `alpha`
#'   is `"auto"` or a vector. Evidence replaces this rule: without
#'   `vote = "spheres"`, `neighbour` is an error.
#' @param impurity What the samples inside a sphere are measured by. `"share"`:
#'   the share of the other classes' samples that is inside, over the share of
#'   the representative's own class. `"count"`: the numbers of these samples, as
#'   the paper prints it (II-C); then spheres of a small class are small, and
#'   those of a large one reach far into others. See "Impurity".
#' @param polish Improve binary sets by a local search (drop, add, swap)?
#'   Lowers `U1` by 4 to 5 percent; the error does not change.
#' @param parsimony Take the smallest `beta` whose score is within this many
#'   samples of the representative's class of the best; 0 for the best, see
#'   "Which set is kept".
#' @param prune Keep this many features by their Fisher score on the training
#'   data first; `Inf` for all. The paper prunes microarrays to 300.
#' @param representatives How many samples become representatives, drawn by
#'   class; `Inf` for all. `NULL`: all of up to 3,000 samples, 300 of more, see
#'   "Many samples".
#' @param scale `"zscore"`, `"range"` or `"none"`; learned on the training data
#'   and applied to new data.
#' @param control Numerical knobs, a list: `tol` (1e-3, of the required
#'   separation), `draws` (1000 random roundings where more than `enumerate`
#'   (10) entries are fractional; fewer are all tried), `working_set` (400
#'   features to start with when there are more than `working_set_from` (500);
#'   all features are checked at the end), `init` (`"alpha"`: f0 = alpha/M;
#'   `"one"`: 1/alpha), `starts` (`"warm"`: from the last beta's solution;
#'   `"cold"`: from f0), `program_samples` and `score_samples` (numbers of
#'   samples, or `Inf` for all, see "Many samples"), `checkpoint` (with
#'   `BPPARAM`, an existing directory that all workers see: pieces that are done
#'   are saved there, and a call with the same data, settings and random seed
#'   computes only the others).
#' @param BPPARAM `NULL`: threads in this process. Or a back end of package
#'   BiocParallel, such as `SnowParam(4)` or `BatchtoolsParam()`: the
#'   representatives are fitted by its workers, with one thread each. The fit is
#'   the same to the last bit. Pieces whose worker fails are tried again, twice.
#' @return A fit of class `c("hitmiss_llfs", "hitmiss")`, see
#'   [hitmiss-methods]. `scores` is the share of representatives that select a
#'   feature, `selected` the features that at least one selects. `local` is a
#'   list with an element or column per representative: `subsets` (sparse
#'   logical matrix, features x representatives), `radius` (in scaled units),
#'   `alpha`, `beta`, `score`, `objective` (`U1` of the binary set), `log_odds`,
#'   `representatives` (positions among the training samples); and of all
#'   training samples `class`, `samples` (names) and `training`, their scaled
#'   values on the features in use. `report$iterations` is the number of
#'   problems (7) solved and `report$residual` the share of them that ended at a
#'   limit of steps, 0 in a normal fit; where it is not, a warning of class
#'   `hitmiss_warning_unconverged` says so.
#' @section Many samples:
#' Scores ask for the nearest neighbours of all samples in a sphere, for every
#' candidate set of every representative: their cost grows with the cube of the
#' number of samples. Above 3,000 samples `llfs()` therefore draws, and a
#' message of class `hitmiss_message_draw` and `print()` say so:
#'
#'   * 300 samples are `representatives`;
#'   * the problems (6) and (7) of each compare it with `program_samples`,
#'     1,000, of the samples that it may be compared with;
#'   * scores, and the log odds of `vote = "evidence"`, ask the neighbours of at
#'     most `score_samples`, 200, of the samples inside a sphere, and as many of
#'     those outside. Each stands for its share of the samples of the
#'     representative's class, or of the others, on its side of the sphere.
#'
#' Each representative has draws of its own. All are without replacement, in
#' proportion to the classes (of scores: to the representative's class and the
#' others), with two of each class at least, or one where that is all. They go
#' by R's random seed, and are the same on any number of threads or workers.
#' Spheres, their radii and the neighbours themselves are always of all samples,
#' in fits and in predictions. Each of the three numbers may be given for any
#' number of samples, and `Inf` draws nothing.
#'
#' A few hundred representatives are enough: on waveform with noise (3,000
#' samples, 121 features) 300 of them, programs on 1,000 samples and scores on
#' 200 err as much as 1,000 representatives on all samples
#' (`tests/bench/llfs_large.R` of the sources).
#' @section Which set is kept: That of the best leave-one-out score, as in the
#'   paper, less the share of its features that do not vary at all within the
#'   class. A feature at its floor in all training samples of a class costs
#'   nothing (its part of `U1` is 0) and looks perfect; new samples leave the
#'   floor. Data without such features are not affected. `fit$local$score` is
#'   the score itself. On a prostate array with a floor this lowers the test
#'   error by 3.6 points with `alpha = 10` and by 3.0 with "auto" (evidence; 40
#'   half splits that had no part in choosing the rule, standard errors 0.7), on
#'   leukemia's by 1.2 and 0.6 (0.8, 0.7). It may cost: on ionosphere, with a
#'   column of 0 and 1 that is 1 in a whole class, `alpha = 10` and votes by
#'   spheres err by 1.7 points more (20 splits), the default by 0.4 less.
#' @section Ties: Of sets that are equally good, the paper does not say which is
#'   kept. Here it is that of the smallest `alpha`, then `beta`; but if its
#'   features do not vary at all within the class (`U1` = 0), that of the
#'   largest `alpha`, then `beta`: it is told from the other classes best.
#' @section Defaults:
#' `alpha = "auto", vote = "evidence"` has the smallest mean error of what was
#' measured without a look at test samples; the paper's setting is
#' `alpha = 10, vote = "spheres"`. Neither wins everywhere, nor over other
#' methods. Error in percent, mean of 20 random splits +- standard error,
#' everything chosen inside the training part (`inst/reproduce/auto.R`; sonar to
#' ionosphere and breastw to pima with 100 features of noise, colon to srbct
#' with `prune = 300`; the SVM is tuned, the forest is a random forest):
#'
#'   |set|`llfs(x, y)`|`alpha = 10, vote = "spheres"`|RBF-SVM|lasso|forest|
#'   |---|---|---|---|---|---|
#'   |colon|16.7 +- 2.3|14.6 +- 2.3|18.8 +- 2.6|19.6 +- 2.0|17.1 +- 1.8|
#'   |prostate_ge|8.3 +- 1.6|10.0 +- 1.7|9.2 +- 1.9|6.7 +- 1.0|9.2 +- 1.5|
#'   |leukemia7070|5.4 +- 1.1|5.8 +- 1.2|7.5 +- 1.5|7.9 +- 1.1|3.8 +- 1.3|
#'   |srbct|1.8 +- 0.9|4.0 +- 1.2|1.8 +- 0.9|2.0 +- 0.6|0.0 +- 0.0|
#'   |sonar|22.4 +- 0.9|25.1 +- 0.9|28.5 +- 1.1|28.8 +- 1.0|23.9 +- 1.0|
#'   |dna|12.4 +- 0.4|14.7 +- 0.4|13.6 +- 0.6|13.4 +- 0.5|15.3 +- 0.3|
#'   |wdbc|4.8 +- 0.2|5.2 +- 0.3|5.2 +- 0.3|5.4 +- 0.3|5.7 +- 0.2|
#'   |ionosphere|8.2 +- 0.3|12.6 +- 0.7|9.8 +- 0.4|17.6 +- 0.7|8.3 +- 0.4|
#'   |tox171|22.7 +- 0.8|29.2 +- 1.0|22.2 +- 1.3|22.3 +- 1.1|26.7 +- 1.0|
#'   |breastw|4.3 +- 0.3|4.3 +- 0.3|4.0 +- 0.2|5.3 +- 0.3|3.7 +- 0.1|
#'   |glass|50.2 +- 0.7|65.7 +- 0.7|35.6 +- 1.2|51.5 +- 0.8|40.9 +- 0.8|
#'   |pima|29.9 +- 0.5|29.3 +- 0.4|29.1 +- 0.6|27.8 +- 0.6|31.5 +- 0.4|
#'   |mean of the first 8|10.0|11.5|11.8|12.7|10.4|
#'   |mean of the later 4|26.8|32.1|22.7|26.7|25.7|
#'
#'   On other splits of the first eight the default was chosen; the later four
#'   had no part in it. A tuned support vector machine is far better on glass,
#'   and a random forest, untuned, better on two of the first eight: read the
#'   spheres for what they explain, and compare on your data with
#'   [error_curve()].
#' @section Impurity: The paper's section II-C says "ratio of the numbers" of
#'   samples (`"count"`); the same authors' published code of the predecessor
#'   divides by the sizes of the classes first (`"share"`). Error in percent, 20
#'   random splits of the paper's sizes, +- standard error of the mean:
#'
#'   |`alpha`, `vote`|impurity|colon|wdbc + 100 noise|leukemia7070|
#'   |---|---|---|---|---|
#'   |`10`, `"spheres"`|`"share"`|14.6 +- 2.3|5.2 +- 0.3|5.8 +- 1.2|
#'   ||`"count"`|17.1 +- 2.2|8.8 +- 0.4|4.6 +- 1.0|
#'   |`"auto"`, `"evidence"`|`"share"`|16.7 +- 2.3|4.8 +- 0.2|5.4 +- 1.1|
#'   ||`"count"`|16.2 +- 2.4|4.8 +- 0.3|5.4 +- 1.1|
#'
#'   Where spheres are counted, numbers cost 3.5 points on wdbc; the other
#'   differences are no larger than their standard errors. Evidence, which
#'   weighs what a sphere holds, takes either alike.
#' @section Errors: Bad input stops with a condition of class
#'   `hitmiss_error_input` that names the argument and the place.
#' @section Designs:
#' With `block` or `group`, a representative is fitted among the samples that it
#' may be compared with: they are its near hits and misses, and its sphere is
#' measured on them; in its frame a sample's neighbour is one that the sample
#' may be compared with. A representative without any such miss has no features,
#' no sphere and no vote, with one warning. Prediction is as without a design:
#' new samples are compared with all.
#' @references
#' `r reference("llfs")`
#' Equation numbers are this paper's.
#'
#' `r reference("lfs")`
#' The predecessor of LLFS.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
#' fit
#' # Group A differs in x1, group B in x2: a local selection sees both.
#' table(toy$group, as.matrix(fit$local$subsets["x1", ]))
#' @export
llfs <- function(x, ...) UseMethod("llfs", formula_or_x(x, ...))

#' @rdname llfs
#' @export
llfs.default <- function(x, y, alpha = "auto", gamma = 0.2,
                         beta = seq(0, 1, by = 0.05),
                         vote = c("evidence", "spheres"),
                         neighbour = c("none", "half", "full"),
                         impurity = c("share", "count"), polish = FALSE,
                         parsimony = 0, prune = Inf, block = NULL, group = NULL,
                         representatives = NULL, ..., assay = NULL,
                         scale = "zscore", control = list(),
                         threads = NULL, verbose = FALSE, BPPARAM = NULL) {
  if (missing(neighbour)) {
    neighbour <- NULL
  } else if (missing(vote)) {
    abort_input(c(
      "{.arg neighbour} sets how spheres vote; the default, {.code vote =
       \"evidence\"}, does not use it.",
      i = "Add {.code vote = \"spheres\"}."
    ), "neighbour")
  }
  check_backend(BPPARAM)
  problem <- as_problem(x, y, ..., assay = assay) |>
    with_design(x, block, group)
  parameters <- llfs_parameters(
    alpha, gamma, beta, check_choice(vote),
    if (!is.null(neighbour)) check_choice(neighbour), check_choice(impurity),
    polish, parsimony, prune, scale, control, problem, representatives
  ) |>
    c(design_sizes(problem))
  warn_single_samples(problem$y)
  check_memory("llfs", problem, llfs_sizes(parameters, problem), threads)
  fitted <- run_core(
    "LLFS", threads, verbose, random = TRUE, function(runtime) {
      preprocess <- prepare_scaling(problem, parameters$scale, runtime)
      usable <- llfs_usable(
        problem, preprocess, parameters$prune, runtime
      )
      options <- llfs_core_options(parameters)
      chosen <- draw_representatives(
        problem, parameters$representatives, runtime
      )
      options$centres <- chosen - 1L
      local <- if (is.null(BPPARAM)) {
        cpp_llfs(problem, usable, options, runtime)
      } else {
        llfs_by_pieces(
          problem, usable, options, runtime$key, BPPARAM,
          parameters$control$checkpoint
        )
      }
      list(preprocess = preprocess, local = local, representatives = chosen)
    }
  )
  warn_unsettled(fitted$local$report)
  new_llfs(problem, fitted, parameters, match.call())
}

#' @rdname llfs
#' @export
llfs.formula <- function(formula, data, ...) {
  parts <- formula_parts(formula, data, ...names())
  with_formula(llfs.default(parts$x, parts$y, ...), match.call(), formula)
}

llfs_parameters <- function(alpha, gamma, beta, vote, neighbour, impurity,
                            polish, parsimony, prune, scale, control, problem,
                            representatives = NULL) {
  grid <- check_alpha(alpha, length(problem$features))
  if (vote == "evidence" && !identical(neighbour %||% "none", "none")) {
    abort_input(
      "{.arg neighbour} is not used with {.code vote =
       \"evidence\"}.", "neighbour"
    )
  }
  control <- llfs_control(control)
  draws <- llfs_draws(
    c(
      list(representatives = representatives), control[names(usual_draws)[-1L]]
    ),
    problem
  )
  control[names(draws)[-1L]] <- draws[-1L]
  list(
    alpha = grid,
    gamma = check_number(gamma, above = 0),
    beta = check_beta(beta),
    vote = vote,
    neighbour = neighbour %||%
      if (length(grid) > 1L && vote == "spheres") "full" else "none",
    impurity = impurity,
    polish = check_flag(polish),
    parsimony = check_number(parsimony, min = 0),
    prune = if (identical(prune, Inf)) Inf else check_count(prune),
    scale = check_choice(scale, scalings),
    representatives = draws$representatives,
    control = control
  )
}

check_alpha <- function(alpha, n_features) {
  if (identical(alpha, "auto")) {
    return(unique(pmin(c(2, 3, 5, 10, 20), n_features)))
  }
  if (!is.numeric(alpha) || is.object(alpha) || length(alpha) == 0L ||
    !all(is.finite(alpha)) || any(alpha < 1)) {
    abort_input(
      "{.arg alpha} must be one or more numbers of at least 1, or {.val auto},
       not {describe(alpha)}.", "alpha"
    )
  }
  sort(unique(as.double(alpha)))
}

check_beta <- function(beta) {
  refuse <- function(fault) {
    abort_input(c(
      paste0(
        "{.arg beta} must be an increasing grid from 0 to 1, ", fault, "."
      ),
      i = "The default is {.code seq(0, 1, by = 0.05)}."
    ), "beta", envir = parent.frame())
  }
  if (!is.numeric(beta) || is.object(beta) || !all(is.finite(beta)) ||
    length(beta) < 2L) {
    refuse("at least two numbers, not {describe(beta)}")
  }
  if (beta[[1L]] != 0) refuse("but its first value is {beta[[1L]]}")
  if (beta[[length(beta)]] != 1) {
    refuse("but its last value is {beta[[length(beta)]]}")
  }
  step <- diff(beta) <= 0
  if (any(step)) {
    refuse("but value {which(step)[[1L]] + 1L} is not above the one before it")
  }
  as.double(beta)
}

llfs_control <- function(control) {
  control <- check_control(control, list(
    tol = 1e-3, draws = 1000L, enumerate = 10L, working_set = 400L,
    working_set_from = 500L, init = "alpha", starts = "warm",
    program_samples = NULL, score_samples = NULL, checkpoint = NULL
  ))
  list(
    tol = check_number(control$tol, "control$tol", above = 0, max = 1),
    draws = check_count(control$draws, "control$draws"),
    enumerate = check_count(
      control$enumerate, "control$enumerate",
      min = 0, max = 20
    ),
    working_set = check_count(control$working_set, "control$working_set", 4),
    working_set_from = check_count(
      control$working_set_from, "control$working_set_from"
    ),
    init = check_choice(control$init, c("alpha", "one"), "control$init"),
    starts = check_choice(control$starts, c("warm", "cold"), "control$starts"),
    program_samples = control$program_samples,
    score_samples = control$score_samples,
    checkpoint = check_directory(control$checkpoint, "control$checkpoint")
  )
}

llfs_core_options <- function(parameters) {
  control <- parameters$control
  c(
    parameters[c("alpha", "gamma", "beta", "parsimony", "polish")],
    list(
      evidence = parameters$vote == "evidence",
      impurity_by_count = parameters$impurity == "count",
      init_one = control$init == "one", cold_start = control$starts == "cold"
    ),
    control[c("tol", "draws", "enumerate", "working_set", "working_set_from")],
    core_draws(control),
    list(simd = resolve_simd(), centres = integer()) # all
  )
}

# What memory depends on.
llfs_sizes <- function(parameters, problem) {
  c(
    parameters["alpha"], core_draws(parameters$control),
    list(representatives = min(parameters$representatives, length(problem$y)))
  )
}

# The scaling, with features that may not be selected marked as constant: those
# that are, and those that pruning drops.
llfs_usable <- function(problem, preprocess, prune, runtime) {
  if (all(preprocess$constant)) {
    abort_input(
      "no feature of {.arg x} varies: there is nothing to select.", "x"
    )
  }
  if (prune < length(problem$features)) {
    preprocess$constant <- cpp_prune_by_fisher(
      problem, preprocess, prune, runtime
    )
  }
  if (all(preprocess$constant)) {
    abort_input("{.arg prune} keeps only features that do not vary.", "prune")
  }
  preprocess
}
