# Layer: input. The help topic on what the selectors and predict() take as data.
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
#' * a numeric or logical matrix: used in place, never copied as a whole;
#' * a data.frame (or Bioconductor's `DataFrame`) of numeric columns, and the
#'   formula `class ~ .` with `data`: one copy;
#' * a sparse matrix of package Matrix: never made dense as a whole;
#' * a `DelayedMatrix`.
#' @section Features in rows:
#' * `SummarizedExperiment` and classes that extend it, with an assay that is a
#'   matrix, sparse, or delayed (HDF5-backed, with operations such as `log2()`
#'   or subsets); `y` may name a column of `colData`;
#' * `ExpressionSet`; `y` may name a column of `pData`;
#' * `EList` of limma; `y` may name a column of `targets`, and the columns of
#'   `genes` are the annotation;
#' * `DGEList` of edgeR, taken as logarithms of counts per million with its
#'   normalisation factors, as `edgeR::cpm(x, log = TRUE)` has them; `y` may
#'   name a column of `samples`.
#'
#' `assay` is the name or number of the assay (by default the first, and
#' `logcounts` of a `SingleCellExperiment` that has it);
#' [predict()][predict.hitmiss] uses the same assay of new data. The columns of
#' `rowData` or `fData` appear in the tables of the fit.
#'
#' A `MultiAssayExperiment` is refused with an error: choose one of its
#' experiments. So is a `Seurat` object: convert it by
#' `Seurat::as.SingleCellExperiment()`. Raw counts of samples of different
#' sequencing depth are taken with a message of class `hitmiss_message_counts`.
#'
#' @section Data larger than memory:
#' A delayed assay of up to 256 MB is read into memory. A larger one is copied
#' once, in blocks of features, to a scratch file (8 bytes per value), from
#' which the method reads. [relief()], [logo()] and [kbfs()] then need memory
#' for a few blocks and some vectors with one element per feature, and [pwfp()]
#' for 32 samples per thread; [llfs()], and [kbfs()] with `manifold` above 0,
#' keep a copy of all values in memory while they run.
#'
#' [kbfs()] stores columns of the Gram matrix in another scratch file, also for
#' data in memory if the columns may take more than the data and more than 64
#' MB; [pwfp()] a copy of the data.
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
#' @return A fit is the same from every container of the same data.
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

#' Patients, pairs and batches
#'
#' All selectors and evaluations take `group`, `pair` and `block`: one value per
#' sample, as a vector or as the name of a column of a container's samples.
#'
#' @details
#' * `group`: the patient, donor or animal, where one of them has several
#'   samples. Samples of one group are never compared: a replicate is not a near
#'   hit. Evaluations never split a group between training and test parts.
#' * `pair`: the matched pair (tumour and normal of one patient, case and
#'   controls of one set). The mean of its pair is subtracted from every value
#'   before scaling, and samples of one pair are not compared. Each pair must
#'   hold two classes; not together with `block` or `group`. Such a fit predicts
#'   whole pairs: `predict(fit, new, pair = )`.
#' * `block`: the batch, chip or cohort. Only samples of the same block are
#'   compared, so that effects that are constant in a block, such as a batch
#'   shift, cancel. Scaling uses all samples. `block` does not increase power:
#'   where a class lies mostly in one batch, few pairs are left.
#'
#' A sample that may be compared with no sample of its own class uses its near
#' misses alone; one without any near miss is left out, with one warning.
#' Prediction ignores the design: new samples are compared with all training
#' samples.
#'
#' @section Several samples per patient:
#' If one sample of a patient (or donor, animal, cell line) is in the training
#' part and another in the test part, a classifier recognises the patient. Give
#' the patient as `group`:
#' \preformatted{error_curve(x, y, list(relief = relief), sizes = c(10, 20, 50),
#' resampling = kfold(5), group = patient)} The table shows the error for 30
#' patients of 3 samples each, 500 features that distinguish patients, and
#' labels drawn at random per patient, so that the true error is 50 % (40 data
#' sets, `tests/bench/patients.R`).
#'
#' | | error (standard error) |
#' |---|---|
#' | `kfold(5)` | 11.7 % (0.5) |
#' | `kfold(5)`, `group = patient` | 50.2 % (1.3) |
#' | `leave_one_out()`, `group = patient` | 48.3 % (1.8) |
#' | five folds by `rsample::group_vfold_cv()` | 49.0 % (1.5) |
#' | `kfold(5)`, `nested = kfold(3)`, `group = patient` | 50.3 % (1.6) |
#'
#' [stability()] and [probe_fdr()] go wrong in the same way without groups: on
#' such noise all of the best 200 features are discoveries at q = 0.1 (10 data
#' sets); with `group` none is. If `group` is not given, but the names of the
#' samples or a column such as `patient` or `donor` suggest it, a message of
#' class `hitmiss_message_group` says so.
#'
#' If a patient has samples of several classes (tumour and normal), `group`
#' compares only samples of different patients. To compare samples within
#' patients, give `pair`.
#'
#' @return None: this page is about arguments.
#' @name hitmiss-designs
#' @examples
#' toy <- simulate_microarray(samples = c(12, 12), genes = 100)
#' patient <- rep(1:12, each = 2)
#' fit <- relief(toy$x, toy$y, group = patient, threads = 1)
#' selected(fit, 5)
NULL
