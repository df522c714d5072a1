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

# Mean index of the two sets of each halving, and its interval.
reference_halving <- function(pairs, n_features, level) {
  r <- vapply(pairs, function(pair) {
    reference_nogueira(incidence(pair, n_features))
  }, 0)
  half <- qt(1 - (1 - level) / 2, length(r) - 1) * sd(r) *
    sqrt(1 + 1 / length(r))
  c(mean(r), max(-1, mean(r) - half), min(1, mean(r) + half))
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

# The test of two selectors by the losses of samples, from a curve's
# predictions.
reference_comparison <- function(curve, first, second, sizes) {
  table <- curve$predictions[curve$predictions$size %in% sizes, ]
  truth <- unique(table[c("sample", "truth")])
  n_classes <- table(truth$truth)
  loss <- function(selector) {
    rows <- table[table$selector == selector, ]
    wrong <- rows$predicted != rows$truth
    if (curve$metric == "balanced_error") {
      wrong <- wrong * nrow(truth) /
        (length(n_classes) * as.vector(n_classes[rows$truth]))
    }
    tapply(wrong, rows$sample, mean, na.rm = TRUE)
  }
  d <- loss(first) - loss(second)
  # A sample of whom one of the two has no prediction says nothing.
  d <- d[!is.nan(d)]
  unit <- curve$design$unit[as.integer(names(d))]
  if (curve$resampling$method == "leave_one_out") {
    d <- vapply(split(as.vector(d), unit), mean, 0)
    unit <- names(d)
  }
  of_unit <- tapply(as.vector(d) - mean(d), unit, sum)
  units <- length(of_unit)
  variance <- units / (units - 1) * sum(of_unit^2) / length(d)^2
  share <- mean(lengths(lapply(curve$splits, `[[`, "train"))) /
    curve$n_samples
  factor <- if (share > 0.8 + 1e-9) 3 else 2 / share
  at <- match(sizes, curve$sizes)
  mean <- mean(rowMeans(curve$values[[first]][, at, drop = FALSE]) -
    rowMeans(curve$values[[second]][, at, drop = FALSE]), na.rm = TRUE)
  se <- sqrt(factor * variance)
  half <- qt(0.975, units - 1) * se
  c(
    difference = mean, lower = mean - half, upper = mean + half,
    statistic = if (se < 1e-12 && abs(mean) < 1e-12) 0 else mean / se,
    df = units - 1,
    p = if (se > 1e-12) {
      2 * pt(-abs(mean / se), units - 1)
    } else if (abs(mean) < 1e-12) {
      1
    } else {
      NA
    }, factor = factor
  )
}
