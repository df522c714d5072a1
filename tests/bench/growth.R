# Does memory grow? 200 fits and predictions of each selector, in a process of
# its own. What the program holds of the C library's heaps, all threads', after
# garbage was collected, must not have grown by 1 % since 200 fits before:
#   Rscript tests/bench/growth.R [FITS]
# Resident memory stands beside it. It also has what the heaps keep between live
# blocks, which depends on when R collects and threads run: it jumps by
# megabytes, in either direction, where nothing is leaked. Messages are not among
# what is repeated: cli 3.6 keeps about 4 kB of each.
# SPDX-License-Identifier: GPL-3.0-or-later

suppressPackageStartupMessages(library(hitmiss))
arguments <- commandArgs(trailingOnly = TRUE)
fits <- c(as.integer(arguments[grepl("^[0-9]+$", arguments)]), 200L)[[1L]]
one <- arguments[!grepl("^[0-9]+$", arguments)]
warm_up <- 200L

# malloc_info() of the GNU C library, behind a function that R can call.
heap_report <- function() {
  source <- file.path(tempdir(), "heap_report.c")
  writeLines(c(
    "#include <malloc.h>", "#include <stdio.h>",
    "void heap_report(char **path) {",
    "  FILE *file = fopen(path[0], \"w\");",
    "  malloc_trim(0); malloc_info(0, file); fclose(file); }"
  ), source)
  built <- system2(file.path(R.home("bin"), "R"),
    c("CMD", "SHLIB", shQuote(source)), stdout = FALSE, stderr = FALSE
  )
  if (built != 0L) {
    cat("Needs a C compiler and the GNU C library.\n")
    quit(status = 77L)
  }
  dyn.load(sub("c$", "so", source))
  function() {
    path <- tempfile()
    .C("heap_report", path)
    readLines(path)
  }
}

# Megabytes: `held`, what the program has from all heaps and by mmap;
# `resident`, what the system counts.
memory <- function() {
  for (i in 1:3) gc(FALSE)
  report <- report_heaps()
  # The totals follow the single heaps.
  totals <- utils::tail(report, length(report) - max(grep("</heap>", report)))
  size <- function(pattern) {
    line <- grep(pattern, totals, value = TRUE)
    sum(as.numeric(sub('.*size="([0-9]+)".*', "\\1", line)))
  }
  held <- size('system type="current"') + size('total type="mmap"') -
    size('total type="(fast|rest)"')
  line <- grep("^VmRSS:", readLines("/proc/self/status"), value = TRUE)
  c(held = held / 2^20, resident = as.numeric(gsub("[^0-9]", "", line)) / 1024)
}

if (!file.exists("/proc/self/status")) {
  cat("Resident memory is read from /proc, which is not here.\n")
  quit(status = 77L)
}

# 30 x 2000 doubles are 0.5 MB: a leaked copy per fit would show as 100 MB.
set.seed(1)
toy <- simulate_microarray(n = c(15, 15), genes = 2000)
few <- toy$x[, 1:200]
select <- list(
  llfs = function() llfs(few, toy$y, alpha = 2, beta = c(0, 0.5, 1)),
  logo = function() logo(toy$x, toy$y),
  relief = function() relief(toy$x, toy$y),
  parzen = function() relief(toy$x, toy$y, method = "parzen"),
  irelief = function() relief(toy$x, toy$y, method = "irelief"),
  kbfs = function() kbfs(toy$x, toy$y, n_features = 10),
  pwfp = function() pwfp(toy$x, toy$y)
)

growth <- function(name) {
  for (i in seq_len(warm_up + fits)) {
    suppressWarnings({
      fit <- select[[name]]()
      predict(fit, if (name == "llfs") few else toy$x)
    })
    # The first look itself leaves R with a megabyte more.
    if (i == warm_up / 2) memory()
    if (i == warm_up) before <- memory()
  }
  after <- memory()
  data.frame(
    selector = name, fits, held_before = before[["held"]],
    held_after = after[["held"]],
    growth_percent = 100 * (after[["held"]] / before[["held"]] - 1),
    resident_before = before[["resident"]], resident_after = after[["resident"]]
  )
}

if (length(one) > 0L) {
  report_heaps <- heap_report()
  table <- growth(one)
  print(format(table, digits = 2, nsmall = 2), row.names = FALSE)
  quit(status = as.integer(table$growth_percent >= 1))
}
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
failed <- vapply(names(select), function(name) {
  system2(file.path(R.home("bin"), "Rscript"), c(shQuote(script), fits, name))
}, 0L)
quit(status = as.integer(any(failed > 0L)))
