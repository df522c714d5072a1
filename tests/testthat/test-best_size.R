# The one-standard-error rule.
# SPDX-License-Identifier: GPL-3.0-or-later

# Values of four splits at sizes 1, 2, 5, 10, laid out by hand.
sizes <- c(1, 2, 5, 10)
values <- cbind(
  c(.40, .40, .40, .40), c(.22, .30, .18, .26), c(.20, .26, .14, .22),
  c(.24, .24, .24, .24)
)

test_that("the smallest size within one standard error of the minimum", {
  one <- size_by_rule(values, sizes, class_metrics$error, holdout(4), "one_se")
  # Means .4, .24, .205, .24; standard error at 5: sd / 2 = .025.
  expect_equal(one$plain_se, sd(values[, 3]) / 2)
  expect_identical(one$best_size, 5)
  expect_identical(one$size, 5)
  wider <- values
  wider[, 3] <- c(.10, .36, .04, .32)
  one <- size_by_rule(wider, sizes, class_metrics$error, holdout(4), "one_se")
  expect_identical(one$size, 2)
  expect_equal(one$value, 0.24)
  expect_equal(one$plain_se, sd(wider[, 3]) / 2)
  expect_equal(one$best_value, 0.205)
  expect_identical(
    size_by_rule(wider, sizes, class_metrics$error, holdout(4), "min")$size, 5
  )
})

test_that("ties go to the smallest size, also when only rounding differs", {
  # The first is the larger by its last bit.
  tied <- cbind(c(.1 + .2, .1 + .2), c(.3, .3), c(.3, .3))
  expect_gt(mean(tied[, 1L]), mean(tied[, 2L]))
  best <- size_by_rule(tied, 1:3, class_metrics$error, holdout(2), "min")
  expect_identical(best$size, 1L)
})

test_that("F1 and AUC are better when larger", {
  for (metric in c("macro_f1", "micro_f1", "auc")) {
    best <- size_by_rule(
      1 - values, sizes, class_metrics[[metric]], holdout(4), "min"
    )
    expect_identical(best$size, 5, info = metric)
    expect_equal(best$value, 1 - 0.205, info = metric)
  }
})

test_that("in leave-one-out the rule has the binomial standard error", {
  loo <- matrix(c(1, 0, 0, 0, 1, 1, 0, 0), 4)
  best <- size_by_rule(loo, 1:2, class_metrics$error, leave_one_out(), "one_se")
  expect_equal(best$plain_se, sqrt(.25 * .75 / 4))
})

test_that("a curve's rule is the slow rule on its table", {
  data <- withr::with_seed(2, simulate_microarray(c(15, 15), 60, relevant = 4))
  curve <- withr::with_seed(1, error_curve(
    data$x, data$y, list(t = t_selector, v = function(x, y) apply(x, 2L, var)),
    c(1, 2, 4, 8, 16, 32), resampling = kfold(5, 2)
  ))
  best <- best_size(curve)
  expect_s3_class(best, "hitmiss_result")
  expect_named(best, c(
    "selector", "metric", "rule", "size", "value", "lower", "upper",
    "best_size", "best_value", "plain_se"
  ))
  expect_identical(best$selector, c("t", "v"))
  for (name in best$selector) {
    table <- tidy(curve)[tidy(curve)$selector == name, ]
    at <- which(table$mean <= min(table$mean) + 1e-12)[[1L]]
    plain <- table$sd[[at]] / sqrt(10)
    expected <- table$size[table$mean <= table$mean[[at]] + plain + 1e-12][[1L]]
    row <- best[best$selector == name, ]
    expect_equal(row$plain_se, plain)
    expect_identical(row$size, expected)
    expect_equal(row$value, table$mean[table$size == expected])
  }
  expect_output(
    print(best),
    "one plain standard error of the best mean error.*optimistically"
  )
  expect_output(print(best[c("selector", "size")]), "selector size")
  expect_refusal(best_size(list()), "curve")
  expect_refusal(best_size(curve, "max"), "rule")
})

test_that("on pure noise the nested error is unbiased, the smallest is not", {
  skip_on_cran()
  figures <- vapply(1:12, function(seed) {
    data <- noise_data(40L, 500L, seed)
    withr::local_seed(seed)
    curve <- error_curve(data$x, data$y, list(t = t_selector),
      c(1, 2, 5, 10, 20, 50), resampling = holdout(10, 0.5), nested = kfold(5),
      classifier = "knn3", keep = FALSE
    )
    c(nested = curve$chosen_summary$mean, smallest = curve$best$mean)
  }, c(nested = 0, smallest = 0))
  expect_gt(mean(figures["nested", ]), 0.47)
  expect_lt(mean(figures["nested", ]), 0.53)
  expect_lt(mean(figures["smallest", ]), 0.47)
})

test_that("one selector gives one row, also without a value", {
  data <- withr::with_seed(2, simulate_microarray(c(15, 15), 60, relevant = 4))
  curve <- withr::with_seed(1, error_curve(
    data$x, data$y, list(t = t_selector, bad = function(x, y) stop("never")),
    c(1, 4), resampling = leave_one_out(), metric = "auc"
  )) |> suppressWarnings()
  best <- best_size(curve)
  expect_identical(dim(best), c(2L, 10L))
  expect_identical(best$size[[2L]], NA_real_)
  expect_output(print(best), "mean AUC.*bad +NA")
  toy <- small_array()
  curve <- error_curve(toy$x, toy$y, list(t = quick_relief), 2,
    resampling = holdout(times = 2)
  )
  one <- best_size(curve)
  expect_s3_class(one, "hitmiss_size")
  expect_identical(nrow(one), 1L)
  expect_identical(one$best_value, curve$best$mean[[1L]])
})

# No test part of three holds all of six classes of two samples.
test_that("without a best size, that of held-out predictions must be given", {
  data <- withr::with_seed(1, list(
    x = matrix(stats::rnorm(60), 12, dimnames = list(NULL, letters[1:5])),
    y = factor(rep(1:6, 2))
  ))
  curve <- withr::with_seed(2, error_curve(
    data$x, data$y, list(a = function(x, y) colnames(x)), 2:3,
    resampling = kfold(3), metric = "balanced_error", keep = TRUE
  )) |> suppressWarnings()
  expect_identical(best_size(curve)$size, NA_real_)
  expect_refusal(validate(curve), "size")
  expect_identical(sum(validate(curve, size = 2)$confusion), 12)
})
