# Tables of a curve where fits fail, warn or select too little.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("fewer features than asked: all there are, and it says so", {
  data <- edge_data()
  two <- function(x, y) {
    score <- by_variance(x, y)
    score[order(-score)[-(1:2)]] <- 0
    score
  }
  curve <- edge_curve(data, list(sparse = two), c(1, 2, 5, 10))
  expect_equal(curve$summary$n_used, c(1, 2, 2, 2))
  expect_identical(curve$values$sparse[, 2], curve$values$sparse[, 4])
  expect_true(all(lengths(curve$selections$sparse) == 2L))
  expect_output(print(curve), "fewer than requested")
  # Only the lowest score, shared, is unordered; an unshared lowest one counts.
  expect_length(score_order(c(3, 2, 1, 1), 1:4), 2L)
  expect_length(score_order(c(3, 2, 1, 0), 1:4), 4L)
  expect_identical(
    score_order(c(1, NA, 5, 5), c(4L, 2L, 9L, 3L)), c(3L, 9L, 4L)
  )
})

test_that("a selector that fails in one split is NA there, with a warning", {
  data <- edge_data()
  calls <- 0
  sometimes <- function(x, y) {
    calls <<- calls + 1
    if (calls == 2) stop("no convergence today")
    by_variance(x, y)
  }
  expect_warning(
    curve <- edge_curve(data, list(v = by_variance, odd = sometimes), c(1, 5)),
    class = "hitmiss_warning_failed", "odd in 1 of 10 splits"
  )
  odd <- curve$results[curve$results$selector == "odd", ]
  expect_identical(which(is.na(odd$value)), 3:4)
  expect_identical(curve$failures$split, 2L)
  expect_match(curve$failures$message, "no convergence today")
  expect_false(anyNA(curve$summary$mean))
  expect_output(print(curve), "1 fits? failed")
  expect_output(print(summary(curve)), "Seconds.*no convergence today")
})

test_that("a selector that always fails has NA everywhere, and no NaN", {
  data <- edge_data()
  never <- function(x, y) stop("not today")
  expect_warning(
    curve <- edge_curve(data, list(v = by_variance, never = never), c(1, 5)),
    class = "hitmiss_warning_failed", "never in 10 of 10 splits"
  )
  for (table in list(curve$summary, curve$aggregate)) {
    numbers <- table[table$selector == "never", c("mean", "sd")]
    expect_true(all(is.na(numbers)))
    expect_false(any(vapply(numbers, function(v) any(is.nan(v)), NA)))
    expect_false(anyNA(table$mean[table$selector == "v"]))
  }
  expect_false(any(is.nan(curve$summary$n_used)))
  expect_output(print(curve), "never")
})

test_that("a curve whose every fit failed is an error with its first message", {
  data <- edge_data()
  never <- function(x, y) stop("not {today}")
  error <- expect_error(
    edge_curve(data, list(a = never, b = never), c(1, 5)), "not \\{today\\}",
    class = "hitmiss_error_failed"
  )
  expect_s3_class(error, "hitmiss_error")
  expect_match(conditionMessage(error), "all 20 fits failed.*first error: ")
  expect_no_match(conditionMessage(error), "BPPARAM")
})

test_that("warnings of selectors are gathered, not repeated", {
  data <- edge_data()
  noisy <- function(x, y) {
    warning("look here")
    by_variance(x, y)
  }
  warned <- capture_warnings(curve <- edge_curve(data, list(v = noisy), 1))
  expect_length(warned, 1L)
  expect_match(warned, "look here")
  expect_equal(nrow(curve$warnings), 10L)
})
