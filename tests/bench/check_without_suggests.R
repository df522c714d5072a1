# R CMD check --as-cran of a source package on a machine without its suggested
# packages: the library holds links to what hitmiss needs, beside R's own.
#   Rscript tests/bench/check_without_suggests.R hitmiss_0.4.0.tar.gz [OPTION
#   ...]
# Without knitr, R warns of any package that names it as VignetteBuilder and
# then passes the vignettes over; `--ignore-vignettes` passes them over from the
# start. The exit status is 1 also after warnings, for which R CMD check's is 0.
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(trailingOnly = TRUE)
tarball <- normalizePath(arguments[[1L]], mustWork = TRUE)

# As its DESCRIPTION says: hitmiss itself need not be installed.
needed <- function(tarball) {
  folder <- tempfile()
  utils::untar(tarball, "hitmiss/DESCRIPTION", exdir = folder)
  fields <- read.dcf(file.path(folder, "hitmiss", "DESCRIPTION"))
  hard <- c("Package", "Depends", "Imports", "LinkingTo")
  database <- matrix(NA_character_, 1L, 4L, dimnames = list("hitmiss", hard))
  database[, intersect(hard, colnames(fields))] <-
    fields[, intersect(hard, colnames(fields))]
  installed <- utils::installed.packages()[, hard]
  unlist(tools::package_dependencies(
    "hitmiss", rbind(database, installed), hard[-1L],
    recursive = TRUE
  ))
}

library_of <- function(packages) {
  folder <- tempfile("library-")
  dir.create(folder)
  for (package in setdiff(packages, list.files(.Library))) {
    file.symlink(find.package(package), file.path(folder, package))
  }
  folder
}

library_path <- library_of(needed(tarball))
cat("the library:", list.files(library_path), "\n")
Sys.setenv(
  R_LIBS = "", R_LIBS_USER = library_path, R_LIBS_SITE = library_path,
  "_R_CHECK_FORCE_SUGGESTS_" = "false"
)
status <- system2(file.path(R.home("bin"), "R"), c(
  "CMD", "check", "--as-cran", "--no-manual", arguments[-1L], shQuote(tarball)
))

# Of the line that closes the log; a log without one is of a check that broke
# off.
fine <- function(log) {
  closing <- grep("^Status:", readLines(log, warn = FALSE), value = TRUE)
  length(closing) > 0L && !grepl("ERROR|WARNING", utils::tail(closing, 1L))
}

output <- sub("^--output=", "", grep("^--output=", arguments, value = TRUE))
log <- file.path(c(output, ".")[[1L]], "hitmiss.Rcheck", "00check.log")
quit(status = as.integer(status != 0L || !fine(log)))
