# Layer: fit. Effects where units (patients, donors) have several samples: each
# unit counts once, whatever the number of its samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Differences between classes, by units
#'
#' A unit's value of a class is the mean of its samples of the class, its value
#' of the other classes the mean of its values of these. Units with both give
#' their differences, the others two samples of units; the two estimates, and
#' those of blocks, are weighted by the inverse of their variances.
#' @param spread Of each feature, within classes: variances are in its unit.
#' @return list(difference, variance, df: features x classes, see
#'   class_differences(); n: units that have the class, likewise).
#' @noRd
unit_differences <- function(problem, spread, threads) {
  y <- problem$y
  n_classes <- nlevels(y)
  block <- blocks_of(problem$design)
  unit <- match(problem$design$unit, unique(problem$design$unit))
  # A unit counts in each of its blocks.
  donor <- unit * (max(block) + 1) + block
  donor <- match(donor, unique(donor))
  cell <- (donor - 1) * n_classes + as.integer(y)
  cells <- sort(unique(cell[!is.na(y)]))
  problem$y <- factor(match(cell, cells))
  means <- cpp_scaling(problem, "none", core_runtime(threads))$class_means
  spread <- replace(spread, !spread > 0 | is.na(spread), 1)
  means <- t(means / spread)
  class <- (cells - 1) %% n_classes + 1
  of <- (cells - 1) %/% n_classes + 1
  side <- function(chosen) {
    known <- !is.na(means[chosen, , drop = FALSE])
    sums <- replace(means[chosen, , drop = FALSE], !known, 0) |>
      rowsum(of[chosen])
    n <- rowsum(0 + known, of[chosen])
    all <- matrix(NA_real_, max(donor), ncol(means))
    all[as.integer(rownames(sums)), ] <- sums / n
    all
  }
  first <- match(seq_len(max(donor)), donor)
  units_of <- function(values) {
    colSums(rowsum(0 + !is.na(values), unit[first]) > 0)
  }
  parts <- lapply(seq_len(if (n_classes == 2L) 1L else n_classes), function(k) {
    own <- side(class == k)
    rest <- side(class != k)
    estimates <- lapply(split(seq_along(first), block[first]), function(rows) {
      two_kinds(own[rows, , drop = FALSE], rest[rows, , drop = FALSE])
    })
    found <- weighted_estimate(unlist(estimates, recursive = FALSE))
    found$difference <- found$difference * spread
    found$n <- units_of(own)
    found$rest <- if (n_classes == 2L) units_of(rest)
    found
  })
  # The second of two classes is the first one's mirror.
  if (n_classes == 2L) {
    parts[[2L]] <- replace(parts[[1L]], c("difference", "n"), list(
      -parts[[1L]]$difference, parts[[1L]]$rest
    ))
  }
  fields <- c("difference", "variance", "df", "n")
  lapply(stats::setNames(nm = fields), function(field) {
    do.call(cbind, lapply(parts, `[[`, field))
  })
}

#' What units with two values say of their difference, and what units with one
#'
#' A single unit with both counts as two, one on each side. Where a kind of
#' units has no spread, as where a gene is not expressed, its mean spread over
#' features stands for it.
#' @param own,rest Units x features, NA where there is none.
#' @return Two lists of difference, variance and df by feature; df is below 1
#'   where there is no estimate.
#' @noRd
two_kinds <- function(own, rest) {
  both <- !is.na(own) & !is.na(rest)
  both[, colSums(both) < 2] <- FALSE
  paired <- unit_sums(replace(own - rest, !both, NA))
  first <- unit_sums(replace(own, both, NA))
  second <- unit_sums(replace(rest, both, NA))
  alone <- ifelse(first$n > 0 & second$n > 0, first$n + second$n - 2, 0)
  noise <- 1e-24 * (first$size + second$size + paired$size)
  variance <- function(squares, df, times) {
    s2 <- ifelse(df > 0, squares / df, NA)
    times * replace(s2, which(s2 <= noise), mean(s2, na.rm = TRUE))
  }
  list(
    list(
      difference = paired$mean, df = paired$n - 1,
      variance = variance(paired$squares, paired$n - 1, 1 / paired$n)
    ),
    list(
      difference = first$mean - second$mean, df = alone,
      variance = variance(
        first$squares + second$squares, alone, 1 / first$n + 1 / second$n
      )
    )
  )
}

unit_sums <- function(values) {
  n <- colSums(!is.na(values))
  mean <- colSums(values, na.rm = TRUE) / n
  off <- values - rep(mean, each = nrow(values))
  list(
    n = n, mean = mean, squares = colSums(off^2, na.rm = TRUE),
    size = colSums(values^2, na.rm = TRUE)
  )
}

# Returns the mean of estimates, weighted by the inverse of their variances,
# with Satterthwaite's df: an estimate that weighs most because its few units
# agree by chance brings its own few degrees of freedom.
weighted_estimate <- function(estimates) {
  sum_of <- function(term) {
    terms <- lapply(estimates, function(part) {
      there <- part$df >= 1 & part$variance > 0
      ifelse(there %in% TRUE, term(part), 0)
    })
    Reduce(`+`, terms)
  }
  weight <- sum_of(\(part) 1 / part$variance)
  list(
    difference = sum_of(\(part) part$difference / part$variance) / weight,
    variance = 1 / weight,
    df = weight^2 / sum_of(\(part) 1 / (part$variance^2 * part$df))
  )
}

# ---- survival times ----------------------------------------------------------

#' Cox's score test of every feature, with the variance of the score by units
#' (Lin and Wei 1989)
#'
#' @return As hazard_scores(), with `df` where units have several samples.
#' @noRd
unit_hazards <- function(problem, runtime) {
  found <- hazard_scores(problem, runtime)
  design <- problem$design
  if (!has_several(design)) {
    return(found)
  }
  y <- times_of(problem$y)
  strata <- split(seq_along(y$time), blocks_of(design))
  at <- seq_along(problem$features)
  parts <- split(at, (at - 1) %/% columns_at_once(length(y$time)))
  tests <- lapply(parts, function(at) {
    values <- feature_values(problem, at)
    known <- !is.na(values)
    # In shares of the largest difference from the mean, so that no square
    # overflows and no digits cancel.
    values <- values - rep(colMeans(values, na.rm = TRUE), each = nrow(values))
    largest <- apply(abs(values), 2L, max, 0, na.rm = TRUE)
    values <- values / rep(replace(largest, largest == 0, 1),
      each = nrow(values))
    for (rows in strata) {
      values[rows, ] <- score_residuals(
        values[rows, , drop = FALSE], y$time[rows], y$event[rows]
      )
    }
    sums <- rowsum(values, design$unit)
    cbind(
      z = colSums(sums) / sqrt(colSums(sums^2)),
      df = colSums(rowsum(0 + known, design$unit) > 0) - 1
    )
  })
  tests <- do.call(rbind, tests)
  # Of a feature that varies in no risk set, rounding is left.
  found$z <- ifelse(found$z == 0, 0, unname(tests[, "z"]))
  found$df <- unname(tests[, "df"])
  found
}

#' What each sample adds to the score of Cox's model without effects
#'
#' @param values Samples x features; a missing value adds nothing.
#' @noRd
score_residuals <- function(values, time, event) {
  known <- !is.na(values)
  values[!known] <- 0
  at <- match(time, sort(unique(time)))
  sums <- function(of) unname(rowsum(of, at))
  along <- function(of, steps = seq_len(nrow(of))) {
    of[] <- apply(of[steps, , drop = FALSE], 2L, cumsum)
    of[steps, , drop = FALSE]
  }
  later <- rev(seq_len(max(at)))
  at_risk <- along(sums(0 + known), later)
  mean <- along(sums(values), later) / pmax(at_risk, 1)
  hazard <- sums(event * known) / pmax(at_risk, 1)
  known * (event * (values - mean[at, , drop = FALSE]) -
    values * along(hazard)[at, , drop = FALSE] +
    along(mean * hazard)[at, , drop = FALSE])
}
