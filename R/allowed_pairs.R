# Layer: input. Which samples a design lets be compared, and whether that is
# enough.
# SPDX-License-Identifier: GPL-3.0-or-later

# These count the allowed near misses and near hits of every sample.
allowed_misses <- function(problem) {
  count_allowed(problem) - allowed_hits(problem)
}

allowed_hits <- function(problem) count_allowed(problem, addNA(problem$y))

# Which samples have a margin: they have a near miss and, if `hits`, a near hit.
counted_samples <- function(problem, hits) {
  allowed_misses(problem) > 0L & (!hits | allowed_hits(problem) > 0L)
}

# Counts the labelled samples with which every sample may be compared: all of
# them, or those of its own `kind`.
count_allowed <- function(problem, kind = rep(1L, length(problem$y))) {
  counted <- !is.na(problem$y)
  # Only combinations that there are get a number: of all of them there may be
  # as many as the square of the samples.
  numbered <- function(v) match(v, unique(v))
  pairs_with <- function(...) {
    cell <- Reduce(function(a, b) {
      numbered(a * (length(b) + 1) + b)
    }, lapply(list(...), numbered))
    tabulate(cell[counted], max(cell))[cell]
  }
  block <- problem$block %||% rep(1L, length(problem$y))
  group <- problem$group %||% seq_along(problem$y)
  pairs_with(block, kind) - pairs_with(block, group, kind)
}

check_comparable <- function(problem, given, by_sample, hits) {
  misses <- allowed_misses(problem)
  without <- which(!is.na(problem$y) & misses == 0L)
  if (length(without) == sum(!is.na(problem$y))) {
    abort_input(c(
      "{.arg {given}} {?allows/allow} no pair of samples of different classes.",
      i = "A {.arg block} must hold several classes, and a class several values
           of {.arg group}."
    ), given[[1L]])
  }
  check_hits(problem)
  if (hits) {
    # A class of a single sample has a warning of its own.
    counted <- counted_samples(problem, hits)
    if (!any(counted)) {
      abort_input(
        "{.arg {given}} {?allows/allow} no sample to be compared both with its
         own and with another class.", given[[1L]]
      )
    }
    several <- table(problem$y)[problem$y] > 1L
    without <- which(!is.na(problem$y) & !counted & (misses == 0L | several))
  }
  if (by_sample && length(without) > 0L) {
    warn(
      c(
        paste(
          "{length(without)} sample{?s} may not be compared with",
          if (hits) "both {?its/their} own and another" else "any of another",
          "class and {cli::qty(length(without))}{?does/do} not count; the first
           is sample {without[[1L]]}."
        ),
        i = "See {.arg {given}}: samples are compared only within a block, and
             never within a group."
      ),
      "hitmiss_warning_alone",
      samples = without
    )
  }
}

# Without classes any other sample is a neighbour, as if each were a class of
# its own.
without_classes <- function(problem) {
  problem$y <- factor(seq_along(problem$y))
  problem
}

#' Refuse a design that leaves a class without near hits
#'
#' A group for each class compares two people, not two classes, and a block that
#' is a matched pair holds no two samples of one class: rankings would be those
#' of noise. A class of a single sample has a warning of its own.
#' @noRd
check_hits <- function(problem) {
  share <- function(part) {
    has <- allowed_hits(problem[intersect(names(problem), c("y", part))]) > 0L
    vapply(split(has, problem$y), mean, 0)[table(problem$y) > 1L]
  }
  poor <- names(which(share("group") == 0))
  if (length(poor) > 0L) {
    abort_input(c(
      "{.arg group} is the same for all samples of
       {cli::qty(poor)}class{?es} {.val {poor}}: without samples of other groups
       {?it has/they have} no near hit, and differences between the classes are
       those between single groups.",
      i = "Every class needs samples of at least two groups."
    ), "group")
  }
  poor <- names(which(share("block") < 0.5))
  if (length(poor) > 0L) {
    abort_input(c(
      "{.arg block} leaves most samples of {cli::qty(poor)}class{?es}
       {.val {poor}} without another sample of their class in the same block:
       without near hits features are ranked by noise.",
      i = "Blocks are batches. For matched pairs, such as tumour and normal of
           one patient, give {.arg pair} in its place."
    ), "block")
  }
}
