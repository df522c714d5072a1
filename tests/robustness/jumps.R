# Does R ever jump over the frames of a parallel loop while it reads a block?
#   Rscript tests/robustness/jumps.R, from the folder of the package
# An interrupt that waits leaves R's code, and any allocation that collects
# garbage, by a jump; the loop's library goes on with a stack that is gone, and
# R crashes some loops later. Here it waits, or comes, at the worst moments.
# SPDX-License-Identifier: GPL-3.0-or-later

if (.Platform$OS.type == "windows") {
  cat("Needs signals.\n")
  quit(status = 77L)
}
folder <- file.path("tests", "robustness")
include <- normalizePath(file.path("inst", "include"))
Sys.setenv(PKG_CPPFLAGS = paste0("-I", shQuote(include)))
Rcpp::sourceCpp(file.path(folder, "jumps.cpp"))

options(show.error.messages = FALSE) # of the block that cannot be read
block <- matrix(0, 2, 3)
interrupt <- function() tools::pskill(Sys.getpid(), tools::SIGINT)
moments <- list(
  none = function() fetch_under(function(k) block, gctorture, FALSE),
  waiting = function() fetch_under(function(k) block, gctorture, TRUE),
  reading = function() {
    fetch_under(function(k) {
      interrupt()
      for (i in 1:1000) block <- block + 1
      block
    }, gctorture, FALSE)
  },
  failing = function() {
    fetch_under(function(k) stop("cannot be read"), gctorture, FALSE)
  }
)
outcome <- vapply(moments, function(moment) moment(), logical(2))
print(outcome)
# Only the block that nothing disturbs arrives; the frame always ends in order.
fine <- identical(
  unname(outcome), rbind(c(TRUE, FALSE, FALSE, FALSE), rep(TRUE, 4))
)
quit(status = as.integer(!fine))
