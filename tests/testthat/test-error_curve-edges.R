# Small, odd and failing cases, each with what is said about it.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("sizes above the number of features become that number", {
  data <- edge_data()
  curve <- edge_curve(data, list(v = by_variance), c(5, 50, Inf, 5))
  expect_identical(curve$sizes, c(5, 20))
  all <- curve$baseline$mean[curve$baseline$name == "(all features)"]
  expect_equal(curve$summary$mean[[2L]], all)
})

test_that("a class of one sample, folds above a class, constant columns", {
  data <- edge_data(c(9, 1, 12))
  data$x[, 4] <- 7
  expect_warning(
    curve <- edge_curve(data, list(v = by_variance), c(1, 5)),
    class = "hitmiss_warning_single"
  )
  expect_false(anyNA(curve$results$value))
  expect_false("class2" %in% curve$predictions$truth)
  expect_warning(
    edge_curve(data, list(v = by_variance), 5, resampling = kfold(5)),
    class = "hitmiss_warning_folds"
  )
  data <- edge_data(c(8, 8))
  data$x[, 1:20] <- 1
  curve <- edge_curve(data, list(all = function(x, y) colnames(x)), 20)
  expect_false(anyNA(curve$results$value))
})

test_that("one feature, two samples per class", {
  data <- edge_data(c(2, 2))
  data$x <- data$x[, 1, drop = FALSE]
  curve <- edge_curve(
    data, list(v = by_variance), 1, resampling = holdout(3, 0.5)
  )
  expect_false(anyNA(curve$results$value))
  expect_identical(curve$sizes, 1)
  loo <- edge_curve(
    data, list(v = by_variance), 1, resampling = leave_one_out()
  )
  expect_equal(nrow(loo$results), 4L)
})

test_that("random features are a baseline at every size", {
  data <- edge_data(genes = 200)
  curve <- edge_curve(data, list(v = by_variance), c(2, 50))
  expect_identical(curve$random$size, c(2, 50))
  at <- match("(random features)", curve$baseline$name)
  expect_equal(curve$baseline$mean[[at]], mean(curve$random$mean))
  again <- edge_curve(data, list(v = by_variance), c(2, 50))
  expect_identical(again$random, curve$random)
  expect_output(print(curve), "random features 0[.][0-9]+")
  expect_equal(glance(curve)$random_features, mean(curve$random$mean))
})

test_that("bad arguments are refused by name", {
  data <- edge_data()
  curve <- function(...) error_curve(data$x, data$y, ...)
  v <- list(v = by_variance)
  expect_refusal(error_curve(), "x")
  expect_refusal(curve(), "selectors")
  expect_refusal(curve(list(by_variance), 1), "selectors")
  expect_refusal(curve(list(a = by_variance, a = by_variance), 1), "selectors")
  expect_refusal(curve(list(a = "relief"), 1), "selectors")
  expect_refusal(curve(v, 0), "sizes")
  expect_refusal(curve(v, c(1, 2.5)), "sizes")
  expect_refusal(curve(v, "all"), "sizes")
  expect_refusal(curve(v, 1, classifier = list(w = "knn")), "classifier")
  expect_refusal(curve(v, 1, classifier = list("knn", "own")), "classifier")
  expect_refusal(curve(v, 1, resampling = 10), "resampling")
  expect_refusal(curve(v, 1, metric = "accuracy"), "metric")
  expect_refusal(curve(v, 1, classifier = "knn0"), "classifier")
  expect_refusal(curve(v, 1, nested = kfold(2), rule = "max"), "rule")
  expect_refusal(curve(v, 1, permuted = -1), "permuted")
  expect_refusal(curve(v, 1, scale = "rank"), "scale")
  expect_refusal(curve(v, 1, nested = 5), "nested")
  expect_refusal(curve(v, 1, keep = NA), "keep")
  skip_if_not_installed("BiocParallel")
  expect_refusal(curve(v, 1, BPPARAM = 2), "BPPARAM")
})

test_that("a selector's mistake stops the curve also when a worker made it", {
  skip_if_not_installed("BiocParallel")
  data <- edge_data()
  odd <- function(x, y) "no scores"
  backends <- list(NULL, BiocParallel::SerialParam())
  # Windows cannot fork the worker that makes the condition.
  if (.Platform$OS.type == "unix") {
    backends <- c(backends, BiocParallel::MulticoreParam(2))
  }
  for (backend in backends) {
    expect_error(
      edge_curve(data, list(odd = odd), 1:2, BPPARAM = backend),
      "\"no scores\"",
      class = "hitmiss_error_selector"
    )
  }
})
