# Layer: evaluate. The agreement of sets of features is computed here, from
# counts.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Indices of one group of sets
#'
#' @param sets List of integer vectors, positions in 1 ... n_features.
#' @param options list(interval, level, empty).
#' @return One-row data.frame: mean_k, sd_k, empty, nogueira, lower, upper,
#'   kuncheva, jaccard.
#' @noRd
set_indices <- function(sets, n_features, level) {
  sizes <- lengths(sets)
  phi <- nogueira(sets, n_features)
  range <- jackknife_interval(sets, n_features, phi, level)
  data.frame(
    mean_k = if (length(sizes) > 0L) mean(sizes) else NA_real_,
    sd_k = stats::sd(sizes), empty = sum(sizes == 0L),
    nogueira = phi, lower = range[[1L]], upper = range[[2L]],
    kuncheva = kuncheva(sets, n_features),
    jaccard = jaccard(sets)
  )
}

# Returns the number of sets that contain each feature (zeros if there are no
# sets).
feature_counts <- function(sets, n_features) {
  as.double(tabulate(as.integer(unlist(sets)), n_features))
}

# The index is 1 - mean_j M/(M-1) p_j (1 - p_j) / (k/J (1 - k/J)). With counts
# c_j = M p_j, the numerator is (M sum c - sum c^2) / (J M (M - 1)).
nogueira_from <- function(n_sets, sum_counts, sum_squares, n_features) {
  share <- sum_counts / n_sets / n_features
  ifelse(n_sets < 2 | sum_counts == 0 | sum_counts == n_sets * n_features,
    NA_real_,
    1 - (n_sets * sum_counts - sum_squares) /
      (n_features * n_sets * (n_sets - 1)) / (share * (1 - share))
  )
}

nogueira <- function(sets, n_features) {
  counts <- feature_counts(sets, n_features)
  nogueira_from(length(sets), sum(counts), sum(counts^2), n_features)
}

#' Jackknife with Student's t on M - 1 degrees of freedom
#'
#' Leaving set i out lowers the counts of its k_i features by one each, hence
#' the sum of squares by 2 sum c_j - k_i.
#' @noRd
jackknife_interval <- function(sets, n_features, phi, level) {
  m <- length(sets)
  counts <- feature_counts(sets, n_features)
  k <- lengths(sets)
  inside <- vapply(sets, function(set) sum(counts[set]), 0)
  without <- nogueira_from(
    m - 1, sum(counts) - k, sum(counts^2) - 2 * inside + k, n_features
  )
  variance <- (m - 1) / m * sum((without - mean(without))^2)
  half <- stats::qt(1 - (1 - level) / 2, max(m - 1, 1)) * sqrt(variance)
  if (is.na(phi) || is.na(half)) {
    return(c(NA_real_, NA_real_))
  }
  pmin(1, pmax(-1, phi + c(-1, 1) * half))
}

# The index is the mean over pairs of (r - k^2/J) / (k - k^2/J), where r is the
# overlap of the pair, k the size of every set and J is `n_features`.
kuncheva <- function(sets, n_features) {
  k <- unique(lengths(sets))
  m <- length(sets)
  if (m < 2L || length(k) != 1L || k == 0L || k == n_features) {
    return(NA_real_)
  }
  counts <- feature_counts(sets, n_features)
  overlap <- sum(counts * (counts - 1)) / (m * (m - 1))
  (overlap - k^2 / n_features) / (k - k^2 / n_features)
}

# The index is the mean over pairs of |A and B| / |A or B|.
jaccard <- function(sets) {
  m <- length(sets)
  if (m < 2L) {
    return(NA_real_)
  }
  seen <- unique(unlist(sets))
  member <- matrix(0, length(seen), m)
  for (i in seq_len(m)) member[match(sets[[i]], seen), i] <- 1
  overlap <- crossprod(member)
  union <- outer(lengths(sets), lengths(sets), "+") - overlap
  value <- (overlap / union)[upper.tri(overlap)]
  value <- value[!is.nan(value)]
  if (length(value) == 0L) NA_real_ else mean(value)
}
