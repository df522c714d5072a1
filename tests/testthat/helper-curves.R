# Small curves that several files of tests look at.
# SPDX-License-Identifier: GPL-3.0-or-later

edge_data <- function(n = c(12, 12), genes = 20, seed = 1L) {
  withr::with_seed(seed, simulate_microarray(n, genes, relevant = 3))
}

by_variance <- function(x, y) apply(x, 2L, var)

edge_curve <- function(data, selectors, sizes, ...,
                       resampling = holdout(10, 0.5)) {
  withr::with_seed(1, error_curve(data$x, data$y, selectors, sizes, ...,
    resampling = resampling
  ))
}

shown_curve <- function(..., resampling = holdout(10, 0.5), selectors = list(
                          relief = function(x, y) relief(x, y, k = 1),
                          logo = function(x, y) suppressWarnings(logo(x, y))
                        )) {
  withr::local_seed(1)
  data <- simulate_microarray(c(14, 12, 10), 50, relevant = 4)
  list(data = data, curve = error_curve(
    data$x, data$y, selectors, c(1, 3, 10, 30), ..., resampling = resampling
  ))
}

bits_data <- function() {
  withr::with_seed(5, simulate_microarray(c(14, 13, 12), 60, relevant = 4))
}

# A selector that draws random numbers, and one that draws its own key.
bits_selectors <- list(
  relief = function(x, y) relief(x, y, k = 2),
  random = function(x, y) sample(colnames(x)),
  llfs = function(x, y, size) llfs(x, y, alpha = size)
)

three_classes <- function(seed = 1L, n = c(14, 13, 9), genes = 40) {
  withr::with_seed(seed, simulate_microarray(n, genes, relevant = 3))
}

curve_of <- function(..., resampling = holdout(10, 0.5), rule = "one_se",
                     seed = 1L) {
  withr::with_seed(
    seed, error_curve(..., resampling = resampling, rule = rule)
  )
}

# The smallest of these classes has no ten neighbours to give.
relief_3 <- function(x, y) relief(x, y, k = 3, threads = 1)
