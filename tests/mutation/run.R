# Are the tests awake? Puts the faults of mutants.R into a copy of the core, one
# at a time, and shows that the C++ tests notice each.
#   Rscript tests/mutation/run.R [first] [last] [--list] [--log=FILE]
# A fault is killed if the tests fail, crash or run longer than three minutes.
# Status 1 if one survives, does not compile or no longer finds its place.
# SPDX-License-Identifier: GPL-3.0-or-later

here <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE)[[1L]])
root <- normalizePath(file.path(dirname(here), "..", ".."))
source(file.path(root, "tests", "mutation", "mutants.R"))
args <- commandArgs(TRUE)
log <- sub("^--log=", "", grep("^--log=", args, value = TRUE))
range <- as.integer(grep("^[0-9]+$", args, value = TRUE))
first <- c(range, 1L)[[1L]]
last <- min(c(range[-1L], length(mutants))[[1L]], length(mutants))

if ("--list" %in% args) {
  for (i in seq_along(mutants)) {
    m <- mutants[[i]]
    cat(sprintf("%2d %-28s %s\n", i, m$file, m$id))
  }
  quit()
}

work <- tempfile("mutants-")
dir.create(file.path(work, "tests"), recursive = TRUE)
invisible(file.copy(
  file.path(root, "inst", "include"), work,
  recursive = TRUE
))
invisible(file.copy(
  file.path(root, "tests", "cpp"), file.path(work, "tests"),
  recursive = TRUE
))
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
output <- file.path(work, "output")

compile <- function(...) {
  system2(compiler[[1L]], c(compiler[-1L], flags, ...),
    stdout = output, stderr = output
  ) == 0L
}
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

#' "pass", "fail" (tests failed, crashed or hung) or "compile"
run_test <- function(name) {
  binary <- file.path(work, "core_test")
  source <- file.path(tests, paste0("test_", name, ".cpp"))
  if (!compile(source, main, "-o", binary)) {
    return("compile")
  }
  status <- suppressWarnings(system2("timeout", c("180", binary),
    stdout = output, stderr = output
  ))
  if (status == 0L) "pass" else "fail"
}

passes <- new.env() # do the tests pass without a fault?
try_mutant <- function(mutant) {
  path <- file.path(work, "include", "hitmiss", mutant$file)
  text <- paste(readLines(path), collapse = "\n")
  places <- gregexpr(mutant$from, text, fixed = TRUE)[[1L]]
  if (length(places) != 1L || places < 0L) {
    return("no place")
  }
  on.exit(writeLines(text, path))
  for (test in mutant$tests) {
    if (is.null(passes[[test]])) {
      assign(test, run_test(test), passes)
      if (passes[[test]] != "pass") {
        cat(readLines(output), sep = "\n")
        stop("test_", test, " does not pass without a fault: ", passes[[test]])
      }
    }
    writeLines(sub(mutant$from, mutant$to, text, fixed = TRUE), path)
    result <- run_test(test)
    writeLines(text, path)
    if (result != "pass") {
      return(
        if (result == "fail") paste("killed by", test) else "compile error"
      )
    }
  }
  "SURVIVED"
}

results <- character()
for (i in seq_along(mutants)) {
  if (i < first || i > last) next
  started <- proc.time()[["elapsed"]]
  verdict <- try_mutant(mutants[[i]])
  results <- c(results, verdict)
  line <- sprintf(
    "%2d %-28s %-55s %-28s %3.0f s", i, mutants[[i]]$file, mutants[[i]]$id,
    verdict, proc.time()[["elapsed"]] - started
  )
  cat(line, "\n", sep = "")
  if (length(log) > 0L) cat(line, "\n", sep = "", file = log, append = TRUE)
}
killed <- sum(startsWith(results, "killed"))
cat(sprintf("%d of %d mutants killed\n", killed, length(results)))
unlink(work, recursive = TRUE)
quit(status = if (killed < length(results)) 1L else 0L)
