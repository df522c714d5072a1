# llfs() through BiocParallel: the same fit.
# SPDX-License-Identifier: GPL-3.0-or-later

workers_fit <- function(data, BPPARAM = NULL, ...) {
  withr::with_seed(3, llfs(data$x, data$y,
    alpha = 3, threads = 1, BPPARAM = BPPARAM, ...
  ))
}

test_that("any back end gives the serial fit, to the last bit", {
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 23L, noise = 30L, classes = c("a", "b", "c"))
  expected <- essence(workers_fit(data))
  params <- list(
    serial = BiocParallel::SerialParam(),
    tasks = BiocParallel::SnowParam(2, tasks = 7)
  )
  if (.Platform$OS.type == "unix") {
    params$multicore <- BiocParallel::MulticoreParam(2)
  }
  for (kind in names(params)) {
    fit <- essence(workers_fit(data, params[[kind]]))
    expect_identical(fit, expected, label = kind)
  }
  sparse <- list(x = Matrix::Matrix(data$x, sparse = TRUE), y = data$y)
  expect_identical(
    workers_fit(sparse, params$serial)$scores, expected$scores
  )
  # R's own stream ends where it does without a back end.
  after <- function(BPPARAM) {
    withr::with_seed(1, {
      llfs(data$x, data$y, alpha = 3, BPPARAM = BPPARAM, threads = 1)
      runif(1)
    })
  }
  expect_identical(after(params$serial), after(NULL))
})

test_that("what a unit says is the error, and no back end is an argument", {
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 16L)
  problem <- as_problem(data$x, data$y)
  runtime <- list(threads = 1L, progress = NULL, key = c(1L, 2L))
  usable <- prepare_scaling(problem, "zscore", runtime)
  options <- llfs_core_options(
    llfs(data$x, data$y, alpha = 3, threads = 1)$parameters
  )
  options$alpha <- "not a number"
  expect_error(
    llfs_on_workers(
      problem, usable, options, c(1L, 2L), BiocParallel::SerialParam()
    ),
    class = "hitmiss_error_workers"
  )
  expect_refusal(llfs(data$x, data$y, BPPARAM = 2), "BPPARAM")
})

test_that("what is too large for memory goes to the workers, too", {
  skip_if_not_installed("BiocParallel")
  skip_if_not_installed("DelayedArray")
  data <- toy_data()
  blocks <- list(x = DelayedArray::DelayedArray(data$x), y = data$y)
  expected <- workers_fit(data)
  withr::local_options(hitmiss.realise_memory = 1)
  expect_identical(as_problem(blocks$x, blocks$y)$storage, "blocks")
  fit <- workers_fit(blocks, BiocParallel::SnowParam(2))
  expect_identical(fit$scores, expected$scores)
  expect_identical(fit$local, expected$local)
})
