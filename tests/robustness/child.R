# One process of the battery: Rscript child.R FOLDER WHOLE JOURNAL FIRST STEP
# performs the calls FIRST, FIRST + STEP, ... of the plan, WHOLE or not, and writes,
# flushed at once, a line before each and one after it. When it dies or hangs, run.R
# knows where.
# SPDX-License-Identifier: GPL-3.0-or-later

arguments <- commandArgs(trailingOnly = TRUE)
suppressPackageStartupMessages({
  library(hitmiss)
  library(generics)
})
folder <- arguments[[1L]]
source(file.path(folder, "battery.R"))
load_battery(folder)
grDevices::pdf(NULL)
valid <- valid_calls()
values <- bad_values()
plan <- battery_plan(valid, values, as.logical(arguments[[2L]]))
# Default methods, and those for what cannot be drawn, only refuse: NULL here.
expected <- lapply(valid, function(call) {
  tryCatch(
    {
      suppressWarnings(utils::capture.output(value <- perform(call)))
      list(class = class(value), missing = missing_numbers(value))
    },
    hitmiss_error = function(e) if (!call$refused) stop(e)
  )
})
targets <- vapply(valid, `[[`, "", "target")
journal <- file(arguments[[3L]], "a")
say <- function(...) {
  text <- gsub("[^ -~]", " ", iconv(paste(...), "", "ASCII", sub = "?"))
  writeLines(substr(text, 1L, 300L), journal)
  flush(journal)
}
say("plan", nrow(plan))
turns <- as.integer(arguments[4:5])
# None, if the last call of all crashed.
mine <- seq_len(nrow(plan)) - turns[[1L]]
for (i in which(mine >= 0L & mine %% turns[[2L]] == 0L)) {
  say("start", i)
  call <- planned_call(plan, i, valid, values)
  set.seed(i)
  outcome <- judge(call, expected[targets == call$target])
  say("end", i, paste(outcome, collapse = " "))
}
say("done")
