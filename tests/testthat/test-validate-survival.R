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
  # On the logit scale, with the standard error of package survival.
  se <- sqrt(survival::concordance(y ~ risk, reverse = TRUE)$var)
  c1 <- at[["C (Harrell)"]]
  expect_equal(
    c(found$lower[[1]], found$upper[[1]]),
    plogis(qlogis(c1) + c(-1, 1) * qnorm(0.975) * se / c1 / (1 - c1))
  )
  fourths <- found$calibration
  expect_identical(sum(fourths$n), 60)
  third <- rank(risk) > 30 & rank(risk) <= 45
  km <- summary(survival::survfit(y[third] ~ 1), 1, extend = TRUE)
  expect_equal(fourths$observed[[3]], 1 - km$surv)
  n <- km$surv * (1 - km$surv) / km$std.err^2
  expect_equal(
    c(fourths$lower[[3]], fourths$upper[[3]]),
    wilson_interval(1 - km$surv, n, qnorm(0.975))
  )
  expect_equal(fourths$predicted[[3]], mean(1 - curve[third, "1"]))
  expect_equal(found$reference$estimate[[1]], 0.5)
  expect_lt(at[["integrated Brier score"]], found$reference$estimate[[5]])
  expect_output(print(found), "influence of each of the samples")
  expect_identical(glance(found)$n, 60L)
})

# Measures of samples that count `w` times each, pair by pair and time by time;
# the weights of the censoring are those of equal samples.
slow_measures <- function(w, d, h, grid) {
  n <- length(d$time)
  g <- function(t, at = FALSE) {
    s <- 1
    for (c in sort(unique(d$time[!d$event]))) {
      if (c < t || at && c == t) {
        risk <- sum(d$time > c | d$time == c & !d$event)
        s <- s * (1 - sum(d$time == c & !d$event) / risk)
      }
    }
    s
  }
  before <- vapply(d$time, g, 0)
  share <- function(compared, weight) {
    won <- all <- 0
    for (i in 1:n) for (j in 1:n) if (compared(i, j)) {
      v <- w[i] * w[j] * weight[i]
      all <- all + v
      won <- won + v * ((d$risk[i] > d$risk[j]) + (d$risk[i] == d$risk[j]) / 2)
    }
    won / all
  }
  earlier <- function(i, j) {
    d$part[i] == d$part[j] && d$event[i] && (d$time[i] < d$time[j] ||
      d$time[i] == d$time[j] && !d$event[j])
  }
  of_case <- function(i, j) {
    d$part[i] == d$part[j] && d$event[i] && d$time[i] <= h && d$time[j] > h
  }
  brier <- function(k) {
    gone <- d$time <= grid[k]
    loss <- ifelse(gone, d$event * d$curve[, k]^2 / before,
      (1 - d$curve[, k])^2 / g(grid[k], TRUE))
    if (is.null(d$unit)) {
      return(sum(w * loss) / sum(w))
    }
    # A unit counts once, and so does each of its samples less.
    v <- w / as.vector(table(d$unit)[as.character(d$unit)])
    sum(v * loss) / sum(v)
  }
  scores <- vapply(seq_along(grid), brier, 0)
  left <- 1
  for (t in sort(unique(d$time[d$event & d$time <= h]))) {
    left <- left * (1 - sum(w[d$event & d$time == t]) / sum(w[d$time >= t]))
  }
  last <- length(grid)
  c(
    share(earlier, rep(1, n)), share(earlier, (d$time < h) / before^2),
    share(of_case, 1 / before), scores[[last]],
    sum(diff(c(0, grid)) * c(0, scores[-last])) / h,
    (1 - left) / (sum(w * (1 - d$curve[, last])) / sum(w))
  )
}

test_that("limits are by what each unit adds, by the weight of its samples", {
  for (seed in 1:6) withr::with_seed(seed, {
    n <- 16
    time <- ceiling(5 * rexp(n)) / 5
    event <- replace(runif(n) < 0.6, which.min(time), TRUE)
    unit <- if (seed > 2) c(1, 1, 1, 2, 3:4, 4, 4:8, 8, 8:9, 10)
    h <- sort(time)[[12]]
    study <- survival_study(Surv(time, event), h)
    curve <- t(apply(matrix(runif(n * length(study$grid)), n), 1, sort, TRUE))
    d <- list(
      time = time, event = event, risk = round(rnorm(n) - time), unit = unit,
      curve = curve, part = if (seed %% 2) rep(1, n) else rep(1:2, 8)
    )
    table <- data.frame(
      repetition = 1L, split = d$part, sample = 1:n, time = time,
      event = event, predicted = d$risk
    )
    table$score <- curve
    table$unit <- unit
    found <- survival_measures(table, study, 0.9)
    measures <- function(w) slow_measures(w, d, h, study$grid)
    one <- rep(1, n)
    expect_equal(found$estimate, measures(one))
    terms <- vapply(1:n, function(i) {
      step <- replace(numeric(n), i, 1e-4)
      (measures(one + step) - measures(one - step)) / 2e-4
    }, numeric(6))
    total <- 0
    counted <- unit %||% 1:n
    for (u in unique(counted)) {
      total <- total + rowSums(terms[, counted == u, drop = FALSE])^2
    }
    g <- length(unique(counted))
    half <- if (seed > 2) {
      qt(0.95, g - 1) * sqrt(total * g / (g - 1))
    } else {
      qnorm(0.95) * sqrt(total)
    }
    e <- found$estimate
    logit <- half / e / (1 - e)
    wanted <- cbind(
      c(plogis(qlogis(e[1:3]) - logit[1:3]), pmax(0, e - half)[4:5],
        e[[6]] * exp(-half[[6]] / e[[6]])),
      c(plogis(qlogis(e[1:3]) + logit[1:3]), pmin(1, e + half)[4:5],
        e[[6]] * exp(half[[6]] / e[[6]]))
    )
    # Uno's weights are by part.
    of <- if (seed %% 2) 1:6 else -2
    expect_equal(
      unname(as.matrix(found[of, 3:4])), wanted[of, ], tolerance = 1e-6
    )
    by_survival <- survival::concordance(Surv(time, event) ~ d$risk,
      cluster = counted, reverse = TRUE)
    if (seed %% 2 == 1) {
      expect_equal(total[[1]], by_survival$var, tolerance = 1e-6)
    }
  })
})

test_that("no measure has an interval of width 0", {
  y <- Surv(rep(1:4, each = 4), rep(TRUE, 16))
  study <- survival_study(y, 3)
  for (unit in list(1:16, rep(1:4, 4), rep(1, 16))) {
    for (flat in c(TRUE, FALSE)) {
      table <- data.frame(
        repetition = 1L, split = 1L, sample = 1:16, times_of(y),
        predicted = -rep(1:4, each = 4)
      )
      table$score <- matrix(c(0.6, 0.3, 0.2), 16, 3, byrow = TRUE)
      if (!flat) table$score <- table$score * 0
      table$unit <- unit
      found <- survival_measures(table, study, 0.95)
      expect_equal(found$estimate[[1]], 1)
      expect_true(all(found$lower <= found$estimate))
      expect_true(all(found$estimate <= found$upper))
      expect_true(all(found$upper - found$lower > 0.05))
      fourths <- survival_calibration(table, study, 0.95)
      expect_true(all(fourths$upper - fourths$lower > 0.05))
    }
  }
})

test_that("patients count as one, with curves and with new samples", {
  x <- cohorts$x[cohorts$new, ]
  y <- cohorts$y[cohorts$new]
  patient <- paste("patient", rep(1:15, 4))
  found <- validate(fit_old, x, y, horizon = 1, group = patient)
  alone <- validate(fit_old, x, y, horizon = 1)
  expect_identical(found$estimate[1:3], alone$estimate[1:3])
  se <- survival::concordance(y ~ predict(fit_old, x), reverse = TRUE,
    cluster = patient)$var * 15 / 14
  c1 <- found$estimate[[1]]
  expect_equal(found$upper[[1]], plogis(
    qlogis(c1) + qt(0.975, 14) * sqrt(se) / c1 / (1 - c1)
  ))
  expect_output(print(found), "60 samples of 15 groups that the fit has not")
  expect_output(print(found), "influence of each of the groups")
  expect_equal(
    as.data.frame(validate(fit_old, x, y, horizon = 1, pair = patient)),
    as.data.frame(found)
  )
  curve <- withr::with_seed(1, error_curve(cohorts$x, cohorts$y, relief, 3,
    resampling = kfold(4), group = rep(1:35, 4)
  ))
  expect_output(print(validate(curve)), "influence of each of the groups")
  expect_refusal(validate(fit_old, x, y, group = 1:3), "group")
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
