# Data with known relevant features. Drawn from R's stream: set.seed() governs.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Simulate two classes, one of which has two clusters
#'
#' The toy problem of the LLFS paper (its Fig. 4): class `one` lies around
#' `(-shift, 0)` (group A) and `(0, -shift)` (group B), class `two` around the
#' origin (group C), with unit variance, among irrelevant features. A sample of
#' A differs from class `two` only in the first feature, a sample of B only in
#' the second. A global weighting cannot show this, a localized selection can.
#'
#' @param n Numbers of samples of the groups A, B and C.
#' @param noise Number of irrelevant N(0, 1) features.
#' @param shift Distance of the groups A and B from C, in standard deviations.
#' @return A list: `x` (samples x features; the relevant features are `x1` and
#'   `x2`, the others `noise1`, ...), `y` (factor), `relevant` (names), `group`
#'   (factor A, B, C).
#' @references
#' `r reference("llfs")`
#' @examples
#' toy <- simulate_localized(noise = 10)
#' table(toy$group, toy$y)
#' @export
simulate_localized <- function(n = c(25, 25, 50), noise = 100, shift = 6) {
  if (!is.numeric(n) || length(n) != 3L || anyNA(n)) {
    abort_input("{.arg n} must be three whole numbers, not {describe(n)}.", "n")
  }
  n <- vapply(n, check_count, 1L, arg = "n")
  noise <- check_count(noise, min = 0)
  shift <- check_number(shift)
  check_numbers_fit(sum(as.double(n)) * (noise + 2), "noise")
  group <- factor(rep(c("A", "B", "C"), n))
  x <- matrix(stats::rnorm(length(group) * (2L + noise)), length(group))
  x[group == "A", 1L] <- x[group == "A", 1L] - shift
  x[group == "B", 2L] <- x[group == "B", 2L] - shift
  colnames(x) <- c("x1", "x2", sprintf("noise%d", seq_len(noise)))
  list(
    x = x, y = factor(ifelse(group == "C", "two", "one")),
    relevant = c("x1", "x2"), group = group
  )
}

#' Simulate a small microarray
#'
#' Simulates log-intensities of genes in correlated blocks, like co-regulated
#' genes. In every class, a different set of genes is raised.
#'
#' @param n Number of samples in each class: two or more whole numbers.
#' @param genes Number of genes.
#' @param relevant Number of raised genes per class.
#' @param effect Increase of the raised genes, in standard deviations.
#' @param block,correlation Size of the blocks of genes, and the correlation of
#'   two genes of one block, in \[0, 1\].
#' @return A list: `x` (samples x genes, named `gene1`, ...), `y` (factor
#'   `class1`, ...), `relevant` (names of the raised genes).
#' @examples
#' array <- simulate_microarray(genes = 100)
#' dim(array$x)
#' @export
simulate_microarray <- function(n = c(20, 20, 20), genes = 2000,
                                relevant = 10, effect = 1.5, block = 50,
                                correlation = 0.3) {
  if (!is.numeric(n) || length(n) < 2L || anyNA(n)) {
    abort_input(
      "{.arg n} must be two or more whole numbers, not {describe(n)}.", "n"
    )
  }
  n <- vapply(n, check_count, 1L, arg = "n")
  genes <- check_count(genes)
  relevant <- check_count(relevant, min = 0, max = genes %/% length(n))
  effect <- check_number(effect)
  block <- check_count(block)
  correlation <- check_number(correlation, min = 0, max = 1)
  check_numbers_fit(sum(as.double(n)) * genes, "genes")
  y <- factor(rep(sprintf("class%d", seq_along(n)), n),
    levels = sprintf("class%d", seq_along(n))
  )
  common <- matrix(stats::rnorm(length(y) * ceiling(genes / block)), length(y))
  own <- matrix(stats::rnorm(length(y) * genes), length(y))
  x <- 8 + sqrt(correlation) * common[, (seq_len(genes) - 1L) %/% block + 1L] +
    sqrt(1 - correlation) * own
  # Raised genes are spread over the blocks.
  raised <- sample.int(genes, relevant * length(n))
  for (c in seq_along(n)) {
    mine <- raised[seq_len(relevant) + (c - 1L) * relevant]
    x[y == levels(y)[[c]], mine] <- x[y == levels(y)[[c]], mine] + effect
  }
  colnames(x) <- sprintf("gene%d", seq_len(genes))
  list(x = x, y = y, relevant = colnames(x)[sort(raised)])
}
