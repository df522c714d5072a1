# The predictions that a curve keeps, and the class scores behind them.
# SPDX-License-Identifier: GPL-3.0-or-later

prediction_rows <- function(runs, plan, y, name) {
  n_sizes <- length(plan$sizes)
  n <- lengths(lapply(runs, `[[`, "test"))
  sample <- unlist(lapply(runs, function(unit) rep(unit$test, n_sizes)))
  class <- unlist(lapply(runs, unit_classes, n_sizes))
  table <- data.frame(
    size = unlist(lapply(n, function(n) rep(plan$sizes, each = n))),
    split = rep(seq_along(runs), n * n_sizes), sample = sample,
    truth = y[sample], predicted = factor(levels(y)[class], levels(y))
  )
  table$score <- do.call(rbind, lapply(seq_along(runs), function(s) {
    prediction_score(runs[[s]]$result$score, n[[s]] * n_sizes, levels(y))
  }))
  table
}

# Matrix, predictions x classes; NA where there are no scores.
prediction_score <- function(score, n, levels) {
  values <- if (is.null(score)) {
    matrix(NA_real_, n, length(levels))
  } else {
    matrix(aperm(score, c(1L, 3L, 2L)), n)
  }
  colnames(values) <- levels
  values
}

#' The predictions of a curve, or an error that says how to get them
#' @noRd
kept_predictions <- function(x) {
  if (is.null(x$predictions)) {
    abort(
      c(
        "this curve has no predictions: it was made with {.code keep = FALSE}.",
        i = "Run {.fn error_curve} again with {.code keep = TRUE}."
      ),
      c("hitmiss_error_predictions", "hitmiss_error_input"),
      arg = "x"
    )
  }
  x$predictions
}

#' Class scores of the predictions: matrix, predictions x classes
#'
#' Curves of 0.1.0 hold a vector for two classes: the scores of the second one.
#' @noRd
prediction_scores <- function(x, predictions = x$predictions) {
  score <- predictions$score
  if (is.null(dim(score))) {
    score <- matrix(score, dimnames = list(NULL, x$classes[[2L]]))
  }
  score
}

split_repetitions <- function(x) vapply(x$splits, `[[`, 0L, "repetition")

# For users and other packages: plain columns, one for the score of each class.
predictions_table <- function(x) {
  kept <- kept_predictions(x)
  table <- cbind(
    kept[c("selector", "size", "split")],
    repetition = split_repetitions(x)[kept$split],
    kept[c("sample", "truth", "predicted")]
  )
  score <- prediction_scores(x)
  if (all(is.na(score))) {
    return(table)
  }
  colnames(score) <- paste0("score_", colnames(score))
  cbind(table, score)
}
