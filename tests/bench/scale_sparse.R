# Sparse text: every global selector on pcmac as dgCMatrix and as matrix.
#   Rscript tests/bench/scale_sparse.R [DATA = ../shared/data] METHOD sparse|dense
#   Rscript tests/bench/scale_sparse.R [DATA] errors [splits = 3]
# One process per fit: CPU time, peak memory (VmHWM after minus VmRSS before)
# and the best terms. "errors": mean test error of kNN (k = 5) and of a linear
# SVM on the best 50 terms of each selector, over stratified halves.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
if (!length(args) || !dir.exists(args[1])) args <- c("../shared/data", args)
method <- args[2]
library(hitmiss)
data <- readRDS(file.path(args[1], "pcmac.rds"))

status <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}
selectors <- list(
  relieff = function(x, y) relief(x, y, threads = 1),
  irelief = function(x, y) relief(x, y, method = "irelief", threads = 1),
  parzen = function(x, y) relief(x, y, method = "parzen", bandwidth = 0.1, threads = 1),
  logo = function(x, y) logo(x, y, threads = 1),
  kbfs = function(x, y) kbfs(x, y, n_features = 50, threads = 1),
  pwfp = function(x, y) pwfp(x, y, threads = 1)
)

if (method != "errors") {
  x <- if (args[3] == "sparse") data$x else as.matrix(data$x)
  tiny <- Matrix::Matrix(data$x[1:40, 1:60], sparse = TRUE)
  invisible(suppressWarnings(selectors[[method]](tiny, data$y[c(1:20, 1000:1019)])))
  invisible(gc(reset = TRUE))
  writeLines("5", "/proc/self/clear_refs")
  before <- status("VmRSS")
  time <- system.time(fit <- selectors[[method]](x, data$y))
  cat(sprintf(
    "%s %s: CPU %.2f s, peak %.0f MB, selected %d; best: %s\n", method, args[3],
    sum(time[1:2]), status("VmHWM") - before, length(fit$selected),
    paste(head(names(fit$scores)[fit$ranking], 10), collapse = " ")
  ))
} else {
  splits <- if (length(args) > 2) as.integer(args[3]) else 3L
  result <- NULL
  for (s in seq_len(splits)) {
    set.seed(s)
    train <- sort(unlist(lapply(split(seq_along(data$y), data$y), function(i) {
      sample(i, length(i) %/% 2)
    })))
    for (name in names(selectors)) {
      fit <- selectors[[name]](data$x[train, ], data$y[train])
      best <- fit$ranking[1:50]
      z <- log1p(as.matrix(data$x[, best]))
      knn <- class::knn(z[train, ], z[-train, ], data$y[train], k = 5)
      svm <- e1071::svm(z[train, ], data$y[train], kernel = "linear", scale = FALSE)
      result <- rbind(result, data.frame(
        selector = name, knn = mean(knn != data$y[-train]),
        svm = mean(predict(svm, z[-train, ]) != data$y[-train])
      ))
    }
  }
  print(aggregate(cbind(knn, svm) ~ selector, result, function(e) round(100 * mean(e), 1)))
}
