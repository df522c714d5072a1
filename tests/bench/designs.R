# The tables of vignettes/designs.Rmd: what block and group change, on data
# whose true features are known.
# Usage: Rscript tests/bench/designs.R [seeds]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
seeds <- seq_len(
  if (length(arguments) > 0L) as.integer(arguments[[1L]]) else 24L
)

scores <- function(x, y, method = "relieff", ...) {
  hubs <- if (method == "relieff") list(hubs = "none")
  suppressWarnings(
    do.call(relief, c(list(x, y, method, ..., threads = 2), hubs))
  )$scores
}
best <- function(score, n) order(-score)[seq_len(n)]
summarised <- function(runs) {
  runs <- simplify2array(runs)
  print(round(t(rbind(
    apply(runs, c(1, 2), mean),
    apply(runs, c(1, 2), sd) / sqrt(dim(runs)[[3L]])
  )), 3))
}

# 80 samples, 1,000 features: 10 true ones with effect 0.8, 200 others moved by
# 1.5 in a batch that holds four fifths of one class and one fifth of the other.
in_batches <- function(seed) {
  set.seed(seed)
  y <- rep(c("a", "b"), each = 40)
  batch <- rep(c(1, 2, 1, 2), c(32, 8, 8, 32))
  x <- matrix(rnorm(80 * 1000), 80, dimnames = list(NULL, paste0("f", 1:1000)))
  x[y == "b", 1:10] <- x[y == "b", 1:10] + 0.8
  x[batch == 2, 11:210] <- x[batch == 2, 11:210] + 1.5
  alone <- cbind(1, batch == 2)
  with_class <- cbind(alone, y == "b")
  fit <- lm.fit(with_class, x)
  error <- sqrt(colSums(fit$residuals^2) / (80 - 3) *
    solve(crossprod(with_class))[3, 3])
  of <- list(
    plain = scores(x, y, k = 10),
    within_blocks = scores(x, y, k = 10, block = batch),
    residuals = scores(lm.fit(alone, x)$residuals, y, k = 10),
    batch_removed = scores(
      x - outer(alone[, 2], fit$coefficients[2, ]), y, k = 10
    ),
    t_beside_batch = abs(fit$coefficients[3, ]) / error,
    multisurf = scores(x, y, "multisurf"),
    multisurf_within = scores(x, y, "multisurf", block = batch)
  )
  vapply(of, function(score) {
    first <- best(score, 20)
    c(true = sum(first <= 10), batch = sum(first > 10 & first <= 210))
  }, numeric(2))
}
cat("true and batch features among the best 20: means, then standard errors\n")
summarised(lapply(seeds, in_batches))

# 30 patients with three samples each, 500 features: 10 true ones with effect
# 1.1, the others with a patient's own level of standard deviation 0.6; noise 1.
of_patients <- function(seed) {
  set.seed(seed)
  patient <- rep(1:30, each = 3)
  class <- rep(c("a", "b"), each = 15)
  level <- cbind(
    matrix(1.1 * (class == "b"), 30, 10), matrix(0.6 * rnorm(30 * 490), 30)
  )
  colnames(level) <- paste0("f", 1:500)
  x <- level[patient, ] + rnorm(90 * 500)
  y <- class[patient]
  of <- list(
    k2 = scores(x, y, k = 2), k2_group = scores(x, y, k = 2, group = patient),
    k10 = scores(x, y, k = 10),
    k10_group = scores(x, y, k = 10, group = patient),
    means = scores(rowsum(x, patient) / 3, class, k = 10)
  )
  vapply(of, function(score) {
    c(true = sum(best(score, 10) <= 10), noise = mean(score[-(1:10)]))
  }, numeric(2))
}
cat("true features among the best 10, mean score of the others: the same\n")
summarised(lapply(seeds, of_patients))
