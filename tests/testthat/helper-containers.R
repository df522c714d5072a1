# The same data in every container.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_without <- function(...) {
  for (package in c(...)) skip_if_not_installed(package)
}

# 24 samples of 60 features; a third of them counts with many zeros.
container_data <- function() {
  withr::with_seed(5, {
    y <- factor(rep(c("case", "control", "other"), 8))
    x <- matrix(abs(rnorm(24 * 60)), 24) + outer(as.integer(y), 1:60 <= 6)
    x[, 41:60] <- rpois(24 * 20, 0.3)
  })
  dimnames(x) <- list(paste0("patient-", 1:24), paste0(1:60, "_at/x"))
  list(x = x, y = y)
}

container_selectors <- list(
  relieff = function(x, y, ...) relief(x, y, k = 3, ..., threads = 2),
  parzen = function(x, y, ...) {
    relief(x, y, method = "parzen", bandwidth = 0.1, ..., threads = 2)
  },
  irelief = function(x, y, ...) {
    relief(x, y, method = "irelief", ..., threads = 2)
  },
  logo = function(x, y, ...) logo(x, y, lambda = 0.2, ..., threads = 2),
  kbfs = function(x, y, ...) kbfs(x, y, n = 8, ..., threads = 2),
  pwfp = function(x, y, ...) pwfp(x, y, ..., threads = 2),
  llfs = function(x, y, ...) llfs(x, y, alpha = 3, ..., threads = 2)
)

as_experiment <- function(values, data) {
  SummarizedExperiment::SummarizedExperiment(
    list(first = values),
    colData = S4Vectors::DataFrame(group = data$y),
    rowData = S4Vectors::DataFrame(symbol = paste0("G", 1:60))
  )
}

containers <- function(data, dir) {
  wide <- t(data$x)
  on_disk <- HDF5Array::writeHDF5Array(wide, file.path(dir, "x.h5"), "x",
    chunkdim = c(7, 5)
  )
  dimnames(on_disk) <- dimnames(wide)
  logged <- on_disk
  list(
    data.frame = data.frame(data$x, check.names = FALSE),
    dgCMatrix = Matrix::Matrix(data$x, sparse = TRUE),
    RsparseMatrix = methods::as(
      Matrix::Matrix(data$x, sparse = TRUE), "RsparseMatrix"
    ),
    DataFrame = S4Vectors::DataFrame(data$x, check.names = FALSE),
    DelayedMatrix = t(on_disk),
    ExpressionSet = Biobase::ExpressionSet(wide,
      phenoData = Biobase::AnnotatedDataFrame(
        data.frame(group = data$y, row.names = colnames(wide))
      )
    ),
    `SE, matrix` = as_experiment(wide, data),
    `SE, sparse` = as_experiment(Matrix::Matrix(wide, sparse = TRUE), data),
    `SE, delayed sparse` = as_experiment(
      DelayedArray::DelayedArray(Matrix::Matrix(wide, sparse = TRUE)), data
    ),
    `SE, HDF5` = as_experiment(on_disk, data)
  )
}
