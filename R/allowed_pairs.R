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
  # Without classes any other sample is a neighbour, as if each were a class of
  # its own.
  if (!is.factor(problem$y)) {
    problem$y <- factor(seq_along(problem$y))
  }
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
  told <- inform_few_misses(problem)
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
  invisible(told)
}

# Says which samples are nearly all near misses of the others, because their
# class lies mostly in other blocks. Returns whether there are such samples. A
# list of misses of a class is shared by those of the class in the block.
inform_few_misses <- function(problem) {
  if (is.null(problem$block)) {
    return(invisible(FALSE))
  }
  of <- problem[c("y", "block")]
  times <- ifelse(is.na(of$y), 0, allowed_misses(of) / (allowed_hits(of) + 1))
  most <- times >= stats::ave(times, of$y, FUN = max) / 2
  few <- names(Filter(function(its) {
    few_decide(its) && 2 * sum(its[its >= max(its) / 2]) > sum(its)
  }, split(times, of$y)))
  if (length(few) == 0L) {
    return(invisible(FALSE))
  }
  most <- which(most & of$y %in% few)
  n <- length(of$y)
  names <- (problem$samples %||% integer_text(seq_len(n)))[most]
  inform(
    c(
      "{length(most)} of {n} samples {cli::qty(length(most))}fill{?s/}
       {percent(sum(times[most]) / sum(times[of$y %in% few]))} of the places of
       near misses of {cli::qty(length(few))}class{?es} {.val {few}}, because
       {.arg block} leaves the others few of the class to be compared with:
       {listed(names, 12L)}. {cli::qty(length(most))}{?It decides/They decide}
       the scores.",
      i = "Where class and block nearly coincide, nothing tells their effects
           apart: each block should hold several samples of every class."
    ),
    "hitmiss_message_hubs"
  )
  invisible(TRUE)
}

# Of numbers of times that the samples of a class are listed.
few_decide <- function(times) {
  any(times > 0) && sum(times)^2 / sum(times^2) <
    0.1 * min(length(times), sum(times))
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
  poor <- if (!is.null(problem$group)) names(which(share("group") == 0))
  if (length(poor) > 0L) {
    abort_input(c(
      "{.arg group} is the same for all samples of
       {cli::qty(poor)}class{?es} {.val {poor}}: without samples of other groups
       {?it has/they have} no near hit, and differences between the classes are
       those between single groups.",
      i = "Every class needs samples of at least two groups."
    ), "group")
  }
  poor <- if (!is.null(problem$block)) names(which(share("block") < 0.5))
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
