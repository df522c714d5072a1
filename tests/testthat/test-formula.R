# Formulas are read by names.
# SPDX-License-Identifier: GPL-3.0-or-later

frame <- data.frame(
  class = rep(c("a", "b"), 3), g1 = c(1, 4, 2, 7, 3, 9),
  g2 = c(5, 8, 6, 0, 2, 5), `HLA-A` = c(3, 1, 4, 1, 5, 9),
  check.names = FALSE
)
features <- function(formula) names(formula_parts(formula, frame)$x)

test_that("the right side is a set of names", {
  expect_identical(features(class ~ .), c("g1", "g2", "HLA-A"))
  expect_identical(features(class ~ g2 + g1), c("g2", "g1"))
  expect_identical(features(class ~ g1 + g1), "g1")
  expect_identical(features(class ~ . - g1), c("g2", "HLA-A"))
  expect_identical(features(class ~ . - (g1 + g2)), "HLA-A")
  expect_identical(features(class ~ -g1), c("g2", "HLA-A"))
  expect_identical(features(class ~ g1 + g2 - g1 + g1), c("g2", "g1"))
  expect_identical(features(class ~ +g1), "g1")
  expect_identical(features(class ~ `HLA-A` + .), c("HLA-A", "g1", "g2"))
  expect_identical(formula_parts(class ~ ., frame)$y, frame$class)
})

test_that("a formula gives the fit of its columns", {
  fit <- withr::with_seed(
    1, llfs(class ~ . - g2, frame, alpha = 1, threads = 1)
  )
  direct <- fit_seeded(llfs, frame[c("g1", "HLA-A")], frame$class, alpha = 1)
  expect_identical(essence(fit), essence(direct))
  expect_identical(fit$call[[1L]], quote(llfs))
  expect_identical(fit$call$formula, quote(class ~ . - g2))
})

test_that("formulas that name nothing useful are refused", {
  expect_refusal(llfs(class ~ .), "data")
  expect_refusal(llfs(class ~ ., data = as.matrix(frame)), "data")
  expect_refusal(llfs(~., data = frame), "formula")
  expect_refusal(llfs(log(g1) ~ ., data = frame), "formula")
  expect_refusal(llfs(klass ~ ., data = frame), "data")
  expect_refusal(llfs(class ~ g1 + g7 + g8, data = frame), "data")
  expect_refusal(llfs(class ~ log(g1), data = frame), "formula")
  expect_refusal(llfs(class ~ g1:g2, data = frame), "formula")
  expect_refusal(llfs(class ~ g1 * g2, data = frame), "formula")
  expect_refusal(llfs(class ~ 1, data = frame), "formula")
  expect_refusal(llfs(class ~ g1 - g1, data = frame), "formula")
  expect_refusal(llfs(class ~ class, data = frame), "formula")
  expect_refusal(llfs(g1 ~ g2, data = frame), "y")
  expect_refusal(
    llfs(class ~ ., data = cbind(frame, g1 = 1)), "data"
  )
})

test_that("20,000 columns are no burden", {
  wide <- as.data.frame(withr::with_seed(1, matrix(rnorm(4 * 20000), 4)))
  wide$class <- c("a", "b", "a", "b")
  parts <- formula_parts(class ~ ., wide)
  expect_identical(dim(parts$x), c(4L, 20000L))
  # A sum nests as deep as it is long.
  sum <- stats::reformulate(names(wide)[1:2000], "class")
  expect_identical(dim(formula_parts(sum, wide)$x), c(4L, 2000L))
  expect_identical(as_problem(parts$x, parts$y)$features, names(parts$x))
})
