# Are the tests awake? Puts the faults of mutants.R into a copy of the core and
# those of r_mutants.R into a copy of the R code, one at a time, and shows that
# the tests named there notice each.
#   Rscript tests/mutation/run.R [core|r] [first] [last] [--list] [--log=FILE]
# A fault is killed if a test fails, crashes or takes three minutes of processor
# time.
# Faults in R need an installed build of the same sources (R CMD INSTALL, in
# .rlib of the checkout or in R's libraries): nothing is compiled for them.
# Status 1 if one survives, does not build or no longer finds its place.
# SPDX-License-Identifier: GPL-3.0-or-later

here <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[[1L]])
root <- normalizePath(file.path(dirname(here), "..", ".."))
for (file in c("mutants.R", "r_mutants.R")) {
  source(file.path(root, "tests", "mutation", file))
}
args <- commandArgs(TRUE)
log <- sub("^--log=", "", grep("^--log=", args, value = TRUE))
kind <- intersect(args, c("core", "r"))
mutants <- c(
  if (!"r" %in% kind) core_mutants, if (!"core" %in% kind) r_mutants
)
range <- as.integer(grep("^[0-9]+$", args, value = TRUE))
first <- c(range, 1L)[[1L]]
last <- min(c(range[-1L], length(mutants))[[1L]], length(mutants))

if ("--list" %in% args) {
  for (i in seq_along(mutants)) {
    m <- mutants[[i]]
    cat(sprintf("%3d %-28s %s\n", i, m$file, m$id))
  }
  quit()
}

work <- tempfile("mutants-")
output <- file.path(work, "output")
run <- function(command, ...) {
  suppressWarnings(
    system2(command, c(...), stdout = output, stderr = output)
  ) == 0L
}
# For a program that does not end.
run_limited <- function(...) {
  command <- paste(shQuote(c("timeout", "1800", ...)), collapse = " ")
  run("sh", "-c", shQuote(paste("ulimit -t 180; exec", command)))
}
copy <- function(from, to) {
  dir.create(to, recursive = TRUE, showWarnings = FALSE)
  stopifnot(file.copy(from, to, recursive = TRUE))
}

# ---- the core ----------------------------------------------------------------

#' @return The folder that the files of faults lie in, and a function of a
#'   test's name: "pass", "fail" (it failed, crashed or hung) or "does not
#'   build".
core_bench <- function() {
  copy(file.path(root, "inst", "include"), work)
  copy(file.path(root, "tests", "cpp"), file.path(work, "tests"))
  tests <- file.path(work, "tests", "cpp")
  system_include <- function(package) {
    c("-isystem", system.file("include", package = package))
  }
  flags <- c(
    "-std=c++17", "-O0", "-w", "-pthread", "-I", tests,
    "-I", file.path(work, "include"), system_include("sitmo"),
    system_include("RcppEigen"), system_include("testthat")
  )
  compiler <- strsplit(Sys.getenv("CXX", "g++"), " ")[[1L]]
  compile <- function(...) run(compiler[[1L]], compiler[-1L], flags, ...)
  main <- file.path(work, "main.o")
  stopifnot(compile("-c", file.path(tests, "support", "main.cpp"), "-o", main))
  # What all tests include and no fault changes, compiled once.
  common <- file.path(work, "common.hpp")
  writeLines(c(
    "#include <algorithm>", "#include <cmath>", "#include <functional>",
    "#include <thread>", "#include <vector>", "#include <Eigen/Core>",
    "#include <testthat/vendor/catch.h>"
  ), common)
  stopifnot(compile("-x", "c++-header", common, "-o", paste0(common, ".gch")))
  flags <- c(flags, "-include", common)
  test <- function(name) {
    binary <- file.path(work, "core_test")
    source <- file.path(tests, paste0("test_", name, ".cpp"))
    if (!compile(source, main, "-o", binary)) {
      return("does not build")
    }
    if (run_limited(binary)) "pass" else "fail"
  }
  list(folder = file.path(work, "include", "hitmiss"), test = test)
}

# ---- R -----------------------------------------------------------------------

# The code of an installed package is a data base that R makes of one file of
# all sources: done anew, with the shared object as it is.
r_bench <- function() {
  libraries <- c(file.path(root, ".rlib"), .libPaths())
  library_path <- file.path(work, "library")
  copy(find.package("hitmiss", libraries), library_path)
  copy(file.path(root, "R"), work)
  copy(file.path(root, "tests", "testthat"), file.path(work, "tests"))
  code <- file.path(library_path, "hitmiss", "R", "hitmiss")
  Sys.setenv(
    R_LIBS = paste(c(library_path, libraries), collapse = .Platform$path.sep),
    NOT_CRAN = "true", OMP_THREAD_LIMIT = "2", TZ = "UTC"
  )
  rscript <- file.path(R.home("bin"), "Rscript")
  build <- sprintf("tools:::makeLazyLoading('hitmiss', '%s')", library_path)
  script <- file.path(root, "tests", "mutation", "r_test.R")
  test <- function(name) {
    files <- list.files(file.path(work, "R"), full.names = TRUE)
    writeLines(unlist(lapply(files, readLines)), code)
    if (!run(rscript, "-e", shQuote(build))) {
      return("does not build")
    }
    file <- file.path(
      work, "tests", "testthat", paste0("test-", name, ".R")
    )
    if (run_limited(rscript, script, file)) "pass" else "fail"
  }
  list(folder = file.path(work, "R"), test = test)
}

# ---- one after the other -----------------------------------------------------

benches <- new.env()
bench_of <- function(mutant) {
  kind <- if (endsWith(mutant$file, ".R")) "r" else "core"
  if (is.null(benches[[kind]])) {
    bench <- if (kind == "r") r_bench() else core_bench()
    assign(kind, c(bench, passes = new.env()), benches)
  }
  benches[[kind]]
}

try_mutant <- function(mutant) {
  bench <- bench_of(mutant)
  passes <- bench$passes # do the tests pass without a fault?
  path <- file.path(bench$folder, mutant$file)
  text <- paste(readLines(path), collapse = "\n")
  places <- gregexpr(mutant$from, text, fixed = TRUE)[[1L]]
  if (length(places) != 1L || places < 0L) {
    return("no place")
  }
  on.exit(writeLines(text, path))
  for (test in mutant$tests) {
    if (is.null(passes[[test]])) {
      assign(test, bench$test(test), passes)
      if (passes[[test]] != "pass") {
        cat(readLines(output), sep = "\n")
        stop("test ", test, " does not pass without a fault: ", passes[[test]])
      }
    }
    writeLines(sub(mutant$from, mutant$to, text, fixed = TRUE), path)
    result <- bench$test(test)
    writeLines(text, path)
    if (result != "pass") {
      return(if (result == "fail") paste("killed by", test) else result)
    }
  }
  "SURVIVED"
}

dir.create(work)
results <- character()
for (i in seq_along(mutants)) {
  if (i < first || i > last) next
  started <- proc.time()[["elapsed"]]
  verdict <- try_mutant(mutants[[i]])
  results <- c(results, verdict)
  line <- sprintf(
    "%3d %-28s %-55s %-28s %3.0f s", i, mutants[[i]]$file, mutants[[i]]$id,
    verdict, proc.time()[["elapsed"]] - started
  )
  cat(line, "\n", sep = "")
  if (length(log) > 0L) cat(line, "\n", sep = "", file = log, append = TRUE)
}
killed <- sum(startsWith(results, "killed"))
cat(sprintf("%d of %d mutants killed\n", killed, length(results)))
unlink(work, recursive = TRUE)
quit(status = if (killed < length(results)) 1L else 0L)
