# Layer: input. A message says if samples are copies of others.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A message on samples that are copies of others: then held-out samples are
#' known, and errors are too small
#'
#' Copies are equal, or nearer to each other than a fifth of what lies between
#' other samples, after each sample's own level and spread are taken out (so
#' that it may be scaled). With few features, or few or many samples, only equal
#' ones are named. Samples are compared in the features that both have, if these
#' are half of all.
#' @noRd
inform_copies <- function(problem) {
  n <- length(problem$y)
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  some <- max(10, min(1000, 1e7 %/% n))
  values <- feature_values(problem, spaced(seq_along(problem$features), some))
  copies <- equal_pairs(values)
  # The third nearest of fewer than four samples says nothing.
  if (n %in% 4:1000 && ncol(values) >= 50L) {
    copies <- rbind(copies, which(near_pairs(values), arr.ind = TRUE))
  }
  copies <- unique(copies[copies[, 1L] < copies[, 2L], , drop = FALSE])
  if (nrow(copies) == 0L) {
    return(invisible())
  }
  names <- unique_names(problem$samples, n)
  pairs <- paste(names[copies[, 1L]], "and", names[copies[, 2L]])
  inform(
    c(
      "{nrow(copies)} pair{?s} of samples {?is/are} equal or nearly so:
       {listed(pairs, 5L)}.",
      i = "If they are copies of one sample, give them one value of {.arg group}
           each, or leave all but one out: errors of samples whose copies are
           known are too small."
    ),
    "hitmiss_message_group"
  )
}

#' Rows that are equal to an earlier one, where hardly one would be by chance
#'
#' The chance is computed as if features were independent. With few features, or
#' few levels, equal samples show nothing. Of more than 1000 samples, those are
#' found that lack the same values.
#' @param of Rows that tell how often two agree in a feature.
#' @return Matrix with a row for each pair: the earlier one, the other.
#' @noRd
equal_pairs <- function(values, of = seq_len(nrow(values))) {
  n <- nrow(values)
  some <- spaced(seq_len(ncol(values)), 50L)
  # The logarithm of the share of pairs that agree in a feature, with one such
  # pair more, because few samples do not show that values never repeat.
  agree <- apply(values[of, some, drop = FALSE], 2L, function(v) {
    counts <- tabulate(match(v, unique(v[!is.na(v)])))
    n <- sum(counts)
    min(0, log1p(sum(counts * (counts - 1))) - log(max(1, n * (n - 1))))
  })
  rare <- log(1e-3) - log(choose(n, 2))
  if (sum(agree) >= rare) {
    return(matrix(0L, 0L, 2L))
  }
  at <- if (anyNA(values) && n <= 1000L) {
    # dist() takes the features that both have.
    which(as.matrix(stats::dist(values)) == 0, arr.ind = TRUE)
  } else {
    filled <- replace(values, is.na(values), 0)
    sums <- rowSums(filled * rep(sqrt(seq_len(ncol(values))), each = n))
    cbind(match(sums, sums), seq_len(n))
  }
  at <- unname(at[at[, 1L] < at[, 2L], , drop = FALSE])
  one <- values[at[, 1L], , drop = FALSE]
  other <- values[at[, 2L], , drop = FALSE]
  both <- !is.na(one[, some, drop = FALSE] + other[, some, drop = FALSE])
  equal <- rowSums(both) >= length(some) / 2 &
    rowSums(one != other, na.rm = TRUE) == 0
  at[equal & drop(both %*% agree) < rare, , drop = FALSE]
}

# Features are compared in units of their own, after each sample's level and
# scale are taken out.
near_pairs <- function(values) {
  z <- t(standardised(t(standardised(values))))
  z[is.na(z) & !is.na(values)] <- 0
  # dist() takes the features that both samples have, as if there were all.
  distance <- as.matrix(stats::dist(z))
  diag(distance) <- Inf
  if (anyNA(values)) {
    both <- tcrossprod(!is.na(values))
    distance[both < max(50, ncol(values) / 2)] <- Inf
  }
  # The third nearest sample lies beyond the copies that a sample may have.
  usual <- apply(distance, 1L, function(d) sort(d, partial = 3L)[[3L]])
  distance < 0.2 * stats::median(usual[is.finite(usual)])
}

# Gives every row mean 0 and variance 1.
standardised <- function(values) {
  values <- values - rowMeans(values, na.rm = TRUE)
  values / sqrt(rowMeans(values^2, na.rm = TRUE))
}
