# The vote of llfs(), by half splits: error, balanced error, log loss and
# expected calibration error (ten bins) of both weights, and of spheres with
# footnote 2 from the same fits. One row per set and split.
# Usage: Rscript vote.R [data folder] [output folder] [set ...]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

sets <- c(
  "two_level", "german", "adult", "heart", "thyroid", "dlbcl", "nervous",
  "glass", "sonar", "ionosphere", "wdbc", "colon", "srbct", "leukemia7070",
  "prostate_ge", "tox171", "segment", "orl10p", "ar10p", "pie10p"
)
arguments <- read_arguments(sets)
times <- as.integer(Sys.getenv("SPLITS", "10"))
most <- 300L # training samples

# 0/1 features, of which five say something, and classes of 70 and 30 %.
two_level <- function() {
  y <- factor(ifelse(runif(300) < 0.7, "a", "b"))
  x <- matrix(as.double(runif(300 * 20) < 0.5), 300)
  x[, 1:5] <- runif(300 * 5) < ifelse(y == "a", 0.45, 0.6)
  colnames(x) <- paste0("f", 1:20)
  list(x = x, y = y)
}

half <- function(y) {
  rows <- unlist(lapply(split(seq_along(y), y), function(r) {
    r[sample.int(length(r), ceiling(length(r) * min(0.5, most / length(y))))]
  }))
  sort(unname(rows))
}

measures <- function(prob, y) {
  guess <- max.col(prob, "first")
  sure <- prob[cbind(seq_along(y), guess)]
  wrong <- guess != as.integer(y)
  bin <- cut(sure, seq(0, 1, by = 0.1), include.lowest = TRUE)
  gaps <- tapply(sure - !wrong, bin, sum, default = 0)
  c(
    error = 100 * mean(wrong), balanced = 100 * mean(tapply(wrong, y, mean)),
    log_loss = -mean(log(pmax(prob[cbind(seq_along(y), as.integer(y))], 1e-6))),
    calibration = 100 * sum(abs(gaps)) / length(y)
  )
}

# As llfs(weights = "balanced"): only the intercepts differ.
with_balanced <- function(fit) {
  core <- asNamespace("hitmiss")
  used <- which(fit$scores > 0)
  fit$local$intercept <- core$cpp_llfs_intercept(
    core$classifier_model(fit, used, names(fit$scores)[used]), TRUE,
    list(threads = 1L, progress = NULL, key = NULL)
  )
  fit$parameters$weights <- "balanced"
  fit
}

one_split <- function(name, seed) {
  set.seed(seed)
  data <- if (name == "two_level") two_level() else load_set(name, arguments)
  if (is.null(data)) return(NULL)
  y <- data$y
  train <- half(y)
  test <- setdiff(seq_along(y), train)
  if (length(test) > 1000L) test <- sort(sample(test, 1000L))
  fit <- function(...) llfs(data$x[train, ], y[train], threads = 1, ...)
  prob <- function(fit) {
    predict(fit, data$x[test, ], type = "prob", threads = 1)
  }
  prior <- fit()
  spheres <- prior # the vote acts at prediction only
  spheres$parameters$vote <- "spheres"
  spheres$parameters$neighbour <- "full"
  votes <- list(
    prior = prior, balanced = with_balanced(prior), spheres = spheres
  )
  do.call(rbind, lapply(names(votes), function(vote) {
    data.frame(
      set = name, split = seed, vote = vote,
      t(measures(prob(votes[[vote]]), y[test]))
    )
  }))
}

for (name in arguments$parts) {
  file <- file.path(arguments$output, paste0("vote-", name, ".csv"))
  rows <- suppressWarnings(lapply(seq_len(times), one_split, name = name))
  rows <- do.call(rbind, rows)
  if (is.null(rows)) next
  numbers <- vapply(rows, is.double, NA)
  rows[numbers] <- lapply(rows[numbers], round, 4)
  utils::write.csv(rows, file, row.names = FALSE, quote = FALSE)
  print(aggregate(cbind(error, balanced, log_loss, calibration) ~ vote, rows,
    \(v) round(mean(v), 3)
  ))
}
