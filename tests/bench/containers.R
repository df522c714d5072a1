# The table of containers: does every selector give the matrix's fit?
#   Rscript tests/bench/containers.R [DATA = ../shared/data] [features = 500]
# On the first features of the SRBCT microarray (60 training samples): for each
# container and selector "same" if scores and predictions of the other samples
# are identical to those of the matrix, else the largest difference of scores
# relative to the largest score (and "class" if a prediction differs).
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
if (!length(args) || !dir.exists(args[1])) args <- c("../shared/data", args)
n_features <- if (length(args) > 1) as.integer(args[2]) else 500L
suppressMessages(library(hitmiss))
suppressMessages(library(SummarizedExperiment))
suppressMessages(library(HDF5Array))

data <- readRDS(file.path(args[1], "srbct.rds"))
x <- data$x[, seq_len(n_features)]
y <- data$y
if (is.null(colnames(x))) colnames(x) <- paste0("g", seq_len(n_features))
rownames(x) <- paste0("s", seq_len(nrow(x)))
counts <- round(pmax(x - 1.5, 0)) # many zeros
train <- seq_len(60)

selectors <- list(
  relieff = function(x, y) relief(x, y, threads = 2),
  relief = function(x, y) relief(x, y, method = "relief", threads = 2),
  map = function(x, y) relief(x, y, method = "map", threads = 2),
  irelief = function(x, y) relief(x, y, method = "irelief", threads = 2),
  parzen = function(x, y) {
    relief(x, y, method = "parzen", bandwidth = 0.1, threads = 2)
  },
  logo = function(x, y) logo(x, y, threads = 2),
  kbfs = function(x, y) kbfs(x, y, n = 30, threads = 2),
  pwfp = function(x, y) pwfp(x, y, threads = 2),
  llfs = function(x, y) llfs(x, y, alpha = 10, threads = 2)
)
experiment <- function(values) {
  SummarizedExperiment(list(values), colData = DataFrame(y = y))
}
disk <- function(values, chunk) {
  file <- tempfile(fileext = ".h5")
  on_disk <- writeHDF5Array(values, file, "x", chunkdim = chunk)
  dimnames(on_disk) <- dimnames(values)
  on_disk
}
containers <- function(x) {
  wide <- t(x)
  list(
    data.frame = data.frame(x, check.names = FALSE),
    dgCMatrix = Matrix::Matrix(x, sparse = TRUE),
    ExpressionSet = Biobase::ExpressionSet(wide, Biobase::AnnotatedDataFrame(
      data.frame(y = y, row.names = rownames(x))
    )),
    "SE matrix" = experiment(wide),
    "SE dgCMatrix" = experiment(Matrix::Matrix(wide, sparse = TRUE)),
    "SE HDF5" = experiment(disk(wide, c(100, nrow(x)))),
    "SE HDF5 delayed" = experiment(log2(disk(wide, c(100, nrow(x))) + 20) / 3),
    "SE HDF5 blocks" = experiment(disk(wide, c(100, nrow(x)))),
    "SE HDF5 columns" = experiment(disk(wide, c(ncol(x), 5)))
  )
}

verdict <- function(name, whole, kind, x) {
  matrix_of <- if (kind == "SE HDF5 delayed") log2(x + 20) / 3 else x
  rows <- kind %in% c("data.frame", "dgCMatrix")
  part <- function(i) if (rows) whole[i, ] else whole[, i]
  blocks <- kind %in% c("SE HDF5 blocks", "SE HDF5 columns")
  options(
    hitmiss.realise_memory = if (blocks) 0,
    hitmiss.block_memory = if (blocks) 8 * 60 * 110
  )
  set.seed(1)
  fit <- suppressWarnings(
    selectors[[name]](part(train), if (rows) y[train] else "y")
  )
  options(hitmiss.realise_memory = NULL, hitmiss.block_memory = NULL)
  set.seed(1)
  expected <- suppressWarnings(selectors[[name]](matrix_of[train, ], y[train]))
  same_class <- identical(
    predict(fit, part(-train)), predict(expected, matrix_of[-train, ])
  )
  difference <- max(abs(
    fit$scores - expected$scores
  )) / max(abs(expected$scores))
  paste0(
    if (identical(fit$scores, expected$scores)) {
      "same"
    } else {
      format(difference, digits = 1)
    },
    if (!same_class) " CLASS"
  )
}

for (set in c("log ratios", "counts")) {
  values <- if (set == "counts") counts else x
  cat(sprintf("\n%s, %.0f %% zeros\n", set, 100 * mean(values == 0)))
  each <- containers(values)
  table <- vapply(names(selectors), function(name) {
    vapply(
      names(each), function(kind) verdict(name, each[[kind]], kind, values), ""
    )
  }, character(length(each)))
  print(noquote(table))
}
