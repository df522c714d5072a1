# SPDX-License-Identifier: GPL-3.0-or-later

test_that("counts agree with the definition, ties included", {
  for (seed in some_of(1:60)) {
    problem <- pair_problem(seed)
    fraction <- c(0.1, 0.3, 1)[1 + seed %% 3]
    fit <- suppressWarnings(
      pwfp(problem$x, problem$y, fraction = fraction, threads = 1),
      classes = "hitmiss_warning_single"
    )
    expected <- reference_pwfp(problem$x, problem$y, fraction)
    expect_equal(unname(fit$within), expected$within, tolerance = 1e-12)
    expect_equal(unname(fit$between), expected$between, tolerance = 1e-12)
    expect_equal(fit$pairs, expected$pairs)
    scores <- log((expected$within + 0.5) / (expected$pairs[["within"]] + 1)) +
      log((expected$between + 0.5) / (expected$pairs[["between"]] + 1))
    expect_equal(unname(fit$scores), scores, tolerance = 1e-12)
    p <- expected$within / expected$pairs[["within"]]
    q <- expected$between / expected$pairs[["between"]]
    fit <- suppressWarnings(
      pwfp(problem$x, problem$y,
        fraction = fraction, score = "ratio", threads = 1
      ),
      classes = "hitmiss_warning_single"
    )
    expect_equal(
      unname(fit$scores), ifelse(p + q > 0, -abs(p - q) / (p + q), -1),
      tolerance = 1e-12
    )
    expect_identical(fit$parameters$score, "ratio")
  }
})

test_that("a feature that no pair marks is the last by both scores", {
  x <- cbind(
    never = 0:3, good = c(0, 0.1, 9, 9.1), wild = c(1, 9, 9, 1)
  )
  for (score in c("product", "ratio")) {
    fit <- pwfp(x, c("a", "a", "b", "b"),
      fraction = 1 / 3, score = score, scale = "none", threads = 1
    )
    expect_equal(fit$within[["never"]] + fit$between[["never"]], 0)
    expect_identical(names(which.min(fit$scores)), "never")
  }
  expect_equal(fit$scores[["never"]], -1)
  expect_input_error(pwfp(x, c("a", "a", "b", "b"), score = "sum"))
})

test_that("bands and plain selection agree when there are many features", {
  set.seed(3)
  y <- rep(c("a", "b", "c"), c(8, 7, 5))
  for (kind in c("continuous", "skewed", "whole", "sorted")) {
    x <- matrix(rnorm(20 * 6000), 20)
    x <- switch(kind,
      continuous = x, skewed = exp(3 * x), whole = round(x),
      sorted = x[, order(abs(x[1, ] - x[2, ]))]
    )
    scale <- if (kind == "skewed") "none" else "zscore"
    fit <- pwfp(x, y, fraction = 0.1, scale = scale, threads = 2)
    expected <- reference_pwfp(x, y, 0.1, scaled = scale != "none")
    expect_equal(unname(fit$within), expected$within, tolerance = 1e-12)
    expect_equal(unname(fit$between), expected$between, tolerance = 1e-12)
  }
})

test_that("bits depend neither on threads nor on the instruction set", {
  withr::local_seed(1)
  toy <- simulate_microarray_for_pairs(n = c(20, 20, 7), genes = 3000)
  x <- round(toy$x, 1)
  what <- c("scores", "ranking", "within", "between", "selected")
  first <- pwfp(x, toy$y, threads = 1)
  for (threads in local_thread_counts()) {
    several <- pwfp(x, toy$y, threads = threads)
    expect_identical(several$report$threads, threads)
    expect_identical(several[what], first[what])
  }
  for (path in cpp_simd_levels()) {
    old <- options(hitmiss.simd = path)
    expect_identical(pwfp(x, toy$y, threads = 2)[what], first[what])
    options(old)
  }
})

test_that("a constant feature is never selected, and one class size works", {
  set.seed(1)
  x <- cbind(
    constant = 1, matrix(rnorm(60), 12, dimnames = list(NULL, letters[1:5]))
  )
  fit <- pwfp(x, rep(c("u", "v"), 6), fraction = 1, threads = 1)
  expect_false("constant" %in% fit$selected)
  expect_setequal(fit$selected, letters[1:5])
  expect_input_error(pwfp(x[1:3, ], c("a", "b", "c")))
  expect_input_error(pwfp(x, rep(c("u", "v"), 6), fraction = 0))
})
