# What the intervals of curves hold, and what effects and directions are worth
# on new samples: the figures of "What the numbers mean" in
# vignette("evaluation"), in inst/reproduce/results/numbers-<part>.csv.
# Rscript tests/bench/numbers.R intervals|effects|blocks|real [draws] [study]
# SPDX-License-Identifier: GPL-3.0-or-later
suppressMessages(library(hitmiss))
options(hitmiss.threads = 1)
arguments <- c(commandArgs(TRUE), "100")[1:2]
draws <- as.integer(arguments[[2L]])
own <- new.env()
sys.source("tests/bench/studies.R", own)
sys.source("inst/reproduce/common.R", common <- new.env())
quiet <- function(code) suppressMessages(suppressWarnings(code))

# ---- intervals: 4 x 5 folds, 20 features by relief() -------------------------

metrics <- c("error", "balanced_error", "macro_f1", "auc")

values_of <- function(curve, metric) {
  of <- c(hitmiss:::as_metric(metric), positive = 1L)
  rows <- curve$predictions
  repetition <- vapply(curve$splits, `[[`, 0L, "repetition")
  values <- hitmiss:::size_values(rows, of, curve$resampling, repetition)
  ends <- hitmiss:::mean_interval(list(rows), values, of, curve)
  c(mean(values), ends, hitmiss:::reported_se(list(values), curve))
}

interval_draw <- function(s, seed) {
  set.seed(1000 + seed)
  data <- own$draw(s)
  fresh <- own$draw(s, ceiling(2000 / sum(s$sizes)))
  n <- length(data$y)
  curve <- function(x, y, ...) {
    quiet(error_curve(x, y, list(relief = own$ranker), 20, ...))
  }
  found <- curve(data$x, data$y, group = data$group)
  # Of the fit to all samples, on fresh ones.
  all <- curve(rbind(data$x, fresh$x), unlist(list(data$y, fresh$y)),
    resampling = list(list(train = seq_len(n), test = n + seq_along(fresh$y)))
  )
  vapply(metrics, function(metric) {
    c(values_of(found, metric), values_of(all, metric)[[1L]])
  }, numeric(5))
}

interval_rows <- function(name) {
  found <- vapply(seq_len(draws), function(seed) {
    interval_draw(own$studies[[name]], seed)
  }, matrix(0, 5, length(metrics)))
  do.call(rbind, lapply(seq_along(metrics), function(m) {
    f <- found[, m, ]
    held <- f[2, ] <= f[5, ] & f[5, ] <= f[3, ]
    data.frame(
      study = name, metric = metrics[[m]], draws = draws, truth = mean(f[5, ]),
      covers = mean(held), width = mean(f[3, ] - f[2, ]),
      below_0 = mean(f[2, ] < 0), above_1 = mean(f[3, ] > 1),
      too_low = mean(f[3, ] < f[5, ]), too_high = mean(f[2, ] > f[5, ]),
      covers_2se = mean(abs(f[1, ] - f[5, ]) <= 2 * f[4, ]),
      width_2se = mean(4 * f[4, ]), below_0_2se = mean(f[1, ] < 2 * f[4, ])
    )
  }))
}

if (arguments[[1L]] == "intervals") {
  table <- do.call(rbind, lapply(names(own$studies), interval_rows))
  common$save_table(
    table, list(output = "inst/reproduce/results"), "numbers-intervals", 3
  )
}
