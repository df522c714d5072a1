# Errors under the default of three methods and under other values, over half
# splits of data sets: lists of x and y in .rds files.
# Usage: Rscript tests/bench/defaults.R folder [splits] [data sets]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
splits <- if (length(arguments) > 1L) as.integer(arguments[[2L]]) else 10L
sets <- if (length(arguments) > 2L) {
  arguments[-(1:2)]
} else {
  c(
    "colon", "prostate_ge", "srbct", "leukemia7070", "tox171", "ar10p", "dlbcl",
    "sonar", "ionosphere", "wdbc", "arrhythmia", "heart", "glass", "pima"
  )
}
selectors <- list(
  `P-Relief, bandwidth .01` = \(x, y) relief(x, y, "parzen", bandwidth = 0.01),
  `P-Relief, bandwidth .1` = \(x, y) relief(x, y, "parzen", bandwidth = 0.1),
  `PWFP, fraction .1` = \(x, y) pwfp(x, y, fraction = 0.1),
  `PWFP, fraction .5` = \(x, y) pwfp(x, y, fraction = 0.5),
  `LOGO, lambda 1` = \(x, y) suppressWarnings(logo(x, y, lambda = 1)),
  `LOGO, lambda .5` = \(x, y) suppressWarnings(logo(x, y, lambda = 0.5))
)
errors <- vapply(sets, function(name) {
  data <- readRDS(file.path(arguments[[1L]], paste0(name, ".rds")))
  set.seed(1)
  sizes <- if (ncol(data$x) < 10L) c(2, 5) else c(10, 20, 50)
  curve <- suppressMessages(suppressWarnings(error_curve(
    data$x, data$y, selectors, sizes[sizes <= ncol(data$x)],
    resampling = holdout(splits, 0.5), keep = FALSE
  )))
  error <- 100 * curve$aggregate$mean
  cat(sprintf("| %s |%s\n", name, paste(sprintf(" %.1f |", error),
    collapse = "")))
  error
}, numeric(length(selectors)))
for (i in c(1, 3, 5)) {
  gain <- errors[i + 1, ] - errors[i, ]
  cat(sprintf(
    "%s instead of %s: %.1f (se %.1f), better on %d of %d\n",
    names(selectors)[[i + 1]], names(selectors)[[i]], mean(gain),
    sd(gain) / sqrt(length(gain)), sum(gain < 0), length(gain)
  ))
}
