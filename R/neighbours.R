# The nearest other samples, in the core's order.
# SPDX-License-Identifier: GPL-3.0-or-later

# Codes of the labels of the k nearest other samples: k x samples, nearest
# first.
nearest_labels <- function(squared, y, k) {
  key <- neighbour_key(sqrt(squared))
  diag(key) <- Inf
  near <- vapply(seq_along(y), function(n) {
    as.integer(y)[order(key[n, ])[seq_len(k)]]
  }, integer(k))
  matrix(near, k)
}

# Distances without their rounding noise: 30 binary digits, as in the core.
neighbour_key <- function(distance) {
  step <- 2^(floor(log2(pmax(distance, .Machine$double.xmin))) - 30)
  round(distance / step) * step
}
