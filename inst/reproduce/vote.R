# The vote of llfs(), by half splits: error, balanced error, log loss, expected
# calibration error, recall of the rarest class and share right by stated
# probability; both weights, spheres with footnote 2 from the same fits, and
# the vote of five neighbours in relief()'s best 50 features beside them.
# Usage: Rscript vote.R [data folder] [output folder] [set ...]
# Rows are appended to vote-splits.csv, one split of all sets after the other;
# a run continues where the last one ended, and ends after MINUTES (Inf) with
# splits up to SPLITS (10).
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))

# Those on which the vote was chosen, those that it had not seen, simulated.
kinds <- c(
  colon = "open", prostate_ge = "open", leukemia7070 = "open", sonar = "open",
  dna = "open", wdbc = "open", ionosphere = "open", breastw = "open",
  pima = "open", splice = "open", srbct = "open", tox171 = "open",
  glass = "open", orl10p = "open", german = "new", adult = "new",
  heart = "new", thyroid = "new", dlbcl = "new", nervous = "new",
  arrhythmia = "new", segment = "new", ar10p = "new", pie10p = "new",
  two_level = "simulated"
)
arguments <- read_arguments(names(kinds))
splits <- seq_len(as.integer(Sys.getenv("SPLITS", "10")))
ends <- Sys.time() + 60 * as.numeric(Sys.getenv("MINUTES", "Inf"))
# Training samples at most, by class; up to 1,000 others are test samples.
most <- c(dna = 100L, splice = 100L)
usual_most <- 300L

# 0/1 features, of which five say something, and classes of 70 and 30 %.
two_level <- function() {
  y <- factor(ifelse(runif(300) < 0.7, "a", "b"))
  x <- matrix(as.double(runif(300 * 20) < 0.5), 300)
  x[, 1:5] <- runif(300 * 5) < ifelse(y == "a", 0.45, 0.6)
  colnames(x) <- paste0("f", 1:20)
  list(x = x, y = y)
}

half <- function(y, most) {
  rows <- unlist(lapply(split(seq_along(y), y), function(r) {
    r[sample.int(length(r), ceiling(length(r) * min(0.5, most / length(y))))]
  }))
  sort(unname(rows))
}

levels_of_certainty <- c(0, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99, 1)

measures <- function(prob, y, rare) {
  guess <- max.col(prob, "first")
  sure <- prob[cbind(seq_along(y), guess)]
  wrong <- guess != as.integer(y)
  gaps <- tapply(
    sure - !wrong, cut(sure, seq(0, 1, by = 0.1), include.lowest = TRUE), sum,
    default = 0
  )
  level <- cut(sure, levels_of_certainty, include.lowest = TRUE, labels = FALSE)
  of_level <- function(v) {
    vapply(seq_len(7L), function(l) sum(v[level == l]), 0)
  }
  data.frame(
    error = 100 * mean(wrong), balanced = 100 * mean(tapply(wrong, y, mean)),
    log_loss = -mean(log(pmax(prob[cbind(seq_along(y), as.integer(y))], 1e-6))),
    calibration = 100 * sum(abs(gaps)) / length(y),
    rare_recall = 100 * mean(!wrong[y == rare]),
    n = t(of_level(rep(1, length(y)))), right = t(of_level(!wrong))
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
  train <- half(y, if (name %in% names(most)) most[[name]] else usual_most)
  test <- setdiff(seq_along(y), train)
  if (length(test) > 1000L) test <- sort(sample(test, 1000L))
  x <- data$x[train, ]
  cpu <- function(value) sum(system.time(value)[1:2])
  fit_seconds <- cpu(prior <- llfs(x, y[train], threads = 1))
  spheres <- prior # the vote acts at prediction only
  spheres$parameters$vote <- "spheres"
  spheres$parameters$neighbour <- "full"
  nearest <- relief(x, y[train], hubs = "none", threads = 1)
  prob_of <- function(fit, ...) {
    predict(fit, data$x[test, ], type = "prob", threads = 1, ...)
  }
  predict_seconds <- cpu(prob <- prob_of(prior))
  probs <- list(prior = prob)
  probs$balanced <- prob_of(with_balanced(prior))
  probs$spheres <- prob_of(spheres)
  probs$`five nearest` <- prob_of(nearest, n = min(50L, ncol(x)))
  probs$`five nearest, balanced` <- prob_of(nearest,
    n = min(50L, ncol(x)), weights = "balanced"
  )
  rare <- names(which.min(table(y[train])))
  rows <- lapply(names(probs), function(vote) {
    seconds <- c(fit_seconds, predict_seconds)
    if (vote != "prior") seconds[] <- NA
    data.frame(
      set = name, split = seed, vote = vote,
      round(measures(probs[[vote]], y[test], rare), 4),
      fit_seconds = seconds[[1L]], predict_seconds = seconds[[2L]]
    )
  })
  do.call(rbind, rows)
}

file <- file.path(arguments$output, "vote-splits.csv")
rows <- function(file) if (file.exists(file)) utils::read.csv(file)
for (seed in splits) {
  for (name in arguments$parts) {
    old <- rows(file)
    done <- any(old$set == name & old$split == seed)
    if (done || Sys.time() > ends) next
    new <- suppressMessages(suppressWarnings(one_split(name, seed)))
    if (is.null(new)) next
    utils::write.table(new, file,
      sep = ",", row.names = FALSE, append = file.exists(file),
      col.names = !file.exists(file)
    )
  }
}

# ---- tables -----------------------------------------------------------------

splits <- rows(file)
splits <- splits[splits$set %in% names(kinds), ]
columns <- c("error", "balanced", "log_loss", "calibration", "rare_recall")
standard_error <- function(v) stats::sd(v) / sqrt(length(v))
by_set <- lapply(split(splits, splits[c("vote", "set")], drop = TRUE), \(g) {
  data.frame(
    set = g$set[[1L]], kind = kinds[[g$set[[1L]]]], vote = g$vote[[1L]],
    splits = nrow(g), t(colMeans(g[columns])),
    error_se = standard_error(g$error)
  )
})
table <- do.call(rbind, by_set)
table <- table[order(match(table$set, names(kinds))), ]
save_table(
  cbind(table[1:4], round(table[-(1:4)], 3)), arguments, "vote", 3
)

# Every set counts the same.
of_kind <- aggregate(table[columns], table[c("vote", "kind")], mean)
save_table(
  cbind(of_kind[1:2], round(of_kind[-(1:2)], 3)), arguments, "vote-kinds", 3
)

certain <- lapply(split(splits, splits$vote), function(g) {
  n <- colSums(g[paste0("n.", 1:7)])
  data.frame(
    vote = g$vote[[1L]], above = levels_of_certainty[1:7],
    to = levels_of_certainty[-1L], samples = unname(n),
    right = round(100 * colSums(g[paste0("right.", 1:7)]) / n, 1)
  )
})
save_table(
  do.call(rbind, unname(certain)), arguments, "vote-certainty", 1
)
