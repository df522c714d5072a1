# Layer: show. Numbers as an outcome: all that is different about them.
# SPDX-License-Identifier: GPL-3.0-or-later

# Integer codes with levels are class labels, even if the attribute "class" was
# lost.
kind_of.numeric <- function(y) {
  if (!is.null(attr(y, "levels"))) {
    return(kind_named("factor"))
  }
  list(
    name = "numeric", what = "numbers", said = "The outcome is numeric",
    check = check_numbers, read = function(y, samples, arg) {
      finite_numbers(y, arg)
    },
    at = function(y, rows) y[rows], classes = function(y) NULL,
    strata = function(y) factor(rep("all", length(y))), partly = FALSE,
    # ---- fits ----
    # Numbers need method "rrelieff" by name: they may be codes of classes, of
    # which the refusal by "relieff" tells.
    relief = "relieff", neighbours = outcome_neighbours,
    compared = without_classes, pairs = refuse_pairs, placed = identity,
    alone = function(...) NULL, leaks = function(...) NULL,
    # ---- predict() ----
    types = "response", weighted = FALSE, usual_votes = function(n) 5,
    votes = function(fit, times) c(response = 1L),
    nearest = function(..., times) list(response = cpp_nearest_mean(...)),
    answer = function(votes, ...) list(class = votes$response[, 1L]),
    constant = function(y, n, grid) list(class = rep(mean(y), n)),
    without = "the mean of all outcomes.",
    predicted = function(y, numbers) numbers, stated = identity,
    # ---- lists and prints ----
    direction = function(...) NULL,
    of_class = function(...) no_classes("class"),
    in_turn = function(...) no_classes("by"), signed = function(fit, positive) {
      abort_input(c(
        "{.arg signed} needs two classes, or survival times.",
        i = "The outcome is numeric."
      ), "signed")
    },
    legend = function(fit) NULL, words = function(fit) "numeric outcome",
    # ---- evaluations ----
    validate = function(...) {
      abort_input("{.fn validate} needs classes or survival times.", "x")
    }
  )
}

check_numbers <- function(y, arg) {
  refuse_survival(y, arg)
  if (!is.numeric(y) || is.object(y) || !is.null(dim(y))) {
    abort_input(c(
      "{.arg {arg}} must be a numeric vector for method {.val rrelieff}, not
       {describe(y)}.",
      i = column_remedy(y, arg) %||%
        "Other methods of {.fn relief} take class labels."
    ), arg)
  }
}

finite_numbers <- function(y, arg) {
  bad <- which(!is.finite(y))
  if (length(bad) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {length(bad)} value{?s} that {?is/are} not finite; the
       first belongs to sample {bad[[1L]]}.",
      i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out."
    ), arg, row = bad[[1L]])
  }
  if (min(y) == max(y)) {
    abort_input(
      "{.arg {arg}} has the same value for all samples: there is nothing to
       explain.", arg
    )
  }
  inform_missing_numbers(cbind(y), arg)
  as.double(y)
}
