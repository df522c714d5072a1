# Pure noise: selection on the training parts finds nothing, on all samples a lot.
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
  classifier <- list(llfs = "own", "knn")
  if (leaky) {
    selectors <- lapply(selectors, leaky_twin, data$x, data$y)
    classifier <- "knn"
  }
  curve <- error_curve(data$x, data$y, selectors, 10,
    classifier = classifier, resampling = kfold(5), tune = list(k = 3),
    keep = FALSE
  )
  1 - stats::setNames(curve$aggregate$mean, curve$selectors)
}

test_that("selection inside the splits finds nothing in noise", {
  skip_on_cran()
  accuracy <- vapply(1:20, noise_accuracy, numeric(9), leaky = FALSE)
  mean <- rowMeans(accuracy)
  se <- apply(accuracy, 1L, sd) / sqrt(20)
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
