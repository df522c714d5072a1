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
  data <- noise_data(seed = seed)
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
  seeds <- some_of(1:18)
  accuracy <- vapply(seeds, noise_accuracy, numeric(9), leaky = FALSE)
  mean <- rowMeans(accuracy)
  se <- apply(accuracy, 1L, sd) / sqrt(length(seeds))
  for (name in names(noise_selectors)) {
    expect_lt(abs(mean[[name]] - 0.5), 3 * se[[name]], label = name)
    expect_gt(mean[[name]], 0.44, label = name)
    expect_lt(mean[[name]], 0.56, label = name)
  }
})

test_that("selection outside the splits is found out by this very test", {
  skip_on_cran()
  accuracy <- rowMeans(vapply(1:3, noise_accuracy, numeric(9), leaky = TRUE))
  # The other four fit noise less well: their twins reach 0.59 to 0.78.
  for (name in c("relieff", "irelief", "logo", "kbfs", "llfs")) {
    expect_gt(accuracy[[name]], 0.8, label = name)
  }
  expect_gt(accuracy[["relieff"]], 0.85)
})

# ---- preparation and tuning -------------------------------------------------
# Each honest way finds nothing in noise, and no test row reaches it; its leaky
# twin, done to all samples before they are split, finds a lot.

quick <- function(x, y) relief(x, y, k = 5, threads = 1)

noise_error <- function(data, selector = quick, ..., seed = 1) {
  withr::with_seed(seed, error_curve(data$x, data$y, list(s = selector), 10,
    resampling = kfold(5), keep = FALSE, ...
  ))$aggregate$mean
}

# Mean errors over seeds: the honest way, and the leaky twin.
expect_leak_found <- function(honest, leaky, seeds = 1:8) {
  inside <- vapply(seeds, honest, 0)
  outside <- vapply(seeds, leaky, 0)
  expect_lt(abs(mean(inside) - 0.5), 3 * sd(inside) / sqrt(length(seeds)))
  expect_gt(mean(inside) - mean(outside), 0.1)
}

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

with_holes <- function(seed) {
  data <- noise_data(features = 200L, seed = seed)
  data$x[withr::with_seed(
    seed, sample(length(data$x), 0.3 * length(data$x))
  )] <- NA
  data
}

# Missing values by the means of the classes: known in the training part, not of
# the test samples, which get the mean of both.
class_means <- function(x, y) {
  means <- rowsum(replace(x, is.na(x), 0), y) / rowsum((!is.na(x)) + 0, y)
  function(x, y = NULL) {
    at <- which(is.na(x), arr.ind = TRUE)
    fill <- if (is.null(y)) {
      colMeans(means)[at[, 2]]
    } else {
      means[cbind(as.integer(y)[at[, 1]], at[, 2])]
    }
    replace(x, is.na(x), fill)
  }
}

test_that("imputation sees training samples only; class means of all leak", {
  expect_inside(with_holes(1), prepare_impute())
  skip_on_cran()
  expect_leak_found(
    function(seed) {
      noise_error(with_holes(seed), prepare = prepare_impute(), seed = seed)
    },
    function(seed) {
      data <- with_holes(seed)
      data$x <- class_means(data$x, data$y)(data$x, data$y)
      noise_error(data, seed = seed)
    }
  )
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
  expect_leak_found(
    function(seed) {
      noise_error(
        noise_data(features = 500L, seed = seed), prepare = by_labels,
        seed = seed
      )
    },
    function(seed) {
      data <- noise_data(features = 500L, seed = seed)
      data$x <- by_labels(data$x, data$y)(data$x)
      noise_error(data, seed = seed)
    }
  )
})

# Batches of noise, in which the classes are not balanced.
batches <- function(seed) {
  data <- noise_data(features = 300L, seed = seed)
  batch <- rep_len(c("p", "p", "q", "q"), 40)
  batch[data$y == "a" & seq_len(40) > 8] <- "p"
  batch[data$y == "b" & seq_len(40) > 8] <- "q"
  names(batch) <- rownames(data$x)
  data$batch <- batch
  data$x <- data$x + (batch == "q") * rep(
    withr::with_seed(seed, rnorm(300)), each = 40
  )
  data
}

# Residuals of a linear model on the batch; with `labels`, on batch and class,
# of which the batch's part is taken out: that moves the classes apart.
batch_residuals <- function(batch, labels = FALSE) {
  function(x, y) {
    at <- batch[rownames(x)] == "q"
    design <- if (labels) cbind(1, at, y == levels(y)[[2L]]) else cbind(1, at)
    shift <- qr.coef(qr(design), x)[2, ]
    function(x) x - outer((batch[rownames(x)] == "q") + 0, shift)
  }
}

test_that("batch correction sees training samples only; with all it leaks", {
  data <- batches(1)
  expect_inside(data, batch_residuals(data$batch))
  skip_on_cran()
  expect_leak_found(
    function(seed) {
      data <- batches(seed)
      noise_error(data, prepare = batch_residuals(data$batch), seed = seed)
    },
    function(seed) {
      data <- batches(seed)
      data$x <- batch_residuals(data$batch, TRUE)(data$x, data$y)(data$x)
      noise_error(data, seed = seed)
    }
  )
})

# A selector whose parameter says which features it names first.
by_luck <- function(x, y, luck) {
  order <- withr::with_seed(luck, sample(ncol(x)))[1:3]
  relief(x[, order], y, k = 5, threads = 1)
}

test_that("tuning sees training samples only; what is chosen on all leaks", {
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
  skip_on_cran()
  lucky <- tuned(by_luck, luck = 1:6, resampling = kfold(3))
  expect_leak_found(
    function(seed) {
      noise_error(noise_data(features = 60L, seed = seed), lucky, seed = seed)
    },
    # Chosen by the errors of the test parts themselves.
    function(seed) {
      min(vapply(1:12, function(luck) {
        noise_error(noise_data(features = 60L, seed = seed), function(x, y) {
          by_luck(x, y, luck)
        }, seed = seed)
      }, 0))
    },
    seeds = 1:5
  )
})
