# True features among the best 20 of 300, of 20 matched pairs (tumour and
# normal): plain fits, fits with `pair`, and the paired t-test; mean over draws
# and standard error. Then real pairs: how many of the best 50 features have a
# paired p above .05? 12 pairs of the colon set (Alon et al. 1999; package
# plsgenomics has tumour and normal of patients 1 to 12 first, by turns), and 40
# pairs of head and neck tumours (TCGA, package lncDIFF).
#   Rscript tests/bench/matched_pairs.R [draws] [pairs] [shift]
# SPDX-License-Identifier: GPL-3.0-or-later
suppressMessages(library(hitmiss))
arguments <- as.numeric(commandArgs(TRUE))
given <- function(i, default) {
  if (length(arguments) < i) default else arguments[[i]]
}
draws <- given(1L, 40)

draw_pairs <- function(pairs = given(2L, 20), features = 300, true = 20,
                       shift = given(3L, 0.7)) {
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

one_draw <- function(seed) {
  set.seed(seed)
  d <- draw_pairs()
  difference <- d$x[d$y == "tumour", ] - d$x[d$y == "normal", ]
  t <- abs(colMeans(difference)) / apply(difference, 2L, sd)
  refused <- inherits(
    try(relief(d$x, d$y, block = d$pair), silent = TRUE), "try-error"
  )
  quiet <- function(fit, ...) {
    among_best(suppressMessages(fit(d$x, d$y, ..., threads = 1)), d$true)
  }
  new <- draw_pairs(200)
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

found <- vapply(seq_len(draws), one_draw, numeric(10L))
print(round(cbind(
  mean = rowMeans(found), se = apply(found, 1L, sd) / sqrt(draws)
), 2))

paired_p <- function(x, y, pair) {
  x <- x[order(pair, y), ]
  difference <- x[c(FALSE, TRUE), ] - x[c(TRUE, FALSE), ]
  t <- colMeans(difference) / apply(difference, 2L, sd) * sqrt(nrow(x) / 2)
  p <- 2 * pt(-abs(t), nrow(x) / 2 - 1)
  ifelse(is.na(p), 1, p)
}

real_pairs <- function(name, x, y, pair) {
  p <- paired_p(x, y, pair)
  fits <- list(relief = relief, logo = logo, kbfs = kbfs, llfs = llfs)
  for (method in names(fits)) {
    fit <- suppressWarnings(suppressMessages(
      fits[[method]](x, y, pair = pair, threads = 1)
    ))
    best <- utils::head(names(sort(-coef(fit)[coef(fit) > 0])), 50L)
    above <- p[best] > 0.05
    cat(sprintf(
      paste(
        "%s, %s: %d of the best %d have a paired p above .05 (%.0f %% of their",
        "weight), %d of the first 10\n"
      ), name, method, sum(above), length(best),
      100 * sum(coef(fit)[best][above]) / sum(coef(fit)[best]),
      sum(utils::head(above, 10L))
    ))
  }
}

if (length(arguments) < 2L &&
  requireNamespace("plsgenomics", quietly = TRUE)) {
  utils::data("Colon", package = "plsgenomics")
  x <- log2(Colon$X[1:24, ])
  colnames(x) <- make.unique(as.character(Colon$gene.names))
  # Each array less its mean.
  real_pairs(
    "colon, 12 pairs", x - rowMeans(x), factor(Colon$Y[1:24]),
    rep(1:12, each = 2)
  )
}
if (length(arguments) < 2L && requireNamespace("lncDIFF", quietly = TRUE)) {
  utils::data("hnsc.edata", "tissue", package = "lncDIFF")
  real_pairs(
    "head and neck, 40 pairs", t(log2(1 + as.matrix(hnsc.edata))),
    factor(tissue), rep(1:40, 2)
  )
}
