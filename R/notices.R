# Layer: input. Messages on data that are probably not what they seem. Each is
# one rule that a reader can check by hand, and names at most three examples.
# SPDX-License-Identifier: GPL-3.0-or-later

# Returns the features in which a look at values reads all samples: at most
# 1,000, and fewer of more than 1,000 samples.
looked_at <- function(problem) {
  n <- length(problem$y)
  spaced(seq_along(problem$features), max(50, min(1000, 1e6 %/% n)))
}

# ---- codes for missing values ------------------------------------------------

missing_numbers <- c(-9, -99, -999, -9999, 99, 999, 9999)
missing_words <- c(
  "", "na", "n/a", "nan", "null", "unknown", "missing", "not available"
)

# Without case, outer spaces and brackets, as in `[Not Available]` and `<NA>`.
means_missing <- function(text) {
  tolower(trimws(gsub("[][<>]", "", valid_text(text)))) %in% missing_words
}

#' @param means Function: which texts mean missing?
#' @noRd
inform_missing_text <- function(text, arg, means = means_missing) {
  words <- as.character(unique(text))
  words <- words[means(words)]
  if (length(words) > 0L) {
    inform(c(
      "{.arg {arg}} has {.val {utils::head(words, 3L)}}, which is taken as a
       value like others.",
      i = "If it means missing, make it NA or leave these samples out."
    ), "hitmiss_message_codes")
  }
}

#' @param values Samples x features. @param names Of the features, or NULL.
#' @param known Values of the same features among which a code is none: of new
#'   samples those of the training samples.
#' @noRd
inform_missing_numbers <- function(values, arg, names = NULL, known = values) {
  # The ends of most data show that no code is among them.
  if (max(values, 0, na.rm = TRUE) < 99 && min(values, 0, na.rm = TRUE) > -9) {
    return(invisible())
  }
  codes <- lapply(seq_len(ncol(values)), function(j) {
    numbers_for_missing(values[, j], known[, j])
  })
  names <- names[lengths(codes) > 0L]
  codes <- unique(unlist(codes))
  if (length(codes) > 0L) {
    of <- if (is.null(names)) "" else paste(" of", listed(names, 3L))
    inform(c(
      "{.arg {arg}} has {listed(codes, 3L)}, far from all other values{of}.",
      i = "If it means missing, make it NA or leave these samples out."
    ), "hitmiss_message_codes")
  }
}

# Returns the codes that are farther from the other values than three times what
# these span.
numbers_for_missing <- function(values, known) {
  codes <- values[values %in% missing_numbers]
  others <- if (length(codes) > 0L) known[!known %in% c(missing_numbers, NA)]
  if (length(unique(others)) < 2L) {
    return(numeric())
  }
  ends <- range(others)
  codes[pmax(ends[[1L]] - codes, codes - ends[[2L]]) > 3 * diff(ends)]
}

# ---- copies ------------------------------------------------------------------

#' A message on samples that are copies of others: held-out samples are then
#' known, and errors are too small
#' @noRd
inform_copies <- function(problem) {
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  values <- signif(feature_values(problem, looked_at(problem)), 8L)
  copies <- which(duplicated(values) | duplicated(values, fromLast = TRUE))
  if (length(copies) > 0L && tells_samples(values)) {
    names <- unique_names(problem$samples, nrow(values))[copies]
    inform(c(
      "{length(copies)} samples of {.arg x} equal another one:
       {listed(names, 3L)}.",
      i = "If they are copies, give those of one sample one value of
           {.arg group}, or leave all but one out: errors of samples whose
           copies are known are too small."
    ), "hitmiss_message_group")
  }
}

# Are equal samples copies? They may be equal by chance, as flags or counts of
# which most are 0, unless in ten features most samples have a value of their
# own, or in two features all of twenty or more.
tells_samples <- function(values) {
  values <- unique(values)
  n <- nrow(values)
  levels <- apply(values, 2L, \(v) length(unique(v)))
  sum(2L * levels > n) >= 10L || n >= 20L && sum(levels == n) >= 2L
}
