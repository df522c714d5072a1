# Layer: evaluate. Intervals stand here: of the means of a curve, which is the
# same wherever one is shown, of shares, and of areas under ROC curves.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The estimate of a metric: its mean over splits, with an interval
#'
#' The interval ends at the farther of two values on each side: two corrected
#' standard errors from the mean, and a limit that holds where all splits agree,
#' which is Wilson's for shares (errors, F1), with as many samples as the
#' held-out ones are worth, and DeLong's on the logit scale for areas under ROC
#' curves. Other metrics have no such limit.
#' @param tables Predictions of one selector: at one size, or at several with
#'   the same rows, over which the mean is taken too.
#' @param values The metric in each replicate, see size_values().
#' @param about A curve, or what it keeps: resampling, splits, design.
#' @return Data.frame of one row: mean, sd, lower, upper; NA where not known.
#' @noRd
metric_estimate <- function(tables, values, metric, about, level = 0.95) {
  mean <- mean_known(cbind(c(values)))
  ends <- c(NA_real_, NA_real_)
  if (!is.na(mean)) {
    ends <- mean_interval(tables, values, metric, about, level, mean)
  }
  data.frame(
    mean = mean, sd = stats::sd(values, na.rm = TRUE), lower = ends[[1L]],
    upper = ends[[2L]]
  )
}

mean_interval <- function(tables, values, metric, about, level, mean) {
  z <- interval_z(level, units_given(about$design))
  if (is_pooled(metric, about$resampling)) {
    # A function of the user need not have a value for a single split.
    values <- NA
    if (is.null(metric$fun)) values <- split_means(tables, metric, about)
  }
  half <- splits_half(values, about, z)
  rows <- held_out(tables, about)
  limits <- if (!is.null(metric$limits)) {
    metric$limits(tables, rows, mean, metric, z)
  }
  ends <- farther(mean, half, limits)
  if (is.null(metric$fun)) ends <- pmin(1, pmax(0, ends))
  with_estimate(ends, mean)
}

# Rounding may leave an estimate outside of its own interval.
with_estimate <- function(ends, estimate) {
  c(min(ends[[1L]], estimate), max(ends[[2L]], estimate))
}

# Returns the farther of two limits on each side, of which one may not be known.
farther <- function(mean, half, limits) {
  limits <- limits %||% c(NA_real_, NA_real_)
  c(
    pmin(mean - half, limits[[1L]], na.rm = TRUE),
    pmax(mean + half, limits[[2L]], na.rm = TRUE)
  )
}

# Returns how many standard errors an interval reaches: with groups, which are
# few, by the t distribution.
interval_z <- function(level, group = NULL) {
  df <- if (is.null(group)) Inf else max(1, length(unique(group)) - 1)
  stats::qt((1 + level) / 2, df)
}

# Returns how far two corrected standard errors of a mean reach, at the level of
# 95 %.
splits_half <- function(values, about, z) {
  ratio <- test_ratio(about$resampling, about$splits, about$design)
  2 * z / stats::qnorm(0.975) * corrected_se(values, ratio)
}

# Returns the metric of each split, also of one that has its value from the
# predictions of many splits.
split_means <- function(tables, metric, about) {
  about$resampling <- list(method = "holdout")
  rowMeans(vapply(
    tables, size_values, numeric(length(about$splits)), metric, about
  ))
}

# Returns of which sample, unit and repetition predictions are.
held_out <- function(tables, about) {
  sample <- as.integer(tables[[1L]]$sample)
  list(
    sample = sample, unit = about$design$unit[sample],
    repetition = repetition_of(about$splits)[tables[[1L]]$split]
  )
}

#' As how many independent samples held-out ones count, in a mean over units
#'
#' Not more than there are samples, not fewer than independent units: the number
#' by which the binomial variance is that of the mean over units, averaged over
#' repetitions.
#' @param times How often a sample is predicted, if these are some of the
#'   predictions.
#' @noRd
effective_size <- function(wrong, rows, times = NULL) {
  distinct <- function(of) length(unique(of))
  n <- length(wrong) / (times %||% (length(wrong) / distinct(rows$sample)))
  units <- n * distinct(rows$unit) / distinct(rows$sample)
  share <- unit_mean(wrong, rows$unit)
  binomial <- share * (1 - share)
  if (identical(rows$unit, rows$sample) || binomial < 1e-12) {
    return(units)
  }
  effect <- vapply(split(seq_along(wrong), rows$repetition), function(of) {
    means <- as.vector(tapply(wrong[of], rows$unit[of], mean))
    spread <- stats::var(means) / length(means) * length(of) / binomial
    # One unit does not tell how far others would be from it.
    if (is.na(spread)) Inf else spread
  }, 0)
  max(units, n / max(1, mean(effect)))
}

# Returns how far `spread` reaches round a share, on the logit scale.
logit_limits <- function(share, spread) {
  stats::plogis(
    stats::qlogis(share) + c(-1, 1) * spread / (share * (1 - share))
  )
}

# Returns means with their intervals in brackets.
with_interval <- function(table) {
  ifelse(is.na(table$mean), "no value", ifelse(is.na(table$lower),
    sprintf("%.3f", table$mean),
    sprintf("%.3f [%.2f, %.2f]", table$mean, table$lower, table$upper)
  ))
}

# Computes the interval of Clopper and Pearson; `hits` may be a mean over
# repetitions.
exact_interval <- function(hits, n, level) {
  tail <- (1 - level) / 2
  data.frame(
    lower = if (hits > 0) stats::qbeta(tail, hits, n - hits + 1) else 0,
    upper = if (hits < n) stats::qbeta(1 - tail, hits + 1, n - hits) else 1
  )
}
