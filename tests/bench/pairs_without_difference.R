# New pairs of whom nobody has changed, among those who have: how many of either
# kind predict() says show no difference, and how often the calls of the rest
# are right, by their probability. Each study has 30 training pairs and 300
# genes, of which 60 differ; of 20 new pairs the second sample is ill, of 20
# both are healthy. Persons differ by a standard deviation of 3, samples of one
# person by 1. In the second half of the studies the effects of persons vary, by
# a standard deviation of 0.4 of their mean. The limit of predict() was chosen
# on the seeds 10001 to 10160.
# Rscript tests/bench/pairs_without_difference.R [studies, by default 80] [seed]
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)

arguments <- as.integer(commandArgs(TRUE))
seeds <- c(arguments[-1L], 20000L)[[1L]] + seq_len(c(arguments, 80L)[[1L]])

study_pairs <- function(n, effect, ill = TRUE, varies = 0) {
  genes <- 300L
  person <- 3 * matrix(rnorm(n * genes), n)
  size <- if (varies > 0) rgamma(n, varies^-2, varies^-2) else rep(1, n)
  sample <- function(after) {
    x <- person + rnorm(n * genes)
    if (after) x[, 1:60] <- x[, 1:60] + effect * size
    x
  }
  x <- rbind(sample(FALSE), sample(ill))
  colnames(x) <- paste0("g", seq_len(genes))
  list(x = x, y = rep(c("before", "ill"), each = n), pair = rep(1:n, 2))
}

one_study <- function(seed, effect, varies, selector) {
  set.seed(seed)
  old <- study_pairs(30, effect, varies = varies)
  fit <- selector(old$x, old$y, pair = old$pair, threads = 1)
  do.call(rbind, lapply(c(TRUE, FALSE), function(ill) {
    new <- study_pairs(20, effect, ill, varies)
    prob <- suppressMessages(
      predict(fit, new$x, pair = new$pair, type = "prob", threads = 1)
    )
    later <- 21:40
    data.frame(
      seed = seed, effect = effect, ill = ill,
      flagged = attr(prob, "no_difference")[later],
      prob = pmax(prob[later, "before"], prob[later, "ill"]),
      right = prob[later, "ill"] > 0.5
    )
  }))
}

selectors <- list(relief = relief, kbfs = kbfs, logo = logo)
table <- NULL
for (name in names(selectors)) {
  for (varies in c(0, 0.4)) {
    pairs <- do.call(rbind, Map(
      one_study, seeds, rep_len(c(0.5, 1, 1.5, 2), length(seeds)), varies,
      list(selectors[[name]])
    ))
    # Standard errors are those of studies, which have 20 pairs of a kind each.
    shares <- aggregate(flagged ~ seed + effect + ill, pairs, mean)
    for (effect in c("all", "0.5", "1", "1.5", "2")) {
      some <- shares[effect == "all" | shares$effect == effect, ]
      of <- split(100 * some$flagged, some$ill)
      se <- function(v) sd(v) / sqrt(length(v))
      table <- rbind(table, data.frame(
        selector = name, varies = varies, effect = effect,
        healthy = mean(of$`FALSE`), healthy_se = se(of$`FALSE`),
        ill = mean(of$`TRUE`), ill_se = se(of$`TRUE`)
      ))
    }
    rest <- pairs[!pairs$flagged, ]
    # Of a healthy pair either call is right in one of two.
    rest$right <- ifelse(rest$ill, rest$right, 0.5)
    rest$of <- cut(rest$prob, c(0, 0.8, 0.9, 0.95, 1))
    cat("\n", name, ", standard deviation of the effects ", varies,
      ": pairs that are not flagged\n", sep = ""
    )
    print(cbind(
      aggregate(cbind(prob, right) ~ of, rest, mean),
      pairs = tabulate(rest$of, 4L)
    ), digits = 3)
  }
}
number <- vapply(table, is.numeric, NA)
table[number] <- round(table[number], 1)
print(table, row.names = FALSE)
utils::write.csv(table, file.path(
  "inst", "reproduce", "results", "pairs-without-difference.csv"
), row.names = FALSE)
