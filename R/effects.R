# Layer: fit. What each feature shows alone: differences between the classes,
# within pairs or blocks where there are such, and how much of an effect may be
# expected on new samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Class means, and differences with what their tests need
#'
#' @param preprocess See prepare_scaling(). @param run What the core gave.
#' Units with several samples count once, see unit_differences().
#' @return list(class_means, features x classes; class_spread, the standard
#'   deviations by which differences are divided, by feature, of pairs also by
#'   class; contrasts: list(difference: within blocks or pairs, features x
#'   classes, or NULL; variance: of effects, by class, in one row if all
#'   features have the same; df: of their tests, likewise)); NA for
#'   categories.
#' @noRd
class_differences <- function(problem, preprocess, run) {
  found <- problem$differences
  n <- problem$present %||% rbind(tabulate(problem$y, nlevels(problem$y)))
  if (is.null(found)) {
    # A class without values is none of the others.
    of_mean <- ifelse(n > 0, 1 / n, 0)
    found <- list(
      means = preprocess$class_means, spread = preprocess$class_spread,
      variance = 1 / n +
        (rowSums(of_mean) - of_mean) / pmax(1, rowSums(n > 0) - 1)^2,
      df = matrix(rowSums(pmax(n - 1, 0)), nrow(n), ncol(n))
    )
  }
  if (!is.null(problem$block)) {
    within <- within_blocks(problem, attr(run, "threads"))
    found[names(within)] <- within
  }
  if (is.null(problem$differences) && has_several(problem$design)) {
    by_unit <- unit_differences(problem, found$spread, attr(run, "threads"))
    n <- by_unit$n
    found[c("difference", "variance", "df")] <-
      by_unit[c("difference", "variance", "df")]
  }
  found$variance <- without_few(found$variance, n)
  dimnames(found$means) <- list(problem$features, levels(problem$y))
  found$spread[is.nan(found$spread)] <- NA # one sample of each class
  for (of in intersect(c("means", "difference"), names(found))) {
    found[[of]][is.nan(found[[of]])] <- NA # all values of a class are missing
    found[[of]][problem$features %in% names(problem$levels), ] <- NA
  }
  list(
    class_means = found$means, class_spread = found$spread,
    contrasts = list(
      difference = found$difference, variance = unname(found$variance),
      df = unname(found$df)
    )
  )
}

# Returns NA in place of the variances of effects of classes with one or two
# samples, or units: the spread in such a class is not known. Two classes have
# one effect.
without_few <- function(variance, n) {
  few <- ifelse(n < 3, NA, 0)
  if (ncol(few) == 2L) few[] <- rowSums(few)
  # There is one row, or one for each feature.
  unlist(lapply(seq_len(ncol(n)), \(k) variance[, k] + few[, k])) |>
    matrix(ncol = ncol(n))
}

#' Differences within blocks
#'
#' In each block the mean of a class less the mean of the others' means there,
#' weighted by the inverse of its variance: with two classes n1 n2 / (n1 + n2).
#' Blocks without the class, or without others, have no weight.
#' @return list(difference, variance, spread: within class and block, df), see
#'   class_differences().
#' @noRd
within_blocks <- function(problem, threads) {
  # To the core, the classes of each block are classes.
  cell <- droplevels(interaction(problem$y, problem$design$block))
  n_classes <- nlevels(problem$y)
  first <- match(levels(cell), cell)
  class <- as.integer(problem$y)[first]
  n <- if (is.null(problem$present)) {
    cbind(tabulate(cell))
  } else {
    t(count_present(problem, cell)$features)
  }
  problem$y <- cell
  found <- cpp_scaling(problem, "none", core_runtime(threads))
  mean <- t(found$class_means)
  mean[is.nan(mean)] <- 0
  in_block <- function(of) {
    rowsum(of, problem$design$block[first])[
      as.character(problem$design$block[first]), , drop = FALSE
    ]
  }
  by_class <- function(of) {
    all <- matrix(0, n_classes, ncol(of))
    all[sort(unique(class)), ] <- rowsum(of, class)
    t(all)
  }
  # `n` is one number for each cell, or for each cell and feature.
  times <- function(n, of) if (ncol(n) == 1L) n[, 1L] * of else n * of
  others <- in_block(0 + (n > 0)) - 1
  of_mean <- ifelse(n > 0, 1 / n, 0)
  weight <- 1 / (1 / n + (in_block(of_mean) - 1 / n) / others^2)
  weight[n == 0 | others <= 0] <- 0
  difference <- mean - times(1 / pmax(others, 1), in_block(mean) - mean)
  total <- by_class(weight)
  difference <- by_class(times(weight, difference)) /
    total[rep_len(seq_len(nrow(total)), ncol(mean)), , drop = FALSE]
  # What rounding leaves of equal means is no difference.
  difference[abs(difference) <= 1e-12 * colSums(abs(mean))] <- 0
  difference[is.nan(difference)] <- NA
  list(
    difference = difference, variance = 1 / total, spread = found$class_spread,
    df = matrix(colSums(pmax(n - 1, 0)), nrow(total), ncol(total))
  )
}

# The columns of survival times.
hazard_table <- function(hazard, rows = seq_along(hazard$z), raw = TRUE) {
  effect <- hazard$effect * expected_share(hazard$z, hazard$df %||% Inf)
  table <- list2DF(list(
    direction = hazard_direction(hazard$z[rows]), effect = effect[rows],
    z = hazard$z[rows]
  ))
  if (raw) table$effect_raw <- hazard$effect[rows]
  table
}

# From so many features the share of noise among them is learned.
enough_effects <- 50L

#' Which share of an effect is expected on new samples: empirical Bayes over all
#' features, with a mixture of normals of mean 0 as the prior (Stephens 2017)
#'
#' @param t Effects over their standard errors; not finite where there is none.
#' @param df Their degrees of freedom.
#' @return Of each feature; 1 for all if there are fewer than 50.
#' @noRd
expected_share <- function(t, df) {
  df <- rep_len(df, length(t))
  known <- which(is.finite(t) & df >= 1)
  if (length(known) < enough_effects) {
    return(rep(1, length(t)))
  }
  # On the normal scale, because t of few samples has long tails.
  z <- stats::pt(-abs(t[known]), df[known], log.p = TRUE) |>
    stats::qnorm(log.p = TRUE)
  scale <- c(0, 0.5, 1, 2, 3, 4, 6, 8, 12)
  scale <- scale[scale <= max(0.5, -z)]
  # Relative to that of the widest, so that none vanishes.
  likelihood <- function(z) {
    log <- -outer(z^2 / 2, 1 / (1 + scale^2))
    log <- log - log[, length(scale)]
    exp(t(t(log) - log(1 + scale^2) / 2))
  }
  # Many features of about one value are counted together.
  value <- if (length(z) > 2000L) 0.005 * round(z / 0.005) else z
  values <- sort(unique(value))
  n <- tabulate(match(value, values))
  by_value <- likelihood(values)
  weight <- c(length(scale), rep(1, length(scale) - 1L))
  for (step in seq_len(200L)) {
    weight <- weight / sum(weight)
    weight <- weight * drop(
      crossprod(by_value, n / drop(by_value %*% weight))
    )
    weight[[1L]] <- weight[[1L]] + 5
  }
  posterior <- likelihood(z) %*% cbind(weight, weight * scale^2 / (1 + scale^2))
  share <- rep(1, length(t))
  share[known] <- posterior[, 2L] / posterior[, 1L]
  share
}
