# Workers of a back end that die: an error of ours, and a back end fit for use.
# SPDX-License-Identifier: GPL-3.0-or-later

core <- asNamespace("hitmiss")

test_that("a curve whose worker dies is an error of ours, the next is right", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 16L)
  quick <- function(x, y) hitmiss::relief(x, y, k = 1, threads = 1)
  deadly <- function(x, y) {
    tools::pskill(Sys.getpid(), tools::SIGKILL)
    Sys.sleep(5)
  }
  curve <- function(selector, param) {
    withr::with_seed(1, error_curve(data$x, data$y, list(s = selector), 1:2,
      resampling = holdout(times = 2), BPPARAM = param
    ))
  }
  expected <- curve(quick, NULL)$results
  param <- BiocParallel::bpstart(BiocParallel::MulticoreParam(2))
  withr::defer(try(BiocParallel::bpstop(param), silent = TRUE))
  expect_error(
    suppressWarnings(curve(deadly, param)), "died",
    class = "hitmiss_error_workers"
  )
  expect_identical(curve(quick, param)$results, expected)
})

test_that("workers find the package where the session found it", {
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    sprintf(".libPaths(%s)", paste(deparse(.libPaths()), collapse = "")),
    "library(hitmiss)",
    "set.seed(1)",
    "x <- matrix(rnorm(12 * 8), 12)",
    "y <- rep(c('a', 'b'), 6)",
    "fit <- llfs(x, y, alpha = 2, BPPARAM = BiocParallel::SnowParam(2))",
    "here <- llfs(x, y, alpha = 2, threads = 1)",
    "stopifnot(identical(fit$local$beta, here$local$beta))",
    "cat('same', is.na(Sys.getenv('R_LIBS', NA)))"
  ))
  # Nothing but .libPaths() says where packages are.
  said <- withr::with_envvar(c(R_LIBS = NA, R_LIBS_USER = NA), system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", script),
    stdout = TRUE, stderr = TRUE
  ))
  expect_identical(utils::tail(said, 1L), "same TRUE")
})

test_that("workers that were started without libraries find the package", {
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  param <- BiocParallel::SnowParam(2)
  withr::with_envvar(
    c(R_LIBS = "", R_LIBS_USER = "", R_LIBS_SITE = ""),
    BiocParallel::bpstart(param)
  )
  withr::defer(BiocParallel::bpstop(param))
  data <- toy_data(n = 16L)
  fit <- function(BPPARAM) {
    withr::with_seed(1, llfs(data$x, data$y,
      alpha = 2, threads = 1, BPPARAM = BPPARAM
    ))$local
  }
  expect_identical(fit(param), fit(NULL))
})

test_that("what stops a unit on a worker stops the call", {
  remote <- structure(
    class = c(
      "remote_error", "hitmiss_error_input", "hitmiss_error", "error",
      "condition"
    ),
    list(message = "`k` is odd", call = NULL)
  )
  expect_error(core$stop_as_unit(list(1, remote)), "`k` is odd",
    class = "hitmiss_error_input"
  )
  expect_null(core$stop_as_unit(list(1, 2)))
})

test_that("answers to another call, or to another unit, are none", {
  units <- keyed_units(list("a", "b", "c"))
  earlier <- keyed_units(list("a", "b", "c"))
  answer <- function(units) lapply(units, keyed_work, identity)
  right <- answer(units)
  expect_true(are_answers(right, units))
  expect_identical(lapply(right, `[[`, "answer"), list("a", "b", "c"))
  some <- list(right[[1]], simpleError("x"), right[[3]])
  expect_true(are_answers(some, units, failed = TRUE))
  expect_false(are_answers(some, units))
  wrong <- list(
    answer(earlier), right[c(2, 1, 3)], right[-3], c(right, right[3]),
    list(right[[1]], answer(earlier)[[2]], right[[3]]), list(1, 2, 3),
    list(NULL, NULL, NULL), list(), NULL, as.list(c("a", "b", "c")),
    list(right[[1]], right[[1]], right[[3]])
  )
  for (bad in wrong) expect_false(are_answers(bad, units))
})

test_that("after a call that was cut off a back end answers rightly, or not", {
  skip_if_not_installed("BiocParallel")
  skip_on_os("windows")
  data <- toy_data()
  curve <- function(param) {
    with_stream(1, error_curve(data$x, data$y, list(relief = quick_relief), 2,
      resampling = kfold(4), BPPARAM = param
    ))$values
  }
  wanted <- curve(NULL)
  param <- BiocParallel::MulticoreParam(2L)
  BiocParallel::bpstart(param)
  withr::defer(BiocParallel::bpstop(param))
  late <- function(i) {
    Sys.sleep(0.8)
    list(key = "another", number = i, answer = -1)
  }
  try(silent = TRUE, {
    setTimeLimit(elapsed = 0.4, transient = TRUE)
    BiocParallel::bplapply(1:4, late, BPPARAM = param)
  })
  setTimeLimit()
  right <- 0
  for (time in 1:4) {
    found <- tryCatch(curve(param), hitmiss_error_workers = function(e) NULL)
    if (!is.null(found)) expect_identical(found, wanted)
    right <- right + !is.null(found)
  }
  expect_gte(right, 3)
})

test_that("answers to another call are refused", {
  skip_if_not_installed("BiocParallel")
  on_workers <- core$on_workers
  environment(on_workers) <- list2env(list(
    apply_on_workers = function(...) {
      list(list(key = "another", number = 1L, answer = -1))
    },
    restart_workers = function(...) NULL
  ), parent = core)
  expect_error(
    on_workers(1, identity, BPPARAM = BiocParallel::SerialParam()),
    "answers to an earlier call", class = "hitmiss_error_workers"
  )
})
