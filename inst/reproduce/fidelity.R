# Does llfs() name the features that decide each sample? Mean F1, over training
# samples, of a representative's features against the sample's own, on
# ProtoGate's three generators; error on as many new samples, CPU time.
# Usage: Rscript fidelity.R [data folder, unused] [output folder] [kind ...]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(c("syn1", "syn2", "syn3"))
times <- as.integer(Sys.getenv("DRAWS", "10"))

# The sets of a fit in which every sample is a representative, against `truth`,
# samples x features: the mean of F1. A sample without features has 0.
local_fidelity <- function(fit, truth) {
  sizes <- diff(fit$local$offsets)
  owner <- rep(factor(seq_along(sizes)), sizes)
  right <- tapply(
    truth[cbind(as.integer(owner), fit$local$features)], owner, sum,
    default = 0
  )
  mean(2 * right / (sizes + rowSums(truth)))
}

settings <- list(
  default = list(), `alpha = c(2, 3, 5)` = list(alpha = c(2, 3, 5)),
  `parsimony = 3` = list(parsimony = 3),
  `size_penalty = 0.5` = list(control = list(size_penalty = 0.5)),
  `size_penalty = 1` = list(control = list(size_penalty = 1))
)

one_draw <- function(draw, kind) {
  set.seed(draw)
  train <- simulate_localized(kind = kind)
  test <- simulate_localized(kind = kind)
  rows_over(names(settings), function(setting) {
    seconds <- system.time(fit <- suppressWarnings(do.call(
      llfs, c(
        list(train$x, train$y, vote = "evidence", threads = 1),
        settings[[setting]]
      )
    )))
    data.frame(
      kind = kind, draw = draw, setting = setting,
      f1 = local_fidelity(fit, train$truth),
      error = 100 * mean(predict(fit, test$x, threads = 1) != test$y),
      seconds = sum(seconds[1:2])
    )
  })
}

rows <- rows_over(arguments$parts, function(kind) {
  rows_over(seq_len(times), one_draw, kind)
})
default <- rows[rows$setting == "default", ]
at <- match(paste(rows$kind, rows$draw), paste(default$kind, default$draw))
rows$gain <- rows$f1 - default$f1[at]
table <- rows_over(split(rows, rows$setting)[names(settings)], function(g) {
  data.frame(
    setting = g$setting[[1L]], draws = nrow(g), f1 = round(mean(g$f1), 3),
    by_kind = toString(sprintf("%.3f", tapply(g$f1, g$kind, mean))),
    gain = round(mean(g$gain), 3),
    gain_se = round(stats::sd(g$gain) / sqrt(nrow(g)), 3),
    error = round(mean(g$error), 1), seconds = round(mean(g$seconds), 2)
  )
})
save_table(table, arguments, "fidelity", 3)
