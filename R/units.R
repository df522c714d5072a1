# Layer: input. The design of samples, held once: which of them share a block,
# a group or a pair, and which are the independent units that are counted,
# permuted, kept together and averaged.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The design of some samples
#'
#' @param n Number of samples.
#' @param codes List of those of block, group and pair that were given: whole
#'   numbers from 1.
#' @param given The same as the user gave them.
#' @param name Name of the column that holds the units, or NULL.
#' @return list(block, group, pair: codes, if given; unit: the independent unit
#'   of each sample, its group, else its pair, else itself; word: what a unit
#'   is called; name; given).
#' @noRd
new_design <- function(n, codes = list(), given = list(), name = NULL) {
  own <- c(intersect(c("group", "pair"), names(codes)), "sample")[[1L]]
  c(codes, list(
    unit = codes[[own]] %||% seq_len(n), word = own, name = name, given = given
  ))
}

# Returns the design of the training samples of a fit, which keeps it only where
# something was given.
design_of <- function(fit) fit$design %||% new_design(fit$n_samples)

# Returns the design of some of the samples.
design_rows <- function(design, rows) {
  per_sample <- intersect(c("block", "group", "pair", "unit"), names(design))
  design[per_sample] <- lapply(design[per_sample], `[`, rows)
  design$given <- lapply(design$given, `[`, rows)
  design
}

n_units <- function(design) length(unique(design$unit))

# Returns the number of units, or NULL if each sample is one.
n_groups <- function(design) if (design$word != "sample") n_units(design)

# Returns the units of these samples, or NULL if each unit has one sample.
units_given <- function(design, samples = seq_along(design$unit)) {
  if (has_several(design)) design$unit[samples]
}

# Has some unit several samples?
has_several <- function(design) anyDuplicated(design$unit) > 0L

# Which samples are of no unit of the samples `rows`?
leave_out <- function(design, rows) !design$unit %in% design$unit[rows]

# ---- centred and permuted ----------------------------------------------------

# Returns the values less the means of their pairs, if there are pairs.
design_centre <- function(design, values) {
  if (is.null(design$pair)) values else centre_pairs(values, design$pair)
}

# Returns values less the means of the pairs, or blocks, with these `codes`.
# With `known`, the means are those of the values that are not missing;
# otherwise all values of a pair are missing where one is.
centre_pairs <- function(values, codes, known = FALSE) {
  codes <- match(codes, unique(codes))
  n <- if (known && anyNA(values)) {
    rowsum(0 + !is.na(values), codes, reorder = TRUE)
  } else {
    tabulate(codes)
  }
  means <- rowsum(values, codes, reorder = TRUE, na.rm = known) / n
  values - means[codes, , drop = FALSE]
}

# Returns the block of each sample; without blocks all are in one. Those that
# cross pairs separate no samples.
blocks_of <- function(design) {
  if (is.null(design$block) || !is.null(design$pair)) {
    rep(1L, length(design$unit))
  } else {
    design$block
  }
}

# Returns the rows whose labels the samples take. In pairs of any size labels
# stay within their pair, so that each keeps its classes.
permuted_labels <- function(problem, block = blocks_of(problem$design)) {
  if (!is.null(problem$design$pair)) {
    return(permuted_rows(problem$design$pair))
  }
  permuted_units(problem, block)
}

#' Rows in random order, so that nothing depends on the class any more
#'
#' Samples of one class of one unit stay together. Those of a unit with several
#' classes change places within the unit, because what such a unit has of its
#' own is in all its classes; whole units of one class change places within
#' their block, and so do all units where the outcome is no class.
#' @param block Codes of the samples.
#' @noRd
permuted_units <- function(problem, block = blocks_of(problem$design)) {
  cells <- unit_cells(problem)
  permuted_rows(ifelse(cells$mixed, max(block) + cells$unit, block), cells$cell)
}

# Returns for each sample the code of its unit, whether that has several
# classes, and the code of its unit and class; or of its unit, if that has one.
unit_cells <- function(problem) {
  unit <- match(problem$design$unit, unique(problem$design$unit))
  class <- kind_of(problem$y)$classes(problem$y)
  y <- as.integer(class %||% rep(1L, length(unit)))
  cell <- unit * (max(y) + 1) + y
  classes <- tabulate(unit[!duplicated(cell)])
  list(
    unit = unit, mixed = classes[unit] > 1L, cell = match(cell, unique(cell))
  )
}

# A few units have few orders, so that chance looks like rule.
check_permutable <- function(problem) {
  cells <- unit_cells(problem)
  mixed <- cells$mixed[!duplicated(cells$unit)]
  if (has_several(problem$design) && is.null(problem$design$pair) &&
    sum(mixed) < 5L && sum(!mixed) < 5L) {
    words <- unit_words(problem$design)
    abort_input(c(
      "{.arg group} has too few {words} to permute: {sum(mixed)} with several
       classes and {sum(!mixed)} with one.",
      i = "At least five of either kind are needed."
    ), "group")
  }
}

# ---- in words ----------------------------------------------------------------

# Words for those who may have several samples, and for several of them.
unit_nouns <- c(
  patient = "patients", subject = "subjects", donor = "donors",
  animal = "animals", individual = "individuals",
  participant = "participants", person = "persons", mouse = "mice"
)

# Finds columns such as patient, Patient_ID, donor.id, bcr_patient_barcode and
# SubjectName.
is_patient_column <- function(name) {
  grepl(paste0(
    "^(bcr)?(", paste(names(unit_nouns), collapse = "|"),
    ")s?(ids?|identifier|no|nr|num|number|code|name|barcode)?(ch)?$"
  ), letters_of(name))
}

letters_of <- function(name) gsub("[^a-z]", "", tolower(name))

# Returns what several units are called: by the name of their column, if that is
# a word for it, else "groups", "pairs" or "samples".
unit_words <- function(design) {
  if (length(design$name) == 0L || !is_patient_column(design$name)) {
    return(paste0(design$word, "s"))
  }
  in_name <- vapply(names(unit_nouns), grepl, NA, letters_of(design$name))
  unit_nouns[[which(in_name)[[1L]]]]
}

# Returns such words as "48 samples of 12 patients".
samples_words <- function(design, count = length(design$unit)) {
  words <- unit_words(design)
  paste0(
    count, " samples",
    if (design$word != "sample") paste(" of", n_units(design), words),
    if (words == "groups" && !is.null(design$name)) {
      sprintf(" (%s)", design$name)
    }
  )
}

# Returns words for within what classes are compared: list(difference, spread).
within_words <- function(design) {
  if (!is.null(design$pair)) {
    return(list(
      difference = " in the same pair", spread = "of differences in pairs"
    ))
  }
  in_block <- "block" %in% names(design)
  how <- c(
    if (in_block) " in the same block",
    if (has_several(design)) sprintf(" by %s", unit_words(design))
  )
  list(
    difference = paste0(c(
      how, if (length(how) > 0L) " (means are those of all samples)"
    ), collapse = ""),
    spread = paste0("within classes", if (in_block) " and blocks")
  )
}

# Says what the error of a fit of pairs is; NULL for other designs.
paired_line <- function(design, end = "") {
  if (!is.null(design$pair)) {
    paste0(
      "The error is that of saying which of two samples of one pair is which, ",
      "not that of a single new sample; for that give the pairs as `group`",
      end
    )
  }
}
