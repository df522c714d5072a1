# Pure noise: selection on the training parts finds nothing, on all samples a
# lot.
# SPDX-License-Identifier: GPL-3.0-or-later

noise_selectors <- list(
  relief = function(x, y) relief(x, y, method = "relief"),
  relieff = function(x, y) relief(x, y),
  irelief = function(x, y) relief(x, y, method = "irelief"),
  map = function(x, y) relief(x, y, method = "map"),
  parzen = function(x, y) relief(x, y, method = "parzen"),
  logo = function(x, y) logo(x, y),
  kbfs = function(x, y) kbfs(x, y),
  pwfp = function(x, y) pwfp(x, y),
  llfs = function(x, y, size) llfs(x, y, alpha = size)
)

# The mistake: features chosen on all samples, then resampled.
leaky_twin <- function(selector, x, y) {
  chosen <- if (takes_size(selector)) {
    selected(selector(x, y, 10))
  } else {
    top_features(selector(x, y), 10)$feature
  }
  function(x, y) chosen
}

noise_accuracy <- function(seed, leaky) {
  data <- noise_data(features = 2000L, seed = seed)
  withr::local_seed(seed)
  selectors <- noise_selectors
  classifier <- list(llfs = "own", "knn3")
  if (leaky) {
    selectors <- lapply(selectors, leaky_twin, data$x, data$y)
    classifier <- "knn3"
  }
  # The leaky twins are warned of: they choose the same in all splits.
  curve <- suppressWarnings(error_curve(data$x, data$y, selectors, 10,
    classifier = classifier, resampling = kfold(5), keep = FALSE
  ))
  1 - stats::setNames(curve$aggregate$mean, curve$selectors)
}

test_that("selection inside the splits finds nothing in noise", {
  skip_on_cran()
  seeds <- some_of(1:18, 1 / 4)
  accuracy <- vapply(seeds, noise_accuracy, numeric(9), leaky = FALSE)
  mean <- rowMeans(accuracy)
  se <- apply(accuracy, 1L, sd) / sqrt(length(seeds))
  for (name in names(noise_selectors)) {
    expect_lt(abs(mean[[name]] - 0.5), 3 * se[[name]], label = name)
    expect_gt(mean[[name]], 0.4, label = name)
    expect_lt(mean[[name]], 0.58, label = name)
  }
})

test_that("selection outside the splits is found out by this very test", {
  skip_on_cran()
  accuracy <- rowMeans(vapply(1:3, noise_accuracy, numeric(9), leaky = TRUE))
  # The other four fit noise less well: their twins reach 0.59 to 0.78.
  for (name in c("relieff", "irelief", "logo", "kbfs", "llfs")) {
    expect_gt(accuracy[[name]], 0.8, label = name)
  }
})

# ---- preparation and tuning -------------------------------------------------
# No test row reaches a step that learns. Of one step also: the honest way finds
# nothing in noise, its leaky twin, done to all samples first, a lot.

quick <- function(x, y) relief(x, y, k = 5, threads = 1)

# A step that also notes which samples, and which labels, it learns from.
spying <- function(step) {
  seen <- list()
  list(
    step = function(x, y) {
      seen[[length(seen) + 1L]] <<- list(
        samples = rownames(x), labels = as.character(y)
      )
      step(x, y)
    },
    seen = function() seen
  )
}

# All that a step learns from lies in the training part of one split, with the
# labels that belong to it.
expect_inside <- function(data, step) {
  spy <- spying(step)
  curve <- withr::with_seed(1, error_curve(data$x, data$y, list(s = quick),
    c(2, 10), resampling = kfold(4), prepare = spy$step, nested = kfold(2)
  ))
  seen <- spy$seen()
  # The part, its 2 inner parts; the two baselines' part.
  expect_length(seen, 4 * (1 + 2 + 2))
  for (i in seq_along(seen)) {
    split <- curve$splits[[(i - 1L) %/% 5L + 1L]]
    part <- rownames(data$x)[split$train]
    expect_true(all(seen[[i]]$samples %in% part))
    at <- match(seen[[i]]$samples, rownames(data$x))
    expect_identical(seen[[i]]$labels, as.character(data$y)[at])
  }
}

test_that("imputation sees training samples only", {
  data <- noise_data(features = 200L)
  holes <- withr::with_seed(1, sample(length(data$x), 0.3 * length(data$x)))
  data$x[holes] <- NA
  expect_inside(data, prepare_impute())
})

# Features that differ most between the classes.
by_labels <- function(x, y) {
  means <- rowsum(x, y) / as.vector(table(y))
  spread <- apply(x, 2, sd)
  kept <- sort(order(-abs(means[1, ] - means[2, ]) / spread)[1:20])
  function(x) x[, kept]
}

test_that("filters see training samples only; one by all labels leaks", {
  data <- noise_data(features = 200L)
  expect_inside(data, prepare_filter(n = 50))
  expect_inside(data, by_labels)
  skip_on_cran()
  error <- function(seed, leaky) {
    data <- noise_data(features = 500L, seed = seed)
    if (leaky) data$x <- by_labels(data$x, data$y)(data$x)
    withr::with_seed(seed, error_curve(data$x, data$y, list(s = quick), 10,
      resampling = kfold(5), prepare = if (!leaky) by_labels, keep = FALSE
    ))$aggregate$mean
  }
  honest <- vapply(1:8, error, 0, leaky = FALSE)
  expect_lt(abs(mean(honest) - 0.5), 3 * sd(honest) / sqrt(8))
  expect_gt(mean(honest) - mean(vapply(1:8, error, 0, leaky = TRUE)), 0.1)
})

# A selector whose parameter says which features it names first.
by_luck <- function(x, y, luck) {
  order <- withr::with_seed(luck, sample(ncol(x)))[1:3]
  relief(x[, order], y, k = 5, threads = 1)
}

test_that("tuning sees training samples only", {
  data <- noise_data(features = 60L)
  seen <- list()
  spy <- function(x, y, luck) {
    seen[[length(seen) + 1L]] <<- rownames(x)
    by_luck(x, y, luck)
  }
  curve <- withr::with_seed(1, error_curve(data$x, data$y,
    list(s = tuned(spy, luck = 1:3, resampling = kfold(3))), 3,
    resampling = kfold(4)
  ))
  # Of each split: 3 combinations on 3 inner parts, then the whole part.
  expect_length(seen, 4 * 10)
  for (s in 1:4) {
    part <- rownames(data$x)[curve$splits[[s]]$train]
    calls <- seen[(s - 1) * 10 + 1:10]
    for (inner in calls[1:9]) {
      expect_true(all(inner %in% part))
      expect_lt(length(inner), length(part))
    }
    expect_identical(calls[[10L]], part)
  }
})
