# Are p-values of Relief scores right? STIR's t statistic of a feature (Le and
# others 2018) compares its differences to near misses with those to near hits
# as if the pairs were independent. On data without any relation to the classes:
# the share of features with p < 0.05, by the number of neighbours, and how
# often
# a list cut at 0.1 (Benjamini, Hochberg) is not empty, beside probe_fdr().
# Usage: Rscript tests/bench/relief_p_values.R [sets]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- commandArgs(TRUE)
times <- if (length(given) > 0L) as.integer(given[[1L]]) else 20L

stir_p <- function(x, y, k) {
  z <- sweep(x, 2L, apply(x, 2L, function(v) max(v) - min(v)), "/")
  distance <- as.matrix(stats::dist(z, "manhattan"))
  diag(distance) <- Inf
  pairs <- function(same) {
    do.call(rbind, lapply(seq_along(y), function(n) {
      allowed <- which((y == y[[n]]) == same)
      near <- allowed[order(distance[n, allowed])[seq_len(k)]]
      t(abs(t(z[near, , drop = FALSE]) - z[n, ]))
    }))
  }
  hit <- pairs(TRUE)
  miss <- pairs(FALSE)
  n <- c(nrow(hit), nrow(miss))
  pooled <- ((n[[1L]] - 1) * apply(hit, 2L, stats::var) +
    (n[[2L]] - 1) * apply(miss, 2L, stats::var)) / (sum(n) - 2)
  t <- (colMeans(miss) - colMeans(hit)) / sqrt(pooled * sum(1 / n))
  stats::pt(t, sum(n) - 2, lower.tail = FALSE)
}

y <- factor(rep(c("a", "b"), each = 30))
rows <- do.call(rbind, lapply(c(0, 0.5), function(correlation) {
  do.call(rbind, lapply(seq_len(times), function(seed) {
    set.seed(seed)
    block <- matrix(stats::rnorm(60 * 10), 60)[, rep(1:10, each = 20)]
    x <- sqrt(correlation) * block +
      sqrt(1 - correlation) * matrix(stats::rnorm(60 * 200), 60)
    colnames(x) <- paste0("f", 1:200)
    q <- probe_fdr(x, y, function(x, y) {
      relief(x, y, hubs = "none", threads = 1)
    }, times = 5)
    each <- lapply(c(1, 10), function(k) stir_p(x, y, k))
    adjusted <- vapply(each, function(p) {
      min(stats::p.adjust(p, "BH"))
    }, 0)
    data.frame(
      correlation = correlation, k1 = mean(each[[1L]] < 0.05),
      k10 = mean(each[[2L]] < 0.05), any_k1 = adjusted[[1L]] < 0.1,
      any_k10 = adjusted[[2L]] < 0.1, any_probes = min(q$q) < 0.1
    )
  }))
}))
print(stats::aggregate(. ~ correlation, rows, mean), digits = 3)
