# The Relief family: margins over near hits and near misses.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature scores by near hits and near misses (Relief family)
#'
#' The score of a feature is its mean margin: how much farther, in that feature
#' alone, samples lie from their near misses (other classes) than from their
#' near hits (own class). All samples take part, and nothing is drawn at random,
#' unless `samples` says so.
#'
#' * `"relieff"`: `k` near hits, and `k` near misses in each other class.
#' * `"relief"`: near misses pooled over the other classes, `k` = 1.
#' * `"map"` (M-Relief): misses weighted by the share of the own class, hits by
#'   the rest (eq. 16). With unequal classes hits and misses then do not balance
#'   and the spread of a feature enters its score: with a rare class it ranks
#'   worse than `"relieff"` and noise scores above 0.
#' * `"irelief"`: all samples count, by the chance that they are nearest in the
#'   space of the weights themselves; iterated to a fixed point.
#' * `"surf"`: near is what lies below the mean distance of all pairs.
#'   `"multisurf"`: below the mean less half the standard deviation of the
#'   distances from the sample itself. Their number follows from the data.
#'   `"surfstar"` and `"multisurfstar"` add the far side, above the mean, or the
#'   mean plus half the standard deviation, with the signs turned round. On each
#'   side a sample counts 0 unless it has both a hit and a miss there.
#' * `"rrelieff"` (RReliefF): for a numeric `y`, the only method that takes one.
#'   A feature scores high if it differs between near samples whose outcomes
#'   differ, and not between those whose outcomes agree. The `k` nearest count
#'   alike; differences of `y` are in units of its range.
#' * `"parzen"` (P-Relief): every feature by itself, under a Gaussian kernel
#'   (eqs 12 to 14). The bandwidth 0.01 is the paper's; 0.1 is the safer value.
#'
#' @inheritParams logo
#' @param method Which member of the family.
#' @param k Number of near hits and of near misses (per class), for `"relieff"`,
#'   `"relief"` and `"map"`, and of neighbours for `"rrelieff"`. `NULL`: 1 for
#'   `"relief"` and `"map"`; for `"relieff"` 10, or as many as every class has,
#'   one less than the samples of the smallest (at least 1); for
#'   `"rrelieff"` 10. Of a number, a class with fewer gives what it has, with
#'   one warning.
#' @section Scores of noise:
#' A feature without information scores 0 on average, but for a trace: the `k`
#' nearest of a small class lie farther than those of a large one. With unequal
#' classes `"relieff"` gives noise 0.0002 or so in units of the range, about one
#' standard error at 100 samples and two at 400. With `weighting = "prior"` and
#' more than two classes all scores are shifted down, as misses weigh less than
#' hits.
#'
#' @param weighting For `"relieff"` and the rules by radius: a class c of misses
#'   counts \eqn{p(c)/(1-p(y))} (`"conditional"`) or \eqn{p(c)} (`"prior"`, the
#'   paper).
#' @param metric Distance in which neighbours are near, but for `"irelief"` and
#'   `"parzen"`.
#' @param samples For the rules of the nearest and by radius: how many samples
#'   look for their neighbours, among all; drawn from each class in proportion,
#'   without replacement, at least two where there are two. `NULL`: all. The
#'   time is proportional to `samples` times the number of samples.
#' @param bandwidth,self For `"parzen"`: standard deviation of the kernel in
#'   scaled units, and whether a sample counts as its own near hit (as printed
#'   in the paper; a feature without information then scores above 0).
#' @param sigma,tol,max_iter For `"irelief"`: width of the softmax, the change
#'   of the weights at which to stop, and the largest number of iterations.
#' @section Reference samples:
#' With `samples`, the score is the sum over classes of the share of the class
#' times the mean margin of its drawn samples, and the field `score_se` its
#' standard error: how far the score of all samples may lie, not that of the
#' population. Seed R's generator before for the same draw. With `"surf"` the
#' mean distance is that between the drawn samples and all others.
#' @section Interactions:
#' Features that act together only, without an effect of their own, need many
#' neighbours: the default of `k` is too small for them. Use `"multisurf"`, or
#' `k` about a quarter of the smallest class; `k` near the size of the smallest
#' class finds nothing. Give SNPs as factors, and score again without the worst
#' features, with [turf()]; [interactions()] then names pairs.
#' @section Designs:
#' With `block` or `group`, neighbours are looked for among the samples that a
#' sample may be compared with. A sample without any such hit has no hit term.
#' A class in which it has no such miss is left out for it, and the others count
#' as if that class did not exist. A sample without any such miss does not
#' count, with one warning. `block` guards against features of the batch; it
#' does not add power.
#' @return A fit of class `c("hitmiss_relief", "hitmiss")`, see
#'   [hitmiss-methods] and [hitmiss-objects]. `scores` are the signed mean
#'   margins (for `"irelief"` the weights), `weights` their positive part with
#'   unit norm. But for `"irelief"` the fit is a ranking, which selects no
#'   features of its own; the field `selected` holds those of positive score,
#'   which [predict()][predict.hitmiss] may use. With `samples`, `score_se`
#'   holds standard errors.
#' @references
#' `r reference("bayes_error")`
#' Equation numbers are this paper's.
#'
#' `r reference("relief")`
#'
#' `r reference("relieff")`
#'
#' `r reference("rrelieff")`
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
#' @export
relief <- function(x, ...) UseMethod("relief", formula_or_x(x, ...))

#' @rdname relief
#' @export
relief.default <- function(x, y,
                           method = c(
                             "relieff", "relief", "irelief", "map", "parzen",
                             "surf", "surfstar", "multisurf", "multisurfstar",
                             "rrelieff"
                           ),
                           k = NULL, weighting = c("conditional", "prior"),
                           metric = c("manhattan", "euclidean"),
                           samples = NULL,
                           bandwidth = 0.01, self = FALSE, sigma = 2,
                           tol = 1e-6, max_iter = 100, block = NULL,
                           group = NULL, ..., assay = NULL, scale = "range",
                           threads = NULL, verbose = FALSE) {
  method <- check_choice(method)
  given <- setdiff(names(match.call())[-1L], "")
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
      weighting = check_choice(weighting)
    )[near_parameters(method)]
  ), scale = scale)
  if (!is.null(samples)) parameters$samples <- check_count(samples)
  if (missing(x)) abort_missing("x")
  check_categories_method(category_levels(x), method)
  if (method == "rrelieff") {
    problem <- as_problem_coded(
      x, y, ..., assay = assay, outcome = "numeric"
    ) |>
      with_numeric_design(x, block, group)
    parameters$k <- outcome_k(parameters$k, length(problem$y))
  } else {
    problem <- as_problem_coded(x, y, ..., assay = assay) |>
      with_design(x, block, group)
    if (method %in% relief_arguments$k) {
      parameters$k <- parameters$k %||% usual_k(problem$y, method)
    }
    check_reference_samples(problem, parameters$samples)
    warn_single_samples(problem$y)
    warn_small_classes(problem$y, parameters$k, method)
  }
  parameters <- c(parameters, design_sizes(problem))
  fit_relief(problem, parameters, threads, verbose, match.call())
}

#' @rdname relief
#' @export
relief.formula <- function(formula, data, ...) {
  parts <- formula_parts(formula, data, ...names())
  with_formula(relief.default(parts$x, parts$y, ...), match.call(), formula)
}
