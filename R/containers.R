# The help topic on what the selectors and predict() take as data.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Containers: what holds the data
#'
#' Every fitting function and [predict()][predict.hitmiss] take the same
#' containers, and give the same fit for the same numbers: to the last bit, or
#' to rounding (1e-10) for large sparse matrices, where [relief()] and [logo()]
#' sum the nonzero values alone (from 2^27 pairs of samples times features on;
#' that is many times faster than the sums over all values).
#'
#' @section Samples in rows:
#' * a numeric or logical matrix: used where it lies, never copied whole;
#' * a data.frame (or Bioconductor's `DataFrame`) of numeric columns, and the
#'   formula `class ~ .` with `data`: one copy;
#' * a sparse matrix of package Matrix: never made dense as a whole;
#' * a `DelayedMatrix`.
#' @section Features in rows:
#' * `SummarizedExperiment` and what extends it, with an assay that is a matrix,
#'   sparse, or delayed (HDF5-backed, with operations such as `log2()` or
#'   subsets); `y` may name a column of `colData`;
#' * `ExpressionSet`; `y` may name a column of `pData`;
#' * `EList` of limma; `y` may name a column of `targets`, and the columns of
#'   `genes` are the annotation.
#'
#' `assay` is the name or number of the assay; [predict()][predict.hitmiss]
#' takes the same one from new data. The plain columns of `rowData` or `fData`
#' appear in the tables of the fit (renamed by [make.unique()] where they would
#' clash with `rank`, `feature`, `score`, `selected`, `highest` or
#' `difference`).
#'
#' A `MultiAssayExperiment` is refused: choose one of its experiments.
#'
#' @section Data larger than memory:
#' A delayed assay of up to 256 MB is read into memory. A larger one is read
#' once, in blocks of features, and copied to a scratch file (8 bytes per value)
#' from which all passes of the method read; `report$passes` of the fit says how
#' often. Results are the same to the last bit. [relief()], [logo()] and
#' [kbfs()] then need memory for a few blocks and some vectors as long as the
#' features, [pwfp()] for 32 samples per thread; [kbfs()] keeps Gram columns,
#' and [pwfp()] a copy of the data by samples, in scratch files of their own.
#' [llfs()], and [kbfs()] with `manifold` above 0, hold a copy of all values
#' while they run.
#'
#' Of data in memory, [kbfs()] puts Gram columns into a scratch file too if they
#' may take more than the data and 64 MB: on top of the data it needs 1.2 times
#' their size at most, and up to 64 MB where they are smaller.
#'
#' A file is read fastest if its chunks hold all samples of some features:
#' `HDF5Array::writeHDF5Array(x, chunkdim = c(100, ncol(x)))`.
#' @section Options:
#' * `hitmiss.realise_memory`: bytes up to which a delayed assay is read into
#'   memory; default 2^28.
#' * `hitmiss.block_memory`: bytes of a block; default 2^25. A block has at
#'   least one row of the file's chunks.
#' * `hitmiss.scratch_dir`: where scratch files go; default [tempdir()]. They
#'   are removed even after a crash. If one cannot lie there, the data are read
#'   into memory, with a message, or refused if they do not fit.
#' * `hitmiss.max_memory`: bytes of working memory that may be asked for;
#'   default 80 percent of what is free.
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
