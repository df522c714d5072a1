# True features among the best 20 of 300, of matched pairs (tumour and normal):
# plain fits, fits with `pair`, and the paired t-test; mean over draws and
# standard error. Then real pairs: how many of the best 50 features have a
# paired p above .05? 12 pairs of the colon set (package plsgenomics has tumour
# and normal of patients 1 to 12 first, by turns), and 40 pairs of head and neck
# tumours (TCGA, package lncDIFF).
# Rscript tests/bench/matched_pairs.R [draws]; writes matched-pairs.csv and
# matched-pairs-real.csv in inst/reproduce/results.
# SPDX-License-Identifier: GPL-3.0-or-later
suppressMessages(library(hitmiss))
draws <- as.integer(c(commandArgs(TRUE), 40)[[1L]])
sys.source("inst/reproduce/common.R", common <- new.env())

store <- function(table, name) {
  common$save_table(table, list(output = "inst/reproduce/results"), name)
}

draw_pairs <- function(pairs, shift, features = 300, true = 20) {
  patient <- rep(seq_len(pairs), each = 2L)
  y <- factor(rep(c("normal", "tumour"), pairs))
  x <- matrix(rnorm(2 * pairs * features), 2 * pairs) +
    matrix(rnorm(pairs * features), pairs)[patient, ]
  x[y == "tumour", seq_len(true)] <- x[y == "tumour", seq_len(true)] + shift
  colnames(x) <- sprintf("g%d", seq_len(features))
  list(x = x, y = y, pair = sprintf("P%d", patient), true = colnames(x)[1:true])
}

among_best <- function(fit, true) {
  best <- names(sort(-coef(fit)[coef(fit) > 0]))
  sum(utils::head(best, 20L) %in% true)
}

one_draw <- function(seed, pairs, shift) {
  set.seed(seed)
  d <- draw_pairs(pairs, shift)
  difference <- d$x[d$y == "tumour", ] - d$x[d$y == "normal", ]
  t <- abs(colMeans(difference)) / apply(difference, 2L, sd)
  refused <- inherits(
    try(relief(d$x, d$y, block = d$pair), silent = TRUE), "try-error"
  )
  quiet <- function(fit, ...) {
    among_best(suppressMessages(fit(d$x, d$y, ..., threads = 1)), d$true)
  }
  new <- draw_pairs(200, shift)
  by_kbfs <- function(d, n) {
    suppressMessages(kbfs(d$x, d$y, n = n, pair = d$pair, threads = 1))
  }
  error <- function(n) {
    mean(suppressMessages(
      predict(by_kbfs(d, n), new$x, pair = new$pair)
    ) != new$y)
  }
  moderated <- limma::eBayes(limma::lmFit(t(difference)))$t[, 1L]
  c(
    "paired t" = sum(names(sort(-t))[1:20] %in% d$true),
    "moderated t" = sum(names(sort(-abs(moderated)))[1:20] %in% d$true),
    "relief plain" = quiet(relief), "relief pair" = quiet(relief,
      pair = d$pair),
    "logo pair" = quiet(logo, pair = d$pair),
    "kbfs pair" = quiet(kbfs, pair = d$pair),
    "kbfs pair, by agreement alone" = sum(
      top_features(by_kbfs(d, 1), 20)$feature %in% d$true
    ),
    "error, kbfs n = 50" = 100 * error(50),
    "error, kbfs n = pairs / 2" = 100 * error(length(d$y) %/% 4),
    "block refused" = 20 * refused
  )
}

simulated <- function(setting) {
  found <- vapply(
    seq_len(draws), one_draw, numeric(10L), setting[[1L]], setting[[2L]]
  )
  data.frame(
    pairs = setting[[1L]], shift = setting[[2L]], figure = rownames(found),
    mean = rowMeans(found), se = apply(found, 1L, sd) / sqrt(draws),
    draws = draws
  )
}
store(common$rows_over(
  list(c(20, 0.7), c(10, 0.7), c(40, 0.4)), simulated
), "matched-pairs")

paired_p <- function(x, y, pair) {
  x <- x[order(pair, y), ]
  difference <- x[c(FALSE, TRUE), ] - x[c(TRUE, FALSE), ]
  t <- colMeans(difference) / apply(difference, 2L, sd) * sqrt(nrow(x) / 2)
  p <- 2 * pt(-abs(t), nrow(x) / 2 - 1)
  ifelse(is.na(p), 1, p)
}

real_pairs <- function(set, x, y, pair) {
  p <- paired_p(x, y, pair)
  fits <- list(relief = relief, logo = logo, kbfs = kbfs, llfs = llfs)
  common$rows_over(names(fits), function(method) {
    fit <- suppressWarnings(suppressMessages(
      fits[[method]](x, y, pair = pair, threads = 1)
    ))
    best <- utils::head(names(sort(-coef(fit)[coef(fit) > 0])), 50L)
    above <- p[best] > 0.05
    data.frame(
      set = set, pairs = length(pair) / 2, method = method,
      best = length(best), above = sum(above),
      weight = 100 * sum(coef(fit)[best][above]) / sum(coef(fit)[best]),
      first_10 = sum(utils::head(above, 10L))
    )
  })
}

colon <- function() {
  utils::data("Colon", package = "plsgenomics", envir = environment())
  x <- log2(Colon$X[1:24, ])
  colnames(x) <- make.unique(as.character(Colon$gene.names))
  # Each array less its mean.
  real_pairs(
    "colon", x - rowMeans(x), factor(Colon$Y[1:24]), rep(1:12, each = 2)
  )
}

head_and_neck <- function() {
  utils::data(
    "hnsc.edata", "tissue", package = "lncDIFF", envir = environment()
  )
  real_pairs(
    "head and neck", t(log2(1 + as.matrix(hnsc.edata))), factor(tissue),
    rep(1:40, 2)
  )
}
store(rbind(colon(), head_and_neck()), "matched-pairs-real")
