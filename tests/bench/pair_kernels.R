# Distances of all pairs, the distance kernel alone on one thread, against
# dist(), the plain loop at R's own -O2, scipy's pdist and the processor's peak.
# Part of speed.R; by itself: Rscript tests/bench/pair_kernels.R, from the
# folder of the package.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
Sys.setenv(
  PKG_CPPFLAGS = paste0("-I", system.file("include", package = "hitmiss"))
)
Rcpp::sourceCpp("tests/bench/pair_kernels.cpp")
set.seed(1)
x <- matrix(rnorm(460 * 10000), 460)
by_sample <- t(x)
pairs <- 460 * 459 / 2 * ncol(x)
# CPU seconds of one call: the best of some rounds of `times`.
cpu <- function(f, times = 1, rounds = 1) {
  min(replicate(
    rounds, system.time(for (i in seq_len(times)) f())[[1L]]
  )) / times
}
best <- function(f) cpu(f, rounds = 3)
plain <- c(
  "dist(method = \"manhattan\")" = best(function() stats::dist(x, "manhattan")),
  "plain loop, x as R has it" = best(function() loop_over_rows(x)),
  "plain loop, transposed copy" = best(function() loop_over_columns(by_sample))
)
pdist <- paste(
  "import time, numpy; from scipy.spatial.distance import pdist",
  "x = numpy.random.rand(460, 10000); best = 9e9",
  "for i in range(3):",
  "  t = time.process_time(); pdist(x, 'cityblock')",
  "  best = min(best, time.process_time() - t)",
  "print(best)", sep = "\n"
)
told <- suppressWarnings(system2(
  Sys.getenv("PYTHON", "python3"), c("-c", shQuote(pdist)), stdout = TRUE,
  stderr = FALSE
))
if (length(told) == 1L) plain["scipy pdist(\"cityblock\")"] <- as.numeric(told)
stopifnot(all.equal(k1_double(x, 0), loop_over_columns(by_sample)))
cat("460 x 10000, in 10^9 pairs x features per CPU second\n")
cat(sprintf("  %-28s %.2f\n", names(plain), pairs / plain / 1e9), sep = "")
paths <- c("baseline", "avx2", "avx512")
for (path in match(hitmiss:::cpp_simd_levels(), paths) - 1L) {
  for (scalar in c("double", "float")) {
    kernel <- if (scalar == "double") k1_double else k1_float
    ours <- cpu(function() kernel(x, path), 4, 3)
    steps <- 2e7
    numbers <- peak(steps, path, scalar == "float")
    limit <- numbers / cpu(
      function() peak(steps, path, scalar == "float"), 1, 3
    )
    # A difference or the larger value, and a sum. More than all of the peak
    # where differences have units of their own.
    needed <- 2
    cat(sprintf(
      "  kernel %-8s %-6s %5.1f, %3.0f %% of the peak: %s\n",
      paths[path + 1L], scalar, pairs / ours / 1e9,
      100 * needed * pairs / ours / limit,
      paste(
        sprintf("%.1f x %s", plain / ours, sub("\\(.*|, .*", "", names(plain))),
        collapse = ", "
      )
    ))
  }
}
