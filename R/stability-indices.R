# Layer: evaluate. The agreement of sets of features is computed here, from
# counts.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Indices of one group of sets
#'
#' @param sets List of integer vectors, positions in 1 ... n_features.
#' @param halves NULL, or the pairs among these sets that share no sample: the
#'   indices are then means over the pairs, with an interval.
#' @return One-row data.frame: mean_k, sd_k, empty, nogueira, lower, upper,
#'   kuncheva, jaccard.
#' @noRd
set_indices <- function(sets, halves, n_features, level) {
  sizes <- lengths(sets)
  indices <- vapply(halves %||% list(sets), function(sets) {
    c(nogueira(sets, n_features), jaccard(sets))
  }, numeric(2L))
  range <- halving_interval(if (!is.null(halves)) indices[1L, ], level)
  index <- mean_index(indices[1L, ])
  data.frame(
    mean_k = if (length(sizes) > 0L) mean(sizes) else NA_real_,
    sd_k = stats::sd(sizes), empty = sum(sizes == 0L),
    nogueira = index, lower = range[[1L]], upper = range[[2L]],
    # Of sets of one size the two are equal.
    kuncheva = if (length(unique(sizes)) == 1L) index else NA_real_,
    jaccard = mean_index(indices[2L, ])
  )
}

# A halving whose two sets are empty has no index and is left out.
mean_index <- function(values) mean_known(cbind(values))

#' Where the mean index over halvings of other studies may lie
#'
#' The index of one halving varies within a study about as the mean over
#' halvings varies between studies.
#' @param index Of each halving, or NULL.
#' @noRd
halving_interval <- function(index, level) {
  index <- index[!is.na(index)]
  n <- length(index)
  if (n < 2L) {
    return(c(NA_real_, NA_real_))
  }
  half <- stats::qt(1 - (1 - level) / 2, n - 1) * stats::sd(index) *
    sqrt(1 + 1 / n)
  ends <- mean_index(index) + c(-1, 1) * half
  with_estimate(pmin(1, pmax(-1, ends)), mean_index(index))
}

# Returns the number of sets that contain each feature (zeros if there are no
# sets).
feature_counts <- function(sets, n_features) {
  as.double(tabulate(as.integer(unlist(sets)), n_features))
}

# The index is 1 - mean_j M/(M-1) p_j (1 - p_j) / (k/J (1 - k/J)). With counts
# c_j = M p_j, the numerator is (M sum c - sum c^2) / (J M (M - 1)).
nogueira <- function(sets, n_features) {
  m <- length(sets)
  counts <- feature_counts(sets, n_features)
  total <- sum(counts)
  if (m < 2L || total == 0 || total == m * n_features) {
    return(NA_real_)
  }
  share <- total / m / n_features
  1 - (m * total - sum(counts^2)) / (n_features * m * (m - 1)) /
    (share * (1 - share))
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
