# Layer: fit. LOGO learns sparse global weights from local neighbours.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Local learning based feature selection (LOGO)
#'
#' Finds nonnegative feature weights under which every sample is, on average,
#' nearer to its own class than to the others. Distances depend on the weights,
#' so the weights are a fixed point: given the probabilities `P` that a sample
#' is the nearest hit or miss (a softmax of `-d_w/sigma`), the weights minimise
#' \deqn{\sum_n \log(1 + \exp(-w^\top z_n)) + \lambda \|w\|_1, \quad w \ge
#' 0,}{sum_n log(1 + exp(-w'z_n)) + lambda ||w||_1, w >= 0,} where `z_n` is the
#' expected margin of sample `n`. The inner problem is solved exactly. Misses
#' are pooled over all other classes.
#'
#' Often few features have a positive weight: 11 to 17 of the 5,748 and 10,304
#' of TOX-171 and ORL10P; a list of the "best 200" holds no more.
#'
#' @param x Samples in rows: a numeric matrix, data.frame, sparse or delayed
#'   matrix; or a container such as a `SummarizedExperiment`, see
#'   [hitmiss-containers].
#' @param y Class labels in the order of the samples: factor, character or
#'   logical; of a container also the name of a column of its samples.
#' @param formula,data A formula of column names, such as `class ~ .` or `class
#'   ~ gene1 + gene2`, and a data.frame.
#' @param sigma Width of the softmax over distances, in units of the weighted
#'   distance; above 0. With `scale = "range"` it and `lambda` are the paper's.
#' @param lambda Strength of the 1-norm penalty, above 0: a larger value selects
#'   fewer features. The paper's value is 1.
#' @param tol Stop when `||T(w) - w|| < tol max(1, ||T(w)||)`, with `T(w)` the
#'   weights of the next iteration.
#' @param max_iter Largest number of outer iterations. Without convergence the
#'   best iterate is returned, with one warning.
#' @param init Initial weight of every feature: `"sqrt"` is `1/sqrt(J)` for `J`
#'   features, `"one"` is 1 as in the paper.
#' @param block,group,pair Batch, patient and matched pair of each sample: a
#'   vector, or the name of a column of a container's samples, see
#'   [hitmiss-designs].
#' @param ... With a formula: the arguments that follow `y`. Else empty.
#' @param assay Of a container: name or number of the assay; `NULL` for the
#'   first.
#' @param scale `"range"` maps every feature to \[0, 1\], `"zscore"` to mean 0
#'   and standard deviation 1, `"none"` leaves it unchanged.
#' @param preset `"paper"`: arguments that are left out have the values that the
#'   paper prints, see `vignette("papers")`.
#' @param threads Number of threads; `NULL`: 2, unless set otherwise, see
#'   [hitmiss-package].
#' @param verbose Show progress?
#' @return A fit of class `c("hitmiss_logo", "hitmiss")`, see [hitmiss-methods].
#'   `scores` are the weights, `selected` the features of positive weight.
#'   `report` has `residual` (`||T(w) - w||`), and for the last inner problem
#'   `kkt`, the largest violation of the optimality conditions over all
#'   features, and the duality `gap`. `objective` is the objective at each
#'   iteration.
#' @section Cost:
#' A fit takes two or three times `N^2 J / 2` operations for `N` samples, and in
#' every iteration as many with the number of candidates in place of `J`. Memory
#' beyond the data is `O(N + J)` and a copy of the candidates, and for up to
#' 4,096 samples also `8 N^2` bytes.
#' @references
#' `r reference("logo")`
#'
#' `r reference("logo_conference")`
#' @examples
#' spiral <- simulate_spiral(samples = c(60, 60), noise = 50)
#' fit <- logo(spiral$x, spiral$y, threads = 1)
#' selected(fit)
#' @export
logo <- function(x, ...) UseMethod("logo", formula_or_x(x, ...))

#' @rdname logo
#' @export
logo.default <- function(x, y, sigma = 2, lambda = 0.5, tol = 0.01,
                         max_iter = 500, init = c("sqrt", "one"), block = NULL,
                         group = NULL, pair = NULL, ..., assay = NULL,
                         scale = "range", preset = c("default", "paper"),
                         threads = NULL, verbose = FALSE) {
  if (check_choice(preset) == "paper") {
    if (missing(lambda)) lambda <- 1
    if (missing(init)) init <- "one"
    if (missing(scale)) scale <- "none"
  }
  parameters <- list(
    sigma = check_number(sigma, above = 0),
    lambda = check_number(lambda, above = 0),
    tol = check_number(tol, above = 0), max_iter = check_count(max_iter),
    init = check_choice(init), scale = scale
  )
  check_no_dots(...)
  problem <- as_problem(x, y, assay = assay) |>
    with_design(x, block, group, pair)
  parameters <- c(parameters, design_sizes(problem))
  warn_single_samples(problem$y)
  check_memory("logo", problem, threads = threads)
  preprocess <- NULL
  run <- run_core("LOGO", threads, verbose, function(runtime) {
    preprocess <<- prepare_scaling(problem, scale, runtime)
    options <- c(parameters, simd = resolve_simd())
    cpp_logo(problem, preprocess, options, runtime)
  })
  run$scores <- without_rounding(run$scores)
  warn_unconverged(run$report, "Raise {.arg max_iter} or {.arg sigma}.")
  new_selector("logo", problem, preprocess, run$scores, run$scores > 0,
    parameters, run,
    report = run$report,
    training = vote_memory(problem, run$scores, attr(run, "threads")),
    n_ranked = sum(run$scores > 0), call = match.call()
  )
}

#' @rdname logo
#' @export
logo.formula <- function(formula, data, ...) {
  parts <- formula_terms(formula, data, ...names())
  with_formula(logo.default(parts$x, parts$y, ...), match.call(), formula)
}
