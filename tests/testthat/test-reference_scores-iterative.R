# Scores by iteration, against their definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

score <- function(...) reference_scores(..., threads = 1)

plain <- function(scores) as.numeric(scores)

comparators <- c("spec", "trace_ratio", "lsdf", "inf_fs", "rfs", "simba")

# Relative to the largest score.
expect_close <- function(found, expected, ...) {
  expect_equal(
    plain(found) / max(abs(expected)), as.vector(expected) / max(abs(expected)),
    tolerance = 1e-8, ...
  )
}

# The scores, and the order in which the samples were taken.
simba_run <- function(p, passes) {
  problem <- hitmiss:::as_problem(p$x, p$y)
  withr::with_seed(1, hitmiss:::run_core("Simba", 1, FALSE, function(runtime) {
    hitmiss:::cpp_simba(
      p$x + 0, p$y, hitmiss:::prepare_scaling(problem, "range", runtime),
      list(passes = passes, simd = "auto"), runtime
    )
  }, random = TRUE))
}

test_that("Inf-FS is what the definition says", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    alpha <- c(0, 0.3, 0.5, 1)[seed %% 4 + 1]
    expect_close(
      score(p$x, p$y, "inf_fs", alpha = alpha), reference_inf_fs(p$x, alpha),
      info = seed
    )
  }
  # Beyond one block of features, and beyond ranks that floats hold.
  x <- withr::with_seed(3, matrix(rnorm(400 * 150), 400))
  x[, 7] <- x[, 3]
  y <- rep(c("a", "b"), 200)
  expect_close(score(x, y, "inf_fs"), reference_inf_fs(x, 0.5))
  expect_close(
    score(x[1:30, ], y[1:30], "inf_fs"), reference_inf_fs(x[1:30, ], 0.5)
  )
})

test_that("RFS is what the definition says", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    gamma <- c(1, 0.2, 5)[seed %% 3 + 1]
    expected <- reference_rfs(p$x, p$y, gamma, 1e-3, 50)
    found <- score(p$x, p$y, "rfs", gamma = gamma)
    expect_close(found, expected$scores, info = seed)
  }
})

test_that("RFS says that it did not converge, and descends", {
  p <- margin_problem(5)
  found <- expect_warning(
    score(p$x, p$y, "rfs", tol = 1e-300, max_iter = 40),
    class = "hitmiss_warning_unconverged"
  )$report
  expect_identical(found$status, "max_iter")
  expect_identical(found$iterations, 40L)
  expect_lt(max(diff(found$objective)), 1e-9 * found$objective[[1L]])
})

test_that("Simba is what the definition says", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    passes <- seed %% 2 + 1
    run <- simba_run(p, passes)
    expect_identical(sort(run$visited), rep(seq_along(p$y), each = passes))
    expect_close(
      run$scores, reference_simba(p$x, p$y, run$visited), info = seed
    )
    found <- suppressWarnings(
      withr::with_seed(1, score(p$x, p$y, "simba", passes = passes))
    )
    expect_identical(plain(found), run$scores)
  }
  expect_false(identical(simba_run(p, 2)$visited, rep(seq_along(p$y), 2)))
})

test_that("Simba draws from R's random numbers, the others do not", {
  p <- margin_problem(9)
  one <- withr::with_seed(5, score(p$x, p$y, "simba"))
  expect_identical(withr::with_seed(5, score(p$x, p$y, "simba")), one)
  expect_false(identical(withr::with_seed(6, score(p$x, p$y, "simba")), one))
  for (method in comparators) {
    set.seed(1)
    before <- .Random.seed
    score(p$x, p$y, method)
    expect_identical(identical(.Random.seed, before), method != "simba")
  }
})

test_that("RFS refuses a gamma that rounding takes away", {
  toy <- toy_data()
  expect_input_error(
    reference_scores(toy$x, toy$y, "rfs", gamma = 1e-300), "nearer to 1"
  )
})
