# The package: testthat, the contract battery, the robustness battery.

run_testthat <- function(root, filter) {
  results <- as.data.frame(testthat::test_dir(
    file.path(root, "tests", "testthat"),
    filter = filter, perl = TRUE,
    package = "hitmiss", load_package = "installed", stop_on_failure = FALSE,
    reporter = testthat::CheckReporter$new()
  ))
  counts(
    sum(results$passed), sum(results$failed, results$error),
    sum(results$skipped)
  )
}

testthat_layer <- function(root) run_testthat(root, "^(?!contract$)")

contract_layer <- function(root) run_testthat(root, "^contract$")

# Bad values for every argument of every exported function, see
# tests/robustness/run.R.
robustness_layer <- function(root) {
  if (!requireNamespace("processx", quietly = TRUE)) {
    return(skip_layer("there is no R package processx"))
  }
  library(hitmiss) # the battery's valid calls, also when this layer runs alone
  battery <- new.env()
  folder <- file.path(root, "tests", "robustness")
  sys.source(file.path(folder, "run.R"), battery)
  outcome <- battery$run_battery(folder, whole = long)
  battery$print_outcome(outcome)
  counts(
    sum(outcome$acceptable), sum(!outcome$acceptable),
    note = battery$outcome_note(outcome)
  )
}
