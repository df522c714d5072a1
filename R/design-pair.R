# Layer: input. What is computed within matched pairs: differences between
# classes, and the effects of batches that cross the pairs.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Class means over pairs, and the spread of the differences within pairs
#'
#' Each pair counts once: its value of a class is the mean of its samples of the
#' class, its difference that value less the mean of its other classes' values.
#' @return list(means, difference: the mean over pairs, spread, variance of the
#'   effects, df): features x classes, the last two in one row if no value is
#'   missing.
#' @noRd
within_pairs <- function(values, codes, y) {
  cell <- (codes - 1) * nlevels(y) + as.integer(y)
  known <- which(!is.na(y))
  means <- rowsum(values[known, , drop = FALSE], cell[known]) /
    as.vector(table(cell[known]))
  cell <- sort(unique(cell[known]))
  pair <- (cell - 1) %/% nlevels(y)
  class <- (cell - 1) %% nlevels(y) + 1
  others <- stats::ave(cell, pair, FUN = length) - 1
  sums <- rowsum(means, pair)[match(pair, sort(unique(pair))), , drop = FALSE]
  differences <- means - (sums - means) / others
  by_class <- function(of, fun) {
    vapply(seq_len(nlevels(y)), function(k) {
      fun(of[class == k, , drop = FALSE])
    }, numeric(ncol(values))) |>
      matrix(ncol = nlevels(y))
  }
  spread <- function(d) {
    d <- d - rep(colMeans(d, na.rm = TRUE), each = nrow(d))
    sqrt(colSums(d^2, na.rm = TRUE) / (count(d) - 1))
  }
  count <- function(d) nrow(d) - colSums(is.na(d))
  n <- by_class(differences, count)
  if (!anyNA(differences)) n <- n[1L, , drop = FALSE]
  mean_of <- \(of) by_class(of, \(m) colMeans(m, na.rm = TRUE))
  list(
    means = mean_of(means), difference = mean_of(differences),
    spread = by_class(differences, spread), variance = 1 / n,
    df = n - 1
  )
}

#' A problem of pairs without the effects of the blocks that cross them
#'
#' Least squares with pair and class, over the training samples. What selectors
#' get has no blocks any more.
#' @param train Positions of the training samples, which for an evaluation are
#'   some of them: values are then differences again.
#' @return The problem, with `effects_of_blocks`: blocks x features, named.
#' @noRd
without_blocks <- function(problem, train = NULL) {
  design <- problem$design
  if (is.null(design$pair) || is.null(design$block)) {
    return(problem)
  }
  levels <- unique(design$given$block)
  of_block <- outer(design$given$block, levels, "==") + 0
  used <- train %||% seq_along(problem$y)
  used <- used[!is.na(problem$y[used])]
  apart <- \(of) centre_pairs(of[used, , drop = FALSE], design$pair[used])
  n_classes <- nlevels(problem$y)
  class <- apart(outer(as.integer(problem$y), seq_len(n_classes), "==") + 0)
  terms <- cbind(class, apart(of_block))[, -c(1L, n_classes + 1L), drop = FALSE]
  # A block without training samples has no effect to take out.
  varies <- colSums(abs(terms)) > 0
  terms <- terms[, varies, drop = FALSE]
  fit <- qr(terms)
  if (fit$rank < ncol(terms)) {
    abort_input(c(
      "{.arg block} cannot be told from the classes within pairs.",
      i = "Some pairs need both classes in one block, or the classes in other
           blocks than in other pairs."
    ), "block")
  }
  found <- known_slopes(fit, terms, apart(problem$values))
  effects <- matrix(0, length(levels), ncol(problem$values),
    dimnames = list(levels, problem$features)
  )
  of_blocks <- which(varies) >= n_classes
  effects[which(varies)[of_blocks] - n_classes + 2L, ] <- found[of_blocks, ]
  problem$values <- problem$values - of_block %*% effects
  if (!is.null(train)) {
    problem$values <- centre_pairs(problem$values, design$pair)
  }
  problem$effects_of_blocks <- effects
  problem$design$given$block <- NULL
  problem
}
