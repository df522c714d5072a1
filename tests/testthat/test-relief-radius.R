# Neighbours by radius, and samples that look for neighbours: relief() against
# the plain definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

quietly_radius <- function(...) suppressWarnings(relief(..., threads = 1))
radius_methods <- c("surf", "surfstar", "multisurf", "multisurfstar")

test_that("the rules by radius are the plain definitions", {
  largest <- 0
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    for (method in radius_methods) {
      for (metric in c("manhattan", "euclidean")) {
        weighting <- c("conditional", "prior")[seed %% 2 + 1]
        fit <- quietly_radius(p$x, p$y, method,
          metric = metric, weighting = weighting
        )
        expected <- reference_radius(
          p$x, p$y, method, weighting, metric
        )$margins
        expect_lt(max(abs(fit$scores - colMeans(expected))), 1e-12)
        largest <- max(largest, abs(fit$scores))
      }
    }
  }
  expect_gt(largest, 0.1)
})

test_that("the rules by radius keep to allowed pairs", {
  compared <- 0
  for (seed in some_of(1:75)) {
    p <- margin_problem(seed)
    design <- near_design(seed, length(p$y), p$y)
    allowed <- near_allowed(length(p$y), design$block, design$group)
    if (!any(allowed[outer(p$y, p$y, "!=")] == 1)) next
    for (method in radius_methods) {
      fit <- quietly_radius(p$x, p$y, method,
        block = design$block, group = design$group
      )
      expected <- reference_radius(p$x, p$y, method, allowed = allowed)$margins
      expect_lt(max(abs(fit$scores - colMeans(expected))), 1e-12)
      compared <- compared + 1
    }
  }
  expect_gt(compared, 28)
})

test_that("two clusters: who is near, who is far, and who has one side only", {
  # Distances within a pair are 1, between pairs 9 to 11.
  x <- cbind(g = c(0, 1, 10, 11), h = 0)
  fit <- suppressWarnings(relief(x, c("a", "b", "a", "b"), "surf",
    scale = "none", threads = 1
  ))
  # The near pair of each sample is a miss without any hit: one-sided, 0.
  expect_identical(unname(fit$scores), c(0, 0))
  far <- suppressWarnings(relief(x, c("a", "b", "a", "b"), "surfstar",
    scale = "none", threads = 1
  ))
  # Far: hits at 10, 10, 10, 10; misses at 11, 9, 9, 11, signs turned round.
  expect_equal(unname(far$scores), c(10 - 10, 0))
})

test_that("threads and storage change nothing in the rules by radius", {
  p <- withr::with_seed(1, simulate_microarray(c(20, 30), 50))
  for (method in radius_methods) {
    one <- relief(p$x, p$y, method, threads = 1)
    two <- relief(p$x, p$y, method, threads = 2)
    expect_identical(one$scores, two$scores)
    frame <- relief(as.data.frame(p$x), p$y, method, threads = 1)
    expect_identical(one$scores, frame$scores)
  }
})

# Which of all stratified draws gives the score and the standard error of a fit.
matching_draws <- function(fit, all, y, each) {
  members <- lapply(levels(y), function(c) which(y == c))
  draws <- lapply(seq_along(members), function(c) {
    combn(members[[c]], each[[c]], simplify = FALSE)
  })
  grid <- expand.grid(lapply(draws, seq_along))
  Filter(function(samples) {
    drawn <- list(
      samples = samples, margins = all$margins[samples, , drop = FALSE]
    )
    found <- reference_sampled(drawn, y, seq_along(y))
    max(abs(found$score - fit$scores)) < 1e-12 &&
      max(abs(found$se - fit$score_se)) < 1e-12
  }, lapply(seq_len(nrow(grid)), function(row) {
    unlist(Map(function(of, at) of[[at]], draws, unlist(grid[row, ])))
  }))
}

test_that("reference samples: a stratified draw, its score, standard error", {
  y <- factor(rep(c("a", "b"), c(8, 4)))
  found <- NULL
  for (seed in 1:6) {
    x <- withr::with_seed(seed, matrix(rnorm(12 * 5), 12))
    for (method in c("relieff", "multisurf")) {
      seeded <- function(threads) {
        withr::with_seed(
          seed, relief(x, y, method, samples = 6, threads = threads)
        )
      }
      fit <- seeded(1)
      expect_identical(fit$scores, seeded(2)$scores)
      expect_identical(fit$score_se, seeded(2)$score_se)
      all <- if (method == "multisurf") {
        reference_radius(x, y, method)
      } else {
        reference_balanced(reference_scale(x), y)
      }
      draw <- matching_draws(fit, all, y, c(4, 2))
      # Where samples count 0 alike, several draws say the same.
      expect_gte(length(draw), 1L)
      if (method == "relieff") {
        expect_length(draw, 1L)
        found <- c(found, draw[[1L]])
      }
    }
  }
  # No sample is preferred: all are drawn.
  expect_setequal(found, 1:12)
  # The margins of three classes against the rest are of the same draw.
  y <- factor(rep(c("a", "b", "c"), c(6, 4, 3)))
  x <- withr::with_seed(7, matrix(rnorm(13 * 5), 13))
  fit <- withr::with_seed(1, relief(x, y, samples = 7, threads = 1))
  all <- reference_balanced(reference_scale(x), y)
  draw <- matching_draws(fit, all, y, c(3, 2, 2))
  expect_length(draw, 1L)
  expect_lt(max(abs(fit$class_margins - reference_balanced(
    reference_scale(x), y, drawn = draw[[1L]]
  )$class_margins)), 1e-12)
})

test_that("as many samples as there are give the score of all, without error", {
  p <- toy_data(n = 30L)
  for (method in c("relieff", "multisurf")) {
    whole <- relief(p$x, p$y, method, threads = 1)
    fit <- relief(p$x, p$y, method, samples = 30, threads = 1)
    expect_equal(fit$scores, whole$scores, tolerance = 1e-14)
    expect_identical(unname(fit$score_se), rep(0, ncol(p$x)))
    expect_null(whole$score_se)
  }
})

test_that("samples that cannot hold two of each class are refused", {
  p <- toy_data(n = 30L, classes = c("a", "b", "c"))
  expect_refusal(relief(p$x, p$y, samples = 5, threads = 1), "samples")
  expect_refusal(
    relief(p$x, p$y, "parzen", samples = 10, threads = 1), "samples"
  )
  expect_s3_class(relief(p$x, p$y, samples = 6, threads = 1), "hitmiss_relief")
})

test_that("multisurf scores as scikit-rebate, surf but for zeros in its mean", {
  x <- outer(1:40, 1:8, function(i, j) sin(i * j * 1.7 + j^2))
  y <- rep(0:1, 20)
  x[, 1] <- x[, 1] + y
  x[, 2] <- x[, 2] - y / 2
  x <- round(x * 1000) / 1000
  y <- factor(y, labels = c("a", "b"))
  # Printed by its functions at commits 153d3ab and 2adb5ad, on these data: two
  # classes, more than 10 values, hits and misses near every sample.
  theirs <- c(
    0.099589265191117021, 0.036721668010210935, -0.052128378781372268,
    0.0033110044568377883, -0.03351800555396188, -0.070815366073449043,
    -0.054496640794525146, 0.020173473671584521
  )
  ours <- relief(x, y, method = "multisurf", threads = 1)$scores
  expect_equal(unname(ours), theirs, tolerance = 1e-14)
  theirs <- c(
    0.081280951280951308, 0.0080176668689365058, -0.031654236016710968,
    -0.030443828395217296, -0.017987747136843524, -0.073337923850589362,
    -0.0547578456081836, -0.004578513041674245
  )
  # Its mean distance runs over each sample and itself as well.
  definition <- colMeans(
    reference_radius(x, y, "surf", shrink = 39 / 40)$margins
  )
  expect_equal(definition, theirs, tolerance = 1e-14)
})
