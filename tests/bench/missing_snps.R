# The pair of epistasis.R with 10 % of the genotypes missing, SNPs as factors:
# is it still found when what is missing is filled in by the most frequent
# genotype? Usage: Rscript tests/bench/missing_snps.R [seeds, as 1:10] [share
# missing]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
seeds <- if (length(arguments) > 0L) {
  eval(parse(text = arguments[[1L]]))
} else {
  1:10
}
share <- if (length(arguments) > 1L) as.numeric(arguments[[2L]]) else 0.1

found <- vapply(seeds, function(seed) {
  set.seed(seed)
  toy <- simulate_epistasis()
  toy$x[sample(length(toy$x), share * length(toy$x))] <- NA
  snps <- data.frame(lapply(as.data.frame(toy$x), factor))
  prep <- prepare_impute()(snps, toy$y)
  fit <- turf(
    prep(snps), toy$y, function(x, y) relief(x, y, "multisurf", threads = 1)
  )
  ranks <- sort(match(c("locus1", "locus2"), names(fit$scores)[fit$ranking]))
  cat("seed", seed, "ranks", ranks, "\n")
  ranks
}, numeric(2))
cat(
  "turf(multisurf) has the pair in the first 2 in", sum(found[2, ] == 2), "of",
  length(seeds), "seeds\n"
)
