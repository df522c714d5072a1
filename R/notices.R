# Layer: input. Messages on data that are probably not what they seem. Each is
# one rule that a reader can check by hand, and names at most three examples.
# SPDX-License-Identifier: GPL-3.0-or-later

inform_values <- function(problem) {
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  at <- looked_at(problem)
  values <- feature_values(problem, at)
  inform_counts(values, problem$features_in)
  inform_missing_numbers(values, "x", problem$features[at])
}

# Returns the features in which a look at values reads all samples: at most
# 1,000, and fewer of more than 1,000 samples.
looked_at <- function(problem) {
  n <- length(problem$y)
  spaced(seq_along(problem$features), max(50, min(1000, 1e6 %/% n)))
}

# ---- counts and intensities --------------------------------------------------

#' A message on values that are no logarithms
#'
#' At least 50 features are looked at, and the largest value is 20 or more. Of
#' counts, all are whole numbers, the sums of the samples differ by more than 2
#' times, and a fourth of the features are more than flags. In a matrix such
#' numbers may be grey levels, which end at 255, unless most are small: below a
#' 20th of the largest. Of intensities, most are small, the largest is above
#' 1,000, and a fourth of the features reach 20: not a few of another scale.
#' @param features_in Where `x` has them.
#' @noRd
inform_counts <- function(values, features_in) {
  largest <- max(values, 0, na.rm = TRUE)
  if (ncol(values) < 50L || largest < 20) {
    return(invisible())
  }
  values[is.na(values)] <- 0
  usual <- stats::median(abs(values))
  small <- 20 * usual <= largest
  highest <- apply(values, 2L, max)
  sums <- rowSums(values)
  counts <- (small || largest > 255 || features_in == "rows") &&
    min(values) >= 0 && max(sums) > 2 * min(sums) &&
    mean(highest > 1) >= 0.25 && all(values == floor(values))
  intensities <- small && largest > 1000 && mean(highest >= 20) >= 0.25
  if (!counts && !intensities) {
    return(invisible())
  }
  code <- if (counts) {
    x <- if (features_in == "rows") "x" else "t(x)"
    sprintf("edgeR::calcNormFactors(edgeR::DGEList(%s))", x)
  } else if (min(values) < 0) {
    "log2(pmax(x, 10))"
  } else {
    "log2(x + 1)"
  }
  inform(c(
    "{.arg x} looks like counts or intensities, which are no logarithms: values
     from {signif(min(values), 4)} to {thousands(largest)}, of which half are
     at most {signif(usual, 2)}. A few samples then decide what a feature
     shows.",
    i = "Give logarithms, such as {.code {code}}."
  ), "hitmiss_message_counts")
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
  coded <- which(colSums(array(values %in% missing_numbers, dim(values))) > 0)
  codes <- lapply(coded, \(j) numbers_for_missing(values[, j], known[, j]))
  names <- names[coded[lengths(codes) > 0L]]
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
  others <- known[!known %in% c(missing_numbers, NA)]
  if (length(others) < 2L) {
    return(numeric())
  }
  least <- min(others)
  most <- max(others)
  far <- 3 * (most - least)
  codes[far > 0 & (codes < least - far | codes > most + far)]
}

# ---- copies ------------------------------------------------------------------

#' A message on samples that are copies of others: held-out samples are then
#' known, and errors are too small
#' @noRd
inform_copies <- function(problem) {
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  some <- spaced(seq_along(problem$features), 200L)
  values <- signif(feature_values(problem, some), 8L)
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

# Are equal samples copies? Flags, and counts of which most are 0, may be equal
# by chance. So there must be ten features in which no fifth of the different
# samples shares a value, or two in which none of at least twenty do.
tells_samples <- function(values) {
  values <- unique(values)
  n <- nrow(values)
  share <- apply(values, 2L, \(v) max(tabulate(match(v, v))))
  sum(share <= max(1, n / 5)) >= 10L || n >= 20L && sum(share == 1L) >= 2L
}
