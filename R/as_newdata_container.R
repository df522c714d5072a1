# New samples in sparse and delayed matrices and Bioconductor's containers:
# only the needed features are realised.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @exportS3Method
as_newdata.Matrix <- function(newdata, needed, features, ..., drop = FALSE) {
  check_valid(newdata, "newdata")
  at <- match_features(colnames(newdata), ncol(newdata), needed, features, drop)
  values <- as.matrix(newdata[, at, drop = FALSE])
  storage.mode(values) <- "double"
  finish_newdata(values, names(at), drop)
}

#' @exportS3Method
as_newdata.DelayedMatrix <- function(newdata, needed, features, ...,
                                     drop = FALSE) {
  at <- match_features(colnames(newdata), ncol(newdata), needed, features, drop)
  container_newdata(newdata, at, "columns", rownames(newdata), drop)
}

#' @exportS3Method
as_newdata.DataFrame <- function(newdata, needed, features, ..., drop = FALSE) {
  as_newdata(base_frame(newdata), needed, features, drop = drop)
}

#' @exportS3Method
as_newdata.SummarizedExperiment <- function(newdata, needed, features,
                                            assay = 1L, drop = FALSE) {
  values <- container_assay(newdata, assay)
  at <- match_features(rownames(newdata), nrow(newdata), needed, features, drop)
  container_newdata(values, at, "rows", colnames(newdata), drop)
}

#' @exportS3Method
as_newdata.ExpressionSet <- function(newdata, needed, features, assay = 1L,
                                     drop = FALSE) {
  values <- container_assay(newdata, assay)
  names <- Biobase::featureNames(newdata)
  at <- match_features(names, nrow(values), needed, features, drop)
  container_newdata(values, at, "rows", Biobase::sampleNames(newdata), drop)
}

#' @exportS3Method
as_newdata.EList <- function(newdata, needed, features, ..., drop = FALSE) {
  values <- expressions(newdata, "newdata")
  at <- match_features(rownames(values), nrow(values), needed, features, drop)
  container_newdata(values, at, "rows", colnames(values), drop)
}

#' @exportS3Method
as_newdata.MultiAssayExperiment <- function(newdata, needed, features, ...) {
  abort_many_assays("newdata")
}

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
