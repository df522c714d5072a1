# What error_curve() costs beyond selecting and classifying, and how much memory
# its result takes: 100 x 10,000, 10 splits, 10 sizes.
# Usage: Rscript curve_overhead.R
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
set.seed(1)
data <- simulate_microarray(n = c(50, 50), genes = 10000)
sizes <- c(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
for (keep in c(TRUE, FALSE)) {
  gc()
  time <- system.time(curve <- error_curve(data$x, data$y,
    list(relief = function(x, y) relief(x, y, threads = 1)), sizes,
    resampling = holdout(10, 0.5), keep = keep
  ))
  # The baseline of all features counts as classifying: measured on its own.
  baseline <- system.time(error_curve(data$x, data$y,
    list(all = function(x, y) colnames(x)), Inf,
    resampling = holdout(10, 0.5), keep = FALSE
  ))[["elapsed"]] / 2
  useful <- sum(curve$seconds[c("select", "classify")]) + baseline
  cat(sprintf(
    "keep = %s: %.2f s, selecting and classifying %.2f s, overhead %.1f %%, object %.1f MB\n",
    keep, time[["elapsed"]], useful, 100 * (time[["elapsed"]] / useful - 1),
    as.numeric(object.size(curve)) / 2^20
  ))
}
