# Covariates: how many true genes, and how many genes of age, are among the best
# 20 without adjustment, on residuals of age, and with prepare_adjust().
# Rscript tests/bench/adjust.R [draws]
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)
draws <- as.integer(c(commandArgs(TRUE), 40)[[1L]])
options(hitmiss.threads = 1)

# 80 samples, 500 genes: 20 differ between the classes, 100 follow age, which
# is 1.2 standard deviations higher in the second class.
simulate <- function() {
  y <- factor(rep(c("a", "b"), each = 40))
  second <- y == "b"
  age <- stats::rnorm(80) + 1.2 * second
  x <- matrix(stats::rnorm(80 * 500), 80)
  colnames(x) <- sprintf("g%d", seq_len(500))
  x[, 1:20] <- x[, 1:20] + 0.8 * second
  x[, 21:120] <- x[, 21:120] + 0.8 * age
  list(x = x, y = y, age = age)
}

# A method that selects fewer than 20 has no more.
counts <- function(scores) {
  best <- utils::head(order(-scores), min(20, sum(scores > 0)))
  c(
    true = sum(best <= 20), age = sum(best > 20 & best <= 120),
    best = length(best)
  )
}

one <- function(seed) {
  set.seed(seed)
  d <- simulate()
  residuals <- stats::lm.fit(cbind(1, d$age), d$x)$residuals
  colnames(residuals) <- colnames(d$x)
  ways <- list(
    plain = d$x, residuals = residuals,
    adjusted = prepare_adjust(data.frame(age = d$age))(d$x, d$y)(d$x)
  )
  found <- list()
  for (way in names(ways)) {
    x <- ways[[way]]
    found[[paste("relief", way)]] <- counts(
      relief(x, d$y, hubs = "none")$scores
    )
    found[[paste("logo", way)]] <- counts(
      suppressWarnings(logo(x, d$y))$scores
    )
  }
  unlist(found)
}

table <- vapply(seq_len(draws), one, numeric(18))
print(round(cbind(
  mean = rowMeans(table), se = apply(table, 1L, stats::sd) / sqrt(draws)
), 2))
