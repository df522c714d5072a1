# How many random problems a method is compared on with its definition.
# SPDX-License-Identifier: GPL-3.0-or-later

all_problems <- function() nzchar(Sys.getenv("HITMISS_ALL_PROBLEMS"))

#' The first third of the seeds; all of them with test.R --long.
some_of <- function(seeds) {
  if (all_problems()) seeds else utils::head(seeds, ceiling(length(seeds) / 3))
}
