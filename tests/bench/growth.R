# Does memory grow? 200 fits and predictions of each selector, in a process of
# its own; resident memory after the last, against that after 200 before
# (compiling R code, caches), must not have grown by 1 %:
#   Rscript tests/bench/growth.R [FITS]
# The C library gives what it holds free back first: how much of that there is
# depends on when R last collected garbage. What the C library says of its heaps
# would not do: threads' libraries map memory past it. Messages are not among
# what is repeated: cli 3.6 keeps about 4 kB of each.
# SPDX-License-Identifier: GPL-3.0-or-later

suppressPackageStartupMessages(library(hitmiss))
arguments <- commandArgs(trailingOnly = TRUE)
fits <- c(as.integer(arguments[grepl("^[0-9]+$", arguments)]), 200L)[[1L]]
one <- arguments[!grepl("^[0-9]+$", arguments)]
warm_up <- 200L

# malloc_trim() of the GNU C library, behind a function that R can call.
give_back <- function() {
  source <- file.path(tempdir(), "give_back.c")
  writeLines(c(
    "#include <malloc.h>",
    "void give_back(int *done) { *done = malloc_trim(0); }"
  ), source)
  built <- system2(file.path(R.home("bin"), "R"),
    c("CMD", "SHLIB", shQuote(source)), stdout = FALSE, stderr = FALSE
  )
  if (built != 0L) {
    cat("Needs a C compiler and the GNU C library.\n")
    quit(status = 77L)
  }
  dyn.load(sub("c$", "so", source))
  function() .C("give_back", 0L)
}

# Kilobytes, after garbage was collected and given back.
resident <- function() {
  for (i in 1:3) gc(FALSE)
  trim()
  line <- grep("^VmRSS:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}

if (!file.exists("/proc/self/status")) {
  cat("Resident memory is read from /proc, which is not here.\n")
  quit(status = 77L)
}

# 30 x 2000 doubles are 0.5 MB: a leaked copy per fit would show as 100 MB.
set.seed(1)
toy <- simulate_microarray(samples = c(15, 15), genes = 2000)
few <- toy$x[, 1:200]
select <- list(
  llfs = function() llfs(few, toy$y, alpha = 2, beta = c(0, 0.5, 1)),
  logo = function() logo(toy$x, toy$y),
  relief = function() relief(toy$x, toy$y),
  parzen = function() relief(toy$x, toy$y, method = "parzen"),
  irelief = function() relief(toy$x, toy$y, method = "irelief"),
  kbfs = function() kbfs(toy$x, toy$y, n = 10),
  pwfp = function() pwfp(toy$x, toy$y)
)

growth <- function(name) {
  for (i in seq_len(warm_up + fits)) {
    suppressWarnings({
      fit <- select[[name]]()
      predict(fit, if (name == "llfs") few else toy$x)
    })
    # Giving back changes how the heap is laid out: the first times do not
    # count.
    if (i %% 50 == 0) now <- resident()
    if (i == warm_up) before <- now
  }
  after <- resident()
  data.frame(
    selector = name, fits, before_mb = round(before / 1024, 1),
    after_mb = round(after / 1024, 1),
    growth_percent = round(100 * (after / before - 1), 2)
  )
}

if (length(one) > 0L) {
  trim <- give_back()
  table <- growth(one)
  print(table, row.names = FALSE)
  quit(status = as.integer(table$growth_percent >= 1))
}
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
failed <- vapply(names(select), function(name) {
  system2(file.path(R.home("bin"), "Rscript"), c(shQuote(script), fits, name))
}, 0L)
quit(status = as.integer(any(failed > 0L)))
