# The stability of t's lists on colon beside its baselines: permuted labels, and
# random sets. Usage: Rscript evaluation_evidence.R [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
folder <- c(commandArgs(TRUE), "../shared/data")[[1L]]

colon <- readRDS(file.path(folder, "colon.rds"))
selectors <- list(t = function(x, y) reference_scores(x, y, threads = 1))
set.seed(1)
curve <- error_curve(colon$x, colon$y, selectors,
  sizes = c(5, 20, 100), resampling = holdout(20, 0.5), permuted = 100
)
print(as.data.frame(stability(curve)), digits = 3)
set.seed(3)
random <- lapply(c(5, 20, 100), function(n) {
  mean(replicate(300, as.data.frame(stability(
    lapply(1:20, function(i) sample(2000, n)), 2000
  ))$nogueira))
})
cat("random sets:", signif(unlist(random), 2), "\n")
