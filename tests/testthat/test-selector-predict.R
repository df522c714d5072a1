# predict() of the global selectors against helper-reference-vote.R.
# SPDX-License-Identifier: GPL-3.0-or-later

quietly <- function(expr) {
  suppressMessages(muffle(expr, c(small_data, "hitmiss_warning_scale")))
}

voters <- list(
  logo = function(x, y) logo(x, y, lambda = 0.1, threads = 1),
  kbfs = function(x, y) kbfs(x, y, scale = "range", threads = 1),
  pwfp = function(x, y) {
    pwfp(x, y, fraction = 0.5, scale = "range", threads = 1)
  },
  relief = function(x, y) relief(x, y, k = 3, threads = 1),
  euclidean = function(x, y) {
    relief(x, y, k = 3, metric = "euclidean", threads = 1)
  }
)

reference_weights <- function(fit) {
  w <- fit$weights %||% if (inherits(fit, "hitmiss_pwfp")) {
    1 * (names(fit$scores) %in% fit$selected)
  } else {
    fit$scores
  }
  # What only ranks predicts by its best 50.
  if (!inherits(fit, c("hitmiss_logo", "hitmiss_kbfs"))) {
    best <- fit$ranking[w[fit$ranking] > 0]
    w[setdiff(seq_along(w), head(best, 50))] <- 0
  }
  w
}

test_that("every selector votes by the k nearest in its weighted space", {
  predicted <- 0
  for (seed in some_of(1:24)) {
    p <- margin_problem(seed)
    x <- reference_scale(p$x)
    for (verb in names(voters)) {
      fit <- quietly(voters[[verb]](p$x, p$y))
      w <- reference_weights(fit)
      if (sum(w) == 0) next
      new <- p$x[c(1:4, 1:2), , drop = FALSE]
      new[5:6, ] <- new[5:6, ] + 0.25
      holed <- withr::with_seed(seed, {
        replace(new, runif(length(new)) < 0.3, NA)
      })
      low <- apply(p$x, 2, min)
      width <- apply(p$x, 2, max) - low
      for (data in list(new, holed)) {
        scaled <- (data - rep(low, each = nrow(data))) /
          rep(ifelse(width > 0, width, 1), each = nrow(data))
        expected <- lapply(seq_len(nrow(data)), function(i) {
          reference_vote(
            x, p$y, scaled[i, ], w, 4, fit$parameters$metric %||% ""
          )
        })
        missing <- if (anyNA(data)) "drop" else "error"
        ask <- function(type) {
          quietly(predict(fit, data,
            type = type, k = 4, missing = missing, threads = 1
          ))
        }
        class <- ask("class")
        info <- paste(verb, seed, missing)
        expect_equal(
          as.character(class), vapply(expected, `[[`, "", "class"),
          info = info
        )
        expect_equal(
          ask("prob"),
          t(vapply(expected, `[[`, numeric(nlevels(p$y)), "share")),
          ignore_attr = TRUE, info = info
        )
        if (missing == "drop") {
          left <- vapply(expected, `[[`, 0, "left")
          expect_equal(
            attr(class, "left"), left, ignore_attr = TRUE, info = info
          )
          predicted <- predicted + sum(!is.na(class))
        }
      }
    }
  }
  expect_gt(predicted, 45)
})

test_that("near neighbours do not tie because others are far away", {
  x <- cbind(g = c(0, 0.1, 0.2, 10, 10.1, 10.2, 1e6, 1e6 + 1, 1e6 + 2))
  y <- factor(rep(c("a", "b", "c"), each = 3))
  fit <- relief(x, y, k = 2, metric = "euclidean", threads = 1)
  new <- cbind(g = c(0.15, 10.15, 1e6 + 1.5))
  expect_identical(as.character(predict(fit, new, k = 3)), c("a", "b", "c"))
  # All three votes for one class, and a third of a vote for each.
  expect_equal(
    unname(predict(fit, new, type = "prob", k = 3)), (3 * diag(3) + 1 / 3) / 4
  )
})

test_that("balanced votes count as if classes were equally frequent", {
  x <- cbind(g = c(0, 1, 2, 3, 4, 5, 4.5, 100, 101, 102))
  y <- factor(rep(c("many", "few"), c(6, 4)), c("many", "few"))
  fit <- relief(x, y, k = 1, threads = 1)
  new <- cbind(g = c(4.6, 0, 101))
  ask <- function(...) predict(fit, new, k = 5, threads = 1, ...)
  prob <- ask(type = "prob")
  votes <- round(prob * 6 - rep(c(0.6, 0.4), each = 3))
  expect_equal(unname(rowSums(votes)), rep(5, 3))
  odds <- (votes + rep(c(0.6, 0.4), each = 3)) / rep(c(0.6, 0.4), each = 3)
  expect_equal(
    ask(type = "prob", weights = "balanced"), odds / rowSums(odds)
  )
  expect_identical(
    unname(as.character(ask(weights = "balanced"))),
    levels(y)[max.col(odds, "first")]
  )
  # A rare class is recognised more often.
  data <- withr::with_seed(5, simulate_microarray(c(60, 12), 100, effect = 0.8))
  train <- seq_along(data$y) %% 2 == 0
  fit <- relief(data$x[train, ], data$y[train], threads = 1)
  rare <- !train & data$y == names(which.min(table(data$y)))
  right <- function(...) {
    mean(predict(fit, data$x[rare, ], threads = 1, ...) == data$y[rare])
  }
  expect_gt(right(weights = "balanced"), right())
  expect_refusal(predict(fit, data$x, weights = "equal"), "weights")
})

test_that("what only ranks predicts by its best 50, others by all selected", {
  data <- withr::with_seed(2, simulate_microarray(c(20, 20), 600))
  for (verb in c("relief", "euclidean", "pwfp")) {
    fit <- voters[[verb]](data$x, data$y)
    expect_gt(length(fit$selected), 60)
    by_default <- predict(fit, data$x, type = "prob", threads = 1)
    ask <- function(n) predict(fit, data$x, type = "prob", n = n, threads = 1)
    expect_identical(by_default, ask(50))
    expect_false(identical(by_default, ask(length(fit$selected))))
    expect_identical(ncol(predict(fit, data$x, type = "features")), 50L)
  }
  fit <- relief(data$x, data$y, "irelief", threads = 1)
  expect_identical(
    colnames(predict(fit, data$x, type = "features")), fit$selected
  )
  fit <- kbfs(data$x, data$y, n = 80, threads = 1)
  expect_gt(length(fit$selected), 60)
  expect_identical(
    predict(fit, data$x, type = "prob"),
    predict(fit, data$x, type = "prob", n = length(fit$selected))
  )
})

test_that("missing = \"drop\" says what is left, and refuses too little", {
  data <- small_array()
  fit <- logo(data$x, data$y, lambda = 0.1, threads = 1)
  w <- fit$scores[fit$selected]
  least <- names(w)[[length(w)]]
  expect_gt(length(w), 2L)
  without <- data$x[, colnames(data$x) != least]
  expect_error(predict(fit, without), "missing = \"drop\"", fixed = TRUE)
  said <- capture_condition(predict(fit, without, missing = "drop"))
  expect_s3_class(said, "hitmiss_message_missing")
  expect_wording(said)
  class <- suppressMessages(predict(fit, without, missing = "drop"))
  expect_equal(unname(attr(class, "left")), rep(1 - w[[least]] / sum(w), 24))
  expect_refusal(
    predict(fit, data$x[, least, drop = FALSE], missing = "drop"), "newdata",
    features = setdiff(fit$selected, least)
  )
  holed <- data$x
  holed[2, fit$selected] <- NA
  holed[3, least] <- Inf
  said <- capture_condition(predict(fit, holed, missing = "drop"))
  expect_wording(said)
  class <- suppressMessages(predict(fit, holed, missing = "drop"))
  expect_identical(unname(which(is.na(class))), 2L)
  features <- suppressMessages(
    predict(fit, holed, type = "features", missing = "drop")
  )
  expect_identical(unname(which(is.na(features[, least]))), 2:3)
  expect_identical(unname(which(is.na(features[, 1]))), 2L)
  expect_refusal(predict(fit, without, missing = "skip"), "missing")
  none <- predict(fit, without[0, ], missing = "drop")
  expect_length(none, 0L)
  expect_length(attr(none, "left"), 0L)
})

test_that("every container drops what it lacks", {
  data <- small_array()
  fit <- logo(data$x, data$y, lambda = 0.1, threads = 1)
  least <- fit$selected[[length(fit$selected)]]
  x <- data$x[, rev(setdiff(colnames(data$x), least))]
  ask <- function(x) {
    class <- suppressMessages(predict(fit, x, missing = "drop", threads = 1))
    list(as.vector(class), unname(attr(class, "left")))
  }
  expected <- ask(x)
  expect_identical(ask(as.data.frame(x)), expected)
  expect_identical(ask(Matrix::Matrix(x, sparse = TRUE)), expected)
  skip_if_not_installed("Biobase")
  expect_identical(ask(Biobase::ExpressionSet(t(x))), expected)
  skip_if_not_installed("SummarizedExperiment")
  expect_identical(
    ask(SummarizedExperiment::SummarizedExperiment(t(x))), expected
  )
  skip_if_not_installed("DelayedArray")
  expect_identical(ask(DelayedArray::DelayedArray(x)), expected)
})

test_that("of equally likely classes the nearest sample's is predicted", {
  x <- cbind(u = c(0, 1, 10, 11), v = c(0, 1, 1, 0))
  fit <- relief(x, c("a", "a", "b", "b"), k = 1, threads = 1)
  for (weights in c("prior", "balanced")) {
    predicted <- predict(fit, cbind(u = c(5.4, 5.6), v = 0),
      k = 2, weights = weights, threads = 1
    )
    expect_identical(as.character(predicted), c("a", "b"))
  }
})

test_that("what is not in the list of n does not vote", {
  outside <- function(fit, x, n, by) {
    list <- selected(fit, n, by = by)
    other <- x
    others <- setdiff(colnames(x), list)
    other[, others] <- x[rev(seq_len(nrow(x))), others]
    expect_true(all(colnames(hitmiss:::vote_space(fit, n)$values) %in% list))
    prob <- function(x) predict(fit, x, type = "prob", n = n, threads = 1)
    expect_identical(prob(other), prob(x))
  }
  for (seed in 1:8) {
    x <- withr::with_seed(seed, matrix(rnorm(24 * 60), 24))
    colnames(x) <- sprintf("g%d", 1:60)
    y <- rep_len(letters[1:3], 24)
    fit <- turf(x, y == "a", \(x, y) relief(x, y, threads = 1), 0.5, 30)
    outside(fit, x, 25, "score")
    outside(relief(x[, 1:8], y, threads = 1), x[, 1:8], 5, "class")
  }
})
