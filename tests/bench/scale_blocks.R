# What reading in blocks must not change, and what it may cost.
#   Rscript tests/bench/scale_blocks.R same|failures
#   Rscript tests/bench/scale_blocks.R realise DIR      (DIR of scale_hdf5.R)
# same: scores from a file under eight chunk shapes, three block sizes and one
#   to three threads, against those of the matrix, and passes over the file.
# failures: 100 times a missing value in the last block, a file cut in half,
#   and a good file after them; then a scratch directory that does not exist.
# realise: CPU of as.matrix() and then a fit; scale_fit.R has the fit alone.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
suppressMessages({
  library(hitmiss)
  library(SummarizedExperiment)
  library(HDF5Array)
})

n_samples <- 40L
y <- factor(rep(c("a", "b"), n_samples / 2))

simulated <- function(n_features) {
  set.seed(1)
  x <- matrix(rnorm(n_samples * n_features), n_samples)
  colnames(x) <- paste0("g", seq_len(n_features))
  x[y == "b", 1:20] <- x[y == "b", 1:20] + 2
  x
}

on_disk <- function(x, chunk, path = tempfile(fileext = ".h5")) {
  values <- writeHDF5Array(t(x), path, "x", chunkdim = chunk)
  rownames(values) <- colnames(x)
  SummarizedExperiment(list(values = values), colData = DataFrame(group = y))
}

selectors <- list(
  relief = function(x, y, threads) relief(x, y, "relief", threads = threads),
  relieff = function(x, y, threads) relief(x, y, k = 3, threads = threads),
  irelief = function(x, y, threads) relief(x, y, "irelief", threads = threads),
  map = function(x, y, threads) relief(x, y, "map", threads = threads),
  parzen = function(x, y, threads) relief(x, y, "parzen", threads = threads),
  logo = function(x, y, threads) logo(x, y, threads = threads),
  pwfp = function(x, y, threads) pwfp(x, y, threads = threads),
  kbfs = function(x, y, threads) kbfs(x, y, n = 10, threads = threads),
  llfs = function(x, y, threads) {
    set.seed(1) # rounding draws at random
    llfs(x, y, alpha = 2, threads = threads)
  }
)

same <- function() {
  x <- simulated(60000L)
  plain <- lapply(selectors, function(select) select(x, y, 1)$scores)
  options(hitmiss.realise_memory = 0)
  # Features x samples; NULL is HDF5Array's own choice.
  chunks <- list(
    c(1, n_samples), c(100, n_samples), c(1000, n_samples), c(1000, 10),
    c(4472, 5), NULL, c(10000, 2), c(ncol(x), 1)
  )
  cells <- expand.grid(
    selector = names(selectors), threads = 1:3, block = c(2048, 8192, 50000),
    chunk = seq_along(chunks), stringsAsFactors = FALSE
  )
  files <- lapply(chunks, function(chunk) on_disk(x, chunk))
  runs <- lapply(seq_len(nrow(cells)), function(i) {
    cell <- cells[i, ]
    options(hitmiss.block_memory = 8 * n_samples * cell$block)
    fit <- selectors[[cell$selector]](
      files[[cell$chunk]], "group", cell$threads
    )
    list(
      same = identical(fit$scores, plain[[cell$selector]]),
      passes = fit$report$passes
    )
  })
  source <- vapply(runs, function(run) run$passes[["source"]], 0)
  scratch <- vapply(runs, function(run) run$passes[["scratch"]], 0)
  cat(sprintf(
    "same: %d of %d fits identical to the matrix; passes over the file %s\n",
    sum(vapply(runs, `[[`, NA, "same")), nrow(cells), toString(unique(source))
  ))
  most <- tapply(scratch, cells$selector, max)
  cat("passes over scratch:", paste(names(most), signif(most, 3)), "\n")
}

failures <- function() {
  x <- simulated(60000L)
  few <- x[, 1:5000]
  missing <- x
  missing[5, ncol(x)] <- NA
  missing <- on_disk(missing, c(100, n_samples))
  path <- tempfile(fileext = ".h5")
  cut <- on_disk(few, c(100, n_samples), path)
  bytes <- readBin(path, "raw", file.size(path))
  bytes[(length(bytes) %/% 2):length(bytes)] <- as.raw(0)
  writeBin(bytes, path)
  good <- on_disk(few, c(100, n_samples))
  expected <- selectors$relieff(few, y, 2)$scores
  options(
    hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * n_samples * 2048
  )
  failed <- function(x) {
    tryCatch(selectors$relieff(x, y, 2), error = identity)
  }
  counts <- rowSums(vapply(1:100, function(i) {
    c(
      missing = inherits(failed(missing), "hitmiss_error_input"),
      cut = inherits(failed(cut), "hitmiss_error_read"),
      good = identical(selectors$relieff(good, y, 2)$scores, expected)
    )
  }, logical(3)))
  cat(sprintf(
    paste(
      "failures: of 100, NA refused %d, cut file classed %d,",
      "next fit right %d; scratch left %d\n"
    ),
    counts[["missing"]], counts[["cut"]], counts[["good"]],
    length(list.files(tempdir(), "^hitmiss-"))
  ))
  cat(
    conditionMessage(failed(missing)), conditionMessage(failed(cut)), sep = "\n"
  )
  options(hitmiss.scratch_dir = tempfile())
  cat(conditionMessage(failed(good)), "\n")
}

realise <- function(dir) {
  cpu <- function(expr) sum(system.time(expr)[1:2])
  for (kind in c("default", "rows")) {
    se <- readRDS(file.path(dir, paste0(kind, ".rds")))
    invisible(as.matrix(assay(se)[1:2, 1:2]))
    read <- cpu(values <- as.matrix(assay(se)))
    held <- SummarizedExperiment(list(values = values), colData = colData(se))
    cat(sprintf(
      paste(
        "realise, %s chunks: as.matrix %.2f s CPU, then logo %.2f,",
        "relieff %.2f\n"
      ),
      kind, read, cpu(logo(held, "group", threads = 1)),
      cpu(relief(held, "group", threads = 1))
    ))
    rm(values, held)
  }
}

switch(args[1],
  same = same(), failures = failures(), realise = realise(args[2])
)
