# Debian's stable release and its unstable one, in folders that chroot.sh makes
# once: a newer R, g++, Bioconductor and, from CRAN, ggplot2 than here.
# SPDX-License-Identifier: GPL-3.0-or-later

# Of Debian there: what the package and its tests use.
current_packages <- function() {
  own <- described_packages("Imports", "LinkingTo", "Suggests")
  base <- rownames(utils::installed.packages(priority = "base"))
  of_tests <- c("processx", "uuid")
  of_the_demo <- c("fields", "boot", "plyr", "reshape2")
  c("r-base-dev", "ccache", "cmake", debian_name(c(
    setdiff(own, base), of_tests, of_the_demo
  )))
}

# The selectors, on data of every kind, and every picture.
current_tests <- paste0(
  "^(selector-contract|as_problem_container|selector-plot|",
  "(llfs|logo|relief|kbfs|pwfp)(-plot)?|",
  "error_curve-plot.*|plot[-_].*)$"
)

#' A layer that runs current.R in a release.
#' @param tests Test files, as for testthat's `filter`.
release_layer <- function(release, tests) {
  function(root) {
    found <- in_chroot(root, release, current_packages(), c(
      "Rscript", "/checkout/inst/scripts/current.R", shQuote(tests),
      getOption("repos")[["CRAN"]]
    ))
    utils::modifyList(found, list(of = "assertions"))
  }
}

#' All headers and sources, by the newest g++ of a release.
compiler_layer <- function(release) {
  function(root) {
    newest <- "ls /usr/bin | grep -xE 'g[+][+]-[0-9]+' | sort -V | tail -1"
    libraries <- debian_name(c("RcppParallel", "RcppEigen", "sitmo"))
    in_chroot(root, release, c(paste0("g++-", 16:25), libraries), c(
      "sh", "-c",
      shQuote(sprintf("sh /checkout/inst/scripts/compilers.sh $(%s)", newest))
    ))
  }
}

# The last line that begins with "counts:" says what was found.
in_chroot <- function(root, release, packages, command) {
  lines <- suppressWarnings(system2("sh", c(
    shQuote(file.path(root, "inst", "scripts", "chroot.sh")), release,
    shQuote(paste(packages, collapse = " ")), command
  ), stdout = TRUE))
  writeLines(lines)
  status <- attr(lines, "status")
  if (identical(status, 77L)) {
    return(skip_layer(paste(
      "Debian", release, "or its packages cannot be had here, see above"
    )))
  }
  found <- utils::tail(grep("^counts: ", lines, value = TRUE), 1L)
  if (length(found) == 0L) {
    return(counts(failed = 1L, note = paste("ended with status", status)))
  }
  found <- strsplit(sub("^counts: ", "", found), " ")[[1L]]
  counts(found[[1L]], found[[2L]], found[[3L]], toString(found[-(1:3)]))
}

current_layers <- function(long) {
  syntax <- list("newest g++, syntax" = compiler_layer("unstable"))
  if (!long) {
    return(c(
      list("Debian stable" = release_layer("stable", current_tests)), syntax
    ))
  }
  c(list(
    "Debian stable, all tests" = release_layer("stable", "."),
    "Debian unstable, all tests" = release_layer("unstable", ".")
  ), syntax)
}
