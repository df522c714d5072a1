# Layer: use. A warning says if new samples lie farther from the training
# samples than these from each other, as on another scale.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Warn if new samples are unlike the training samples, see is_far()
#'
#' A warning needs more than a fifth of at least five samples, and twenty
#' training samples.
#' @param values New samples x features, NA where a value is missing.
#' @param training Training samples x the same features.
#' @param weights By feature, for values as they are given.
#' @param design Of the training samples.
#' @param ... Further lines of the warning, and fields of the condition.
#' @return TRUE if there was a warning.
#' @noRd
warn_other_scale <- function(values, training, weights,
                             design = new_design(nrow(training)), lines = NULL,
                             ...) {
  some <- spaced(which(!is.na(rowSums(values))), 100L)
  if (isTRUE(state$one_scale) || length(some) < 5L || nrow(training) < 20L) {
    return(invisible(FALSE))
  }
  far <- is_far(values[some, , drop = FALSE], training, weights, design)
  # One or two far samples occur on any scale, so they do not warn.
  if (mean(far) <= 0.2 || sum(far) < 3L) {
    return(invisible(FALSE))
  }
  warn(
    c(
      "{sum(far)} of {length(far)} samples of {.arg newdata} are farther from
       the training samples, or farther to one side of them, than any of these
       is from the others.",
      i = "Are they on the scale of the training data (logarithms, units)?",
      lines
    ),
    "hitmiss_warning_scale",
    far = sum(far), compared = length(far), ...
  )
  invisible(TRUE)
}

# Predicts parts of one data set, which are on one scale: the question would
# cost a third of the time of a small error curve.
on_one_scale <- function(code) {
  was <- state$one_scale
  on.exit(state$one_scale <- was)
  state$one_scale <- TRUE
  code
}

#' Are samples unlike all training samples?
#'
#' A sample is if its distance from the nearest training sample is larger than
#' that of any training sample from those of other units; or if its mean signed
#' difference from the five nearest is, by a quarter. A shift that all features
#' share, or values of 0 for all, add little to a distance that is the sum of
#' many differences of either sign, but they add up in the mean. Differences
#' within pairs have no such shift, so their mean is not looked at. Pairs
#' without a change lie near 0, where there may be no training pair: 0 counts as
#' one.
#' @param values,training,weights,design As of warn_other_scale(); without NA.
#' @noRd
is_far <- function(values, training, weights,
                   design = new_design(nrow(training))) {
  differences <- length(design$pair) > 0L
  # A value that a training sample lacks is not far from any other.
  training <- filled_values(
    training, seq_len(nrow(training)), logical(ncol(training))
  )
  # A few features and samples are enough to see another scale.
  best <- utils::head(order(-weights), 100L)
  some <- spaced(seq_len(nrow(training)), 200L)
  weighted <- function(samples) {
    t(samples[, best, drop = FALSE]) * weights[best]
  }
  known <- weighted(training[some, , drop = FALSE])
  design <- design_rows(design, some)
  k <- min(5L, length(some) - 1L)
  if (k < 1L) {
    return(logical(nrow(values)))
  }
  measure <- function(samples, own) {
    known <- if (differences && !own) cbind(known, 0) else known
    vapply(seq_len(ncol(samples)), function(i) {
      apart <- samples[, i] - known
      distance <- colSums(abs(apart))
      if (own) distance[!leave_out(design, i)] <- Inf
      distance[is.na(distance)] <- Inf
      near <- which(distance <= sort(distance, partial = k)[k] &
        distance < Inf)
      c(min(distance), abs(mean(colSums(apart[, near, drop = FALSE]))))
    }, c(0, 0))
  }
  own <- measure(known, TRUE)
  new <- measure(weighted(values), FALSE)
  # Distances that exceed a double decide nothing, and neither do training
  # samples most of which are equal to others.
  beyond <- function(i, times) new[i, ] > times * max(own[i, ])
  # Without the quarter more, warnings on samples of the same kind double.
  far <- beyond(1L, 1) | !differences & beyond(2L, 1.25)
  stats::median(own[1L, ]) > 0 & far %in% TRUE
}
