# What the vote of llfs() by frames costs beside that by evidence, and how many
# training samples its regression should learn from: CPU seconds of the fit and
# of predict() of up to 500 samples, on one thread (the least of some rounds, in
# which the votes alternate), errors on these samples, and the memory that the
# fit announces. inst/reproduce/results/votes-cost.csv has them.
# Rscript tests/bench/llfs_votes.R [rounds] [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
suppressMessages(library(hitmiss))
options(hitmiss.threads = 1)
arguments <- c("3", "../shared/data")
arguments[seq_along(commandArgs(TRUE))] <- commandArgs(TRUE)
sys.source("inst/reproduce/common.R", common <- new.env())
quiet <- function(code) suppressMessages(suppressWarnings(code))

simulated <- function(n) {
  set.seed(1)
  x <- matrix(rnorm((n + 500) * 50), ncol = 50)
  colnames(x) <- paste0("f", 1:50)
  side <- x[, 1] + x[, 2] * x[, 3] + rnorm(n + 500, sd = 0.7)
  list(x = x, y = factor(side > 0), train = seq_len(n))
}
real <- function(name, n) {
  data <- common$load_set(name, list(data = arguments[[2L]]))
  set.seed(2)
  c(data[c("x", "y")], list(train = sample(length(data$y), n)))
}
sets <- list(
  `1,000 x 50` = \() simulated(1000), colon = \() real("colon", 46),
  `dna, 700 x 180` = \() real("dna", 700),
  `10,000 x 50` = \() simulated(10000), `2,000 x 50` = \() simulated(2000)
)
# Arguments of llfs(); 10,000 samples: also other numbers of learners.
votes <- list(list(vote = "evidence"), list(vote = "frames"))
learners <- lapply(c(500L, 2000L, 3000L), function(m) {
  list(vote = "frames", control = list(intercept_samples = m))
})

cpu <- function(code) sum(system.time(code)[1:2])

measured <- function(data, setting) {
  x <- data$x[data$train, ]
  y <- data$y[data$train]
  test <- utils::head(setdiff(seq_along(data$y), data$train), 500L)
  fit_by <- function() quiet(do.call(llfs, c(list(x, y), setting)))
  options(hitmiss.max_memory = 1)
  announced <- tryCatch(fit_by(), hitmiss_error_memory = \(e) e$needed)
  options(hitmiss.max_memory = NULL)
  set.seed(3)
  fit_seconds <- cpu(fit <- fit_by())
  predict_seconds <- Inf
  for (again in 1:3) {
    took <- cpu(prob <- quiet(predict(fit, data$x[test, ], type = "prob")))
    predict_seconds <- min(predict_seconds, took)
  }
  right <- prob[cbind(seq_along(test), as.integer(data$y[test]))]
  data.frame(
    samples = length(y), vote = setting$vote,
    learners = length(fit$local$learners), fit = fit_seconds,
    predict = predict_seconds, announced_mb = announced / 2^20,
    error = 100 * mean(max.col(prob) != as.integer(data$y[test])),
    log_loss = -mean(log(pmax(right, 1e-6)))
  )
}

rows_of <- function(name) {
  data <- sets[[name]]()
  settings <- c(votes, if (length(data$train) == 10000L) learners)
  rounds <- if (length(data$train) > 1000L) 1L else as.integer(arguments[[1L]])
  all <- lapply(seq_len(rounds), \(i) lapply(settings, measured, data = data))
  rows <- do.call(rbind, all[[1L]])
  for (column in c("fit", "predict")) {
    of_round <- vapply(
      all, \(round) vapply(round, `[[`, 0, column), numeric(length(settings))
    )
    rows[[column]] <- apply(of_round, 1L, min)
  }
  evidence <- rows[rows$vote == "evidence", ]
  rows$fit_ratio <- rows$fit / evidence$fit
  rows$predict_ratio <- rows$predict / evidence$predict
  numbers <- vapply(rows, is.double, NA)
  rows[numbers] <- lapply(rows[numbers], round, 4)
  cbind(data = name, rows)
}
for (name in names(sets)) {
  common$update_table(
    rows_of(name), list(output = "inst/reproduce/results"), "votes-cost",
    "data", 3
  )
}
