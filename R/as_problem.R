# Layer: input. The one gate: every container becomes the same plain list, or
# stops here.
#
# A problem is a list of class "hitmiss_problem":
#   values       matrix (double, integer or logical), untouched; or a dgCMatrix
#                with samples in rows; or blocks, see blocks.R
#   storage      "dense", "sparse" or "blocks"
#   features_in  "columns" (samples in rows) or "rows" (assays)
#   features     character, unique; samples: character or NULL
#   annotation   data.frame of the features, or NULL
#   assay        which assay of a container, with its name, or NULL
#   counts       TRUE if the values are those of a DGEList, names of the omics
#                whose values are, or NULL
#   y            as the kind of outcome says: a factor without unused levels, NA
#                only if `outcome` is "partly"; numbers; a Surv
#   ranks        levels of the ordered factors, whose values are ranks; or NULL
#   ordered      TRUE if the outcome is an ordered factor, else NULL
#   block, group integer codes of the samples, where given: see design.R
#   present      if values are missing: see with_present(); else NULL
#
# With `missing = TRUE` numbers may be missing.
# With `complete = FALSE` values may be NA, and those of a data.frame are the
# columns as they are (storage "frame"): only prepare.R reads such a problem.
# SPDX-License-Identifier: GPL-3.0-or-later

as_problem <- function(x, y, assay = NULL, outcome = "factor",
                       complete = TRUE, missing = FALSE) {
  if (base::missing(x)) abort_missing("x")
  memory_errors({
    opened <- open_data(x, assay)
    ranks <- if (complete) ordered_levels(opened$values)
    # Levels that no sample has are no values.
    given <- lapply(names(ranks), \(name) unique(opened$values[[name]]))
    inform_missing_text(unlist(lapply(given, as.character)), "x")
    opened$values <- code_categories(opened$values, ranks)
    y <- design_column(force_given(y, "y"), x, "y")
    annotation <- opened$annotation %||% annotation_of(x)
    problem <- problem_of(opened, y, annotation, outcome, complete, missing)
    # predict() codes new data by these levels and labels its classes alike.
    problem$ranks <- ranks
    problem$counts <- counts_in(x)
    problem$ordered <- if (is.ordered(plain_vector(y))) TRUE
    problem
  })
}

#' @param opened See open_data().
#' @noRd
problem_of <- function(opened, y, annotation, outcome, complete,
                       missing = FALSE) {
  rows <- opened$features_in == "rows"
  if (is.data.frame(opened$values)) {
    check_column_of_labels(y, opened$values)
    check_columns_of_samples(opened$values, y)
  }
  check_dimensions(count_samples(opened), count_features(opened), y, rows)
  y <- as_outcome(
    y, count_samples(opened), outcome, opened$samples, opened$features,
    order = if (rows) "colnames(x)" else "rownames(x)"
  )
  features <- check_feature_names(opened$features, if (rows) "row" else "col")
  stored <- if (is.data.frame(opened$values) && !complete) {
    stored_as("frame", as.data.frame(opened$values))
  } else {
    stored_values(opened$values, opened$features_in, "x")
  }
  holes <- complete &&
    check_stored_finite(stored, opened, strata_of(y), missing)
  problem <- new_problem(
    stored$values, y,
    features %||% paste0("V", seq_len(count_features(opened))), opened$samples,
    features_in = stored$features_in, annotation = annotation,
    storage = stored$storage, assay = opened$assay
  )
  problem$may_miss <- missing
  if (holes) problem <- with_present(problem)
  # Several omics were joined: what `x` holds is no such matrix.
  several <- !is.null(opened$annotation)
  inform_values(problem, is.matrix(opened$values) && !rows && !several)
  problem
}

#' A problem from data that may have categories, with their `levels`
#' @param ... For as_problem().
#' @noRd
as_problem_coded <- function(x, y, ...) {
  if (missing(x)) abort_missing("x")
  given <- x
  x <- plain_frame(x)
  levels <- category_levels(x)
  if (is.data.frame(x)) check_columns_of_samples(x, y)
  inform_text(Filter(\(name) !is.factor(given[[name]]), names(levels)))
  inform_missing_text(unlist(levels), "x")
  problem <- as_problem(code_categories(x, levels), y, ...)
  problem$levels <- levels
  problem
}

new_problem <- function(values, y, features, samples,
                        features_in = "columns", annotation = NULL,
                        storage = "dense", assay = NULL) {
  structure(
    list(
      values = values, storage = storage, features_in = features_in,
      features = features, samples = samples, annotation = annotation,
      assay = assay, y = y, design = new_design(length(y))
    ),
    class = "hitmiss_problem"
  )
}

# A container has columns of labels beside its features; a data.frame has them
# among its features, so that a name may be meant as a column.
check_column_of_labels <- function(y, x) {
  if (is_texts(y, 1L) && nrow(x) != 1L && y %in% names(x)) {
    abort_input(c(
      "{.arg y} must hold the labels; {.val {y}} is the name of a column of
       {.arg x}.",
      i = "Give {.code x[[{shQuote(y, 'cmd')}]]} as {.arg y} and
           {.code x[names(x) != {shQuote(y, 'cmd')}]} as {.arg x}."
    ), "y")
  }
}

check_dimensions <- function(n, n_features, y, rows) {
  if (n == 0L || n_features == 0L) {
    abort_input(
      "{.arg x} has {n} sample{?s} and {n_features} feature{?s}; both must be at
       least 1.", "x"
    )
  }
  given <- NROW(unclass(y))
  if (is.atomic(y) && given != n && given == n_features) {
    abort_input(c(
      "{.arg x} looks transposed: {.arg y} has {given} labels, one for each
       {if (rows) 'row' else 'column'}.",
      i = if (rows) {
        "Such containers have their samples in columns: give one label for each
         of the {n} column{?s}."
      } else {
        "Samples go in rows: use {.code t(x)}."
      }
    ), "x")
  }
}

# Refuses a table that has genes in rows: a column of their names, or several,
# beside a column of numbers for each sample.
check_columns_of_samples <- function(x, y) {
  text <- which(!vapply(x, \(v) is.numeric(v) || is.logical(v), NA))
  given <- NROW(unclass(force_given(y, "y")))
  if (length(text) > 0L && given > 1L && given != nrow(x) &&
    given == length(x) - length(text)) {
    name <- quoted(names(text)[[1L]])
    at <- deparse1(as.double(text))
    abort_input(c(
      "{.arg x} looks transposed: {.arg y} has {given} labels, one for each
       column of numbers beside {.val {names(text)}}.",
      i = "Samples go in rows: use {.code x <-
           t(data.frame(as.data.frame(x)[-{at}], check.names = FALSE,
           row.names = make.unique(as.character(x[[{name}]]))))}."
    ), "x")
  }
}

check_feature_names <- function(names, where) {
  if (is.null(names)) {
    return(NULL)
  }
  empty <- which(is.na(names) | names == "")
  if (length(empty) > 0L) {
    abort_input(c(
      "{.arg x} has {length(empty)} feature{?s} with an empty name; the first is
       feature {empty[[1L]]}.",
      i = "Name all features, or none: {.code {where}names(x) <- NULL}."
    ), "x", column = empty[[1L]])
  }
  check_text(names, "x", "feature names", paste0(where, "names(x)"))
  twice <- unique(names[duplicated(names)])
  if (length(twice) > 0L) {
    abort_input(c(
      "{.arg x} has {length(twice)} feature name{?s} that occur{?s/} more than
       once: {.val {twice}}.",
      i = "{.fn predict} matches features by name. Make them unique:
           {.code {where}names(x) <- make.unique({where}names(x))}."
    ), "x")
  }
  names
}

#' A problem with missing values and the number of samples that have each
#' feature, by class
#' @noRd
with_present <- function(problem, cure = NULL) {
  found <- count_present(problem, strata_of(problem$y))
  empty <- which(found$samples == 0)
  if (length(empty) > 0L) {
    names <- (problem$samples %||% integer_text(seq_along(problem$y)))[empty]
    abort_input(c(
      "{length(empty)} sample{?s} of {.arg x} {?has/have} no value at all:
       {listed(names, 5L)}.",
      i = cure,
      i = "Leave {cli::qty(length(empty))}{?it/them} out."
    ), "x", row = empty[[1L]])
  }
  problem$present <- found$features
  problem
}

# A message that classes lack values differently, where medians would make
# differences of that.
inform_by_class <- function(x, y, method) {
  if (!method %in% c("median", "mean") || !is.atomic(y) ||
    length(y) != nrow(x)) {
    return(invisible())
  }
  y <- strata_of(y)
  known <- !is.na(y)
  y <- droplevels(y[known])
  present <- t(rowsum(0 + !is.na(as.matrix(x))[known, , drop = FALSE], y))
  said <- missing_by_class_words(missing_by_class(present, tabulate(y)))
  if (!is.null(said)) {
    inform(
      c(said, i = "{.fn relief} takes missing values as they are, and
                  {.val draw} keeps noise from looking real."),
      "hitmiss_message_by_class"
    )
  }
}

# Reads blocks: only then is it known whether values are missing.
staged <- function(problem, runtime = core_runtime()) {
  stage_blocks(problem, runtime)
  if (problem$storage == "blocks" && is.null(problem$present) &&
    cpp_scratch_missing(problem$values$scratch)) {
    problem <- with_present(problem)
  }
  problem
}

#' Samples of a problem as a matrix, samples x features, with names
#'
#' @param columns Positions of features, for a dense matrix; or NULL for all
#'   features, stored as they are.
#' @noRd
problem_rows <- function(problem, rows, columns = NULL) {
  memory_errors({
    values <- rows_of(problem, rows, columns)
    NULL
  })
  values
}

rows_of <- function(problem, rows, columns) {
  if (!is.null(columns) || problem$storage == "dense") {
    n_columns <- length(columns %||% problem$features)
    check_numbers_fit(0.5 * length(rows) * n_columns, "x")
  }
  stored <- problem$values
  if (problem$storage == "blocks") stored <- stored$matrix
  # TRUE takes all features without an index that is as long as the data.
  features <- columns %||% TRUE
  values <- if (problem$features_in == "columns") {
    stored[rows, features, drop = FALSE]
  } else {
    transposed(stored[features, rows, drop = FALSE])
  }
  if (!is.null(columns) && !is.matrix(values)) values <- as.matrix(values)
  # In most cases the names are there already, and setting many of them takes
  # long.
  labels <- list(problem$samples, problem$features)
  if (problem$features_in == "rows") labels <- rev(labels)
  if (!identical(dimnames(stored), labels)) {
    dimnames(values) <- list(problem$samples[rows], problem$features[features])
  }
  values
}

# base::t() has no method for delayed matrices.
transposed <- function(x) {
  if (inherits(x, "DelayedMatrix")) DelayedArray::t(x) else t(x)
}
