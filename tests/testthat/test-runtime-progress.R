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
