# llfs(alpha = "auto") with both votes beside alpha = 10 and a support vector
# machine whose number of features, cost and kernel width are tuned: everything
# is chosen inside the training part, on the same splits. Microarrays are cut
# to 300 features by Fisher score on the training part.
# Usage: Rscript llfs_auto.R [data folder] [splits] [set ...]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
folder <- if (length(arguments) > 0L) arguments[[1L]] else "../shared/data"
splits <- if (length(arguments) > 1L) as.integer(arguments[[2L]]) else 10L
# Errors that METHODS-llfs.md, section 10, reports (other splits).
sets <- data.frame(
  name = c(
    "sonar", "colon", "wdbc", "leukemia7070", "ionosphere", "prostate_ge",
    "srbct", "dna"
  ),
  train = c(100, 50, 100, 60, 100, 90, 63, 100),
  noise = c(100, 0, 100, 0, 0, 0, 0, 100),
  ten = c(27.9, 15.0, 6.2, 5.0, 10.3, 10.0, 0.5, 13.9),
  full = c(24.7, 16.7, 5.3, 3.3, 9.0, 7.5, 1.0, 12.6),
  evidence = c(23.7, 18.3, 5.5, 2.5, 8.0, 7.5, 0.0, 12.8),
  svm = c(28.8, 20.0, 6.0, 4.2, 10.7, 7.5, 1.5, 12.8)
)
if (length(arguments) > 2L) sets <- sets[sets$name %in% arguments[-(1:2)], ]

fisher <- function(x, y) {
  n <- as.vector(table(y))
  means <- rowsum(x, y) / n
  within <- colSums((x - means[as.integer(y), ])^2)
  between <- colSums(n * sweep(means, 2L, colMeans(x))^2)
  ifelse(between > 0, between / pmax(within, 1e-300), 0)
}

# Classes of `new` by an RBF machine on some features.
machine <- function(x, y, new, features, cost, width) {
  x <- x[, features, drop = FALSE]
  center <- colMeans(x)
  spread <- apply(x, 2L, sd)
  spread[spread == 0] <- 1
  fit <- e1071::svm(scale(x, center, spread), y,
    cost = cost, gamma = width / ncol(x), scale = FALSE
  )
  predict(fit, scale(new[, features, drop = FALSE], center, spread))
}

# Number of best features, cost and width by fivefold cross-validation.
tuned_machine <- function(x, y, new) {
  grid <- expand.grid(
    k = c(2, 5, 10, 20, 50, 100), cost = c(1, 4, 16), width = c(0.25, 1)
  )
  top <- function(x, y) order(-fisher(x, y))[seq_len(min(100, ncol(x)))]
  by_grid <- function(x, y, new, best, g) {
    machine(
      x, y, new, best[seq_len(min(grid$k[[g]], length(best)))],
      grid$cost[[g]], grid$width[[g]]
    )
  }
  fold <- integer(length(y))
  for (class in levels(y)) {
    rows <- which(y == class)
    fold[rows] <- sample(rep_len(1:5, length(rows)))
  }
  wrong <- vapply(1:5, function(f) {
    out <- fold == f
    best <- top(x[!out, ], y[!out])
    vapply(seq_len(nrow(grid)), function(g) {
      sum(by_grid(x[!out, ], y[!out], x[out, , drop = FALSE], best, g) != y[out])
    }, 0L)
  }, integer(nrow(grid)))
  by_grid(x, y, new, top(x, y), which.min(rowSums(wrong)))
}

split_errors <- function(seed, data, set) {
  set.seed(seed)
  x <- data$x + 0
  if (set$noise > 0) {
    noise <- matrix(rnorm(nrow(x) * set$noise), nrow(x))
    colnames(noise) <- paste0("noise", seq_len(set$noise))
    x <- cbind(x, noise)
  }
  train <- sample(nrow(x), set$train)
  y <- data$y[train]
  prune <- if (ncol(x) > 1000) 300 else Inf
  local <- function(...) {
    fit <- llfs(x[train, ], y, prune = prune, ..., threads = 1)
    predict(fit, x[-train, ], threads = 1)
  }
  predicted <- list(
    ten = local(alpha = 10), full = local(alpha = "auto"),
    evidence = local(alpha = "auto", vote = "evidence"),
    svm = tuned_machine(x[train, ], y, x[-train, ])
  )
  vapply(predicted, function(class) 100 * mean(class != data$y[-train]), 0)
}

columns <- c("ten", "full", "evidence", "svm")
cat(sprintf("%-13s %s\n", "set", paste(
  sprintf("%-22s", c(
    "alpha 10 (doc)", "auto, full (doc)", "auto, evidence (doc)",
    "tuned SVM (doc)"
  )), collapse = ""
)))
means <- NULL
for (s in seq_len(nrow(sets))) {
  set <- sets[s, ]
  data <- readRDS(file.path(folder, paste0(set$name, ".rds")))
  errors <- vapply(seq_len(splits), split_errors, numeric(4), data, set)
  mean <- rowMeans(errors)
  means <- rbind(means, mean)
  error <- apply(errors, 1L, sd) / sqrt(splits)
  cat(sprintf("%-13s %s\n", set$name, paste(sprintf(
    "%5.1f +- %3.1f (%4.1f)   ", mean, error, unlist(set[columns])
  ), collapse = "")))
}
cat(sprintf("%-13s %s\n", "mean", paste(sprintf(
  "%5.1f        (%4.1f)   ", colMeans(means), colMeans(sets[columns])
), collapse = "")))
