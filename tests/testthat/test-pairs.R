# What the size of a difference within a new pair shows, and tables of paired
# fits: against plain definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

pairs_of <- function(n, effect = 2, genes = 12L, seed = 1) {
  withr::local_seed(seed)
  person <- 3 * matrix(rnorm(n * genes), n)
  x <- rbind(person + rnorm(n * genes), person + rnorm(n * genes))
  x[n + seq_len(n), 1:4] <- x[n + seq_len(n), 1:4] + effect
  colnames(x) <- paste0("g", seq_len(genes))
  list(x = x, y = rep(c("before", "ill"), each = n), pair = rep(seq_len(n), 2))
}

# One pair after the other, by the words of ?predict.hitmiss.
slow_length <- function(known, gap) {
  toward <- function(d) colMeans(d) / apply(d, 2, sd)
  n <- nrow(known)
  around <- vapply(seq_len(n), function(i) {
    rest <- known[-i, , drop = FALSE]
    sum(toward(rest) * (known[i, ] - colMeans(rest))) / sqrt(1 + 1 / (n - 1))
  }, 0)
  usual <- vapply(seq_len(n), function(i) {
    sum(toward(known[-i, , drop = FALSE]) * known[i, ])
  }, 0)
  spread <- sqrt(mean(around^2))
  list(
    length = sum(toward(known) * gap) / spread,
    limit = min(
      0.45 * max(mean(usual), 0) / spread, qt(0.995, n - 1) * sqrt(1 + 1 / n)
    )
  )
}

test_that("lengths, probabilities and flags are those of the definition", {
  for (seed in 1:8) {
    d <- pairs_of(7, effect = 1, seed = seed)
    new <- pairs_of(5, effect = rep(c(1, 0), c(3, 2)), seed = seed + 50)
    fit <- relief(d$x, d$y, pair = d$pair, k = 3, threads = 1)
    prob <- suppressMessages(
      predict(fit, new$x, pair = new$pair, type = "prob", n = 4, threads = 1)
    )
    called <- suppressMessages(
      predict(fit, new$x, pair = new$pair, n = 4, threads = 1)
    )
    used <- head(fit$ranking[fit$scores[fit$ranking] > 0], 4)
    unit <- fit$preprocess$scale[used]
    gaps <- function(of) {
      n <- length(of$y) / 2
      t(t(of$x[n + 1:n, used] - of$x[1:n, used]) / unit)
    }
    for (i in 1:5) {
      known <- gaps(d)
      slow <- slow_length(known, gaps(new)[i, ])
      # The first sample of the pair, then the second, called "ill" or not.
      for (row in c(i, 5 + i)) {
        toward <- if ((row > 5) == (called[[row]] == "ill")) 1 else -1
        size <- max(toward * slow$length, 0)
        density <- function(at) dnorm(size, at)
        usual <- 2 * slow$limit
        p <- (density(usual) + density(0) / 2) /
          (density(usual) + density(-usual) + density(0))
        expect_equal(
          prob[[row, as.character(called[[row]])]], (7 * p + 0.5) / 8
        )
        expect_identical(
          attr(prob, "no_difference")[[row]],
          toward * slow$length <= slow$limit
        )
      }
    }
    expect_identical(
      attr(called, "no_difference"), attr(prob, "no_difference")
    )
    expect_equal(unname(rowSums(prob)), rep(1, 10))
  }
})

test_that("healthy pairs are named, whatever the order and the selector", {
  d <- pairs_of(15, effect = 3)
  new <- pairs_of(6, effect = rep(c(3, 0), each = 3), seed = 2)
  new$pair <- paste0("P", new$pair)
  # Healthy pairs are far from the training pairs, which is another warning.
  predicted <- function(...) {
    suppressWarnings(predict(...), classes = "hitmiss_warning_scale")
  }
  for (selector in list(relief, pwfp, kbfs, llfs)) {
    fit <- suppressWarnings(selector(d$x, d$y, pair = d$pair, threads = 1))
    told <- expect_message(
      called <- predicted(fit, new$x, pair = new$pair, threads = 1),
      "of 6 pairs show no difference", class = "hitmiss_message_no_difference"
    )
    expect_match(conditionMessage(told), "P4, P5, P6")
    flag <- attr(called, "no_difference")
    expect_identical(new$pair[!flag & new$y == "ill"], c("P1", "P2", "P3"))
    order <- withr::with_seed(3, sample(12))
    other <- suppressMessages(
      predicted(fit, new$x[order, ], pair = new$pair[order], threads = 1)
    )
    expect_identical(attr(other, "no_difference"), flag[order])
  }
  # A pair without a difference at all, one that lacks a gene, a set of three.
  fit <- relief(d$x, d$y, pair = d$pair, k = 3, threads = 1)
  x <- rbind(new$x[c(1, 1, 2, 8, 3, 9, 10), ])
  x[3, "g1"] <- NA
  got <- suppressMessages(predicted(fit, x,
    type = "prob", pair = c(1, 1, 2, 2, 3, 3, 3), missing = "drop", threads = 1
  ))
  expect_identical(
    attr(got, "no_difference"), rep(c(TRUE, FALSE, NA), c(2, 2, 3))
  )
  expect_equal(unname(got[1:2, ]), matrix(0.5, 2, 2))
  few <- relief(d$x[c(1:3, 16:18), ], d$y[c(1:3, 16:18)],
    pair = d$pair[c(1:3, 16:18)], k = 1, threads = 1
  )
  expect_no_message(got <- predict(few, new$x, pair = new$pair, threads = 1))
  expect_true(all(is.na(attr(got, "no_difference"))))
})

test_that("means are on the scale of the data, and effects those of pairs", {
  d <- pairs_of(9)
  table <- as.data.frame(relief(d$x, d$y, pair = d$pair, threads = 1))
  for (i in seq_len(nrow(table))) {
    v <- d$x[, table$feature[[i]]]
    gap <- v[10:18] - v[1:9]
    expect_equal(table$mean_before[[i]], mean(v[1:9]))
    expect_equal(table$mean_ill[[i]], mean(v[10:18]))
    expect_equal(table$difference[[i]], abs(mean(gap)))
    expect_equal(table$effect[[i]], abs(mean(gap) / sd(gap)))
  }
  # Sets of one case and several controls, and of three classes.
  y <- c("c", "a", "a", "c", "a", "c", "a", "b", "b", "c", "a")
  set <- c(1, 1, 1, 2, 2, 3, 3, 3, 4, 4, 4)
  x <- withr::with_seed(4, matrix(rnorm(11 * 5), 11,
    dimnames = list(NULL, letters[1:5])
  ))
  for (two in c(TRUE, FALSE)) {
    rows <- if (two) which(y != "b") else seq_along(y)
    fit <- suppressWarnings(relief(x[rows, ], y[rows],
      pair = set[rows], k = 1, threads = 1
    ))
    table <- as.data.frame(fit)
    for (i in seq_len(nrow(table))) {
      v <- x[rows, table$feature[[i]]]
      cells <- tapply(v, list(set[rows], y[rows]), mean)
      class <- table$class[[i]]
      rest <- cells[, colnames(cells) != class, drop = FALSE]
      gap <- cells[, class] - rowMeans(rest, na.rm = TRUE)
      expect_equal(
        unlist(table[i, paste0("mean_", fit$classes)], use.names = FALSE),
        unname(colMeans(cells, na.rm = TRUE))
      )
      expect_equal(
        table$effect[[i]], table$difference[[i]] / sd(gap, na.rm = TRUE)
      )
    }
  }
})

test_that("chance limits the length of a difference; a pair has one flag", {
  withr::local_seed(3)
  d <- 10 + stats::rnorm(8, sd = 0.5)
  none <- function(called) {
    pair_evidence(
      matrix(c(-d / 2, d / 2)), rep(1:8, 2), rep(1:2, each = 8),
      matrix(c(1.5, -1.5)), c(1L, 1L), called
    )$none
  }
  # Six standard deviations are below half of the usual twenty, but no chance.
  expect_identical(none(2:1), c(FALSE, FALSE))
  # Both called alike: one of the two points the other way.
  expect_identical(none(c(2L, 2L)), c(TRUE, TRUE))
})

test_that("a fit with unlabelled samples predicts pairs", {
  d <- pairs_of(8L)
  d$pair <- (d$pair + 1) %/% 2 # of four samples
  y <- d$y
  y[c(3, 11)] <- NA
  fit <- suppressWarnings(kbfs(d$x, y, pair = d$pair, threads = 1))
  expect_output(print(fit), "16 samples (14 labelled)", fixed = TRUE)
  expect_identical(length(fit$pair_of), nrow(fit$training$values))
  expect_warning(
    class <- predict(fit, d$x, pair = d$pair, threads = 1), NA
  )
  expect_false(anyNA(class))
})
