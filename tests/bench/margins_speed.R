# CPU seconds of relief() and logo(), one core, beside other packages (the
# kernels alone: pair_kernels.R).
# Usage: Rscript tests/bench/margins_speed.R [quick]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
quick <- identical(commandArgs(TRUE)[1], "quick")
cpu <- function(expr) sum(system.time(expr)[1:2])
elapsed <- function(expr) system.time(expr)[[3]]
row <- function(...) cat(sprintf(...), "\n", sep = "")

set.seed(1)
spiral <- simulate_spiral(noise = 29998)
wide <- simulate_microarray(n = c(100, 100), genes = 100000)

row("spiral 460 x 30000, one thread, CPU s")
row("  relief      %.2f (to reach 0.6)", cpu(relief(spiral$x, spiral$y, "relief", threads = 1)))
row("  relieff     %.2f (0.8)", cpu(relief(spiral$x, spiral$y, threads = 1)))
row("  parzen 0.01 %.2f (2.5)", cpu(relief(spiral$x, spiral$y, "parzen", threads = 1)))
row("  parzen 0.1  %.2f", cpu(relief(spiral$x, spiral$y, "parzen", bandwidth = 0.1, threads = 1)))
row("  irelief     %.2f", cpu(suppressWarnings(relief(spiral$x, spiral$y, "irelief", threads = 1))))
for (seed in 1:3) {
  set.seed(seed)
  other <- simulate_spiral(noise = 29998)
  seconds <- cpu(fit <- logo(other$x, other$y, threads = 1))
  row("  logo, seed %d %.2f (2.5), %d iterations", seed, seconds, fit$report$iterations)
}
rm(other)
row("  logo 200 x 100000 %.2f (2.5)", cpu(fit <- suppressWarnings(logo(wide$x, wide$y, threads = 1))))
row("    %s, %d iterations, %d features", fit$report$status, fit$report$iterations, length(fit$selected))

row("two threads against one, elapsed ratio, best of 3 (to reach 1.8)")
for (method in c("relieff", "parzen", "logo")) {
  fit <- function(threads) {
    if (method == "logo") {
      logo(spiral$x, spiral$y, threads = threads)
    } else {
      relief(spiral$x, spiral$y, method, threads = threads)
    }
  }
  one <- min(replicate(3, elapsed(fit(1))))
  two <- min(replicate(3, elapsed(fit(2))))
  row("  %-8s %.2f", method, one / two)
}

if (!quick) {
  sub <- data.frame(spiral$x[, 1:2000], y = spiral$y)
  row("460 x 2000, k = 10: hitmiss %.3f", cpu(relief(spiral$x[, 1:2000], spiral$y, threads = 1)))
  if (requireNamespace("CORElearn", quietly = TRUE)) {
    row("  CORElearn ReliefFequalK %.2f", cpu(CORElearn::attrEval(y ~ ., sub, estimator = "ReliefFequalK", kNearestEqual = 10)))
  } else row("  CORElearn: not installed")
  if (requireNamespace("FSelectorRcpp", quietly = TRUE)) {
    small <- sub[c(1:200, 2001)]
    row("460 x 200, k = 10: hitmiss %.4f", cpu(relief(spiral$x[, 1:200], spiral$y, threads = 1)))
    row("  FSelectorRcpp relief %.2f", cpu(FSelectorRcpp::relief(y ~ ., small, neighboursCount = 10, sampleSize = nrow(small))))
  } else row("  FSelectorRcpp: not installed")
}
