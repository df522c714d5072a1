# The standard error of a mean over splits whose training parts overlap.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Standard error of a mean over splits, by Nadeau and Bengio
#'
#' Splits of one data set share samples, so that their mean varies more than
#' that of independent values would: its variance is taken to be 1/K + n_test /
#' n_train times, not 1/K times, that of a single split's value.
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
#' Splits of one plan have the same sizes, or, in k-fold cross-validation, sizes
#' that differ by one sample a class: there it is 1 / (k - 1) (Bouckaert,
#' Frank). With groups, these are counted, not their samples: it is groups that
#' are drawn.
#' @param group NULL, or the group of each sample.
#' @return NA for a metric that is formed from several splits together: what its
#'   values, one for each repetition, share is all samples.
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
