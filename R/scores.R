# Layer: evaluate. A selector may return numbers that are no scores. They are
# known by their values, not by the words of its code.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Refuse named numbers that have two meanings
#'
#' The largest position of a column is no best feature, and ranks do not say
#' which end is best.
#' @param at Positions of the features that the names name.
#' @noRd
check_scores <- function(scores, at) {
  n <- length(scores)
  if (n > 1L && !anyNA(scores) && all(scores == at)) {
    abort_user(c(
      "a selector returned the positions of {n} features, as {.fn which} does,
       and not their scores.",
      i = "Return their names, {.code names(result)}, with the best first."
    ), "selectors")
  }
  if (n > 2L && !anyNA(scores) && all(scores == rank(scores)) &&
    length(unique(scores)) > 1L) {
    abort_user(c(
      "a selector returned ranks from 1 to {n}, which do not say whether 1 is
       the best or the last.",
      i = "If 1 is the best, return {.code -result}; if {n} is,
           {.code result - 1}."
    ), "selectors")
  }
}

#' Warn about results whose order is not, or is the reverse of, one from best to
#' worst
#'
#' Scores are compared with the share of each feature's variance that lies
#' between the classes: p-values, errors and ranks in which 1 is the best run
#' against it.
#' @param result What a selector returned for `x` and `y`.
#' @noRd
warn_no_order <- function(result, x, y) {
  if (is.character(result) && is.null(names(result)) && length(result) > 6L &&
    length(result) < ncol(x) &&
    isFALSE(is.unsorted(match(result, colnames(x))))) {
    warn_scores(
      "the {length(result)} features come in the order of the columns, and the
       first are taken as the best."
    )
  }
  if (!is.numeric(result) || is.null(names(result))) {
    return(invisible())
  }
  known <- result[!is.na(result)]
  if (length(result) > 1L && length(unique(known)) < 2L) {
    warn_scores(
      "all scores are {if (length(known) > 0L) 'equal' else 'missing'}: no
       feature is taken."
    )
  } else {
    warn_order(order_agreement(known, x, y))
  }
}

# `agreement`: as order_agreement() returns it.
warn_order <- function(agreement) {
  if (agreement[["scores"]] < -agreement[["chance"]]) {
    warn_scores(c(
      "the largest scores are taken as best, and features that hardly differ
       between the classes have the largest, as if these were p-values.",
      i = "If the smallest are best, return {.code -result}."
    ))
  } else if (agreement[["sizes"]] >
    max(agreement[["chance"]], agreement[["scores"]] + 0.5)) {
    warn_scores(c(
      "the largest scores are taken as best, and features with large negative
       scores differ between the classes as much, as if the sign were that of
       the difference: they come last.",
      i = "If the sign says only which class is higher, return
           {.code abs(result)}."
    ))
  }
}

warn_scores <- function(message) {
  warn(message, "hitmiss_warning_scores", envir = parent.frame())
}

# Returns how well the order of the scores, and that of their sizes without
# their signs, agrees with the order of the features by the share of variance
# between the classes, from -1 to 1, and what independent orders reach by
# chance (three standard errors). It is 0 where it cannot be known.
order_agreement <- function(scores, x, y) {
  scores <- scores[spaced(seq_along(scores), 200L)]
  at <- match(names(scores), colnames(x))
  m <- length(scores)
  if (m < 8L || anyNA(at) || !is.factor(y)) {
    return(c(scores = 0, sizes = 0, chance = 1))
  }
  values <- x[!is.na(y), at, drop = FALSE]
  if (is.data.frame(values)) values <- data.matrix(values)
  share <- between_share(as.matrix(values), y[!is.na(y)])
  order <- function(v) sign(outer(v, v, "-"))
  agreement <- function(v) {
    agree <- order(v) * order(share)
    agree <- agree[!is.na(agree) & agree != 0]
    if (length(agree) > 0L) mean(agree) else 0
  }
  c(
    scores = agreement(scores), sizes = agreement(abs(scores)),
    chance = max(0.5, 3 * sqrt(2 * (2 * m + 5) / (9 * m * (m - 1))))
  )
}

# Returns for each feature the share of the variance that lies between the
# classes.
between_share <- function(values, y) {
  n <- tabulate(y, nlevels(y))
  centred <- sweep(values, 2L, colMeans(values))
  means <- rowsum(centred, as.integer(y)) / n[n > 0L]
  colSums(means^2 * n[n > 0L]) / colSums(centred^2)
}
