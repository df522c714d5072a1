# Two loci without effects of their own among 998 others, 1,600 samples,
# heritability 0.2, minor allele frequency 0.2: who finds the pair?
# Usage: Rscript tests/bench/epistasis.R [seeds]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
seeds <- seq_len(
  if (length(arguments) > 0L) as.integer(arguments[[1L]]) else 10L
)

ranks <- function(fit) sort(match(c("locus1", "locus2"), ranked(fit)))
ranked <- function(fit) names(fit$scores)[fit$ranking]

runs <- lapply(seeds, function(seed) {
  set.seed(seed)
  toy <- simulate_epistasis()
  snps <- data.frame(lapply(as.data.frame(toy$x), factor))
  fits <- list(
    "relieff, k = 10, counts" = relief(toy$x, toy$y, k = 10, hubs = "none"),
    "relieff, k = 100" = relief(snps, toy$y, k = 100, hubs = "none"),
    "multisurf" = relief(snps, toy$y, "multisurf"),
    "turf, relieff, k = 100" = turf(snps, toy$y, \(x, y) {
      relief(x, y, k = 100, hubs = "none")
    }),
    "turf, multisurf" = turf(snps, toy$y, \(x, y) relief(x, y, "multisurf"))
  )
  found <- vapply(fits, ranks, numeric(2))
  cat(
    "seed", seed, "ranks:",
    sprintf("%s %g, %g;", names(fits), found[1, ], found[2, ]), "\n"
  )
  found
})
worse <- vapply(runs, function(found) found[2, ], numeric(5))
cat("pair within the first 2, 5, 20, of", length(seeds), "seeds\n")
print(t(
  apply(
    worse, 1,
    function(r) {
      c(first2 = sum(r <= 2), first5 = sum(r <= 5), first20 = sum(r <= 20))
    }
  )
))

# Is the pair named first by interactions() among the best 200 of multisurf? And
# is a pair of features that merely both have an effect: whose allele
# frequencies differ between the classes, independently, or whose effects add up
# in a logistic model? (The latter makes them a little dependent within the
# classes.)
first_pair <- function(toy, y = toy$y) {
  snps <- data.frame(lapply(as.data.frame(toy$x), factor))
  fit <- relief(snps, y, "multisurf")
  best <- interactions(fit, snps, y, searched = 200, times = 0)[1, ]
  setequal(c(best$feature1, best$feature2), c("locus1", "locus2"))
}
named <- vapply(seeds, function(seed) {
  set.seed(seed)
  toy <- simulate_epistasis()
  epistatic <- first_pair(toy)
  logistic <- vapply(c(0.5, 1.2), function(effect) {
    risk <- plogis(-0.8 * effect + effect * (toy$x[, 1] + toy$x[, 2]))
    first_pair(
      toy, factor(runif(length(risk)) < risk, labels = c("control", "case"))
    )
  }, NA)
  share <- ifelse(toy$y == "case", 0.3, 0.15)
  toy$x[, 1:2] <- rbinom(2 * length(share), 2, share)
  c(
    epistatic = epistatic, independent = first_pair(toy),
    "logistic, 0.5" = logistic[[1]], "logistic, 1.2" = logistic[[2]]
  )
}, logical(4))
cat(
  "interactions(searched = 200) names the pair first, of", length(seeds),
  "seeds\n"
)
print(rowSums(named))
