# Sparse text: every global selector on pcmac as dgCMatrix and as matrix.
#   Rscript tests/bench/scale_sparse.R [DATA = ../shared/data] METHOD
#   sparse|dense Rscript tests/bench/scale_sparse.R [DATA] errors [splits = 3]
# One process per fit: CPU time, peak memory (VmHWM after minus VmRSS before)
# and the best terms. "errors": mean test error of kNN (k = 5) and of a linear
# SVM on the best 50 terms of each selector, over stratified halves.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
if (!length(args) || !dir.exists(args[1])) args <- c("../shared/data", args)
method <- args[2]
library(hitmiss)
suppressMessages(library(Matrix)) # its subsets
data <- readRDS(file.path(args[1], "pcmac.rds"))

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "scale_common.R"))
selectors <- lapply(
  stats::setNames(
    nm = c("relieff", "irelief", "parzen", "logo", "kbfs", "pwfp")
  ),
  global_selector
)

if (method != "errors") {
  x <- if (args[3] == "sparse") data$x else as.matrix(data$x)
  tiny <- Matrix::Matrix(data$x[1:40, 1:60], sparse = TRUE)
  invisible(suppressWarnings(
    selectors[[method]](tiny, data$y[c(1:20, 1000:1019)])
  ))
  run <- measure(selectors[[method]](x, data$y))
  fit <- run$value
  cat(sprintf(
    "%s %s: CPU %.2f s, peak %.0f MB, selected %d; best: %s\n", method, args[3],
    run$cpu, run$peak, length(fit$selected),
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
      svm <- e1071::svm(
        z[train, ], data$y[train], kernel = "linear", scale = FALSE
      )
      result <- rbind(result, data.frame(
        selector = name, knn = mean(knn != data$y[-train]),
        svm = mean(predict(svm, z[-train, ]) != data$y[-train])
      ))
    }
  }
  print(aggregate(
    cbind(knn, svm) ~ selector, result, function(e) round(100 * mean(e), 1)
  ))
}
