# LLFS on 3,000 samples: errors and CPU seconds of fits with draws, beside 1,000
# representatives on all samples. speed.R has the times of larger fits.
# Usage: Rscript llfs_large.R [seeds]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
seeds <- as.integer(c(commandArgs(TRUE), 3L)[[1L]])
n_test <- 1000L

# 21 features in two of three humps, then noise (Breiman and others, 1984).
waveform <- function(n, J, seed = 1) {
  set.seed(seed)
  hump <- function(at) pmax(6 - abs(1:21 - at), 0)
  humps <- rbind(hump(7), hump(11), hump(15))
  y <- sample(3, n, TRUE)
  u <- runif(n)
  first <- c(1, 1, 2)[y]
  second <- c(2, 3, 3)[y]
  x <- u * humps[first, ] + (1 - u) * humps[second, ] + rnorm(21 * n)
  list(x = cbind(x, matrix(rnorm(n * (J - 21)), n)), y = factor(y))
}

# Three votes from one fit: spheres and log odds are the same for all.
exact <- list(program_samples = Inf, score_samples = Inf)
few <- function(programs, scores) {
  list(program_samples = programs, score_samples = scores)
}
variants <- list(
  `all samples, m = 1,000` = list(3000, 1000, exact),
  `m = 300` = list(3000, 300, exact),
  `m = 300, programs 1,000, scores 200` = list(3000, 300, few(1000, 200)),
  `m = 300, programs 1,000, scores 100` = list(3000, 300, few(1000, 100)),
  `plain subsample of 1,000, m = 300` = list(1000, 300, exact),
  `plain subsample of 300, all` = list(300, 300, exact)
)
votes <- list(
  c("spheres", "none"), c("spheres", "full"), c("evidence", "none")
)
cat(sprintf(
  "%-38s %8s %8s %8s %9s\n", "waveform, 121 features, error %",
  "spheres", "full", "evidence", "CPU s"
))
wrong <- list()
for (name in names(variants)) {
  v <- variants[[name]]
  errors <- vapply(seq_len(seeds), function(seed) {
    train <- waveform(3000, 121, seed)
    test <- waveform(n_test, 121, 1000 + seed)
    rows <- seq_len(v[[1L]])
    colnames(train$x) <- colnames(test$x) <- paste0("f", 1:121)
    set.seed(seed)
    cpu <- system.time(fit <- llfs(train$x[rows, ], train$y[rows],
      alpha = 10, representatives = v[[2L]], control = v[[3L]], threads = 1
    ))[["user.self"]]
    c(vapply(votes, function(vote) {
      fit$parameters[c("vote", "neighbour")] <- as.list(vote)
      100 * mean(predict(fit, test$x, threads = 1) != test$y)
    }, 0), cpu)
  }, numeric(4L))
  wrong[[name]] <- errors
  cat(sprintf(
    "%-38s %8.1f %8.1f %8.1f %9.1f\n", name, mean(errors[1L, ]),
    mean(errors[2L, ]), mean(errors[3L, ]), mean(errors[4L, ])
  ))
}
p <- mean(wrong[[1L]][1:3, ]) / 100
cat(sprintf(
  "one standard error of a mean: %.2f\n",
  100 * sqrt(p * (1 - p) / (seeds * n_test))
))
