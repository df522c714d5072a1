# What the intervals of curves hold, and what effects and directions are worth
# on new samples: the figures of "What the numbers mean" in
# vignette("numbers"), in inst/reproduce/results/numbers-<part>.csv.
# Rscript tests/bench/numbers.R intervals|effects|blocks|real [draws] [data]
# SPDX-License-Identifier: GPL-3.0-or-later
suppressMessages(library(hitmiss))
options(hitmiss.threads = 1)
arguments <- c(commandArgs(TRUE), "100", "../shared/data")[1:3]
draws <- as.integer(arguments[[2L]])
quiet <- function(code) suppressMessages(suppressWarnings(code))
# It takes its first argument for a number.
quiet(sys.source("tests/bench/studies.R", own <- new.env()))
sys.source("inst/reproduce/common.R", common <- new.env())

# ---- intervals: 4 x 5 folds, 20 features by relief() -------------------------

metrics <- c("error", "balanced_error", "macro_f1", "auc")

values_of <- function(curve, metric) {
  of <- c(hitmiss:::class_metrics[[metric]], positive = 1L)
  rows <- curve$predictions
  values <- hitmiss:::size_values(rows, of, curve)
  found <- hitmiss:::metric_estimate(list(rows), values, of, curve)
  ends <- c(found$lower, found$upper)
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

# ---- effects of the best 20 of 1,000 features, 20 of them true ---------------

settings <- list(
  list(c(10, 10), 0), list(c(10, 10), 0.8), list(c(10, 10), 1.5),
  list(c(30, 30), 0), list(c(30, 30), 0.8), list(c(30, 30), 0.8, r = 0.5),
  list(c(30, 30), 0, r = 0.5), list(c(30, 30), seq(0.24, 2.2, length.out = 20)),
  list(c(54, 6), 0), list(c(54, 6), 0.8), list(c(100, 100), 0),
  list(c(100, 100), 0.8), list(c(20, 20, 20), 0.8)
)

draw_effects <- function(sizes, shift, r = 0) {
  y <- factor(rep(seq_along(sizes), sizes))
  n <- length(y)
  block <- rep(1:100, each = 10)
  x <- sqrt(1 - r) * matrix(rnorm(n * 1000), n) +
    sqrt(r) * matrix(rnorm(n * 100), n)[, block]
  x[y == 2, 1:20] <- x[y == 2, 1:20] + rep(shift, each = sum(y == 2))
  colnames(x) <- paste0("g", 1:1000)
  list(x = x, y = y)
}

# Of these features in these classes: the mean less that of the others' means,
# in standard deviations within classes.
effects_in <- function(data, table) {
  means <- rowsum(data$x, data$y) / tabulate(data$y)
  spread <- sqrt(colSums((data$x - means[data$y, ])^2) /
    (length(data$y) - nlevels(data$y)))
  at <- match(table$feature, colnames(data$x))
  k <- match(table$class, rownames(means))
  others <- (colSums(means)[at] - means[cbind(k, at)]) / (nrow(means) - 1)
  (means[cbind(k, at)] - others) / spread[at]
}

# raw, expected and true mean of the best 20, up; root mean squares.
compare_effects <- function(table, truth) {
  sign <- sign(table$effect_raw)
  c(
    raw = mean(abs(table$effect_raw)), expected = mean(table$effect * sign),
    fresh = mean(truth * sign), rms_raw = sqrt(mean((table$effect_raw -
      truth)^2)), rms_expected = sqrt(mean((table$effect - truth)^2))
  )
}

mean_row <- function(found) {
  gap <- found["expected", ] - found["fresh", ]
  data.frame(
    as.list(rowMeans(found)), se_gap = sd(gap) / sqrt(ncol(found)),
    draws = ncol(found)
  )
}

best_table <- function(x, y) {
  quiet(top_features(relief(x, y), 20))
}

effect_rows <- function(s) {
  found <- vapply(seq_len(draws), function(seed) {
    set.seed(2000 + seed)
    data <- do.call(draw_effects, s)
    large <- s
    large[[1L]] <- s[[1L]] * ceiling(2000 / sum(s[[1L]]))
    table <- best_table(data$x, data$y)
    compare_effects(table, effects_in(do.call(draw_effects, large), table))
  }, numeric(5))
  data.frame(
    sizes = paste(s[[1L]], collapse = " + "),
    shift = paste(unique(range(s[[2L]])), collapse = " to "),
    r = if (is.null(s$r)) 0 else s$r, mean_row(found)
  )
}

# ---- direction where a batch opposes the classes -----------------------------

block_rows <- function(shift) {
  y <- factor(rep(1:2, each = 30))
  batch <- rep(c(1, 2, 2, 1), c(24, 6, 24, 6))
  found <- vapply(seq_len(draws), function(seed) {
    set.seed(3000 + seed)
    data <- draw_effects(c(30, 30), 0.8)
    data$x <- data$x - shift * (batch == 2)
    table <- quiet(top_features(relief(data$x, y, block = batch), 20))
    true <- table[table$feature %in% colnames(data$x)[1:20], ]
    c(
      found = nrow(true), wrong = sum(true$class != "2"),
      wrong_means = sum(true$mean_2 < true$mean_1),
      effect = sum(true$effect), raw = sum(true$effect_raw)
    )
  }, numeric(5))
  sums <- rowSums(found)
  data.frame(batch_shift = shift, draws = draws,
    as.list(sums[-1L] / sums[["found"]]), true_found = sums[["found"]] / draws
  )
}

# ---- half against half on real sets ------------------------------------------

real_rows <- function(name) {
  data <- common$load_set(name, list(data = arguments[[3L]]))
  x <- as.matrix(data$x)
  two <- factor(data$y) %in% names(sort(-table(data$y)))[1:2]
  x <- x[two, ]
  y <- droplevels(factor(data$y)[two])
  if (max(x) > 1000) x <- log2(pmax(x, 1))
  colnames(x) <- paste0("g", seq_len(ncol(x)))
  found <- vapply(seq_len(draws), function(seed) {
    set.seed(4000 + seed)
    half <- common$by_class(y, 1)[[1L]]
    kept <- apply(x[half$train, ], 2, sd) > 1e-6 &
      apply(x[half$test, ], 2, sd) > 1e-6
    table <- best_table(x[half$train, kept], y[half$train])
    other <- list(x = x[half$test, kept], y = y[half$test])
    compare_effects(table, effects_in(other, table))
  }, numeric(5))
  data.frame(set = name, mean_row(found))
}

parts <- list(
  intervals = function() common$rows_over(names(own$studies), interval_rows),
  effects = function() common$rows_over(settings, effect_rows),
  blocks = function() common$rows_over(c(0, 1.5, 3), block_rows),
  real = function() {
    common$rows_over(c(
      "colon", "prostate_ge", "leukemia", "dlbcl", "nervous", "arcene",
      "tox171", "srbct", "wdbc", "sonar"
    ), real_rows)
  }
)
common$save_table(
  parts[[arguments[[1L]]]](), list(output = "inst/reproduce/results"),
  paste0("numbers-", arguments[[1L]]), 3
)
