# Layer: evaluate. The metrics of classes: errors, F1 and the area under the ROC
# curve, with their limits and the losses of single samples.
# SPDX-License-Identifier: GPL-3.0-or-later

# Counts, rows truth, columns prediction.
confusion <- function(table) {
  n <- nlevels(table$truth)
  cell <- as.integer(table$truth) + n * (as.integer(table$predicted) - 1L)
  matrix(tabulate(cell, n * n), n)
}

balanced_error <- function(table, metric) {
  if (!is.null(table$unit)) {
    rows <- split(seq_len(nrow(table)), table$truth, drop = TRUE)
    return(mean(vapply(rows, function(of) error_of(table[of, ]), 0)))
  }
  m <- confusion(table)
  truth <- rowSums(m)
  1 - mean((diag(m) / truth)[truth > 0])
}

macro_f1 <- function(table, metric) {
  m <- confusion(table)
  truth <- rowSums(m)
  # 2PR/(P+R) is 2 TP/(2 TP + FP + FN), which is 0 and not undefined for TP = 0.
  mean((2 * diag(m) / (truth + colSums(m)))[truth > 0])
}

#' Mann-Whitney area with ties 1/2; with three or more classes the mean over
#' ordered pairs of classes, by the scores of the first
#' @param positive Number of the positive one of two classes.
#' @noRd
auc <- function(truth, score, positive = 1L) {
  present <- which(tabulate(truth, nlevels(truth)) > 0L)
  if (length(present) < 2L || is.null(score) || anyNA(score)) {
    return(NA_real_)
  }
  label <- as.integer(truth)
  if (nlevels(truth) == 2L) {
    return(areas_above(score[, positive], label == positive, label))
  }
  mean(unlist(lapply(present, function(class) {
    areas_above(score[, class], label == class, label)
  })))
}

# Returns the area between the positive samples and those of each other label.
# Each sample is placed once, so that many classes take no longer than few.
areas_above <- function(score, positive, label) {
  below <- placements(score[!positive], score[positive])
  as.vector(tapply(1 - below, label[!positive], mean))
}

wrong_ones <- function(table, curve = NULL) {
  0 + (table$predicted != table$truth)
}

error_of <- function(table, metric = NULL) {
  unit_mean(wrong_ones(table), table$unit)
}

# The error of each class weighs as much. The mean over units of the means of
# their samples' losses is the balanced error.
balanced_losses <- function(table, curve) {
  once <- !duplicated(table$sample)
  truth <- table$truth[once]
  unit <- curve$design$unit[table$sample[once]]
  units <- tapply(unit, truth, \(of) length(unique(of)), default = 0)
  share <- as.vector(units) / length(unique(unit))
  size <- function(...) stats::ave(seq_along(unit), ..., FUN = length)
  parts <- (size(unit) / size(unit, truth))[match(table$sample,
    table$sample[once])]
  wrong_ones(table) / (sum(share > 0) * share[table$truth]) * parts
}

# The variance of their mean over units is that of the area under the ROC curve.
area_losses <- function(rows, curve) {
  pool <- pool_of(metric_of(curve), curve)[rows$split]
  positive <- positive_of(curve)
  loss <- rep(NA_real_, nrow(rows))
  for (at in split(seq_along(loss), paste(pool, rows$size))) {
    of <- rows[at, ]
    if (all(rows$truth %in% of$truth)) {
      unit <- curve$design$unit[of$sample]
      loss[at] <- unit_sizes(unit) * auc_terms(
        of$truth, of$score, unit, positive, auc(of$truth, of$score, positive)
      )
    }
  }
  loss
}

positive_of <- function(curve) {
  class <- positive_class(curve$positive, curve$classes)
  match(class %||% curve$classes[[1L]], curve$classes)
}

# ---- limits ------------------------------------------------------------------

#' The interval of a share of held-out samples, by class
#'
#' Splits keep the shares of the classes, so that only the errors within classes
#' vary: each class has Wilson's interval, with as many samples as its held-out
#' ones are worth, and the squares of the half widths are added. A unit is of
#' the class of most of its samples. In a mean over classes it counts in each of
#' its own, and the half widths are added.
#' @noRd
share_limits <- function(tables, rows, mean, metric, z) {
  wrong <- Reduce(`+`, lapply(tables, wrong_ones)) / length(tables)
  known <- !is.na(wrong)
  rows <- lapply(rows, `[`, known)
  hit <- if (metric$larger) 1 - wrong[known] else wrong[known]
  class <- tables[[1L]]$truth[known]
  by_class <- isTRUE(metric$classwise)
  if (!by_class && !identical(rows$unit, rows$sample)) {
    design <- new_design(length(class), list(group = rows$unit))
    units <- sample_units(class, design)
    class <- units$y[units$of]
  }
  units <- lapply(split(rows$unit, class, drop = TRUE), unique)
  halves <- vapply(split(seq_along(hit), class, drop = TRUE), function(of) {
    share <- unit_mean(hit[of], rows$unit[of])
    n <- effective_size(hit[of], lapply(rows, `[`, of))
    wilson_interval(share, n, z) - share
  }, numeric(2L))
  weight <- if (by_class) rep(1, length(units)) else lengths(units)
  halves <- abs(halves) * rep(weight / sum(weight), each = 2L)
  apart <- anyDuplicated(unlist(units)) == 0L
  reach <- if (apart) sqrt(rowSums(halves^2)) else rowSums(halves)
  mean + c(-1, 1) * reach
}

#' The interval of an area under the ROC curve, on the logit scale
#'
#' Without any spread (all in order) it is that of a share of the smallest
#' class.
#' @param tables Lists of truth and score. @param rows See held_out().
#' @param area The mean over repetitions.
#' @noRd
auc_limits <- function(tables, rows, area, metric, z) {
  positive <- metric$positive %||% 1L
  truth <- tables[[1L]]$truth
  once <- !duplicated(rows$sample)
  n <- sort(table(truth[once]))
  n <- n[n > 0]
  least <- 0.5 / prod(n[1:2])
  units <- tapply(rows$unit, truth, \(of) length(unique(of)))
  k <- min(units, na.rm = TRUE)
  level <- stats::pnorm(z)
  if (!identical(rows$unit, rows$sample)) {
    # The variance is known as well as that of the class with the fewest units.
    level <- stats::pt(z, max(1, length(unique(rows$unit)) - 1))
    z <- stats::qt(level, max(1, k - 1))
  }
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
    return(unlist(exact_interval(area * k, k, 2 * level - 1)))
  }
  logit_limits(held, spread)
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

# ---- the list ----------------------------------------------------------------

# See as_metric().
class_metrics <- list(
  error = list(
    larger = FALSE, pooled = FALSE, share = TRUE, single = TRUE,
    label = "error", losses = wrong_ones, limits = share_limits,
    value = error_of
  ),
  balanced_error = list(
    larger = FALSE, pooled = FALSE, share = TRUE, classwise = TRUE,
    label = "balanced error", value = balanced_error, losses = balanced_losses,
    limits = share_limits
  ),
  macro_f1 = list(
    larger = TRUE, pooled = TRUE, share = TRUE, classwise = TRUE,
    label = "macro F1", value = macro_f1, limits = share_limits
  ),
  micro_f1 = list(
    larger = TRUE, pooled = TRUE, share = TRUE, label = "micro F1 (accuracy)",
    losses = wrong_ones, limits = share_limits,
    value = function(table, metric) {
      unit_mean(1 - wrong_ones(table), table$unit)
    }
  ),
  auc = list(
    larger = TRUE, pooled = TRUE, scores = TRUE, classwise = TRUE,
    label = "AUC", losses = area_losses, limits = auc_limits,
    value = function(table, metric) {
      auc(table$truth, table$score, metric$positive %||% 1L)
    }
  )
)
