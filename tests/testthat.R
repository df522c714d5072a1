# Runs the tests under R CMD check, where testthat can be had.
# SPDX-License-Identifier: GPL-3.0-or-later
if (requireNamespace("testthat", quietly = TRUE)) {
  library(testthat)
  library(hitmiss)
  test_check("hitmiss")
}
