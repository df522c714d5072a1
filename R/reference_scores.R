# Layer: evaluate. reference_scores() has the scores that the papers compare
# with, most of them a plain formula for each feature.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature scores for comparison with a selector
#'
#' Computes scores from the literature. `"fisher"`, `"laplacian"`, `"chisq"`,
#' `"infogain"`, `"spec"`, `"trace_ratio"` and `"lsdf"` use one feature at a
#' time and `"mrmr"` pairs of features, so they miss features that are
#' informative only together. `"inf_fs"`, `"rfs"` and `"simba"` score all
#' features at once.
#'
#' @details
#' There are `N` samples, `N_c` of them in class `c`; `m_cj` and `v_cj` are the
#' mean and the variance (divisor `N_c`) of feature `j` in class `c`, and `m_j`
#' is its mean over all samples.
#'
#' * `"fisher"`: `sum_c N_c (m_cj - m_j)^2 / sum_c N_c v_cj`. It ranks features
#'   as the F statistic does. `form = "paper"`: `|m_1 - m_0| / sqrt(v_1 + v_0)`,
#'   for two classes, as printed in Yang and Hu (2012, section 3.2).
#' * `"laplacian"` (He, Cai, Niyogi 2005): minus `f~' (D - S) f~ / f~' D f~`,
#'   with `S_ij = exp(-||x_i - x_j||^2 / t)` if one of the samples is among the
#'   `k` nearest of the other (by raw values), `t` the mean squared distance of
#'   such neighbours, `D` the diagonal matrix of row sums of `S`, and `f~` the
#'   feature less its mean under `D`. Labels are not used. `supervised = TRUE`:
#'   `S_ij = 1/N_c` within classes, which gives `-1/(1 + fisher)`.
#' * `"spec"` (Zhao, Liu 2007): `S_ij = exp(-||x_i - x_j||^2 / t)` for all pairs
#'   and for `i = j`, `t` the mean squared distance of a pair (by raw values),
#'   or `1/N_c` within classes (`supervised = TRUE`); `D` as above, `lambda_1 =
#'   0 <= lambda_2 <= ...` and `xi_i` the eigenvalues and eigenvectors of
#'   `D^(-1/2) (D - S) D^(-1/2)`, and `a_i = xi_i' D^(1/2) f / ||D^(1/2) f||`.
#'   `style = "phi1"`: minus `sum_i lambda_i a_i^2`; `"phi2"`: minus `sum_(i>1)
#'   lambda_i a_i^2 / sum_(i>1) a_i^2`; `"phi3"`: `sum_(i = 2..C) (2 - lambda_i)
#'   a_i^2`, `C` the number of classes.
#' * `"trace_ratio"` (Nie et al. 2008): `B_j - lambda W_j`, `lambda` the largest
#'   `sum B_j / sum W_j` over any `n` features; these are the features with the
#'   best scores. `supervised = TRUE` (its default): `B_j` and `W_j` are the
#'   sums of squares between and within the classes. `FALSE`: `W_j` is `f'(D -
#'   S) f` and `B_j` is `f~' D f~`, as in `"laplacian"`. Scores are in units of
#'   the largest `B_j + W_j` of a feature.
#' * `"lsdf"` (locality sensitive discriminant feature; Zhao, Lu, He 2008):
#'   `sum_b (f_i - f_j)^2 / sum_w w_ij (f_i - f_j)^2`. The numerator sums over
#'   pairs of samples of two classes. The denominator sums over pairs of one
#'   class, with `w_ij =` `gamma`, and, with `w_ij = 1`, over pairs with an
#'   unlabelled sample (`NA` in `y`) in which one sample is among the `k`
#'   nearest of the other (by raw values).
#' * `"inf_fs"` (infinite feature selection; Roffo, Melzi, Cristani 2015): the
#'   row sums of `(I - r A)^(-1) - I`, the sum of all paths through a feature,
#'   where `A_ij = alpha max(sigma_i, sigma_j) + (1 - alpha) (1 - |rho_ij|)`,
#'   `sigma` the standard deviations, shifted and scaled to \[0, 1\], `rho_ij`
#'   Spearman's correlation, and `r` 0.9 over the largest eigenvalue of `A`.
#'   Labels are not used.
#' * `"rfs"` (robust feature selection; Nie et al. 2010): `||w_j||`, the row of
#'   feature `j` in the `W` with the least `sum_i ||W' x_i + b - y_i|| +`
#'   `gamma` `(||b|| + sum_j ||w_j||)`, with `x_i` standardised and `y_i` the
#'   indicators of the classes. It is solved by the paper's reweighted least
#'   squares until the relative change of the objective is at most `tol`, or for
#'   `max_iter` steps, with a warning.
#' * `"simba"` (Gilad-Bachrach, Navot, Tishby 2004), with the linear utility:
#'   from `w = 1`, each step takes a sample `x`, finds its near hit `h` and near
#'   miss `m` by `||z||_w^2 = sum w_j^2 z_j^2`, and adds `w_j/2 ((x_j - m_j)^2
#'   / ||x - m||_w - (x_j - h_j)^2 / ||x - h||_w)` to every `w_j`; the score is
#'   `w_j^2 / max w^2`. Features are scaled to \[0, 1\] as in [relief()]. The
#'   paper draws a sample for each step; here a pass takes all samples in random
#'   order (`set.seed()`).
#' * `"chisq"`: `sum (O - E)^2 / E` over the table of bins and classes.
#' * `"infogain"`: `sum O/N log(O N / (row * column))`, the mutual information
#'   of bin and class, in nats.
#' * `"cox"`, for survival times (`Surv(time, event)`): `|z|` of Cox's score
#'   test of the feature alone, `sum_i (x_i - m_i) / sqrt(sum_i v_i)` over the
#'   events i, with mean and variance over those at risk at their times.
#'   `"cox2"`: the same of the squared difference from the mean, where that is
#'   larger.
#' * `"mrmr"` (minimum redundancy, maximum relevance; Peng, Long, Ding 2005):
#'   first the feature with the largest mutual information `I(x_j; y)`, then one
#'   by one the feature with the largest `I(x_j; y) - mean_s I(x_j; x_s)`
#'   (`"mid"`) or `I(x_j; y) / (mean_s I(x_j; x_s) + 1e-12)` (`"miq"`), the mean
#'   over the features `s` that are already picked.
#'
#' `"laplacian"`, `"spec"`, `"trace_ratio"` and `"lsdf"` use raw values: first
#' scale features of different units. Numbers are binned for `"chisq"`,
#' `"infogain"` and `"mrmr"`:
#' * `"frequency"`: bin `min(b, floor((rank - 1/2) b / N) + 1)`, with average
#'   ranks, so that ties share a bin, and `b = min(bins, max(2, floor(N/5)))`.
#' * `"mdl"` (minimum description length; Fayyad, Irani 1993): recursive cuts
#'   between distinct values, each accepted if its gain in bits exceeds
#'   `[log2(n - 1) + log2(3^k - 2) - k H + k_1 H_1 + k_2 H_2] / n`. Features
#'   without a cut score 0; these are most features of a microarray.
#' * `"threesigma"` (Peng et al. 2005): -1, 0, 1 below, within and above mean
#'   `+-` sd/2, the sd with divisor `N - 1`. The default of `"mrmr"`.
#'
#' A constant feature gets the lowest possible score (`"laplacian"`, and
#' `"spec"` with `"phi1"` and `"phi2"`: -2; `"trace_ratio"`: `-lambda`;
#' otherwise 0) and is never picked by mRMR.
#'
#' @section Options:
#' * `bins = 5`: number of bins of `discretise = "frequency"`.
#' * `discretise`: `"frequency"` (the default), `"mdl"` or `"threesigma"` (the
#'   default of `"mrmr"`).
#' * `k = 5`: number of neighbours in the graph of `"laplacian"`,
#'   `"trace_ratio"` and `"lsdf"`.
#' * `n = 50`: number of features that `"mrmr"` picks, or over which
#'   `"trace_ratio"` maximises the trace ratio.
#' * `form` of `"fisher"`: `"duda"` (the default) or `"paper"` (`NA` where a
#'   class has one or two samples); `criterion` of `"mrmr"`: `"mid"` (the
#'   default) or `"miq"`; `style` of `"spec"`: `"phi2"` (the default), `"phi1"`
#'   or `"phi3"`.
#' * `supervised`: do labels define the graph of `"laplacian"`, `"spec"`
#'   (`FALSE` by default) and `"trace_ratio"` (`TRUE`)?
#' * `gamma`: weight of pairs of one class in `"lsdf"` (100), and of the penalty
#'   in `"rfs"` (1).
#' * `alpha = 0.5`: share of the standard deviations in `"inf_fs"`, from 0 to 1.
#' * `tol = 0.001`, `max_iter = 50`: smallest relative change of the objective
#'   and largest number of steps of `"rfs"`.
#' * `passes = 1`: how often `"simba"` takes every sample, up to 1e6 times.
#'
#' @inheritParams relief
#' @param method Name of the score.
#' @param ... Options of the method, by name, see the section Options.
#' @return A named numeric vector, one score per feature in input order, larger
#'   is better. Those of `"mrmr"` are the number of features less the place:
#'   first the picked features, in order, then the others by relevance; ties get
#'   the last of their ranks.
#' @references
#' `r reference("laplacian")`
#'
#' `r reference("mdl")`
#'
#' `r reference("mrmr")`
#'
#' `r reference("spec")`
#'
#' `r reference("trace_ratio")`
#'
#' `r reference("lsdf")`
#'
#' `r reference("inf_fs")`
#'
#' `r reference("rfs")`
#'
#' `r reference("simba")`
#' @examples
#' array <- simulate_microarray(genes = 200, relevant = 5)
#' score <- reference_scores(array$x, array$y, "fisher", threads = 1)
#' score
#' head(sort(score, decreasing = TRUE))
#' picked <- reference_scores(array$x, array$y, "mrmr", n = 5, threads = 1)
#' names(sort(picked, decreasing = TRUE))[1:5]
#' partly <- replace(array$y, 1:10, NA)
#' score <- reference_scores(array$x, partly, "lsdf", threads = 1)
#' names(sort(score, decreasing = TRUE))[1:5]
#' @export
reference_scores <- function(x, y,
                             method = c(
                               "fisher", "laplacian", "chisq",
                               "infogain", "mrmr", "spec", "trace_ratio",
                               "lsdf", "inf_fs", "rfs", "simba", "cox", "cox2"
                             ),
                             ..., assay = NULL, threads = NULL,
                             verbose = FALSE) {
  method <- check_choice(method)
  options <- score_options(method, force_given(list(...), "..."))
  if (!missing(x) && !missing(y)) {
    check_survival_method(design_column(y, x, "y"), method, c("cox", "cox2"))
  }
  problem <- as_problem(x, y, assay = assay, outcome = switch(method,
    lsdf = "partly", cox = , cox2 = "Surv", "factor"
  ))
  run <- run_core(method, threads, verbose, function(runtime) {
    list(compute_scores(problem, options, runtime))
  }, random = method == "simba")
  stats::setNames(as.vector(run[[1L]]), problem$features)
}

#' @rdname reference_scores
#' @export
#' @rawNamespace S3method(stabs::selected,numeric)
selected.numeric <- function(x, n, ...) {
  check_no_dots(...)
  if (missing(x)) abort_missing("x")
  top_features(x, force_given(n, "n"))$feature
}

#' @rdname reference_scores
#' @export
top_features.numeric <- function(x, n = 10, ...) {
  check_no_dots(...)
  if (missing(x)) abort_missing("x")
  if (is.object(x) || length(x) == 0L || !is_texts(names(x))) {
    abort_input(
      "{.arg x} must be a fit of this package, or scores that are named by their
       features, not {describe(x)}.", "x"
    )
  }
  order <- utils::head(score_order(x, seq_along(x)), check_top(n))
  data.frame(
    rank = seq_along(order), feature = names(x)[order], score = unname(x[order])
  )
}

#' The options of a method: what was given, checked, and its defaults
#'
#' @return List of `method` and its options, in the order of the table.
#' @noRd
score_options <- function(method, given) {
  takes <- score_methods[[method]]$takes
  names <- names(given) %||% rep("", length(given))
  for (arg in setdiff(intersect(names, names(score_checks)), takes)) {
    users <- names(Filter(\(other) arg %in% other$takes, score_methods))
    check_used_by(arg, stats::setNames(list(users), arg), method)
  }
  unknown <- setdiff(names, takes)
  if (length(unknown) > 0L) {
    abort_unknown_arguments(unknown, c(
      "x", "y", "method", takes, "assay", "threads", "verbose"
    ), "reference_scores")
  }
  own <- as.list(score_methods[[method]]$defaults)
  own[names] <- given
  options <- lapply(stats::setNames(nm = takes), function(arg) {
    do.call(score_checks[[arg]], unname(own[intersect(arg, names(own))]))
  })
  if ("bins" %in% names && options$discretise != "frequency") {
    abort_input(
      "{.arg bins} is not used with
       {.arg discretise = \"{options$discretise}\"}.",
      "bins"
    )
  }
  c(method = method, options)
}

# These are the checks of the options of all methods, with their defaults.
score_checks <- list(
  bins = function(bins = 5) check_count(bins, min = 2, max = 1000),
  discretise = function(discretise = c("frequency", "mdl", "threesigma")) {
    check_choice(discretise)
  },
  k = function(k = 5) check_count(k),
  n = function(n = 50) check_count(n),
  form = function(form = c("duda", "paper")) check_choice(form),
  supervised = function(supervised = FALSE) check_flag(supervised),
  criterion = function(criterion = c("mid", "miq")) check_choice(criterion),
  style = function(style = c("phi2", "phi1", "phi3")) check_choice(style),
  gamma = function(gamma = 1) check_number(gamma, above = 0),
  alpha = function(alpha = 0.5) check_number(alpha, min = 0, max = 1),
  tol = function(tol = 0.001) check_number(tol, above = 0),
  max_iter = function(max_iter = 50) check_count(max_iter),
  passes = function(passes = 1) check_count(passes, max = 1e6)
)

compute_scores <- function(problem, options, runtime) {
  # These methods need matrices of samples x samples.
  if (options$method %in% c("spec", "trace_ratio", "lsdf", "rfs") &&
    !(options$method == "trace_ratio" && options$supervised)) {
    check_numbers_fit(4 * as.double(length(problem$y))^2, "x")
  }
  stage_blocks(problem, runtime)
  score_methods[[options$method]]$score(problem, options, runtime)
}

fisher_scores <- function(problem, options, runtime) {
  if (options$form == "duda") {
    return(cpp_fisher(problem, "variances", runtime))
  }
  n_classes <- nlevels(problem$y)
  if (n_classes != 2L) {
    abort_input(c(
      "{.arg form = \"paper\"} is defined for two classes; {.arg y} has
       {n_classes}.",
      i = "Use {.code form = \"duda\"}."
    ), "form")
  }
  few <- levels(problem$y)[tabulate(problem$y) < 3L]
  if (length(few) > 0L) {
    warn(
      "one or two samples do not show the spread of {.or {.val {few}}}: all
       scores are NA.", "hitmiss_warning_single",
      classes = few
    )
    return(rep(NA_real_, length(problem$features)))
  }
  cpp_fisher(problem, "means", runtime)
}

# Returns |z| of the feature, and for "cox2" |z| of its square where that is
# larger.
cox_scores <- function(problem, options, runtime) {
  z <- abs(hazard_scores(problem, runtime)$z)
  if (options$method == "cox") {
    return(z)
  }
  pmax(z, abs(hazard_scores(problem, runtime, squared = TRUE)$z))
}

mrmr_scores <- function(problem, options, runtime) {
  result <- cpp_mrmr(problem, options, runtime)
  relevance <- result$relevance
  rest <- setdiff(seq_along(relevance), result$picked)
  rest <- rest[order(-relevance[rest], rest)]
  places <- numeric(length(relevance))
  places[result$picked] <- seq_along(result$picked)
  places[rest] <- length(result$picked) +
    rank(-relevance[rest], ties.method = "max")
  length(relevance) - places
}

# Describes a method: its options, those whose defaults differ, and the function
# that computes the scores.
score_method <- function(takes, score, defaults = NULL) {
  list(takes = takes, score = score, defaults = defaults)
}
binning <- c("bins", "discretise")
score_methods <- list(
  fisher = score_method("form", fisher_scores),
  laplacian = score_method(c("k", "supervised"), laplacian_scores),
  chisq = score_method(binning, cpp_association),
  infogain = score_method(binning, cpp_association),
  mrmr = score_method(
    c(binning, "n", "criterion"), mrmr_scores, list(discretise = "threesigma")
  ),
  spec = score_method(c("supervised", "style"), spec_scores),
  trace_ratio = score_method(
    c("k", "n", "supervised"), trace_ratio_scores, list(supervised = TRUE)
  ),
  lsdf = score_method(c("k", "gamma"), lsdf_scores, list(gamma = 100)),
  inf_fs = score_method("alpha", inf_fs_scores),
  rfs = score_method(c("gamma", "tol", "max_iter"), rfs_scores),
  simba = score_method("passes", simba_scores),
  cox = score_method(NULL, cox_scores), cox2 = score_method(NULL, cox_scores)
)
