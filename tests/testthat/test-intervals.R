# The interval of a curve's mean, and of areas, against their definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

# The shares p that lie `z` binomial standard errors from `share`.
slow_wilson <- function(share, n, z = qnorm(0.975)) {
  roots <- polyroot(c(share^2, -2 * share - z^2 / n, 1 + z^2 / n))
  sort(Re(roots))
}

# The mean over units of the means of their samples.
slow_mean <- function(values, unit) {
  means <- NULL
  for (u in unique(unit)) means <- c(means, mean(values[unit == u]))
  mean(means)
}

# As how many samples: `wrong`, one repetition after the other.
slow_size <- function(wrong, sample, unit, repetition) {
  n <- length(unique(sample))
  g <- length(unique(unit))
  p <- slow_mean(wrong, unit)
  if (p == 0 || p == 1) {
    return(g)
  }
  effects <- NULL
  for (r in unique(repetition)) {
    l <- wrong[repetition == r]
    u <- unit[repetition == r]
    means <- NULL
    for (of in unique(u)) means <- c(means, mean(l[u == of]))
    variance <- if (length(means) > 1L) var(means) / length(means) else Inf
    effects <- c(effects, variance / (p * (1 - p) / length(l)))
  }
  max(g, n / max(1, mean(effects)))
}

# Half widths of each class's share below and above it, times its weight.
slow_limits <- function(hit, table, unit, weights = NULL,
                        z = qnorm(0.975)) {
  class <- as.character(table$truth)
  if (is.null(weights)) {
    # A unit is of the class of most of its samples, of ties the first.
    for (u in unique(unit)) {
      count <- table(table$truth[unit == u])
      class[unit == u] <- names(count)[[which.max(count)]]
    }
  }
  total <- length(unique(unit))
  below <- above <- NULL
  for (of in unique(class)) {
    at <- class == of
    share <- slow_mean(hit[at], unit[at])
    n <- slow_size(hit[at], table$sample[at], unit[at], table$repetition[at])
    ends <- slow_wilson(share, n, z)
    p <- if (is.null(weights)) length(unique(unit[at])) / total else weights
    below <- c(below, p * (share - ends[[1L]]))
    above <- c(above, p * (ends[[2L]] - share))
  }
  several <- FALSE
  for (u in unique(unit)) {
    several <- several || length(unique(class[unit == u])) > 1L
  }
  if (several) {
    return(c(sum(below), sum(above)))
  }
  sqrt(c(sum(below^2), sum(above^2)))
}

slow_interval <- function(curve, table, folds = NULL) {
  wrong <- table$truth != table$predicted
  unit <- curve$design$unit[table$sample]
  values <- vapply(seq_along(curve$splits), function(s) {
    slow_mean(wrong[table$split == s], unit[table$split == s])
  }, 0)
  # With groups the quantiles are those of t.
  t <- if (curve$design$word == "sample") {
    1
  } else {
    qt(0.975, length(unique(curve$design$unit)) - 1) / qnorm(0.975)
  }
  reach <- slow_limits(wrong, table, unit, z = t * qnorm(0.975))
  half <- 2 * t * reference_se(values, curve$splits, folds)
  c(
    max(0, min(mean(values) - half, mean(values) - reach[[1L]])),
    min(1, max(mean(values) + half, mean(values) + reach[[2L]]))
  )
}

test_that("intervals of errors are those of the definition, everywhere", {
  designs <- list(
    list(kfold(4, 3), 4), list(kfold(3), 3), list(holdout(6, 0.6), NULL),
    list(leave_one_out(), NULL), list(kfold(3, 2), 3, group = "alike"),
    list(kfold(3, 2), 3, group = "mixed"), list(kfold(4, 2), 4, pair = TRUE),
    list(kfold(3, 2), 3, group = "unequal"),
    list(holdout(5), NULL, group = "mixed")
  )
  for (seed in 1:3) for (design in designs) {
    made <- withr::with_seed(seed, simulate_microarray(
      c(24, 24), 20, relevant = 3, effect = c(0, 1, 4)[[seed]]
    ))
    patient <- switch(design$group %||% "mixed",
      alike = rep(1:16, each = 3), mixed = rep(1:24, 2),
      unequal = rep(c(1:6, 6:11), c(9, 6, 4, 2, 2, 1, 8, 6, 5, 3, 1, 1))
    )
    args <- list(made$x, made$y, list(t = t_selector), c(2, 5),
      resampling = design[[1L]]
    )
    if (!is.null(design$group)) args$group <- patient
    if (!is.null(design$pair)) args$pair <- patient
    if (identical(design$group, "alike")) {
      # Samples of a patient are the same but for little.
      args[[1L]] <- made$x[(patient - 1) * 3 + 1, ] + made$x / 10
    }
    curve <- withr::with_seed(seed, do.call(error_curve, args))
    kept <- as.data.frame(curve, "predictions")
    wanted <- t(vapply(c(2, 5), function(size) {
      slow_interval(curve, kept[kept$size == size, ], design[[2L]])
    }, numeric(2)))
    expect_equal(unname(as.matrix(tidy(curve)[c("lower", "upper")])), wanted)
    found <- validate(curve, size = 5, positive = "class1")
    expect_equal(c(found$lower[[1L]], found$upper[[1L]]), wanted[2L, ])
    best <- best_size(curve)
    at <- match(best$size, c(2, 5))
    expect_equal(c(best$lower, best$upper), wanted[at, ])
    expect_true(all(found$lower >= 0 & found$upper <= 1))
  }
})

test_that("means over classes have the intervals of their classes", {
  made <- withr::with_seed(1, simulate_microarray(c(30, 6), 20, relevant = 3))
  patient <- rep(1:12, 3)
  for (metric in c("macro_f1", "balanced_error")) {
    for (group in list(NULL, patient)) {
      curve <- withr::with_seed(1, error_curve(made$x, made$y,
        list(t = t_selector), c(2, 5), resampling = kfold(3), metric = metric,
        group = group
      ))
      kept <- as.data.frame(curve, "predictions")
      kept <- kept[kept$size == 5, ]
      unit <- group[kept$sample] %||% kept$sample
      value <- function(rows) {
        if (is.null(group) || metric == "macro_f1") {
          return(
            reference_metric(metric, kept$truth[rows], kept$predicted[rows])
          )
        }
        mean(vapply(unique(kept$truth[rows]), function(class) {
          of <- rows[kept$truth[rows] == class]
          slow_mean(kept$truth[of] != kept$predicted[of], unit[of])
        }, 0))
      }
      folds <- split(seq_len(nrow(kept)), kept$split)
      values <- vapply(folds, value, 0)
      # A pooled metric is that of all folds together.
      mean <- if (metric == "macro_f1") value(unlist(folds)) else mean(values)
      expect_equal(tidy(curve)$mean[[2L]], mean)
      hit <- kept$truth == kept$predicted
      t <- if (is.null(group)) 1 else qt(0.975, 11) / qnorm(0.975)
      reach <- slow_limits(
        if (metric == "macro_f1") hit else !hit, kept, unit, 0.5,
        t * qnorm(0.975)
      )
      half <- 2 * t * reference_se(values, curve$splits, 3)
      expect_equal(
        unlist(tidy(curve)[2L, c("lower", "upper")], use.names = FALSE),
        c(
          max(0, mean - max(half, reach[[1L]])),
          min(1, mean + max(half, reach[[2L]]))
        )
      )
    }
  }
})

# Each sample's share in the mean over ordered pairs of classes, by comparing it
# with every other sample; then sums over units.
slow_auc_variance <- function(truth, score, unit) {
  classes <- levels(truth)
  pairs <- if (length(classes) == 2L) {
    list(1:2)
  } else {
    Filter(\(p) p[[1L]] != p[[2L]], asplit(as.matrix(expand.grid(
      seq_along(classes), seq_along(classes)
    )), 1L))
  }
  term <- numeric(length(truth))
  for (pair in pairs) {
    of <- which(truth == classes[[pair[[1L]]]])
    other <- which(truth == classes[[pair[[2L]]]])
    s <- score[, pair[[1L]]]
    for (i in of) {
      term[i] <- term[i] + mean((s[i] > s[other]) + (s[i] == s[other]) / 2)
    }
    for (j in other) {
      term[j] <- term[j] + mean((s[of] > s[j]) + (s[of] == s[j]) / 2)
    }
  }
  term <- term / length(pairs)
  total <- numeric(0)
  for (u in unique(unit)) {
    sum <- 0
    for (c in classes) {
      all <- which(truth == c)
      k <- length(unique(unit[all]))
      mine <- all[unit[all] == u]
      sum <- sum + sum(term[mine] - mean(term[all])) / length(all) *
        sqrt(k / (k - 1))
    }
    total <- c(total, sum)
  }
  sum(total^2)
}

test_that("areas have DeLong's variance, over units, of any classes", {
  for (seed in 1:20) withr::with_seed(seed, {
    n_classes <- 2L + seed %% 3L
    truth <- factor(sample(rep_len(seq_len(n_classes), 24)))
    score <- matrix(round(rnorm(24 * n_classes), seed %% 2), 24)
    score[cbind(1:24, truth)] <- score[cbind(1:24, truth)] + 1
    unit <- if (seed %% 4 == 0) rep(1:12, 2) else 1:24
    rows <- list(sample = 1:24, unit = unit, repetition = rep(1L, 24))
    area <- auc(truth, score)
    found <- auc_limits(
      list(list(truth = truth, score = score)), rows, area, list(), 1.96
    )
    z <- 1.96
    if (seed %% 4 == 0) {
      # Of a t distribution, by the class with the fewest units.
      least <- min(vapply(levels(truth), function(class) {
        length(unique(unit[truth == class]))
      }, 0L))
      z <- qt(pt(1.96, 11), least - 1)
    }
    half <- z * sqrt(slow_auc_variance(truth, score, unit)) /
      (area * (1 - area))
    expect_equal(found, plogis(qlogis(area) + c(-half, half)))
  })
})

test_that("an area without spread, or of one sample, has an interval", {
  limits <- function(truth, score) {
    n <- length(truth)
    auc_limits(list(list(truth = truth, score = cbind(score))),
      list(sample = seq_len(n), unit = seq_len(n), repetition = rep(1L, n)),
      auc(truth, cbind(score)), list(), qnorm(0.975)
    )
  }
  truth <- factor(rep(1:2, c(6, 20)))
  expect_equal(
    unname(limits(truth, 26:1)), c(0.025^(1 / 6), 1)
  )
  # All scores are equal: one half.
  expect_equal(sum(limits(truth, rep(1, 26))), 1)
  # Three patients, all in order.
  patients <- auc_limits(
    list(list(truth = truth, score = cbind(26:1))), list(
      sample = 1:26, unit = rep(c(1:3, 4:8), c(2, 2, 2, 4, 4, 4, 4, 4)),
      repetition = rep(1L, 26)
    ), 1, list(), qt(0.975, 7)
  )
  expect_equal(unname(patients), c(0.025^(1 / 3), 1))
  one <- limits(factor(rep(1:2, c(1, 20))), c(2, 1:20))
  expect_gt(diff(one), 0.5)
})

test_that("no estimate lies outside of its own interval by rounding", {
  expect_identical(with_estimate(c(1e-18, 0.3), 0), c(0, 0.3))
  expect_identical(with_estimate(c(NA, NA), 0.5), c(NA_real_, NA_real_))
  for (n in 2 * 4:20) {
    y <- rep_len(c("a", "b"), n)
    x <- cbind(f = 9 * (y == "a") + seq_len(n) / 100)
    curve <- curve_of(x, y, list(f = function(x, y) "f"), 1,
      classifier = "knn1", resampling = holdout(times = 1)
    )
    for (table in list(curve$summary, curve$aggregate)) {
      expect_true(all(table$lower <= table$mean & table$mean <= table$upper))
    }
  }
})
