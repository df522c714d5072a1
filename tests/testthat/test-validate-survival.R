# validate() for survival times.
# SPDX-License-Identifier: GPL-3.0-or-later

Surv <- survival::Surv

cohorts <- withr::with_seed(3, local({
  n <- 140
  x <- matrix(rnorm(n * 6), n, dimnames = list(NULL, letters[1:6]))
  event <- rexp(n, exp(1.5 * x[, 1] - x[, 2]))
  leave <- rexp(n, 0.4)
  list(
    x = x, y = Surv(ceiling(20 * pmin(event, leave)) / 20, event <= leave),
    old = 1:80, new = 81:140
  )
}))
fit_old <- relief(cohorts$x[cohorts$old, ], cohorts$y[cohorts$old], threads = 1)

test_that("measures of a fit on new samples are those of its predictions", {
  x <- cohorts$x[cohorts$new, ]
  y <- cohorts$y[cohorts$new]
  found <- validate(fit_old, x, y, n = 3, horizon = 1)
  at <- stats::setNames(found$estimate, found$measure)
  risk <- predict(fit_old, x, n = 3)
  expect_equal(at[["C (Harrell)"]], unname(survival::concordance(
    y ~ risk, reverse = TRUE
  )$concordance))
  study <- hitmiss:::survival_study(y, 1)
  curve <- predict(fit_old, x, "survival", n = 3, times = study$grid)
  expect_equal(at[["integrated Brier score"]], hitmiss:::integrated_brier(
    curve, study$grid, hitmiss:::times_of(y), study
  ))
  all <- survival::survfit(y ~ 1)
  expect_equal(
    at[["observed / expected"]],
    (1 - summary(all, 1)$surv) / mean(1 - curve[, "1"])
  )
  # The jackknife, sample by sample.
  c_without <- vapply(1:60, function(i) {
    hitmiss:::concordance(risk[-i], hitmiss:::times_of(y[-i]))
  }, 0)
  se <- sqrt(59 / 60 * sum((c_without - mean(c_without))^2))
  expect_equal(
    found$upper[[1]] - found$lower[[1]], 2 * qnorm(0.975) * se,
    tolerance = 1e-9
  )
  fourths <- found$calibration
  expect_identical(sum(fourths$n), 60)
  third <- rank(risk) > 30 & rank(risk) <= 45
  km <- summary(survival::survfit(y[third] ~ 1, conf.type = "plain"), 1,
    extend = TRUE
  )
  expect_equal(fourths$observed[[3]], 1 - km$surv)
  expect_equal(fourths$upper[[3]], min(1, 1 - km$lower))
  expect_equal(fourths$predicted[[3]], mean(1 - curve[third, "1"]))
  expect_equal(found$reference$estimate[[1]], 0.5)
  expect_lt(at[["integrated Brier score"]], found$reference$estimate[[5]])
  expect_output(print(found), "by the jackknife")
  expect_identical(glance(found)$n, 60L)
})

test_that("events that all come after the training times are refused", {
  x <- cohorts$x[cohorts$new, ]
  error <- expect_refusal(
    validate(fit_old, x, Surv(300 + 1:60, rep(1, 60))), "truth"
  )
  expect_match(conditionMessage(error), "nothing of later times")
})

test_that("truth may name a column, lack predictions, or be refused", {
  x <- cohorts$x[cohorts$new, ]
  y <- cohorts$y[cohorts$new]
  frame <- data.frame(x)
  frame$y <- y
  expect_identical(
    validate(fit_old, frame, "y")$estimate, validate(fit_old, x, y)$estimate
  )
  if (requireNamespace("SummarizedExperiment", quietly = TRUE)) {
    samples <- S4Vectors::DataFrame(time = unclass(y)[, 1], row.names = 1:60)
    samples$y <- y
    container <- SummarizedExperiment::SummarizedExperiment(
      list(exprs = t(x)), colData = samples
    )
    for (truth in list("y", y)) {
      expect_identical(
        validate(fit_old, container, truth)$estimate,
        validate(fit_old, x, y)$estimate
      )
    }
  }
  x[1, ] <- NA
  expect_identical(validate(fit_old, x, y)$left_out, 1L)
  expect_identical(validate(fit_old, x, y)$n[[1]], 59L)
  expect_refusal(validate(fit_old, x, rep("a", 60)), "truth")
  expect_refusal(validate(fit_old, x, y[1:5]), "truth")
  expect_refusal(validate(fit_old, x, y, horizon = 1e6), "horizon")
  expect_refusal(validate(fit_old, x, y, positive = "a"), "positive")
  toy <- edge_data()
  expect_refusal(
    validate(relief(toy$x, toy$y, k = 3), toy$x, toy$y, horizon = 1), "horizon"
  )
  skip_if_not_installed("ggplot2")
  picture <- plot(validate(fit_old, x, y))
  expect_s3_class(picture, "ggplot")
  classes <- suppressMessages(knowingly(
    validate(relief(toy$x, toy$y, k = 3), toy$x, toy$y)
  ))
  expect_refusal(plot(classes), "object")
})

test_that("a curve is validated by its held-out predictions", {
  curve <- withr::with_seed(1, error_curve(cohorts$x, cohorts$y, relief, 3,
    resampling = kfold(4, times = 2)
  ))
  found <- validate(curve)
  kept <- curve$predictions
  repetition <- vapply(curve$splits, `[[`, 0L, "repetition")[kept$split]
  by_hand <- vapply(1:2, function(r) {
    rows <- which(repetition == r)
    won <- vapply(split(rows, kept$split[rows]), function(rows) {
      d <- survival::concordance(
        Surv(time, event) ~ predicted, kept[rows, ], reverse = TRUE
      )$count
      c(d[["concordant"]] + d[["tied.x"]] / 2,
        d[["concordant"]] + d[["discordant"]] + d[["tied.x"]])
    }, c(0, 0))
    sum(won[1, ]) / sum(won[2, ])
  }, 0)
  expect_equal(found$estimate[[1]], mean(by_hand))
  expect_identical(found$n[[1]], 140L)
  expect_true(all(found$lower <= found$estimate))
  expect_true(all(found$estimate <= found$upper))
  expect_lt(found$estimate[[5]], found$reference$estimate[[5]])
  only_risks <- withr::with_seed(1, error_curve(cohorts$x, cohorts$y, relief, 3,
    resampling = kfold(4), classifier = function(a, b, c) c[, 1]
  ))
  found <- validate(only_risks)
  expect_true(is.na(found$estimate[[5]]))
  expect_gt(found$estimate[[1]], 0.5)
  skip_if_not_installed("ggplot2")
  expect_refusal(plot(found), "object")
})

test_that("one sample that is predicted is too few", {
  data <- withr::with_seed(1, list(
    x = matrix(rnorm(80), 20, dimnames = list(NULL, paste0("g", 1:4))),
    y = survival::Surv(rexp(20), rep(1:0, 10))
  ))
  fit <- suppressMessages(relief(data$x, data$y))
  new <- data$x[1:3, ]
  new[1:2, ] <- NA
  expect_input_error(
    suppressMessages(suppressWarnings(validate(fit, new, data$y[1:3]))),
    "fewer than two samples"
  )
})
