# Measures of risks and survival curves, against packages and definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("survival")
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
    found <- hitmiss:::concordance(d$risk, d$time, d$event)
    harrell <- survival::concordance(d$y ~ d$risk, reverse = TRUE)
    expect_equal(found, unname(harrell$concordance), tolerance = 1e-12)
    study <- hitmiss:::survival_study(d$y)
    uno <- survival::concordance(d$y ~ d$risk,
      reverse = TRUE, timewt = "n/G2", ymax = study$horizon
    )
    all <- study
    all$horizon <- max(d$time) + 1
    expect_equal(
      hitmiss:::uno_concordance(d$risk, d$time, d$event, all),
      unname(survival::concordance(d$y ~ d$risk,
        reverse = TRUE, timewt = "n/G2"
      )$concordance), tolerance = 1e-12
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
    found <- hitmiss:::brier_scores(curve, study$grid, d$time, d$event, study)
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
      hitmiss:::integrated_brier(curve, study$grid, d$time, d$event, study),
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
      hitmiss:::area_at(d$risk, d$time, d$event, study),
      sum(weight * won) / (sum(weight) * length(controls)), tolerance = 1e-12
    )
  }
})

test_that("Brier scores are pec's and riskRegression's", {
  skip_if_not_installed("pec")
  # pec() looks for this function where the formula was made.
  Hist <- get("Hist", parent.env(asNamespace("pec"))) # nolint
  for (seed in some_of(1:50)) {
    d <- censored_times(seed)
    study <- hitmiss:::survival_study(d$y)
    curve <- exp(-outer(exp(d$risk), study$grid / 8))
    data <- data.frame(time = d$time, event = d$event)
    found <- suppressMessages(pec::pec(
      list(model = cbind(1, curve)), Surv(time, event) ~ 1,
      data = data, times = c(0, study$grid), exact = FALSE,
      cens.model = "marginal", start = 0, verbose = FALSE
    ))
    expect_equal(
      hitmiss:::brier_scores(curve, study$grid, d$time, d$event, study),
      found$AppErr$model[-1], tolerance = 1e-10
    )
    expect_equal(
      hitmiss:::integrated_brier(curve, study$grid, d$time, d$event, study),
      unname(pec::crps(found, times = study$horizon)["model", 1]),
      tolerance = 1e-6
    )
  }
})

test_that("a study has a horizon and times of events before it", {
  y <- Surv(c(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), rep(c(1, 0), 5))
  study <- hitmiss:::survival_study(y)
  expect_identical(study$horizon, 8)
  expect_identical(study$grid, c(1, 3, 5, 7, 8))
  expect_identical(hitmiss:::survival_study(y, 4.5)$grid, c(1, 3, 4.5))
  expect_refusal(hitmiss:::survival_study(y, 11), "horizon")
  expect_refusal(hitmiss:::survival_study(y, 1), "horizon")
  expect_refusal(hitmiss:::survival_study(y, -1), "horizon")
  many <- Surv(1:500, rep(1, 500))
  expect_length(hitmiss:::survival_study(many)$grid, 50L)
  # Without a comparable pair there is no C.
  expect_identical(hitmiss:::concordance(1:2, 1:2, c(FALSE, TRUE)), NA_real_)
  expect_identical(hitmiss:::concordance(1:2, c(1, 1), c(TRUE, TRUE)), NA_real_)
  expect_identical(
    hitmiss:::concordance(c(2, 1, 1), c(1, 2, 3), c(TRUE, FALSE, FALSE),
      part = c(1, 1, 2)
    ), 1
  )
})

test_that("AUC at a time is the definition, by hand", {
  time <- c(1, 2, 2, 3, 4, 5)
  event <- c(TRUE, FALSE, TRUE, TRUE, FALSE, TRUE)
  risk <- c(5, 1, 2, 4, 3, 2)
  study <- survival_study(new_survival(time, event), 3)
  # Those with an event by 3, also at 3, against the fifth and the sixth: they
  # are above 2, 1/2 and 2 of them. Of the four at risk of being censored at 2
  # one is, so that the event at 3 weighs 4/3. Package timeROC leaves out events
  # at the time itself, and gives (2 + 1/2) / 4.
  expect_equal(
    area_at(risk, time, event, study), (2 + 0.5 + 4 / 3 * 2) / (10 / 3 * 2)
  )
  # Uno's C counts the events before 3: that at 1 has the largest risk of five
  # others; that at 2 is above 1 1/2 of four, one of them censored at 2.
  expect_equal(uno_concordance(risk, time, event, study), (5 + 1.5) / 9)
  study$horizon <- 2.5
  expect_equal(area_at(risk, time, event, study), (3 + 0.5) / (2 * 3))
})
