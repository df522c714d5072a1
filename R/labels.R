# Layer: input. Class labels of the samples are checked here and become a
# factor.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A factor without unused levels
#' @param partly Does NA mark samples of unknown class?
#' @noRd
as_labels <- function(y, samples, arg, partly = FALSE) {
  check_text(if (is.factor(y)) levels(y) else as.character(y), arg, "labels")
  labels <- label_factor(y, arg)
  # Labels are compared without case and outer spaces, to find those that differ
  # in nothing else.
  words <- tolower(gsub("^\\s+|\\s+$", "", levels(labels)))
  check_known_labels(labels, words, samples, arg, partly)
  if (nlevels(labels) < 2L) {
    found <- levels(labels)
    abort_input(c(
      "{.arg {arg}} must name at least two classes; it has
       {length(found)}: {.val {found}}.",
      i = "Selection needs near misses, samples of another class."
    ), arg)
  }
  if (anyDuplicated(words) > 0L) {
    alike <- levels(labels)[words %in% words[duplicated(words)]]
    inform(
      c(
        "Labels of {.arg {arg}} that differ only in case or spaces are treated
         as different classes: {.val {alike}}.",
        i = "If they mean one class, make them equal first, as in
             {.code tolower(trimws({arg}))}."
      ),
      "hitmiss_message_labels"
    )
  }
  # An unknown or missing part may be a class, and empty labels are refused.
  # Where paste() meets a missing factor value, it makes "NA" or "<NA>".
  inform_missing_text(labels, arg, \(text) trimws(text) %in% c("NA", "<NA>"))
  labels
}

# Stops with an error if a label is missing (NA, unless `partly`) or blank
# (nothing but spaces).
check_known_labels <- function(labels, words, samples, arg, partly) {
  blank <- words == ""
  if (!any(blank) && (partly || !anyNA(labels))) {
    return(invisible())
  }
  bad <- blank[labels]
  bad <- which(if (partly) bad else bad | is.na(labels))
  if (length(bad) > 0L) {
    kind <- if (anyNA(labels[bad])) "missing" else "blank"
    first <- position("sample", bad[[1L]], samples)
    abort_input(c(
      "{.arg {arg}} has {length(bad)} {kind} {cli::qty(length(bad))}label{?s};
       the first belongs to {first}.",
      i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out, or
           call {.fn kbfs} itself, where NA marks an unlabelled sample."
    ), arg, row = bad[[1L]])
  }
}

#' Refuse values whose names say that they are not in the order of the samples
#'
#' Labels, groups and all else that is given for each sample are matched to the
#' samples by position. If their names are those of the samples in another
#' order, or those of the features, the result would be wrong, and nothing would
#' show it. So it would if some names are those of samples and others are not.
#' Names of anything else mean nothing.
#' @param names,samples,features Names of the values, of the samples and of the
#'   features, or NULL.
#' @param of,what What holds the samples, and what they are.
#' @param order Code that gives the names of the samples, or NULL.
#' @param remedy What to do about names in another order.
#' @noRd
check_sample_names <- function(names, samples, arg, features = NULL, of = "x",
                               what = "sample", order = NULL,
                               remedy = c(
                                 order_remedy(names, samples, arg, order),
                                 name_remedy(arg)
                               )) {
  if (length(names) > 0L && all(names %in% features) &&
    !any(names %in% samples)) {
    abort_input(c(
      "{.arg {of}} looks transposed: the names of {.arg {arg}} are those of its
       features.",
      i = "Samples go in rows: use {.code t({of})}.",
      i = name_remedy(arg)
    ), of)
  }
  wrong <- which(names %in% samples & names != samples)
  foreign <- which(nzchar(names) & !names %in% samples)
  remedy <- stats::setNames(remedy, rep("i", length(remedy)))
  if (length(wrong) > 0L) {
    at <- wrong[[1L]]
    abort_input(c(
      "{.arg {arg}} has the {what}s' names in another order than {.arg {of}}:
       number {at} belongs to {.val {names[[at]]}}, but {what} {at} is
       {.val {samples[[at]]}}.",
      remedy
    ), arg, row = at)
  }
  if (length(foreign) > 0L && any(names %in% samples)) {
    at <- foreign[[1L]]
    abort_input(c(
      "{.arg {arg}} has the names of some {what}s of {.arg {of}}, but number
       {at} is {.val {names[[at]]}}, and {.arg {of}} has no such {what}.",
      remedy
    ), arg, row = at)
  }
}

# Refuses values that are more or less than samples, or in another order.
check_matched <- function(values, n, samples, arg, features = NULL, of = "x",
                          order = NULL) {
  names <- names(values)
  if (length(values) != n) {
    abort_input(c(
      "{.arg {arg}} has {length(values)} value{?s}, but {.arg {of}} has {n}
       sample{?s}.",
      i = order_remedy(names, samples, arg, order)
    ), arg)
  }
  check_sample_names(names, samples, arg, features, of, order = order)
}

name_remedy <- function(arg) {
  paste0("If only the names are wrong, use {.code unname(", arg, ")}.")
}

# If the names of the values are those of the samples, this says how to put them
# in order.
order_remedy <- function(names, samples, arg, order) {
  if (!is.null(order) && !is.null(samples) && all(samples %in% names)) {
    paste0(
      "Put the values in the order of the samples: {.code ", arg, "[", order,
      "]}."
    )
  }
}

check_label_type <- function(y, arg) {
  refuse_survival(y, arg)
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
    i = if (inherits(y, "haven_labelled")) {
      "Some of its values have labels and others have none: use
       {.code haven::as_factor({arg})}."
    } else if (is.atomic(y) && length(y) > 0L && is.null(dim(y))) {
      "If its values name classes, use {.code factor({arg})}."
    },
    i = column_remedy(y, arg),
    i = if (is.numeric(y) && !is.object(y) && is.null(dim(y))) {
      "Features for a numeric outcome are ranked by
       {.code relief(x, {arg}, method = \"rrelieff\")}."
    }
  ), arg)
}

# A table in place of a vector: its only column, or survival times.
column_remedy <- function(y, arg) {
  if (length(dim(y)) != 2L || !ncol(y) %in% 1:2) {
    return(NULL)
  }
  columns <- sprintf(
    if (is.data.frame(y)) "%s[[%d]]" else "%s[, %d]", arg, seq_len(ncol(y))
  )
  if (ncol(y) == 1L) {
    return(paste0("Give its column: {.code ", columns, "}."))
  }
  # The time has more values than the event.
  values <- vapply(as.data.frame(y), \(v) length(unique(v)), 0L)
  times <- toString(columns[order(-values)])
  paste0("Of survival times, give {.code survival::Surv(", times, ")}.")
}

# Bytes that are no text cannot be shown, compared or matched by name, so they
# are refused.
check_text <- function(text, arg, what, of = arg) {
  broken <- which(!validEnc(text))
  if (length(broken) > 0L) {
    text_code <- sprintf("iconv(%s, \"latin1\", \"UTF-8\")", of)
    if (of != arg) text_code <- paste(of, "<-", text_code)
    abort_input(c(
      "{.arg {arg}} has {what} that are not valid text, such as
       {quoted(text[[broken[[1L]]]])}.",
      i = "Read the file with its encoding, or convert the text:
           {.code {text_code}}."
    ), arg)
  }
}

# Character labels are ordered byte by byte, so that the user's language does
# not matter.
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
#' @param end The end of its sentence, a cli template.
#' @noRd
warn_single_samples <- function(y, end = "sample: {?it has/they have} no near
                                hit, so only near misses count there.") {
  single <- levels(y)[tabulate(y, nlevels(y)) == 1L]
  if (length(single) > 0L) {
    warn(
      paste("{cli::qty(single)}class{?es} {.val {single}} {?has/have} a
             single", end), "hitmiss_warning_single", classes = single
    )
  }
}
