# Metrics of classes, by hand and by their slow definitions.
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
        metric_value(class_metrics[[metric]], data.frame(truth, predicted)),
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
