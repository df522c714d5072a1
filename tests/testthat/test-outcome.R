# The kinds of outcome.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("what is no numeric outcome, or no place for one, is refused", {
  p <- toy_data(n = 30L)
  number <- as.numeric(p$y)
  expect_refusal(relief(p$x, number), "y")
  expect_refusal(logo(p$x, number), "y")
  expect_refusal(relief(p$x, p$y, "rrelieff"), "y")
  expect_refusal(relief(p$x, replace(number, 3, NA), "rrelieff"), "y")
  expect_refusal(relief(p$x, rep(1, 30), "rrelieff"), "y")
  expect_refusal(relief(p$x, number, "rrelieff", samples = 1), "samples")
  fit <- relief(p$x, p$x[, 1], "rrelieff", threads = 1)
  expect_refusal(predict(fit, p$x, type = "class"), "type")
  expect_refusal(
    predict(relief(p$x, p$y, threads = 1), p$x, type = "response"), "type"
  )
  expect_warning(
    relief(p$x, p$x[, 1], "rrelieff", k = 50, threads = 1),
    class = "hitmiss_warning_k"
  )
})

test_that("held-out predictions of an ordered outcome are ordered as it is", {
  p <- toy_data(n = 30L, classes = c("mild", "severe", "dead"))
  levels <- c("mild", "severe", "dead")
  y <- factor(p$y, levels, ordered = TRUE)
  seen <- NULL
  off <- function(truth, predicted) {
    seen <<- c(seen, is.ordered(truth) && is.ordered(predicted))
    mean(abs(as.integer(truth) - as.integer(predicted)))
  }
  curve <- function(y, ...) {
    suppressMessages(with_stream(1, error_curve(p$x, y, quick_relief, 1:2,
      resampling = kfold(3), nested = kfold(2), ...
    )))
  }
  ordered <- as.data.frame(curve(y, metric = off), "predictions")
  expect_true(all(seen))
  for (column in c("truth", "predicted")) {
    expect_s3_class(ordered[[column]], "ordered")
    expect_identical(levels(ordered[[column]]), levels)
  }
  expect_identical(ordered$truth, y[ordered$sample])
  plain <- as.data.frame(
    curve(factor(p$y, levels), metric = off), "predictions"
  )
  expect_identical(class(plain$truth), "factor")
  expect_identical(
    as.character(plain$predicted), as.character(ordered$predicted)
  )
  for (metric in c("error", "balanced_error", "macro_f1", "auc")) {
    expect_identical(
      curve(y, metric = metric)$results,
      curve(factor(p$y, levels), metric = metric)$results
    )
  }
  fit <- with_stream(1, relief(p$x, y, k = 2, threads = 1))
  expect_s3_class(
    knowingly(validate(fit, p$x, y)), "hitmiss_validation"
  ) |> suppressMessages()
})
