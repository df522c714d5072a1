# Runs a part of a script and compares its tables with the stored ones.
# Usage: Rscript check.R SCRIPT.R PART [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
given <- c(commandArgs(TRUE), "../shared/data")
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "common.R"))
output <- tempfile("check")
seconds <- system.time(system2(file.path(R.home("bin"), "Rscript"), shQuote(
  c(file.path(folder, given[[1L]]), given[[3L]], output, given[[2L]])
), stdout = FALSE))
cat(sprintf("%.1f CPU seconds\n", sum(seconds[4:5])))
if (length(dir(output)) == 0L) stop("the part made no table", call. = FALSE)

# Columns that no two runs have the same.
vary <- "^cpu$|seconds|^ms|times_faster"
for (name in dir(output, "[.]csv$")) {
  new <- read_table(file.path(output, name))
  old <- read_table(file.path(folder, "results", name))
  # The first columns that tell the stored rows apart are their key.
  n <- match(TRUE, vapply(seq_along(old), \(k) !anyDuplicated(old[1:k]), NA))
  key <- function(rows) do.call(paste, rows[names(old)[1:n]])
  at <- match(key(new), key(old))
  both <- intersect(names(old)[vapply(old, is.numeric, NA)], names(new))
  off <- vapply(both[!grepl(vary, both)], function(column) {
    max(0, abs(new[[column]] - old[[column]][at]), na.rm = TRUE)
  }, 0)
  cat(sprintf(
    "%s: %d of %d rows are stored; largest difference %.2g (%s)\n", name,
    sum(!is.na(at)), nrow(new), max(off), names(off)[[which.max(off)]]
  ))
}
