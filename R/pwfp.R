# Layer: fit. PWFP counts how often a feature is among the closest or the
# farthest of a pair.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature scores by pair-wise feature proximity (PWFP)
#'
#' In every pair of samples of one class, the features with the smallest
#' differences are marked (eq. 5); in every pair of two classes, those with the
#' largest (eq. 6). Each time, the share `fraction` of all features is marked. A
#' good feature is marked often in both kinds of pairs. The score is \deqn{\log
#' F_w + \log F_b,}{log F_w + log F_b,} where \eqn{F_w}{F_w} and \eqn{F_b}{F_b}
#' are the shares of the pairs of each kind in which the feature is marked (eq.
#' 7), with pseudo-counts of 1/2.
#'
#' @details `score = "ratio"` is the paper's equation (8). Its formula is
#' missing in our copy and is taken from the published code of the first author:
#' \eqn{-|F_w - F_b| / (F_w + F_b)}, without pseudo-counts, and -1 for a feature
#' that is never marked. Accuracy in percent of a linear support vector machine,
#' one tenth of the samples for training, mean over the numbers of features,
#' with `"product"`, `"ratio"` and random features: ionosphere 82.2, 76.8, 77.0
#' (the paper 79.0), colon 64.6, 62.0, 60.6 (64.4). So `"ratio"` is about as
#' good as random features.
# csv: "features: ionosphere 82.2" pwfp-table1 accuracy set=ionosphere; selector=PWFP # nolint
# csv: "ionosphere 82.2, 76.8" pwfp-table1 accuracy set=ionosphere; selector=PWFP, authors' (8) # nolint
# csv: "82.2, 76.8, 77.0" pwfp-table1 accuracy set=ionosphere; selector=(random features) # nolint
# csv: "(the paper 79.0), colon 64.6" pwfp-table1 accuracy set=colon; selector=PWFP # nolint
# csv: "colon 64.6, 62.0" pwfp-table1 accuracy set=colon; selector=PWFP, authors' (8) # nolint
# csv: "64.6, 62.0, 60.6" pwfp-table1 accuracy set=colon; selector=(random features) # nolint
#'
#' Features that tie for the last places share them equally. Differences of
#' scaled features count as equal if they agree to within 2^-36; with `scale =
#' "none"` differences are compared exactly. A constant feature is marked in
#' every pair of one class; it is scored, but never selected.
#'
#' Time: about 2 to 3 ns per pair of samples and feature. Memory beyond the
#' data: a copy of `x` (for data larger than memory in a scratch file), and up
#' to 300 bytes per feature and thread.
#'
#' @inheritParams logo
#' @param fraction Share of the features that is marked in every pair, in (0,
#'   1\]; at least one feature. The paper has 0.1.
#' @param score `"product"` or the paper's `"ratio"`, see Details.
#' @param scale Scaling of every feature: `"zscore"` (mean 0, variance 1),
#'   `"range"` (to \[0, 1\]) or `"none"`.
#' @section Designs:
#' With `block` or `group`, only the pairs that may be compared are counted, and
#' \eqn{F_w}{F_w} and \eqn{F_b}{F_b} are shares of these.
#' @return A fit of class `c("hitmiss_pwfp", "hitmiss")`, see [hitmiss-methods].
#'   `within` and `between` are the two counts of every feature (named numeric),
#'   `pairs` the numbers of pairs of the two kinds. The fit is a ranking, which
#'   selects no features of its own; the field `selected` holds those marked in
#'   at least one pair of each kind, which [predict()][predict.hitmiss] may use.
#' @section Errors:
#' Data in which every class has only one sample are refused with an error of
#' class `hitmiss_error_input`.
#' @references
#' `r reference("pwfp")`
#' Equation numbers refer to this paper.
#' @examples
#' toy <- simulate_microarray(samples = c(10, 10), genes = 200, effect = 3)
#' fit <- pwfp(toy$x, toy$y, threads = 1)
#' fit
#' mean(selected(fit, n = 10) %in% toy$relevant)
#' @export
pwfp <- function(x, ...) UseMethod("pwfp", formula_or_x(x, ...))

#' @rdname pwfp
#' @export
pwfp.default <- function(x, y, fraction = 0.5, score = c("product", "ratio"),
                         block = NULL, group = NULL, pair = NULL, ...,
                         assay = NULL, scale = "zscore",
                         preset = c("default", "paper"), threads = NULL,
                         verbose = FALSE) {
  if (check_choice(preset) == "paper") {
    if (missing(fraction)) fraction <- 0.1
    if (missing(score)) score <- "ratio"
  }
  parameters <- list(
    fraction = check_number(fraction, above = 0, max = 1),
    score = check_choice(score), scale = scale
  )
  check_no_dots(...)
  problem <- as_problem(x, y, assay = assay) |>
    with_design(x, block, group, pair, by_sample = FALSE)
  parameters <- c(parameters, design_sizes(problem))
  check_pairs_within(problem)
  warn_single_samples(problem$y)
  needed <- 8 * length(problem$y) * (length(problem$features) + 31)
  rows <- own_scratch(problem, needed)
  check_memory("pwfp", problem, threads = threads, files = !is.null(rows))
  preprocess <- NULL
  run <- run_core("PWFP", threads, verbose, function(runtime) {
    preprocess <<- prepare_scaling(problem, scale, runtime)
    options <- c(parameters, list(simd = resolve_simd(), rows = rows))
    scratch_errors(cpp_pwfp(problem, preprocess, options, runtime), needed)
  })
  marked <- run$within > 0 & run$between > 0 & !preprocess$constant
  new_selector("pwfp", problem, preprocess, run$scores, marked, parameters, run,
    within = stats::setNames(run$within, problem$features),
    between = stats::setNames(run$between, problem$features),
    pairs = run$pairs,
    training = vote_memory(problem, marked, attr(run, "threads"), run$scores),
    call = match.call()
  )
}

#' @rdname pwfp
#' @export
pwfp.formula <- function(formula, data, ...) {
  parts <- formula_terms(formula, data, ...names())
  with_formula(pwfp.default(parts$x, parts$y, ...), match.call(), formula)
}

# Pairs within a class exist only if some class has two samples; pairs between
# classes always exist.
check_pairs_within <- function(problem, verb = "pwfp") {
  if (max(table(problem$y)) < 2L) {
    abort_input(c(
      "{.arg y} has a single sample in every class: there is no pair of samples
       of one class to count.",
      i = "{.fn {verb}} needs a class with at least two samples."
    ), "y")
  }
}
