# Tables II and III of the BFS paper: accuracy of a linear SVM (e1071, cost 1),
# averaged over the 10, 20, ..., 200 best features, and how redundant those
# features are (Fig. 4).
# Usage: Rscript kbfs_tables.R [data folder] [II|III|redundancy] [set] [partitions]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
argument <- function(i, default) {
  if (length(arguments) >= i) arguments[[i]] else default
}
folder <- argument(1L, "../shared/data")
table <- argument(2L, "II")
set <- argument(3L, "tox171")
partitions <- seq_len(as.integer(argument(4L, "20")))
sizes <- seq(10, 200, by = 10)
goal <- list(
  II = c(tox171 = 77, orl10p = 92, pix10p = 95), III = c(tox171 = 64)
)
paper <- list(
  II = c(tox171 = 77.65, orl10p = 93.13, pix10p = 95.91),
  III = c(tox171 = 64.97, orl10p = 86.06, pix10p = 90.82)
)
data <- readRDS(file.path(folder, paste0(set, ".rds")))
storage.mode(data$x) <- "double"

# Every class is cut in the same shares, up to one sample.
draw_parts <- function(y, shares, seed) {
  set.seed(seed)
  part <- integer(length(y))
  for (members in split(seq_along(y), y)) {
    place <- sample(length(members)) - runif(1)
    part[members] <- findInterval(
      place / length(members), cumsum(shares), left.open = TRUE
    ) + 1L
  }
  part
}

svm_accuracy <- function(train, test, ranking) {
  vapply(sizes, function(k) {
    best <- ranking[seq_len(k)]
    # A feature that is constant on the training samples cannot be scaled.
    best <- best[apply(train$x[, best], 2, function(v) max(v) > min(v))]
    model <- e1071::svm(train$x[, best, drop = FALSE], train$y,
      kernel = "linear", cost = 1
    )
    100 * mean(predict(model, test$x[, best, drop = FALSE]) == test$y)
  }, 0)
}

rows <- function(keep) list(x = data$x[keep, ], y = data$y[keep])

# One ranking per rule, of 200 features each; "weight, per size" has one per
# size, from the fit that stops where so many are active.
rankings <- function(train, ...) {
  last <- kbfs(train$x, train$y, n_features = 200, ..., threads = 1)
  entry <- kbfs(train$x, train$y,
    n_features = 200, rank_by = "entry", ..., threads = 1
  )
  middle <- kbfs(train$x, train$y, n_features = 100, ..., threads = 1)
  none <- kbfs(train$x, train$y, lambda = 1e9, ..., threads = 1)
  list(
    weight = last$ranking, entry = entry$ranking,
    `weight at 100` = middle$ranking, `Z'T alone` = none$ranking
  )
}

table_two <- function(seed) {
  part <- draw_parts(data$y, c(0.5, 0.5), seed)
  train <- rows(part == 1L)
  vapply(rankings(train), function(ranking) {
    mean(svm_accuracy(train, rows(part == 2L), ranking))
  }, 0)
}

# 20 % labelled, 40 % unlabelled, 40 % test; the machine learns from the
# labelled samples.
table_three <- function(seed) {
  part <- draw_parts(data$y, c(0.2, 0.4, 0.4), seed)
  train <- rows(part < 3L)
  train$y[part[part < 3L] == 2L] <- NA
  weights <- c(0, 0.1, 1, exp(4))
  accuracy <- vapply(weights, function(a2) {
    vapply(c("weight", "entry"), function(rule) {
      fit <- kbfs(train$x, train$y,
        n_features = 200, rank_by = rule, manifold = a2, threads = 1
      )
      mean(svm_accuracy(rows(part == 1L), rows(part == 3L), fit$ranking))
    }, 0)
  }, c(weight = 0, entry = 0))
  stats::setNames(as.vector(t(accuracy)), paste0(
    rep(rownames(accuracy), each = length(weights)), ", a2 = ",
    format(weights, digits = 2, trim = TRUE)
  ))
}

# Squared correlations among the 50 best features; accuracy beside them.
redundancy <- function(seed) {
  part <- draw_parts(data$y, c(0.5, 0.5), seed)
  train <- rows(part == 1L)
  unlist(lapply(c(0, 1e2, 1e3, 1e4, 1e5), function(a3) {
    fit <- kbfs(train$x, train$y,
      n_features = 200, rank_by = "entry", redundancy = a3, threads = 1
    )
    similar <- cor(train$x[, fit$ranking[1:50]])^2
    similar <- similar[lower.tri(similar)]
    bins <- table(cut(similar, seq(0, 1, by = 0.2), include.lowest = TRUE))
    values <- c(
      100 * as.vector(bins) / length(similar), mean(similar),
      mean(svm_accuracy(train, rows(part == 2L), fit$ranking))
    )
    names(values) <- paste("a3 =", a3, c(names(bins), "mean", "accuracy"))
    values
  }))
}

started <- proc.time()
run <- list(II = table_two, III = table_three, redundancy = redundancy)[[table]]
results <- do.call(cbind, lapply(partitions, run))
cat(sprintf(
  "%s, %s, %d partitions%s%s, %.0f CPU s\n", table, set, length(partitions),
  if (set %in% names(paper[[table]])) {
    paste(", paper", paper[[table]][[set]])
  } else "",
  if (set %in% names(goal[[table]])) paste(", goal", goal[[table]][[set]]) else "",
  sum((proc.time() - started)[1:2])
))
cat(sprintf("  %-28s %7.2f +- %.2f (standard error %.2f)\n",
  rownames(results), rowMeans(results), apply(results, 1, sd),
  apply(results, 1, sd) / sqrt(ncol(results))
), sep = "")
