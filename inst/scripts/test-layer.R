# What layers are made of: see test.R.
# SPDX-License-Identifier: GPL-3.0-or-later

#' What a layer found.
counts <- function(passed = 0L, failed = 0L, skipped = 0L, note = "") {
  list(
    passed = as.integer(passed), failed = as.integer(failed),
    skipped = as.integer(skipped), note = note
  )
}

skip_layer <- function(why) counts(skipped = 1L, note = why)

# From a logical vector of cases; prints the names of those that failed.
tally <- function(fine, note = "") {
  if (!all(fine)) cat("failed:", names(fine)[!fine], sep = "\n  ")
  counts(sum(fine), sum(!fine), note = note)
}

#' A layer that runs an R script of the checkout; 0 is passed, 77 skipped.
script_layer <- function(path, ...) {
  function(root) {
    file <- file.path(root, path)
    if (!file.exists(file)) {
      return(skip_layer(paste("there is no", path)))
    }
    status <- in_folder(root, system2(
      file.path(R.home("bin"), "Rscript"), c(shQuote(file), ...)
    ))
    if (status == 77L) {
      return(skip_layer("a tool is missing, see above"))
    }
    counts(status == 0L, status != 0L)
  }
}

# Evaluates `expr` (lazily) with another working directory.
in_folder <- function(folder, expr) {
  old <- setwd(folder)
  on.exit(setwd(old))
  expr
}
