# Do local_signatures() call the right feature of each group of samples, and
# nothing on noise? Usage: Rscript tests/bench/local_signatures.R [seeds]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- commandArgs(TRUE)
seeds <- seq_len(if (length(given) > 0L) as.integer(given[[1L]]) else 20L)
se <- function(v) sd(v) / sqrt(length(v))
say <- function(what, v) {
  cat(sprintf("%-52s %.3f (%.3f)\n", what, mean(v), se(v)))
}

for (share in c(0.8, 0.5)) {
  right <- vapply(seeds, function(seed) {
    set.seed(seed)
    toy <- simulate_localized()
    found <- local_signatures(toy$x, toy$y, alpha = 3, share = share)
    c(
      mean(found$frequency[toy$group == "A", "x1"]),
      mean(found$frequency[toy$group == "B", "x2"])
    )
  }, c(A = 0, B = 0))
  for (group in rownames(right)) {
    say(
      sprintf("frequency of the right feature in %s, share %.1f", group, share),
      right[group, ]
    )
  }
}
wrong <- vapply(seeds, function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(100 * 102), 100)
  found <- local_signatures(x, factor(rep(1:2, each = 50)), alpha = 3)
  sum(found$classes$with_calls) / 100
}, 0)
say("noise: samples with any call", wrong)
