# Layer: evaluate. How much do the selected features repeat each other?
# SPDX-License-Identifier: GPL-3.0-or-later

#' Redundancy of a set of features
#'
#' Computes the absolute correlations of all pairs of features: their mean and
#' their histogram, as in Zhu et al. (2014), Figs 4 and 5. Use the samples on
#' which the features were selected.
#'
#' @inheritParams relief
#' @param x The data: any of the [containers][hitmiss-containers].
#' @param features Names or positions of at least two features; `NULL` for all.
#' @param ... Must be empty.
#' @return A [result][hitmiss-results] with a row for each of 10 bins from 0 to
#'   1: `lower`, `upper`, `pairs`, `share`; a value on a border belongs to the
#'   bin above it, the value 1 to the last bin. `$mean`: the mean of
#'   |correlation| over pairs; `$features`; `$constant`: names of features
#'   without variation, left out; `$n_samples`.
#' @references
#' `r reference("kbfs")`
#' @examples
#' array <- simulate_microarray(genes = 200)
#' redundancy(array$x, array$relevant)
#' @export
redundancy <- function(x, features = NULL, ..., assay = NULL) {
  if (missing(x)) abort_missing("x")
  # The gate asks for labels, which play no part here.
  any <- rep_len(c(FALSE, TRUE), count_samples(open_container(x, assay)))
  problem <- as_problem(x, any, ..., assay = assay)
  problem <- chosen_features(problem, features)
  fixed <- apply(problem$values, 2L, function(v) all(v == v[[1L]]))
  values <- problem$values[, !fixed, drop = FALSE]
  if (ncol(values) < 2L || nrow(values) < 3L) {
    abort_input(
      "correlations need at least two features that vary and three samples;
       {.arg x} has {ncol(values)} such feature{?s} and {nrow(values)}
       sample{?s}.", "features"
    )
  }
  pairs <- abs(stats::cor(apply(values, 2L, near_one)))
  pairs <- pmin(pairs[upper.tri(pairs)], 1)
  new_redundancy(pairs, problem, fixed, match.call())
}

new_redundancy <- function(pairs, problem, fixed, call) {
  # A hair above, so that rounding does not put 0.3 below 0.3.
  bin <- pmin(floor(pairs * 10 + 1e-9), 9) + 1
  count <- tabulate(bin, 10L)
  share <- count / length(pairs)
  features <- problem$features[!fixed]
  constant <- problem$features[fixed]
  n_samples <- nrow(problem$values)
  new_result(
    "redundancy",
    data.frame(lower = 0:9 / 10, upper = 1:10 / 10, pairs = count, share),
    call = short_call(call), mean = mean(pairs), features = features,
      constant = constant,
    n_samples = n_samples,
    lines = c(
      sprintf(
        "mean |correlation| of %d features: %.3f (%.0f pairs, %d samples)",
        length(features), mean(pairs), length(pairs), n_samples
      ),
      if (length(constant) > 0L) paste("constant, left out:", listed(constant)),
      sprintf(
        "above 0.5: %.1f %% of the pairs; above 0.8: %.1f %%",
        100 * sum(share[6:10]), 100 * sum(share[9:10])
      )
    ),
    glance = list(
      mean = mean(pairs), n_features = length(features), pairs = length(pairs),
      n_constant = length(constant), n_samples = n_samples
    )
  )
}

# Divided by a power of two, which leaves all digits and all correlations: the
# squares of very large or small numbers could not be summed.
near_one <- function(v) v / 2^floor(log2(max(abs(v))))
