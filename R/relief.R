# The Relief family: margins over near hits and near misses.

#' Feature scores by near hits and near misses (Relief family)
#'
#' The score of a feature is its mean margin: how much farther, in that feature
#' alone, samples lie from their near misses (other classes) than from their
#' near hits (own class). All samples take part; nothing is drawn at random.
#'
#' * `"relieff"`: `k` near hits, and `k` near misses in each other class.
#' * `"relief"`: near misses pooled over the other classes, `k` = 1.
#' * `"map"` (M-Relief): misses weighted by the share of the own class, hits by
#'   the rest (eq. 16). With unequal classes hits and misses then do not balance
#'   and the spread of a feature enters its score: with a rare class it ranks
#'   worse than `"relieff"` and noise scores above 0.
#' * `"irelief"`: all samples count, by the chance that they are nearest in the
#'   space of the weights themselves; iterated to a fixed point.
#' * `"parzen"` (P-Relief): every feature by itself, under a Gaussian kernel
#'   (eqs 12 to 14). The bandwidth 0.01 is the paper's; 0.1 is the safer value.
#'
#' @inheritParams logo
#' @param method Which member of the family.
#' @param k Number of near hits and of near misses (per class), for `"relieff"`,
#'   `"relief"` and `"map"`. `NULL`: 1 for the latter two; for `"relieff"` 10, or
#'   as many as every class has, one less than the samples of the smallest (at
#'   least 1). Of a number, a class with fewer gives what it has, with one
#'   warning.
#' @section Scores of noise:
#' A feature without information scores 0 on average, but for a trace: the `k`
#' nearest of a small class lie farther than those of a large one. With unequal
#' classes `"relieff"` gives noise 0.0002 or so in units of the range, about one
#' standard error at 100 samples and two at 400. With `weighting = "prior"` and
#' more than two classes all scores are shifted down, as misses weigh less than
#' hits.
#'
#' @param weighting For `"relieff"`: a class c of misses counts
#'   \eqn{p(c)/(1-p(y))} (`"conditional"`) or \eqn{p(c)} (`"prior"`, the paper).
#' @param metric Distance in which neighbours are near, for `"relieff"`,
#'   `"relief"` and `"map"`.
#' @param bandwidth,self For `"parzen"`: standard deviation of the kernel in
#'   scaled units, and whether a sample counts as its own near hit (as printed
#'   in the paper; a feature without information then scores above 0).
#' @param sigma,tol,max_iter For `"irelief"`: width of the softmax, the change of
#'   the weights at which to stop, and the largest number of iterations.
#' @param block Batch, chip, cohort or matched set of each sample: a vector, or
#'   the name of a column of the container's samples. Only samples of one block
#'   are compared, so that what is constant in a block, such as a batch's shift,
#'   cancels. Scaling stays over all samples.
#' @param group Patient, donor or animal of each sample, where several samples
#'   are of one: a vector, or the name of a column. Samples of one group are never
#'   compared: a replicate is no near hit.
#' @section Designs:
#' With `block` or `group`, neighbours are looked for among the samples that a
#' sample may be compared with. A sample without any such hit has no hit term.
#' A class in which it has no such miss is left out for it, and the others count as
#' if that class did not exist. A sample without any such miss does not count, with
#' one warning. `block` guards against features of the batch; it does not add
#' power.
#' @return A fit of class `c("hitmiss_relief", "hitmiss")`, see
#'   [hitmiss-methods] and [hitmiss-objects]. `scores` are the signed mean margins
#'   (for `"irelief"` the weights), `weights` their positive part with unit norm.
#'   But for `"irelief"` the fit is a ranking, which selects no features of its
#'   own; the field `selected` holds those of positive score, which
#'   [predict()][predict.hitmiss] may use.
#' @references
#'   Yang, S.-H., Hu, B.-G. (2012). Discriminative feature selection by
#'   nonparametric Bayes error minimization. *IEEE Transactions on Knowledge and
#'   Data Engineering* 24(8), 1422-1434. doi:10.1109/TKDE.2011.92.
#'   Equation numbers are this paper's.
#'
#'   Kira, K., Rendell, L. A. (1992). A practical approach to feature selection.
#'   *Machine Learning Proceedings 1992*, 249-256.
#'
#'   Kononenko, I. (1994). Estimating attributes: analysis and extensions of
#'   RELIEF. *ECML-94*, 171-182.
#'
#'   Robnik-Sikonja, M., Kononenko, I. (2003). Theoretical and empirical analysis
#'   of ReliefF and RReliefF. *Machine Learning* 53, 23-69.
#'   doi:10.1023/A:1025667309714
#'
#'   Sun, Y. (2007). Iterative RELIEF for feature weighting: algorithms,
#'   theories, and applications. *IEEE Transactions on Pattern Analysis and
#'   Machine Intelligence* 29(6), 1035-1051. doi:10.1109/TPAMI.2007.1093
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
                             "relieff", "relief", "irelief", "map", "parzen"
                           ),
                           k = NULL, weighting = c("conditional", "prior"),
                           metric = c("manhattan", "euclidean"),
                           bandwidth = 0.01, self = FALSE, sigma = 2,
                           tol = 1e-6, max_iter = 100, block = NULL,
                           group = NULL, ..., assay = NULL, scale = "range",
                           threads = NULL, verbose = FALSE) {
  methods <- c("relieff", "relief", "irelief", "map", "parzen")
  method <- check_choice(method, methods)
  given <- setdiff(names(match.call())[-1L], "")
  check_used_by(given, relief_arguments, method)
  parameters <- c(list(method = method), switch(method,
    parzen = list(
      bandwidth = check_number(bandwidth, above = 0), self = check_flag(self)
    ),
    irelief = list(
      sigma = check_number(sigma, above = 0), tol = check_number(tol, above = 0),
      max_iter = check_count(max_iter)
    ),
    list(
      k = if (!is.null(k)) check_count(k), metric = check_choice(metric, c("manhattan", "euclidean")),
      weighting = check_choice(weighting, c("conditional", "prior"))
    )[c("k", "metric", if (method == "relieff") "weighting")]
  ), scale = scale)
  problem <- as_problem(x, y, ..., assay = assay) |>
    with_design(x, block, group)
  parameters <- c(parameters, design_sizes(problem))
  if ("k" %in% names(parameters)) {
    parameters$k <- parameters$k %||% usual_k(problem$y, method)
  }
  warn_single_samples(problem$y)
  warn_small_classes(problem$y, parameters$k, method)
  fit_relief(problem, parameters, threads, verbose, match.call())
}

#' @rdname relief
#' @export
relief.formula <- function(formula, data, ...) {
  parts <- formula_parts(formula, data, ...names())
  with_formula(relief.default(parts$x, parts$y, ...), match.call(), formula)
}

fit_relief <- function(problem, parameters, threads, verbose, call) {
  soft <- parameters$method %in% c("parzen", "irelief")
  check_memory(if (soft) parameters$method else "relief", problem, threads,
    pairs = if (soft) 0 else count_neighbours(problem$y, parameters)
  )
  preprocess <- NULL
  compute <- switch(parameters$method,
    parzen = cpp_parzen_relief, irelief = cpp_soft_relief, cpp_near_relief
  )
  rule <- switch(parameters$method,
    relief = "pooled", relieff = parameters$weighting, parameters$method
  )
  run <- run_core("Relief", threads, verbose, function(runtime) {
    preprocess <<- prepare_scaling(problem, parameters$scale, runtime)
    options <- c(parameters, rule = rule, simd = resolve_simd())
    compute(problem, preprocess, options, runtime)
  })
  # Sums that cancel leave rounding noise, which must not decide who is selected.
  noise <- abs(run$scores) <= 1e-13 * max(abs(run$scores))
  run$scores[noise] <- 0
  run$weights[noise] <- 0
  if (!is.null(run$report)) {
    warn_unconverged(run$report, if (run$report$status == "stalled") {
      "No feature has a positive margin: near misses are nearer than near hits."
    } else {
      "Raise {.arg max_iter}."
    })
  }
  new_selector("relief", problem, preprocess, run$scores,
    run$scores > 0 & !preprocess$constant, parameters, run,
    report = run$report,
    weights = stats::setNames(run$weights, problem$features),
    training = vote_memory(problem, run$weights, attr(run, "threads")),
    call = call
  )
}

# How many neighbours all samples have, with their hits and their misses.
count_neighbours <- function(y, parameters) {
  sizes <- as.double(table(y))
  k <- parameters$k
  each <- vapply(seq_along(sizes), function(own) {
    misses <- sizes[-own]
    if (parameters$method != "relieff") misses <- sum(misses)
    min(k, sizes[[own]] - 1) + sum(pmin(k, misses))
  }, 0)
  sum(sizes * each)
}

# As many as every class has: what a default asks for is no reason to warn.
usual_k <- function(y, method) {
  if (method == "relieff") max(1L, min(10L, min(table(y)) - 1L)) else 1L
}

relief_arguments <- local({
  near <- c("relieff", "relief", "map")
  list(
    k = near, weighting = "relieff", metric = near, bandwidth = "parzen",
    self = "parzen", sigma = "irelief", tol = "irelief", max_iter = "irelief"
  )
})

# One warning if some class cannot give k neighbours; a class of one sample has
# a warning of its own.
warn_small_classes <- function(y, k, method) {
  if (is.null(k)) {
    return(invisible())
  }
  counts <- table(y)
  hits <- counts - 1L
  misses <- if (method == "relieff") counts else sum(counts) - counts
  small <- names(counts)[hits > 0L & (hits < k | misses < k)]
  if (length(small) > 0L) {
    warn(
      "{cli::qty(length(small))}class{?es} {.val {small}} {?has/have} fewer than
       {.arg k} = {k} neighbours to give; all there are count.",
      "hitmiss_warning_k",
      classes = small
    )
  }
}
