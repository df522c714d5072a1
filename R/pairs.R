# Layer: use. A fit of matched pairs says which of two samples is which, also
# where both are of one class. The size of their difference may show this.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Warn of new pairs that differ less than training pairs do
#'
#' The size of a difference (samples of the second class minus those of the
#' first) is taken along the mean difference of the training pairs; that of a
#' training pair, along the mean of the others.
#' @param training,values Scaled samples x the features that predict; NA where a
#'   value is missing.
#' @param y,called Class numbers of these samples, NA where they are not known.
#' @param pair The pair of each new sample.
#' @noRd
warn_small_differences <- function(fit, training, y, values, called, pair) {
  of_pair <- fit$design$pair
  if (is.null(of_pair) || length(fit$classes) != 2L) {
    return(invisible())
  }
  known <- pair_differences(training, y, of_pair)
  new <- pair_differences(values, called, pair)
  n <- nrow(known)
  if (n < 2L || nrow(new) == 0L) {
    return(invisible())
  }
  mean <- colMeans(known, na.rm = TRUE)
  # A feature that a training pair lacks makes its difference no smaller.
  holes <- which(is.na(known), arr.ind = TRUE)
  known[holes] <- mean[holes[, 2L]]
  of_others <- t(n * mean - t(known)) / (n - 1)
  # Training pairs are measured by the features that the new pair has.
  usual <- (of_others * known) %*% t(!is.na(new))
  size <- colSums(t(new) * mean, na.rm = TRUE)
  limit <- pmax(apply(usual, 2L, stats::quantile, 0.05), 0)
  # A pair that is as small as the limit differs no less than the others.
  none <- abs(size) <= 1e-9 * sum(mean^2, na.rm = TRUE)
  small <- rownames(new)[none | size < limit * (1 - 1e-9)]
  if (length(small) > 0L) {
    warn(c(
      "{length(small)} of {nrow(new)} pair{?s} {cli::qty(length(small))}
       differ{?s/} less than 19 of 20 training pairs do: {listed(small, 3L)}.",
      i = "A fit with {.arg pair} says which of two samples of one pair is
           which, also where both are of one class."
    ), "hitmiss_warning_pairs")
  }
}

# Returns the mean of the samples of the second class minus that of the first,
# for each pair whose samples all have a class; 0 if they are of one class.
pair_differences <- function(values, class, pair) {
  whole <- !pair %in% pair[is.na(class)]
  class <- as.integer(class)[whole]
  pair <- pair[whole]
  share <- (2 * class - 3) / stats::ave(class, pair, class, FUN = length)
  share[stats::ave(class, pair) == class] <- 0
  rowsum(values[whole, , drop = FALSE] * share, pair, reorder = FALSE)
}
