# PWFP (Happy, Mohanty, Routray 2017): its Table I on the sets that are open,
# the share of features marked per pair as in Fig. 2, and the faces of Fig. 3.
# Usage: Rscript pwfp.R [data folder] [output folder] [part ...]
# Parts: a set's name (its Table I), fraction, fig3.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
table1_sets <- c("colon", "ionosphere", "tox171", "arcene")
arguments <- read_arguments(c(table1_sets, "fraction", "fig3"))

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
  arcene = holdout(10, train = 0.5, stratified = FALSE),
  # Five of the ten pictures of every person.
  orl = holdout(10, train = 0.5)
)

pwfp_with <- function(...) function(x, y) pwfp(x, y, ..., threads = 1)

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
  PWFP = pwfp_with(fraction = 0.1),
  `PWFP, authors' (8)` = pwfp_with(preset = "paper"),
  `PWFP, threshold (4)` = by_threshold,
  IFS = scored_by("inf_fs"), SPEC = scored_by("spec"),
  Fisher = scored_by("fisher"), random = function(x, y) sample(colnames(x))
)
# "normalize the samples": each sample has mean 0 and variance 1.
by_sample <- function(x) t(scale(t(x)))

# `way`: "", or how the paper's protocol is read otherwise: each sample
# normalised, a share of each class, or both, with many features.
accuracy_rows <- function(name, selectors, way = "") {
  set <- load_set(name, arguments)
  set.seed(1)
  resampling <- resamplings[[name]]
  size <- sizes[[name]]
  if (grepl("class", way)) {
    resampling <- by_class(set$y, resampling$times, resampling$train)
    size <- size[size >= if (name == "arcene") 2000 else 200]
  }
  rows <- grepl("normalised", way)
  curve <- error_curve(if (rows) by_sample(set$x) else set$x, set$y, selectors,
    sizes = size, classifier = "svm_linear", resampling = resampling,
    scale = if (rows) "none" else "zscore", keep = FALSE
  )
  rows <- accuracy_table(curve, name, 1)
  if (way != "") {
    rows <- rows[rows$selector %in% c(names(selectors), "(all features)"), ]
    rows$selector <- paste0(rows$selector, ", ", way)
  }
  rows
}

report <- function(rows, name) {
  rows <- over_seeds(rows, c("set", "selector"), "accuracy", name)
  update_table(rows, arguments, name)
}

rows_over(intersect(arguments$parts, table1_sets), function(name) {
  # Threshold (4) forms all pairs by hand.
  use <- if (name == "arcene") selectors[-3L] else selectors
  unscaled <- c(
    list(PWFP = pwfp_with(fraction = 0.1, scale = "none")),
    selectors[c("IFS", "SPEC", "random")]
  )
  report(rbind(
    accuracy_rows(name, use),
    accuracy_rows(name, unscaled[1:3], "samples normalised"),
    if (name == "tox171") accuracy_rows(name, selectors[-3L], "by class"),
    if (name == "arcene") {
      accuracy_rows(name, unscaled, "samples normalised by class")
    }
  ), "pwfp-table1")
})

parts <- list(
  fig3 = function() {
    use <- selectors[c("PWFP", "IFS", "SPEC", "Fisher")]
    report(accuracy_rows("orl", use), "pwfp-fig3")
  },
  fraction = function() {
    shares <- c(0.02, 0.05, 0.1, 0.2, 0.4)
    fractions <- lapply(shares, function(share) pwfp_with(fraction = share))
    names(fractions) <- paste("fraction", shares)
    rows_over(setdiff(table1_sets, "arcene"), function(name) {
      report(accuracy_rows(name, fractions), "pwfp-fraction")
    })
  }
)
run_parts(parts, arguments)
