# 5-NN error with the top genes of every global selector beside other packages,
# and the mean score of pure noise.
# Usage: Rscript tests/bench/margins_quality.R [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
folder <- c(commandArgs(TRUE), "../shared/data")[[1L]]
splits <- 10
sizes <- c(10, 50)

f_statistic <- function(x, y) {
  groups <- split(seq_along(y), y)
  between <- Reduce(`+`, lapply(groups, function(g) {
    length(g) * (colMeans(x[g, , drop = FALSE]) - colMeans(x))^2
  }))
  within <- Reduce(`+`, lapply(groups, function(g) {
    colSums(scale(x[g, , drop = FALSE], scale = FALSE)^2)
  }))
  between / within
}
ranked <- function(scores) order(-scores, seq_along(scores))
global <- function(...) {
  force(list(...))
  function(x, y) suppressWarnings(relief(x, y, ..., threads = 1))$ranking
}
rankings <- list(
  "relieff k = 10" = global("relieff"),
  "relieff k = 10, prior" = global("relieff", weighting = "prior"),
  "relief" = global("relief"),
  "map" = global("map"),
  "irelief" = global("irelief"),
  "parzen 0.01" = global("parzen"),
  "parzen 0.1" = global("parzen", bandwidth = 0.1),
  "logo" = function(x, y) {
    suppressWarnings(logo(x, y, threads = 1))$ranking
  },
  "F statistic" = function(x, y) ranked(f_statistic(x, y))
)
if (requireNamespace("CORElearn", quietly = TRUE)) {
  rankings[["CORElearn ReliefFequalK, k = 10"]] <- function(x, y) {
    ranked(CORElearn::attrEval(y ~ ., data.frame(x, y = y),
      estimator = "ReliefFequalK", kNearestEqual = 10
    ))
  }
}
if (requireNamespace("FSelectorRcpp", quietly = TRUE)) {
  rankings[["FSelectorRcpp information gain"]] <- function(x, y) {
    found <- FSelectorRcpp::information_gain(x = as.data.frame(x), y = y)
    ranked(found$importance)
  }
}

# A third of every class is left out.
stratified <- function(y) {
  unlist(lapply(split(seq_along(y), y), function(members) {
    members[sample.int(length(members), round(length(members) * 2 / 3))]
  }))
}
knn_errors <- function(x, y, train, ranking) {
  mean <- colMeans(x[train, ])
  deviation <- apply(x[train, ], 2, sd)
  deviation[deviation == 0] <- 1
  z <- scale(x, mean, deviation)
  vapply(sizes, function(size) {
    top <- ranking[seq_len(size)]
    guess <- class::knn(z[train, top], z[-train, top], y[train], 5)
    mean(guess != y[-train])
  }, 0)
}

for (name in c("colon", "srbct")) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  x <- if (name == "colon") log2(data$x) else data$x
  set.seed(1)
  parts <- replicate(splits, stratified(data$y), simplify = FALSE)
  cat(sprintf(
    "%s: 5-NN error in %% (sd over %d splits) with the top %s genes\n",
    name, splits, paste(sizes, collapse = " and ")
  ))
  for (method in names(rankings)) {
    set.seed(2) # votes tied between classes are drawn
    errors <- 100 * vapply(parts, function(train) {
      ranking <- rankings[[method]](x[train, ], data$y[train])
      knn_errors(x, data$y, train, ranking)
    }, numeric(2))
    cat(sprintf(
      "  %-31s %4.1f (%3.1f)  %4.1f (%3.1f)\n", method,
      mean(errors[1, ]), sd(errors[1, ]), mean(errors[2, ]), sd(errors[2, ])
    ))
  }
}
