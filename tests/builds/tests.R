# Some of the package's tests, against the build in a library.
#   Rscript tests/builds/tests.R LIBRARY FILE FILTER
# SPDX-License-Identifier: GPL-3.0-or-later

arguments <- commandArgs(TRUE)
library(hitmiss, lib.loc = arguments[[1L]])
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
parts <- file.path(dirname(script), "..", "..", "inst", "scripts")
for (part in c("layer", "package")) {
  source(file.path(parts, paste0("test-", part, ".R")))
}
root <- file.path(dirname(script), "..", "..")
saveRDS(run_testthat(root, arguments[[3L]]), arguments[[2L]])
