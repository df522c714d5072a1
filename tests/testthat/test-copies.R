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
    },
    function(x) {
      local_signatures(x[, 1:8], y, times = 1, sets = 1, threads = 1)
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

test_that("new samples that are training samples are told", {
  old <- withr::with_seed(1, matrix(rnorm(40 * 60), 40,
    dimnames = list(paste0("s", 1:40), paste0("g", 1:60))
  ))
  y <- factor(rep(c("a", "b"), 20))
  pair <- rep(1:20, each = 2)
  new <- withr::with_seed(2, replace(old, TRUE, rnorm(2400)))
  rownames(new) <- paste0("n", 1:40)
  mixed <- rbind(new[1:6, ], old[c(3, 4, 7, 8), ])
  fits <- list(
    relief(old, y, threads = 1), logo(old, y, threads = 1),
    llfs(old, y, alpha = 10, threads = 1),
    relief(old, y, scale = "none", threads = 1)
  )
  said <- function(...) {
    found <- NULL
    v <- withCallingHandlers(
      suppressMessages(validate(...)),
      hitmiss_warning_known = function(w) {
        found <<- w$samples
        invokeRestart("muffleWarning")
      }, warning = function(w) invokeRestart("muffleWarning")
    )
    list(samples = found, text = capture.output(print(v))[1:2])
  }
  for (fit in fits) {
    found <- said(fit, mixed, y[1:10])
    expect_identical(found$samples, c("s3", "s4", "s7", "s8"))
    expect_match(found$text, "10 samples, of which 4 equal training",
      all = FALSE
    )
    found <- said(fit, new, y)
    expect_null(found$samples)
    expect_match(found$text, "40 samples that the fit has not", all = FALSE)
  }
  # Other features, unnamed features, values that are missing.
  expect_length(said(fits[[1L]], old[1:4, 60:11], y[1:4], missing = "drop")[[
    "samples"
  ]], 4L)
  expect_length(said(fits[[1L]], unname(old), y)$samples, 40L)
  holed <- replace(old, cbind(1:20, 1:20), NA)
  fit <- relief(holed, y, threads = 1)
  expect_length(said(fit, old[1:8, ], y[1:8])$samples, 8L)
  paired <- relief(old, y, pair = pair, threads = 1)
  expect_identical(
    said(paired, mixed, y[1:10], pair = rep(1:5, each = 2))$samples,
    c("s3", "s4", "s7", "s8")
  )
  # Of categories equal samples are usual.
  coded <- withr::with_seed(3, matrix(sample(1:2, 2000, TRUE), 400,
    dimnames = list(NULL, letters[1:5])
  ))
  coded <- cbind(coded, coded, coded, coded)
  colnames(coded) <- paste0("c", 1:20)
  rows <- 1:200
  fit <- relief(coded[rows, ], rep(1:2, 100) > 1, threads = 1)
  expect_null(said(fit, coded[-rows, ], rep(1:2, 100) > 1)$samples)
  expect_wording(expect_warning(
    validate(fits[[1L]], mixed, y[1:10], positive = "b"),
    class = "hitmiss_warning_known"
  ))
  expect_silent(predict(fits[[1L]], mixed))
  page <- withr::local_tempfile(fileext = ".html")
  write_report(fits[[1L]], old[1:3, ], page, truth = y[1:3])
  expect_match(paste(readLines(page), collapse = " "), "equal to training")
  write_report(fits[[1L]], new[1:3, ], page, truth = y[1:3])
  expect_no_match(paste(readLines(page), collapse = " "), "equal to training")
})

test_that("survival times: new samples that are training samples are told", {
  skip_if_not_installed("survival")
  x <- withr::with_seed(1, matrix(rnorm(40 * 8), 40,
    dimnames = list(NULL, letters[1:8])
  ))
  y <- survival::Surv(exp(x[, 1]), rep(c(TRUE, TRUE, FALSE, TRUE), 10))
  fit <- relief(x[1:30, ], y[1:30], threads = 1)
  expect_warning(
    found <- validate(fit, x[21:40, ], y[21:40]),
    class = "hitmiss_warning_known"
  )
  expect_output(print(found), "of which 10 equal training")
})
