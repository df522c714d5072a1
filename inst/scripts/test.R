# Installs what is missing, builds, runs all tests:
#   Rscript inst/scripts/test.R          under 12 minutes on two cores
#   Rscript inst/scripts/test.R --long   also fuzzing, other builds, mutation,
#                                        valgrind, other platforms, leaks,
#                                        interrupts, coverage
#   Rscript inst/scripts/test.R --only=static,robustness   these layers alone
# Ends with a table of the layers and the line `N passed, N failed, N skipped`;
# the exit status is 1 if anything failed. A layer whose tool cannot be had is
# skipped, and a line `NOT RUN` under the table says so.
# SPDX-License-Identifier: GPL-3.0-or-later

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
folder <- dirname(script)
parts <- c(
  "layer", "core", "static", "package", "vignettes", "coverage", "builds",
  "long"
)
for (part in c("setup", paste0("test-", parts))) {
  source(file.path(folder, paste0(part, ".R")))
}
arguments <- commandArgs(trailingOnly = TRUE)
long <- "--long" %in% arguments
only <- sub("^--only=", "", grep("^--only=", arguments, value = TRUE))
# Given by this script to the one that it starts beside itself, see below.
lane_table <- sub("^--table=", "", grep("^--table=", arguments, value = TRUE))

# The frameworks whose adapters are tested. Not parsnip, nestedcv and
# mlr3tuning, whose dependencies take minutes to build: their tests run where
# they are installed.
framework_packages <- function() {
  c(
    "caret", "hardhat", "R6", "uuid", "checkmate", "lgr", "mlr3", "mlr3filters",
    "mlr3pipelines", "paradox"
  )
}

# NOT_CRAN: also the snapshots of messages and the interrupt tests.
Sys.setenv(OMP_THREAD_LIMIT = "2", NOT_CRAN = "true")
root <- if (length(lane_table) > 0L) {
  checkout_root()
} else {
  setup_hitmiss(
    needed = c(core_packages(), "testthat"),
    wanted = c(
      "ggplot2", "class", "e1071", "nloptr", "quadprog", "callr", "withr",
      "knitr", "rmarkdown", "ISLR2", "lintr", "roxygen2", "processx", "tibble",
      "data.table", "recipes", "rsample", "pROC", framework_packages(),
      "plsgenomics", "fields", # which it imports, ready built in Debian
      bioconductor_packages(), if (long) c("covr", "DT")
    ),
    tools = c(cmake = "cmake", "g++" = "g++"),
    wanted_tools = c(
      "clang++" = "clang", "clang-format" = "clang-format",
      if (long) c(valgrind = "valgrind")
    ),
    # What clang++ needs for sanitizers and fuzzing is a package apart.
    wanted_debian = if (!instruments("clang++", "address")) "libclang-rt-dev"
  )
}

# Each layer is a function of the checkout's root that returns counts(). The
# table has them in this order.
layers <- list(
  static = static_layers,
  core = core_layers,
  testthat = testthat_layer,
  contract = contract_layer,
  robustness = robustness_layer,
  tampering = tampering_layer,
  jumps = script_layer("tests/robustness/jumps.R"),
  vignettes = vignettes_layer
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

# Whatever lane a layer ran in; of what ended early nothing but the lane is
# known.
in_order <- function(table) {
  parts <- lapply(names(layers), function(name) {
    if (is.list(layers[[name]])) names(layers[[name]]) else name
  })
  table[order(match(table$layer, unlist(parts))), ]
}

run_lane <- function(names) do.call(rbind, lapply(names, run_layer))

if (length(lane_table) > 0L) {
  saveRDS(run_lane(names(layers)), lane_table)
  quit()
}

# Compiling and running R share nothing, and each keeps about one processor
# busy: layers that compile run beside the others, and with them what makes the
# two lanes about as long, most of the fuzzing or the robustness battery. Both
# lanes are processes of their own (not forks: the tests that fork would take
# one for theirs), so whatever R prints when it ends a lane comes before the
# table. What the compiling lane prints follows the other's.
lane_command <- function(names, table) {
  words <- c(
    file.path(R.home("bin"), "Rscript"), script,
    paste0("--only=", paste(names, collapse = ",")),
    paste0("--table=", table), if (long) "--long"
  )
  paste(shQuote(words), collapse = " ")
}

read_lane <- function(names, table) {
  if (file.exists(table)) {
    return(readRDS(table))
  }
  data.frame(
    layer = toString(names), cases = 1L, failures = 1L, skipped = 0L,
    seconds = NA, note = "the process of these layers ended early"
  )
}

run_threads <- function(names) {
  beside <- c(
    "static", "core", "jumps", if (long) c("fuzz", "builds") else "robustness"
  )
  beside <- intersect(beside, names)
  rest <- setdiff(names, beside)
  files <- tempfile(c("beside", "rest", "log"))
  if (length(beside) > 0L) {
    job <- pipe(paste(
      lane_command(beside, files[[1L]]), ">", shQuote(files[[3L]]), "2>&1"
    ), "r")
  }
  if (length(rest) > 0L) {
    system(lane_command(rest, files[[2L]]))
    rest <- read_lane(rest, files[[2L]])
  }
  if (length(beside) > 0L) {
    readLines(job) # waits for its end
    close(job)
    writeLines(readLines(files[[3L]], warn = FALSE))
    beside <- read_lane(beside, files[[1L]])
  }
  do.call(rbind, Filter(is.data.frame, list(beside, rest)))
}

started <- proc.time()[["elapsed"]]
last <- intersect(c("growth", "interrupts"), names(layers)) # these want quiet
table <- rbind(run_threads(setdiff(names(layers), last)), run_lane(last))
cat("\n")
options(width = 200) # one line per layer
table <- in_order(table)
print(table, row.names = FALSE, right = FALSE)
# A zero among the failures must not hide what was not tried at all.
not_run <- table[table$cases == 0L & table$skipped > 0L, ]
if (nrow(not_run) > 0L) {
  cat(sprintf("NOT RUN: %s (%s)\n", not_run$layer, not_run$note), sep = "")
}
cat(sprintf("%.0f s in all\n", proc.time()[["elapsed"]] - started))
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  sum(table$cases) - sum(table$failures), sum(table$failures),
  sum(table$skipped)
))
quit(status = if (sum(table$failures) > 0L) 1L else 0L)
