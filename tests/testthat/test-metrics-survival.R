# Measures of risks and survival curves, against packages and definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

Surv <- survival::Surv

# Times with many ties, and risks that tie too.
censored_times <- function(seed, n = 60) {
  withr::with_seed(seed, {
    risk <- round(rnorm(n), seed %% 2 + 1)
    time <- ceiling(8 * rexp(n) * exp(-risk))
    leave <- ceiling(10 * rexp(n))
    list(
      risk = risk, time = pmin(time, leave), event = time <= leave,
      y = Surv(pmin(time, leave), time <= leave)
    )
  })
}

test_that("C is that of package survival, also Uno's up to the horizon", {
  for (seed in some_of(1:50)) {
    d <- censored_times(seed)
    found <- hitmiss:::concordance(d$risk, d)
    harrell <- survival::concordance(d$y ~ d$risk, reverse = TRUE)
    expect_equal(found, unname(harrell$concordance), tolerance = 1e-12)
    study <- hitmiss:::survival_study(d$y)
    # Times are whole numbers: events before the horizon, not at it.
    uno <- survival::concordance(d$y ~ d$risk,
      reverse = TRUE, timewt = "n/G2", ymax = study$horizon - 0.5
    )
    expect_equal(
      hitmiss:::uno_concordance(d$risk, d, study),
      unname(uno$concordance), tolerance = 1e-12
    )
  }
})

# By loops over pairs and times.
reference_censoring <- function(time, event, t, before) {
  at <- sort(unique(time[!event & if (before) time < t else time <= t]))
  prod(1 - vapply(at, function(s) {
    sum(!event & time == s) /
      sum(time > s | time == s & !event)
  }, 0))
}

test_that("Brier scores and their integral are the definition", {
  for (seed in some_of(1:50)) {
    d <- censored_times(seed, 30)
    study <- hitmiss:::survival_study(d$y)
    curve <- withr::with_seed(seed, t(apply(
      matrix(runif(30 * length(study$grid)), 30), 1, sort, decreasing = TRUE
    )))
    curve <- matrix(curve, 30)
    found <- hitmiss:::brier_scores(curve, study$grid, d, study)
    expected <- vapply(seq_along(study$grid), function(k) {
      t <- study$grid[[k]]
      mean(vapply(1:30, function(i) {
        if (d$time[i] > t) {
          (1 - curve[i, k])^2 / reference_censoring(d$time, d$event, t, FALSE)
        } else if (d$event[i]) {
          curve[i, k]^2 /
            reference_censoring(d$time, d$event, d$time[i], TRUE)
        } else {
          0
        }
      }, 0))
    }, 0)
    expect_equal(found, expected, tolerance = 1e-12)
    steps <- stepfun(study$grid, c(0, expected))
    area <- sum(diff(c(0, study$grid)) * steps(c(0, head(study$grid, -1))))
    expect_equal(
      hitmiss:::integrated_brier(curve, study$grid, d, study),
      area / study$horizon, tolerance = 1e-12
    )
    cases <- which(d$event & d$time <= study$horizon)
    controls <- which(d$time > study$horizon)
    weight <- vapply(cases, function(i) {
      1 / reference_censoring(d$time, d$event, d$time[i], TRUE)
    }, 0)
    won <- outer(d$risk[cases], d$risk[controls], ">") +
      outer(d$risk[cases], d$risk[controls], "==") / 2
    expect_equal(
      hitmiss:::area_at(d$risk, d, study),
      sum(weight * won) / (sum(weight) * length(controls)), tolerance = 1e-12
    )
  }
})

test_that("a study has a horizon and times of events before it", {
  y <- Surv(c(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), rep(c(1, 0), 5))
  study <- hitmiss:::survival_study(y)
  expect_identical(study$horizon, 8)
  expect_identical(study$grid, c(1, 3, 5, 7, 8))
  expect_identical(hitmiss:::survival_study(y, 4.5)$grid, c(1, 3, 4.5))
  expect_identical(hitmiss:::survival_study(y, 10 + 1e-11)$horizon, 10)
  expect_refusal(hitmiss:::survival_study(y, 11), "horizon")
  expect_refusal(hitmiss:::survival_study(y, 1), "horizon")
  expect_refusal(hitmiss:::survival_study(y, -1), "horizon")
  error <- expect_refusal(
    hitmiss:::survival_study(Surv(c(1, 2, 2), c(0, 1, 1))), "horizon"
  )
  expect_no_match(conditionMessage(error), "later time")
  many <- Surv(1:500, rep(1, 500))
  expect_length(hitmiss:::survival_study(many)$grid, 50L)
  # Without a comparable pair there is no C.
  found <- function(risk, time, event, ...) {
    hitmiss:::concordance(risk, list(time = time, event = event), ...)
  }
  expect_identical(found(1:2, 1:2, c(FALSE, TRUE)), NA_real_)
  expect_identical(found(1:2, c(1, 1), c(TRUE, TRUE)), NA_real_)
  expect_identical(found(c(2, 1, 1), 1:3, 1:3 == 1, c(1, 1, 2)), 1)
})
