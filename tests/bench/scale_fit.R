# One fit on one of scale_hdf5.R's experiments: CPU time, peak memory, passes.
#   Rscript tests/bench/scale_fit.R DIR rows|default|memory METHOD [threads = 1]
# METHOD: relieff, parzen, logo, kbfs, pwfp. "memory": the same numbers as a
# matrix that is there already. Peak: VmHWM after the fit minus VmRSS before,
# with the packages loaded and one tiny block read.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
dir <- args[1]
kind <- args[2]
method <- args[3]
threads <- if (length(args) > 3) as.integer(args[4]) else 1L
library(hitmiss)
suppressMessages(library(SummarizedExperiment))
suppressMessages(library(HDF5Array))

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "scale_common.R"))
select <- global_selector(method, threads)
se <- readRDS(file.path(
  dir, paste0(if (kind == "memory") "rows" else kind, ".rds")
))
x <- if (kind == "memory") t(as.matrix(assay(se))) else se
y <- se$group
if (kind != "memory") invisible(as.matrix(assay(se)[1:2, 1:2]))
invisible(suppressWarnings(
  select(matrix(rnorm(60), 20), factor(rep(1:2, 10)))
))
run <- measure(select(x, y))
fit <- run$value
passes <- fit$report$passes
cat(sprintf(
  paste(
    "%s %s threads %d: CPU %.2f s, elapsed %.2f s, peak %.0f MB,",
    "iterations %s, selected %d%s, sum %.15g\n"
  ),
  method, kind, threads, run$cpu, run$elapsed, run$peak,
  fit$report$iterations, length(fit$selected),
  if (is.null(passes)) {
    ""
  } else {
    sprintf(", passes source %g scratch %.2f", passes[1], passes[2])
  },
  sum(fit$scores)
))
