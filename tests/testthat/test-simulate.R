# Simulators put the relevant features where they say.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the localized toy has its groups in their places", {
  toy <- withr::with_seed(1, simulate_localized(c(400, 300, 500), noise = 3))
  expect_identical(dim(toy$x), c(1200L, 5L))
  expect_identical(as.vector(table(toy$group)), c(400L, 300L, 500L))
  expect_identical(toy$y == "two", toy$group == "C")
  means <- rowsum(toy$x, toy$group) / as.vector(table(toy$group))
  truth <- rbind(A = c(-6, 0, 0, 0, 0), B = c(0, -6, 0, 0, 0), C = 0)
  # Five standard errors of a mean of 300.
  expect_lt(max(abs(means - truth)), 5 / sqrt(300))
  expect_lt(max(abs(apply(toy$x[toy$group == "C", ], 2, sd) - 1)), 0.16)
  expect_identical(colnames(simulate_localized(noise = 0)$x), c("x1", "x2"))
})

test_that("the microarray's relevant genes are raised in one class", {
  array <- withr::with_seed(2, simulate_microarray(
    c(200, 200, 200),
    genes = 120, relevant = 4, effect = 3, block = 10
  ))
  expect_identical(dim(array$x), c(600L, 120L))
  expect_length(array$relevant, 12L)
  means <- rowsum(array$x, array$y) / 200
  spread <- apply(means, 2, max) - apply(means, 2, min)
  expect_setequal(names(which(spread > 1.5)), array$relevant)
  correlations <- cor(array$x[array$y == "class1", ])
  same <- outer(0:119 %/% 10, 0:119 %/% 10, "==") & upper.tri(correlations)
  other <- !outer(0:119 %/% 10, 0:119 %/% 10, "==") & upper.tri(correlations)
  expect_lt(abs(mean(correlations[same]) - 0.3), 0.05)
  expect_lt(abs(mean(correlations[other])), 0.05)
})

test_that("the seed governs, and bad arguments are refused", {
  expect_identical(
    withr::with_seed(3, simulate_microarray(genes = 50, relevant = 2)),
    withr::with_seed(3, simulate_microarray(genes = 50, relevant = 2))
  )
  expect_refusal(simulate_localized(samples = 5), "samples")
  expect_refusal(simulate_localized(samples = 1:3, kind = "syn1"), "samples")
  expect_refusal(simulate_localized(kind = "syn4"), "kind")
  expect_refusal(simulate_localized(samples = c(1, 2, NA)), "samples")
  expect_refusal(simulate_localized(noise = -1), "noise")
  expect_refusal(simulate_localized(shift = "far"), "shift")
  expect_refusal(simulate_microarray(samples = 5), "samples")
  expect_refusal(simulate_microarray(genes = 10, relevant = 9), "relevant")
  expect_refusal(simulate_microarray(correlation = 1.5), "correlation")
})

test_that("the spirals' points lie on their arms", {
  spiral <- withr::with_seed(4, simulate_spiral(
    c(3000, 2000),
    noise = 2, turns = 1.5, sd = 0
  ))
  expect_identical(dim(spiral$x), c(5000L, 4L))
  expect_identical(as.vector(table(spiral$y)), c(3000L, 2000L))
  expect_identical(spiral$relevant, c("x1", "x2"))
  x <- spiral$x[, 1:2] * ifelse(spiral$y == "one", 1, -1)
  # Radius sqrt(t), angle t.
  t <- rowSums(x^2)
  expect_equal(unname(x), unname(cbind(cos(t), sin(t)) * sqrt(t)))
  expect_lte(max(t), 3 * pi)
  # t^2 is uniform: Kolmogorov's distance below its 0.1 % limit.
  share <- sort(t^2) / (3 * pi)^2
  expect_lt(max(abs(share - (seq_along(t) - 0.5) / 5000)), 1.95 / sqrt(5000))
  # The noise is standard normal and knows nothing of the class.
  noise <- spiral$x[, 3:4]
  expect_lt(max(abs(colMeans(noise))), 5 / sqrt(5000))
  expect_lt(max(abs(apply(noise, 2, sd) - 1)), 5 / sqrt(10000))
  expect_lt(abs(cor(noise)[1, 2]), 5 / sqrt(5000))
})

test_that("the spiral is the same for any number of noise features", {
  some <- withr::with_seed(5, simulate_spiral(noise = 3))
  more <- withr::with_seed(5, simulate_spiral(noise = 30))
  expect_identical(some$x[, 1:2], more$x[, 1:2])
  expect_identical(colnames(simulate_spiral(noise = 0)$x), c("x1", "x2"))
  # sd moves points by that much.
  still <- withr::with_seed(
    5, simulate_spiral(c(2000, 2000), noise = 0, sd = 0)
  )
  moved <- withr::with_seed(
    5, simulate_spiral(c(2000, 2000), noise = 0, sd = 0.3)
  )
  expect_lt(abs(sd(moved$x - still$x) - 0.3), 0.02)
  expect_refusal(simulate_spiral(samples = 5), "samples")
  expect_refusal(simulate_spiral(turns = 0), "turns")
  expect_refusal(simulate_spiral(sd = -1), "sd")
})

test_that("classes, blocks and genes of any number", {
  array <- withr::with_seed(6, simulate_microarray(
    samples = c(5, 1), genes = 7, relevant = 3, block = 10, correlation = 1,
    effect = 50
  ))
  expect_identical(as.vector(table(array$y)), c(5L, 1L))
  # One block with correlation 1: genes that are not raised are equal.
  rest <- setdiff(colnames(array$x), array$relevant)
  expect_length(rest, 1L)
  spread <- array$x - array$x[, rest]
  raised <- spread > 25
  expect_identical(as.vector(rowSums(raised)), rep(3, 6))
  expect_setequal(colnames(raised)[colSums(raised) > 0], array$relevant)
  none <- simulate_microarray(genes = 20, relevant = 0)
  expect_identical(none$relevant, character())
})

test_that("the switched kinds follow their formulas, with the truth", {
  formulas <- list(
    syn1 = function(x) {
      if (x[[11]] < 0) x[[1]] * x[[2]] - x[[3]] else sum(x[3:6]^2) - 4
    },
    syn2 = function(x) if (x[[11]] < 0) sum(x[3:7]^2) - 4 else wave(x),
    syn3 = function(x) {
      if (x[[11]] < 0) x[[1]] * x[[2]] + abs(x[[9]]) else wave(x)
    }
  )
  wave <- function(x) {
    -10 * sin(0.2 * x[[7]]) + abs(x[[8]]) + x[[9]]^2 + exp(-x[[10]]) - 2.4
  }
  for (kind in names(formulas)) {
    toy <- withr::with_seed(1, simulate_localized(noise = 5, kind = kind))
    expect_identical(dim(toy$x), c(200L, 16L))
    expect_identical(as.vector(table(toy$group)), c(50L, 150L))
    expect_true(all((toy$x[, 11] < 0) == (toy$group == "below")))
    exponent <- apply(toy$x, 1, formulas[[kind]])
    expect_identical(toy$y == "one", unname(exponent < 0))
    # A sample's class depends on the features of its truth only.
    other <- ifelse(toy$truth, toy$x, rnorm(length(toy$x)))
    expect_equal(apply(other, 1, formulas[[kind]]), exponent)
    expect_false(any(toy$truth[, 12:16]))
  }
  toy <- simulate_localized(c(1, 1, 1), noise = 0)
  expect_identical(unname(toy$truth), cbind(c(TRUE, FALSE, TRUE), c(
    FALSE, TRUE, TRUE
  )))
})
