# Samples that are judged as new, and are training samples of the fit.
# SPDX-License-Identifier: GPL-3.0-or-later

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
  expect_length(said(fit, holed[1:8, ], y[1:8])$samples, 8L)
  # New samples that are equal to each other are no training samples.
  expect_identical(
    said(fits[[1L]], rbind(new[c(1, 1), ], old[c(3, 3), ]), y[1:4])$samples,
    c("s3 (3)", "s3 (4)")
  )
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
