# Layer: input. Two loci that matter only together, among others that do not.
# SPDX-License-Identifier: GPL-3.0-or-later

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

# Risks without effects of single loci, all in [0, 1], with mean 1/2.
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
