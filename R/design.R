# Designs: which pairs of samples are compared.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A problem with its blocks and groups
#'
#' Adds the fields `block` and `group`, integer codes, where they are given.
#' Warns about samples that cannot be compared with any sample of another class,
#' and so do not count. Fails if no sample is left.
#' @param x What the problem was made from, for columns of a container.
#' @param block,group One value per sample, the name of a column, or NULL.
#' @param by_sample Does the method sum over samples? Otherwise it sums over
#'   pairs, and a sample without a miss still counts through its hits.
#' @noRd
with_design <- function(problem, x, block = NULL, group = NULL,
                        by_sample = TRUE) {
  problem$block <- design_codes(problem, x, block, "block")
  problem$group <- design_codes(problem, x, group, "group")
  if (!is.null(problem$block) || !is.null(problem$group)) {
    check_comparable(problem, by_sample)
  }
  problem
}

#' What a fit keeps of a design: the numbers of blocks and groups
#' @noRd
design_sizes <- function(problem) {
  count <- function(codes) if (!is.null(codes)) length(unique(codes))
  list(block = count(problem$block), group = count(problem$group))
}

design_line <- function(parameters) {
  said <- c(
    if (!is.null(parameters$block)) {
      sprintf(
        "within %d block%s", parameters$block,
        if (parameters$block > 1L) "s" else ""
      )
    },
    if (!is.null(parameters$group)) {
      sprintf("between %d groups", parameters$group)
    }
  )
  if (length(said) > 0L) paste("samples compared", paste(said, collapse = ", "))
}

design_codes <- function(problem, x, values, arg) {
  if (!is.null(values)) {
    sample_codes(problem, design_column(values, x, arg), arg)
  }
}

sample_codes <- function(problem, values, arg) {
  n <- length(problem$y)
  values <- plain_vector(values)
  if (is.factor(values)) check_factor(values, arg)
  if (!is.atomic(values) || !is.null(dim(values)) || is.complex(values) ||
    is.raw(values)) {
    abort_input(
      "{.arg {arg}} must be a vector with one value for each sample, not
       {describe(values)}.", arg
    )
  }
  if (length(values) != n) {
    abort_input(
      "{.arg {arg}} has {length(values)} value{?s}, but {.arg x} has {n}
       sample{?s}.", arg
    )
  }
  check_label_order(names(values), problem$samples, NULL, arg)
  missing <- which(is.na(values))
  if (length(missing) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {length(missing)} missing value{?s}; the first belongs
       to sample {missing[[1L]]}.",
      i = "A sample of unknown {arg} cannot be compared: leave it out, or give
           it a {arg} of its own."
    ), arg, row = missing[[1L]])
  }
  match(values, unique(values))
}

# One text is the name of a column where samples have columns, as for `y`.
design_column <- function(values, x, arg) {
  table <- sample_table(x)
  if (is.null(table)) {
    values
  } else {
    container_labels(values, table$columns, table$where, arg)
  }
}

# The columns that a container has for its samples, or NULL.
sample_table <- function(x) {
  if (inherits(x, "SummarizedExperiment")) {
    list(columns = SummarizedExperiment::colData(x), where = "colData(x)")
  } else if (inherits(x, "ExpressionSet")) {
    list(columns = Biobase::pData(x), where = "pData(x)")
  } else if (inherits(x, "EList")) {
    list(columns = x[["targets"]], where = "x$targets")
  }
}

# Scores of the papers are defined without a design.
check_no_design <- function(given) {
  for (arg in intersect(c("block", "group"), given)) {
    abort_input(c(
      "{.arg {arg}} is not used by {.fn reference_scores}, whose scores treat
       all samples alike.",
      i = "Take the batch out of {.arg x} first, or use {.fn relief} with
           {.arg {arg}}."
    ), arg)
  }
}

# How many allowed near misses, and near hits, every sample has.
allowed_misses <- function(problem) {
  count_allowed(problem) - allowed_hits(problem)
}

allowed_hits <- function(problem) count_allowed(problem, addNA(problem$y))

# How many labelled samples every sample may be compared with: all of them, or
# those of its own `kind`.
count_allowed <- function(problem, kind = rep(1L, length(problem$y))) {
  counted <- !is.na(problem$y)
  pairs_with <- function(...) {
    cell <- interaction(..., drop = TRUE, lex.order = TRUE)
    tabulate(cell[counted], nlevels(cell))[cell]
  }
  block <- problem$block %||% rep(1L, length(problem$y))
  group <- problem$group %||% seq_along(problem$y)
  pairs_with(block, kind) - pairs_with(block, group, kind)
}

check_comparable <- function(problem, by_sample) {
  misses <- allowed_misses(problem)
  without <- which(!is.na(problem$y) & misses == 0L)
  given <- intersect(c("block", "group"), names(problem))
  if (length(without) == sum(!is.na(problem$y))) {
    abort_input(c(
      "{.arg {given}} {?allows/allow} no pair of samples of different classes.",
      i = "A {.arg block} must hold several classes, and a class several values
           of {.arg group}."
    ), given[[1L]])
  }
  check_hits(problem)
  if (by_sample && length(without) > 0L) {
    warn(
      c(
        "{length(without)} sample{?s} may not be compared with any of another
         class and {?does/do} not count; the first is sample {without[[1L]]}.",
        i = "See {.arg {given}}: samples are compared only within a block, and
             never within a group."
      ),
      "hitmiss_warning_alone",
      samples = without
    )
  }
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
      i = "Blocks are batches. A matched pair, such as tumour and normal of one
           patient, is no block."
    ), "block")
  }
}
