# One process of a battery: Rscript child.R FOLDER BATTERY EXTENT JOURNAL FIRST
# STEP performs the cases FIRST, FIRST + STEP, ... of the battery and writes,
# flushed at once, a line before each and one after it. When it dies or hangs,
# processes.R knows where.
# SPDX-License-Identifier: GPL-3.0-or-later

arguments <- commandArgs(trailingOnly = TRUE)
suppressPackageStartupMessages({
  library(hitmiss)
  library(generics)
})
folder <- arguments[[1L]]
battery <- arguments[[2L]]
source(file.path(folder, paste0(battery, ".R")))
cases <- get(paste0(battery, "_cases"))(folder, arguments[[3L]])
journal <- file(arguments[[4L]], "a")
say <- function(...) {
  text <- gsub("[^ -~]", " ", iconv(paste(...), "", "ASCII", sub = "?"))
  writeLines(substr(text, 1L, 300L), journal)
  flush(journal)
}
# A value that is taken for the name of a file leaves it where nobody looks.
setwd(tempdir())
say("plan", cases$n)
turns <- as.integer(arguments[5:6])
i <- turns[[1L]]
# None, if the last case of all crashed, or the time is over.
while (i <= cases$n && (is.null(cases$until) || Sys.time() < cases$until)) {
  say("start", i)
  set.seed(i)
  say("end", i, paste(cases$perform(i), collapse = " "))
  i <- i + turns[[2L]]
}
say("done")
