# Metrics, by hand and by their slow definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

small <- function(seed = 1L, n = c(14, 13, 9), genes = 40) {
  withr::with_seed(seed, simulate_microarray(n, genes, relevant = 3))
}

curve_of <- function(..., resampling = holdout(10, 0.5), rule = "one_se",
                     seed = 1L) {
  withr::with_seed(
    seed, error_curve(..., resampling = resampling, rule = rule)
  )
}

# No class here has ten neighbours to give.
near <- function(x, y) relief(x, y, k = 3, threads = 1)

test_that("metrics: hand values", {
  m <- matrix(c(4, 1, 0, 1, 2, 0, 0, 1, 3), 3)
  expect_equal(confusion_metric("error", m), 0.25, tolerance = 1e-6)
  expect_equal(
    confusion_metric("balanced_error", m), 0.2333333, tolerance = 1e-6
  )
  expect_equal(confusion_metric("macro_f1", m), 0.742857, tolerance = 1e-6)
  expect_equal(confusion_metric("micro_f1", m), 0.75, tolerance = 1e-6)
  truth <- factor(c(1, 1, 0, 1, 0, 0))
  score <- c(.9, .8, .7, .6, .55, .4)
  expect_equal(auc(truth, cbind(1 - score, score)), 8 / 9, tolerance = 1e-6)
})

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
        metric_value(metric, truth, predicted),
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
  few <- as.integer(truth) <= 3
  slow <- mean(unlist(lapply(1:3, function(i) {
    vapply(setdiff(1:3, i), function(j) {
      rows <- as.integer(truth) %in% c(i, j)
      reference_auc(score[rows, i], as.integer(truth)[rows] == i)
    }, 0)
  })))
  expect_equal(auc(droplevels(truth[few]), score[few, 1:3]), slow)
  expect_gt(found, 0.45)
})

test_that("pooled metrics are formed from a repetition's predictions", {
  data <- small()
  curve <- curve_of(data$x, data$y, list(relief = near), c(2, 5),
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
  loo <- curve_of(data$x, data$y, list(relief = near), 5,
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
