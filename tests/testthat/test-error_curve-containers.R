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

test_that("counts have the prior of the training part, with pairs too", {
  skip_if_not_installed("edgeR")
  counts <- withr::with_seed(5, matrix(
    stats::rnbinom(40 * 24, mu = 200, size = 2), 40,
    dimnames = list(paste0("g", 1:40), paste0("s", 1:24))
  ))
  y <- rep(c("u", "v"), each = 12)
  counts[1:3, y == "v"] <- 5 * counts[1:3, y == "v"]
  # A few large libraries, so that the parts differ.
  counts[, 1:4] <- 90 * counts[, 1:4]
  data <- edgeR::calcNormFactors(edgeR::DGEList(counts))
  fold <- rep(1:3, 8)
  by_hand <- do.call(rbind, lapply(1:3, function(test) {
    fit <- relief(data[, fold != test], y[fold != test], threads = 1)
    predict(fit, data[, fold == test], type = "prob", n = 8, threads = 1)
  }))
  table <- as.data.frame(error_curve(
    data, y, function(x, y) relief(x, y, threads = 1), 8,
    resampling = fold, classifier = "own"
  ), "predictions")
  table <- table[order(table$split, table$sample), ]
  expect_equal(
    as.matrix(table[c("score_u", "score_v")]), by_hand, ignore_attr = TRUE
  )
  # The same with pairs, whose means are taken of these logarithms.
  pair <- rep(1:12, 2)
  size <- data$samples$lib.size * data$samples$norm.factors
  prior <- 2 * size / mean(size[fold != 1])
  logs <- log2((t(counts) + prior) / (size + 2 * prior) * 1e6)
  expect_equal(
    with_prior_of(
      with_pairs(as_problem(data, y), data, pair), which(fold != 1)
    )$values,
    centre_pairs(logs, pair), ignore_attr = TRUE
  )
  # With one library's size in the test part, no other value may change.
  learned <- with_prior_of(as_problem(data, y), which(fold != 1))$values
  larger <- data
  larger$samples$lib.size[[1L]] <- 1e9
  again <- with_prior_of(as_problem(larger, y), which(fold != 1))$values
  expect_equal(again[, -1], learned[, -1])
  expect_false(isTRUE(all.equal(
    as_problem(larger, y)$values[, -1], as_problem(data, y)$values[, -1]
  )))
})
