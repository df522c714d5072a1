# PWFP (Happy, Mohanty, Routray 2017): its Table I on the sets that are open,
# the share of features marked per pair as in Fig. 2, and the faces of Fig. 3.
# Usage: Rscript pwfp.R [data folder] [output folder] [table1] [fraction] [fig3]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
arguments <- read_arguments(c("table1", "fraction", "fig3"))

# The paper does not state the number of features: averages over these.
many <- c(5, 10, 20, 50, 100, 200, 500, 1000, 2000)
sizes <- list(
  colon = c(5, 10, 20, 30, 50, 75, 100, 150, 200),
  ionosphere = c(3, 5, 8, 10, 15, 20, 25, 30),
  tox171 = many, arcene = c(many, 5000), orl = c(5, 10, 20, 50, 100, 200)
)
# The paper draws five times. Six training samples of colon ask for many more to
# know a mean to one point. Nothing is said about classes keeping their shares.
resamplings <- list(
  colon = holdout(70, train = 0.1, stratified = FALSE),
  ionosphere = holdout(70, train = 0.1, stratified = FALSE),
  tox171 = holdout(25, train = 0.1, stratified = FALSE),
  arcene = holdout(5, train = 0.5, stratified = FALSE),
  # Five of the ten pictures of every person.
  orl = holdout(10, train = 0.5)
)

pwfp_with <- function(fraction, scale = "zscore") {
  function(x, y) pwfp(x, y, fraction = fraction, scale = scale, threads = 1)
}
score_by <- function(method) function(x, y) reference_scores(x, y, method)

# Equation (4): in every pair of one class the features that differ by less than
# the threshold, here the median difference of z-scores, and in every pair of
# two classes those that differ by more; scored as pwfp() does.
by_threshold <- function(x, y) {
  z <- scale(x)
  z[is.na(z)] <- 0
  pairs <- utils::combn(nrow(z), 2L)
  same <- y[pairs[1L, ]] == y[pairs[2L, ]]
  near <- abs(z[pairs[1L, ], ] - z[pairs[2L, ], ])
  near <- near < stats::median(near)
  log(colSums(near[same, , drop = FALSE]) + 0.5) +
    log(colSums(!near[!same, , drop = FALSE]) + 0.5)
}

selectors <- list(
  PWFP = pwfp_with(0.1), `PWFP, threshold (4)` = by_threshold,
  IFS = score_by("inf_fs"), SPEC = score_by("spec"),
  Fisher = score_by("fisher"), random = function(x, y) sample(colnames(x))
)
# "normalize the samples": each sample has mean 0 and variance 1.
by_sample <- function(x) t(scale(t(x)))

accuracy_rows <- function(name, seed, selectors, rows = FALSE) {
  set <- load_set(name, arguments)
  if (is.null(set)) return(NULL)
  set.seed(seed)
  curve <- error_curve(if (rows) by_sample(set$x) else set$x, set$y, selectors,
    sizes = sizes[[name]], classifier = "svm_linear",
    scale = if (rows) "none" else "zscore", resampling = resamplings[[name]],
    keep = FALSE
  )
  accuracy_table(curve, name, seed)
}

report <- function(rows, name) {
  paper <- published(
    "PWFP", "Table I", rows$set, sub(",.*", "", rows$selector), "accuracy"
  )
  by <- c("set", "selector")
  save_table(over_seeds(rows, by, "accuracy", paper, FALSE), arguments, name)
}

if ("table1" %in% arguments$parts) {
  rows <- NULL
  for (name in setdiff(names(sizes), "orl")) {
    # Threshold (4) forms all pairs by hand.
    use <- if (name == "arcene") selectors[-2L] else selectors
    for (seed in 1:3) {
      rows <- rbind(
        rows, accuracy_rows(name, seed, use),
        accuracy_rows(name, seed, list(
          `PWFP, samples normalised` = pwfp_with(0.1, "none")
        ), rows = TRUE)[1L, ]
      )
    }
  }
  report(rows, "pwfp-table1")
}

if ("fig3" %in% arguments$parts) {
  rows <- do.call(rbind, lapply(1:3, function(seed) {
    accuracy_rows("orl", seed, selectors[c("PWFP", "IFS", "SPEC", "Fisher")])
  }))
  report(rows, "pwfp-fig3")
}

if ("fraction" %in% arguments$parts) {
  shares <- c(0.02, 0.05, 0.1, 0.2, 0.4)
  fractions <- lapply(shares, pwfp_with)
  names(fractions) <- paste("fraction", shares)
  rows <- do.call(rbind, lapply(c("colon", "ionosphere", "tox171"), \(name) {
    accuracy_rows(name, 1, fractions)
  }))
  report(rows, "pwfp-fraction")
}
