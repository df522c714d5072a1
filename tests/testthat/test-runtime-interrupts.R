# Time limits and interrupts: each stays what it is, and reaches who called.
# SPDX-License-Identifier: GPL-3.0-or-later

expect_session_right <- function(session) {
  expect_true(session$run(function() identical(few(), expected)))
}

# Where R itself looks, in the middle of R code: as errors of a selector.
slow_selector <- function(x, y, wrap = identity) {
  tryCatch(
    for (i in 1:60) Sys.sleep(0.01),
    error = function(e) stop(wrap(e))
  )
  relief(x, y, k = 1, threads = 1)
}

# What `code` ends with under a time limit that it must exceed.
limited <- function(code, seconds = 0.3) {
  # R's compiler takes a limit that it meets for a failure of its own.
  jit <- compiler::enableJIT(0L)
  withr::defer({
    setTimeLimit()
    compiler::enableJIT(jit)
  })
  tryCatch(
    {
      setTimeLimit(elapsed = seconds)
      code
    },
    error = identity
  )
}

expect_time_limit <- function(condition) {
  expect_s3_class(condition, c("simpleError", "error", "condition"), TRUE)
  expect_identical(
    conditionMessage(condition),
    gettext("reached elapsed time limit", domain = "R")
  )
}

test_that("a time limit ends a fit as R's own error, whatever the threads", {
  session <- endless_session()
  for (threads in 1:2) {
    ended <- session$run(function(threads) {
      on.exit(setTimeLimit())
      started <- proc.time()[["elapsed"]]
      setTimeLimit(elapsed = 0.5)
      condition <- tryCatch(endless(threads), error = identity)
      setTimeLimit()
      list(
        condition = condition, seconds = proc.time()[["elapsed"]] - started,
        again = {
          setTimeLimit(elapsed = 0.5)
          class(try(endless(threads), silent = TRUE))
        }
      )
    }, list(threads = threads))
    expect_time_limit(ended$condition)
    expect_lt(ended$seconds, 1.5)
    expect_identical(ended$again, "try-error")
    expect_session_right(session)
  }
})

test_that("an interrupt reaches the caller's handler, not the error option", {
  session <- endless_session()
  session$run(function() {
    options(error = quote(quit(status = 1)))
    NULL
  })
  for (threads in 1:2) {
    session$call(function(threads) {
      tryCatch(endless(threads), interrupt = function(i) "heard")
    }, list(threads = threads))
    Sys.sleep(0.5)
    ended <- interrupt_call(session)
    expect_identical(ended$answer$result, "heard")
    expect_lt(ended$seconds, 1)
    expect_session_right(session)
  }
})

test_that("a handler may resume the fit, and fit something else before", {
  session <- endless_session()
  session$call(function() {
    times <- 0
    withCallingHandlers(
      tryCatch(
        {
          setTimeLimit(elapsed = 3)
          endless(2)
        },
        error = function(e) list(times, conditionMessage(e))
      ),
      interrupt = function(i) {
        times <<- times + identical(few(), expected)
        invokeRestart("resume")
      }
    )
  })
  Sys.sleep(0.5)
  expect_identical(
    interrupt_call(session)$answer$result,
    list(1, gettext("reached elapsed time limit", domain = "R"))
  )
  session$run(function() setTimeLimit())
  expect_session_right(session)
})

test_that("a curve and false discoveries take no time limit for a failure", {
  skip_on_cran()
  data <- toy_data(n = 20L)
  two <- holdout(times = 2)
  expect_time_limit(limited(error_curve(
    data$x, data$y, list(slow = slow_selector), 1:2,
    resampling = two
  )))
  expect_time_limit(limited(error_curve(
    data$x, data$y, list(slow = slow_selector), 1:2,
    resampling = holdout(times = 2, labelled = 0.5)
  )))
  for (type in c("append", "permute")) {
    first <- TRUE
    expect_time_limit(limited(probe_fdr(data$x, data$y, function(x, y) {
      if (first) {
        first <<- FALSE
        return(relief(x, y, k = 1, threads = 1))
      }
      slow_selector(x, y)
    }, times = 2, type = type)))
  }
})

test_that("a time limit is known also below other errors", {
  skip_on_cran()
  data <- toy_data(n = 20L)
  wrap <- function(e) {
    structure(
      class = c("mine", "error", "condition"),
      list(message = "it failed", call = NULL, parent = e)
    )
  }
  selectors <- list(slow = function(x, y) slow_selector(x, y, wrap))
  expect_time_limit(limited(error_curve(
    data$x, data$y, selectors, 1:2, resampling = holdout(times = 2)
  )))
  expect_null(time_limit(simpleError("reached the limit")))
  # S4 puts words of its own before it.
  expect_time_limit(time_limit(simpleError(paste(
    "error in evaluating the argument 'x' in selecting a method for function",
    "'as.list':", gettext("reached elapsed time limit", domain = "R")
  ))))
})

test_that("a back end in this session hands a time limit on", {
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 20L)
  here <- BiocParallel::SerialParam()
  expect_time_limit(limited(error_curve(
    data$x, data$y, list(slow = slow_selector), 1:2,
    resampling = holdout(times = 2), BPPARAM = here
  )))
  # Half a minute, were there no limit.
  large <- withr::with_seed(1, simulate_microarray(c(150, 150), genes = 3000))
  expect_time_limit(limited(
    llfs(large$x, large$y, alpha = c(5, 10, 15, 20, 25, 30), BPPARAM = here),
    0.5
  ))
})

test_that("a time limit while a block is read is no failure of the reader", {
  expect_identical(
    tryCatch(reading(stop(time_limits[[1L]])), error = class),
    c("simpleError", "error", "condition")
  )
})

test_that("kbfs() with a Gaussian kernel heeds a time limit", {
  # About 10 s of work; products of one tile with others are many.
  data <- withr::with_seed(1, {
    list(x = matrix(rnorm(800 * 1500), 800), y = rep(c("a", "b"), 400))
  })
  for (redundancy in c(0, 0.1)) {
    started <- proc.time()[["elapsed"]]
    expect_time_limit(limited(seconds = 1, kbfs(
      data$x, data$y, kernel = "gaussian", redundancy = redundancy, threads = 1
    )))
    expect_lt(proc.time()[["elapsed"]] - started, 4)
  }
})

test_that("workers do not keep the limit of the call that started them", {
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  skip_on_os("windows")
  data <- toy_data(n = 20L)
  back_end <- BiocParallel::MulticoreParam(2)
  limited(BiocParallel::bpstart(back_end), 1.5)
  withr::defer(BiocParallel::bpstop(back_end))
  # Each worker has about 1.8 seconds to work.
  expect_s3_class(error_curve(data$x, data$y, slow_selector, 2,
    resampling = kfold(6), BPPARAM = back_end
  ), "hitmiss_curve")
  # The back end's own limit of each unit stays.
  short <- BiocParallel::MulticoreParam(2, timeout = 1L)
  late <- function(x, y) {
    for (i in 1:150) Sys.sleep(0.01)
    quick_relief(x, y)
  }
  expect_error(error_curve(data$x, data$y, late, 2,
    resampling = kfold(2), BPPARAM = short
  ), "time limit")
})
