# LOGO's Table 2 (pima and splice among 5,000 noise features): to reach, an
# error within 1.5 points of the one on the original features, and at most 2
# false features per 1,000. Usage, from the folder of the package:
# Rscript tests/bench/logo_table2.R [data folder] [output folder]
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(TRUE)
given <- c(arguments, c("../shared/data", tempdir())[-seq_along(arguments)])
if (length(arguments) == 0L) given <- c("../shared/data", tempdir())
system2("Rscript", c("inst/reproduce/logo.R", given, "pima", "splice"))
