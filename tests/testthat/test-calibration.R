# Calibrated probabilities: the definition, and what b and a mean.
# SPDX-License-Identifier: GPL-3.0-or-later

# The probabilities of the definition, sample by sample.
reference_calibrated <- function(prob, prior, b, a) {
  t(vapply(seq_len(nrow(prob)), function(i) {
    p <- prob[i, ]^b * prior^(1 - b) * exp(a)
    p / sum(p)
  }, prior))
}

calibrated_data <- function(seed, n = c(14, 10), effect = 1) {
  withr::with_seed(seed, simulate_microarray(n, 40, relevant = 5,
    effect = effect
  ))
}

quick <- function(x, y, ...) relief(x, y, k = 3, ..., threads = 1)

test_that("b and a minimise what they are defined by", {
  for (seed in some_of(1:12)) {
    n <- if (seed %% 2L == 0L) c(12, 9, 8) else c(14, 10)
    d <- calibrated_data(seed, n, effect = (seed %% 3L) / 2)
    fit <- withr::with_seed(seed, tuned(quick, calibrate = TRUE)(d$x, d$y))
    folds <- fit$calibration$folds
    k <- seed %% 4L + 2L
    parts <- lapply(folds, function(fold) {
      y <- fold$fit$training$y
      list(
        prob = predict(fold$fit, fold$values, "prob", n = 5, k = k,
          threads = 1
        ), prior = tabulate(y) / length(y), y = fold$y
      )
    })
    loss <- function(par) {
      of <- vapply(parts, function(part) {
        p <- reference_calibrated(part$prob, part$prior, par[[1L]], par[-1L])
        -sum(log(p[cbind(seq_along(part$y), part$y)]))
      }, 0)
      sum(of) + 2 * (par[[1L]] - 0.7)^2 + sum(par[-1L]^2) / (2 * 0.5^2)
    }
    found <- vote_calibration(fit$calibration, 5, k)
    start <- c(found$b, found$a)
    # The loss is convex: a minimum nearby is the minimum.
    best <- loss(start)
    for (i in seq_along(start)) {
      for (step in c(-0.01, 0.01)) {
        moved <- start
        moved[[i]] <- moved[[i]] + step
        if (moved[[1L]] < 0 || moved[[1L]] > 3) next
        expect_gt(loss(moved), best)
      }
    }
    prob <- predict(fit, d$x, "prob", n = 5, k = k, threads = 1)
    plain <- fit
    plain$calibration <- NULL
    votes <- predict(plain, d$x, "prob", n = 5, k = k, threads = 1)
    prior <- tabulate(d$y) / length(d$y)
    expect_equal(
      unname(prob),
      unname(reference_calibrated(votes, prior, found$b, found$a))
    )
    expect_identical(dimnames(prob), dimnames(votes))
    expect_identical(
      predict(fit, d$x, n = 5, k = k), predict(plain, d$x, n = 5, k = k)
    )
    balanced <- predict(fit, d$x, "prob", n = 5, k = k, weights = "balanced")
    expect_equal(balanced, prob / rep(prior, each = nrow(prob)) /
      rowSums(prob / rep(prior, each = nrow(prob))))
  }
})

test_that("votes count once as they are, and not at all as the shares", {
  prob <- rbind(c(0.2, 0.8), c(0.5, 0.5))
  prior <- matrix(log(c(0.3, 0.7)), 2, 2, byrow = TRUE)
  logs <- calibrated_logs(log(prob), prior, 1, c(0, 0))
  expect_equal(exp(logs - log_sum(logs)), prob)
  logs <- calibrated_logs(log(prob), prior, 0, c(0, 0))
  expect_equal(exp(logs - log_sum(logs)), exp(prior))
})

test_that("probabilities of samples without a prediction are NA", {
  d <- calibrated_data(1)
  fit <- withr::with_seed(1, tuned(quick, calibrate = TRUE)(d$x, d$y))
  new <- d$x[1:3, ]
  new[2, ] <- NA
  prob <- suppressMessages(suppressWarnings(
    predict(fit, new, "prob", n = 3, missing = "drop")
  ))
  expect_true(all(is.na(prob[2, ])))
  expect_equal(unname(rowSums(prob[-2, ])), c(1, 1))
  expect_length(attr(prob, "left"), 3L)
})
