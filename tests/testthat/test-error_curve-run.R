# Same seed, same bits: for any back end, and whatever the columns' order.
# SPDX-License-Identifier: GPL-3.0-or-later

bits_curve <- function(BPPARAM, x = bits_data()$x) {
  set.seed(11)
  curve <- error_curve(x, bits_data()$y, c(bits_selectors, design = relief),
    sizes = c(1, 4), classifier = list(llfs = "own", "knn"),
    resampling = holdout(2, 0.6), nested = kfold(2), permuted = 1,
    block = rep(1:3, 13), group = rep(1:20, each = 2)[1:39], BPPARAM = BPPARAM
  ) |> suppressWarnings()
  after <- runif(1)
  curve$call <- NULL
  curve$seconds <- NULL
  list(curve = curve, after = after)
}

test_that("any BPPARAM gives the same bits and moves the stream alike", {
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  skip_on_os("windows")
  # Fresh R processes look for the package where this session found it.
  withr::local_envvar(
    R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
  )
  alone <- bits_curve(NULL)
  expect_identical(bits_curve(NULL), alone)
  expect_identical(bits_curve(BiocParallel::SerialParam()), alone)
  expect_identical(bits_curve(BiocParallel::MulticoreParam(2)), alone)
  expect_identical(bits_curve(BiocParallel::SnowParam(2)), alone)
  if (nzchar(system.file(package = "batchtools"))) {
    files <- BiocParallel::batchtoolsRegistryargs(
      file.dir = withr::local_tempfile(), work.dir = getwd()
    )
    jobs <- BiocParallel::BatchtoolsParam(
      2, "multicore", registryargs = files, exportglobals = FALSE
    )
    expect_identical(bits_curve(jobs), alone)
  }
  # With a seed of the back end's own as well.
  expect_identical(
    bits_curve(BiocParallel::MulticoreParam(2, RNGseed = 99)), alone
  )
})

test_that("the stream moves by the same amount whatever the selectors draw", {
  data <- bits_data()
  after <- function(selector) {
    set.seed(2)
    error_curve(data$x, data$y, selector, 2, resampling = holdout(3, 0.5))
    .Random.seed
  }
  expected <- after(bits_selectors$random)
  expect_identical(after(function(x, y) colnames(x)), expected)
  expect_identical(
    after(function(x, y) {
      runif(1000)
      colnames(x)
    }), expected
  )
})

test_that("permuting the columns permutes only names", {
  data <- bits_data()
  columns <- withr::with_seed(3, sample(ncol(data$x)))
  run <- function(x) {
    set.seed(4)
    error_curve(x, data$y, bits_selectors["relief"], c(1, 5, 20, Inf),
      resampling = holdout(5, 0.6)
    )
  }
  here <- run(data$x)
  there <- run(data$x[, columns])
  expect_identical(there$results, here$results)
  expect_identical(there$splits, here$splits)
  named <- function(curve) {
    lapply(curve$selections$relief, function(list) curve$features[list])
  }
  expect_identical(named(there), named(here))
})

test_that("an interrupt leaves the caller's random stream usable", {
  data <- bits_data()
  set.seed(8)
  stopped <- tryCatch(
    error_curve(data$x, data$y, function(x, y) {
      stop(structure(list(message = "^C"), class = c("interrupt", "condition")))
    }, 2),
    interrupt = function(i) "interrupted"
  )
  expect_identical(stopped, "interrupted")
  expect_identical(RNGkind()[[1L]], "Mersenne-Twister")
})
