# Layer: input. The gate for sparse and delayed matrices and for Bioconductor's
# containers.
#
# Methods are S3 and found by the name of the (S4) class: nothing of
# Bioconductor is imported, and each method asks for the packages it needs.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @exportS3Method
as_problem.Matrix <- function(x, y, ..., assay = NULL,
                              outcome = "classes", complete = TRUE) {
  check_no_dots(...)
  check_no_assay(assay, x)
  if (missing(y)) abort_missing("y")
  container_problem(x, "columns", y, dimnames(x), outcome, complete)
}

#' @exportS3Method
as_problem.DelayedMatrix <- function(x, y, ..., assay = NULL,
                                     outcome = "classes", complete = TRUE) {
  check_no_dots(...)
  check_no_assay(assay, x)
  if (missing(y)) abort_missing("y")
  require_container_package("DelayedArray", x)
  container_problem(x, "columns", y, reading(dimnames(x)), outcome, complete)
}

#' @exportS3Method
as_problem.DataFrame <- function(x, y, ..., assay = NULL,
                                 outcome = "classes", complete = TRUE) {
  if (missing(y)) abort_missing("y")
  require_container_package("S4Vectors", x)
  as_problem(base_frame(x), y, ...,
    assay = assay, outcome = outcome, complete = complete
  )
}

#' @exportS3Method
as_problem.SummarizedExperiment <- function(x, y, ..., assay = NULL,
                                            outcome = "classes",
                                            complete = TRUE) {
  check_no_dots(...)
  assay <- assay %||% usual_assay(x)
  if (missing(y)) abort_missing("y")
  values <- container_assay(x, assay)
  y <- container_labels(y, SummarizedExperiment::colData(x), "colData(x)")
  annotation <- plain_annotation(SummarizedExperiment::rowData(x), "rowData(x)")
  container_problem(values, "rows", y, dimnames(x), outcome, complete,
    annotation = annotation, assay = assay
  )
}

#' @exportS3Method
as_problem.ExpressionSet <- function(x, y, ..., assay = NULL,
                                     outcome = "classes", complete = TRUE) {
  check_no_dots(...)
  assay <- assay %||% 1L
  if (missing(y)) abort_missing("y")
  values <- container_assay(x, assay)
  y <- container_labels(y, Biobase::pData(x), "pData(x)")
  annotation <- plain_annotation(Biobase::fData(x), "fData(x)")
  names <- list(Biobase::featureNames(x), Biobase::sampleNames(x))
  container_problem(values, "rows", y, names, outcome, complete,
    annotation = annotation, assay = assay
  )
}

# limma's list of expressions E (or log ratios), targets of the samples and
# genes, and edgeR's of counts and samples: S4 classes that are lists, and need
# nothing of limma or edgeR to be read.

#' @exportS3Method
as_problem.EList <- function(x, y, ..., assay = NULL,
                             outcome = "classes", complete = TRUE) {
  check_no_dots(...)
  check_no_assay(assay, x)
  if (missing(y)) abort_missing("y")
  values <- expressions(x)
  samples <- sample_table(x)
  y <- container_labels(y, samples$columns, samples$where)
  annotation <- plain_annotation(x[["genes"]], "x$genes")
  container_problem(values, "rows", y, dimnames(values), outcome, complete,
    annotation = annotation
  )
}

#' @exportS3Method
as_problem.DGEList <- as_problem.EList

expressions <- function(x, arg = "x") {
  counts <- inherits(x, "DGEList")
  name <- if (counts) "counts" else "E"
  if (!is.matrix(x[[name]])) {
    abort_input(
      "{.arg {arg}} is an {.cls {class(x)[[1L]]}} without a matrix
       {.code {arg}${name}}.", arg
    )
  }
  if (counts) log_cpm(x[[name]], x[["samples"]], arg) else x[[name]]
}

# As edgeR::cpm(x, log = TRUE) does.
log_cpm <- function(counts, samples, arg) {
  counts <- check_finite(check_numeric_matrix(counts, arg), arg)
  size <- (samples[["lib.size"]] %||% colSums(counts)) *
    (samples[["norm.factors"]] %||% 1)
  prior <- 2 * size / mean(size)
  log2(t((t(counts) + prior) / (size + 2 * prior)) * 1e6)
}

# Single-cell experiments hold counts first.
usual_assay <- function(x) {
  logged <- inherits(x, "SingleCellExperiment") &&
    "logcounts" %in% SummarizedExperiment::assayNames(x)
  if (logged) "logcounts" else 1L
}

#' @exportS3Method
as_problem.MultiAssayExperiment <- function(x, y, ..., assay = NULL,
                                            outcome = "classes",
                                            complete = TRUE) {
  abort_many_assays("x")
}

abort_many_assays <- function(arg) {
  abort_input(c(
    "{.arg {arg}} is a {.cls MultiAssayExperiment}, which holds several
     experiments, each with its own samples and features.",
    i = "Choose one experiment, as in
         {.code MultiAssayExperiment::getWithColData(x, \"RNA\")}, or join
         several with {.code wideFormat()}."
  ), arg)
}

#' @param values The object that holds the numbers, see plain_values().
#' @param names list(names of rows, names of columns), each may be NULL.
#' @param ... Further fields of the problem.
#' @noRd
container_problem <- function(values, features_in, y, names, outcome, complete,
                              ...) {
  rows <- features_in == "rows"
  if (is.null(names)) names <- list(NULL, NULL)
  feature_dim <- if (rows) 1L else 2L
  if (rows) check_assay_dimensions(values, y) else check_dimensions(values, y)
  samples <- names[[3L - feature_dim]]
  y <- as_labels(y, dim(values)[[3L - feature_dim]], outcome, samples,
    order = if (rows) "colnames(x)" else "rownames(x)"
  )
  where <- if (rows) "row" else "col"
  features <- check_feature_names(names[[feature_dim]], where)
  plain <- plain_values(values, features_in, "x")
  if (complete) check_plain_finite(plain, names, features_in)
  features <- features %||% invented_names(dim(values)[[feature_dim]])
  problem <- new_problem(plain$values, y, features, samples,
    features_in = plain$features_in, storage = plain$storage, ...
  )
  inform_counts(problem, least = if (rows) 20 else 1000)
  problem
}

# As check_dimensions(), for features in rows.
check_assay_dimensions <- function(x, y) {
  n <- ncol(x)
  if (n == 0L || nrow(x) == 0L) {
    abort_input(
      "{.arg x} has {nrow(x)} row{?s} (features) and {n} column{?s} (samples);
       both must be at least 1.", "x"
    )
  }
  if (is.atomic(y) && length(y) != n && length(y) == nrow(x)) {
    abort_input(c(
      "{.arg x} looks transposed: {.arg y} has {length(y)} labels, one for each
       row, but containers have their samples in columns.",
      i = "Give one label for each of the {n} column{?s}."
    ), "x")
  }
}

#' Convert the object that holds the numbers to a form that the core can read
#'
#' @param values matrix, Matrix or DelayedMatrix.
#' @return list(values, storage, features_in): a plain matrix, not changed if it
#'   is one already; a dgCMatrix with samples in rows; or blocks, see
#'   blocks.R.
#' @noRd
plain_values <- function(values, features_in, arg) {
  check_valid(values, arg)
  if (inherits(values, "DelayedMatrix")) {
    return(delayed_values(values, features_in, arg))
  }
  if (inherits(values, "sparseMatrix")) {
    return(list(
      values = sparse_by_feature(values, features_in), storage = "sparse",
      features_in = "columns"
    ))
  }
  if (inherits(values, c("Matrix", "data.frame"))) {
    values <- as.matrix(values)
  }
  if (!is.matrix(values)) {
    abort_input(
      "{.arg {arg}} must hold a numeric matrix, not {describe(values)}.", arg
    )
  }
  values <- check_numeric_matrix(values, arg)
  list(values = values, storage = "dense", features_in = features_in)
}

check_plain_finite <- function(plain, names, features_in) {
  if (plain$storage == "dense") {
    check_finite(plain$values, "x", names = names)
  } else if (plain$storage == "sparse" && !all(is.finite(plain$values@x))) {
    entries <- plain$values@x
    bad <- which(!is.finite(entries))
    sample <- plain$values@i[[bad[[1L]]]] + 1L
    feature <- findInterval(bad[[1L]] - 1L, plain$values@p)
    at <- if (features_in == "rows") c(feature, sample) else c(sample, feature)
    abort_not_finite("x", at, names, entries[[bad[[1L]]]], length(bad))
  }
}

#' The requested assay; by default, for a container, the assay from which `made`
#' (a fit or a curve) was made
#' @noRd
assay_or_that_of <- function(assay, made, x) {
  has_assays <- inherits(x, c("SummarizedExperiment", "ExpressionSet"))
  assay %||% if (has_assays) made$assay
}

#' How many samples a container has
#' @noRd
count_samples <- function(x) {
  if (inherits(x, c("EList", "DGEList"))) {
    ncol(x[[if (inherits(x, "EList")) "E" else "counts"]])
  } else if (inherits(x, c("SummarizedExperiment", "ExpressionSet"))) {
    ncol(x)
  } else {
    NROW(x)
  }
}

#' One assay of a container, features in rows
#' @noRd
container_assay <- function(x, assay, arg = "x") {
  if (inherits(x, "ExpressionSet")) {
    require_container_package("Biobase", x)
    names <- Biobase::assayDataElementNames(x)
    # The environment lists its elements in any order: exprs comes first.
    names <- union(intersect("exprs", names), names)
    name <- names[[assay_index(assay, names)]]
    return(Biobase::assayDataElement(x, name))
  }
  require_container_package("SummarizedExperiment", x)
  n <- length(SummarizedExperiment::assays(x, withDimnames = FALSE))
  names <- SummarizedExperiment::assayNames(x)
  if (is.null(names)) names <- rep("", n)
  index <- assay_index(assay, names)
  SummarizedExperiment::assay(x, index, withDimnames = FALSE)
}

assay_index <- function(assay, names) {
  if (length(names) == 0L) {
    abort_input("{.arg x} has no assay.", "x")
  }
  if (is.character(assay) && length(assay) == 1L && assay %in% names) {
    return(match(assay, names))
  }
  if (is_plain_number(assay) && assay >= 1 && assay <= length(names) &&
    assay == floor(assay)) {
    return(as.integer(assay))
  }
  abort_input(
    "{.arg assay} must be the name or number of an assay, not
     {describe(assay)}; {cli::qty(length(names))}there {?is/are}
     {length(names)}: {.val {names}}.",
    "assay"
  )
}

#' The columns of rowData or fData that a plain table can hold, or NULL
#' @noRd
plain_annotation <- function(table, where) {
  names <- colnames(table)
  columns <- lapply(seq_along(names), function(i) {
    plain_vector(table[[i]])
  })
  plain <- vapply(columns, function(column) {
    is.atomic(column) && is.null(dim(column))
  }, NA)
  if (!all(plain)) {
    dropped <- names[!plain]
    inform(
      "{.code {where}} column{?s} {.val {dropped}} {?is/are} left out of the
       tables: only vectors and factors can be shown.",
      "hitmiss_message_annotation"
    )
  }
  if (!any(plain)) {
    return(NULL)
  }
  annotation <- stats::setNames(columns[plain], names[plain])
  structure(annotation,
    class = "data.frame", row.names = .set_row_names(nrow(table))
  )
}

#' A DataFrame of Bioconductor as a data.frame with the same names
#' @noRd
base_frame <- function(x) {
  columns <- stats::setNames(
    lapply(seq_len(ncol(x)), function(i) x[[i]]), colnames(x)
  )
  row_names <- rownames(x)
  if (is.null(row_names)) row_names <- .set_row_names(nrow(x))
  structure(columns, class = "data.frame", row.names = row_names)
}
