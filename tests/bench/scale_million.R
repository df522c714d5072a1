# A million features in memory: CPU time and peak memory over the input's size.
#   Rscript tests/bench/scale_million.R METHOD [features = 1e6] [samples = 100]
#   [threads = 1]
# METHOD: relieff, parzen, logo, kbfs, pwfp. Peak: VmHWM after the fit minus
# VmRSS before (the data are there already), over the data's size.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
method <- args[1]
n_features <- if (length(args) > 1) as.numeric(args[2]) else 1e6
n_samples <- if (length(args) > 2) as.integer(args[3]) else 100L
threads <- if (length(args) > 3) as.integer(args[4]) else 1L
library(hitmiss)

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "scale_common.R"))
select <- global_selector(method, threads)
set.seed(1)
y <- factor(rep_len(c("a", "b"), n_samples))
x <- matrix(rnorm(n_samples * n_features), n_samples)
x[y == "b", 1:50] <- x[y == "b", 1:50] + 2
run <- measure(select(x, y))
fit <- run$value
size <- 8 * n_samples * n_features / 2^20
cat(sprintf(
  paste(
    "%s %d x %g threads %d: CPU %.1f s, elapsed %.1f s,",
    "peak %.0f MB = %.2f x input (%.0f MB), selected %d,",
    "of the 50 relevant among the best 50: %d\n"
  ),
  method, n_samples, n_features, threads, run$cpu, run$elapsed, run$peak,
  run$peak / size, size, length(fit$selected), sum(fit$ranking[1:50] <= 50)
))
