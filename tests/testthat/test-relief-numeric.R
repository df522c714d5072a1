# relief(method = "rrelieff"): a numeric outcome, against the plain definition.
# SPDX-License-Identifier: GPL-3.0-or-later

numeric_problem <- function(seed) {
  p <- margin_problem(seed)
  p$y <- withr::with_seed(seed, rowSums(p$x[, 1:2]) + rnorm(nrow(p$x)))
  if (seed %% 3 == 0) p$y <- round(p$y)
  if (length(unique(p$y)) == 1L) p$y[[1L]] <- p$y[[1L]] + 1
  p
}

fit_numeric <- function(...) {
  suppressWarnings(relief(..., method = "rrelieff", threads = 1))
}

reference_rrelieff <- function(x, y, k, metric = "manhattan",
                               allowed = near_allowed(length(y)),
                               hubs = "none") {
  x <- reference_scale(x)
  keys <- reference_order(
    reference_distances(x, metric = metric), metric, hubs, allowed
  )
  both <- features <- rep(0, ncol(x))
  outcome <- m <- 0
  for (n in seq_along(y)) {
    among <- which(allowed[n, ] == 1)
    if (length(among) > 0L) m <- m + 1
    share <- reference_shares(keys[n, among], k)
    for (place in seq_along(among)) {
      i <- among[[place]]
      part <- share[[place]] / sum(share)
      tau <- abs(y[n] - y[i]) / (max(y) - min(y))
      d <- abs(x[n, ] - x[i, ])
      outcome <- outcome + part * tau
      features <- features + part * d
      both <- both + part * tau * d
    }
  }
  (if (outcome > 0) both / outcome else 0) -
    (if (m > outcome) (features - both) / (m - outcome) else 0)
}

test_that("RReliefF is the plain definition, also among allowed samples", {
  for (seed in some_of(1:50)) {
    p <- numeric_problem(seed)
    k <- c(1, 3, 50)[seed %% 3 + 1]
    for (metric in c("manhattan", "euclidean")) {
      fit <- fit_numeric(p$x, p$y, k = k, metric = metric)
      expect_lt(
        max(abs(fit$scores - reference_rrelieff(p$x, p$y, k, metric))), 1e-12
      )
    }
    design <- near_design(seed, length(p$y))
    allowed <- near_allowed(length(p$y), design$block, design$group)
    fit <- fit_numeric(p$x, p$y,
      k = k, block = design$block, group = design$group
    )
    expected <- reference_rrelieff(p$x, p$y, k, allowed = allowed)
    expect_lt(max(abs(fit$scores - expected)), 1e-12)
    fit <- fit_numeric(p$x, p$y,
      k = k, block = design$block, group = design$group, hubs = "centre"
    )
    expected <- reference_rrelieff(
      p$x, p$y, k, allowed = allowed, hubs = "centre"
    )
    expect_lt(max(abs(fit$scores - expected)), 1e-12)
  }
})

test_that("the outcome's unit and zero change nothing, nor do threads", {
  p <- withr::with_seed(1, list(x = matrix(rnorm(60 * 8), 60)))
  p$y <- p$x[, 1] - p$x[, 2]
  fit <- relief(p$x, p$y, "rrelieff", threads = 1)
  expect_identical(fit$parameters$k, 10L)
  expect_equal(fit$scores, relief(p$x, 8 * p$y, "rrelieff")$scores)
  expect_equal(fit$scores, relief(p$x, 1000 - p$y, "rrelieff")$scores)
  two <- relief(p$x, p$y, "rrelieff", threads = 2)
  expect_identical(fit$scores, two$scores)
  expect_setequal(top_features(fit, 2)$feature, c("V1", "V2"))
})

test_that("predictions are the nearest's mean outcome in the weighted space", {
  for (metric in c("manhattan", "euclidean")) {
    p <- withr::with_seed(2, list(x = matrix(rnorm(40 * 6), 40)))
    colnames(p$x) <- letters[1:6]
    p$y <- 3 * p$x[, 1] + p$x[, 2]
    train <- 1:30
    fit <- relief(
      p$x[train, ], p$y[train], "rrelieff", metric = metric, threads = 1
    )
    low <- apply(p$x[train, ], 2, min)
    width <- apply(p$x[train, ], 2, max) - low
    scaled <- t((t(p$x) - low) / width)
    d <- reference_distances(scaled, fit$weights, metric)
    expected <- vapply(31:40, function(n) {
      mean(p$y[train][head(order(d[n, train]), 4)])
    }, 0)
    said <- predict(fit, p$x[31:40, ], k = 4)
    expect_equal(said, expected, ignore_attr = TRUE)
    expect_identical(said, predict(fit, p$x[31:40, ], type = "response", k = 4))
    holed <- p$x[31:40, ]
    holed[2, fit$selected[[1L]]] <- NA
    expect_identical(unname(is.na(predict(fit, holed))), 1:10 == 2)
    dropped <- suppressMessages(predict(fit, holed, missing = "drop"))
    expect_length(attr(dropped, "left"), 10L)
    expect_identical(dim(predict(fit, holed, type = "features")), c(10L, 6L))
  }
})

test_that("a fit to a numeric outcome prints, tabulates, plots and is whole", {
  p <- withr::with_seed(3, list(x = matrix(rnorm(40 * 6), 40)))
  p$y <- p$x[, 1]
  fit <- relief(p$x, p$y, "rrelieff", threads = 1)
  said <- capture.output(print(fit), print(summary(fit)))
  expect_match(said, "RReliefF, k = 10", fixed = TRUE, all = FALSE)
  expect_match(said, "numeric outcome", fixed = TRUE, all = FALSE)
  expect_identical(glance(fit)$n_classes, NA_integer_)
  expect_identical(nrow(tidy(fit)), 6L)
  expect_false("direction" %in% names(tidy(fit)))
  frame <- data.frame(p$x, out = p$y)
  again <- relief(out ~ ., frame, method = "rrelieff", threads = 1)
  expect_identical(unname(again$scores), unname(fit$scores))
  pdf(NULL)
  withr::defer(dev.off())
  expect_silent(plot(fit))
  nothing <- suppressWarnings(relief(cbind(a = rep(1, 40)), p$y, "rrelieff"))
  expect_warning(
    expect_equal(unname(predict(nothing, cbind(a = 1:3))), rep(mean(p$y), 3)),
    class = "hitmiss_warning_empty"
  )
})
