# Installs what is missing, builds, runs all tests:
#   Rscript inst/scripts/test.R          under 12 minutes on two cores
#   Rscript inst/scripts/test.R --long   also fuzzing, mutation, valgrind, leaks,
#                                        interrupts, coverage
#   Rscript inst/scripts/test.R --only=static,robustness   these layers alone
# Ends with a table of the layers and the line `N passed, N failed, N skipped`;
# the exit status is 1 if anything failed. A layer whose tool cannot be had is
# skipped, and the table says so.

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
folder <- dirname(script)
for (part in c("setup", "test-static", "test-core", "test-package", "test-long")) {
  source(file.path(folder, paste0(part, ".R")))
}
arguments <- commandArgs(trailingOnly = TRUE)
long <- "--long" %in% arguments
only <- sub("^--only=", "", grep("^--only=", arguments, value = TRUE))

# NOT_CRAN: also the snapshots of messages and the interrupt tests.
Sys.setenv(OMP_THREAD_LIMIT = "2", NOT_CRAN = "true")
root <- setup_hitmiss(
  needed = c(core_packages(), "testthat"),
  wanted = c(
    "ggplot2", "class", "e1071", "nloptr", "quadprog", "callr", "withr",
    "knitr", "rmarkdown", "ISLR2", "roxygen2", "processx",
    if (long) c("covr", "DT")
  ),
  tools = c(cmake = "cmake", "g++" = "g++"),
  wanted_tools = c(
    "clang++" = "clang", "clang-format" = "clang-format",
    if (long) c(valgrind = "valgrind")
  )
)

# Each layer is a function of the checkout's root that returns counts().
layers <- list(
  static = static_layers,
  core = core_layers,
  testthat = testthat_layer,
  contract = contract_layer,
  robustness = robustness_layer
)
if (long) layers <- c(layers, long_layers)
if (length(only) > 0L) {
  layers <- c(layers, long_layers)[strsplit(only, ",")[[1L]]]
}

run_layer <- function(name) {
  layer <- layers[[name]]
  if (is.list(layer)) {
    return(do.call(rbind, lapply(names(layer), function(part) {
      timed(part, layer[[part]])
    })))
  }
  timed(name, layer)
}

timed <- function(layer, run) {
  cat("\n== ", layer, "\n", sep = "")
  seconds <- system.time(counts <- tryCatch(run(root), error = function(e) {
    cat("The layer itself failed:", conditionMessage(e), "\n")
    counts(failed = 1L)
  }))[["elapsed"]]
  if (nzchar(counts$note)) cat(counts$note, "\n")
  data.frame(
    layer,
    cases = counts$passed + counts$failed, failures = counts$failed,
    skipped = counts$skipped, seconds = round(seconds, 1L), note = counts$note
  )
}

# Compiling the core and running R share nothing, and each keeps about one
# processor busy: the core's layers run in a process of their own beside the
# others. What they print follows at the end.
run_lane <- function(names) do.call(rbind, lapply(names, run_layer))

beside <- function(names, log) {
  parallel::mcparallel({
    sink(log)
    on.exit(sink())
    run_lane(names)
  })
}

run_both_lanes <- function(names) {
  apart <- intersect("core", names)
  rest <- setdiff(names, apart)
  if (length(apart) == 0L || length(rest) == 0L || .Platform$OS.type != "unix") {
    return(run_lane(names))
  }
  log <- tempfile()
  job <- beside(apart, log)
  table <- run_lane(rest)
  other <- parallel::mccollect(job)[[1L]]
  writeLines(readLines(log, warn = FALSE))
  if (!is.data.frame(other)) {
    other <- data.frame(
      layer = apart, cases = 1L, failures = 1L, skipped = 0L, seconds = NA,
      note = "the process of this layer ended early"
    )
  }
  before <- table$layer %in% names(static_layers)
  rbind(table[before, ], other, table[!before, ])
}

started <- proc.time()[["elapsed"]]
last <- intersect(names(layers), names(long_layers)) # these want quiet
table <- rbind(run_both_lanes(setdiff(names(layers), last)), run_lane(last))
cat("\n")
print(table, row.names = FALSE, right = FALSE)
cat(sprintf("%.0f s in all\n", proc.time()[["elapsed"]] - started))
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  sum(table$cases) - sum(table$failures), sum(table$failures),
  sum(table$skipped)
))
quit(status = if (sum(table$failures) > 0L) 1L else 0L)
