# Do the numbers of error_curve() keep their promises? Level of a paired t-test
# over splits, and of compare_selectors(), with two equal selectors (500 data
# sets; other studies: levels.R), and what best_size() costs (40 data
# sets, error on 1000 fresh samples at the size it chose).
# Usage: Rscript evaluation_levels.R [level|size] [first seed] [last seed]
#        [shift = 1.5] [true = 5] [k = 5]
# Level: two groups of 100 features; the first `true` of each are shifted in one
# class by `shift`, and `k` nearest neighbours classify.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
part <- if (length(arguments) > 0L) arguments[[1L]] else "level"
seeds <- if (length(arguments) > 2L) {
  seq(as.integer(arguments[[2L]]), as.integer(arguments[[3L]]))
} else if (part == "level") {
  1:500
} else {
  1:40
}
shift <- if (length(arguments) > 3L) as.numeric(arguments[[4L]]) else 1.5
n_true <- if (length(arguments) > 4L) as.integer(arguments[[5L]]) else 5L
neighbours <- if (length(arguments) > 5L) as.integer(arguments[[6L]]) else 5L

t_score <- function(x, y) {
  first <- y == levels(y)[[1L]]
  n <- c(sum(first), sum(!first))
  a <- colMeans(x[first, ])
  b <- colMeans(x[!first, ])
  squares <- colSums(x^2) - n[[1L]] * a^2 - n[[2L]] * b^2
  abs(a - b) / sqrt(squares / (sum(n) - 2) * sum(1 / n))
}

level_of <- function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(80 * 200), 80, dimnames = list(NULL, paste0("g", 1:200)))
  y <- factor(rep(c("a", "b"), 40))
  true <- c(seq_len(n_true), 100L + seq_len(n_true))
  x[y == "b", true] <- x[y == "b", true] + shift
  half <- function(columns) function(x, y) t_score(x[, columns], y)
  ways <- list(
    `20 x holdout 50 %` = holdout(20, 0.5),
    `10 x holdout 50 %` = holdout(10, 0.5),
    `10 x holdout 85 %` = holdout(10, 0.85), `10-fold` = kfold(10),
    `4 x 5-fold` = kfold(5, 4), `leave-one-out` = leave_one_out()
  )
  vapply(ways, function(way) {
    curve <- error_curve(x, y, list(one = half(1:100), two = half(101:200)), 5,
      resampling = way, classifier = paste0("knn", neighbours)
    )
    d <- curve$values$one[, 1L] - curve$values$two[, 1L]
    plain <- if (sd(d) == 0) as.numeric(mean(d) == 0) else t.test(d)$p.value
    c(plain = plain, by_sample = compare_selectors(curve)$p)
  }, numeric(2L))
}

# Blocks of 50 with correlation 0.5; 5 true features, shifted by 1.2.
size_data <- function(n) {
  common <- matrix(rnorm(n * 20), n)[, rep(1:20, each = 50)]
  x <- sqrt(0.5) * common + sqrt(0.5) * matrix(rnorm(n * 1000), n)
  colnames(x) <- paste0("g", 1:1000)
  y <- factor(rep(c("a", "b"), length.out = n))
  true <- seq(1, 1000, by = 200)
  x[y == "b", true] <- x[y == "b", true] + 1.2
  list(x = x, y = y)
}

size_of <- function(seed) {
  set.seed(seed)
  train <- size_data(80)
  fresh <- size_data(1000)
  curve <- error_curve(train$x, train$y, list(t = t_score), 1:80,
    resampling = kfold(5, 2), classifier = "knn3", keep = FALSE
  )
  order <- order(-t_score(train$x, train$y))
  judge <- function(n) {
    use <- order[seq_len(n)]
    center <- colMeans(train$x[, use, drop = FALSE])
    spread <- apply(train$x[, use, drop = FALSE], 2L, sd)
    z <- function(x) scale(x[, use, drop = FALSE], center, spread)
    mean(class::knn(z(train$x), z(fresh$x), train$y, k = 3) != fresh$y)
  }
  one <- best_size(curve)
  min <- best_size(curve, "min")
  c(
    size_one = one$size, size_min = min$size, fresh_one = judge(one$size),
    fresh_min = judge(min$size), curve_min = curve$best$mean
  )
}

if (part == "level") {
  p <- vapply(seeds, level_of, matrix(0, 2L, 6L))
  cat(length(seeds), "data sets; share of p below 0.05 where nothing differs\n")
  print(t(round(apply(p < 0.05, 1:2, mean), 3)))
} else {
  figures <- vapply(seeds, size_of, numeric(5L))
  cat(length(seeds), "data sets; means and standard errors\n")
  print(round(rbind(
    mean = rowMeans(figures), se = apply(figures, 1L, sd) / sqrt(length(seeds))
  ), 4))
}
