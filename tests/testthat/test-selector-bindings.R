# The bindings refuse what the checks of R would never let through.
# SPDX-License-Identifier: GPL-3.0-or-later

core <- asNamespace("hitmiss")

toy <- withr::with_seed(4, simulate_localized(noise = 10))

test_that("the core refuses lengths that do not match", {
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  expect_error(core$cpp_scaled(toy$x, 1, 1), "columns, but the scaling has 1")
  expect_error(
    core$cpp_rank_products(toy$x, 1, "auto", runtime), "1 numbers? for"
  )
  space <- list(center = c(0, 0), scale = c(1, 1), constant = c(FALSE, FALSE))
  two <- toy$x[, 1:2]
  expect_error(
    core$cpp_nearest_mean(
      two, list(values = two, y = c(1, 2)), space, c(1, 1),
      list(k = 1L, metric = "manhattan", simd = "auto", missing = FALSE),
      runtime
    ),
    "2 outcomes for"
  )
})

test_that("the bindings refuse what the gate would never let through", {
  problem <- core$as_problem(toy$x, toy$y)
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  problem$values <- array("a", dim(toy$x))
  expect_error(core$cpp_scaling(problem, "zscore", runtime), "internal error")
  problem$values <- as.vector(toy$x)
  expect_error(core$cpp_scaling(problem, "zscore", runtime), "are no matrix")
  problem$values <- toy$x
  expect_error(core$cpp_scaling(problem, "other", runtime), "no choice .other.")
  problem$values <- list(scratch = core$cpp_new_scratch())
  problem$storage <- "blocks"
  expect_error(core$cpp_scaling(problem, "zscore", runtime), "not staged")
})

test_that("the bindings refuse parts of a fit that do not belong together", {
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  model <- list(
    training = diag(2), y = factor(c("a", "b")), features = c(1L, 2L),
    sizes = c(1L, 1L), radius = c(0.5, 0.5), cells = c(0L, 0L),
    cell = integer(), evidence = numeric(), intercept = numeric(),
    neighbour = "none", by_evidence = FALSE, learners = integer(),
    slopes = matrix(0, 0, 0)
  )
  classify <- function(..., samples = diag(2)) {
    core$cpp_local_classifier(
      utils::modifyList(model, list(...)), samples, FALSE, runtime
    )
  }
  expect_equal(classify()$similarity, diag(2), ignore_attr = TRUE)
  expect_error(
    classify(samples = diag(3)), "samples have 3 features, the fit has 2"
  )
  expect_error(classify(sizes = c(1L, 2L)), "differ in length")
  expect_error(classify(radius = 1), "differ in length")
  expect_error(classify(cells = c(1L, 0L)), "differ in length")
  expect_error(
    classify(cells = c(1L, 0L), cell = c(1L, 3L, 1L), evidence = 1),
    "evidence of a cell that there is not"
  )
  expect_error(classify(intercept = 1), "1 intercepts for 2 classes")
  expect_error(classify(learners = 1L), "regression differ in length")
  for (learners in list(c(1L, 1L), c(2L, 1L), 0:1, 2:3)) {
    expect_error(
      classify(learners = learners, slopes = diag(2)), "learners must be"
    )
  }
  expect_error(classify(features = c(1L, 3L)), "uses feature 3; there are 2")
  expect_error(classify(y = factor("a")), "1 labels for 2 training samples")
  expect_error(classify(y = factor(c("a", NA))), "has no class")
  expect_error(
    classify(y = structure(c(1L, 7L), levels = c("a", "b"), class = "factor")),
    "label 2 has code 7; there are 2"
  )
  nearest <- function(values = diag(2), scale = c(1, 1)) {
    core$cpp_nearest_vote(
      diag(2), list(values = values, y = factor(c("a", "b"))),
      list(center = c(0, 0), scale = scale, constant = c(FALSE, FALSE)),
      c(1, 1),
      list(k = 1L, metric = "manhattan", simd = "auto", missing = TRUE), runtime
    )
  }
  expect_error(nearest(scale = 1), "differ in their number of features")
  expect_error(nearest(diag(c(Inf, 1))), "values that are infinite")
})
