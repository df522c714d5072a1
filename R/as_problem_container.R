# Layer: input. What every container holds, in one form: matrices, data frames,
# sparse and delayed matrices, and Bioconductor's containers.
#
# Classes are asked for by name: nothing of Bioconductor is imported, and the
# packages that a container needs are asked for where it comes.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Data containers
#'
#' All fitting functions and [predict()][predict.hitmiss] accept the same
#' containers. The same numbers give the same fit in every container, to the
#' last bit, but for large sparse matrices (from 2^27 pairs of samples times
#' features): there [relief()] and [logo()] sum only the nonzero values, and the
#' fits agree up to rounding (1e-10).
#'
#' @section Samples in rows:
#' * a numeric or logical matrix: used in place, never copied as a whole; also
#'   series (`ts`, `xts`), with time in rows;
#' * a data.frame (or Bioconductor's `DataFrame`) of numeric columns, and the
#'   formula `class ~ .` with `data`: one copy. Logical columns are 0 and 1,
#'   ordered factors the ranks of their levels, and series, `Rle`, labelled
#'   numbers and matrices of one column their numbers. What SPSS declares
#'   missing is `NA`. Other factors, text and columns in which each value has a
#'   label are categories, which [relief()] and [turf()] take;
#' * a sparse matrix of package Matrix: never made dense as a whole;
#' * a `DelayedMatrix`.
#' @section Features in rows:
#' * `SummarizedExperiment` and classes that extend it, with an assay that is a
#'   matrix, sparse, or delayed (HDF5-backed, with operations such as `log2()`
#'   or subsets); `y` may name a column of `colData` with classes, numbers or
#'   survival times;
#' * `ExpressionSet`; `y` may name a column of `pData`;
#' * `EList` of limma, taken as its `E`; `y` may name a column of `targets`, and
#'   the columns of `genes` are the annotation;
#' * `DGEList` of edgeR, taken as log2(c + 1), where c are counts per million of
#'   `lib.size` times `norm.factors`, so that the values of a sample do not
#'   depend on other samples; `y` may name a column of `samples`.
#'
#' `assay` is the name or number of the assay (by default the first, and
#' `logcounts` of a `SingleCellExperiment` that has it);
#' [predict()][predict.hitmiss] uses the same assay of new data. The columns of
#' `rowData` or `fData` appear in the tables of the fit.
#'
#' A `Seurat` object is refused: convert it by
#' `Seurat::as.SingleCellExperiment()`. Raw counts of samples of different
#' sequencing depth are taken with a message of class `hitmiss_message_counts`.
#' One of class `hitmiss_message_leakage` names features that have one value for
#' each class, or are the survival times or their status.
#'
#' @section Several omics: A named list of these containers, such as `list(RNA =
#' rna, protein = set)`, or a `MultiAssayExperiment`, holds several omics of the
#' same samples. They are joined by the names of the samples, in the order of
#' the first of a list or of `colData`, and features are called by their omics,
#' "RNA:TP53". `y` is in that order, or names a column of `colData`. A sample
#' that lacks an omics is refused. The units of the omics do not matter; the
#' more features an omics has, the more it decides which samples are near.
#' @section Data larger than memory:
#' A delayed assay of up to 256 MB is read into memory. A larger one is copied
#' once to a scratch file (8 bytes per value). [relief()], [logo()] and [kbfs()]
#' then need memory for a few blocks and some vectors with one element per
#' feature, and [pwfp()] for 32 samples per thread; [llfs()], and [kbfs()] with
#' `manifold` above 0, keep a copy of all values in memory while they run.
#'
#'
#' Reading is fastest if each chunk of the file has all samples of some
#' features: `HDF5Array::writeHDF5Array(x, chunkdim = c(100, ncol(x)))`.
#' @section Options:
#' * `hitmiss.realise_memory`: bytes up to which a delayed assay is read into
#'   memory; default 2^28.
#' * `hitmiss.block_memory`: size of a block in bytes; default 2^25. A block has
#'   at least one row of chunks of the file.
#' * `hitmiss.scratch_dir`: directory of scratch files; default [tempdir()].
#'   They are removed even after a crash. If one cannot be created, the data are
#'   read into memory, with a message, or refused with an error if they do not
#'   fit.
#' * `hitmiss.max_memory`: see [hitmiss-package].
#' @return None: this page is about arguments.
#' @name hitmiss-containers
#' @examples
#' toy <- simulate_localized(noise = 20)
#' sparse <- Matrix::Matrix(toy$x, sparse = TRUE)
#' all.equal(
#'   relief(sparse, toy$y, threads = 1)$scores,
#'   relief(toy$x, toy$y, threads = 1)$scores
#' )
#' if (requireNamespace("Biobase", quietly = TRUE)) {
#'   set <- Biobase::ExpressionSet(
#'     t(toy$x), Biobase::AnnotatedDataFrame(data.frame(class = toy$y))
#'   )
#'   relief(set, "class", threads = 1)
#' }
NULL

#' Values and names of any container
#'
#' @param assay Which assay; NULL for the usual one.
#' @param arg Name of the argument.
#' @return list(values: a matrix, data.frame, Matrix or DelayedMatrix;
#'   features_in: "rows" or "columns"; features, samples: names or NULL; assay).
#' @noRd
open_container <- function(x, assay = NULL, arg = "x") {
  x <- plain_frame(x, arg)
  hold <- function(values, features_in, names = dimnames(values)) {
    if (features_in == "columns") names <- rev(names)
    list(
      values = values, features_in = features_in, features = names[[1L]],
      samples = names[[2L]], assay = assay
    )
  }
  if (has_assays(x)) {
    assay <- assay %||% usual_assay(x)
    found <- container_assay(x, assay)
    values <- found$values
    names(assay) <- found$name
    if (inherits(values, c("data.frame", "DataFrame"))) {
      values <- as.matrix(values)
    }
    return(hold(values, "rows", dimnames(x)))
  }
  if (inherits(x, c("EList", "DGEList"))) {
    hold(list_expressions(x, arg), "rows")
  } else if (is.data.frame(x)) {
    hold(x, "columns", list(frame_samples(x), names(x)))
  } else if (is.matrix(x)) {
    hold(check_numeric_matrix(x, arg), "columns")
  } else if (inherits(x, c("Matrix", "DelayedMatrix"))) {
    if (!inherits(x, "Matrix")) require_container_package("DelayedArray", x)
    hold(x, "columns", reading(dimnames(x), paste0("{.arg ", arg, "}")))
  } else {
    abort_container(x, arg)
  }
}

abort_container <- function(x, arg) {
  vector <- is.numeric(x) && is.null(dim(x))
  abort_input(c(
    "{.arg {arg}} must be a numeric matrix or a data.frame with samples in rows,
     not {describe(x)}.",
    i = if (inherits(x, "Seurat")) {
      "Convert it first: {.code Seurat::as.SingleCellExperiment({arg})}."
    } else if (vector && arg == "x") {
      "A single feature is a matrix of one column: {.code as.matrix(x)}."
    } else if (vector) {
      "A single sample is a matrix of one row: {.code t({arg})}."
    } else {
      "{.arg help(\"hitmiss-containers\")} lists the others."
    }
  ), arg)
}

count_features <- function(opened) {
  dim(opened$values)[[if (opened$features_in == "rows") 1L else 2L]]
}

count_samples <- function(opened) {
  dim(opened$values)[[if (opened$features_in == "rows") 2L else 1L]]
}

# Returns the columns that a container has for its samples, or NULL.
sample_table <- function(x, of = "x") {
  table <- function(columns, code) {
    list(columns = columns, where = sprintf(code, of))
  }
  if (inherits(x, "MultiAssayExperiment")) {
    table(MultiAssayExperiment::colData(x), "colData(%s)")
  } else if (inherits(x, "SummarizedExperiment")) {
    table(SummarizedExperiment::colData(x), "colData(%s)")
  } else if (inherits(x, "ExpressionSet")) {
    table(Biobase::pData(x), "pData(%s)")
  } else if (inherits(x, "EList")) {
    table(x[["targets"]], "%s$targets")
  } else if (inherits(x, "DGEList")) {
    table(x[["samples"]], "%s$samples")
  }
}

# In a container with sample data, a single string is the name of a column, as
# it is for `y`.
design_column <- function(values, x, arg, of = "x") {
  table <- sample_table(x, of)
  if (is.null(table) || !is.character(values) || length(values) != 1L ||
    is.na(values)) {
    return(values)
  }
  found <- colnames(table$columns)
  if (!values %in% found) {
    abort_input(c(
      "{.arg {table$where}} has no column named {.val {values}}, which
       {.arg {arg}} names.",
      i = "Its columns are {.val {found}}. Or give a vector of values, one for
           each sample."
    ), arg)
  }
  if (sum(found == values) > 1L) {
    abort_input(
      "{.arg {table$where}} has several columns called {.val {values}}.", arg
    )
  }
  table$columns[[values]]
}

# Returns what a container says of its features as a plain table, or NULL.
annotation_of <- function(x) {
  if (inherits(x, "SummarizedExperiment")) {
    plain_annotation(SummarizedExperiment::rowData(x), "rowData(x)")
  } else if (inherits(x, "ExpressionSet")) {
    plain_annotation(Biobase::fData(x), "fData(x)")
  } else if (inherits(x, c("EList", "DGEList"))) {
    plain_annotation(x[["genes"]], "x$genes")
  }
}

# limma's lists hold expressions E (or log ratios), targets of the samples and
# genes; edgeR's hold counts and samples. They are S4 classes that are lists, so
# that reading them needs nothing of limma or edgeR.
list_expressions <- function(x, arg) {
  counts <- inherits(x, "DGEList")
  name <- if (counts) "counts" else "E"
  values <- x[[name]]
  if (!is.matrix(values)) {
    abort_input(
      "{.arg {arg}} is an {.cls {class(x)[[1L]]}} without a matrix
       {.arg {arg}${name}}.", arg
    )
  }
  # Such a list does not keep its tables in the order of its values.
  tables <- c(if (counts) "samples" else "targets", "genes")
  for (table in Filter(\(table) is.data.frame(x[[table]]), tables)) {
    name <- paste0(arg, "$", table)
    check_sample_names(
      row.names(x[[table]]), dimnames(values)[[1L + (table != "genes")]], name,
      of = arg, what = if (table == "genes") "feature" else "sample",
      remedy = paste0(
        "If only its names are wrong, use {.code rownames(", name, ") <- NULL}."
      )
    )
  }
  if (!counts) {
    return(values)
  }
  log_counts(check_numeric_matrix(values, arg), as.list(x[["samples"]]), arg)
}

# Returns log2(c + 1), where c are counts per million of effective library
# sizes. A list that was made by hand may lack these.
log_counts <- function(values, samples, arg) {
  check_numbers_fit(1.5 * length(values), arg)
  if (!are_finite(values) || any(values < 0)) {
    abort_input(
      "{.arg {arg}$counts} must have no missing, infinite or negative values.",
      arg
    )
  }
  size <- samples[["lib.size"]] %||% colSums(values)
  factors <- samples[["norm.factors"]] %||% 1
  million <- if (is.numeric(size) && is.numeric(factors)) size * factors / 1e6
  if (length(million) != ncol(values) || !are_finite(million) ||
    any(million <= 0)) {
    abort_input(
      "{.arg lib.size} times {.arg norm.factors} of {.arg {arg}$samples} must be
       a finite number above 0 for each sample.", arg
    )
  }
  log2(t(t(values) / million) + 1)
}

# The first assay of a single-cell experiment usually has the counts. Features
# are compared on logarithms, so `logcounts` is read where it exists.
usual_assay <- function(x) {
  logged <- inherits(x, "SingleCellExperiment") &&
    "logcounts" %in% SummarizedExperiment::assayNames(x)
  if (logged) "logcounts" else 1L
}

#' Convert the object that holds the numbers to a form that the core can read
#'
#' @param values matrix, Matrix or DelayedMatrix.
#' @return list(values, storage, features_in): a plain matrix, not changed if it
#'   is one already; a dgCMatrix with samples in rows; or blocks, see
#'   blocks.R.
#' @noRd
stored_values <- function(values, features_in, arg) {
  check_valid(values, arg)
  if (inherits(values, "DelayedMatrix")) {
    return(delayed_values(values, features_in, arg))
  }
  if (inherits(values, "sparseMatrix")) {
    return(stored_as("sparse", sparse_by_feature(values, features_in)))
  }
  if (is.data.frame(values)) {
    values <- numeric_columns(values, arg)
  }
  if (inherits(values, "Matrix")) values <- as.matrix(values)
  if (!is.matrix(values)) {
    abort_input(
      "{.arg {arg}} must hold a numeric matrix, not {describe(values)}.", arg
    )
  }
  stored_as("dense", check_numeric_matrix(values, arg), features_in)
}

#' Refuse infinite values, and missing ones unless `missing`
#' @param classes Of the samples, see strata_of().
#' @return Are values missing? Of blocks, this is not known yet.
#' @noRd
check_stored_finite <- function(stored, opened, classes, missing) {
  rows <- opened$features_in == "rows"
  names <- list(opened$samples, opened$features)
  if (rows) names <- rev(names)
  sparse <- stored$storage == "sparse"
  if (!sparse && stored$storage != "dense") {
    return(FALSE)
  }
  entries <- if (sparse) stored$values@x else stored$values
  if (are_finite(entries)) {
    return(FALSE)
  }
  bad <- cpp_not_finite(entries, missing)
  if (bad[[2L]] == 0) {
    return(TRUE)
  }
  first <- bad[[1L]]
  at <- if (sparse) {
    at <- c(stored$values@i[[first]] + 1L,
      findInterval(first - 1L, stored$values@p)
    )
    if (rows) rev(at) else at
  } else {
    arrayInd(first, dim(entries))
  }
  lacking <- if (is.na(entries[[first]])) {
    missing_by_class(
      count_present(stored, classes)$features,
      tabulate(classes, nlevels(classes))
    )
  }
  abort_not_finite("x", at, names, entries[[first]], bad[[2L]], lacking,
    imputable = !sparse && !rows && !is.null(opened$features)
  )
}

#' The requested assay; by default, for a container, the assay from which `made`
#' (a fit or a curve) was made
#' @noRd
assay_or_that_of <- function(assay, made, x) {
  assay %||% if (has_assays(x)) made$assay
}

has_assays <- function(x) {
  inherits(x, c("SummarizedExperiment", "ExpressionSet"))
}

#' One assay of a container, features in rows
#' @return list(values, name).
#' @noRd
container_assay <- function(x, assay) {
  if (inherits(x, "ExpressionSet")) {
    require_container_package("Biobase", x)
    names <- Biobase::assayDataElementNames(x)
    # The environment lists its elements in any order, so `exprs` is put first.
    names <- union(intersect("exprs", names), names)
    name <- names[[assay_index(assay, names)]]
    return(list(values = Biobase::assayDataElement(x, name), name = name))
  }
  require_container_package("SummarizedExperiment", x)
  assays <- SummarizedExperiment::assays(x, withDimnames = FALSE)
  names <- names(assays) %||% rep("", length(assays))
  index <- assay_index(assay, names)
  list(values = assays[[index]], name = names[[index]])
}

assay_index <- function(assay, names) {
  if (length(names) == 0L) {
    abort_input("{.arg x} has no assay.", "x")
  }
  if (is_texts(assay, 1L) && assay %in% names) {
    return(match(assay, names))
  }
  if (is_whole_numbers(assay, 1L, 1, length(names))) {
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
  usable <- vapply(columns, function(column) {
    is.atomic(column) && is.null(dim(column))
  }, NA)
  if (!all(usable)) {
    dropped <- names[!usable]
    inform(
      "{.arg {where}} column{?s} {.val {dropped}} {?is/are} left out of the
       tables: only vectors and factors can be shown.",
      "hitmiss_message_annotation"
    )
  }
  if (!any(usable)) {
    return(NULL)
  }
  annotation <- stats::setNames(columns[usable], names[usable])
  structure(annotation,
    class = "data.frame", row.names = .set_row_names(nrow(table))
  )
}
