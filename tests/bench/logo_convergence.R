# After how many iterations does logo() settle? dna with 100 features of noise.
# Usage: Rscript tests/bench/logo_convergence.R [data folder] [samples] [draws]
#   [max_iter]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- commandArgs(TRUE)
n <- as.integer(given[[2L]])
data <- readRDS(file.path(given[[1L]], "dna.rds"))
fits <- lapply(seq_len(as.integer(given[[3L]])), function(seed) {
  set.seed(seed)
  some <- sample(nrow(data$x), n)
  x <- cbind(data$x[some, ], matrix(stats::rnorm(n * 100), n))
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  glance(suppressWarnings(logo(
    x, data$y[some],
    max_iter = as.integer(given[[4L]]), threads = 1
  )))
})
print(table(vapply(fits, function(fit) fit$status, "")))
print(summary(vapply(fits, function(fit) as.numeric(fit$iterations), 0)))
