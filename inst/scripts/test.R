# Installs what is missing, builds, runs all tests:
#   Rscript inst/scripts/test.R
# The last line is `N passed, N failed, N skipped`; the exit status is 1 if
# anything failed.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "setup.R"))
# NOT_CRAN: also the snapshots of messages and the interrupt tests.
Sys.setenv(OMP_THREAD_LIMIT = "2", NOT_CRAN = "true")
root <- setup_hitmiss(
  needed = c(core_packages(), "testthat"),
  wanted = c(
    "ggplot2", "class", "e1071", "nloptr", "quadprog", "callr", "withr",
    "knitr", "rmarkdown", "ISLR2"
  ),
  tools = c(cmake = "cmake", "g++" = "g++")
)

# ---- the core alone, under the address and undefined-behaviour sanitizers ---
run_core_tests <- function(root) {
  build <- file.path(root, "tests", "cpp", "build")
  log <- tempfile()
  configure <- c(
    "-S", shQuote(file.path(root, "tests", "cpp")), "-B", shQuote(build),
    "-DHITMISS_SANITIZE=address,undefined"
  )
  failed <- system2("cmake", configure, stdout = log, stderr = log) != 0L ||
    system2("cmake", c("--build", shQuote(build), "-j2"),
      stdout = log, stderr = log
    ) != 0L
  if (failed) {
    writeLines(utils::tail(readLines(log), 60L))
    return(c(passed = 0L, failed = 1L, skipped = 0L))
  }
  status <- system2(file.path(build, "core_tests"), stdout = log, stderr = log)
  output <- readLines(log)
  if (status != 0L) writeLines(utils::tail(output, 80L))
  count_catch(output, status)
}

# Catch closes with `All tests passed (... in N test cases)` or with
# `test cases: 8 | 7 passed | 1 failed`; a crash with neither.
count_catch <- function(output, status) {
  number <- function(pattern) {
    line <- grep(pattern, output, value = TRUE)
    if (length(line) == 0L) {
      return(0L)
    }
    as.integer(regmatches(line[[1L]], regexec(pattern, line[[1L]]))[[1L]][[2L]])
  }
  passed <- number("([0-9]+) test cases?\\)")
  if (passed == 0L) passed <- number("test cases:.*\\| +([0-9]+) passed")
  failed <- number("test cases:.*\\| +([0-9]+) failed")
  if (status != 0L) failed <- max(1L, failed)
  c(passed = passed, failed = failed, skipped = 0L)
}

# ---- the package --------------------------------------------------------------
run_r_tests <- function(root) {
  results <- as.data.frame(testthat::test_dir(
    file.path(root, "tests", "testthat"),
    package = "hitmiss", load_package = "installed", stop_on_failure = FALSE,
    reporter = testthat::CheckReporter$new()
  ))
  skipped <- sum(results$skipped)
  c(
    passed = sum(results$passed), failed = sum(results$failed, results$error),
    skipped = skipped
  )
}

timed <- function(layer, run) {
  seconds <- system.time(counts <- run(root))[["elapsed"]]
  data.frame(layer, t(counts), seconds = round(seconds, 1L))
}
table <- rbind(
  timed("C++ core, ASan + UBSan", run_core_tests),
  timed("R package", run_r_tests)
)
cat("\n")
print(table, row.names = FALSE)
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  sum(table$passed), sum(table$failed), sum(table$skipped)
))
quit(status = if (sum(table$failed) > 0L) 1L else 0L)
