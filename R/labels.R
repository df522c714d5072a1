# Layer: input. Labels, groups and all else that is given for each sample is
# matched to the samples here.
# SPDX-License-Identifier: GPL-3.0-or-later

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
