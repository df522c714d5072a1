# Layer: fit. What each feature shows alone: differences between the classes,
# within pairs or blocks where there are such, and how much of an effect may be
# expected on new samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Class means, and differences with what their tests need
#'
#' @param preprocess See prepare_scaling().
#' @return list(class_means, features x classes; class_spread, the standard
#'   deviations by which differences are divided, by feature, of pairs also by
#'   class; contrasts: list(difference: within blocks, features x classes, or
#'   NULL; variance: of effects, by class, in one row if all features have the
#'   same; df: of their tests, likewise)); NULL without classes.
#' @noRd
class_differences <- function(problem, preprocess, threads) {
  if (outcome_kind(problem$y) != "classes") {
    return(NULL)
  }
  found <- problem$in_pairs
  if (is.null(found)) {
    n <- problem$present %||% rbind(tabulate(problem$y, nlevels(problem$y)))
    found <- list(
      means = preprocess$class_means, spread = preprocess$class_spread,
      variance = 1 / n + (rowSums(1 / n) - 1 / n) / max(1, ncol(n) - 1)^2,
      df = matrix(rowSums(pmax(n - 1, 0)), nrow(n), ncol(n))
    )
  }
  if (!is.null(problem$block)) {
    within <- within_blocks(problem, preprocess, threads)
    found[names(within)] <- within
  }
  dimnames(found$means) <- list(problem$features, levels(problem$y))
  found$spread[is.nan(found$spread)] <- NA # one sample of each class
  found$means[is.nan(found$means)] <- NA # all values of a class are missing
  list(
    class_means = found$means, class_spread = found$spread,
    contrasts = list(
      difference = found$difference, variance = unname(found$variance),
      df = unname(found$df)
    )
  )
}

#' Differences within blocks, some features at a time
#'
#' In each block the mean of a class less the mean of the others' means there,
#' weighted by the inverse of its variance: with two classes n1 n2 / (n1 + n2).
#' Blocks without the class, or without others, have no weight.
#' @return list(difference, variance, spread: within class and block, df), see
#'   class_differences().
#' @noRd
within_blocks <- function(problem, preprocess, threads) {
  n_classes <- nlevels(problem$y)
  n_cells <- max(problem$block) * n_classes
  block <- rep(seq_len(max(problem$block)), each = n_classes)
  known <- which(!is.na(problem$y))
  cell <- ((problem$block - 1) * n_classes + as.integer(problem$y))[known]
  # Squares do not overflow in units of the spread within classes.
  unit <- preprocess$class_spread
  unit[!is.finite(unit) | unit <= 0] <- 1
  of_part <- function(at) {
    x <- cpp_scaled(
      feature_values(problem, at, threads), preprocess$center[at], unit[at]
    )
    if (length(known) < nrow(x)) x <- x[known, , drop = FALSE]
    by_cell <- function(x) {
      all <- matrix(0, n_cells, ncol(x))
      all[sort(unique(cell)), ] <- rowsum(x, cell, na.rm = TRUE)
      all
    }
    # One number for each cell, or for each cell and feature.
    n <- if (is.null(problem$present)) {
      by_cell(matrix(1, length(cell)))
    } else {
      by_cell(0 + !is.na(x))
    }
    in_block <- function(of) rowsum(of, block)[block, , drop = FALSE]
    times <- function(n, of) if (ncol(n) == 1L) n[, 1L] * of else n * of
    others <- in_block(0 + (n > 0)) - 1
    of_mean <- ifelse(n > 0, 1 / n, 0)
    weight <- 1 / (1 / n + (in_block(of_mean) - 1 / n) / others^2)
    weight[n == 0 | others <= 0] <- 0
    mean <- times(of_mean, by_cell(x))
    left <- x - mean[cell, , drop = FALSE]
    df <- colSums(pmax(n - 1, 0))
    difference <- mean - times(1 / pmax(others, 1), in_block(mean) - mean)
    class <- rep(seq_len(n_classes), length.out = n_cells)
    total <- t(rowsum(weight, class))
    difference <- t(rowsum(times(weight, difference), class)) /
      total[rep_len(seq_len(nrow(total)), length(at)), , drop = FALSE]
    # What rounding leaves of equal means is no difference.
    noise <- colSums(abs(mean)) + abs(preprocess$center[at]) / unit[at]
    difference[abs(difference) <= 1e-12 * noise] <- 0
    difference[is.nan(difference)] <- NA
    list(
      difference = difference * unit[at], variance = 1 / total,
      spread = sqrt(colSums(left^2, na.rm = TRUE) / df) * unit[at],
      df = matrix(df, nrow(total), n_classes)
    )
  }
  places <- seq_along(problem$features)
  parts <- lapply(
    unname(split(places, places * as.double(length(problem$y)) %/% 2^21)),
    of_part
  )
  stacked <- function(name, bind) do.call(bind, lapply(parts, `[[`, name))
  by_feature <- function(name) {
    if (is.null(problem$present)) parts[[1L]][[name]] else stacked(name, rbind)
  }
  list(
    difference = stacked("difference", rbind), df = by_feature("df"),
    variance = by_feature("variance"), spread = stacked("spread", c)
  )
}

# The columns of survival times.
hazard_table <- function(hazard, rows = seq_along(hazard$z), raw = TRUE) {
  effect <- hazard$effect * expected_share(hazard$z, Inf)
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
