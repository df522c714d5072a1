# Layer: input. Matched pairs: each value less the mean of its pair.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A problem of matched pairs (tumour and normal of one patient, say)
#'
#' From every value the mean of its pair is subtracted, before anything is
#' scaled or selected, and samples of one pair are not compared (`group` is the
#' pair). The means need no other sample and no label, so pairs may be centred
#' before they are split into training and test parts.
#' @param pair One value per sample, or the name of a column.
#' @noRd
with_pairs <- function(problem, x, pair, block = NULL, group = NULL) {
  given <- c("block", "group")[c(!is.null(block), !is.null(group))]
  if (length(given) > 0L) {
    abort_input(c(
      "{.arg pair} and {.arg {given}} cannot be given together: samples of one
       pair are never compared, and every value is a difference from the mean of
       its pair already.",
      i = "Leave out {.arg {given}}."
    ), "pair")
  }
  codes <- sample_codes(problem, design_column(pair, x, "pair"), "pair")
  check_pairs(codes, problem, design_column(pair, x, "pair"))
  problem$values <- centre_pairs(dense_by_sample(problem), codes)
  problem$storage <- "dense"
  problem$features_in <- "columns"
  problem$pair <- problem$group <- codes
  problem
}

# Every pair must show what differs within it.
check_pairs <- function(codes, problem, names) {
  if (!is.factor(problem$y)) {
    abort_input(
      "{.arg pair} needs classes: with a numeric outcome no two samples of a
       pair are a hit or a miss.", "pair"
    )
  }
  if (max(codes) == 1L) {
    abort_input(
      "{.arg pair} is the same for all samples: samples of one pair are not
       compared, and nothing is left.", "pair"
    )
  }
  known <- function(y) length(unique(y[!is.na(y)]))
  n_classes <- tapply(problem$y, codes, known)
  bad <- which(n_classes < 2L)
  if (length(bad) > 0L) {
    which <- as.character(names[match(bad, codes)])
    abort_input(c(
      "{length(bad)} value{?s} of {.arg pair} {?has/have} no samples of two
       classes: {.val {utils::head(which, 5)}}.",
      i = "Leave {cli::qty(length(bad))}{?its/their} samples out. For several
           samples of a patient that are all of one class, give {.arg group}."
    ), "pair")
  }
}

# The values as doubles, samples in rows. Differences are no longer sparse.
dense_by_sample <- function(problem) {
  if (!is.null(problem$levels)) {
    abort_input(c(
      "{.arg pair} needs numbers, and {.arg x} has categories: {.val
       {utils::head(names(problem$levels), 3)}}.",
      i = "Leave these columns out."
    ), "pair")
  }
  if (problem$storage == "blocks") {
    abort_input(c(
      "{.arg pair} needs values in memory.",
      i = "Read them with {.code as.matrix()} first."
    ), "pair")
  }
  values <- as.matrix(problem$values)
  if (problem$features_in == "rows") values <- t(values)
  storage.mode(values) <- "double"
  values
}

# `codes`: whole numbers from 1, one for each row.
centre_pairs <- function(values, codes) {
  means <- rowsum(values, codes, reorder = TRUE) / tabulate(codes)
  values - means[codes, , drop = FALSE]
}

#' New samples, centred by their own pairs
#'
#' @param fit A fit.
#' @param values Samples x features, as as_newdata() gives them.
#' @param pair As the user of predict() gave it.
#' @noRd
centre_newdata <- function(fit, values, newdata, pair) {
  if (is.null(fit$parameters$pair)) {
    if (!is.null(pair)) {
      abort_input(
        "{.arg pair} is of fits with {.arg pair} only; this one compared samples
         as they are.", "pair"
      )
    }
    return(values)
  }
  if (is.null(pair)) {
    abort_input(c(
      "This fit is of matched pairs and predicts whole pairs only.",
      i = "Give {.arg pair}: one value for each new sample, the same for the
           samples of a pair."
    ), "pair")
  }
  known <- list(y = seq_len(nrow(values)), samples = rownames(values))
  codes <- sample_codes(known, design_column(pair, newdata, "pair"), "pair")
  alone <- which(tabulate(codes)[codes] == 1L)
  if (length(alone) > 0L) {
    abort_input(c(
      "Sample {alone[[1L]]} is the only one of its {.arg pair}: a difference
       from itself says nothing.",
      i = "Give whole pairs."
    ), "pair", row = alone[[1L]])
  }
  centre_pairs(values, codes)
}
