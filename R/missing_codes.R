# Layer: input. A message says if text and numbers may stand for missing values.
# SPDX-License-Identifier: GPL-3.0-or-later

missing_words <- c(
  "na", "n/a", "#n/a", "nan", "null", "nil", "unknown", "unk", "missing",
  "not available", "not known", "not reported", "not recorded", "undefined",
  "?", "-", "--", ".", ""
)

# Texts are compared as a person reads them, so that `[Not Available]` and
# `<NA>` count too.
means_missing <- function(text) {
  words <- tolower(gsub("^[[:space:]<([]+|[][:space:]>)]+$", "", text))
  words %in% missing_words
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
  words <- words[means_missing(words) & !is.na(words)]
  count <- sum(values %in% words)
  if (count > 0L) {
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
       as {.val NA} or {.val unknown}, and a category of
       {cli::qty(found)}{?its/their} own.",
      i = "If it does, make it NA and see {.fn prepare_impute}."
    ))
  }
}

missing_numbers <- c(
  9, 77, 88, 99, 777, 888, 999, 7777, 8888, 9999, 99999,
  -9, -77, -88, -99, -777, -888, -999, -7777, -8888, -9999, -99999
)

# Returns the codes that are farther from the other values than three times what
# these span. A single nine may be a count.
numbers_for_missing <- function(values) {
  code <- values %in% missing_numbers
  if (length(unique(values[!code])) < 2L) {
    return(numeric())
  }
  ends <- range(values[!code])
  gap <- pmax(ends[[1L]] - values, values - ends[[2L]])
  found <- values[code & gap > 3 * diff(ends)]
  if (all(found == 9) && length(found) < 3L) numeric() else found
}
