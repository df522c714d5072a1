# Layer: use. A fit of matched pairs says which of two samples is which. How
# large the difference of a new pair is, beside those of the training pairs,
# says whether there is one.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Probabilities of the samples of new pairs, and the pairs without a difference
#'
#' The differences of the training pairs have a mean direction, in which each
#' feature counts by its mean difference over its standard deviation. A new
#' difference has a length in that direction, in standard deviations of the
#' training pairs around their mean, each measured with the direction of the
#' others. A pair shows no difference if its length is below 0.45 times the mean
#' length of the training pairs (the features were selected on these, so that
#' new pairs are shorter), or below that of 99 in 100 pairs that differ only by
#' chance if that is less; or if it was called otherwise.
#'
#' The probability of a call is that of a normal density around twice this limit
#' against those around its opposite and around 0, which stands for a pair
#' without a difference and counts half: it is 3/4 at the limit. With n training
#' pairs it is drawn by 1 in n + 1 towards one half.
#' @param training,values Scaled samples x the features that predict; NA where a
#'   new value is missing.
#' @param known,new Codes of the pairs of these samples.
#' @param y,called Class numbers of these samples.
#' @return list(prob: of the called class; none: is there no difference?), NA
#'   for a sample that is not in a pair of two.
#' @noRd
pair_evidence <- function(training, known, y, values, new, called) {
  weight <- (2 * (y == 2L) - 1) / stats::ave(y, known, y, FUN = length)
  labelled <- !is.na(y)
  differences <- rowsum(
    (training * weight)[labelled, , drop = FALSE], known[labelled]
  )
  # A difference that is missing in training says nothing of its direction.
  holes <- which(is.na(differences), arr.ind = TRUE)
  differences[holes] <- colMeans(differences, na.rm = TRUE)[holes[, 2L]]
  first <- !duplicated(new)
  two <- tabulate(new)[new] == 2L
  one <- which(first & two)
  other <- which(!first & two)[order(new[!first & two])]
  one <- one[order(new[one])]
  gap <- values[one, , drop = FALSE] - values[other, , drop = FALSE]
  pattern <- vapply(
    seq_along(one), \(i) paste(which(is.na(gap[i, ])), collapse = " "), ""
  )
  none <- rep(NA_real_, length(one))
  found <- data.frame(length = none, usual = none)
  for (rows in split(seq_along(one), pattern)) {
    there <- !is.na(gap[rows[[1L]], ])
    found[rows, ] <- pair_lengths(
      differences[, there, drop = FALSE], gap[rows, there, drop = FALSE]
    )
  }
  length <- limit <- rep(NA_real_, length(new))
  length[one] <- found$length
  length[other] <- -found$length
  n <- nrow(differences)
  # The standard deviation is known from n pairs, and so is the mean.
  chance <- stats::qt(0.995, max(n - 1, 1)) * sqrt(1 + 1 / n)
  limit[c(one, other)] <- pmin(0.45 * found$usual, chance)
  length <- length * (2 * (called == 2L) - 1)
  size <- pmax(length, 0)
  for_it <- exp(pmin(2 * size * limit, 500) - 2 * limit^2)
  against <- exp(-2 * size * limit - 2 * limit^2)
  none <- length <= limit
  list(
    prob = (n * (for_it + 0.5) / (for_it + against + 1) + 0.5) / (n + 1),
    none = as.logical(stats::ave(none + 0, new, FUN = max))
  )
}

#' The lengths of new differences in the direction of the known ones
#' @return data.frame(length, usual: mean of the known ones); NA for fewer than
#'   four of these, and where none has a direction.
#' @noRd
pair_lengths <- function(known, gap) {
  n <- nrow(known)
  mean <- colMeans(known)
  apart <- t(t(known) - mean)
  total <- colSums(apart^2)
  # A feature that hardly varies beside its mean would count without limit.
  varies <- total > 1e-12 * n * (mean^2 + total)
  if (n < 4L || !any(varies)) {
    return(data.frame(length = rep(NA_real_, nrow(gap)), usual = NA_real_))
  }
  apart <- apart[, varies, drop = FALSE]
  mean <- mean[varies]
  total <- total[varies]
  # These are the mean and the standard deviation without one pair at a time.
  left <- t(mean - t(apart) / (n - 1)) /
    sqrt(pmax(t(total - t(apart^2) * n / (n - 1)), 1e-12) / (n - 2))
  left <- matrix(left, n)
  spread <- sqrt(mean(rowSums(left * apart)^2) * n / (n - 1))
  usual <- mean(rowSums(left * known[, varies, drop = FALSE])) / spread
  weights <- mean / sqrt(total / (n - 1))
  data.frame(
    length = as.vector(gap[, varies, drop = FALSE] %*% weights) / spread,
    usual = max(usual, 0)
  )
}

#' What predict() gives for pairs of two samples, where a fit has two classes
#'
#' @param result Factor of classes, or matrix of probabilities.
#' @param called Class numbers.
#' @param training,y Of the fit. @param values Scaled new samples.
#' @return The result with the attribute `no_difference`; of a fit without
#'   pairs the result as it is.
#' @noRd
with_evidence <- function(result, fit, training, y, values, called, pair) {
  if (is.null(fit$pair_of) || length(fit$classes) != 2L) {
    return(result)
  }
  new <- match(pair, unique(pair))
  found <- pair_evidence(
    training, fit$pair_of, as.integer(y), values, new, as.integer(called)
  )
  if (is.matrix(result)) {
    known <- which(!is.na(found$prob))
    result[cbind(known, called[known])] <- found$prob[known]
    result[cbind(known, 3L - called[known])] <- 1 - found$prob[known]
  }
  none <- unique(pair[found$none %in% TRUE])
  if (length(none) > 0L) {
    inform(c(
      "{length(none)} of {length(unique(pair))} pairs show no difference between
       {cli::qty(length(none))}{?its/their} samples: {listed(none, 5L)}.",
      i = "A fit of pairs always calls one of two samples {.val
           {fit$classes[[2L]]}}. Attribute {.val no_difference} of the result
           names those of whom this says nothing."
    ), "hitmiss_message_no_difference")
  }
  attr(result, "no_difference") <- stats::setNames(
    found$none, rownames(values)
  )
  result
}
