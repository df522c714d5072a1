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

test_that("what takes more than ten seconds says so once, after a second", {
  now <- 0
  with_clock(function() now)
  at <- function(progress, seconds, share) {
    now <<- seconds
    progress(share)
  }
  progress <- progress_reporter("LOGO", FALSE)
  expect_silent(at(progress, 0.5, 0))
  expect_silent(at(progress, 0.9, 0.001))
  expect_silent(at(progress, 1.1, 0))
  # The work before 1.5 seconds, which has no share, does not count.
  expect_silent(at(progress, 1.5, 0.01))
  said <- expect_message(
    at(progress, 2, 0.015), "LOGO: about 100 seconds",
    class = "hitmiss_message_time"
  )
  expect_match(conditionMessage(said), "fewer features")
  expect_silent(at(progress, 3, 0.01))
  now <- 0
  short <- progress_reporter("LOGO", FALSE)
  expect_silent(at(short, 0, 0))
  expect_silent(at(short, 0.9, 0.2))
  expect_silent(at(short, 1.5, 0.3))
  # More steps than were announced show as all of them.
  expect_silent(at(short, 20, 1))
  now <- 0
  slower <- progress_reporter("LOGO", FALSE)
  expect_silent(at(slower, 0.9, 0.2))
  expect_silent(at(slower, 1.5, 0.3))
  expect_message(at(slower, 9, 0.6), class = "hitmiss_message_time")
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
