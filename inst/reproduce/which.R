# Which method when: errors of the vote of five neighbours in the best 20 and 50
# features of each selector, and seconds, for the first page of
# vignette("methods"). Ten random halves of each class train; of large sets 500
# samples are drawn. ic10 is of CRAN's iC10TrainingData, cells of harmony.
# Usage: Rscript which.R [data folder] [output folder] [set ...]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(c(
  "colon", "dlbcl", "leukemia7070", "prostate_ge", "srbct", "tox171", "ar10p",
  "pie10p", "pcmac", "ic10", "cells"
))
load_here <- function(name) {
  if (name == "ic10") {
    place <- new.env()
    data(
      list = c("train.CN", "train.Exp", "IntClustMemb"),
      package = "iC10TrainingData", envir = place
    )
    x <- cbind(t(place$train.CN), t(place$train.Exp))
    return(list(x = x, y = factor(place$IntClustMemb)))
  }
  if (name == "cells") {
    counts <- cbind(harmony::pbmc.ctrl, harmony::pbmc.stim)
    size <- Matrix::colSums(counts) / mean(Matrix::colSums(counts))
    x <- t(log2(as.matrix(counts) / rep(size, each = nrow(counts)) + 1))
    return(list(x = x, y = factor(rep(c("rest", "stimulated"), each = 1000))))
  }
  load_set(name, arguments)
}

selectors <- list(
  relief = relief,
  multisurf = \(x, y) relief(x, y, "multisurf"),
  kbfs = \(x, y) kbfs(x, y, n = 50),
  logo = logo,
  pwfp = pwfp,
  fisher = scored_by("fisher")
)

rows <- rows_over(arguments$parts, function(name) {
  set <- load_here(name)
  x <- unname(set$x)
  colnames(x) <- paste0("f", seq_len(ncol(x)))
  y <- factor(set$y)
  if (nrow(x) > 600 && name != "ic10") {
    set.seed(7)
    some <- sort(sample(nrow(x), 500))
    x <- x[some, ]
    y <- factor(y[some])
  }
  splits <- lapply(1:10, function(seed) {
    set.seed(seed)
    by_class(y, 1)[[1L]]
  })
  rows_over(names(selectors), function(selector) {
    spent <- system.time(curve <- suppressMessages(suppressWarnings(error_curve(
      x, y, selectors[selector],
      sizes = c(20, 50), resampling = splits, keep = FALSE
    ))))
    table <- as.data.frame(curve)
    error <- lapply(c(20, 50), function(size) {
      100 * table$value[table$selector == selector & table$size == size]
    })
    cat(name, selector, format(vapply(error, mean, 0), digits = 3), "\n")
    data.frame(
      set = name, selector = selector, samples = nrow(x), features = ncol(x),
      classes = nlevels(y), error_20 = mean(error[[1L]]),
      error_50 = mean(error[[2L]]), se_50 = sd(error[[2L]]) / sqrt(10),
      seconds = sum(spent[1:2]) / length(splits)
    )
  })
})
save_table(rows, arguments, "which")
