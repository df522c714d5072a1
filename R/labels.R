# Layer: input. Labels of the samples, and designs: which may be compared.
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- class labels and numeric outcomes ---------------------------------------

#' @param y factor, character or logical; one label per sample.
#' @param outcome "classes"; "partly": NA marks a sample of unknown class;
#'   "numeric": a number for each sample.
#' @param samples Names of the samples, or NULL.
#' @param order Code that gives the names of the samples, for error messages.
#' @noRd
as_labels <- function(y, n_samples, outcome = "classes", samples = NULL,
                      arg = "y", order = "rownames(x)") {
  y <- plain_vector(force_given(y, arg))
  if (outcome == "numeric") {
    check_numeric_outcome(y, arg)
  } else {
    check_label_type(y, arg)
  }
  named <- !is.null(samples) && all(samples %in% names(y))
  remedy <- if (named) {
    "Put the labels in the order of the samples: {.code {arg}[{order}]}."
  }
  if (length(y) != n_samples) {
    abort_input(c(
      "{.arg {arg}} has {length(y)} label{?s}, but {.arg x} has {n_samples}
       sample{?s}.",
      i = remedy
    ), arg)
  }
  check_label_order(names(y), samples, remedy, arg, order)
  # Those of permuted labels would contradict the samples.
  names(y) <- NULL
  if (outcome == "numeric") {
    return(finite_outcome(y, arg))
  }
  check_text(if (is.factor(y)) levels(y) else as.character(y), arg, "labels")
  labels <- label_factor(y, arg)
  # As a person reads them.
  words <- tolower(gsub("^\\s+|\\s+$", "", levels(labels)))
  check_known_labels(labels, words, samples, outcome, arg)
  if (nlevels(labels) < 2L) {
    found <- levels(labels)
    abort_input(c(
      "{.arg {arg}} must name at least two classes; it has
       {length(found)}: {.val {found}}.",
      i = "Selection needs near misses, samples of another class."
    ), arg)
  }
  inform_alike(levels(labels), words, arg)
  labels
}

# Which samples have no label: NA, or nothing but spaces.
check_known_labels <- function(labels, words, samples, outcome, arg) {
  blank <- words == ""
  if (!any(blank) && (outcome == "partly" || !anyNA(labels))) {
    return(invisible())
  }
  bad <- blank[labels]
  bad <- which(if (outcome == "partly") bad else bad | is.na(labels))
  if (length(bad) > 0L) {
    kind <- if (anyNA(labels[bad])) "missing" else "blank"
    first <- position("sample", bad[[1L]], samples)
    abort_input(c(
      "{.arg {arg}} has {length(bad)} {kind} {cli::qty(length(bad))}label{?s};
       the first belongs to {first}.",
      i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out, or
           use {.fn kbfs}, where NA marks an unlabelled sample."
    ), arg, row = bad[[1L]])
  }
}

inform_alike <- function(levels, words, arg) {
  if (anyDuplicated(words) > 0L) {
    alike <- levels[words %in% words[duplicated(words)]]
    inform(
      c(
        "{.arg {arg}} has labels that differ only in case or in spaces, and name
         a class each: {.val {alike}}.",
        i = "If they mean one class, make them equal first, as in
             {.code tolower(trimws({arg}))}."
      ),
      "hitmiss_message_labels"
    )
  }
}

# Labels count by their place. Names that say otherwise are a mistake that no
# result would show; names of anything else mean nothing.
check_label_order <- function(names, samples, remedy, arg, order) {
  if (is.null(names) || is.null(samples)) {
    return(invisible())
  }
  wrong <- which(names %in% samples & names != samples)
  if (length(wrong) > 0L) {
    at <- wrong[[1L]]
    abort_input(c(
      "{.arg {arg}} has the samples' names in another order than {.arg x}: label
       {at} belongs to {.val {names[[at]]}}, but sample {at} is
       {.val {samples[[at]]}}.",
      i = remedy,
      i = "If the labels are in order and their names are wrong, use
           {.code unname({arg})}."
    ), arg, row = at)
  }
}

check_label_type <- function(y, arg) {
  if (is.factor(y)) {
    return(check_factor(y, arg))
  }
  if ((is.character(y) || is.logical(y)) && !is.object(y) &&
    length(dim(y)) < 2L) {
    return(invisible())
  }
  abort_input(c(
    "{.arg {arg}} must be a factor, character or logical vector, not
     {describe(y)}.",
    i = if (inherits(y, "Surv")) {
      "Make classes of survival times, such as an event within five years or
       none, of the samples that were followed so long."
    } else if (inherits(y, "haven_labelled")) {
      "Some of its values have labels and others have none: use
       {.code haven::as_factor()}."
    } else if (is.atomic(y) && length(y) > 0L && is.null(dim(y))) {
      "If its values name classes, use {.code factor({arg})}."
    },
    i = if (is.numeric(y) && !is.object(y)) {
      "Features for a numeric outcome are ranked by
       {.code relief(method = \"rrelieff\")}."
    }
  ), arg)
}

# Bytes that are no text cannot be shown, compared or matched by name.
check_text <- function(text, arg, what) {
  broken <- which(!validEnc(text))
  if (length(broken) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {what} that are not valid text, such as
       {quoted(text[[broken[[1L]]]])}.",
      i = "Read the file with its encoding, as in
           {.code fileEncoding = \"latin1\"}."
    ), arg)
  }
}

# Character labels are ordered byte by byte, not by the user's language.
label_factor <- function(y, arg) {
  if (identical(class(y), "factor") && !anyNA(levels(y)) &&
    all(tabulate(y, nlevels(y)) > 0L)) {
    return(structure(as.integer(y), levels = levels(y), class = "factor"))
  }
  if (!is.factor(y)) {
    y <- enc2utf8(as.character(y))
    return(factor(y, levels = sort(unique(y[!is.na(y)]), method = "radix")))
  }
  if (is.ordered(y)) {
    inform(
      "{.arg {arg}} is an ordered factor; the order of its levels is not used.",
      "hitmiss_message_ordered"
    )
  }
  # A level NA marks samples without a label.
  known <- levels(y)[!is.na(levels(y))]
  unused <- setdiff(known, as.character(y))
  if (length(unused) > 0L) {
    warn(
      c(
        "{.arg {arg}} has {length(unused)} level{?s} without samples, which
         {?is/are} dropped: {.val {unused}}.",
        i = "{.code droplevels({arg})} does so silently."
      ),
      "hitmiss_warning_levels",
      levels = unused
    )
  }
  factor(as.character(y), levels = setdiff(known, unused))
}

#' One warning that names the classes that have a single sample
#' @noRd
warn_single_samples <- function(y) {
  single <- levels(y)[tabulate(y, nlevels(y)) == 1L]
  if (length(single) > 0L) {
    warn(
      "{cli::qty(length(single))}class{?es} {.val {single}} {?has/have} a single
       sample: {?it has/they have} no near hit, so only near misses count
       there.",
      "hitmiss_warning_single",
      classes = single
    )
  }
}

check_numeric_outcome <- function(y, arg) {
  if (!is.numeric(y) || is.object(y) || !is.null(dim(y))) {
    abort_input(c(
      "{.arg {arg}} must be a numeric vector for method {.val rrelieff}, not
       {describe(y)}.",
      i = "Other methods of {.fn relief} take class labels."
    ), arg)
  }
}

finite_outcome <- function(y, arg) {
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
  as.double(y)
}

# ---- designs -----------------------------------------------------------------

#' A problem with its blocks and groups
#'
#' Adds the fields `block` and `group`, integer codes, where they are given.
#' Warns about samples that cannot be compared with any sample of another class,
#' and so do not count. Fails if no sample is left.
#' @param x What the problem was made from, for columns of a container.
#' @param block,group,pair One value per sample, the name of a column, or NULL.
#' @param by_sample Does the method sum over samples? Otherwise it sums over
#'   pairs, and a sample without a miss still counts through its hits.
#' @noRd
with_design <- function(problem, x, block = NULL, group = NULL, pair = NULL,
                        by_sample = TRUE) {
  block <- force_given(block, "block")
  group <- force_given(group, "group")
  pair <- force_given(pair, "pair")
  if (!is.null(pair)) {
    return(with_pairs(problem, x, pair, block, group))
  }
  problem$block <- design_codes(problem, x, block, "block")
  problem$group <- design_codes(problem, x, group, "group")
  if (!is.null(problem$block) || !is.null(problem$group)) {
    check_comparable(problem, by_sample)
  }
  problem
}

#' What a fit keeps of a design: the numbers of blocks, groups and pairs
#' @noRd
design_sizes <- function(problem) {
  count <- function(codes) if (!is.null(codes)) length(unique(codes))
  if (!is.null(problem$pair)) {
    return(list(pair = count(problem$pair)))
  }
  list(block = count(problem$block), group = count(problem$group))
}

design_line <- function(parameters) {
  number <- parameters[c("pair", "block", "group")]
  words <- c(
    "differences from the mean of each of %d pairs",
    "samples of different blocks not compared (%d blocks)",
    "samples of one group not compared (%d groups)"
  )
  given <- !vapply(number, is.null, NA)
  if (any(given)) toString(sprintf(words[given], unlist(number)))
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
    is.raw(values) || length(values) != n) {
    abort_input(
      "{.arg {arg}} must be a vector with one value for each of the {n}
       sample{?s} of {.arg x}, not {describe(values)}.", arg
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

#' The column of a container that `y` (or another argument) names, or `y` itself
#' @noRd
container_labels <- function(y, columns, where, arg = "y") {
  if (!is.character(y) || length(y) != 1L || is.na(y)) {
    return(y)
  }
  found <- colnames(columns)
  if (!y %in% found) {
    meant <- similar_name(y, found)
    abort_input(c(
      "{.code {where}} has no column named {.val {y}}, which {.arg {arg}}
       names.",
      i = if (is.null(meant)) {
        "Its columns are {.val {found}}. Or give a vector of values, one for
         each sample."
      } else {
        "Did you mean {.val {meant}}?"
      }
    ), arg)
  }
  if (sum(found == y) > 1L) {
    abort_input(
      "{.code {where}} has several columns called {.val {y}}.", arg
    )
  }
  columns[[y]]
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
      i = "Blocks are batches. For matched pairs, such as tumour and normal of
           one patient, give {.arg pair} in its place."
    ), "block")
  }
}
