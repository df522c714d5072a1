# What is expected of effects on new samples, and differences within blocks.
# SPDX-License-Identifier: GPL-3.0-or-later

# The definition, feature by feature.
slow_share <- function(t, df) {
  df <- rep_len(df, length(t))
  z <- abs(qnorm(pt(-abs(t), df, log.p = TRUE), log.p = TRUE))
  scales <- c(0, .5, 1, 2, 3, 4, 6, 8, 12)
  scales <- scales[scales <= max(z, .5)]
  likelihood <- vapply(scales, \(s) dnorm(z, 0, sqrt(1 + s^2)), z)
  weight <- c(length(scales), rep(1, length(scales) - 1))
  for (step in 1:201) {
    weight <- weight / sum(weight)
    posterior <- t(t(likelihood) * weight)
    posterior <- posterior / rowSums(posterior)
    weight <- colSums(posterior)
    weight[[1]] <- weight[[1]] + 5
  }
  drop(posterior %*% (scales^2 / (1 + scales^2)))
}

test_that("what is left of effects is empirical Bayes over all features", {
  for (seed in 1:6) withr::with_seed(seed, {
    n <- c(50, 300, 2000)[[1 + seed %% 3]]
    one <- c(3, 58, 18)[[1 + seed %% 3]]
    df <- if (seed %% 2) one else sample(5:60, n, replace = TRUE)
    t <- rt(n, df) + c(0, 3)[1 + rbinom(n, 1, 0.1 * (seed - 1))] * rnorm(n)
    found <- expected_share(t, df)
    expect_equal(found, slow_share(t, df))
    order <- sample(n)
    expect_identical(expected_share(t[order], rep_len(df, n)[order]),
      found[order])
    # What has no finite effect neither counts nor changes.
    with <- expected_share(c(NA, t, Inf), c(9, rep_len(df, n), 9))
    expect_identical(with, c(1, found, 1))
  })
  expect_identical(expected_share(1:49 / 1, 20), rep(1, 49))
  expect_true(all(expected_share(c(1e4, 1:60 / 60), 20)[-1] < 0.7))
})

test_that("of noise nothing is expected, of large effects nearly all", {
  withr::with_seed(1, {
    expect_lt(mean(expected_share(rnorm(5000), Inf)), 0.05)
    t <- c(rnorm(500), rnorm(500, 12))
  })
  expect_gt(min(expected_share(t, Inf)[501:1000]), 0.9)
})

# Differences by loops over blocks: difference, spread, variance, df of a class.
slow_blocks <- function(values, y, block, class) {
  top <- bottom <- squares <- df <- 0
  for (b in unique(block)) {
    x <- split(values[block == b], droplevels(y[block == b]))
    x <- Filter(length, lapply(x, \(v) v[!is.na(v)]))
    for (v in x) {
      squares <- squares + sum((v - mean(v))^2)
      df <- df + length(v) - 1
    }
    if (!class %in% names(x) || length(x) < 2) next
    others <- x[names(x) != class]
    variance <- 1 / length(x[[class]]) +
      sum(1 / lengths(others)) / length(others)^2
    mean <- mean(x[[class]]) - mean(vapply(others, mean, 0))
    top <- top + mean / variance
    bottom <- bottom + 1 / variance
  }
  c(top / bottom, sqrt(squares / df), 1 / bottom, df)
}

test_that("differences in blocks are those of the definition", {
  for (seed in 1:6) {
    data <- withr::with_seed(seed, {
      n_classes <- 2L + seed %% 2L
      y <- factor(c(rep(seq_len(n_classes), 6), sample(n_classes, 24, TRUE)))
      n <- length(y)
      block <- c(rep(1:3, length.out = n - 4), 4, 4, 4, 4)
      y[block == 4] <- 1 # the others are not in this block
      x <- matrix(round(rnorm(n * 60), seed %% 2), n) + block^2
      colnames(x) <- sprintf("g%d", 1:60)
      if (seed > 3) x[sample(length(x), 40)] <- NA
      list(x = x, y = y, block = block)
    })
    fit <- suppressWarnings(suppressMessages(
      relief(data$x, data$y, block = data$block, k = 2, threads = 1)
    ))
    table <- as.data.frame(fit)
    at <- match(table$feature, colnames(data$x))
    for (class in levels(data$y)) {
      slow <- vapply(1:60, function(j) {
        slow_blocks(data$x[, j], data$y, data$block, class)
      }, numeric(4))
      k <- match(class, levels(data$y))
      expect_equal(unname(fit$contrasts$difference[, k]), slow[1, ])
      expect_equal(unname(fit$class_spread), slow[2, ])
      # In one row if all features have the same.
      for (name in c("variance", "df")) {
        expect_equal(
          rep_len(fit$contrasts[[name]][, k], ncol(slow)),
          slow[if (name == "df") 4L else 3L, ]
        )
      }
      rows <- which(table$class == class)
      raw <- (slow[1, ] / slow[2, ])[at[rows]]
      expect_equal(table$effect_raw[rows], raw)
      if (nlevels(data$y) > 2L || class == "1") {
        share <- slow_share(slow[1, ] / slow[2, ] / sqrt(slow[3, ]), slow[4, ])
        expect_equal(table$effect[rows], raw * share[at[rows]])
      }
    }
    # Means are those of all samples.
    expect_equal(
      table$mean_1, unname(colMeans(data$x[data$y == 1, table$feature],
        na.rm = TRUE))
    )
  }
})

test_that("a batch does not reverse directions", {
  withr::with_seed(1, {
    y <- factor(rep(c("a", "b"), each = 20))
    batch <- rep(c(1, 2, 2, 1), c(16, 4, 16, 4))
    x <- matrix(rnorm(40 * 60), 40, dimnames = list(NULL, paste0("g", 1:60)))
  })
  x[y == "b", 1:10] <- x[y == "b", 1:10] + 2
  x <- x - 5 * (batch == 2)
  fit <- relief(x, y, block = batch, threads = 1)
  first <- as.data.frame(fit)
  first <- first[first$feature %in% colnames(x)[1:10], ]
  expect_identical(first$class, rep("b", 10))
  expect_true(all(first$mean_b < first$mean_a))
  text <- gsub("\n *", " ", paste(capture.output(print(fit)), collapse = "\n"))
  expect_match(text, "in the same block (means are those of all", fixed = TRUE)
  values <- coef(fit, signed = TRUE, positive = "b")
  expect_true(all(values[1:10] > 0))
  expect_setequal(
    intersect(selected(fit, 60, class = "b", direction = "up"), first$feature),
    first$feature
  )
})

test_that("effects of classes, pairs, missing values and times are shrunken", {
  share_of <- function(table, variance, df) {
    slow_share(table$effect_raw / sqrt(variance), df)
  }
  made <- withr::with_seed(1, simulate_microarray(c(20, 9), 80, relevant = 5))
  found <- as.data.frame(relief(made$x, made$y, threads = 1))
  expect_equal(
    found$effect, found$effect_raw * share_of(found, 1 / 20 + 1 / 9, 27)
  )
  x <- made$x[-29, ]
  pair <- rep(1:14, 2)
  y <- factor(rep(c("a", "b"), each = 14))
  found <- as.data.frame(relief(x, y, pair = pair, threads = 1))
  expect_equal(
    found$effect, found$effect_raw * share_of(found, 1 / 14, 13)
  )
  holes <- withr::with_seed(2, replace(made$x, sample(length(made$x), 300), NA))
  found <- as.data.frame(suppressWarnings(suppressMessages(
    relief(holes, made$y, threads = 1)
  )))
  n <- rowsum(0 + !is.na(holes), made$y)[, found$feature]
  expect_equal(
    found$effect,
    unname(
      found$effect_raw * share_of(found, colSums(1 / n), colSums(n) - 2)
    )
  )
  # Many features are counted by value.
  t <- withr::with_seed(4, rnorm(4000, c(0, 0, 0, 3)))
  expect_equal(expected_share(t, 20), slow_share(t, 20), tolerance = 1e-3)
  few <- as.data.frame(relief(made$x[, 1:20], made$y, threads = 1))
  expect_identical(few$effect, few$effect_raw)
  expect_output(
    print(relief(made$x[, 1:20], made$y)), "of these samples .fewer than 50"
  )
  markers <- markers(made$x, made$y, n = 3, threads = 1)
  t <- with(markers, effect_raw / sqrt(1 / 20 + 1 / 9))
  expect_true(all(abs(markers$effect) < abs(markers$effect_raw)))
  y <- withr::with_seed(3, survival::Surv(rexp(29), rbinom(29, 1, 0.7)))
  found <- as.data.frame(relief(made$x, y, threads = 1))
  expect_equal(
    found$effect, found$effect_raw * slow_share(found$z, Inf)
  )
})

test_that("a class of one or two samples has no effect", {
  p <- withr::with_seed(1, list(
    x = matrix(rnorm(43 * 60), 43, dimnames = list(NULL, sprintf("g%d", 1:60))),
    y = rep(c("a", "b", "c"), c(20, 20, 3))
  ))
  of <- function(rows, x = p$x, ...) {
    suppressWarnings(relief(x[rows, ], p$y[rows], ..., threads = 1))
  }
  for (n in 1:3) {
    table <- as.data.frame(of(1:(40 + n)))
    rare <- table$class %in% "c"
    expect_gt(sum(rare), 0)
    expect_true(all(is.na(table$effect[rare]) == (n < 3)))
    expect_true(all(is.na(table$effect_raw[rare]) == (n < 3)))
    expect_false(anyNA(table$effect[!rare]))
    expect_true(all(is.na(as.data.frame(of(c(1:20, 40 + 1:n)))$effect) ==
      (n < 3)))
  }
  expect_output(print(of(1:42)), "effect is NA .*: c")
  expect_output(print(of(c(1:20, 41:42))), "show it: c")
  blocks <- of(1:42, block = c(rep(1:2, 20), 1, 1))
  expect_true(all(is.na(subset(as.data.frame(blocks), class == "c")$effect)))
  expect_warning(
    scores <- reference_scores(p$x[19:40, ], p$y[19:40], form = "paper"),
    class = "hitmiss_warning_single"
  )
  expect_true(all(is.na(scores)))
  # Of a feature that is known of two samples of a class.
  x <- p$x
  x[1:18, 1] <- NA
  table <- as.data.frame(of(1:40, x))
  expect_identical(table$feature[is.na(table$effect)], "g1")
})
