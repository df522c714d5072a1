# Fits that hold their preparation: raw new samples get what was learned.
# SPDX-License-Identifier: GPL-3.0-or-later

raw_data <- function() {
  withr::local_seed(3)
  data <- simulate_microarray(c(16, 16), 40, relevant = 4, effect = 2)
  x <- 2^data$x
  x[cbind(c(1, 5, 9, 30), c(2, 7, 11, 3))] <- NA
  list(x = x, y = data$y, old = rep(c(TRUE, FALSE), 16))
}

logs <- function(x, y) {
  centre <- mean(log2(as.matrix(x)))
  function(x) log2(as.matrix(x)) - centre
}

test_that("raw new samples are prepared as the training samples were", {
  d <- raw_data()
  steps <- list(prepare_impute("mean"), logs = logs, prepare_filter(n = 20))
  old <- d$x[d$old, ]
  new <- d$x[!d$old, ]
  # The same by hand, one step after the other.
  known <- old
  raw <- new
  for (step in steps) {
    apply <- step(known, d$y[d$old])
    known <- apply(known)
    raw <- apply(raw)
  }
  for (selector in list(relief, logo, llfs)) {
    fit <- withr::with_seed(1, tuned(selector, prepare = steps)(
      old, d$y[d$old], threads = 1
    ))
    slow <- withr::with_seed(1, selector(known, d$y[d$old], threads = 1))
    expect_equal(coef(fit), coef(slow))
    expect_equal(
      predict(fit, new, threads = 1), predict(slow, raw, threads = 1)
    )
    expect_equal(
      as.data.frame(validate(fit, new, d$y[!d$old], positive = "class1")),
      as.data.frame(validate(slow, raw, d$y[!d$old], positive = "class1"))
    )
    # Columns in any order; all that the preparation got are needed.
    expect_equal(
      predict(fit, new[, 40:1], threads = 1), predict(fit, new, threads = 1)
    )
    expect_error(predict(fit, new[, -1]), colnames(new)[[1L]])
    expect_output(print(fit), "prepared by: .*logs")
  }
  again <- tempfile(fileext = ".rds")
  saveRDS(fit, again)
  expect_identical(
    predict(readRDS(again), new, threads = 1), predict(fit, new, threads = 1)
  )
})

test_that("parameters are tuned on prepared samples; curves and frames work", {
  d <- raw_data()
  choose <- tuned(relief, k = c(1, 3), prepare = prepare_impute("mean"),
    resampling = kfold(2)
  )
  fit <- withr::with_seed(1, choose(d$x, d$y, threads = 1))
  filled <- prepare_impute("mean")(d$x, d$y)(d$x)
  plain <- tuned(relief, k = c(1, 3), resampling = kfold(2))
  slow <- withr::with_seed(1, plain(filled, d$y, threads = 1))
  expect_equal(fit$tuned, slow$tuned)
  expect_equal(
    predict(fit, d$x, threads = 1), predict(slow, filled, threads = 1)
  )
  frame <- data.frame(d$x)
  expect_equal(
    unname(predict(choose(frame, d$y, threads = 1), frame)),
    unname(predict(fit, d$x))
  )
  expect_output(print(choose), "prepared by")
  expect_output(print(tuned(relief, prepare = logs)), "with a preparation")
  expect_refusal(tuned(relief), "...")
  expect_refusal(tuned(relief, prepare = 3)(d$x, d$y), "prepare")
  expect_refusal(
    tuned(relief, prepare = prepare_adjust(seq_along(d$y)))(filled, d$y),
    "prepare"
  )
})
