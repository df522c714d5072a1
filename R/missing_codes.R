# Layer: input. A message says if text and numbers may stand for missing values.
# SPDX-License-Identifier: GPL-3.0-or-later

missing_words <- c(
  "na", "nan", "null", "nil", "unknown", "unk", "missing", "undefined",
  "undetermined", "nodata", "notavailable", "notapplicable", "notevaluated",
  "notdetermined", "notknown", "notreported", "notrecorded", "notdone",
  "notmeasured", "nottested", "notspecified", "unspecified", "unclassified",
  "indeterminate", "inconclusive", "pending",
  "value", "num", "ref", "div0", # errors of spreadsheets, such as #VALUE!
  ""
)

# Texts are compared without spaces and signs, so that `[Not Available]`,
# `N.A.`, `#N/A` and `?` count too.
means_missing <- function(text) {
  signs <- "[][(){}<>#/.'\"_?!*:;,[:space:]-]+"
  tolower(gsub(signs, "", valid_text(text))) %in% missing_words
}

inform_codes <- function(message, envir = parent.frame()) {
  inform(message, "hitmiss_message_codes", envir = envir)
}

#' @param values Text or a factor, one for each sample.
#' @param what What one value is, such as "a class".
#' @noRd
inform_missing_text <- function(values, arg, what) {
  if (!is.character(values) && !is.factor(values)) {
    return(invisible())
  }
  words <- if (is.factor(values)) levels(values) else unique(values)
  words <- words[!is.na(words)]
  codes <- if (any(words %in% missing_numbers)) {
    numbers <- suppressWarnings(as.numeric(words))
    numbers_for_missing(numbers, c(numbers, 0, 1))
  }
  words <- words[means_missing(words) | words %in% codes]
  count <- sum(values %in% words)
  if (count > 0L && count < length(values)) {
    inform_codes(c(
      "{.arg {arg}} is {.val {words}} for {count} sample{?s}, which is taken as
       {what} like others.",
      i = "If it means missing, leave {cli::qty(count)}{?this sample/these
           samples} out."
    ))
  }
}

#' @param x A data.frame. @param columns Names of its categories.
#' @noRd
inform_missing_categories <- function(x, columns) {
  count <- vapply(columns, function(name) {
    sum(means_missing(as.character(x[[name]])), na.rm = TRUE)
  }, 0L)
  found <- columns[count > 0L]
  if (length(found) > 0L) {
    inform_codes(c(
      "{sum(count)} value{?s} of {cli::qty(found)}column{?s} {.val {found}} of
       {.arg x} {cli::qty(sum(count))}{?is/are} text that may mean missing, such
       as {.val NA} or {.val unknown}, and taken as others.",
      i = "If it does, make it NA and see {.fn prepare_impute}."
    ))
  }
}

missing_numbers <- c(
  9, 77, 88, 99, 777, 888, 999, 7777, 8888, 9999, 99999,
  -9, -77, -88, -99, -777, -888, -999, -7777, -8888, -9999, -99999
)

#' A message on numbers such as 999 among 0 and 1, or -9 among genotypes
#'
#' @param values Samples x features. @param names Of the features.
#' @param known Values of the same features among which a code is none: of new
#'   samples those of the training samples.
#' @noRd
inform_missing_numbers <- function(values, names, arg = "x", known = values) {
  code <- array(values %in% missing_numbers, dim(values))
  coded <- which(colSums(code) > 0)
  # Values span at least twice their mean distance from the mean, which leaves
  # few columns to look at one by one.
  others <- known[, coded, drop = FALSE]
  others[others %in% missing_numbers] <- NA
  center <- colMeans(others, na.rm = TRUE)
  away <- colMeans(abs(others - rep(center, each = nrow(others))), na.rm = TRUE)
  far <- abs(t(values[, coded, drop = FALSE]) - center) > 5 * away
  coded <- coded[which(rowSums(far & t(code[, coded, drop = FALSE])) > 0)]
  codes <- lapply(coded, \(j) numbers_for_missing(values[, j], known[, j]))
  names <- names[coded[lengths(codes) > 0L]]
  if (length(names) > 0L) {
    codes <- unlist(codes)
    inform_codes(c(
      "{length(codes)} value{?s} of {cli::qty(names)}column{?s} {.val {names}}
       of {.arg {arg}} {cli::qty(length(codes))}{?is/are} far from the others
       and may mean missing: {.val {unique(codes)}}.",
      i = "If they do, make them NA and see
           {.fn {if (arg == 'x') 'prepare_impute' else 'predict'}}."
    ))
  }
}

# Returns the codes that are farther from the known values than three times what
# these span. A single nine may be a count.
numbers_for_missing <- function(values, known = values) {
  known <- known[!is.na(known) & !known %in% missing_numbers]
  if (length(unique(known)) < 2L) {
    return(numeric())
  }
  ends <- range(known)
  codes <- values[values %in% missing_numbers]
  gap <- pmax(ends[[1L]] - codes, codes - ends[[2L]])
  found <- codes[gap > 3 * diff(ends)]
  if (all(found == 9) && length(found) < 3L) numeric() else found
}
