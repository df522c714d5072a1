# Runs one file of R tests against the library that R finds first, and ends with
# status 1 at the first test that fails, see run.R.
# SPDX-License-Identifier: GPL-3.0-or-later

stop_at_once <- R6::R6Class("stop_at_once",
  inherit = testthat::Reporter,
  public = list(add_result = function(context, test, result) {
    kinds <- paste0("expectation_", c("failure", "error", "warning"))
    if (inherits(result, kinds)) {
      cat(test, ": ", conditionMessage(result), "\n", sep = "")
      quit(status = 1L)
    }
  })
)
testthat::test_file(commandArgs(TRUE)[[1L]],
  package = "hitmiss", load_package = "installed",
  reporter = stop_at_once$new()
)
