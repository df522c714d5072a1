# The package: testthat, the contract battery, the robustness battery.
# SPDX-License-Identifier: GPL-3.0-or-later

run_testthat <- function(root, filter) {
  results <- as.data.frame(testthat::test_dir(
    file.path(root, "tests", "testthat"),
    filter = filter, perl = TRUE,
    package = "hitmiss", load_package = "installed", stop_on_failure = FALSE,
    reporter = testthat::CheckReporter$new()
  ))
  # Where the next saving of time is.
  spent <- results$user + results$system
  dear <- utils::head(order(-spent), 10L)
  cat(sprintf(
    "%.1f s in %s, %s\n", spent[dear], results$file[dear], results$test[dear]
  ), sep = "")
  # A warning fails too: a new snapshot is one, and compares nothing.
  counts(
    sum(results$passed),
    sum(results$failed, results$error, results$warning),
    sum(results$skipped), of = "assertions"
  )
}

testthat_layer <- function(root) {
  run_testthat(root, "^(?!selector-contract$|.*plot)")
}

pictures_layer <- function(root) run_testthat(root, "plot")

contract_layer <- function(root) run_testthat(root, "^selector-contract$")

#' A layer of child processes that perform the cases of tests/robustness.
#'
#' @param files Scripts there.
#' @param run A function of that folder, which returns counts().
child_layer <- function(files, run) {
  function(root) {
    if (!requireNamespace("processx", quietly = TRUE)) {
      return(skip_layer("there is no R package processx"))
    }
    # the battery's valid calls, also when this layer runs alone
    library(hitmiss)
    folder <- file.path(root, "tests", "robustness")
    # The scripts find each other in the global environment.
    for (file in file.path(folder, c("processes.R", files))) {
      sys.source(file, globalenv())
    }
    run(folder)
  }
}

count_calls <- function(outcome, note) {
  counts(
    sum(outcome$acceptable), sum(!outcome$acceptable), note = note,
    of = "battery cases"
  )
}

# Bad values for every argument of every exported function, see run.R.
robustness_layer <- child_layer("run.R", function(folder) {
  outcome <- run_battery(folder, if (long) 1L else if (quick) 20L else 6L)
  print_outcome(outcome)
  count_calls(outcome, outcome_note(outcome))
})

# Edited fields of every fit, see tampering.R.
tampering_layer <- child_layer("tampering.R", function(folder) {
  outcome <- run_tampering(folder, if (!long) 500L)
  print_tampering(outcome)
  count_calls(outcome, tampering_note(outcome))
})

# Random configurations and relations that must hold, see metamorphic.R. Its
# cases are those of the seeds 1, 2, ...: how many depends on the time.
metamorphic_layer <- child_layer("metamorphic.R", function(folder) {
  outcome <- run_metamorphic(folder, if (long) 3600 else 60)
  count_calls(outcome, paste("cases 1 to", nrow(outcome)))
})
