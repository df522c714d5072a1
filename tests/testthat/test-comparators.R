# SPEC, trace ratio, LSDF, Inf-FS, RFS and Simba against their definitions.
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

test_that("SPEC is what the definition says", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    for (style in c("phi1", "phi2", "phi3")) {
      for (supervised in c(FALSE, TRUE)) {
        expect_close(
          score(p$x, p$y, "spec", style = style, supervised = supervised),
          reference_spec(p$x, p$y, style, supervised),
          info = paste(seed, style, supervised)
        )
      }
    }
  }
})

test_that("the trace ratio is the largest of all subsets", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    x <- p$x[, seq_len(min(8, ncol(p$x)))]
    for (supervised in c(FALSE, TRUE)) {
      n <- seed %% 3 + 1
      args <- list(x, p$y, "trace_ratio", n = n, supervised = supervised)
      if (!supervised) args$k <- 3
      expect_close(
        do.call(score, args),
        reference_trace_ratio(x, p$y, n, supervised, 3),
        info = paste(seed, supervised)
      )
    }
  }
})

test_that("LSDF is what the definition says, with and without labels missing", {
  unlabelled <- 0
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    y <- p$y
    if (seed %% 5 > 0) {
      repeated <- which(duplicated(y))
      y[repeated[seq_len(length(repeated) * seed %% 5 %/% 5)]] <- NA
      y[repeated[seq(1, length(repeated), by = 2)]] <- NA
    }
    unlabelled <- unlabelled + sum(is.na(y))
    expected <- reference_lsdf(p$x, y, 3, 100)
    found <- score(p$x, y, "lsdf", k = 3)
    beyond <- is.infinite(expected)
    expect_true(all(plain(found)[beyond] == .Machine$double.xmax))
    if (!all(beyond)) {
      expect_close(found[!beyond], expected[!beyond], info = seed)
    }
    expect_close(
      score(p$x, p$y, "lsdf", gamma = 2), reference_lsdf(p$x, p$y, 5, 2),
      info = seed
    )
  }
  expect_gt(unlabelled, 100)
})

test_that("only LSDF takes samples without a label", {
  p <- margin_problem(2)
  p$y[[which(duplicated(p$y))[[1L]]]] <- NA
  for (method in setdiff(eval(formals(reference_scores)$method), "lsdf")) {
    expect_refusal(score(p$x, p$y, method), "y")
  }
})

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

test_that("a class of one sample has no hit", {
  p <- margin_problem(3)
  y <- factor(rep(c("a", "b"), c(1, nrow(p$x) - 1)))
  expect_warning(
    withr::with_seed(1, score(p$x, y, "simba")),
    class = "hitmiss_warning_single"
  )
  for (method in setdiff(comparators, "simba")) {
    expect_true(all(is.finite(score(p$x, y, method))), info = method)
  }
})

test_that("constants are last, duplicates alike, and all scores finite", {
  y <- factor(rep(c("a", "b", "c"), c(4, 4, 5)))
  x <- cbind(
    fixed = 0.1, clean = c(0.1, 0.7, 0.3)[y], noise = sin(1:13), zero = 0,
    again = sin(1:13), far = 1e6 + cos(1:13)
  )
  for (method in comparators) {
    found <- withr::with_seed(1, score(x, y, method))
    expect_true(all(is.finite(found)), info = method)
    expect_identical(found[["fixed"]], min(found), info = method)
    expect_identical(found[["zero"]], min(found), info = method)
    expect_equal(found[["noise"]], found[["again"]], info = method)
  }
  constant <- withr::with_seed(1, lapply(comparators, function(method) {
    plain(score(x[, c("fixed", "zero")], y, method))
  }))
  for (scores in constant) expect_identical(scores[[1L]], scores[[2L]])
})

test_that("threads, storage and containers do not matter", {
  array <- withr::with_seed(1, simulate_microarray(genes = 120))
  x <- pmax(round(array$x - 8, 1), 0)
  seeded <- function(x, method, threads = 1) {
    withr::with_seed(1, reference_scores(x, array$y, method, threads = threads))
  }
  others <- list(frame = as.data.frame(x))
  if (requireNamespace("Matrix", quietly = TRUE)) {
    others$sparse <- Matrix::Matrix(x, sparse = TRUE)
  }
  if (requireNamespace("DelayedArray", quietly = TRUE)) {
    withr::local_options(hitmiss.realise_memory = 0)
    others$delayed <- DelayedArray::DelayedArray(x)
  }
  for (method in eval(formals(reference_scores)$method)) {
    one <- seeded(x, method)
    expect_identical(seeded(x, method, threads = 2), one, info = method)
    for (other in names(others)) {
      expect_identical(
        seeded(others[[other]], method), one,
        info = paste(method, other)
      )
    }
  }
})

test_that("what a method does not use is refused", {
  p <- margin_problem(2)
  refused <- function(arg, ...) expect_refusal(score(p$x, p$y, ...), arg)
  refused("gamma", "spec", gamma = 1)
  refused("gamma", "rfs", gamma = 0)
  refused("style", "laplacian", style = "phi1")
  refused("style", "spec", style = "phi4")
  refused("alpha", "rfs", alpha = 1)
  refused("alpha", "inf_fs", alpha = 1.1)
  refused("tol", "simba", tol = 1)
  refused("max_iter", "simba", max_iter = 3)
  refused("passes", "rfs", passes = 3)
  refused("passes", "simba", passes = 0)
  refused("supervised", "lsdf", supervised = TRUE)
  refused("k", "inf_fs", k = 3)
  refused("n", "lsdf", n = 3)
})
