# Metrics, by hand and by their slow definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("metrics agree with counting one class at a time", {
  for (seed in some_of(1:60)) {
    withr::with_seed(seed, {
      classes <- letters[seq_len(sample(2:5, 1))]
      n <- sample(3:40, 1)
      truth <- factor(sample(classes, n, TRUE), classes)
      predicted <- factor(sample(classes, n, TRUE), classes)
      score <- round(runif(n), 1)
    })
    for (metric in c("error", "balanced_error", "macro_f1", "micro_f1")) {
      expect_equal(
        metric_value(as_metric(metric), data.frame(truth, predicted)),
        reference_metric(metric, truth, predicted)
      )
    }
    two <- factor(ifelse(truth == "a", "a", "b"), c("a", "b"))
    if (length(unique(two)) == 2L) {
      expect_equal(
        auc(two, cbind(-score, score)), reference_auc(score, two == "b")
      )
    }
  }
})

test_that("AUC of three classes is the mean over ordered pairs", {
  withr::local_seed(4)
  truth <- factor(sample(c("a", "b", "c"), 40, TRUE))
  score <- matrix(round(runif(120), 1), 40)
  slow <- c()
  for (i in 1:3) {
    for (j in setdiff(1:3, i)) {
      rows <- as.integer(truth) %in% c(i, j)
      slow <- c(
        slow, reference_auc(score[rows, i], as.integer(truth)[rows] == i)
      )
    }
  }
  expect_equal(auc(truth, score), mean(slow))
})

test_that("AUC of 400 classes takes no longer than their samples do", {
  withr::local_seed(5)
  truth <- factor(rep(1:400, 2))
  score <- matrix(round(runif(800 * 400), 1), 800)
  seconds <- system.time(found <- auc(truth, score))[["user.self"]]
  expect_lt(seconds, 5)
  expect_gt(found, 0.45)
})

test_that("pooled metrics are formed from a repetition's predictions", {
  data <- three_classes()
  curve <- curve_of(data$x, data$y, list(relief = relief_3), c(2, 5),
    resampling = kfold(4, 2), metric = "macro_f1"
  )
  expect_true(all(is.na(curve$results$value)))
  p <- curve$predictions
  fold <- vapply(curve$splits, `[[`, 0L, "repetition")
  for (r in 1:2) {
    mine <- p[p$size == 5 & fold[p$split] == r, ]
    expect_equal(
      unname(curve$values$relief[r, 2L]),
      reference_metric("macro_f1", mine$truth, mine$predicted)
    )
  }
  loo <- curve_of(data$x, data$y, list(relief = relief_3), 5,
    resampling = leave_one_out(), metric = "balanced_error"
  )
  expect_true(all(loo$results$value %in% 0:1))
  expect_equal(
    loo$aggregate$mean,
    reference_metric(
      "balanced_error", loo$predictions$truth, loo$predictions$predicted
    )
  )
})

test_that("a part that lacks a class has no mean over classes", {
  z <- withr::with_seed(1, matrix(rnorm(107 * 6), 107))
  y <- factor(rep(c("rare", "common"), c(7, 100)))
  always <- function(x_train, y_train, x_test) {
    factor(rep("common", nrow(x_test)), levels(y_train))
  }
  for (splits in list(kfold(10), holdout(8, 0.5, stratified = FALSE))) {
    curve <- withr::with_seed(3, suppressWarnings(error_curve(
      z, y, list(f = function(x, y) abs(colMeans(x))), 3,
      classifier = always, resampling = splits, metric = "balanced_error"
    )))
    lacks <- !vapply(curve$splits, \(s) "rare" %in% y[s$test], NA)
    expect_identical(is.na(curve$results$value), lacks)
    expect_identical(curve$summary$mean, 0.5)
    expect_equal(curve$baseline$mean[c(1, 3)], c(0.5, 0.5))
  }
  expect_true(any(lacks) || length(curve$splits) == 8L)
})

test_that("the baseline is the largest class of all samples", {
  x <- withr::with_seed(1, matrix(rnorm(24 * 5), 24))
  for (n in c(12, 9)) {
    curve <- error_curve(
      x, rep(c("a", "b"), c(n, 24 - n)),
      list(f = function(x, y) abs(colMeans(x))), 2,
      resampling = leave_one_out()
    )
    largest <- curve$baseline[curve$baseline$name == "(largest class)", ]
    expect_identical(largest$mean, min(n, 24 - n) / 24)
  }
})

test_that("its scores are the shares of the classes", {
  log_loss <- function(truth, predicted, probabilities) {
    mean(-log(probabilities[cbind(seq_along(truth), as.integer(truth))]))
  }
  brier <- function(truth, predicted, probabilities) {
    mean(rowSums((outer(truth, levels(truth), "==") - probabilities)^2))
  }
  x <- withr::with_seed(1, matrix(rnorm(48 * 5), 48))
  for (count in list(c(24, 24), c(36, 12), c(16, 16, 16), c(24, 12, 12))) {
    y <- factor(rep(letters[seq_along(count)], count))
    share <- count / 48
    for (splits in list(kfold(4, times = 1), leave_one_out())) {
      for (metric in list(log_loss, brier)) {
        curve <- error_curve(x, y, list(f = function(x, y) abs(colMeans(x))), 2,
          resampling = splits, metric = metric
        )
        expected <- if (identical(metric, brier)) {
          1 - sum(share^2)
        } else {
          -sum(share * log(share))
        }
        expect_equal(curve$baseline$mean[[3L]], expected)
      }
    }
  }
})

test_that("a metric of one's own is a function of the predictions", {
  toy <- withr::with_seed(2, simulate_microarray(c(12, 9), 30, relevant = 3))
  error <- function(truth, predicted) mean(truth != predicted)
  area <- function(truth, predicted, probabilities) {
    positive <- truth == levels(truth)[[2L]]
    score <- probabilities[, 2L]
    pairs <- outer(score[positive], score[!positive], "-")
    mean((pairs > 0) + (pairs == 0) / 2)
  }
  run <- function(metric, resampling, ...) {
    withr::with_seed(5, error_curve(toy$x, toy$y,
      list(f = function(x, y) abs(colMeans(x))), c(1, 3, 9),
      resampling = resampling, metric = metric, ...
    ))
  }
  for (resampling in list(holdout(4), kfold(3, times = 2), leave_one_out())) {
    nested <- if (resampling$method != "leave_one_out") kfold(3)
    known <- run("auc", resampling, nested = nested)
    own <- run(
      list(fun = area, name = "area", larger = TRUE), resampling,
      nested = nested
    )
    for (part in c("values", "best", "chosen", "summary", "baseline")) {
      # Of the user's function only standard errors are known.
      same <- if (is.data.frame(own[[part]])) {
        setdiff(names(own[[part]]), c("lower", "upper"))
      } else {
        names(own[[part]])
      }
      expect_equal(own[[part]][same], known[[part]][same], tolerance = 1e-12)
    }
    expect_output(print(own), "area")
    expect_identical(best_size(own)$size, best_size(known)$size)
  }
  own <- run(error, holdout(4))
  expect_equal(own$values, run("error", holdout(4))$values)
  expect_equal(
    tidy(own)[c("lower", "upper")],
    data.frame(
      lower = tidy(own)$mean - 2 * tidy(own)$se,
      upper = tidy(own)$mean + 2 * tidy(own)$se
    ), ignore_attr = TRUE
  )
  expect_true(anyNA(run(error, kfold(3))$summary$lower))
  expect_refusal(run(function(truth) 1, holdout(2)), "metric")
  expect_refusal(run(list(fun = error, big = 1), holdout(2)), "metric")
  expect_refusal(run(function(truth, predicted) 1:2, holdout(2)), "metric")
  labels <- function(x_train, y_train, x_test) rep("class1", nrow(x_test))
  expect_refusal(run(area, holdout(2), classifier = labels), "metric")
})
