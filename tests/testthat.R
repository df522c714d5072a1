# Runs the tests under R CMD check.
# SPDX-License-Identifier: GPL-3.0-or-later
library(testthat)
library(hitmiss)

test_check("hitmiss")
