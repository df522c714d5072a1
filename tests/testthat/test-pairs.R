# New pairs that differ less than training pairs do, and tables of paired fits:
# against plain definitions.
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
slow_small <- function(known, gap) {
  sizes <- vapply(seq_len(nrow(known)), function(i) {
    sum(colMeans(known[-i, , drop = FALSE]) * known[i, ])
  }, 0)
  sum(colMeans(known) * gap) <= max(0, quantile(sizes, 0.05))
}

warned_pairs <- function(...) {
  told <- character()
  withCallingHandlers(
    predict(..., threads = 1),
    hitmiss_warning = function(w) {
      # Healthy pairs are far from the training pairs, which is another warning.
      if (inherits(w, "hitmiss_warning_pairs")) {
        told <<- c(told, conditionMessage(w))
      }
      invokeRestart("muffleWarning")
    }
  )
  told
}

test_that("pairs that differ less than 19 of 20 are those of the definition", {
  d <- pairs_of(7, effect = 3)
  fit <- relief(d$x, d$y, pair = d$pair, k = 3, threads = 1)
  new <- withr::with_seed(2, list(
    x = matrix(rnorm(800 * 12, sd = 2), 800), pair = rep(1:400, 2)
  ))
  # A value that a pair lacks counts neither for it nor in training.
  new$x[1:40, 1:9] <- NA
  called <- rep(1:2, each = 400)
  called[c(1, 401)] <- 2:1
  called[440] <- NA
  # Features that differ, and features that do not.
  for (columns in list(1:12, 9:12)) {
    training <- d$x[, columns]
    training[3, 2] <- NA
    told <- tryCatch(
      warn_small_differences(
        fit, training, factor(d$y), new$x[, columns], called, new$pair
      ),
      hitmiss_warning_pairs = conditionMessage
    )
    known <- training[8:14, ] - training[1:7, ]
    known[3, 2] <- mean(known[-3, 2])
    small <- vapply(1:400, function(i) {
      gap <- (new$x[400 + i, ] - new$x[i, ]) * (called[400 + i] - called[i])
      there <- !is.na(gap[columns])
      slow_small(known[, there], gap[columns][there])
    }, NA)
    small[40] <- FALSE # not all its samples have a class
    expect_gt(sum(small), 100)
    expect_match(told, sprintf("%d of 399 pairs differ less", sum(small)))
    names <- sprintf("do: %s", listed(which(small), 3L))
    expect_match(told, names, fixed = TRUE)
  }
})

test_that("healthy pairs are named, whatever the order and the selector", {
  d <- pairs_of(15, effect = 4)
  new <- pairs_of(6, effect = rep(c(6, 0), each = 3), seed = 2)
  new$pair <- paste0("P", new$pair)
  order <- withr::with_seed(3, sample(12))
  for (selector in list(relief, pwfp, kbfs, llfs)) {
    fit <- suppressWarnings(selector(d$x, d$y, pair = d$pair, threads = 1))
    told <- warned_pairs(fit, new$x, pair = new$pair)
    expect_match(told, "^3 of 6 pairs differ less .*: P4, P5, P6[.]")
    told <- warned_pairs(fit, new$x[order, ], pair = new$pair[order])
    expect_match(told, "^3 of 6 pairs differ less")
  }
  # Two equal samples; a case of two controls.
  fit <- relief(d$x, d$y, pair = d$pair, k = 3, threads = 1)
  x <- new$x[c(1, 1, 2, 3, 8), ]
  expect_match(
    warned_pairs(fit, x, pair = c(1, 1, 2, 2, 2)), "^1 of 2 pairs differs .*: 1"
  )
  # Nothing is told without a difference to compare with, or of three classes.
  expect_identical(warned_pairs(fit, x[0, ], pair = 1[0]), character())
  y <- replace(rep(c("a", "b", "c"), 10), 1:3, c("a", "b", "c"))
  three <- relief(d$x, y, pair = rep(1:10, each = 3), k = 2, threads = 1)
  expect_identical(warned_pairs(three, x, pair = rep(1, 5)), character())
})

test_that("a pair that is called all one class differs by nothing", {
  x <- withr::with_seed(1, matrix(rnorm(24 * 60), 24))
  colnames(x) <- paste0("g", 1:60)
  y <- rep(c("n", "t"), 12)
  for (sign in c(-1, 1)) {
    apart <- x
    apart[y == "t", 1:10] <- apart[y == "t", 1:10] + sign
    fit <- relief(apart, y, pair = rep(1:12, each = 2), scale = "range")
    for (n in 2:3) {
      same <- apart[rep(1, n), ]
      expect_match(warned_pairs(fit, same, pair = rep("P", n)), "^1 of 1 .*: P")
    }
  }
  # Equal differences: none is less than that of the others.
  x <- rbind(x, x + 1)
  y <- rep(c("n", "t"), each = 24)
  pair <- rep(1:24, 2)
  fit <- suppressWarnings(suppressMessages(relief(x, y, pair = pair)))
  expect_identical(warned_pairs(fit, x, pair = pair), character())
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
  for (kind in c("two classes", "three classes", "missing")) {
    rows <- if (kind != "three classes") which(y != "b") else seq_along(y)
    if (kind == "missing") x[cbind(c(1, 4, 5, 8), c(1, 1, 2, 3))] <- NA
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
      expect_equal(table$difference[[i]], mean(gap, na.rm = TRUE))
      # The spread of two pairs is not known.
      known <- if (sum(!is.na(gap)) < 3L) NA else 1
      expect_equal(
        table$effect[[i]],
        known * table$difference[[i]] / sd(gap, na.rm = TRUE)
      )
      up <- table$difference[[i]] > 0
      expect_identical(table$direction[[i]], if (up) "up" else "down")
    }
  }
})

test_that("a fit with unlabelled samples predicts pairs", {
  d <- pairs_of(8L)
  d$pair <- (d$pair + 1) %/% 2 # of four samples
  y <- d$y
  y[c(3, 11)] <- NA
  fit <- suppressWarnings(kbfs(d$x, y, pair = d$pair, threads = 1))
  expect_output(print(fit), "16 samples of 4 pairs (14 labelled)", fixed = TRUE)
  expect_identical(length(fit$design$pair), nrow(fit$training$values))
  class <- suppressWarnings(
    predict(fit, d$x, pair = d$pair, threads = 1),
    classes = "hitmiss_warning_pairs"
  )
  expect_false(anyNA(class))
})
