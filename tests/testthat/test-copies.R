# Samples that are copies of others are named.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("copies of samples are named wherever samples are judged", {
  x <- withr::with_seed(1, matrix(rnorm(40 * 60), 40))
  y <- rep(c("a", "b"), 20)
  copied <- replace(x, cbind(2, seq_len(60)), x[1, ])
  scaled <- replace(x, cbind(2, seq_len(60)), 2 * x[1, ] + 1)
  once <- holdout(times = 1)
  calls <- list(
    function(x) error_curve(x, y, relief, 2, resampling = once),
    function(x) error_curve(x[, 1:8], y, relief, 2, resampling = once),
    function(x) probe_fdr(x, y, relief, times = 1),
    function(x) bayes_error(x, y, 1:4, threads = 1),
    function(x) audit_labels(llfs(x, y, alpha = 5, threads = 1), threads = 1),
    function(x) {
      interactions(relief(x, y, threads = 1), x, y, 3, times = 0)
    }
  )
  for (call in calls) {
    said <- said_groups(withr::with_seed(1, call(copied)))
    expect_match(conditionMessage(said[[1L]]), "1 and 2")
    expect_length(said_groups(withr::with_seed(1, call(x))), 0L)
  }
  expect_length(said_groups(calls[[1L]](scaled)), 1L)
  # Few levels: equal samples tell nothing.
  expect_length(said_groups(calls[[2L]](x > 1)), 0L)
  expect_silent(error_curve(copied, y, relief, 2,
    resampling = once, group = c(1, 1, 3:40)
  ))
})

test_that("copies that lack values are compared in what both have", {
  made <- withr::with_seed(1, matrix(rnorm(40 * 120), 40))
  made[2, ] <- made[1, ]
  lacking <- function(x) {
    withr::with_seed(2, replace(x, sample(length(x), 0.1 * length(x)), NA))
  }
  pairs <- function(x) {
    y <- factor(rep(1:2, nrow(x) / 2))
    names <- paste0("g", seq_len(ncol(x)))
    said <- said_groups(inform_copies(new_problem(x, y, names, NULL)))
    vapply(said, \(m) sub("\\.\n.*", "", conditionMessage(m)), "")
  }
  one <- "1 pair of samples is equal or nearly so: 1 and 2"
  expect_identical(pairs(lacking(made)), one)
  expect_identical(pairs(lacking(made[, 1:20])), one)
  expect_identical(pairs(lacking(exp(2 * made))), one)
  expect_length(pairs(lacking(made[-2, ][1:38, ])), 0L)
  # Two samples that share no feature, or few, are not equal.
  apart <- made[-2, ][1:38, ]
  apart[1, 1:100] <- NA
  apart[2, 21:120] <- NA
  expect_length(pairs(apart), 0L)
  # Few samples.
  expect_length(pairs(made[2:3, ]), 0L)
  found <- equal_pairs(made[c(1, 2, 5), ])
  expect_identical(found, cbind(1L, 2L))
  expect_identical(nrow(equal_pairs(made[3:5, ])), 0L)
})
