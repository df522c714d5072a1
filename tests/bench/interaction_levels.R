# How often does interactions() report a pair at .05 where there is none, and
# how often does it find one that there is?
# Usage: Rscript tests/bench/interaction_levels.R [draws] [permutations]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- as.integer(commandArgs(TRUE))
draws <- if (length(arguments) > 0L) arguments[[1L]] else 100L
times <- if (length(arguments) > 1L) arguments[[2L]] else 199L

normal <- function(n, j) matrix(rnorm(n * j), n)
# Features share a part with those of their block of a size.
blocks <- function(n, j, size, rho) {
  shared <- normal(n, j / size)[, rep(seq_len(j / size), each = size)]
  sqrt(rho) * shared + sqrt(1 - rho) * normal(n, j)
}
two <- factor(rep(c("a", "b"), 30))
three <- factor(rep(c("a", "b", "c"), c(30, 15, 15)))
shifted <- function(x, y, j = 4) {
  x[y == levels(y)[[2L]], seq_len(j)] <-
    x[y == levels(y)[[2L]], seq_len(j)] + 1
  x
}

nulls <- list(
  "independent" = \() list(x = normal(60, 12), y = two),
  "independent, means differ" = \() {
    list(x = shifted(normal(60, 12), two), y = two)
  },
  "blocks of 4, correlation .8" = \() {
    list(x = blocks(60, 12, 4, 0.8), y = two)
  },
  "equal dependence, means differ" = \() {
    list(x = shifted(blocks(60, 12, 12, 0.5), two), y = two)
  },
  "three classes, blocks, one high" = \() {
    list(x = shifted(blocks(60, 12, 4, 0.8), three), y = three)
  },
  "heavy tails, one factor" = \() {
    x <- blocks(60, 12, 12, 0.5) / sqrt(rchisq(60, 4) / 4)
    list(x = x, y = two)
  },
  "independent, one class varies twice as much" = \() {
    x <- normal(60, 12)
    x[two == "b", ] <- 2 * x[two == "b", ]
    list(x = x, y = two)
  }
)
if (requireNamespace("plsgenomics", quietly = TRUE)) {
  utils::data("SRBCT", package = "plsgenomics", envir = environment())
  array <- SRBCT
  varied <- order(-apply(array$X, 2, var))[1:12]
  nulls[["SRBCT, labels permuted"]] <- function() {
    list(x = array$X[, varied], y = factor(sample(array$Y)))
  }
}
power <- list(
  "sign of a product" = \() {
    x <- normal(60, 12)
    list(x = x, y = factor(x[, 1] * x[, 2] > 0), pair = 1:2)
  },
  "product with noise" = \() {
    x <- normal(60, 12)
    list(
      x = x, y = factor(x[, 1] * x[, 2] + rnorm(60) > 0), pair = 1:2
    )
  },
  "correlated .7 in one class" = \() {
    x <- normal(60, 12)
    at <- two == "b"
    x[at, 2] <- 0.7 * x[at, 1] + sqrt(1 - 0.49) * x[at, 2]
    list(x = x, y = two, pair = 1:2)
  },
  "two loci, heritability .2, 200 samples" = \() {
    toy <- simulate_epistasis(samples = c(100, 100), noise = 10)
    list(
      x = data.frame(lapply(as.data.frame(toy$x), factor)), y = toy$y,
      pair = match(c("locus1", "locus2"), colnames(toy$x))
    )
  },
  "two loci, heritability .1, 200 samples" = \() {
    toy <- simulate_epistasis(
      samples = c(100, 100), noise = 10, heritability = 0.1
    )
    list(
      x = data.frame(lapply(as.data.frame(toy$x), factor)), y = toy$y,
      pair = match(c("locus1", "locus2"), colnames(toy$x))
    )
  }
)

# The first pair's p, and whether it is the pair that there is.
one <- function(make, seed) {
  set.seed(seed)
  data <- make()
  colnames(data$x) <- paste0("f", seq_len(ncol(data$x)))
  fit <- relief(data$x, data$y, hubs = "none", threads = 1)
  best <- as.data.frame(interactions(
    fit, data$x, data$y,
    times = times, threads = 1
  ))[1, ]
  pair <- paste0("f", data$pair)
  c(
    found = best$p_value <= 0.05,
    right = setequal(c(best$feature1, best$feature2), pair)
  )
}
for (name in names(nulls)) {
  found <- vapply(seq_len(draws), \(s) one(nulls[[name]], s), c(NA, NA))
  cat(sprintf("%-45s p <= .05: %.2f\n", name, mean(found[1, ])))
}
for (name in names(power)) {
  found <- vapply(seq_len(draws), \(s) one(power[[name]], s), c(NA, NA))
  cat(sprintf(
    "%-45s p <= .05 and the right pair: %.2f\n", name,
    mean(found[1, ] & found[2, ])
  ))
}
