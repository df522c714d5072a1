# The interval of a curve's mean, and of areas, against their definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

# The shares p that lie `z` binomial standard errors from `share`.
slow_wilson <- function(share, n, z = qnorm(0.975)) {
  roots <- polyroot(c(share^2, -2 * share - z^2 / n, 1 + z^2 / n))
  sort(Re(roots))
}

# As how many samples: `wrong`, one repetition after the other.
slow_size <- function(wrong, sample, unit, repetition) {
  n <- length(unique(sample))
  g <- length(unique(unit))
  p <- mean(wrong)
  if (p == 0 || p == 1) {
    return(g)
  }
  effects <- NULL
  for (r in unique(repetition)) {
    l <- wrong[repetition == r]
    u <- unit[repetition == r]
    total <- 0
    for (of in unique(u)) total <- total + sum(l[u == of] - mean(l))^2
    k <- length(unique(u))
    variance <- total / length(l)^2 * k / (k - 1)
    effects <- c(effects, variance / (p * (1 - p) / length(l)))
  }
  max(g, n / max(1, mean(effects)))
}

slow_interval <- function(curve, table, folds = NULL) {
  wrong <- table$truth != table$predicted
  values <- vapply(seq_along(curve$splits), function(s) {
    mean(wrong[table$split == s])
  }, 0)
  unit <- curve$design$unit[table$sample]
  n <- slow_size(wrong, table$sample, unit, table$repetition)
  half <- 2 * reference_se(values, curve$splits, folds)
  ends <- slow_wilson(mean(values), n)
  c(
    max(0, min(mean(values) - half, ends[[1L]])),
    min(1, max(mean(values) + half, ends[[2L]]))
  )
}

test_that("intervals of errors are those of the definition, everywhere", {
  designs <- list(
    list(kfold(4, 3), 4), list(kfold(3), 3), list(holdout(6, 0.6), NULL),
    list(leave_one_out(), NULL), list(kfold(3, 2), 3, group = "alike"),
    list(kfold(3, 2), 3, group = "mixed"), list(kfold(4, 2), 4, pair = TRUE)
  )
  for (seed in 1:3) for (design in designs) {
    made <- withr::with_seed(seed, simulate_microarray(
      c(24, 24), 20, relevant = 3, effect = c(0, 1, 4)[[seed]]
    ))
    patient <- if (identical(design$group, "alike")) {
      rep(1:16, each = 3)
    } else {
      rep(1:24, 2)
    }
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

test_that("of classes that count alike, the small one decides", {
  made <- withr::with_seed(1, simulate_microarray(c(30, 6), 20, relevant = 3))
  curve <- withr::with_seed(1, error_curve(made$x, made$y,
    list(t = t_selector), c(2, 5), resampling = kfold(3), metric = "macro_f1"
  ))
  kept <- as.data.frame(curve, "predictions")
  values <- vapply(1:3, function(s) {
    rows <- kept[kept$size == 5 & kept$split == s, ]
    reference_metric("macro_f1", rows$truth, rows$predicted)
  }, 0)
  mean <- tidy(curve)$mean[[2L]]
  half <- 2 * reference_se(values, curve$splits, 3)
  ends <- slow_wilson(mean, 4 / (1 / 30 + 1 / 6))
  expect_equal(
    unlist(tidy(curve)[2L, c("lower", "upper")], use.names = FALSE),
    c(min(mean - half, ends[[1L]]), min(1, max(mean + half, ends[[2L]])))
  )
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
    half <- 1.96 * sqrt(slow_auc_variance(truth, score, unit)) /
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
