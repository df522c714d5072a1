# Layer: evaluate. interactions() looks for features that say more together than
# each does alone.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Pairs of features that act together
#'
#' If two features l and j interact, a difference in one of them goes with a
#' difference in the other more often (or less often) between samples of one
#' class than between samples of two classes. I(l, j) is the correlation of
#' |differences| of l with |differences| of j over all pairs of samples of one
#' class (hits), minus that over all pairs of samples of different classes
#' (misses).
#'
#' Features that are independent within the classes may still have a nonzero I,
#' for example if both vary more in one class than in another. `expected` is the
#' value of I for such features, computed from the mean differences of each two
#' classes. Pairs are ordered by |I - expected|.
#'
#' Features that depend on each other in the same way in all classes also have
#' nonzero values of I - expected. `p_value` therefore compares with data in
#' which the dependence is the same in all classes: in each permutation the
#' class means are subtracted, whole rows are exchanged among the samples (among
#' whole groups, within blocks), and the class means of each place are added
#' again. A small value says that two features depend on each other in one class
#' differently than in another, which is no proof of a biological interaction:
#' if many samples are cases, strong additive effects make two features
#' dependent within the cases. Two features that are nearly copies of each
#' other, such as probes of one gene, are marked as `redundant`: their
#' difference is noise.
#'
#' Without any interaction, the first pair had p <= .05 in 0 to 7 % of the data
#' sets. These had independent features or correlated blocks, two or three
#' classes, and in some the means or the spreads of the classes differed. With
#' one, p was <= .05 and the first pair the right one in 100 % of the data sets
#' where the class is the sign of a product of two of 12 features (60 samples),
#' in 39 % with as much noise in the product, in 8 % where two features
#' correlate by .7 in one class only, and, of two loci among 10 others (200
#' samples), in 99 % at a heritability of .2 and 70 % at .1
#' (`tests/bench/interaction_levels.R`, 100 data sets each).
#'
#' Only pairs of the best `searched` features of the fit are found: use a large
#' number, or a fit of [turf()]. The time is proportional to `searched^2`, to
#' the square of the number of samples and to `1 + times`.
#'
#' @param fit A fit of this package, whose best features are used.
#' @param x,y Data and labels. Features are found by name; any two levels of a
#'   factor are 1 apart.
#' @param searched Number of features, the best of the fit, whose pairs are
#'   searched.
#' @param times Number of permutations, 0 (none) to 1e6, for `p_value`.
#' @param ... Must be empty.
#' @inheritParams logo
#' @return A [result][hitmiss-results] with a row for each pair of features, by
#'   decreasing |I - expected|: `rank`, `feature1`, `feature2`, `interaction`,
#'   `expected`, the correlations `hits` and `misses`, `p_value`: the share of
#'   permutations, counting the data themselves as one, in which any pair
#'   reaches |I - expected|; `NA` without permutations; `redundant`, whether
#'   hits and misses both correlate above 0.8. `$features`;
#'   `$largest_by_chance`, one number for each permutation; `$times`,
#'   `$n_samples`. `plot(n = 15)` draws I - expected of the first `n` pairs, and
#'   the value that 5 % of the permutations exceed.
#' @examples
#' set.seed(1)
#' toy <- simulate_epistasis(samples = c(200, 200), noise = 20)
#' snps <- data.frame(lapply(as.data.frame(toy$x), factor))
#' fit <- relief(snps, toy$y, k = 50, threads = 1)
#' interactions(fit, snps, toy$y, threads = 1)
#' @export
interactions <- function(fit, x, y, searched = 200, times = 199,
                         block = NULL, group = NULL, pair = NULL, ...,
                         assay = NULL, threads = NULL, verbose = FALSE) {
  check_fit(fit, "fit")
  searched <- check_count(searched, min = 2)
  times <- check_count(times, min = 0, max = 1e6)
  check_no_dots(...)
  problem <- as_problem_coded(
    x, y, assay = assay_or_that_of(assay, fit, x)
  ) |>
    with_design(x, block, group, pair, by_sample = FALSE)
  inform_copies(problem)
  check_pairs_within(problem, "interactions")
  features <- interacting_features(fit, problem, searched)
  asked <- list(y = problem$y, features = features, storage = "dense")
  check_memory("interactions", asked, threads = threads)
  values <- t(feature_values(problem, match(features, problem$features)))
  check_numbers_fit(as.double(times) * length(problem$y), "times")
  if (times > 0L) check_permutable(problem)
  orders <- vapply(
    seq_len(times), \(t) permuted_labels(problem), integer(length(problem$y))
  )
  run <- run_core("Interactions", threads, verbose, function(runtime) {
    cpp_interactions(
      values, features %in% names(problem$levels), problem, orders,
      resolve_simd(), runtime
    )
  })
  new_interactions(features, run, length(problem$y), match.call())
}

interacting_features <- function(fit, problem, n) {
  if (!is.null(fit$prepared)) {
    abort_input(c(
      "{.arg fit} prepares its samples, and {.arg x} is taken as it is.",
      i = "Prepare {.arg x} first, and give a fit to what comes of it."
    ), "fit")
  }
  ordered <- names(fit$scores)[fit$ranking[seq_len(fit$n_ranked)]]
  features <- utils::head(
    setdiff(ordered, names(fit$scores)[fit$preprocess$constant]), n
  )
  absent <- setdiff(features, problem$features)
  if (length(absent) > 0L) {
    abort_input(
      "{.arg x} lacks {length(absent)} of the features of {.arg fit}:
       {.val {absent}}.", "x"
    )
  }
  if (length(features) < 2L) {
    abort_input(c(
      "{.arg fit} ranks {length(features)} feature{?s} that var{?ies/y}; a pair
       needs two.",
      i = "Use a ranking, as {.fn relief} gives."
    ), "fit")
  }
  features
}

new_interactions <- function(features, run, n_samples, call) {
  difference <- run$hits - run$misses
  at <- which(lower.tri(difference), arr.ind = TRUE)
  of <- difference[at] - run$expected[at]
  order <- order(-abs(of), at[, 2L], at[, 1L])
  at <- at[order, , drop = FALSE]
  times <- length(run$largest_by_chance)
  reached <- times - findInterval(
    abs(of[order]), sort(run$largest_by_chance),
    left.open = TRUE
  )
  pairs <- data.frame(
    rank = seq_along(order), feature1 = features[at[, 2L]],
    feature2 = features[at[, 1L]], interaction = difference[at],
    expected = run$expected[at], hits = run$hits[at], misses = run$misses[at],
    p_value = if (times > 0L) (1 + reached) / (1 + times) else NA_real_,
    redundant = pmin(run$hits[at], run$misses[at]) > 0.8
  )
  new_result("interactions", pairs, call = call,
    features = features, largest_by_chance = run$largest_by_chance,
    times = times, n_samples = n_samples, what = "pairs",
    columns = setdiff(names(pairs), c(
      if (times == 0L) "p_value", if (!any(pairs$redundant)) "redundant"
    )),
    lines = c(
      sprintf(
        "interactions of %d features: %s pairs, %d samples", length(features),
        thousands(nrow(pairs)), n_samples
      ),
      if (times > 0L) {
        sprintf(
          "largest |interaction - expected| by chance: %.3f (median of %s)",
          stats::median(run$largest_by_chance),
          in_words("{times} permutation{?s}")
        )
      }
    ),
    glance = c(
      pairs[1L, c("feature1", "feature2", "interaction", "p_value")],
      list(
        n_features = length(features), n_pairs = nrow(pairs), times = times,
        n_samples = n_samples
      )
    )
  )
}
