# Installs what is missing and builds hitmiss into a library of its own inside
# the checkout. Base R only: this runs before anything else is there.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param needed Packages without which nothing works.
#' @param wanted Packages that are used if they can be had.
#' @param tools,wanted_tools Likewise programs on the path: the Debian package
#'   of each, named by the program.
#' @param wanted_debian Debian packages to ask for by name: no program shows
#'   them.
#' @return The root of the checkout. hitmiss is on .libPaths() afterwards.
setup_hitmiss <- function(needed, wanted = character(), tools = character(),
                          wanted_tools = character(),
                          wanted_debian = character()) {
  root <- checkout_root()
  install_missing(needed, wanted, tools, wanted_tools, wanted_debian)
  library_path <- file.path(root, ".rlib")
  dir.create(library_path, showWarnings = FALSE)
  build_package(root, library_path)
  .libPaths(c(library_path, .libPaths()))
  Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
  invisible(root)
}

# Packages that fields of DESCRIPTION name.
described_packages <- function(...) {
  fields <- read.dcf(file.path(checkout_root(), "DESCRIPTION"), c(...))
  trimws(sub("[(].*", "", unlist(strsplit(fields, ","))))
}

# The folder with DESCRIPTION above this script.
checkout_root <- function() {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  start <- if (length(script) == 1L) dirname(script) else "."
  root <- normalizePath(file.path(start, "..", ".."), mustWork = TRUE)
  if (!file.exists(file.path(root, "DESCRIPTION"))) {
    stop("Run this script from a checkout of hitmiss: Rscript inst/scripts/...")
  }
  root
}

absent <- function(packages) {
  packages[!vapply(packages, function(package) {
    least <- newer_than_debian()[package]
    nzchar(system.file(package = package)) &&
      (is.na(least) || utils::packageVersion(package) >= least) &&
      requireNamespace(package, quietly = TRUE)
  }, NA)]
}

# What mlr3 needs without saying so: Debian 12 has an older one.
newer_than_debian <- function() c(checkmate = "2.2.0")

absent_tools <- function(tools) {
  unname(tools[Sys.which(names(tools)) == ""])
}

install_missing <- function(needed, wanted, tools, wanted_tools,
                            wanted_debian) {
  missing_tools <- c(absent_tools(c(tools, wanted_tools)), wanted_debian)
  missing <- absent(c(needed, wanted))
  if (length(missing) + length(missing_tools) == 0L) {
    return(invisible())
  }
  if (can_use_apt()) {
    in_debian <- setdiff(missing, names(newer_than_debian()))
    install_from_debian(in_debian, missing_tools)
  }
  from_cran <- setdiff(absent(missing), bioconductor_packages())
  if (length(from_cran) > 0L) {
    install_from_cran(from_cran)
  }
  report_what_is_missing(absent(needed), absent_tools(tools))
}

can_use_apt <- function() {
  nzchar(Sys.which("apt-get")) && nzchar(Sys.which("id")) &&
    identical(system2("id", "-u", stdout = TRUE), "0")
}

debian_name <- function(packages) {
  source <- ifelse(packages %in% bioconductor_packages(), "bioc", "cran")
  sprintf("r-%s-%s", source, tolower(packages))
}

bioconductor_packages <- function() {
  c(
    "Biobase", "BiocParallel", "DelayedArray", "HDF5Array", "limma",
    "S4Vectors", "scran", "SingleCellExperiment", "SummarizedExperiment"
  )
}

install_from_debian <- function(packages, tools) {
  message("Asking Debian for ", paste(c(packages, tools), collapse = ", "))
  Sys.setenv(DEBIAN_FRONTEND = "noninteractive")
  quiet_system("apt-get", c("update", "-qq"))
  names <- c(debian_name(packages), tools)
  known <- vapply(names, function(name) {
    quiet_system("apt-cache", c("show", name)) == 0L
  }, NA)
  names <- names[known]
  if (length(names) > 0L) {
    quiet_system(
      "apt-get", c("install", "-y", "-qq", "--no-install-recommends", names)
    )
  }
}

quiet_system <- function(command, arguments) {
  suppressWarnings(system2(command, arguments, stdout = FALSE, stderr = FALSE))
}

install_from_cran <- function(packages) {
  message("Asking CRAN for ", paste(packages, collapse = ", "))
  personal <- strsplit(Sys.getenv("R_LIBS_USER"), .Platform$path.sep)[[1L]][1L]
  if (is.na(personal)) {
    personal <- .libPaths()[[1L]]
  }
  dir.create(personal, recursive = TRUE, showWarnings = FALSE)
  .libPaths(c(personal, .libPaths()))
  repository <- getOption("repos")[["CRAN"]]
  if (is.null(repository) || repository == "@CRAN@") {
    repository <- "https://cloud.r-project.org"
  }
  # What cannot be had is asked for below, or done without.
  try(utils::install.packages(
    packages, personal, repository, quiet = TRUE, Ncpus = 2L
  ))
}

report_what_is_missing <- function(packages, tools) {
  if (length(packages) + length(tools) == 0L) {
    return(invisible())
  }
  stop(
    "Could not install: ", toString(c(packages, tools)), ".\n",
    "On Debian or Ubuntu:  apt-get install --no-install-recommends ",
    paste(c(debian_name(packages), tools), collapse = " "),
    "\nElsewhere, in R:      install.packages(c(",
    paste0("\"", packages, "\"", collapse = ", "), "))",
    call. = FALSE
  )
}

# Builds only when a source file changed since the last build.
build_package <- function(root, library_path) {
  sources <- c(
    file.path(root, c("DESCRIPTION", "NAMESPACE")),
    list.files(
      file.path(root, c("R", "src", "inst/include")),
      "[.](R|h|hpp|cpp)$|^Makevars",
      recursive = TRUE, full.names = TRUE
    )
  )
  state <- paste(sub(root, "", sources, fixed = TRUE), tools::md5sum(sources))
  stamp <- file.path(library_path, "hitmiss.md5")
  if (file.exists(stamp) && identical(readLines(stamp), state)) {
    return(invisible())
  }
  message("Building hitmiss into ", library_path)
  Sys.setenv(MAKEFLAGS = "-j2")
  log <- tempfile()
  status <- system2(
    file.path(R.home("bin"), "R"),
    c(
      "CMD", "INSTALL", "--clean", "--no-docs", "--no-test-load",
      paste0("--library=", shQuote(library_path)), shQuote(root)
    ),
    stdout = log, stderr = log
  )
  if (status != 0L) {
    writeLines(utils::tail(readLines(log), 60L), stderr())
    stop("hitmiss did not build; the end of the log is above.", call. = FALSE)
  }
  writeLines(state, stamp)
}
