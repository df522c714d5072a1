# Layer: input. A message says if samples are copies of others.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A message on samples that are copies of others: then held-out samples are
#' known, and errors are too small
#'
#' Copies are equal, or nearer to each other than a fifth of what lies between
#' other samples, after each sample's own level and spread are taken out (so
#' that it may be scaled). With few features or many samples, only equal ones
#' are named.
#' @noRd
inform_copies <- function(problem) {
  n <- length(problem$y)
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  some <- max(10, min(1000, 1e7 %/% n))
  values <- feature_values(problem, spaced(seq_along(problem$features), some))
  copies <- if (n <= 1000L && ncol(values) >= 50L) {
    which(near_pairs(values), arr.ind = TRUE)
  } else {
    equal_pairs(values)
  }
  copies <- copies[copies[, 1L] < copies[, 2L], , drop = FALSE]
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
#' few levels, equal samples show nothing.
#' @noRd
equal_pairs <- function(values) {
  n <- nrow(values)
  values[!is.finite(values)] <- 0
  share <- apply(values[, spaced(seq_len(ncol(values)), 50L), drop = FALSE], 2L,
    \(v) sum((tabulate(match(v, unique(v))) / n)^2)
  )
  sums <- rowSums(values * rep(sqrt(seq_len(ncol(values))), each = n))
  first <- match(sums, sums)
  at <- which(first < seq_len(n) & choose(n, 2) * prod(share) < 1e-3)
  differ <- values[first[at], , drop = FALSE] != values[at, , drop = FALSE]
  cbind(first[at], at)[rowSums(differ) == 0, , drop = FALSE]
}

# Features are compared in units of their own, after each sample's level and
# scale are taken out.
near_pairs <- function(values) {
  z <- t(standardised(t(standardised(values))))
  z[!is.finite(z)] <- 0
  distance <- as.matrix(stats::dist(z))
  diag(distance) <- Inf
  # The third nearest sample lies beyond the copies that a sample may have.
  usual <- apply(distance, 1L, function(d) sort(d, partial = 3L)[[3L]])
  distance < 0.2 * stats::median(usual)
}

# Gives every row mean 0 and variance 1.
standardised <- function(values) {
  values <- values - rowMeans(values, na.rm = TRUE)
  values / sqrt(rowMeans(values^2, na.rm = TRUE))
}
