# What is measured on a test part: errors, F1, area under the ROC curve.
# SPDX-License-Identifier: GPL-3.0-or-later

# `larger`: is more better? `pooled`: in cross-validation, from all predictions
# of one repetition together, because a fold is too small to define it.
# `scores`: from class scores, not from the predicted classes.
curve_metrics <- list(
  error = list(larger = FALSE, pooled = FALSE, label = "error"),
  balanced_error = list(
    larger = FALSE, pooled = FALSE, label = "balanced error"
  ),
  macro_f1 = list(larger = TRUE, pooled = TRUE, label = "macro F1"),
  micro_f1 = list(larger = TRUE, pooled = TRUE, label = "micro F1 (accuracy)"),
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
  if (metric == "error") {
    return(mean(as.integer(truth) != as.integer(predicted)))
  }
  n <- nlevels(truth)
  cell <- as.integer(truth) + n * (as.integer(predicted) - 1L)
  confusion_metric(metric, matrix(tabulate(cell, n * n), n))
}

#' @param m Counts, rows truth, columns prediction, same classes in same order.
#' @noRd
confusion_metric <- function(metric, m) {
  hit <- m[seq(1L, length(m), by = nrow(m) + 1L)]
  truth <- rowSums(m)
  predicted <- colSums(m)
  here <- truth > 0
  switch(metric,
    error = 1 - sum(hit) / sum(m),
    balanced_error = 1 - mean((hit / truth)[here]),
    # 2PR/(P+R) = 2 TP/(2 TP + FP + FN), and 0 where TP = 0.
    macro_f1 = mean((2 * hit / (truth + predicted))[here]),
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
  if (nlevels(truth) == 2L) {
    # Curves of 0.1.0 keep the column of the second class alone.
    return(pair_auc(score[, ncol(score)], as.integer(truth) == 2L))
  }
  label <- as.integer(truth)
  mean(unlist(lapply(present, function(i) {
    vapply(setdiff(present, i), function(j) {
      rows <- label == i | label == j
      pair_auc(score[rows, i], label[rows] == i)
    }, 0)
  })))
}

pair_auc <- function(score, positive) {
  n <- sum(positive)
  (sum(rank(score)[positive]) - n * (n + 1) / 2) / (n * sum(!positive))
}
