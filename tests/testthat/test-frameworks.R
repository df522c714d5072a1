# What the adapters to other packages share.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- withr::with_seed(4, simulate_localized(noise = 10))

test_that("an order that is not that of the scores is kept", {
  fit <- kbfs(iris[1:4], iris$Species, threads = 1L)
  fit$ranking <- rev(order(-fit$scores))
  untied <- untied_scores(fit)
  expect_identical(
    names(sort(untied, decreasing = TRUE)), names(fit$scores)[fit$ranking]
  )
  expect_identical(range(untied), c(0.25, 1))
})

test_that("labels that are no factor are taken as relief() takes them", {
  called <- function(y) {
    fit_in_framework("relief", toy$x, y, list(threads = 1))$scores
  }
  scores <- relief(toy$x, toy$y, threads = 1)$scores
  expect_identical(called(as.character(toy$y)), scores)
  expect_identical(called(factor(toy$y, c(levels(toy$y), "none"))), scores)
  two <- toy$y == levels(toy$y)[[1L]]
  expect_identical(called(two), relief(toy$x, two, threads = 1)$scores)
})

test_that("what frameworks hand over is refused by name", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(class ~ ., data.frame(toy$x, class = toy$y))
  step <- function(...) {
    step_select_hitmiss(recipe, recipes::all_predictors(), top_p = 2, ...)
  }
  refused(step_select_hitmiss(), "`recipe`.* missing")
  refused(step(id = 1:2), "`id` must be a single string")
  refused(step(role = 1), "`role` must be a single string")
})
