# Curves of every container: the same splits, the same figures.
# SPDX-License-Identifier: GPL-3.0-or-later

container_data <- function() {
  withr::with_seed(3, {
    data <- simulate_microarray(c(12, 12), 40, relevant = 4)
    # Counts, so that a sparse matrix holds the same numbers.
    data$x <- pmax(round(data$x - 8), 0)
    rownames(data$x) <- paste0("s", 1:24)
    data
  })
}

container_curve <- function(x, y) {
  withr::with_seed(1, error_curve(
    x, y, list(relief = function(x, y) relief(x, y, k = 3, threads = 1)),
    c(1, 5, 40),
    resampling = holdout(4, 0.6)
  ))
}

test_that("sparse matrices stay sparse for the selector, with the same curve", {
  data <- container_data()
  sparse <- Matrix::Matrix(data$x, sparse = TRUE)
  seen <- NULL
  withr::with_seed(1, error_curve(sparse, data$y, function(x, y) {
    seen <<- class(x)
    colnames(x)
  }, 2, resampling = holdout(1, 0.5)))
  expect_identical(as.vector(seen), "dgCMatrix")
  a <- container_curve(data$x, data$y)
  b <- container_curve(sparse, data$y)
  expect_identical(b$splits, a$splits)
  expect_equal(b$results, a$results)
})

test_that("blocks that do not fit into memory give the same curve", {
  skip_if_not_installed("DelayedArray")
  data <- container_data()
  withr::local_options(hitmiss.realise_memory = 0)
  delayed <- DelayedArray::DelayedArray(data$x)
  expect_equal(
    container_curve(delayed, data$y)$results,
    container_curve(data$x, data$y)$results
  )
})
