# Layer: input. Messages on data that are probably not what they seem. Each is
# one rule that a reader can check by hand, and names at most three examples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param plain Is `x` a plain matrix with samples in rows?
#' @noRd
inform_values <- function(problem, plain) {
  if (!problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  at <- looked_at(problem)
  values <- feature_values(problem, at)
  number <- !problem$features[at] %in% names(problem$levels)
  inform_counts(
    values[, number, drop = FALSE], problem$features_in,
    plain && !anyNA(problem$values)
  )
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
#' @param plain Is `x` a matrix of which code can make logarithms?
#' @noRd
inform_counts <- function(values, features_in, plain) {
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
  # Library sizes of 0 are refused.
  plain <- plain && (!counts || min(sums) > 0)
  code <- if (counts) {
    "edgeR::calcNormFactors(edgeR::DGEList(t(x)))"
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
    i = if (plain) {
      "Give logarithms, such as {.code {code}}."
    } else if (counts) {
      "Give logarithms of normalised counts, such as of counts per million plus
       1, as a matrix or an assay."
    } else {
      "Give logarithms of these values, as a matrix or an assay."
    }
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

# A design and an outcome have no missing values.
missing_cure <- function(arg) {
  paste0(
    "If it means missing, ",
    switch(arg,
      x = "make it NA (and see {.fn prepare_impute}) or ",
      newdata = "make it NA or "
    ),
    "leave these samples out."
  )
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
      i = missing_cure(arg)
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
      i = missing_cure(arg)
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
  if (problem$design$word != "sample" ||
    !problem$storage %in% c("dense", "sparse")) {
    return(invisible())
  }
  some <- spaced(seq_along(problem$features), 200L)
  values <- signif(feature_values(problem, some), 8L)
  known <- rowSums(!is.na(values)) > 0
  equal <- duplicated(values) | duplicated(values, fromLast = TRUE)
  copies <- which(equal & known)
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
# samples shares a value, or two in which none of at least twenty do. If all
# samples are equal, nothing varies.
tells_samples <- function(values) {
  values <- unique(values)
  n <- nrow(values)
  share <- apply(values, 2L, \(v) max(tabulate(match(v, v))))
  n > 1L && sum(share <= max(1, n / 5)) >= 10L ||
    n >= 20L && sum(share == 1L) >= 2L
}

# ---- samples that belong together --------------------------------------------

#' A message if columns or names of the samples repeat patients, and no group is
#' given
#'
#' @param table Columns that a container has for its samples, or NULL.
#' @noRd
inform_groups <- function(problem, table) {
  columns <- Filter(is_patient_column, colnames(table))
  values <- lapply(columns, \(name) plain_vector(table[[name]]))
  names <- problem$samples
  plain <- if (!is.null(names)) valid_text(names)
  values <- c(values, list(without_side(plain), without_ending(plain)))
  groups <- vapply(values, count_groups, 0L, n_classes = nlevels(problem$y))
  first <- match(TRUE, groups > 0L)
  if (is.na(first)) {
    return(invisible())
  }
  by <- c(sprintf("column %s", columns), rep("their names", 2L))[[first]]
  of <- values[[first]]
  alike <- which(of == of[duplicated(of) & !is.na(of)][[1L]])
  alike <- unique_names(names, length(of))[alike]
  inform(
    c(
      "The {length(of)} samples seem to be of {groups[[first]]} patients or
       other groups, by {by} ({listed(alike, 3L)} are of one), and no
       {.arg group} is given: they are split or permuted as if each were
       independent, so errors are too small and noise looks real.",
      i = "Give {.arg group}, or {.arg pair} if each is a matched pair, such as
           tumour and normal of one patient. If all samples are independent,
           nothing is wrong."
    ),
    "hitmiss_message_group"
  )
}

# Returns 0 if no value repeats, or if there are no more values than classes:
# then they are the classes.
count_groups <- function(values, n_classes) {
  values <- if (is.atomic(values)) as.character(values)
  values <- values[!is.na(values)]
  n <- length(unique(values))
  if (n == length(values) || n <= n_classes) 0L else n
}

# Leaves what names of samples of one patient share: P01_T and P01_N, P01T and
# P01N, pat1.tumor and pat1.normal, P01_rep1, and the patient of a TCGA barcode.
without_side <- function(names) {
  side <- "t|n|tumou?r|normal|pre|post|before|after|case|ctrl|control"
  side <- sprintf("[._ -](%s|rep[._-]?[0-9]+)$", side)
  names <- sub("^(TCGA-..-....).*", "\\1", names)
  sub("([0-9])[TN]$", "\\1", sub(side, "", names, ignore.case = TRUE))
}

# Leaves what P01_1 and P01_2, P01a and P01b, P01 and P01-2 share; NULL unless
# there are at least ten such names with a number, most of them with several of
# at most four endings: tumor_1 to tumor_20, or s1 to s60 of several batches,
# are no patients.
without_ending <- function(names) {
  root <- sub("[._ -][[:alnum:]]{1,3}$|[A-Za-z]$", "", names)
  n <- length(unique(root))
  endings <- unique(substring(names, nchar(root) + 1L))
  if (n >= 10L && n < 0.6 * length(names) && length(endings) <= 4L &&
    all(grepl("[0-9]", root))) {
    root
  }
}

# ---- samples that decide alone -----------------------------------------------

#' A message if a tenth of the samples (of each class), or fewer, fill more than
#' half of the places among the neighbours
#'
#' @param times In how many lists of neighbours each sample is.
#' @param class Of each sample, or NULL.
#' @noRd
inform_hubs <- function(times, class, names) {
  order <- order(-times)
  share <- cumsum(times[order]) / max(1, sum(times))
  most <- order[seq_len(sum(share <= 0.5) + 1L)]
  class <- as.integer(class %||% rep(1L, length(times)))
  few <- tabulate(class[most], max(class)) <= 0.1 * tabulate(class)
  if (sum(times) > 0 && all(few)) {
    inform(
      c(
        "{length(most)} of {length(times)} samples
         {cli::qty(length(most))}{?is/are} more than half of all neighbours, and
         so decide{?s/} the scores: {listed(names[most], 3L)}.",
        i = "Most often such samples have few nonzero values. Leave them out if
             their quality is low."
      ),
      "hitmiss_message_hubs"
    )
  }
}

# ---- features made from the outcome ------------------------------------------

#' A message on features that tell the outcome, or a part of it, without error
#'
#' @param leaks list(at: their positions, what: part of the outcome).
#' @noRd
inform_leakage <- function(leaks, features) {
  at <- leaks$at
  if (length(at) > 0L) {
    inform(
      c(
        "{length(at)} feature{?s} alone {?tells/tell} {leaks$what}{.arg y}
         without error: {listed(features[at], 3L)}.",
        i = "If {cli::qty(length(at))}{?it was/they were} made from {.arg y},
             leave {?it/them} out: scores and errors with {?it/them} are
             meaningless."
      ),
      "hitmiss_message_leakage"
    )
  }
}

# Returns which features are the survival times or their status, in any unit; of
# times also logarithms and ranks. The best hundred are looked at: farther down,
# a feature does no harm.
time_leaks <- function(problem, preprocess, ranking) {
  at <- utils::head(ranking, 100L)
  values <- feature_values(problem, at)
  y <- times_of(problem$y)
  with <- function(part, ...) {
    as.vector(stats::cor(values, as.double(part), use = "pairwise", ...))
  }
  r <- suppressWarnings(abs(cbind(
    with(y$event), with(y$time), with(y$time, method = "spearman")
  )))
  found <- rowSums(r > 0.999, na.rm = TRUE) > 0 & colSums(!is.na(values)) >= 10
  list(at = at[found], what = "the times or the status of ")
}

# Returns the features with one value for each class. Where most features have
# no more values than there are classes, some are so by chance if samples are
# few.
class_leaks <- function(problem, preprocess, ranking) {
  means <- preprocess$class_means
  # What rounding leaves of equal values is no spread.
  same <- preprocess$class_spread <= 1e-12 * rowSums(abs(means))
  at <- which(same & !preprocess$constant)
  at <- at[apply(signif(means[at, , drop = FALSE], 8L), 1L, anyDuplicated) == 0]
  if (length(at) > 0L && length(problem$y) < 30L) {
    some <- feature_values(problem, spaced(seq_along(problem$features), 200L))
    n <- apply(some, 2L, \(v) length(unique(v)))
    if (mean(n <= nlevels(problem$y)) > 0.5) at <- integer()
  }
  list(at = at)
}
