# Layer: evaluate. Intervals stand here: of the means of a curve, which is the
# same wherever one is shown, of shares, and of areas under ROC curves.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The interval of a mean over splits
#'
#' It ends at the farther of two values on each side: two corrected standard
#' errors from the mean, and a limit that holds where all splits agree, which is
#' Wilson's for shares (errors, F1), with as many samples as the held-out ones
#' are worth, and DeLong's on the logit scale for areas under ROC curves. Other
#' metrics have no such limit.
#' @param tables Predictions of one selector: at one size, or at several with
#'   the same rows, over which the mean is taken too.
#' @param values The metric in each replicate, see size_values().
#' @param about A curve, or what it keeps: resampling, splits, group.
#' @return c(lower, upper); NA if they are not known.
#' @noRd
mean_interval <- function(tables, values, metric, about, level = 0.95) {
  z <- stats::qnorm((1 + level) / 2)
  mean <- mean_known(cbind(c(values)))
  if (is.na(mean)) {
    return(c(NA_real_, NA_real_))
  }
  if (is_pooled(metric, about$resampling)) {
    # A function of the user need not have a value for a single split.
    values <- NA
    if (is.null(metric$fun)) values <- split_means(tables, metric, about)
  }
  half <- splits_half(values, about, z)
  rows <- held_out(tables, about)
  limits <- if (metric$label == "AUC") {
    auc_limits(tables, rows, mean, metric$positive %||% 1L, z)
  } else if (isTRUE(metric$share)) {
    wrong <- lapply(tables, \(table) table$predicted != table$truth)
    wilson_interval(mean, effective_size(
      Reduce(`+`, wrong) / length(wrong), rows,
      if (isTRUE(metric$classwise)) tables[[1L]]$truth
    ), z)
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

# Returns how far two corrected standard errors of a mean reach, at the level of
# 95 %.
splits_half <- function(values, about, z) {
  ratio <- test_ratio(about$resampling, about$splits, about$group)
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
  sample <- tables[[1L]]$sample
  list(
    sample = sample, unit = about$group[sample] %||% sample,
    repetition = repetition_of(about$splits)[tables[[1L]]$split]
  )
}

#' As how many independent samples held-out ones count
#'
#' Not more than there are samples, not fewer than independent units: the number
#' by which the binomial variance is that of the mean over units, averaged over
#' repetitions.
#' @param class With it, the share is a mean over classes, of which the smallest
#'   decides.
#' @param times How often a sample is predicted, if these are some of the
#'   predictions.
#' @noRd
effective_size <- function(wrong, rows, class = NULL, times = NULL) {
  known <- !is.na(wrong)
  rows <- lapply(rows, `[`, known)
  class <- factor((class %||% rep("all", length(wrong)))[known])
  wrong <- wrong[known]
  rate <- as.vector(tapply(wrong, class, mean))
  size <- function(n) length(n)^2 / sum(1 / n)
  distinct <- function(of) tapply(of, class, \(of) length(unique(of)))
  times <- times %||% (length(wrong) / length(unique(rows$sample)))
  n <- tabulate(class) / times
  units <- size(n * distinct(rows$unit) / distinct(rows$sample))
  binomial <- mean(rate) * (1 - mean(rate))
  if (identical(rows$unit, rows$sample) || binomial == 0) {
    return(units)
  }
  effect <- vapply(split(seq_along(wrong), rows$repetition), function(of) {
    n <- tabulate(class[of], nlevels(class))
    left <- wrong[of] - stats::ave(wrong[of], class[of])
    sums <- rowsum(left / n[class[of]], rows$unit[of]) / sum(n > 0)
    sum(sums^2) * length(sums) / max(1, length(sums) - 1) * size(n[n > 0]) /
      binomial
  }, 0)
  max(units, size(n) / max(1, mean(effect)))
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

#' The interval of an area under the ROC curve, on the logit scale
#'
#' Without any spread (all in order) it is that of a share of the smallest
#' class.
#' @param tables Lists of truth and score. @param rows See held_out().
#' @param area The mean over repetitions.
#' @noRd
auc_limits <- function(tables, rows, area, positive, z) {
  truth <- tables[[1L]]$truth
  once <- !duplicated(rows$sample)
  n <- sort(table(truth[once]))
  n <- n[n > 0]
  least <- 0.5 / prod(n[1:2])
  held <- min(max(area, least), 1 - least)
  variance <- vapply(split(seq_along(truth), rows$repetition), function(of) {
    terms <- lapply(tables, function(table) {
      auc_terms(
        truth[of], table$score[of, , drop = FALSE], rows$unit[of], positive,
        held
      )
    })
    sums <- rowsum(Reduce(`+`, terms) / length(terms), rows$unit[of])
    sum(sums^2) * length(of) / sum(n)
  }, 0)
  spread <- z * sqrt(mean(variance, na.rm = TRUE))
  if (spread < 1e-9) {
    k <- n[[1L]]
    return(unlist(exact_interval(area * k, k, 2 * stats::pnorm(z) - 1)))
  }
  stats::plogis(stats::qlogis(held) + c(-1, 1) * spread / (held * (1 - held)))
}

#' What each sample adds to the error of an area under the ROC curve
#'
#' With two classes and a unit for each sample the sum of their squares is
#' DeLong's variance; with more classes the area is the mean over ordered pairs
#' of classes, and samples of one unit are added before they are squared.
#' @noRd
auc_terms <- function(truth, score, unit, positive, area) {
  label <- as.integer(truth)
  n <- tabulate(label, nlevels(truth))
  present <- which(n > 0L)
  if (length(present) < 2L || anyNA(score)) {
    return(rep(NA_real_, length(label)))
  }
  terms <- numeric(length(label))
  classes <- if (nlevels(truth) == 2L) positive else present
  for (class in classes) {
    of <- label == class
    s <- score[, class]
    weight <- 1 / n[label[!of]]
    terms[of] <- terms[of] +
      placements(s[of], s[!of], weight) * (length(present) - 1L)
    terms[!of] <- terms[!of] + 1 - placements(s[!of], s[of])
  }
  for (class in present) {
    of <- label == class
    units <- length(unique(unit[of]))
    terms[of] <- if (units > 1L) {
      (terms[of] - mean(terms[of])) * sqrt(units / (units - 1)) / sum(of)
    } else {
      # One unit does not tell how far others would be from it.
      2 * length(classes) * (length(present) - 1L) / length(present) *
        sqrt(area * (1 - area)) / sum(of)
    }
  }
  terms / (length(classes) * (length(present) - 1L))
}
