# Class labels: from what the user has to a factor without unused levels.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param y factor, character or logical; one label per sample.
#' @param outcome "classes"; "partly": NA marks a sample of unknown class;
#'   "numeric": a number for each sample.
#' @param samples Names of the samples, or NULL.
#' @param order Code that gives the names of the samples, for error messages.
#' @noRd
as_labels <- function(y, n_samples, outcome = "classes", samples = NULL,
                      arg = "y", order = "rownames(x)") {
  y <- plain_vector(y)
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
  check_known_labels(labels, samples, outcome, arg)
  if (nlevels(labels) < 2L) {
    found <- levels(labels)
    abort_input(c(
      "{.arg {arg}} must name at least two classes; it has
       {length(found)}: {.val {found}}.",
      i = "Selection needs near misses, samples of another class."
    ), arg)
  }
  inform_alike(levels(labels), arg)
  labels
}

# Which samples have no label: NA, or nothing but spaces.
check_known_labels <- function(labels, samples, outcome, arg) {
  blank <- !nzchar(trimws(levels(labels)))[labels]
  bad <- if (outcome == "partly") {
    which(blank)
  } else {
    which(is.na(labels) | blank)
  }
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

inform_alike <- function(levels, arg) {
  plain <- tolower(trimws(levels))
  alike <- levels[plain %in% plain[duplicated(plain)]]
  if (length(alike) > 0L) {
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
  if (inherits(y, "Surv")) {
    abort_input(c(
      "{.arg {arg}} holds survival times ({.cls Surv}), which are no class
       labels.",
      i = "Make classes of them, such as an event within five years or none, of
           the samples that were followed so long."
    ), arg)
  }
  if (is.factor(y)) check_factor(y, arg)
  if (is.object(y) && !is.factor(y) && is.atomic(y)) abort_label_class(y, arg)
  if (is.numeric(y) && !is.factor(y)) {
    abort_input(c(
      "{.arg {arg}} is numeric; class labels must be a factor, character or
       logical vector.",
      i = "If the numbers name classes, use {.code factor({arg})}.",
      i = "Features for a numeric outcome are ranked by
           {.code relief(method = \"rrelieff\")}."
    ), arg)
  }
  if (!(is.factor(y) || is.character(y) || is.logical(y)) ||
    length(dim(y)) > 1L) {
    abort_input(
      "{.arg {arg}} must be a factor, character or logical vector, not
       {describe(y)}.", arg
    )
  }
}

abort_label_class <- function(y, arg) {
  abort_input(c(
    "{.arg {arg}} must be a factor, character or logical vector, not
     {describe(y)}.",
    i = if (inherits(y, "haven_labelled")) {
      "Some of its values have labels and others have none: use
       {.code haven::as_factor()}."
    } else {
      "If its values name classes, use {.code factor(as.character({arg}))}."
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
      i = if (is.numeric(y) && is.object(y) && !is.factor(y)) {
        "Plain numbers are made by {.code as.numeric({arg})}."
      },
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
