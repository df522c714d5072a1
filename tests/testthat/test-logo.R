# SPDX-License-Identifier: GPL-3.0-or-later

quiet <- function(...) suppressWarnings(logo(..., threads = 1))

test_that("one step minimises (2.6) exactly", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    x <- reference_scale(p$x)
    init <- c("sqrt", "one")[seed %% 2 + 1]
    fit <- quiet(p$x, p$y, max_iter = 1, lambda = 0.5, init = init)
    start <- rep(if (init == "one") 1 else 1 / sqrt(ncol(x)), ncol(x))
    z <- reference_soft(x, p$y, start, 2)$z
    w <- unname(coef(fit))
    pull <- drop(crossprod(z, plogis(-drop(z %*% w)))) - 0.5
    constant <- fit$preprocess$constant
    expect_lt(max(ifelse(w > 0, abs(pull), pull)[!constant]), 1e-8)
    expect_equal(
      fit$report$objective, sum(log1p(exp(-z %*% w))) + 0.5 * sum(w),
      tolerance = 1e-12
    )
  }
})

test_that("the spiral's two features are found among noise", {
  for (seed in 1:3) {
    set.seed(seed)
    spiral <- simulate_spiral(noise = 500)
    fit <- logo(spiral$x, spiral$y, threads = 1)
    expect_setequal(selected(fit), spiral$relevant)
    expect_equal(fit$report$status, "converged")
    expect_gt(mean(predict(fit, spiral$x) == spiral$y), 0.95)
  }
})

test_that("among many features the answer is T(w) over all of them", {
  sets <- list(
    spiral = withr::with_seed(3,
      simulate_spiral(samples = c(60, 60), noise = 1500)
    ),
    array = withr::with_seed(
      4, simulate_microarray(samples = c(20, 25), genes = 1500)
    )
  )
  inits <- c(spiral = "sqrt", array = "one")
  for (name in names(sets)) {
    p <- sets[[name]]
    fit <- quiet(p$x, p$y, init = inits[[name]])
    w <- unname(coef(fit))
    step <- reference_logo_step(p$x, p$y, w, 2, 0.5)$weights
    expect_identical(fit$report$status, "converged")
    # The fit is T(w) of a w that it is close to; T may move it a little more.
    expect_lt(
      sqrt(sum((step - w)^2)) / max(1, sqrt(sum(w^2))), 0.02, label = name
    )
    expect_lt(fit$report$kkt, 1e-8)
  }
})

test_that("a feature that no candidate was at first is found", {
  # XOR: neither feature has any margin while all samples are equally near.
  set.seed(5)
  x <- matrix(runif(200 * 1500), 200)
  y <- ifelse((x[, 1400] > 0.5) == (x[, 1401] > 0.5), "same", "other")
  x[, 1400:1401] <- round(x[, 1400:1401])
  fit <- quiet(x, y, init = "one", lambda = 2, max_iter = 100)
  step <- reference_logo_step(x, y, unname(coef(fit)), 2, 2)
  pull <- drop(crossprod(step$z, plogis(-drop(step$z %*% step$weights)))) - 2
  expect_lt(max(pull), 1e-6)
  if (fit$report$status == "converged") {
    expect_lt(sqrt(sum((step$weights - coef(fit))^2)) /
      max(1, sqrt(sum(coef(fit)^2))), 0.02)
  }
})

test_that("not converging is one warning and a status", {
  p <- margin_problem(2)
  # Any second warning reaches expect_no_warning().
  expect_no_warning(expect_warning(
    fit <- logo(p$x, p$y, tol = 1e-12, max_iter = 1, lambda = 0.3, threads = 1),
    class = "hitmiss_warning_unconverged"
  ))
  expect_equal(fit$report$status, "max_iter")
})

test_that("what rounding leaves of a weight of 0 is not selected", {
  for (seed in 1:4) {
    x <- withr::with_seed(seed, matrix(rnorm(40 * 30), 40))
    y <- rep(c("a", "b"), 20)
    x[y == "a", 1] <- x[y == "a", 1] + 2
    fit <- logo(cbind(x, x[, 1]), y, scale = "zscore", threads = 1) |>
      suppressWarnings(classes = "hitmiss_warning_unnamed")
    weights <- fit$scores[fit$scores != 0]
    expect_gt(min(weights), 1e-12 * max(weights))
    expect_length(selected(fit), length(weights))
  }
  expect_identical(without_rounding(c(1, 1e-19, -1e-19, 0.1)), c(1, 0, 0, 0.1))
  expect_identical(without_rounding(c(0, 0)), c(0, 0))
})
