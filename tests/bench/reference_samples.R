# relief(samples = ): time of 1,000 reference samples among 200,000, and how
# often score +- 1.96 score_se covers the score of all samples.
# Usage: Rscript tests/bench/reference_samples.R [draws]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
draws <- if (length(arguments) > 0L) as.integer(arguments[[1L]]) else 200L

set.seed(1)
y <- factor(sample(c("a", "b", "c"), 2000, TRUE, c(0.5, 0.3, 0.2)))
x <- matrix(rnorm(2000 * 100), 2000)
x[, 1:10] <- x[, 1:10] + 0.3 * as.integer(y)
cat("coverage of score +- 1.96 score_se, N = 2,000, m = 200,", draws, "draws\n")
for (method in c("relieff", "relief", "multisurf")) {
  whole <- relief(x, y, method, threads = 2)$scores
  covered <- vapply(seq_len(draws), function(draw) {
    set.seed(draw)
    fit <- relief(x, y, method, samples = 200, threads = 2)
    mean(abs(fit$scores - whole) <= 1.96 * fit$score_se)
  }, 0)
  cat(sprintf(
    "  %-10s %.1f %% (to reach: 92 to 97)\n", method, 100 * mean(covered)
  ))
}

set.seed(2)
y <- factor(rep(c("a", "b"), length.out = 2e5))
x <- matrix(rnorm(2e5 * 200), 2e5)
for (method in c("relieff", "multisurf")) {
  seconds <- system.time(relief(
    x, y, method, samples = 1000, threads = 2
  ))[[3L]]
  cat(sprintf(
    "200,000 x 200, samples = 1000, two threads: %-10s %.1f s (at most 60)\n",
    method, seconds
  ))
}
