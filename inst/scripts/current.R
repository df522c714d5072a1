# In a chroot of chroot.sh: builds hitmiss, runs the demo, the tests that the
# first argument names (the second is CRAN's address) and the page of
# frameworks, and prints `counts: passed failed skipped versions...`. Newer
# packages than Debian's are kept in a library of their own, from CRAN.
# SPDX-License-Identifier: GPL-3.0-or-later

newer <- "/opt/cran"
copy <- "/opt/hitmiss"
own <- file.path(copy, ".rlib")
for (folder in c(newer, own)) {
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  unlink(Sys.glob(file.path(folder, "00LOCK*")), recursive = TRUE) # of a stop
}
.libPaths(c(newer, .libPaths()))
Sys.setenv(
  R_LIBS = newer, NOT_CRAN = "true", TZ = "UTC", OMP_THREAD_LIMIT = "2",
  R_MAKEVARS_USER = tempfile("Makevars")
)
writeLines("CXX17 = ccache g++", Sys.getenv("R_MAKEVARS_USER"))
arguments <- commandArgs(TRUE)
every_test <- arguments[[1L]] == "."
# This release's own where the machine says none.
if (arguments[[2L]] != "@CRAN@") options(repos = c(CRAN = arguments[[2L]]))
wanted <- c(
  "ggplot2", "Rcpp", if (every_test) c("RcppParallel", "testthat"),
  "ISLR2", "plsgenomics"
)
present <- function() file.exists(file.path(newer, wanted, "Meta/package.rds"))
if (!all(present())) {
  utils::install.packages(wanted[!present()], newer, Ncpus = 2L, quiet = TRUE)
}
if (!all(present())) {
  message("CRAN did not give ", toString(wanted[!present()]))
  quit(status = 77L) # of chroot.sh too: skipped
}
# Of vignette("ecosystem"). Debian has two of these, the others take 15 minutes
# of a processor to build: with all tests, where none may be absent. Else those
# that are here are used, and the others count as skipped.
frameworks <- c(
  "filtro", "important", "recipes", "mlr3", "mlr3filters", "mlr3pipelines",
  "parsnip", "nestedcv", "caret"
)
found <- nzchar(vapply(frameworks, \(one) system.file(package = one), ""))
if (every_test && !all(found)) {
  # Without optimisation, which would take most of the time.
  usual <- readLines(Sys.getenv("R_MAKEVARS_USER"))
  plain <- paste0(c("CXX", "CXX11", "CXX14", "CXX17"), "FLAGS = -O0")
  writeLines(c(usual, plain), Sys.getenv("R_MAKEVARS_USER"))
  utils::install.packages(frameworks[!found], newer, Ncpus = 2L, quiet = TRUE)
  writeLines(usual, Sys.getenv("R_MAKEVARS_USER"))
}

# The sources alone, in one place, so that ccache knows them again.
unlink(list.files(copy, full.names = TRUE), recursive = TRUE)
system(paste(
  "tar -C /checkout --exclude=./.git --exclude=./.rlib --exclude='*.o'",
  "--exclude='*.so' --exclude='build-*' -c . | tar -C", copy, "-x"
))
setwd(copy)
for (part in c("setup", "test-layer", "test-package", "test-vignettes")) {
  source(file.path("inst", "scripts", paste0(part, ".R")))
}
build_package(copy, own)
.libPaths(c(own, .libPaths()))
Sys.setenv(R_LIBS = paste(own, newer, sep = ":"))
demo <- system2("Rscript", "inst/scripts/demo.R", stdout = FALSE)
found <- run_testthat(copy, arguments[[1L]])
page <- vignettes_layer(copy, "^ecosystem[.]Rmd$")
absent <- frameworks[!vapply(frameworks, requireNamespace, NA, quietly = TRUE)]
missed <- length(absent)
version <- function(package) {
  paste0(package, "-", utils::packageVersion(package))
}
cat(
  "counts:", found$passed + (demo == 0L) + page$passed,
  found$failed + (demo != 0L) + page$failed + every_test * missed,
  found$skipped + !every_test * missed, paste0("R-", getRversion()),
  paste0("g++-", system("g++ -dumpfullversion", intern = TRUE)),
  vapply(c("ggplot2", "Rcpp", "testthat"), version, ""),
  vapply(setdiff(frameworks, absent), version, ""),
  if (missed > 0L) paste0("without-", absent), "\n"
)
