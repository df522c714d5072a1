# Workers of a back end that die: an error of ours, and a back end fit for use.
# SPDX-License-Identifier: GPL-3.0-or-later

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
