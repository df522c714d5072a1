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
# As in the other packages.
nearest <- list(balance = FALSE)
rankings <- list(
  "relieff k = 10" = global("relieff", hubs = "none", control = nearest),
  "relieff k = 10, prior" = global(
    "relieff", weighting = "prior", hubs = "none", control = nearest
  ),
  "relief" = global("relief", control = nearest),
  "map" = global("map"),
  "irelief" = global("irelief"),
  "parzen 0.01" = global("parzen", bandwidth = 0.01),
  "parzen 0.1" = global("parzen", bandwidth = 0.1),
  # A sparse fit is never padded: only the features that it selected.
  "logo" = function(x, y) {
    fit <- suppressWarnings(logo(x, y, threads = 1))
    fit$ranking[seq_len(fit$n_ranked)]
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
    top <- head(ranking, size)
    guess <- class::knn(z[train, top], z[-train, top], y[train], 5)
    mean(guess != y[-train])
  }, 0)
}

errors_of <- function(method, x, y, seed) {
  set.seed(seed)
  parts <- replicate(splits, stratified(y), simplify = FALSE)
  set.seed(seed) # votes tied between classes are drawn
  100 * vapply(parts, function(train) {
    knn_errors(x, y, train, rankings[[method]](x[train, ], y[train]))
  }, numeric(2))
}
data <- lapply(c(colon = "colon", srbct = "srbct"), function(name) {
  readRDS(file.path(folder, paste0(name, ".rds")))
})
sets <- list(
  "colon, log2" = list(x = log2(data$colon$x), y = data$colon$y),
  "srbct, as published" = data$srbct,
  "srbct, log2" = list(x = log2(data$srbct$x), y = data$srbct$y)
)

for (name in names(sets)) {
  x <- sets[[name]]$x
  y <- sets[[name]]$y
  cat(sprintf(
    "%s: 5-NN error in %% (sd over %d splits) with the top %s genes\n",
    name, splits, paste(sizes, collapse = " and ")
  ))
  for (method in names(rankings)) {
    errors <- errors_of(method, x, y, 1)
    cat(sprintf(
      "  %-31s %4.1f (%3.1f)  %4.1f (%3.1f)\n", method,
      mean(errors[1, ]), sd(errors[1, ]), mean(errors[2, ]), sd(errors[2, ])
    ))
  }
}

cat("noise in three unequal classes: mean score in standard errors\n")
scores <- list(
  "relieff k = 10" = function(x, y) {
    coef(relief(x, y, hubs = "none", control = nearest, threads = 1))
  },
  "relieff k = 10, prior" = function(x, y) {
    coef(relief(x, y,
      weighting = "prior", hubs = "none", control = nearest, threads = 1
    ))
  }
)
if (requireNamespace("CORElearn", quietly = TRUE)) {
  scores[["CORElearn ReliefFequalK"]] <- function(x, y) {
    CORElearn::attrEval(y ~ ., data.frame(x, y = y),
      estimator = "ReliefFequalK", kNearestEqual = 10
    )
  }
}
for (n in c(1, 2, 4)) {
  y <- factor(rep(1:3, n * c(50, 30, 20)))
  for (method in names(scores)) {
    errors <- vapply(1:20, function(seed) {
      set.seed(seed)
      score <- scores[[method]](matrix(rnorm(length(y) * 500), length(y)), y)
      mean(score) / (sd(score) / sqrt(length(score)))
    }, 0)
    cat(sprintf(
      "  N = %d, %-24s mean %.1f, sd %.1f over 20 sets\n", length(y), method,
      mean(errors), sd(errors)
    ))
  }
}
