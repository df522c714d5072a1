# How far the mean error of a curve moves between data sets, beside the plain
# and the corrected standard error that one data set gives: the figures of
# ?"hitmiss_curve-methods". Minutes on two cores.
# Usage: Rscript tests/bench/standard_errors.R [data sets]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- as.integer(commandArgs(trailingOnly = TRUE))
n_sets <- if (length(given) == 0L) 150L else given[[1L]]

t_score <- function(x, y) sqrt(reference_scores(x, y, "fisher"))

figures <- function(seed, resampling) {
  set.seed(seed)
  data <- simulate_microarray(c(40, 40), 200, relevant = 10, effect = 0.7)
  curve <- error_curve(data$x, data$y, list(t = t_score), 5,
    resampling = resampling, keep = FALSE
  )
  row <- tidy(curve)
  known <- sum(!is.na(curve$values$t))
  c(mean = row$mean, plain = row$sd / sqrt(known), corrected = row$se)
}

plans <- list(
  "20 half splits" = holdout(20, 0.5), "20 splits of 85 %" = holdout(20, 0.85),
  "20 splits of 10 %" = holdout(20, 0.1), "10 folds" = kfold(10),
  "4 times 5 folds" = kfold(5, 4), "leave-one-out" = leave_one_out()
)
for (name in names(plans)) {
  found <- vapply(seq_len(n_sets), figures, numeric(3), plans[[name]])
  cat(sprintf(
    "%-18s error %.3f, sd between data sets %.4f, plain %.4f, corrected %.4f\n",
    name, mean(found["mean", ]), sd(found["mean", ]),
    sqrt(mean(found["plain", ]^2)), sqrt(mean(found["corrected", ]^2))
  ))
}
