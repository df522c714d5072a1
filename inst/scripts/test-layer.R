# What layers are made of: see test.R.
# SPDX-License-Identifier: GPL-3.0-or-later

#' What a layer found.
#' @param of What is counted: an assertion of testthat is less than a call of a
#'   battery, in a process of its own.
counts <- function(passed = 0L, failed = 0L, skipped = 0L, note = "",
                   of = "checks") {
  list(
    passed = as.integer(passed), failed = as.integer(failed),
    skipped = as.integer(skipped), note = note, of = of
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
    status <- withr::with_dir(root, system2(
      file.path(R.home("bin"), "Rscript"), c(shQuote(file), ...)
    ))
    if (status == 77L) {
      return(skip_layer("a tool is missing, see above"))
    }
    counts(status == 0L, status != 0L)
  }
}

#' A row of the table of layers.
#' @param time Of proc_time(): by the clock, and of processors.
layer_row <- function(layer, counts, time = c(NA, NA)) {
  data.frame(
    layer, cases = counts$passed + counts$failed, of = counts$of,
    failures = counts$failed, skipped = counts$skipped,
    seconds = round(time[[1L]], 1L), cpu = round(time[[2L]], 1L),
    note = counts$note
  )
}

#' Seconds by the clock, and of processors: this process' and its children's
#' that have ended. The second hardly depends on what else the machine does.
proc_time <- function() {
  time <- proc.time()
  c(time[["elapsed"]], sum(time[c(1L, 2L, 4L, 5L)]))
}

#' Runs a layer, or a list of such, for their rows of the table.
run_layer <- function(name, layer, root) {
  if (is.list(layer)) {
    return(do.call(rbind, unname(Map(run_layer, names(layer), layer, root))))
  }
  cat("\n== ", name, "\n", sep = "")
  started <- proc_time()
  counts <- tryCatch(layer(root), error = function(e) {
    cat("The layer itself failed:", conditionMessage(e), "\n")
    counts(failed = 1L)
  })
  if (nzchar(counts$note)) cat(counts$note, "\n")
  layer_row(name, counts, proc_time() - started)
}
