# Progress of a long run: shown, without influence, and no way to hang.
# SPDX-License-Identifier: GPL-3.0-or-later

# A run of some tenths of a second, with a progress function of the test's own.
slow_run <- function(progress) {
  x <- withr::with_seed(1, matrix(rnorm(200 * 5000), 200))
  problem <- as_problem(x, rep(c("a", "b"), 100))
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  preprocess <- prepare_scaling(problem, "zscore", runtime)
  runtime["progress"] <- list(progress)
  options <- list(
    fraction = 0.1, score = "product", scale = "zscore", simd = resolve_simd(),
    rows = NULL
  )
  cpp_pwfp(problem, preprocess, options, runtime)
}

test_that("progress is told in shares that never fall, and changes nothing", {
  skip_on_cran()
  shares <- double()
  told <- slow_run(function(share) shares <<- c(shares, share))
  expect_gt(length(unique(shares)), 1L)
  expect_gt(max(shares), 0.5)
  expect_true(all(shares >= 0 & shares <= 1))
  expect_false(is.unsorted(shares))
  expect_identical(told, slow_run(NULL))
})

test_that("a progress bar that fails stops the run with its own error", {
  skip_on_cran()
  expect_error(
    slow_run(function(share) stop("no terminal")), "no terminal",
    class = "simpleError"
  )
})

test_that("verbose = TRUE gives the same fit", {
  data <- toy_data(n = 16L)
  loud <- llfs(data$x, data$y, alpha = 3, threads = 1, verbose = TRUE)
  quiet <- llfs(data$x, data$y, alpha = 3, threads = 1)
  expect_identical(essence(loud), essence(quiet))
})

# The package's clock is `clock` until the test ends.
with_clock <- function(clock, frame = parent.frame()) {
  own <- elapsed
  utils::assignInNamespace("elapsed", clock, "hitmiss")
  withr::defer(utils::assignInNamespace("elapsed", own, "hitmiss"), frame)
}

# What a run of these steps says.
said_by <- function(seconds, shares, label = "LOGO") {
  now <- 0
  with_clock(function() now)
  progress <- progress_reporter(label, FALSE)
  testthat::capture_messages(for (i in seq_along(seconds)) {
    now <- seconds[[i]]
    progress(shares[[i]])
  })
}

test_that("what takes more than ten seconds says so once", {
  # The work before 1.5 seconds, which has no share, does not count.
  said <- said_by(
    c(0.9, 1.1, 1.5, 2, 4.1, 5, 6), c(0.001, 0, 0.01, 0.015, 0.07, 0.1, 0.2)
  )
  expect_length(said, 1L)
  expect_match(said, "LOGO: about 40 seconds")
  expect_match(said, "fewer features")
  # More steps than were announced show as all of them.
  expect_length(said_by(c(0, 0.9, 1.5, 20), c(0, 0.2, 0.3, 1)), 0L)
  expect_length(said_by(c(0.9, 1.5, 9), c(0.2, 0.3, 0.6)), 1L)
  # Splits are steps of equal length.
  expect_match(said_by(4 * 1:20, 1:20 / 20), "about 80 seconds")
})

test_that("no slow first step makes a short run long", {
  short <- list(
    list(c(0.4, 1, 4), c(1e-6, 2e-5, 1)), # 0.4.0: 8.3 hours
    list(c(0.1, 1, 1.1, 4), c(1e-4, 0.02, 0.1, 1)),
    list(c(0.5, 1.9, 2.1, 3), c(0.001, 0.01, 0.5, 1)),
    list(c(0, 1.2, 1.3, 3, 4), c(0, 0.001, 0.002, 0.6, 1)),
    list(c(0.2, 2.5, 2.6, 4), c(0.01, 0.05, 0.4, 1)),
    list(c(0.2, 2.4, 2.7, 4), c(0.01, 0.05, 0.2, 1)),
    list(c(1, 1.6, 2.2, 2.8, 3.5), c(0.001, 0.002, 0.01, 0.6, 1)),
    list(c(0.1, 0.7, 1.3, 1.9, 2.1, 4), c(0.001, 0.01, 0.02, 0.03, 0.4, 1)),
    list(c(1, 3, 3.2, 5), c(0.001, 0.04, 0.3, 1)),
    # A second task begins anew.
    list(c(0.3, 1, 1.5, 2.2, 4), c(0.5, 0.9, 0.01, 0.02, 1))
  )
  for (run in short) expect_length(said_by(run[[1L]], run[[2L]]), 0L)
})

test_that("durations have the unit that reads best", {
  expect_identical(
    vapply(c(11, 119, 120, 7199, 7200, 90000), duration, ""),
    c(
      "11 seconds", "120 seconds", "2 minutes", "120 minutes", "2 hours",
      "25 hours"
    )
  )
})

test_that("a fit and a loop of fits say how long they take", {
  skip_on_cran()
  # A clock that runs a thousand times too fast.
  with_clock(function() 1e3 * proc.time()[["elapsed"]])
  x <- withr::with_seed(1, matrix(rnorm(300 * 5000), 300))
  y <- factor(rep(c("a", "b"), 150))
  expect_message(
    pwfp(x, y, threads = 1), "PWFP: about", class = "hitmiss_message_time"
  )
  said <- character()
  withCallingHandlers(
    error_curve(x[, 1:50], y, function(x, y) relief(x, y, threads = 1), 1:2,
      resampling = holdout(5, 0.5)
    ),
    hitmiss_message_time = function(m) {
      said <<- c(said, conditionMessage(m))
      invokeRestart("muffleMessage")
    }
  )
  expect_length(grep("Splits: about", said), 1L)
})
