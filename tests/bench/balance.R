# Hits and misses from equally many candidates, beside the k nearest of each
# class and "multisurf": scores of noise, true features among the best 20, and
# the AUC of a forest on a list; CPU seconds, to be alternated between builds.
# Rscript tests/bench/balance.R noise|power|forest|time [draws]
# SPDX-License-Identifier: GPL-3.0-or-later
suppressMessages(library(hitmiss))
arguments <- c(commandArgs(TRUE), "30")
score <- function(...) {
  coef(suppressMessages(suppressWarnings(relief(..., threads = 1))))
}
methods <- list(
  nearest = \(x, y) score(x, y, control = list(balance = FALSE)),
  balanced = score, multisurf = \(x, y) score(x, y, "multisurf")
)
labels_of <- \(n, share) factor(rep(1:2, c(round(n * share), n - n * share)))
say <- function(what, one) { # means and standard errors over draws
  found <- vapply(seq_len(as.integer(arguments[[2L]])), function(seed) {
    set.seed(7000 + seed)
    one()
  }, one())
  cat(what, sprintf("%s %.3f (%.3f)", rownames(found), rowMeans(found),
    apply(found, 1L, sd) / sqrt(ncol(found))), "\n", sep = "  ")
}

# Mean scores by kind of feature, in standard deviations of those of numbers.
kinds <- list(
  numbers = \(n) rnorm(n), flags = \(n) rbinom(n, 1, 0.3),
  peaks = \(n) rnorm(n, 4 * rbinom(n, 1, 0.4)),
  SNPs = \(n) rbinom(n, 2, 0.3), methylation = \(n) rbeta(n, 0.4, 0.4)
)
noise <- function(share, method, n = 200) {
  kind <- rep(names(kinds), c(200, 20, 20, 20, 20))
  x <- vapply(kind, \(of) as.double(kinds[[of]](n)), numeric(n))
  colnames(x) <- seq_along(kind)
  s <- methods[[method]](x, labels_of(n, share))
  (tapply(s, kind, mean) / sd(s[kind == "numbers"]))[names(kinds)]
}
# Of ten true features (six flags), the share among the best 20 of 300.
power <- function(kind, share, n = 200) {
  y <- labels_of(n, share)
  rare <- y == 1
  x <- cbind(matrix(rnorm(280 * n), n), matrix(rbinom(20 * n, 1, 0.3), n))
  true <- if (kind == "flags") 281:286 else 1:10
  x[rare, true] <- switch(kind,
    shift = x[rare, true] + 1, spread = 2.5 * x[rare, true],
    halves = x[rare, true] + rep_len(c(2, -2), sum(rare)),
    flags = rbinom(sum(rare) * 6, 1, 0.65)
  )
  colnames(x) <- seq_len(ncol(x))
  vapply(methods, \(m) mean(true %in% order(-m(x, y))[1:20]), 0)
}
# 4.4 % cases of 2,000: ten of 60 numbers are shifted; noise in categories.
forest <- function() {
  y <- factor(rep(c("case", "other", "case", "other"), c(88, 1912, 88, 1912)))
  x <- as.data.frame(matrix(rnorm(4000 * 60), 4000))
  x[y == "case", 1:10] <- x[y == "case", 1:10] + 0.6
  x <- cbind(x, lapply(1:40, \(j) factor(sample(letters[1:4], 4000, TRUE))))
  names(x) <- paste0("v", seq_along(x))
  vapply(methods, function(method) {
    best <- names(sort(-method(x[1:2000, ], y[1:2000])))[1:10]
    p <- predict(ranger::ranger(y = y[1:2000], x = x[1:2000, best],
      probability = TRUE, num.threads = 1), x[2001:4000, best])$predictions
    (mean(rank(p[, "case"])[y[2001:4000] == "case"]) - 44.5) / 1912
  }, 0)
}
time <- function(share, n, p, samples = NULL) {
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, seq_len(p)))
  took <- system.time(score(x, labels_of(n, share), samples = samples))
  cat(n, p, share, sum(took[1:2]), "\n")
}
for (share in c(0.5, 0.3, 0.2, 0.1, 0.05, 0.02)) switch(arguments[[1L]],
  noise = for (m in names(methods)) say(c(m, share), \() noise(share, m)),
  power = for (kind in c("shift", "halves", "spread", "flags")) {
    say(c(kind, share), \() power(kind, share))
  },
  time = Map(time, share, c(200, 2000, 1e5), c(20000, 2000, 500),
    list(NULL, NULL, 1000))
)
if (arguments[[1L]] == "forest") say("forest", forest)
