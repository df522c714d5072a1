# Formulas are read by names.
# SPDX-License-Identifier: GPL-3.0-or-later

frame <- data.frame(
  class = rep(c("a", "b"), 3), g1 = c(1, 4, 2, 7, 3, 9),
  g2 = c(5, 8, 6, 0, 2, 5), `HLA-A` = c(3, 1, 4, 1, 5, 9),
  check.names = FALSE
)
features <- function(formula) names(formula_terms(formula, frame)$x)

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
  expect_identical(formula_terms(class ~ ., frame)$y, frame$class)
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

test_that("the formula may stand anywhere, by its name", {
  expected <- relief(frame[-1L], frame$class, threads = 1)
  for (fit in list(
    relief(formula = class ~ ., data = frame, threads = 1),
    relief(data = frame, formula = class ~ ., threads = 1),
    relief(frame, formula = class ~ ., threads = 1),
    relief(formula = class ~ ., frame, threads = 1)
  )) {
    expect_identical(essence(fit), essence(expected))
  }
  for (verb in c("logo", "kbfs", "pwfp", "llfs")) {
    select <- getExportedValue("hitmiss", verb)
    fit <- suppressWarnings(select(
      formula = class ~ ., data = frame, threads = 1
    ))
    expect_s3_class(fit, paste0("hitmiss_", verb))
    method <- get(paste0(verb, ".formula"), asNamespace("hitmiss"))
    expect_identical(names(formals(method)), c("formula", "data", "..."))
  }
})

test_that("other tables than data.frame are read by names as well", {
  expected <- essence(relief(class ~ . - g2, frame, threads = 1))
  x <- frame[-1L]
  plain <- relief(x, frame$class, threads = 1)
  tables <- list(tibble = "as_tibble", data.table = "as.data.table")
  for (package in names(tables)) {
    skip_if_not_installed(package)
    as_table <- getExportedValue(package, tables[[package]])
    table <- as_table(frame)
    fit <- relief(class ~ . - g2, table, threads = 1)
    expect_identical(essence(fit), expected, info = package)
    expect_identical(
      predict(fit, table), predict(fit, frame),
      info = package
    )
    expect_identical(
      essence(relief(as_table(x), table$class, threads = 1)), essence(plain),
      info = package
    )
    expect_error(relief(table, "class"), "name of a column of `x`")
  }
})

test_that("a formula and its data are asked for by name", {
  expect_refusal(relief(data = frame), "formula")
  expect_input_error(relief(formula = , data = frame))
  expect_refusal(relief(formula = "class ~ .", data = frame), "formula")
  expect_refusal(relief(class ~ ., frame, y = frame$class), "y")
  expect_refusal(relief(class ~ . - nosuch, frame), "data")
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
  parts <- formula_terms(class ~ ., wide)
  expect_identical(dim(parts$x), c(4L, 20000L))
  # A sum nests as deep as it is long.
  sum <- stats::reformulate(names(wide)[1:2000], "class")
  expect_identical(dim(formula_terms(sum, wide)$x), c(4L, 2000L))
  expect_named(relief(sum, wide)$scores, names(wide)[1:2000])
  expect_identical(as_problem(parts$x, parts$y)$features, names(parts$x))
})
