# Layer: use. New samples for predict(): only the needed features, by name.
# Of delayed matrices and containers no others are read.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param newdata Any container of samples.
#' @param needed Names of the features that the prediction uses.
#' @param features Names of all features of the fit, in their order.
#' @param assay Which assay of a container: the one that was fitted.
#' @param places NULL, or the positions of the needed features among all: then
#'   new data with the names of the fit are not searched for them.
#' @param drop May needed features be absent? They are then left out, and a row
#'   with missing values keeps its finite values.
#' @return Numeric matrix, samples x needed, with the samples' names if any.
#'   A row with a missing or non-finite value is NA throughout, unless `drop`.
#' @noRd
as_newdata <- function(newdata, needed, features, assay = 1L, drop = FALSE,
                       places = NULL) {
  memory_errors({
    values <- newdata_values(newdata, needed, features, assay, drop, places)
    NULL
  })
  values
}

newdata_values <- function(newdata, needed, features, assay, drop, places) {
  if (inherits(newdata, "DataFrame")) newdata <- base_frame(newdata)
  if (inherits(newdata, "MultiAssayExperiment")) abort_many_assays("newdata")
  match <- function(names, n) {
    if (!is.null(places) && identical(names, features)) {
      return(stats::setNames(places, needed))
    }
    match_features(names, n, needed, features, drop)
  }
  if (is.matrix(newdata)) {
    values <- check_numeric_matrix(newdata, "newdata")
    at <- match(colnames(values), ncol(values))
    values <- values[, at, drop = FALSE]
    storage.mode(values) <- "double"
    finish_newdata(values, names(at), drop)
  } else if (is.data.frame(newdata)) {
    at <- match(names(newdata), length(newdata))
    finish_newdata(frame_values(newdata, at), names(at), drop)
  } else if (inherits(newdata, c("Matrix", "DelayedMatrix"))) {
    check_valid(newdata, "newdata")
    at <- match(colnames(newdata), ncol(newdata))
    container_newdata(newdata, at, "columns", rownames(newdata), drop)
  } else if (inherits(newdata, c("EList", "DGEList"))) {
    values <- expressions(newdata, "newdata")
    at <- match(rownames(values), nrow(values))
    container_newdata(values, at, "rows", colnames(values), drop)
  } else if (inherits(newdata, c("SummarizedExperiment", "ExpressionSet"))) {
    values <- container_assay(newdata, assay)
    names <- if (inherits(newdata, "ExpressionSet")) {
      list(Biobase::featureNames(newdata), Biobase::sampleNames(newdata))
    } else {
      dimnames(newdata)
    }
    at <- match(names[[1L]], nrow(values))
    container_newdata(values, at, "rows", names[[2L]], drop)
  } else {
    abort_newdata(newdata)
  }
}

abort_newdata <- function(newdata) {
  abort_input(c(
    "{.arg newdata} must be a numeric matrix or a data.frame with samples in
     rows, or another supported container, not {describe(newdata)}.",
    i = if (inherits(newdata, "Seurat")) {
      "Convert it first: {.code Seurat::as.SingleCellExperiment(newdata)}."
    } else if (is.numeric(newdata) && is.null(dim(newdata))) {
      "A single sample is a matrix of one row: {.code x[1, , drop = FALSE]}."
    }
  ), "newdata")
}

frame_values <- function(newdata, at) {
  values <- matrix(0, nrow(newdata), length(at))
  if (length(at) > 0L) {
    columns <- structure(unclass(newdata)[at],
      class = "data.frame", row.names = .set_row_names(nrow(newdata))
    )
    values <- numeric_columns(columns, "newdata")
    storage.mode(values) <- "double"
  }
  if (!is.integer(attr(newdata, "row.names"))) {
    rownames(values) <- row.names(newdata)
  }
  values
}

finish_newdata <- function(values, names, drop) {
  dimnames(values) <- list(rownames(values), names)
  if (drop) {
    values[!is.finite(values)] <- NA_real_
    return(values)
  }
  bad <- !is.finite(rowSums(values)) & rowSums(!is.finite(values)) > 0
  values[bad, ] <- NA_real_
  values
}

#' Positions of the needed features among the columns of new data, with names
#' @noRd
match_features <- function(names, n_columns, needed, features, drop) {
  if (is.null(names)) {
    return(match_unnamed(n_columns, needed, features))
  }
  # Few of many: only these few are looked up.
  found <- which(names %in% needed)
  twice <- unique(names[found][duplicated(names[found])])
  at <- stats::setNames(found[match(needed, names[found])], needed)
  absent <- needed[is.na(at)]
  if (drop) at <- at[!is.na(at)]
  if (length(absent) > 0L && !drop) {
    abort_input(c(
      "{.arg newdata} lacks {length(absent)} feature{?s} that the prediction
       needs: {.val {absent}}.",
      i = "Columns are matched by name; order and extra columns do not matter.",
      i = "To predict from the features that are present, use
           {.code predict(..., missing = \"drop\")}."
    ), "newdata", features = absent)
  }
  if (length(twice) > 0L) {
    abort_input(
      "{.arg newdata} has more than one column called {.val {twice}}.",
      "newdata",
      features = twice
    )
  }
  at
}

match_unnamed <- function(n_columns, needed, features) {
  if (n_columns != length(features)) {
    abort_input(c(
      "{.arg newdata} has no column names and {n_columns} column{?s}; the fit
       has {length(features)} features.",
      i = "Name the columns: features are matched by name."
    ), "newdata")
  }
  warn(
    "{.arg newdata} has no column names: its columns are taken to be the
     {length(features)} features of the fit, in the same order.",
    "hitmiss_warning_unnamed"
  )
  stats::setNames(match(needed, features), needed)
}

# ---- containers --------------------------------------------------------------

#' @param values matrix, Matrix or DelayedMatrix.
#' @param at Positions of the needed features, with their names.
#' @noRd
container_newdata <- function(values, at, features_in, samples, drop) {
  check_valid(values, "newdata")
  # In the order of the file: a reader seeks forward only.
  sorted <- order(at)
  places <- unname(at)[sorted]
  part <- reading(
    if (features_in == "rows") {
      t(as.matrix(values[places, , drop = FALSE]))
    } else {
      as.matrix(values[, places, drop = FALSE])
    },
    "{.arg newdata}"
  )
  part <- part[, order(sorted), drop = FALSE]
  part <- check_numeric_matrix(part, "newdata")
  storage.mode(part) <- "double"
  dimnames(part) <- list(samples, names(at))
  finish_newdata(part, names(at), drop)
}
