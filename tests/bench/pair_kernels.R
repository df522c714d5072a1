# Distances of all pairs, the distance kernel alone on one thread, against dist() and the
# plain loop at R's own -O2. Usage: Rscript tests/bench/pair_kernels.R, from
# the folder of the package.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
Sys.setenv(PKG_CPPFLAGS = paste0("-I", system.file("include", package = "hitmiss")))
Rcpp::sourceCpp("tests/bench/pair_kernels.cpp")
set.seed(1)
x <- matrix(rnorm(460 * 10000), 460)
by_sample <- t(x)
pairs <- 460 * 459 / 2 * ncol(x)
# CPU seconds of one call: the best of some rounds of `times`.
cpu <- function(f, times = 1, rounds = 1) {
  min(replicate(rounds, system.time(for (i in seq_len(times)) f())[[1L]])) / times
}
best <- function(f) cpu(f, rounds = 3)
plain <- c(
  "dist(method = \"manhattan\")" = best(function() stats::dist(x, "manhattan")),
  "plain loop, x as R has it" = best(function() loop_over_rows(x)),
  "plain loop, transposed copy" = best(function() loop_over_columns(by_sample))
)
stopifnot(all.equal(k1_double(x, 0), loop_over_columns(by_sample)))
cat("460 x 10000, in 10^9 pairs x features per CPU second\n")
cat(sprintf("  %-28s %.2f\n", names(plain), pairs / plain / 1e9), sep = "")
paths <- c("baseline", "avx2", "avx512")
for (path in match(hitmiss:::cpp_simd_levels(), paths) - 1L) {
  for (scalar in c("double", "float")) {
    kernel <- if (scalar == "double") k1_double else k1_float
    ours <- cpu(function() kernel(x, path), 4, 3)
    cat(sprintf(
      "  kernel %-8s %-6s %5.1f: %.0f x dist, %.0f x and %.1f x the plain loops\n",
      paths[path + 1L], scalar, pairs / ours / 1e9, plain[[1L]] / ours,
      plain[[2L]] / ours, plain[[3L]] / ours
    ))
  }
}
