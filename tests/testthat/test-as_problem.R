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
  expect_worded_refusal(llfs(), "x")
  expect_worded_refusal(llfs(y = y), "x")
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

test_that("raw counts are noticed, in whatever features; what is none is not", {
  noticed <- function(x) {
    said <- FALSE
    withCallingHandlers(relief(x, rep(c("a", "b"), 10), k = 3, threads = 1),
      hitmiss_message_counts = function(m) {
        said <<- TRUE
        invokeRestart("muffleMessage")
      }
    )
    said
  }
  depth <- rep(c(10, 30), each = 10)
  counts <- withr::with_seed(1, matrix(rpois(20 * 100, depth), 20))
  counts[3, 7] <- 1000
  expect_true(noticed(counts))
  expect_true(noticed(Matrix::Matrix(counts, sparse = TRUE)))
  expect_false(noticed(replace(counts, cbind(3, 7), 999)))
  # One feature beyond those that are looked at first.
  expect_false(noticed(replace(counts, cbind(5, 50), 0.5)))
  # A column of another kind among counts; many of them are not counts.
  expect_true(noticed(replace(counts, cbind(5, 50), -1)))
  expect_true(noticed(cbind(counts, seq(-1.5, 1.5, length.out = 20))))
  expect_false(noticed(replace(counts, cbind(5, 1:50), -1)))
  expect_false(noticed(log2(counts + 1)))
  expect_false(noticed(counts[, 1:49]))
  # Samples of about one depth.
  expect_false(noticed(counts + ifelse(depth == 10, 20, 0)))

  # Ratios, skewed within most features; images and high logarithms are not.
  ratios <- withr::with_seed(1, matrix(exp(rnorm(20 * 100)), 20))
  ratios <- ratios * 20.1 / max(ratios)
  expect_true(noticed(ratios))
  expect_false(noticed(ratios * 0.99))
  expect_false(noticed(replace(ratios, cbind(5, 51), 0)))
  expect_false(noticed(ceiling(ratios)))
  expect_false(noticed(log2(ratios) + 20))
  expect_false(noticed(ratios + 1.5))
})

test_that("counts of cells and raw arrays are noticed, images are not", {
  said <- function(x) {
    if (is.null(colnames(x))) colnames(x) <- paste0("g", seq_len(ncol(x)))
    text <- ""
    withCallingHandlers(as_problem(x, rep_len(c("a", "b"), nrow(x))),
      hitmiss_message_counts = function(m) {
        text <<- conditionMessage(m)
        invokeRestart("muffleMessage")
      }
    )
    text
  }
  withr::local_seed(1)
  mean <- outer(rep(c(0.5, 2), 50), rexp(200)^2 / 2)
  cells <- matrix(rpois(length(mean), mean), 100)
  cells[1, 1] <- 25
  expect_match(said(cells), "looks like raw counts")
  expect_match(said(Matrix::Matrix(cells, sparse = TRUE)), "raw counts")
  expect_identical(said(log2(cells + 1)), "")
  expect_identical(said(pmin(cells, 19)), "")
  expect_identical(said((cells > 0) * 200), "")
  # Columns of 0 and 1, and two measured ones.
  answers <- matrix(rbinom(100 * 80, 1, 0.1), 100)
  expect_identical(said(cbind(answers, sample(90, 100, TRUE), 1:100)), "")

  arrays <- matrix(exp(rnorm(100 * 200, 3, 2)) - 30, 100)
  expect_match(said(arrays), "no logarithms.*pmax\\(x, 10\\)")
  expect_identical(said(scale(arrays)), "")
  expect_identical(said(arrays * 900 / max(arrays)), "")
  # A few measurements of another scale.
  expect_identical(said(cbind(scale(arrays)[, -(1:9)], arrays[, 1:9])), "")
  expect_identical(said(matrix(rnorm(100 * 200, 0, 900), 100)), "")
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
