# Do real features score above probes? Fig. 2 of Yang and Hu (2012), and
# unequal classes. Usage: Rscript tests/bench/relief_probes.R [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
folder <- c(commandArgs(TRUE), "../shared/data")[[1L]]
runs <- 20

area <- function(scores, real) {
  r <- rank(scores)
  (sum(r[real]) - sum(real) * (sum(real) + 1) / 2) / sum(real) / sum(!real)
}
with_probes <- function(x) {
  cbind(x, matrix(rnorm(nrow(x) * 50, sd = 20), nrow(x),
    dimnames = list(NULL, paste0("probe", 1:50))
  ))
}
methods <- list(
  relief = function(x, y) relief(x, y, "relief", threads = 1),
  relieff = function(x, y) relief(x, y, threads = 1),
  map = function(x, y) relief(x, y, "map", threads = 1),
  "parzen 0.01" = function(x, y) relief(x, y, "parzen", threads = 1),
  "parzen 0.1" = function(x, y) {
    relief(x, y, "parzen", bandwidth = 0.1, threads = 1)
  }
)

cat("area under the selection ROC, mean of", runs, "runs\n")
for (name in c("ionosphere", "sonar", "pima", "breastw")) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  x <- data$x
  x <- x[, apply(x, 2, function(v) max(v) > min(v))]
  set.seed(1)
  areas <- replicate(runs, {
    both <- with_probes(x)
    vapply(methods, function(f) {
      area(coef(f(both, data$y)), seq_len(ncol(both)) <= ncol(x))
    }, 0)
  })
  cat(sprintf("%-11s", name), sprintf(
    "%s %.3f (%.3f)", names(methods), rowMeans(areas), apply(areas, 1, sd)
  ), sep = "  ")
  cat("\n")
}

cat("80 % of the smallest class hidden: area, 5-NN error with 10 features\n")
for (name in c("ionosphere", "sonar", "pima", "breastw")) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  x <- data$x[, apply(data$x, 2, function(v) max(v) > min(v))]
  rare <- names(which.min(table(data$y)))
  set.seed(2)
  result <- replicate(runs, {
    both <- with_probes(x)
    train <- sample(nrow(x), round(nrow(x) * 2 / 3))
    test <- setdiff(seq_len(nrow(x)), train)
    members <- train[data$y[train] == rare]
    train <- setdiff(train, sample(members, round(0.8 * length(members))))
    vapply(methods[c("relief", "relieff", "map")], function(f) {
      fit <- f(both[train, ], data$y[train])
      top <- fit$ranking[1:10]
      range <- apply(both[train, top], 2, function(v) c(min(v), max(v) - min(v)))
      z <- scale(both[, top], range[1, ], range[2, ])
      guess <- class::knn(z[train, ], z[test, ], data$y[train], 5)
      c(
        area(coef(fit), seq_len(ncol(both)) <= ncol(x)),
        mean(guess != data$y[test])
      )
    }, c(0, 0))
  })
  cat(sprintf("%-11s", name), sprintf(
    "%s %.3f, %.1f %%", c("relief", "relieff", "map"),
    rowMeans(result[1, , ]), 100 * rowMeans(result[2, , ])
  ), sep = "  ")
  cat("\n")
}
