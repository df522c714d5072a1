# Layer: fit. BFS and semi-BFS fit a sparse classifier over pairs of samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Binary feature selection (BFS) in kernel spaces
#'
#' Each feature gives every pair of samples a value, the kernel of the two
#' samples. A good feature gives positive values to pairs of one class and
#' negative values to pairs of two. `kbfs()` chooses nonnegative feature weights
#' `mu` so that the weighted sum predicts the kind of the pair, over all pairs
#' at once: \deqn{\min_{\mu \ge 0} \|Z\mu - T\|^2 + \lambda 1'\mu + a_3 \mu' R
#' \mu,}{min ||Z mu - T||^2 + lambda 1'mu + a3 mu'R mu, mu >= 0,} where a row of
#' Z is a pair, T is +1 for pairs of one class and -1 otherwise, and R holds the
#' alignments of the features' kernels (eqs 2 and 7 to 10). Most weights are
#' exactly zero.
#'
#' @details
#' **How many features.** With `lambda = NULL` the problem is solved along a
#' path of 60 decreasing values of lambda, from the smallest that selects no
#' feature down to 1/1000 of it. The path ends at the first value with at least
#' `n` active features, or with fewer at the end.
#'
#' **Semi-supervised (semi-BFS).** `NA` in `y` marks an unlabelled sample. It is
#' used in the scaling, in the redundancy term and, with `manifold` above 0, in
#' a graph over all pairs of samples, by which pairs near each other in the
#' space of the features' kernels get similar values (eq. 6). The edges join
#' each pair to its `k` nearest pairs, weighted by exp(-d^2/s^2) with s^2 the
#' mean squared distance of these; the term is `manifold` times `f'Lf` for the
#' normalised Laplacian L and `f = Z mu`. Its cost grows with the fourth power
#' of the number of samples: above 150 samples `max_pairs` must be given.
#'
#' On the microarray of the paper (TOX-171, 20 percent labelled) the graph did
#' not help: the accuracy was 66.6 percent without it, and 64.5 with the paper's
#' `manifold`, e^4, standard error 1.3. On faces, scaled to unit length and
#' ranked by weight, it did: 91.4 for 85.7 percent (PIX10P), 79.8 for 70.7
#' (ORL10P).
# csv: "accuracy was 66.6" bfs-table3 accuracy set=tox171; selector=BFS, no graph, by entry # nolint
# csv: "and 64.5" bfs-table3 accuracy set=tox171; selector=semi-BFS, by entry # nolint
# csv: "it did: 91.4" bfs-table3 accuracy set=pix10p-unit; selector=semi-BFS, a2 = e^4 # nolint
# csv: "91.4 for 85.7" bfs-table3 accuracy set=pix10p-unit; selector=BFS, no graph # nolint
# csv: "(PIX10P), 79.8" bfs-table3 accuracy set=orl10p-unit; selector=semi-BFS, a2 = e^4 # nolint
# csv: "79.8 for 70.7" bfs-table3 accuracy set=orl10p-unit; selector=BFS, no graph # nolint
#'
#' **Kernels.** The cost grows with the square of the rank of a feature's kernel
#' matrix: 1 for the linear kernel, at most `degree` + 1 for the polynomial, and
#' 10 to 25 for the Gaussian. The paper advises against the Gaussian kernel for
#' selection: its values are never negative, so it gives no evidence that a pair
#' is of two classes. The path ends after few features, or none.
#'
#' **Redundancy.** R holds, for each two features, the alignment of their
#' centred kernel matrices over all samples (eqs 7 to 9), from 0 to 1; with the
#' linear kernel it is the squared correlation, and the term hardly matters.
#'
#' @inheritParams logo
#' @param y As in [logo()]. `NA` marks an unlabelled sample.
#' @param n Number of active features from which the path ends.
#' @param lambda `NULL`: solve along the path. Or the weight of the sparsity
#'   term, at least 0 (a1 in the paper), at which alone the problem is solved.
#' @param rank_by Order of the features: by `"weight"` at the end of the path
#'   (then by the agreement of each feature alone with T), or by `"entry"`, the
#'   position on the path at which they became active (then by their weight
#'   there), wherever the path ends.
#' @param kernel `"linear"`: \eqn{uv}; `"polynomial"`: \eqn{(uv +
#'   offset)^{degree}}; `"gaussian"`: \eqn{\exp(-(u - v)^2 /
#'   (2\,width^2))}{exp(-(u - v)^2 / (2 width^2))}.
#' @param degree,offset Of the polynomial kernel: 1 to 5, and at least 0.
#' @param width Of the Gaussian kernel, above 0, in units of the scaled
#'   features.
#' @param redundancy Weight a3 of the redundancy term, at least 0.
#' @param manifold Weight a2 of the graph term, at least 0.
#' @param k Number of neighbours of a pair in the graph.
#' @param max_pairs Largest number of pairs in the graph. If there are more
#'   pairs, so many are drawn at random.
#' @param control `list(gram_memory = 512)`: megabytes in which columns of the
#'   Gram matrix are kept (perhaps in a scratch file, see [hitmiss-containers]).
#'   If that is too little, a slower algorithm is used.
#' @param scale As in [logo()]. The linear kernel of features that are not
#'   centred is hardly ever negative: keep `"zscore"`.
#' @param preset `"paper"`: what the paper prints, as in [logo()], with `n =
#'   200`. It does not print `lambda`; for semi-BFS it finds `manifold = exp(4)`
#'   best on one set.
#' @return A fit of class `c("hitmiss_kbfs", "hitmiss")`, see [hitmiss-methods].
#'   `scores` are the weights mu, `selected` the features with a positive
#'   weight, `n_ranked` the number of features that were ever active, `entry`
#'   the position on the path at which a feature became active (`NA`: never),
#'   `path` a data.frame with a row for each lambda: `lambda`, `active` (number
#'   of features), `objective`, and `gap`, the duality gap relative to the
#'   objective. `report$kkt` is the largest violation of the optimality
#'   conditions on the path, relative to the first lambda.
#' @references
#' `r reference("kbfs")`
#' Equation numbers refer to this paper.
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15, 15), genes = 500)
#' fit <- kbfs(toy$x, toy$y, n = 20, threads = 1)
#' fit
#' tail(fit$path, 3)
#' mean(selected(fit) %in% toy$relevant)
#' @export
kbfs <- function(x, ...) UseMethod("kbfs", formula_or_x(x, ...))

#' @rdname kbfs
#' @export
kbfs.default <- function(x, y, n = 50, lambda = NULL,
                         rank_by = c("weight", "entry"),
                         kernel = c("linear", "polynomial", "gaussian"),
                         degree = 2, offset = 1, width = 1, redundancy = 0,
                         manifold = 0, k = 5, max_pairs = Inf, block = NULL,
                         group = NULL, pair = NULL, ..., assay = NULL,
                         control = list(), scale = "zscore",
                         preset = c("default", "paper"), threads = NULL,
                         verbose = FALSE) {
  if (check_choice(preset) == "paper" && missing(n)) n <- 200
  given <- setdiff(names(match.call())[-1L], "")
  parameters <- list(
    n = check_count(n),
    lambda = if (!is.null(lambda)) check_number(lambda, min = 0),
    rank_by = check_choice(rank_by),
    kernel = check_choice(kernel),
    degree = check_count(degree, max = 5),
    offset = check_number(offset, min = 0),
    width = check_number(width, above = 0),
    redundancy = check_number(redundancy, min = 0),
    manifold = check_number(manifold, min = 0),
    k = check_count(k),
    max_pairs = check_count_or_all(max_pairs, min = 2),
    scale = scale
  )
  control <- check_control(control, list(gram_memory = 512))
  parameters$gram_memory <- check_number(
    control$gram_memory, "control$gram_memory", min = 0
  )
  check_kbfs_unused(given, parameters)
  check_no_dots(...)
  problem <- as_problem(x, y, assay = assay, outcome = "partly") |>
    with_design(x, block, group, pair, by_sample = FALSE)
  parameters <- c(parameters, design_sizes(problem))
  warn_single_samples(problem$y)
  fit_kbfs(problem, parameters, threads, verbose, match.call())
}

#' @rdname kbfs
#' @export
kbfs.formula <- function(formula, data, ...) {
  parts <- formula_terms(formula, data, ...names())
  with_formula(kbfs.default(parts$x, parts$y, ...), match.call(), formula)
}

fit_kbfs <- function(problem, parameters, threads, verbose, call) {
  sizes <- c(
    list(n_features = parameters$n),
    parameters[c("manifold", "max_pairs", "k")]
  )
  sizes$lambda <- parameters$lambda # not if it is NULL
  sizes$gram_memory <- 2^20 * parameters$gram_memory
  gram <- cpp_bytes_needed("gram", fit_size(problem, threads), sizes)
  # Stored columns go to a scratch file if they take more than the data (and
  # more than 64 MB), because they would be most of the memory needed.
  columns <- if (parameters$manifold == 0) {
    own_scratch(problem, gram, beyond = max(data_bytes(problem), 2^26))
  }
  check_memory("kbfs", problem, sizes, threads, files = !is.null(columns))
  preprocess <- NULL
  sampled <- samples_pairs(length(problem$y), parameters)
  run <- run_core("BFS", threads, verbose, function(runtime) {
    preprocess <<- prepare_scaling(problem, parameters$scale, runtime)
    options <- c(
      parameters[!names(parameters) %in% names(sizes)], sizes,
      list(simd = resolve_simd(), columns = columns)
    )
    scratch_errors(cpp_kbfs(problem, preprocess, options, runtime), gram)
  }, random = sampled)
  warn_unconverged(
    run$report, "Raise {.arg lambda} or lower {.arg n}."
  )
  run$scores <- without_rounding(run$scores)
  # predict() uses the labelled samples only.
  memory <- vote_memory(problem, run$scores, attr(run, "threads"))
  known <- !is.na(memory$y)
  memory$values <- memory$values[known, , drop = FALSE]
  memory$y <- memory$y[known]
  new_selector("kbfs", problem, preprocess, run$scores, run$scores > 0,
    parameters, run,
    report = run$report, ranking = run$ranking,
    n_ranked = sum(!is.na(run$entry)),
    entry = stats::setNames(run$entry, problem$features), path = run$path,
    training = memory, call = call
  )
}

# Says whether the graph is made of a random sample of the pairs. It is an error
# if there would be more pairs than anyone can wait for.
samples_pairs <- function(n_samples, parameters) {
  if (parameters$manifold == 0) {
    return(FALSE)
  }
  n_pairs <- n_samples * (n_samples - 1) / 2
  if (n_samples > 150 && parameters$max_pairs == Inf) {
    abort_input(c(
      "with {.arg manifold} above 0, {n_samples} samples make a graph of
       {n_pairs} pairs, which takes too long.",
      i = "Say how many pairs, drawn at random, it may have, as in
           {.code max_pairs = 10000}, or leave {.arg manifold} at 0."
    ), "max_pairs")
  }
  n_pairs > parameters$max_pairs
}

# An argument that the chosen kernel or term does not use is a mistake, so it is
# an error.
check_kbfs_unused <- function(given, parameters) {
  needs <- c(
    degree = 'kernel = "polynomial"', offset = 'kernel = "polynomial"',
    width = 'kernel = "gaussian"', k = "manifold", max_pairs = "manifold"
  )
  used <- c(
    sprintf('kernel = "%s"', parameters$kernel),
    if (parameters$manifold > 0) "manifold"
  )
  for (arg in intersect(names(needs)[!needs %in% used], given)) {
    abort_input(
      "{.arg {arg}} is not used without {.arg {needs[[arg]]}}.", arg
    )
  }
}
