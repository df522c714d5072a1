# Class labels: from what the user has to a factor without unused levels.

#' @param y factor, character or logical; one label per sample.
#' @param allow_unlabelled May NA mark a sample of unknown class?
#' @noRd
as_labels <- function(y, n_samples, allow_unlabelled = FALSE, arg = "y") {
  check_label_type(y, arg)
  if (length(y) != n_samples) {
    abort_input(
      "{.arg {arg}} has {length(y)} label{?s}, but {.arg x} has {n_samples}
       sample{?s}.", arg
    )
  }
  check_text(if (is.factor(y)) levels(y) else as.character(y), arg, "labels")
  labels <- label_factor(y, arg)
  if (anyNA(labels) && !allow_unlabelled) {
    missing <- which(is.na(labels))
    abort_input(c(
      "{.arg {arg}} has {length(missing)} missing label{?s}; the first belongs
       to sample {missing[[1L]]}.",
      i = "Leave {cli::qty(length(missing))}{?this sample/these samples} out, or
           use {.fn kbfs}, where NA marks an unlabelled sample."
    ), arg, row = missing[[1L]])
  }
  if (nlevels(labels) < 2L) {
    found <- levels(labels)
    abort_input(c(
      "{.arg {arg}} must name at least two classes; it has
       {length(found)}: {.val {found}}.",
      i = "Selection needs near misses, samples of another class."
    ), arg)
  }
  labels
}

check_label_type <- function(y, arg) {
  if (is.numeric(y) && !is.factor(y)) {
    abort_input(c(
      "{.arg {arg}} is numeric; class labels must be a factor, character or
       logical vector.",
      i = "If the numbers name classes, use {.code factor({arg})}."
    ), arg)
  }
  if (!(is.factor(y) || is.character(y) || is.logical(y)) ||
    !is.null(dim(y))) {
    abort_input(
      "{.arg {arg}} must be a factor, character or logical vector, not
       {describe(y)}.", arg
    )
  }
}

# Bytes that are no text cannot be shown, compared or matched by name.
check_text <- function(text, arg, what) {
  broken <- which(!validEnc(text))
  if (length(broken) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {what} that are not valid text, such as
       {quoted(text[[broken[[1L]]]])}.",
      i = "Read the file with its encoding, as in {.code fileEncoding = \"latin1\"}."
    ), arg)
  }
}

# Character labels are ordered byte by byte, not by the user's language.
label_factor <- function(y, arg) {
  if (!is.factor(y)) {
    return(factor(y, levels = sort(unique(y[!is.na(y)]), method = "radix")))
  }
  unused <- setdiff(levels(y), as.character(y))
  if (length(unused) > 0L) {
    warn(
      "{.arg {arg}} has {length(unused)} level{?s} without samples, which
       {?is/are} dropped: {.val {unused}}.",
      "hitmiss_warning_levels",
      levels = unused
    )
  }
  factor(y, levels = setdiff(levels(y), unused), ordered = FALSE)
}

#' One warning that names the classes that have a single sample
#' @noRd
warn_single_samples <- function(y) {
  single <- levels(y)[tabulate(y, nlevels(y)) == 1L]
  if (length(single) > 0L) {
    warn(
      "{cli::qty(length(single))}class{?es} {.val {single}} {?has/have} a single
       sample: {?it has/they have} no near hit, so only near misses count there.",
      "hitmiss_warning_single",
      classes = single
    )
  }
}
