# The robustness battery: Rscript tests/robustness/run.R [--long] [LIBRARY]
# Every function that users can call, every argument in turn left out or
# replaced by each value of bad_values.R, in child processes with a limit on
# memory and, per call, on time. Right are a result like the valid call's, or a
# condition of class hitmiss_error.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @return A data.frame with a row per call: target, argument, value, outcome,
#'   detail, acceptable.
run_battery <- function(folder, every) {
  workers <- run_children(folder, "battery", every)
  source(file.path(folder, "battery.R"), globalenv())
  load_battery(folder)
  plan <- battery_plan(valid_calls(), bad_values(), every)
  ends <- journal_ends(workers)
  plan$outcome <- plan$detail <- rep("lost", nrow(plan))
  plan$outcome[ends$at] <- ends$outcome
  plan$detail[ends$at] <- ends$detail
  plan$target <- vapply(valid_calls(), `[[`, "", "target")[plan$valid]
  plan$acceptable <- plan$outcome %in% c("result", "refused")
  plan
}

outcome_note <- function(outcome) {
  kinds <- table(outcome$outcome)
  refused <- outcome$outcome == "refused" &
    outcome$argument != "no_such_argument"
  paste0(
    paste(kinds, names(kinds), collapse = ", "), "; ",
    round(100 * mean((outcome$detail == outcome$argument)[refused])),
    "% of the refusals name the replaced argument"
  )
}

# Those whose every call was refused: methods for what is not ours, functions
# whose package is not installed.
print_idle <- function(outcome) {
  by_target <- split(outcome$outcome, outcome$target)
  idle <- vapply(by_target, \(ends) all(ends == "refused"), NA)
  cat(
    "no result came from", toString(names(which(idle))),
    "(other objects' methods, or a package is not installed)\n"
  )
}

print_outcome <- function(outcome) {
  print_idle(outcome)
  print_unacceptable(outcome, function(bad) {
    sprintf("%s: %s = %s", bad$target, bad$argument, bad$value)
  })
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  folder <- normalizePath(dirname(script))
  source(file.path(folder, "processes.R"))
  given <- commandArgs(trailingOnly = TRUE)
  use_library(setdiff(given, "--long"))
  outcome <- run_battery(folder, if ("--long" %in% given) 1L else 6L)
  print_outcome(outcome)
  cat(nrow(outcome), "calls:", outcome_note(outcome), "\n")
  quit(status = as.integer(any(!outcome$acceptable)))
}
