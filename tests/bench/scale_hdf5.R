# Writes the HDF5-backed experiments of the out-of-core benchmark.
#   Rscript tests/bench/scale_hdf5.R DIR [features = 500000] [samples = 200]
# DIR/rows.h5: chunks of 100 features x all samples; DIR/default.h5: HDF5Array's
# default chunks. Both gzip level 6, the same numbers (three decimals); class
# "b" is shifted in the first 50 features. DIR/*.rds hold the experiments.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
dir <- args[1]
n_features <- if (length(args) > 1) as.integer(args[2]) else 500000L
n_samples <- if (length(args) > 2) as.integer(args[3]) else 200L
dir.create(dir, showWarnings = FALSE, recursive = TRUE)
suppressMessages(library(HDF5Array))
suppressMessages(library(SummarizedExperiment))

set.seed(1)
group <- factor(rep_len(c("a", "b"), n_samples))
step <- 10000L

write_file <- function(file, chunk) {
  unlink(file)
  sink <- HDF5RealizationSink(c(n_features, n_samples),
    filepath = file, name = "x", chunkdim = chunk, level = 6L
  )
  grid <- RegularArrayGrid(
    dim(sink), c(chunk[1] * ceiling(step / chunk[1]), n_samples)
  )
  first <- 0L
  for (k in seq_along(grid)) {
    rows <- dim(grid[[k]])[1]
    block <- matrix(0, rows, n_samples)
    for (r in seq_len(rows)) {
      # A feature's numbers depend on its index only, not on the chunks.
      set.seed(first + r)
      block[r, ] <- round(rnorm(n_samples), 3)
    }
    shifted <- which(first + seq_len(rows) <= 50)
    block[shifted, group == "b"] <- block[shifted, group == "b"] + 2
    write_block(sink, grid[[k]], block)
    first <- first + rows
  }
  as(sink, "DelayedArray")
}

default <- HDF5Array::getHDF5DumpChunkDim(c(n_features, n_samples))
for (kind in c("rows", "default")) {
  chunk <- if (kind == "rows") c(100L, n_samples) else default
  x <- write_file(file.path(dir, paste0(kind, ".h5")), chunk)
  se <- SummarizedExperiment(list(x = x), colData = DataFrame(group = group))
  saveRDS(se, file.path(dir, paste0(kind, ".rds")))
  cat(kind, "chunks", chunk, "file", round(
    file.size(file.path(dir, paste0(kind, ".h5"))) / 1e6
  ), "MB\n")
}
