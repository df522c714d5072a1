# Metrics, by hand and by their slow definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

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

test_that("a metric of the user that fails is named", {
  data <- block_data(4, c(8, 8))
  error <- expect_error(
    error_curve(data$x, data$y, \(x, y) colnames(x), 2,
      metric = \(truth, predicted) stop("no such metric")
    ), "no such metric", class = "hitmiss_error_input"
  )
  expect_identical(error$arg, "metric")
})
