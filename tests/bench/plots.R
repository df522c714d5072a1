# Draws every picture of every class, in two sizes, with short and long names
# and 2, 4 and 14 classes, into a folder, for a person to look at; and prints
# what the layout check finds.
#   Rscript tests/bench/plots.R FOLDER [LIBRARY]
# SPDX-License-Identifier: GPL-3.0-or-later
given <- commandArgs(TRUE)
folder <- given[[1L]]
if (length(given) > 1L) .libPaths(c(given[[2L]], .libPaths()))
dir.create(folder, showWarnings = FALSE, recursive = TRUE)
library(hitmiss)
here <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
helpers <- new.env(parent = asNamespace("hitmiss"))
sys.source(
  file.path(dirname(here), "..", "testthat", "helper-pictures.R"), helpers
)

sizes <- list(c(672, 672), c(1152, 768))
for (letters in c(3, 20, 120)) {
  for (classes in c(2, 4, 14)) {
    data <- helpers$picture_data(letters, classes)
    pictures <- helpers$all_pictures(helpers$picture_objects(data$x, data$y))
    for (name in names(pictures)) {
      for (size in sizes) {
        case <- sprintf(
          "%s-%d-letters-%d-classes-%dx%d", name, letters, classes, size[[1L]],
          size[[2L]]
        )
        grDevices::png(file.path(folder, paste0(case, ".png")), size[[1L]],
          size[[2L]],
          res = 96
        )
        print(pictures[[name]]())
        grDevices::dev.off()
        found <- helpers$picture_faults(
          pictures[[name]], size[[1L]], size[[2L]]
        )
        for (fault in utils::head(found, 3L)) cat(
          case, ": ", fault, "\n", sep = ""
        )
      }
    }
  }
}
