# SPDX-License-Identifier: GPL-3.0-or-later

quiet <- function(...) suppressWarnings(relief(..., threads = 1))

test_that("hard neighbours agree with the plain definitions", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    k <- c(1, 3)[seed %% 2 + 1]
    for (metric in c("manhattan", "euclidean")) {
      for (method in c("relief", "map")) {
        expect_equal(
          unname(coef(
            nearest_relief(p$x, p$y, method, k = k, metric = metric)
          )),
          unname(reference_relief(p$x, p$y, method, k, metric = metric)),
          tolerance = 1e-12, info = paste(seed, method, metric)
        )
      }
      # Not the defaults of these methods.
      for (method in c("relieff", "relief", "map")) {
        hubs <- if (method == "relieff") "none" else "centre"
        fit <- nearest_relief(
          p$x, p$y, method, k = k, metric = metric, hubs = hubs
        )
        expect_equal(
          unname(coef(fit)),
          unname(reference_relief(
            p$x, p$y, method, k, metric = metric, hubs = hubs
          )),
          tolerance = 1e-12, info = paste(seed, method, metric, hubs)
        )
      }
      for (weighting in c("conditional", "prior")) {
        fit <- nearest_relief(
          p$x, p$y, k = k, weighting = weighting, metric = metric
        )
        expect_equal(
          unname(coef(fit)),
          unname(reference_relief(
            p$x, p$y, "relieff", k, weighting, metric
          )),
          tolerance = 1e-12, info = paste(seed, weighting, metric)
        )
      }
    }
  }
})

test_that("a few samples without counts do not decide", {
  p <- sparse_problem()
  expect_no_message(fit <- relief(p$x, p$y, threads = 1))
  expect_setequal(selected(fit, n = 5), paste0("g", 1:5))
  expect_identical(fit$parameters$hubs, "centre")
  expect_input_error(relief(p$x, p$y, "surf", hubs = "none"))
  expect_input_error(relief(p$x, p$y, hubs = "all"))
})

test_that("centring: rows in any order, nonzeros alone, threads, references", {
  p <- sparse_problem(700, 600)
  for (metric in c("manhattan", "euclidean")) {
    fit <- relief(p$x, p$y, metric = metric, threads = 1)
    order <- withr::with_seed(2, sample(nrow(p$x)))
    moved <- relief(p$x[order, ], p$y[order], metric = metric, threads = 2)
    expect_lt(max(abs(coef(moved) - coef(fit))), 1e-12)
    nonzero <- relief(
      Matrix::Matrix(p$x, sparse = TRUE), p$y, metric = metric, threads = 2
    )
    expect_lt(max(abs(coef(nonzero) - coef(fit))), 1e-12)
    expect_identical(
      coef(relief(p$x, p$y, metric = metric, threads = 2)), coef(fit)
    )
  }
  # The mean distances are to all samples, whichever are drawn.
  some <- withr::with_seed(3, relief(p$x, p$y, samples = 200, threads = 1))
  expect_gt(cor(coef(some), coef(fit)), 0.8)
  # All distances of data in a file are in memory at once, those of a matrix of
  # 700 samples are not.
  skip_if_not_installed("HDF5Array")
  withr::local_options(hitmiss.realise_memory = 0)
  file <- HDF5Array::writeHDF5Array(
    p$x, withr::local_tempfile(fileext = ".h5"), "x", with.dimnames = TRUE
  )
  expect_identical(
    coef(relief(file, p$y, threads = 2)), coef(relief(p$x, p$y, threads = 1))
  )
})

test_that("P-Relief agrees with the plain definition", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    for (bandwidth in c(0.01, 0.1)) {
      for (self in c(FALSE, TRUE)) {
        fit <- quiet(p$x, p$y, "parzen", bandwidth = bandwidth, self = self)
        expect_equal(
          unname(coef(fit)),
          unname(reference_parzen(p$x, p$y, bandwidth, self)),
          tolerance = 1e-12, info = paste(seed, bandwidth, self)
        )
      }
    }
  }
})

test_that("box moments are exact where many samples make them worth while", {
  set.seed(1)
  y <- factor(sample(3, 1500, TRUE))
  x <- cbind(runif(1500), rnorm(1500), rexp(1500), sample(0:9, 1500, TRUE))
  for (self in c(FALSE, TRUE)) {
    bandwidth <- if (self) 0.1 else 0.01
    fit <- relief(x, y, "parzen",
      bandwidth = bandwidth, self = self, threads = 1
    )
    expect_equal(
      unname(coef(fit)), reference_parzen(x, y, bandwidth, self),
      tolerance = 1e-12
    )
  }
})

test_that("under the smallest bandwidths only equal values are near", {
  set.seed(2)
  for (n in c(30, 1500)) {
    y <- factor(sample(3, n, TRUE))
    x <- cbind(round(rnorm(n), 1), sample(0:9, n, TRUE), rexp(n))
    for (self in if (n > 1000) FALSE else c(FALSE, TRUE)) {
      expected <- reference_parzen(x, y, 1e-100, self)
      for (bandwidth in c(1e-160, 1e-300, 1e-310, 5e-324)) {
        fit <- quiet(x, y, "parzen", bandwidth = bandwidth, self = self)
        expect_equal(unname(coef(fit)), expected, tolerance = 1e-12)
        wide <- quiet(
          x * 1e307, y, "parzen", bandwidth = bandwidth, self = self
        )
        expect_equal(unname(coef(wide)), expected, tolerance = 1e-12)
      }
    }
  }
})

test_that("I-Relief ends where the plain step does not move", {
  ended <- vapply(some_of(1:50), function(seed) {
    p <- margin_problem(seed)
    fit <- quiet(p$x, p$y, "irelief")
    if (fit$report$status == "converged") {
      w <- unname(coef(fit))
      expect_lt(sqrt(sum((reference_irelief(p$x, p$y, w, 2) - w)^2)), 2e-6)
    }
    fit$report$status
  }, "")
  expect_identical(unique(ended), "converged")
})

test_that("weights are the positive part with unit norm", {
  p <- margin_problem(2)
  fit <- quiet(p$x, p$y)
  w <- pmax(coef(fit), 0)
  expect_equal(fit$weights, w / sqrt(sum(w^2)))
  expect_setequal(fit$selected, names(w)[w > 0])
})

test_that("the k nearest: noise in three unequal classes scores about 0", {
  unequal <- factor(rep(1:3, c(50, 30, 20)))
  in_errors <- function(v) mean(v) / (sd(v) / sqrt(length(v)))
  score <- function(x, ...) coef(nearest_relief(x, unequal, ...))
  set.seed(3)
  x <- matrix(rnorm(100 * 1000), 100)
  expect_lt(abs(in_errors(score(x))), 2)
  expect_lt(in_errors(score(x, weighting = "prior")), -50)
  # With all samples as neighbours there is no bias at all, over many sets.
  expect_lt(abs(in_errors(vapply(some_of(1:60), function(seed) {
    mean(score(withr::with_seed(seed, matrix(rnorm(100 * 200), 100)), k = 100))
  }, 0))), 2)
})

test_that("an argument that the method does not use is an error", {
  p <- margin_problem(2)
  expect_input_error(relief(p$x, p$y, k = 3, method = "parzen"))
  expect_input_error(relief(p$x, p$y, bandwidth = 1))
  expect_input_error(relief(p$x, p$y, "map", weighting = "prior"))
})

test_that("I-Relief that was stopped says how to go on", {
  toy <- small_array()
  expect_warning(
    fit <- relief(toy$x, toy$y,
      method = "irelief", threads = 1, max_iter = 1
    ),
    "max_iter.*Raise",
    class = "hitmiss_warning_unconverged"
  )
  expect_identical(fit$report$status, "max_iter")
})

test_that("I-Relief with no feature of positive margin says that it stalled", {
  # The other sample of the class is always the farthest.
  x <- cbind(g1 = c(0, 10, 1, 11), g2 = c(0, 20, 2.1, 22))
  expect_warning(
    fit <- relief(x, c("a", "a", "b", "b"), method = "irelief", threads = 1),
    "stalled.*No feature has a positive margin",
    class = "hitmiss_warning_unconverged"
  )
  expect_identical(fit$report$status, "stalled")
  expect_identical(unname(fit$scores), c(0, 0))
})

test_that("the default of k is 10 whatever the classes, and never warns", {
  toy <- small_array()
  of <- function(rows, ...) {
    relief(toy$x[rows, ], toy$y[rows], ..., threads = 1)$parameters$k
  }
  members <- split(seq_along(toy$y), toy$y)
  expect_silent(expect_identical(of(seq_along(toy$y)), 10L))
  some <- unlist(lapply(members, head, 5))
  expect_silent(expect_identical(of(some), 10L))
  two <- c(members[[1L]], members[[2L]][1:2])
  expect_silent(expect_identical(of(two), 10L))
  expect_silent(expect_identical(of(two, method = "relief"), 1L))
  expect_silent(expect_identical(of(two, method = "map"), 1L))
  # A class of one sample has its own warning.
  expect_warning(
    expect_identical(of(two[-length(two)]), 10L),
    class = "hitmiss_warning_single"
  )
  found <- relief(toy$x[two, ], toy$y[two], threads = 1)
  given <- suppressWarnings(
    relief(toy$x[two, ], toy$y[two], k = 10, threads = 1),
    classes = "hitmiss_warning_k"
  )
  expect_identical(found$scores, given$scores)
  expect_warning(of(some, k = 10), class = "hitmiss_warning_k")
  # Two misses are enough for two neighbours, one hit is not.
  five <- c(head(members[[1L]], 5), members[[2L]][1:2])
  warning <- expect_warning(
    of(five, k = 2, method = "relief"), class = "hitmiss_warning_k"
  )
  expect_identical(warning$classes, levels(toy$y)[[2L]])
})

test_that("the default of bayes_error() never warns", {
  toy <- small_array()
  expect_silent(found <- bayes_error(toy$x, toy$y, 1:2, threads = 1))
  expect_identical(found$k, 5L)
  few <- c(1:2, 13:14)
  expect_silent(bayes_error(toy$x[few, ], toy$y[few], 1, threads = 1))
})
