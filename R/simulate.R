# Layer: input. These functions simulate data with known relevant features. They
# draw from R's stream, so that set.seed() governs.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Simulate two classes, one of which has two clusters
#'
#' The toy problem of the LLFS paper (its Fig. 4): class `one` lies around
#' `(-shift, 0)` (group A) and `(0, -shift)` (group B), class `two` around the
#' origin (group C), with unit variance, among irrelevant features. A sample of
#' A differs from class `two` only in the first feature, a sample of B only in
#' the second.
#'
#' The kinds `"syn1"` to `"syn3"` are the generators of ProtoGate (formulas as
#' in its code, in which the last one differs from the paper): eleven N(0, 1)
#' features, of which `x11` decides by its sign which of two formulas, in other
#' features, makes the class.
#'
#' @param samples Numbers of samples in the groups A, B and C; of `"syn1"` to
#'   `"syn3"` those with `x11` below 0 and above, by default 50 and 150.
#' @param noise Number of irrelevant N(0, 1) features.
#' @param shift Distance of the groups A and B from C, in standard deviations.
#' @param kind `"groups"`: the toy problem of the paper; or `"syn1"`, `"syn2"`,
#'   `"syn3"`.
#' @return A list: `x` (samples x features; the relevant features are `x1` and
#'   `x2`, or `x1` to `x11`, the others `noise1`, ...), `y` (factor), `relevant`
#'   (names), `group` (factor A, B, C, or `below`, `above`), `truth` (samples x
#'   features: which features make the sample's class).
#' @references
#' `r reference("llfs")`
#'
#' `r reference("protogate")`
#' @examples
#' toy <- simulate_localized(noise = 10)
#' table(toy$group, toy$y)
#' @export
simulate_localized <- function(samples = c(25, 25, 50), noise = 100,
                               shift = 6,
                               kind = c("groups", "syn1", "syn2", "syn3")) {
  kind <- check_choice(kind)
  if (kind != "groups") {
    if (missing(samples)) samples <- c(50, 150)
    return(simulate_switched(samples, noise, kind))
  }
  n <- check_samples(samples, 3L)
  noise <- check_count(noise, min = 0)
  shift <- check_number(shift)
  check_numbers_fit(sum(as.double(n)) * (noise + 2), "noise")
  group <- factor(rep(c("A", "B", "C"), n))
  x <- matrix(stats::rnorm(length(group) * (2L + noise)), length(group))
  x[group == "A", 1L] <- x[group == "A", 1L] - shift
  x[group == "B", 2L] <- x[group == "B", 2L] - shift
  colnames(x) <- c("x1", "x2", sprintf("noise%d", seq_len(noise)))
  truth <- matrix(FALSE, nrow(x), ncol(x), dimnames = dimnames(x))
  truth[, 1:2] <- cbind(group != "B", group != "A")
  list(
    x = x, y = factor(ifelse(group == "C", "two", "one")),
    relevant = c("x1", "x2"), group = group, truth = truth
  )
}

# Checks numbers of samples: `how_many` of them, or two and more.
check_samples <- function(samples, how_many = NULL) {
  fine <- is.numeric(samples) && !anyNA(samples) &&
    if (is.null(how_many)) length(samples) > 1L else length(samples) == how_many
  if (!fine) {
    words <- c("two or more", "two", "three")[how_many %||% 1L]
    abort_input(
      "{.arg samples} must be {words} whole numbers, not {describe(samples)}.",
      "samples"
    )
  }
  vapply(samples, check_count, 1L, arg = "samples")
}

# A sample is of class `one` if the exponent of its formula is below 0.
simulate_switched <- function(samples, noise, kind) {
  n <- check_samples(samples, 2L)
  noise <- check_count(noise, min = 0)
  check_numbers_fit(sum(as.double(n)) * (noise + 11), "noise")
  group <- factor(rep(c("below", "above"), n), c("below", "above"))
  x <- matrix(stats::rnorm(length(group) * (11L + noise)), length(group))
  x[, 11L] <- ifelse(group == "below", -1, 1) * abs(x[, 11L])
  colnames(x) <- c(paste0("x", 1:11), sprintf("noise%d", seq_len(noise)))
  squares <- function(of) rowSums(x[, of]^2) - 4
  wave <- -10 * sin(0.2 * x[, 7L]) + abs(x[, 8L]) + x[, 9L]^2 +
    exp(-x[, 10L]) - 2.4
  formulas <- switch(kind,
    syn1 = list(x[, 1L] * x[, 2L] - x[, 3L], squares(3:6)),
    syn2 = list(squares(3:7), wave),
    syn3 = list(x[, 1L] * x[, 2L] + abs(x[, 9L]), wave)
  )
  features <- switch(kind,
    syn1 = list(1:3, 3:6),
    syn2 = list(3:7, 7:10),
    syn3 = list(c(1L, 2L, 9L), 7:10)
  )
  truth <- matrix(FALSE, nrow(x), ncol(x), dimnames = dimnames(x))
  truth[, 11L] <- TRUE
  for (part in 1:2) truth[as.integer(group) == part, features[[part]]] <- TRUE
  exponent <- ifelse(group == "below", formulas[[1L]], formulas[[2L]])
  list(
    x = x, y = factor(ifelse(exponent < 0, "one", "two")),
    relevant = colnames(x)[colSums(truth) > 0], group = group, truth = truth
  )
}

#' Simulate a small microarray
#'
#' Simulates log-intensities of genes in correlated blocks, like co-regulated
#' genes. In every class, a different set of genes is raised.
#'
#' @param samples Number of samples in each class: two or more whole numbers.
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
simulate_microarray <- function(samples = c(20, 20, 20), genes = 2000,
                                relevant = 10, effect = 1.5, block = 50,
                                correlation = 0.3) {
  n <- check_samples(samples)
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
  # Raised genes are spread over the blocks of correlated genes.
  raised <- sample.int(genes, relevant * length(n))
  for (c in seq_along(n)) {
    rows <- y == levels(y)[[c]]
    columns <- raised[seq_len(relevant) + (c - 1L) * relevant]
    x[rows, columns] <- x[rows, columns] + effect
  }
  colnames(x) <- sprintf("gene%d", seq_len(genes))
  list(x = x, y = y, relevant = colnames(x)[sort(raised)])
}

#' Simulate two spirals among irrelevant features
#'
#' Simulates the arms of a Fermat spiral, `+-sqrt(t) (cos t, sin t)`, one for
#' each class, with `t^2` uniform up to `(2 pi turns)^2`. Neither of the two
#' relevant features separates the classes alone.
#'
#' @param samples Numbers of samples in the two classes.
#' @param noise Number of irrelevant N(0, 1) features.
#' @param turns Number of turns of an arm. With more than 2, the first feature
#'   has hardly any signal.
#' @param sd Standard deviation of the noise on the two relevant features.
#' @return A list: `x` (samples x features: `x1`, `x2`, `noise1`, ...), `y`
#'   (factor), `relevant` (names).
#' @references
#' `r reference("logo")`
#' @examples
#' spiral <- simulate_spiral(noise = 0)
#' plot(spiral$x, col = spiral$y)
#' @export
simulate_spiral <- function(samples = c(230, 230), noise = 100, turns = 1.5,
                            sd = 0.05) {
  n <- check_samples(samples, 2L)
  noise <- check_count(noise, min = 0)
  turns <- check_number(turns, above = 0)
  sd <- check_number(sd, min = 0)
  check_numbers_fit(sum(as.double(n)) * (noise + 2), "noise")
  t <- 2 * pi * turns * sqrt(stats::runif(sum(n)))
  arm <- rep(c(1, -1), n)
  # The spiral is drawn first, so that it is the same for any number of noise
  # features.
  spiral <- cbind(arm * sqrt(t) * cos(t), arm * sqrt(t) * sin(t)) +
    stats::rnorm(2L * sum(n), sd = sd)
  x <- cbind(spiral, matrix(stats::rnorm(sum(n) * noise), sum(n)))
  colnames(x) <- c("x1", "x2", sprintf("noise%d", seq_len(noise)))
  list(
    x = x, y = factor(rep(c("one", "two"), n)), relevant = c("x1", "x2")
  )
}

#' Simulate two interacting loci among single-nucleotide polymorphisms (SNPs)
#'
#' Draws a random model of two loci in which neither locus changes the risk on
#' its own: at every genotype of one locus, the mean risk over the genotypes of
#' the other is the same. Genotypes are in Hardy-Weinberg equilibrium, and loci
#' are independent.
#'
#' The risks of the 3 x 3 genotypes are drawn from a normal distribution. The
#' effects of the single loci are removed, and the risks are scaled to the
#' heritability and shifted to a mean of 1/2. This is repeated until all risks
#' lie in \[0, 1\].
#'
#' @param samples Numbers of samples in the two classes, controls and cases.
#' @param noise Number of SNPs without effect. Their minor allele frequencies
#'   are uniform between 0.05 and 0.5.
#' @param heritability Variance of the risk over the genotypes, as a share of
#'   the variance of the class, in (0, 1).
#' @param maf Minor allele frequency of the two loci, in (0, 0.5\].
#' @return A list: `x` (integer matrix of the numbers of minor alleles, samples
#'   x SNPs: `locus1`, `locus2`, `noise1`, ...), `y` (factor, `"control"` and
#'   `"case"`), `relevant` (names of the two loci), `risk` (3 x 3 matrix).
#' @seealso [interactions()], which finds such pairs; [turf()]; section
#'   Interactions of [relief()].
#' @examples
#' set.seed(1)
#' toy <- simulate_epistasis(samples = c(200, 200), noise = 20)
#' round(toy$risk, 2)
#' # As factors, any two genotypes are equally far apart.
#' snps <- data.frame(lapply(as.data.frame(toy$x), factor))
#' fit <- relief(snps, toy$y, method = "multisurf", threads = 1)
#' selected(fit, n = 2)
#' @export
simulate_epistasis <- function(samples = c(800, 800), noise = 998,
                               heritability = 0.2, maf = 0.2) {
  n <- check_samples(samples, 2L)
  noise <- check_count(noise, min = 0)
  heritability <- check_number(heritability, above = 0, max = 1)
  maf <- check_number(maf, above = 0, max = 0.5)
  check_numbers_fit(sum(as.double(n)) * (noise + 2), "noise")
  share <- stats::dbinom(0:2, 2L, maf)
  risk <- risk_of_both(share, heritability)
  y <- factor(rep(c("control", "case"), n), levels = c("control", "case"))
  cell <- c(
    sample.int(9L, n[[1L]], TRUE, outer(share, share) * (1 - risk)),
    sample.int(9L, n[[2L]], TRUE, outer(share, share) * risk)
  ) - 1L
  others <- stats::rbinom(
    length(y) * noise, 2L, rep(stats::runif(noise, 0.05, 0.5), each = length(y))
  )
  x <- cbind(cell %% 3L, cell %/% 3L, matrix(others, length(y)))
  colnames(x) <- c("locus1", "locus2", sprintf("noise%d", seq_len(noise)))
  genotypes <- c("0", "1", "2")
  dimnames(risk) <- list(locus1 = genotypes, locus2 = genotypes)
  list(x = x, y = y, relevant = c("locus1", "locus2"), risk = risk)
}

# Draws risks without effects of single loci, all in [0, 1], with mean 1/2.
risk_of_both <- function(share, heritability) {
  weight <- outer(share, share)
  for (draw in seq_len(10000L)) {
    risk <- matrix(stats::rnorm(9L), 3L)
    rows <- drop(risk %*% share)
    columns <- drop(share %*% risk)
    risk <- risk - outer(rows, columns, "+") + sum(weight * risk)
    variance <- sum(weight * risk^2)
    risk <- 0.5 + risk * sqrt(heritability / 4 / variance)
    if (all(risk >= 0 & risk <= 1)) {
      return(risk)
    }
  }
  abort_input(c(
    "{.arg heritability} = {heritability} was not reached by any of 10,000
     random models without effects of single loci.",
    i = "Lower it, or raise {.arg maf}: rare genotypes explain little."
  ), "heritability")
}
