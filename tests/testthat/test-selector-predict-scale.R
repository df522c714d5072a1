# predict() on new data of another scale.
# SPDX-License-Identifier: GPL-3.0-or-later

array <- withr::with_seed(1, simulate_microarray(c(20, 20), 60, effect = 3))
train <- seq_along(array$y) %% 2 == 0
logged <- array$x - min(array$x) + 4
rownames(logged) <- paste0("s", seq_len(nrow(logged)))
wide <- c(small_data, "hitmiss_warning_dimension")

test_that("raw values for a fit of logarithms are warned of, by every one", {
  for (name in names(selectors)) {
    fit <- muffle(
      fit_seeded(selectors[[name]], logged[train, ], array$y[train]), wide
    )
    expect_silent(predict(fit, logged[!train, ], threads = 1))
    expect_silent(predict(
      fit, logged[!train, ][1, , drop = FALSE], threads = 1
    ))
    raw <- 2^logged[!train, ]
    for (type in c("class", "prob")) {
      # One warning: any second one reaches expect_no_warning().
      expect_no_warning(warning <- expect_warning(
        predict(fit, raw, type = type, threads = 1),
        class = "hitmiss_warning_scale"
      ))
    }
    expect_gt(warning$far, 0.2 * warning$compared)
    expect_lte(warning$compared, 20L)
    if (name == "llfs") {
      expect_identical(warning$samples, rownames(raw))
      expect_match(
        conditionMessage(warning),
        "20 of 20 samples lie in no sphere: s1, s3, s5"
      )
    }
  }
  expect_wording(warning)
})

test_that("a training sample is near those of other units alone", {
  training <- cbind(c(0, 0.1, 1, 1.1, 4, 4.1))
  new <- cbind(c(-0.5, -2, 7.5))
  # Alone, each has a neighbour at 0.1; without its own unit at 0.9 to 3.
  by_sample <- is_far(new, training, 1)
  by_unit <- is_far(new, training, 1, new_design(6L, list(
    group = c(1, 1, 2, 2, 3, 3)
  )))
  expect_identical(by_sample, rep(TRUE, 3L))
  expect_identical(by_unit, c(FALSE, FALSE, TRUE))
})

test_that("a sample is far if no training sample is so far from the others", {
  training <- cbind(a = c(0, 1, 3), b = c(5, 5, 5))
  far <- function(a, b, weights = c(1, 1)) {
    is_far(cbind(a, b), training, weights)
  }
  # Up to 2 from the nearest, and 3.125 from the mean of both.
  expect_identical(far(c(5, 5.1), c(5, 5)), c(FALSE, TRUE))
  expect_identical(far(1, c(5.95, 6.05), c(1, 2)), c(FALSE, TRUE))
  expect_false(is_far(cbind(1, 1), cbind(0, 0), c(1, 1)))
  made <- 0
  for (seed in 1:20) {
    p <- margin_problem(seed)
    p$x <- p$x[, seq_len(min(100, ncol(p$x))), drop = FALSE]
    weights <- seq_len(ncol(p$x)) / ncol(p$x)
    new <- p$x[rep(1:4, 4), ] + rep(c(-1, -0.3, 0.3, 2), each = 4)
    expected <- reference_far(new, p$x, weights)
    made <- made + sum(expected)
    # Rounding breaks the ties of rounded values.
    if (seed %% 3 > 0) expect_identical(is_far(new, p$x, weights), expected)
  }
  expect_gt(made, 20)
  training <- training[rep(1:3, 7), ]
  training[, "a"] <- c(0, 1, 3, seq(3.5, by = 0.25, length.out = 18)) / 8
  alike <- rbind(a = c(0, 5), b = c(0, 5), c = c(1, 5), d = c(1, 5))
  expect_false(any(is_far(cbind(9, 5), alike, c(1, 1))))
  five <- function(...) cbind(a = c(...), b = 5)
  w <- c(1, 1)
  expect_silent(warn_other_scale(five(9, 9, 9, 9), training, w))
  expect_silent(warn_other_scale(five(9, 9, 1, 1, 1), training, w))
  expect_silent(warn_other_scale(five(9, 9, NA, 1, 1), training, w))
  expect_warning(
    warn_other_scale(five(9, 9, 9, 1, 1), training, w), "3 of 5",
    class = "hitmiss_warning_scale"
  )
})

test_that("a constant that was added, and another base, are warned of", {
  for (name in intersect(names(selectors), c("relieff", "logo", "llfs"))) {
    fit <- muffle(
      fit_seeded(selectors[[name]], logged[train, ], array$y[train]), wide
    )
    for (new in list(logged + 3, logged - 3, logged * log(2))) {
      expect_warning(
        predict(fit, new[!train, ], threads = 1),
        class = "hitmiss_warning_scale"
      )
    }
  }
})

test_that("what all features share is seen in samples of any data", {
  withr::local_seed(4)
  # Genes of arrays, centred: a sample of zeros is near the middle of all.
  x <- matrix(rnorm(60 * 40), 60) + rep(rnorm(40), each = 60)
  x[1:20, 1:10] <- x[1:20, 1:10] + 2
  new <- x[41:60, ]
  found <- function(new) mean(is_far(new, x[1:40, ], rep(1, 40)))
  expect_lt(found(new), 0.2)
  for (other in list(new + 1.5, new - 1.5, 3 * new, 0 * new + 2, 4^new)) {
    expect_gt(found(other), 0.8)
  }
})

test_that("pairs without a change lie between the classes, but are not far", {
  withr::local_seed(4)
  pairs <- function(n, change) {
    before <- matrix(rnorm(n * 60), n)
    after <- before + matrix(rnorm(n * 60, sd = 0.5), n)
    after[, 1:10] <- after[, 1:10] + change
    x <- rbind(before, after)
    colnames(x) <- paste0("g", 1:60)
    list(x = x, pair = rep(seq_len(n), 2), y = rep(c("a", "b"), each = n))
  }
  old <- pairs(20, 2)
  fit <- relief(old$x, old$y, pair = old$pair, threads = 1)
  same <- pairs(10, 0)
  ask <- function(x) {
    suppressWarnings(
      predict(fit, x, pair = same$pair, n = 10, threads = 1),
      classes = "hitmiss_warning_pairs"
    )
  }
  expect_no_warning(ask(same$x))
  expect_warning(ask(20 * same$x), class = "hitmiss_warning_scale")
})

test_that("a name with braces is no template", {
  fit <- fit_seeded(selectors$llfs, logged[train, ], array$y[train])
  odd <- 2^logged[!train, ]
  rownames(odd)[[1]] <- "{stop()}"
  expect_warning(
    predict(fit, odd, threads = 1), "no sphere: {stop()}, s3",
    fixed = TRUE, class = "hitmiss_warning_scale"
  )
})
