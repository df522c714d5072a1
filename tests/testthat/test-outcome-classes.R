# Class labels.
# SPDX-License-Identifier: GPL-3.0-or-later

x <- matrix(c(1, 4, 2, 7, 3, 9, 5, 8, 6, 0, 2, 5), 6, 2)

test_that("labels that cannot be used are refused", {
  expect_worded_refusal(llfs(x, c("a", "b", "a", "b", "a")), "y")
  expect_worded_refusal(llfs(x, character()), "y")
  expect_worded_refusal(llfs(x, NULL), "y")
  expect_worded_refusal(llfs(x, c(0, 1, 0, 1, 0, 1)), "y")
  expect_worded_refusal(llfs(x, 1:6), "y")
  expect_worded_refusal(llfs(x, rep("healthy", 6)), "y")
  expect_worded_refusal(llfs(x, c("a", "b", NA, "a", NA, "b")), "y", row = 3L)
  expect_worded_refusal(llfs(x, c("a", NA, "a", "b", "a", "b")), "y", row = 2L)
  expect_worded_refusal(llfs(x, rep(NA, 6)), "y", row = 1L)
  expect_worded_refusal(llfs(x, as.list(letters[1:6])), "y")
  expect_worded_refusal(llfs(x, matrix(letters[1:6])), "y")
  expect_worded_refusal(llfs(x, data.frame(class = letters[1:6])), "y")
  expect_worded_refusal(llfs(x, Sys.Date() + 1:6), "y")
})

test_that("the order of levels is the user's, or byte by byte", {
  y <- factor(rep(c("a", "b"), 3), levels = c("b", "a"))
  expect_identical(levels(as_outcome(y, 6L)), c("b", "a"))
  expect_identical(levels(as_outcome(c("b", "B", "a"), 3L)), c("B", "a", "b"))
  expect_identical(
    as_outcome(c(TRUE, FALSE), 2L), factor(c("TRUE", "FALSE"))
  )
})

test_that("NA marks an unlabelled sample only where that is allowed", {
  y <- c("a", NA, "b")
  expect_identical(as_outcome(y, 3L, outcome = "partly"), factor(y))
})

test_that("an ordered factor is taken, and its order is not", {
  y <- factor(rep(c("low", "high"), 3), c("low", "high"), ordered = TRUE)
  expect_message(
    relief(x, y, threads = 1),
    "ordered factor; the order of its levels is not used",
    class = "hitmiss_message_ordered"
  )
  said <- testthat::capture_messages(
    withr::with_seed(1, error_curve(
      x, y, quick_relief, 1,
      resampling = holdout(times = 3)
    ))
  )
  expect_length(said, 1L)
})

test_that("unused levels are named once, whatever is called", {
  toy <- toy_data()
  y <- factor(toy$y, c("a", "gone", "b"))
  warned <- function(expr) {
    found <- testthat::capture_warnings(expr)
    expect_match(found, "\"gone\"\\.\ni `droplevels\\(y\\)`")
    expect_length(found, 1L)
  }
  for (select in selectors) warned(select(toy$x, y, threads = 1L))
  withr::with_seed(1, {
    warned(error_curve(
      toy$x, y, quick_relief, 2,
      resampling = holdout(times = 2), permuted = 2
    ))
    warned(probe_fdr(toy$x, y, quick_relief, times = 2, n = 2))
  })
  warned(bayes_error(toy$x, y, "g1", threads = 1L))
  warned(reference_scores(toy$x, y, threads = 1L))
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
