# Layer: input. Values of `x` that are missing: how many there are, and whether
# one class lacks them more often than others.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Missing values
#'
#' [relief()] with the methods `"relieff"`, `"rrelieff"` and `"srelieff"` ranks
#' features with missing values (`NA`, `NaN`, a missing category) as they are.
#' All other selectors refuse them, and [prepare_impute()] fills them in.
#' `vignette("missing")` says which of the two fits which kind of missing value.
#'
#' @details
#' Where one of two samples lacks a feature, the distance of the two counts its
#' mean difference between the samples that have it (with `metric =
#' "euclidean"`, its mean squared difference). In this order, a feature has
#' neighbours of its own: for every sample that has it, hits, and misses of each
#' class, that have it too, with the weights of [relief()] for as many
#' candidates as have it. A sample has a margin if it has the feature and finds
#' a hit and a miss. Of the samples that would have one without missing values,
#' let \eqn{p_c}{p_c} be the share of class c, and \eqn{s_j}{s_j} of those that
#' have one. With \eqn{m_{cj}}{m_cj} the mean of these margins over the samples
#' of class c, feature j scores \eqn{s_j \sum_c p_c m_{cj}}{s_j sum_c p_c m_cj}.
#' For numbers and survival times, the sums of [relief()] are those over the
#' samples that have the feature, with neighbours that have it, times the share
#' of these samples.
#'
#' With `hubs = "centre"` the mean distance of a sample is that of the distances
#' above. Scaling, class means and effects use the values that are there. A
#' feature with fewer than two different values scores 0, with one warning of
#' class `hitmiss_warning_missing`; a sample without any value is refused. Of a
#' `pair` in which one sample lacks a feature, all samples lack it; with `block`
#' and survival times, a block's mean is that of the values that are there. An
#' infinite value is always refused. Without missing values nothing changes, to
#' the last bit.
#'
#' @section The fit:
#' The field `present` of such a fit counts the samples that have each feature,
#' by class (of survival times, with and without an event), and tables have
#' their sum as the column `present`. `print()` tells how many features are
#' missing more often in one class than in the others: by Fisher's exact test
#' (of each class against the others, times the number of classes), below .05
#' after Benjamini and Hochberg. With `block` these are tests inside blocks,
#' joined by Fisher's method. Classes of one or two samples are left out. It
#' names the three of least p value. A protein
#' that one class does not have at all scores 0, because no two classes can be
#' compared: `prepare_impute("min")` ranks it by what is missing. Medians in the
#' place of such values make differences from noise: if one class lacks 40 % and
#' the other 10 %, [pwfp()] finds 9.0 of 20 true features with them, and 13.0
#' with random values; [relief()] and [logo()] find as many with either
#' (`tests/bench/missing.R`).
# csv: "finds 9.0" missing mean setting=class 40/10 %; figure=pwfp median # nolint
# csv: "and 13.0 with" missing mean setting=class 40/10 %; figure=pwfp draw # nolint
#'
#' @section Prediction:
#' [predict()][predict.hitmiss] of such a fit leaves out, for each new sample,
#' the features that it lacks, as with `missing = "drop"`; a sample with less
#' than half of the weight gets `NA`. A training sample that lacks a feature
#' stands at its mean difference from all others.
#'
#' @section Evaluation:
#' [error_curve()], [probe_fdr()], [turf()], [tuned()], [validate()],
#' [plot_heatmap()], [step_select_hitmiss()] and the filter
#' `flt("hitmiss_relief")` of mlr3 take missing values too. A selector that
#' refuses them fails there by name. The classifiers of a curve get the medians
#' of the training part (of categories the most frequent one) in their place.
#' With `classifier = "own"`, a held-out sample that lacks half of what predicts
#' is predicted as without features.
#' [turf()] drops no further feature when a sample would be left without a
#' value.
#' @return None: this page is about values of `x`.
#' @name hitmiss-missing
#' @examples
#' toy <- simulate_localized(noise = 20)
#' x <- toy$x
#' x[sample(length(x), 300)] <- NA
#' fit <- relief(x, toy$y, threads = 1)
#' fit
#' table(toy$y, predict(fit, x, n = 2))
NULL

#' @param problem list(values, storage, features_in, features). @param classes
#'   Of the samples.
#' @return list(features: counts, features x classes; samples: counts).
#' @noRd
count_present <- function(problem, classes) {
  found <- cpp_present(problem, classes, core_runtime())
  # `$` would take `features_in` where there are no names.
  dimnames(found$features) <- list(problem[["features"]], levels(classes))
  found
}

#' Positions of the features that are missing more often in one class, least p
#' value first
#'
#' Of several blocks, classes are compared inside each: the p values of blocks
#' are one by Fisher's method. Blocks in which all samples lack a feature, or
#' none, or which are of one class, say nothing. A class of one or two samples
#' is left out: one poor sample would decide.
#' @param present See with_present(); of several blocks side by side.
#' @param sizes Number of samples by class; of blocks classes x blocks.
#' @noRd
missing_by_class <- function(present, sizes) {
  sizes <- as.matrix(sizes)
  tested <- rowSums(sizes) > 2
  absent <- array(
    rep(sizes, each = nrow(present)) - present, c(nrow(present), dim(sizes))
  )[, tested, , drop = FALSE]
  some <- which(rowSums(absent) > 0)
  absent <- absent[some, , , drop = FALSE]
  sizes <- sizes[tested, , drop = FALSE]
  if (length(some) == 0L || nrow(sizes) < 2L) {
    return(integer())
  }
  log_p <- array(0, dim(absent))
  known <- array(FALSE, dim(absent))
  for (b in seq_len(ncol(sizes))) {
    all <- rowSums(absent[, , b, drop = FALSE])
    n <- sum(sizes[, b])
    for (c in seq_len(nrow(sizes))) {
      size <- sizes[c, b]
      log_p[, c, b] <- stats::phyper(absent[, c, b] - 1, all, n - all, size,
        lower.tail = FALSE, log.p = TRUE
      )
      known[, c, b] <- all > 0 & all < n & size > 0 & size < n
    }
  }
  p <- stats::pchisq(-2 * rowSums(log_p, dims = 2L),
    2 * pmax(1, rowSums(known, dims = 2L)),
    lower.tail = FALSE
  )
  p <- nrow(sizes) * apply(p, 1L, min)
  utils::head(some[order(p)], sum(stats::p.adjust(pmin(1, p), "BH") < 0.05))
}

#' @param found See missing_by_class().
#' @noRd
missing_by_class_words <- function(found) {
  count <- length(found)
  if (count > 0L) {
    in_words(
      "{count} feature{?s} {?is/are} missing more often in one class: do not
       impute {cli::qty(count)}{?this/these} by median."
    )
  }
}

warn_few_values <- function(problem, constant) {
  few <- problem$features[
    constant & rowSums(problem$present) < length(problem$y)
  ]
  if (length(few) > 0L) {
    where <- if (!is.null(problem$design$pair)) " in whole pairs"
    warn(
      "{length(few)} feature{?s} {?has/have} fewer than two different
       values{where} and {cli::qty(length(few))}{?scores/score} 0:
       {listed(few, 5L)}.",
      "hitmiss_warning_missing",
      features = few
    )
  }
}

#' Numbers in the place of missing values: the median of the training rows, of
#' categories the most frequent one
#'
#' @param values Samples x features. @param train Rows.
#' @param coded Is each column one of categories?
#' @noRd
filled_values <- function(values, train, coded) {
  for (j in which(colSums(is.na(values)) > 0)) {
    known <- values[train, j]
    known <- known[!is.na(known)]
    if (length(known) == 0L) known <- 0
    values[is.na(values[, j]), j] <- if (coded[[j]]) {
      which.max(tabulate(known))
    } else {
      stats::median(known)
    }
  }
  values
}

# The coefficients of features, each over the samples that have it; 0 where
# these cannot tell a coefficient. `fit`: qr() of the design.
known_slopes <- function(fit, design, values) {
  slopes <- qr.coef(fit, values)
  for (j in which(colSums(is.na(values)) > 0)) {
    there <- !is.na(values[, j])
    some <- qr(design[there, , drop = FALSE])
    slopes[, j] <- qr.coef(some, values[there, j])
  }
  slopes[is.na(slopes)] <- 0
  slopes
}

# Returns the step that fits, as code, and what it fills in.
fitting_step <- function(lacking, verb) {
  if (length(lacking) > 0L || verb %in% c("pwfp", "llfs")) {
    c("prepare_impute(\"draw\")", "random values of each feature")
  } else {
    c("prepare_impute()", "medians")
  }
}
