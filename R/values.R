# Layer: input. Vectors of other packages become R's own here if they have one
# meaning, and all others are refused by the name of their class. Numbers are
# checked to be finite.
# SPDX-License-Identifier: GPL-3.0-or-later

# Returns a vector or matrix without a class that changes nothing, such as
# `AsIs`, and with its runs or codes expanded (`Rle` and `Factor` of S4Vectors).
plain_vector <- function(v) {
  if (inherits(v, "Rle")) v <- S4Vectors::decode(v)
  if (isS4(v) && inherits(v, "Factor")) v <- S4Vectors::unfactor(v)
  if (inherits(v, c("haven_labelled", "labelled"))) v <- plain_labelled(v)
  if (inherits(v, unchanging)) {
    left <- setdiff(oldClass(v), c(unchanging, "matrix", "array"))
    oldClass(v) <- if (length(left) > 0L) left
    attributes(v)[c("tsp", "index", "label", "format.spss")] <- NULL
  }
  if (length(dim(v)) == 1L) {
    names <- names(v)
    dim(v) <- NULL
    names(v) <- names
  }
  v
}

# Numbers, text or factors of these classes are read as if they had no class:
# the samples of a series, for instance, are its rows.
unchanging <- c(
  "AsIs", "noquote", "table", "ts", "mts", "xts", "zoo", "loadings", "labelled"
)

#' A data.frame (also one of S4Vectors) of plain columns; all else as it is
#'
#' The one place that decides what a column may be: all verbs, prediction and
#' the frameworks read data frames by it. A column may be a matrix or a table of
#' one column, as scale() gives.
#' @noRd
plain_frame <- function(x, arg = "x") {
  # do.call(quote = TRUE) hands on an empty argument as a value.
  if (identical(x, formals(\(x) x)$x)) abort_missing(arg)
  if (inherits(x, "DataFrame")) x <- base_frame(x)
  if (!is.data.frame(x)) {
    return(x)
  }
  odd <- vapply(x, function(v) {
    is.object(v) && !oldClass(v)[[1L]] %in% c("factor", "ordered") ||
      !is.null(dim(v))
  }, NA)
  if (any(odd)) {
    columns <- unclass(x)
    columns[odd] <- lapply(columns[odd], plain_column)
    x <- structure(columns,
      class = "data.frame", row.names = .row_names_info(x, 0L)
    )
  }
  x
}

# Returns a DataFrame of Bioconductor as a data.frame with the same names.
base_frame <- function(x) {
  require_container_package("S4Vectors", x)
  columns <- stats::setNames(
    lapply(seq_len(ncol(x)), function(i) x[[i]]), colnames(x)
  )
  structure(columns,
    class = "data.frame",
    row.names = rownames(x) %||% .set_row_names(nrow(x))
  )
}

plain_column <- function(v) {
  if (is.data.frame(v) && length(v) == 1L) v <- v[[1L]]
  v <- plain_vector(v)
  if (is.atomic(v) && length(dim(v)) == 2L && ncol(v) == 1L) {
    attributes(v) <- NULL
  }
  v
}

# Values that all have a label are categories, and values of which none has one
# are numbers. A mixture is refused, because nobody knows what it means. What
# SPSS declares missing is NA.
plain_labelled <- function(v) {
  labels <- attr(v, "labels")
  range <- attr(v, "na_range")
  known <- unclass(v)
  missing <- known %in% attr(v, "na_values")
  if (length(range) == 2L) {
    missing <- missing | (known >= range[[1L]] & known <= range[[2L]]) %in% TRUE
  }
  known[missing] <- NA
  labels <- labels[labels %in% known]
  kept <- attributes(known)[
    intersect(c("names", "dim", "dimnames"), names(attributes(known)))
  ]
  attributes(known) <- kept
  if (length(labels) == 0L) {
    return(known)
  }
  if (all(is.na(known) | known %in% labels)) {
    return(structure(
      factor(known, unname(labels), names(labels)), names = kept$names
    ))
  }
  v[missing] <- NA
  v
}

#' Refuse a factor whose codes and levels do not belong together
#' @param column Its name, if it is a column of the argument.
#' @noRd
check_factor <- function(v, arg, column = NULL) {
  codes <- unclass(v)
  levels <- attr(v, "levels")
  if (!is.character(levels) || anyDuplicated(enc2utf8(levels)) > 0L ||
    !is.integer(codes) ||
    any(codes < 1L | codes > length(levels), na.rm = TRUE)) {
    abort_input(c(
      paste(
        if (!is.null(column)) "column {.val {column}} of",
        "{.arg {arg}} is a malformed factor: each code must be an integer that
         has a level, and each level another text."
      ),
      i = "Make it again from the text of its labels, by {.fn factor}."
    ), arg)
  }
}

# Refuses a matrix of package Matrix, also inside a delayed one, whose slots
# contradict each other: its methods, and the core, would read beyond its end.
check_valid <- function(x, arg) {
  if (inherits(x, "DelayedMatrix")) {
    DelayedArray::seedApply(x, function(seed) check_valid(seed, arg))
    return(invisible())
  }
  if (!inherits(x, "Matrix")) {
    return(invisible())
  }
  fault <- if (has_unsound_columns(x)) {
    "slot p does not fit the others"
  } else {
    catch_error(methods::validObject(x, test = TRUE), conditionMessage)
  }
  if (!isTRUE(fault)) {
    abort_input(c(
      "{.arg {arg}} is not a valid {.cls {class(x)[[1L]]}}: {fault[[1L]]}.",
      i = "Make it again, as by {.fn Matrix::sparseMatrix}."
    ), arg)
  }
}

# Says whether the slots of a sparse matrix contradict each other. Matrix's own
# check would read beyond its memory then.
has_unsound_columns <- function(x) {
  if (!inherits(x, c("CsparseMatrix", "RsparseMatrix"))) {
    return(FALSE)
  }
  by_row <- inherits(x, "RsparseMatrix")
  p <- x@p
  places <- if (by_row) x@j else x@i
  n <- x@Dim[[if (by_row) 1L else 2L]]
  length(x@Dim) != 2L || anyNA(p) || length(p) != n + 1 || p[[1L]] != 0L ||
    is.unsorted(p) || p[[n + 1]] != length(places)
}

# ---- numbers ----------------------------------------------------------------

check_numeric_matrix <- function(x, arg) {
  x <- plain_vector(x)
  if (is.object(x)) {
    abort_input(c(
      "{.arg {arg}} holds values of class {.cls {class(x)[[1L]]}}, which are not
       plain numbers.",
      i = "Turn them into plain numbers first:
           {.code array(as.numeric({arg}), dim({arg}), dimnames({arg}))}."
    ), arg)
  }
  if (!is.numeric(x) && !is.logical(x)) {
    abort_input(c(
      "{.arg {arg}} must hold numbers, not values of type {.cls {typeof(x)}}.",
      i = if (is.character(x)) {
        "Check how the file was read: one word in a column makes the whole
         matrix {.cls character}."
      }
    ), arg)
  }
  invisible(x)
}

# Returns the columns of a data.frame as one matrix, and refuses columns without
# numbers.
numeric_columns <- function(x, arg) {
  fine <- vapply(x, function(column) {
    (is.numeric(column) || is.logical(column)) && !is.object(column) &&
      is.null(dim(column))
  }, NA)
  if (!all(fine)) {
    bad <- names(x)[!fine]
    kind <- class(x[[which(!fine)[[1L]]]])[[1L]]
    abort_input(c(
      "{.arg {arg}} has {length(bad)} column{?s} that {?is/are} not numeric:
       {.val {bad}} ({.cls {kind}}).",
      i = "Drop {cli::qty(length(bad))}{?it/them}, or turn
           {cli::qty(length(bad))}{?it/them} into numbers or 0/1 indicators."
    ), arg, column = which(!fine)[[1L]])
  }
  values <- unlist(x, use.names = FALSE) %||% numeric()
  dim(values) <- c(nrow(x), length(x))
  dimnames(values) <- list(frame_samples(x), names(x))
  values
}

# Returns the row names that somebody gave.
frame_samples <- function(x) {
  if (.row_names_info(x) > 0L) row.names(x)
}

are_finite <- function(values) {
  if (is.double(values)) cpp_all_finite(values) else !anyNA(values)
}

# `at` is the row and column of the first of `count` bad values, which is
# `what`. Without `count`, nobody has looked for more. `lacking`: of missing
# values of `x`, the number of features that one class lacks more often.
abort_not_finite <- function(arg, at, names, what = NA, count = NULL,
                             lacking = NULL, imputable = FALSE) {
  verb <- calling_verb()
  fitting <- if (!is.null(lacking)) fitting_step(lacking, verb)
  row <- position("row", at[[1L]], names[[1L]])
  column <- position("column", at[[2L]], names[[2L]])
  abort_input(c(
    if (is.null(count)) {
      "{.arg {arg}} has a value that is not finite in {row}, {column}."
    } else {
      "{.arg {arg}} has {count} value{?s} that {?is/are} not finite; the
       first is {what} in {row}, {column}."
    },
    i = "Impute or remove {cli::qty(count %||% 2L)}{?it/them} first: nothing is
         dropped silently.",
    i = if (!is.null(lacking) && verb == "relief") {
      "The methods {.val relieff}, {.val rrelieff} and {.val srelieff} take
       missing values."
    } else if (!is.null(lacking)) {
      "{.fn relief} takes missing values as they are."
    },
    i = if (!is.null(lacking) && identical(user_call(), quote(error_curve()))) {
      "{.code prepare = {fitting[[1L]]}} fills in {fitting[[2L]]}, inside each
       training part."
    } else if (!is.null(lacking) && imputable) {
      "{.code x <- {fitting[[1L]]}(x)(x)} fills in {fitting[[2L]]}; new samples
       are filled in as {.fn prepare_impute} says."
    },
    i = missing_by_class_words(lacking)
  ), arg, row = as.integer(at[[1L]]), column = as.integer(at[[2L]]))
}
