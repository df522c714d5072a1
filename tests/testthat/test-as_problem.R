# The input gate: what is refused, in which words, and what passes.
# SPDX-License-Identifier: GPL-3.0-or-later

x <- matrix(
  c(1, 4, 2, 7, 3, 9, 5, 8, 6, 0, 2, 5), 6, 2,
  dimnames = list(paste0("patient", 1:6), c("HLA-A", "1007_s_at"))
)

y <- rep(c("sick", "well"), 3)

test_that("missing and infinite values are refused with their place", {
  for (bad in c(NA, NaN, Inf, -Inf)) {
    expect_worded_refusal(
      llfs(replace(x, 9, bad), y), "x",
      row = 3L, column = 2L
    )
  }
  expect_worded_refusal(
    llfs(unname(replace(x, 2, NA)), y), "x",
    row = 2L, column = 1L
  )
  expect_worded_refusal(
    llfs(as.data.frame(replace(x, c(9, 10), NA)), y), "x",
    row = 3L, column = 2L
  )
  whole <- x
  storage.mode(whole) <- "integer"
  expect_worded_refusal(
    llfs(replace(whole, 12, NA), y), "x",
    row = 6L, column = 2L
  )
})

test_that("values that cancel or overflow in a sum are judged one by one", {
  expect_input_error(llfs(replace(x, c(1, 2), c(Inf, -Inf)), y))
  huge <- matrix(.Machine$double.xmax, 4, 2)
  expect_true(are_finite(huge))
})

test_that("x without rows or columns is refused", {
  expect_worded_refusal(llfs(x[0, ], character()), "x")
  expect_worded_refusal(llfs(x[, 0], y), "x")
  expect_worded_refusal(llfs(data.frame(), character()), "x")
})

test_that("a transposed x is recognised", {
  expect_worded_refusal(llfs(t(x), y), "x")
  expect_worded_refusal(llfs(as.data.frame(t(x)), y), "x")
  table <- data.frame(gene = factor(colnames(x)), on = "chr1", t(x))
  expect_worded_refusal(relief(table, y), "x")
  times <- survival::Surv(seq_along(y), rep(0:1, 3))
  for (of in list(y, times)) {
    expect_refusal(logo(table, of), "x")
    expect_refusal(relief(table, of), "x")
  }
  expect_refusal(relief(table, y[-1]), "y")
})

test_that("what is not a number is refused by column", {
  frame <- data.frame(x, tissue = "liver", check.names = FALSE)
  expect_worded_refusal(llfs(frame, y), "x", column = 3L)
  frame$grade <- factor(y)
  expect_worded_refusal(llfs(frame, y), "x", column = 3L)
  expect_worded_refusal(llfs(data.frame(day = Sys.Date() + 1:6, x), y), "x")
  words <- x
  storage.mode(words) <- "character"
  expect_worded_refusal(llfs(words, y), "x")
  expect_worded_refusal(llfs(x + 1i, y), "x")
  expect_worded_refusal(llfs(data.frame(I(x)), y), "x")
})

test_that("other containers are refused", {
  expect_worded_refusal(llfs(1:6, y), "x")
  expect_worded_refusal(llfs("genes.csv", y), "x")
  expect_worded_refusal(llfs(list(x), y), "x")
  expect_worded_refusal(llfs(NULL, y), "x")
  expect_worded_refusal(llfs(array(1, c(2, 2, 2)), c("a", "b")), "x")
  expect_worded_refusal(llfs(quantile, y), "x")
})

test_that("the name of a column of labels is a mistake for a data.frame", {
  frame <- data.frame(x, tissue = y, check.names = FALSE)
  expect_worded_refusal(relief(frame, "tissue"), "y")
  expect_worded_refusal(relief(frame, "HLA-A"), "y")
  expect_worded_refusal(reference_scores(frame, "tissue"), "y")
  # One label of one sample is no name of a column.
  expect_worded_refusal(relief(frame[1L, 1:2], "HLA-A"), "y")
})

test_that("a single sample or feature is still a matrix", {
  toy <- toy_data()
  fit <- relief(toy$x, toy$y, threads = 1)
  expect_worded_refusal(predict(fit, toy$x[1, ]), "newdata")
  expect_worded_refusal(relief(toy$x[, 1], toy$y), "x")
})

test_that("missing and unknown arguments are refused", {
  expect_worded_refusal(llfs(x), "y")
  expect_worded_refusal(llfs(x, y, alhpa = 3), "alhpa")
  expect_worded_refusal(
    llfs(
      x, y, 3, 0.2, c(0, 1), "spheres", "prior", "none", "share", FALSE, 0, Inf,
      NULL, NULL, NULL, NULL, 7
    ),
    "(unnamed)"
  )
})

test_that("duplicated feature names are refused", {
  twice <- cbind(x, x)
  expect_worded_refusal(llfs(twice, y), "x")
  expect_worded_refusal(llfs(as.data.frame(twice, optional = TRUE), y), "x")
})

test_that("missing and empty feature names are refused", {
  nameless <- x
  colnames(nameless) <- c("a", NA)
  expect_worded_refusal(llfs(nameless, y), "x")
  colnames(nameless) <- c("", "a")
  expect_worded_refusal(llfs(nameless, y), "x")
})

test_that("the problem keeps values and names as they came", {
  problem <- as_problem(x, y)
  expect_s3_class(problem, "hitmiss_problem")
  expect_identical(problem$values, x)
  expect_identical(problem$features, colnames(x))
  expect_identical(problem$samples, rownames(x))
  expect_identical(problem$y, factor(y))
  expect_identical(as_problem(unname(x), y)$features, c("V1", "V2"))
  expect_null(as_problem(unname(x), y)$samples)
  from_frame <- as_problem(as.data.frame(x), y)
  expect_identical(from_frame, problem)
  expect_null(as_problem(data.frame(a = 1:6), y)$samples)
})

test_that("features have invented names also where only samples are named", {
  data <- toy_data()
  colnames(data$x) <- NULL
  seen <- list()
  spy <- function(x, y) {
    seen <<- c(seen, list(dimnames(x)))
    colnames(x)
  }
  error_curve(data$x, data$y, list(spy = spy), 2, resampling = holdout(2))
  expect_length(seen, 2L)
  for (names in seen) {
    expect_true(all(names[[1L]] %in% rownames(data$x)))
    expect_identical(names[[2L]], paste0("V", 1:8))
  }
})
