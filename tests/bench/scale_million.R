# A million features in memory: CPU time and peak memory over the input's size.
#   Rscript tests/bench/scale_million.R METHOD [features = 1e6] [samples = 100] [threads = 1]
# METHOD: relieff, parzen, logo, kbfs, pwfp. Peak: VmHWM after the fit minus
# VmRSS before (the data are there already), over the data's size.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
method <- args[1]
n_features <- if (length(args) > 1) as.numeric(args[2]) else 1e6
n_samples <- if (length(args) > 2) as.integer(args[3]) else 100L
threads <- if (length(args) > 3) as.integer(args[4]) else 1L
library(hitmiss)

status <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
select <- switch(method,
  relieff = function(x, y) relief(x, y, threads = threads),
  parzen = function(x, y) relief(x, y, method = "parzen", bandwidth = 0.1, threads = threads),
  logo = function(x, y) logo(x, y, threads = threads),
  kbfs = function(x, y) kbfs(x, y, n_features = 50, threads = threads),
  pwfp = function(x, y) pwfp(x, y, threads = threads)
)
set.seed(1)
y <- factor(rep_len(c("a", "b"), n_samples))
x <- matrix(rnorm(n_samples * n_features), n_samples)
x[y == "b", 1:50] <- x[y == "b", 1:50] + 2
invisible(gc(reset = TRUE))
writeLines("5", "/proc/self/clear_refs")
before <- status("VmRSS")
time <- system.time(fit <- select(x, y))
peak <- status("VmHWM") - before
size <- 8 * n_samples * n_features / 2^20
cat(sprintf(
  "%s %d x %g threads %d: CPU %.1f s, elapsed %.1f s, peak %.0f MB = %.2f x input (%.0f MB), selected %d, of the 50 relevant among the best 50: %d\n",
  method, n_samples, n_features, threads, sum(time[1:2]), time[3], peak,
  peak / size, size, length(fit$selected), sum(fit$ranking[1:50] <= 50)
))
