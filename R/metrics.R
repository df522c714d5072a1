# Layer: evaluate. What is measured on a test part: errors, F1, area under the
# ROC curve; and the standard error of their mean over splits.
# SPDX-License-Identifier: GPL-3.0-or-later

# `larger`: is more better? `pooled`: in cross-validation, from all predictions
# of one repetition together, because a fold is too small to define it.
# `scores`: from class scores, not from the predicted classes. `share`: is it a
# share of the samples, whose standard error has a lower limit?
curve_metrics <- list(
  error = list(larger = FALSE, pooled = FALSE, share = TRUE, label = "error"),
  balanced_error = list(
    larger = FALSE, pooled = FALSE, share = TRUE, label = "balanced error"
  ),
  macro_f1 = list(larger = TRUE, pooled = TRUE, label = "macro F1"),
  micro_f1 = list(
    larger = TRUE, pooled = TRUE, share = TRUE, label = "micro F1 (accuracy)"
  ),
  auc = list(larger = TRUE, pooled = TRUE, scores = TRUE, label = "AUC")
)

needs_scores <- function(metric) isTRUE(curve_metrics[[metric]]$scores)

#' Is a metric computed from the predictions of a whole repetition?
#' @noRd
is_pooled <- function(metric, resampling) {
  switch(resampling$method,
    holdout = FALSE,
    kfold = curve_metrics[[metric]]$pooled,
    given = resampling$folds && curve_metrics[[metric]]$pooled,
    # The error of a pool of single samples is the mean of their 0/1 errors.
    leave_one_out = metric != "error"
  )
}

#' One metric of some predictions
#'
#' @param truth,predicted Factors with the same levels.
#' @param score Matrix, samples x levels, or NULL; "auc" only.
#' @noRd
metric_value <- function(metric, truth, predicted, score = NULL) {
  if (anyNA(predicted) || length(truth) == 0L) {
    return(NA_real_)
  }
  if (metric == "auc") {
    return(auc(truth, score))
  }
  n <- nlevels(truth)
  cell <- as.integer(truth) + n * (as.integer(predicted) - 1L)
  confusion_metric(metric, matrix(tabulate(cell, n * n), n))
}

#' @param m Counts, rows truth, columns prediction, same classes in same order.
#' @noRd
confusion_metric <- function(metric, m) {
  hit <- diag(m)
  truth <- rowSums(m)
  here <- truth > 0
  switch(metric,
    error = (sum(m) - sum(hit)) / sum(m),
    balanced_error = 1 - mean((hit / truth)[here]),
    # 2PR/(P+R) = 2 TP/(2 TP + FP + FN), and 0 where TP = 0.
    macro_f1 = mean((2 * hit / (truth + colSums(m)))[here]),
    micro_f1 = sum(hit) / sum(m)
  )
}

#' Mann-Whitney area with ties 1/2; with three or more classes the mean over
#' ordered pairs of classes of Hand and Till (2001)
#' @noRd
auc <- function(truth, score) {
  present <- which(tabulate(truth, nlevels(truth)) > 0L)
  if (length(present) < 2L || is.null(score) || anyNA(score)) {
    return(NA_real_)
  }
  label <- as.integer(truth)
  if (nlevels(truth) == 2L) {
    return(areas_above(score[, 2L], label == 2L, label))
  }
  mean(unlist(lapply(present, function(class) {
    areas_above(score[, class], label == class, label)
  })))
}

# The area between the positive samples and those of each other label. Each
# sample is ranked once, so that many classes take no longer than few.
areas_above <- function(score, positive, label) {
  own <- sort(score[positive])
  others <- score[!positive]
  below <- (findInterval(others, own, left.open = TRUE) +
    findInterval(others, own)) / 2
  as.vector(tapply(1 - below / length(own), label[!positive], mean))
}

#' Metric of each size in each replicate (split, or repetition if pooled)
#'
#' @param runs Splits, each with a `result`; without classes where it failed.
#' @return Matrix, replicates x sizes.
#' @noRd
size_values <- function(runs, y, metric, resampling, n_sizes) {
  replicate <- if (!is_pooled(metric, resampling)) {
    seq_along(runs)
  } else {
    vapply(runs, `[[`, 0L, "repetition")
  }
  values <- lapply(split(runs, replicate), pooled_values, y, metric, n_sizes)
  unname(do.call(rbind, values))
}

pooled_values <- function(runs, y, metric, n_sizes) {
  truth <- y[unlist(lapply(runs, `[[`, "test"))]
  class <- do.call(rbind, lapply(runs, run_classes, n_sizes))
  vapply(seq_len(n_sizes), function(s) {
    score <- if (needs_scores(metric)) {
      do.call(rbind, lapply(runs, function(run) {
        score <- run$result$score
        if (!is.null(score)) matrix(score[, , s], nrow(score))
      }))
    }
    found <- factor(levels(y)[class[, s]], levels(y))
    metric_value(metric, truth, found, score)
  }, 0)
}

#' Numbers of the predicted classes, test samples x sizes; NA if the unit failed
#' @noRd
run_classes <- function(run, n_sizes) {
  run$result$class %||% matrix(NA_integer_, length(run$test), n_sizes)
}

# Of nothing known the mean is NA, not NaN.
mean_known <- function(values) {
  means <- unname(colMeans(values, na.rm = TRUE))
  replace(means, is.nan(means), NA_real_)
}

# ---- standard errors --------------------------------------------------------

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

#' The standard errors of several means, none below that of a share of N samples
#'
#' Splits may agree by chance, down to a spread of 0, while N samples still say
#' nothing about errors rarer than one in N. For a share the standard error is
#' at least half the distance from it to the farther end of its Wilson interval
#' of two standard errors.
#' @param values List of vectors: a value for each split.
#' @param x A curve, or what it keeps: metric, resampling, splits, group,
#'   n_samples, n_groups.
#' @noRd
reported_se <- function(values, x) {
  ratio <- curve_ratio(x)
  n <- x$n_groups %||% x$n_samples
  unname(vapply(values, function(values) {
    se <- corrected_se(values, ratio)
    floor <- if (isTRUE(curve_metrics[[x$metric]]$share)) {
      wilson_se(mean(values, na.rm = TRUE), n)
    }
    max(se, if (!is.na(se)) floor)
  }, 0))
}

wilson_se <- function(share, n) {
  centre <- (share + 2 / n) / (1 + 4 / n)
  half <- 2 * sqrt(share * (1 - share) / n + 1 / n^2) / (1 + 4 / n)
  (abs(centre - share) + half) / 2
}

# What is printed and drawn beside it.
se_words <- "standard error, corrected for overlapping training parts"

curve_ratio <- function(x) {
  overlap_ratio(x$metric, x$resampling, x$splits, x$group)
}
