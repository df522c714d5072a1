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

test_that("a new sample that was not measured has no prediction", {
  d <- raw_data()
  old <- d$x[d$old, ]
  y <- d$y[d$old]
  new <- d$x[!d$old, ][1:6, ]
  new[1, ] <- NA
  no_prediction <- function(fit, samples, at, ...) {
    suppressWarnings(expect_message(
      predicted <- predict(fit, samples, ..., threads = 1),
      class = "hitmiss_message_missing"
    ))
    expect_identical(unname(which(is.na(as.matrix(predicted)[, 1L]))), at)
    expect_lt(max(attr(predicted, "left")[at]), 0.5)
  }
  least <- function(x, y) function(x) replace(x, is.na(x), 0)
  for (step in list(
    prepare_impute(), prepare_impute("draw"), prepare_impute("min"), least
  )) {
    fit <- tuned(relief, prepare = step)(old, y, threads = 1)
    no_prediction(fit, new, 1L)
    no_prediction(fit, data.frame(new), 1L, type = "prob")
  }
  fit <- tuned(relief, prepare = prepare_impute())(old, y, threads = 1)
  # Half of the weight decides, in the features that predict.
  best <- selected(fit, 3)
  some <- d$x[!d$old, ][1:6, ]
  some[2, best] <- NA
  some[3, setdiff(colnames(some), best)] <- NA
  no_prediction(fit, some, 2L, n = 3)
  no_prediction(fit, some, 2L, n = 3, type = "features")
  # With the least values, a missing value says that there is little.
  fit <- tuned(relief, prepare = prepare_impute("min"))(old, y, threads = 1)
  expect_no_message(expect_false(anyNA(predict(fit, some, n = 3, threads = 1))))
  fit <- tuned(llfs, prepare = prepare_impute())(old, y, threads = 1)
  no_prediction(fit, new, 1L)
  pair <- rep(1:8, each = 2)
  fit <- tuned(relief, prepare = prepare_impute())(
    old, rep(y[c(1, 16)], 8), pair = pair, threads = 1
  )
  suppressMessages(no_prediction(fit, new, 1:2, pair = pair[1:6]),
    classes = "hitmiss_message_no_difference"
  )
})
