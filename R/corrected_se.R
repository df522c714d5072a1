# The standard error of a mean over splits whose training parts overlap.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Standard error of a mean over splits, by Nadeau and Bengio
#'
#' Splits of one data set share samples, so their mean varies more than the mean
#' of independent values. Its variance is taken to be 1/K + n_test / n_train
#' times the variance of a single split's value, not 1/K times.
#' @param values One for each split, NA where a split has none.
#' @param ratio See overlap_ratio().
#' @return NA for fewer than two values.
#' @noRd
corrected_se <- function(values, ratio) {
  values <- values[!is.na(values)]
  spread <- stats::sd(values)
  # Values that are equal but for rounding do not vary.
  if (isTRUE(spread < 1e-12)) spread <- 0
  sqrt(1 / length(values) + ratio) * spread
}

#' n_test / n_train of the splits of a curve
#'
#' Splits of one plan have the same sizes. In k-fold cross-validation, sizes may
#' differ by one sample per class; the ratio is then 1 / (k - 1) (Bouckaert,
#' Frank). With groups, the sizes are numbers of groups, not of samples, because
#' groups are drawn.
#' @param group NULL, or the group of each sample.
#' @return NA for a metric that is computed from several splits together: its
#'   values, one for each repetition, share all samples.
#' @noRd
overlap_ratio <- function(metric, resampling, splits, group = NULL) {
  if (is_pooled(metric, resampling)) {
    return(NA_real_)
  }
  if (resampling$method == "kfold") {
    return(1 / (resampling$k - 1))
  }
  count <- function(rows) {
    if (is.null(group)) length(rows) else length(unique(group[rows]))
  }
  mean(vapply(splits, function(s) count(s$test) / count(s$train), 0))
}

# What is printed and drawn beside it.
se_words <- "standard error, corrected for overlapping training parts"

curve_ratio <- function(x) {
  overlap_ratio(x$metric, x$resampling, x$splits, x$group)
}

#' The standard errors of a curve's means
#'
#' Computed from its values, because curves of 0.1.0 hold none.
#' @return list of numeric vectors: `sizes` (by selector, then size, as the rows
#'   of `summary`), `aggregate`, `best`, `chosen` (one for each selector;
#'   `chosen` NULL without `nested`).
#' @noRd
curve_se <- function(x) {
  ratio <- curve_ratio(x)
  values <- x$values[x$selectors]
  chosen <- if (!is.null(x$chosen)) {
    split(x$chosen$value, x$chosen$selector)[x$selectors]
  }
  by_selector <- function(values) {
    unname(vapply(values, corrected_se, 0, ratio))
  }
  at <- match(curve_best(x)$size, x$sizes)
  list(
    sizes = unlist(
      lapply(values, function(v) apply(v, 2L, corrected_se, ratio)),
      use.names = FALSE
    ),
    aggregate = by_selector(lapply(values, rowMeans)),
    best = by_selector(Map(function(v, column) v[, column], values, at)),
    chosen = if (!is.null(chosen)) by_selector(chosen)
  )
}
