# Bayes error estimates: definitions, known truths, edges.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the Parzen rule agrees with its definition", {
  for (seed in some_of(1:50)) {
    p <- bayes_problem(seed)
    h <- c(0.2, 0.5, 1)[seed %% 3 + 1]
    x <- reference_zscore(p$x)
    posterior <- t(vapply(seq_along(p$y), function(n) {
      reference_parzen_posterior(x, p$y, n, h)
    }, numeric(nlevels(p$y))))
    own <- posterior[cbind(seq_along(p$y), as.integer(p$y))]
    sorted <- t(apply(posterior, 1, sort, decreasing = TRUE))
    found <- estimate(p$x, p$y, bandwidth = h)
    if (all(sorted[, 1] - sorted[, 2] > 1e-9)) {
      error <- mean(levels(p$y)[apply(posterior, 1, which.max)] != p$y)
      expect_equal(found$error, error, info = seed)
      # Its warning is of the test, not of the interval.
      end <- suppressWarnings(stats::prop.test(
        round(error * length(p$y)), length(p$y),
        conf.level = 2 * pnorm(2) - 1, correct = FALSE
      ))$conf.int
      expect_equal(found$se, max(abs(end - error)) / 2)
    }
    expect_equal(found$plugin, mean(1 - sorted[, 1]), info = seed)
    expect_equal(found$criterion, mean(2 * own - 1), info = seed)
    expect_identical(found$bandwidth, h)
  }
})

test_that("the bandwidth is the most likely of the grid", {
  for (seed in some_of(1:50)) {
    p <- bayes_problem(seed)
    x <- reference_zscore(p$x)
    x <- x[, apply(x, 2, sd) > 0, drop = FALSE]
    d <- ncol(x)
    grid <- (4 / ((d + 2) * nrow(x)))^(1 / (d + 4)) * 2^seq(-3, 2, 0.5)
    likelihood <- vapply(
      grid, function(h) reference_log_likelihood(x, p$y, h), 0
    )
    found <- estimate(p$x, p$y)$bandwidth
    at <- which.min(abs(grid - found))
    expect_equal(found, grid[[at]])
    expect_equal(likelihood[[at]], max(likelihood), info = seed)
  }
})

test_that("under the smallest bandwidths the nearest sample decides", {
  for (seed in some_of(1:20)) {
    set.seed(seed)
    x <- matrix(rnorm(45), 15)
    y <- factor(rep(c("a", "b", "c"), 5))
    nearest <- estimate(x, y, method = "knn", k = 1)
    for (bandwidth in c(1e-3, 1e-160, 1e-310, 5e-324)) {
      found <- estimate(x, y, bandwidth = bandwidth)
      expect_identical(found$error, nearest$error)
      expect_identical(found$per_class, nearest$per_class)
      expect_identical(found$plugin, 0)
      expect_equal(found$criterion, 1 - 2 * found$error)
    }
  }
})

test_that("two Gaussians: the truth to 0.015 on average of 25 sets", {
  sets <- if (all_problems()) 25L else 8L
  for (case in some_of(list(c(0.2, 2), c(0.05, 1), c(0.05, 2), c(0.2, 1)))) {
    shift <- -2 * qnorm(case[[1L]])
    error <- vapply(seq_len(sets), function(seed) {
      set.seed(seed)
      y <- factor(rep(c("a", "b"), each = 100))
      x <- matrix(rnorm(200 * case[[2L]]), 200)
      x[, 1] <- x[, 1] + shift * (y == "b")
      estimate(x, y)$error
    }, 0)
    expect_lte(abs(mean(error) - case[[1L]]), if (sets == 25L) 0.015 else 0.03)
  }
})

test_that("many features warn, and are not called a Bayes error", {
  set.seed(1)
  y <- factor(rep(c("a", "b"), 30))
  x <- matrix(rnorm(60 * 20), 60)
  expect_silent(bayes_error(x[, 1:5], y, threads = 1))
  warning <- expect_warning(
    bayes_error(x[, 1:6], y, threads = 1),
    class = "hitmiss_warning_dimension"
  )
  expect_identical(warning$dimension, 6L)
  text <- function(d) {
    paste(capture.output(print(estimate(x[, seq_len(d)], y))), collapse = "\n")
  }
  expect_match(text(2), "Bayes error")
  expect_match(text(6), "more than 5")
  expect_no_match(text(11), "Bayes")
  expect_lte(length(capture.output(print(estimate(x, y)))), 15L)
})

test_that("one sample per class, constants, the choice of features", {
  y <- factor(c("a", "a", "a", "b", "b", "c"))
  x <- cbind(u = c(0, 0.1, 0.2, 5, 5.1, 9), fixed = 3, v = c(1, 5, 2, 4, 3, 9))
  found <- estimate(x, y, "u", k = 1)
  expect_identical(found$per_class$error, c(0, 0, 1))
  expect_identical(found$error, 1 / 6)
  expect_identical(found$features, "u")
  expect_identical(found$selected_here, NA)
  both <- estimate(x, y, c("u", "fixed"), k = 1)
  expect_identical(both$error, found$error)
  expect_identical(both$bandwidth, found$bandwidth)
  expect_identical(both$n_constant, 1L)
  expect_identical(estimate(x, y, 1L, k = 1)$error, found$error)
  expect_identical(
    as.data.frame(found)$method, c("parzen", "knn")
  )
  knn <- estimate(x, y, "u", method = "knn", k = 1)
  expect_identical(as.data.frame(knn), as.data.frame(found))
  refused <- function(arg, ...) expect_refusal(estimate(x, y, ...), arg)
  refused("features", "fixed")
  refused("features", "w")
  refused("features", 0)
  refused("features", c("u", "u"))
  refused("features", character())
  refused("bandwidth", "u", bandwidth = "wide")
  refused("bandwidth", "u", bandwidth = 0)
  refused("k", "u", k = 6)
  refused("method", "u", method = "tree")
})

test_that("a class of one sample is named once; only such have no estimate", {
  y <- factor(c("a", "a", "a", "b", "b", "c"))
  x <- cbind(u = c(0, 0.1, 0.2, 5, 5.1, 9))
  warned <- capture_warnings(found <- bayes_error(x, y, k = 1, threads = 1))
  expect_length(warned, 1L)
  expect_match(
    warned, "class \"c\" has a single sample, which counts as an error"
  )
  error <- expect_input_error(
    bayes_error(x[1:3, , drop = FALSE], factor(c("a", "b", "c"))),
    "single sample in every class"
  )
  expect_identical(error$arg, "y")
})

test_that("Cover and Hart's formula is not called a bound", {
  # Two classes: (1 - sqrt(1 - 2 e)) / 2, 0 at 0 and 1/2 beyond 1/2.
  p <- withr::with_seed(3, list(
    x = matrix(rnorm(400), 200), y = factor(rep(c("a", "b"), 100))
  ))
  p$x[, 1] <- p$x[, 1] + 2 * (p$y == "b")
  found <- estimate(p$x, p$y)
  expect_equal(found$cover_hart, (1 - sqrt(1 - 2 * found$nn_error)) / 2)
  expect_lt(found$cover_hart, found$error)
  expect_null(found$lower)
  expect_output(print(found), "by Cover +and Hart's formula")
})
