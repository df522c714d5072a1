# The definitions of stability and false discoveries, as plainly as can be.
# SPDX-License-Identifier: GPL-3.0-or-later

incidence <- function(sets, n_features) {
  t(vapply(
    sets, function(set) seq_len(n_features) %in% set + 0, numeric(n_features)
  ))
}

reference_nogueira <- function(z) {
  m <- nrow(z)
  p <- colMeans(z)
  k <- mean(rowSums(z)) / ncol(z)
  1 - mean(m / (m - 1) * p * (1 - p)) / (k * (1 - k))
}

reference_jackknife <- function(z, level) {
  m <- nrow(z)
  phi <- vapply(seq_len(m), function(i) {
    reference_nogueira(z[-i, , drop = FALSE])
  }, 0)
  half <- qt(1 - (1 - level) / 2, m - 1) *
    sqrt((m - 1) / m * sum((phi - mean(phi))^2))
  pmin(1, pmax(-1, reference_nogueira(z) + c(-half, half)))
}

over_pairs <- function(z, value) {
  pairs <- utils::combn(nrow(z), 2)
  apply(pairs, 2, function(at) value(z[at[1], ] == 1, z[at[2], ] == 1))
}

reference_jaccard <- function(z) {
  value <- over_pairs(z, function(a, b) {
    if (any(a | b)) sum(a & b) / sum(a | b) else NA
  })
  mean(value, na.rm = TRUE)
}

reference_kuncheva <- function(z) {
  k <- rowSums(z)[[1]]
  j <- ncol(z)
  mean(over_pairs(z, function(a, b) (sum(a & b) - k^2 / j) / (k - k^2 / j)))
}
