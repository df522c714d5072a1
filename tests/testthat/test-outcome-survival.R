# Survival times as an outcome.
# SPDX-License-Identifier: GPL-3.0-or-later

Surv <- survival::Surv

test_that("what is no right-censored time, or no place for one, is refused", {
  p <- margin_problem(8)
  n <- nrow(p$x)
  withr::local_seed(1)
  time <- rexp(n)
  event <- rep_len(c(TRUE, FALSE, TRUE), n)
  y <- Surv(time, event)
  for (bad in list(
    Surv(time, event, type = "left"), Surv(time, time + 1, event),
    Surv(time, factor(rep_len(c("alive", "a", "b"), n))),
    Surv(time, time + 1, type = "interval2"), Surv(replace(time, 2, NA), event),
    Surv(replace(time, 2, Inf), event), Surv(replace(time, 2, -1), event),
    Surv(time, rep(FALSE, n)), y[-1]
  )) {
    expect_refusal(relief(p$x, bad), "y")
  }
  # With a class of ours: the core's own error has none.
  expect_refusal(relief(p$x[1, , drop = FALSE], y[1]), "y")
  expect_error(relief(p$x, Surv(time, time + 1, event)), "left truncation")
  expect_error(relief(p$x, Surv(log(time), event)), "no logarithms")
  expect_refusal(relief(p$x, y, k = 1), "k")
  expect_refusal(relief(p$x, time, "srelieff"), "y")
  expect_refusal(relief(p$x, y, "relieff"), "method")
  expect_refusal(reference_scores(p$x, y), "method")
  expect_refusal(relief(p$x, y, pair = rep_len(1:4, n)), "pair")
  expect_refusal(relief(p$x, y, block = seq_len(n)), "block")
  for (verb in list(logo, kbfs, pwfp, llfs, bayes_error, markers)) {
    expect_error(
      verb(p$x, y), "takes classes; survival times are ranked by `relief()`",
      fixed = TRUE
    )
  }
  expect_error(
    prepare_adjust(time)(p$x, y), "`prepare_adjust()` takes classes",
    fixed = TRUE
  )
  fit <- relief(p$x, y, threads = 1) |> suppressWarnings()
  expect_error(write_report(fit, file = tempfile()), "takes classes")
  expect_refusal(predict(fit, p$x, type = "class"), "type")
  expect_refusal(predict(fit, p$x, weights = "balanced"), "weights")
  expect_refusal(predict(fit, p$x, times = 1), "times")
  expect_refusal(predict(fit, p$x, type = "survival", times = c(1, 1)), "times")
  expect_refusal(selected(fit, 2, class = "event"), "class")
  expect_refusal(validate(fit, p$x[1, , drop = FALSE], y[1]), "truth")
  expect_error(validate(fit, p$x, y, positive = "a"), "here are 0\\.$")
  expect_refusal(selected(fit, 2, by = "class"), "by")
  fit$training$y <- cbind(time = time, event = event)
  expect_refusal(predict(fit, p$x), "object")
  expect_warning(
    relief(p$x, Surv(time, seq_len(n) < 4), threads = 1),
    class = "hitmiss_warning_events"
  )
  expect_silent(relief(p$x, Surv(rep(0:9, length.out = n), rep(TRUE, n)),
    k = 2, threads = 1
  )) |> suppressWarnings()
})
