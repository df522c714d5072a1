# Installs what is missing, builds, runs all tests:
#   Rscript inst/scripts/test.R          15 minutes on two processors that had
#                                        other work (23 minutes of processors, a
#                                        third to install and build); the last
#                                        lines tell the time it took
#   Rscript inst/scripts/test.R --current   also the sanitizers, edited fits,
#                                        more bad values, the style of R code,
#                                        Debian's stable release and the newest
#                                        g++, see chroot.sh: what .ci/run calls
#   Rscript inst/scripts/test.R --long   also all random problems and battery
#                                        cases, fuzzing, other builds, mutation,
#                                        the thread sanitizer, valgrind, other
#                                        platforms, leaks, interrupts, coverage
#   Rscript inst/scripts/test.R --only=static,robustness   these layers alone
# Ends with a table of the layers and the line `N passed, N failed, N skipped`;
# the exit status is 1 if anything failed. A layer whose tool cannot be had is
# skipped, and a line `NOT RUN` under the table says so.
# SPDX-License-Identifier: GPL-3.0-or-later

script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
parts <- c(
  "setup", "test-layer", "test-core", "test-static", "test-package",
  "test-vignettes", "test-coverage", "test-builds", "test-current", "test-long"
)
for (part in parts) source(file.path(dirname(script), paste0(part, ".R")))

started <- proc_time()

option <- function(name) {
  start <- paste0("^--", name, "=")
  sub(start, "", grep(start, commandArgs(TRUE), value = TRUE))
}
known <- "^--(current|long|only=.+|quick|table=.+)$"
if (!all(grepl(known, commandArgs(TRUE)))) {
  writeLines(sub("^# ?", "", readLines(script, 16L)))
  quit(status = if ("--help" %in% commandArgs(TRUE)) 0L else 1L)
}
long <- "--long" %in% commandArgs(TRUE)
current <- "--current" %in% commandArgs(TRUE)
only <- option("only")
# Given by this script to those that it starts beside itself, see below.
lane_table <- option("table")
quick <- "--quick" %in% commandArgs(TRUE) ||
  !current && !long && length(only) == 0L

# NOT_CRAN: also the snapshots of messages and the interrupt tests. Without the
# third variable parallel never learns that its forks have ended.
Sys.setenv(
  OMP_THREAD_LIMIT = "2", NOT_CRAN = "true",
  PROCESSX_NOTIFY_OLD_SIGCHLD = "true"
)
if (long) Sys.setenv(HITMISS_ALL_PROBLEMS = "true")
if (quick) Sys.setenv(HITMISS_QUICK = "true")
# A bare machine knows no time zone, and R looks for one at every turn.
if (!nzchar(Sys.getenv("TZ"))) Sys.setenv(TZ = "UTC")
root <- checkout_root()
if (length(lane_table) == 0L) {
  setup_hitmiss(
    needed = c(described_packages("Imports", "LinkingTo"), "testthat"),
    # Some take ten minutes to build: their chunks in vignette("ecosystem") run
    # with --long, and wherever these packages are. Neither CRAN nor Debian has
    # fgsea.
    wanted = c(
      setdiff(described_packages("Suggests"), c(
        "fgsea",
        # This one is for current.R.
        "important",
        if (!long) {
          c("desirability2", "filtro", "harmony", "nestedcv", "parsnip", "S7")
        }
      )),
      "lintr", "roxygen2", "processx", "uuid",
      "checkmate", "fields", # for plsgenomics, ready built in Debian
      if (long) c("covr", "DT")
    ),
    tools = c(cmake = "cmake", "g++" = "g++"),
    wanted_tools = c(
      "clang++" = "clang", "clang-format" = "clang-format",
      if (current || long) c(debootstrap = "debootstrap"),
      if (long) c(valgrind = "valgrind")
    ),
    # What clang++ needs for sanitizers and fuzzing is a package apart.
    wanted_debian = if (!instruments("clang++", "address")) "libclang-rt-dev"
  )
}

ready <- proc_time() - started

# Each layer is a function of the checkout's root that returns counts(), or a
# list of such. The table has them in this order.
layers <- list(
  static = static_layers,
  core = core_layers,
  testthat = testthat_layer,
  pictures = pictures_layer,
  contract = contract_layer,
  robustness = robustness_layer,
  tampering = tampering_layer,
  metamorphic = metamorphic_layer,
  jumps = script_layer("tests/robustness/jumps.R"),
  vignettes = vignettes_layer
)
if (!quick) {
  layers$current <- current_layers(long)
} else {
  # What takes long and seldom finds more than the rest: with --current.
  layers$tampering <- NULL
  layers$static[["style of R code"]] <- NULL
  layers$core[["C++ core, ASan + UBSan"]] <- NULL
  # Compiles in three quarters of the time that -O2 takes.
  layers$core[["C++ core"]] <- core_preset(
    "plain", options = shQuote("-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -DNDEBUG")
  )
}
if (long || length(only) > 0L) layers <- c(layers, long_layers)
if (length(only) > 0L) {
  wanted <- strsplit(only, ", *")[[1L]]
  unknown <- setdiff(wanted, names(layers))
  if (length(unknown) > 0L) {
    stop("No layer ", toString(unknown), " in: ", toString(names(layers)))
  }
  layers <- layers[wanted]
}

if (length(lane_table) > 0L) {
  saveRDS(run_layer("", layers, root), lane_table)
  quit()
}

# Compiling and running R share nothing, and each keeps about one processor
# busy: layers that compile run beside the others, and with them what makes the
# two lanes about as long, most of the fuzzing or the batteries. Other
# releases are a third lane: half of their time is downloads. Lanes are
# processes of their own (not forks: the tests that fork would take one for
# theirs), so whatever R prints when it ends a lane comes before the table. What
# the other lanes print follows the last one's.
beside <- c(
  "static", "core", "jumps", "metamorphic",
  if (long) c("fuzz", "builds") else c("robustness", "tampering"),
  if (quick) c("pictures", "vignettes")
)

lane <- function(names) {
  files <- tempfile(c("table", "log"))
  words <- c(
    file.path(R.home("bin"), "Rscript"), script, if (long) "--long",
    if (current) "--current", if (quick) "--quick",
    paste0("--only=", toString(names)), paste0("--table=", files[[1L]])
  )
  run <- paste(shQuote(words), collapse = " ")
  list(names = names, table = files[[1L]], log = files[[2L]], run = run)
}

read_lane <- function(lane) {
  if (file.exists(lane$table)) {
    return(readRDS(lane$table))
  }
  early <- counts(failed = 1L, note = "the process of these layers ended early")
  layer_row(toString(lane$names), early)
}

run_lanes <- function(names) {
  lanes <- list(
    intersect("current", names), intersect(beside, names),
    setdiff(names, c("current", beside))
  )
  lanes <- lapply(Filter(length, lanes), lane)
  aside <- lanes[-length(lanes)]
  jobs <- lapply(aside, function(lane) {
    pipe(paste(lane$run, ">", lane$log, "2>&1"), "r")
  })
  for (lane in utils::tail(lanes, 1L)) system(lane$run)
  for (job in jobs) {
    readLines(job) # waits for its end
    close(job)
  }
  for (lane in aside) writeLines(readLines(lane$log, warn = FALSE))
  do.call(rbind, lapply(lanes, read_lane))
}

quiet <- intersect(c("growth", "interrupts"), names(layers)) # these want quiet
table <- rbind(
  run_lanes(setdiff(names(layers), quiet)), run_layer("", layers[quiet], root)
)
# Of a lane that ended early nothing but its layers' names is known.
in_order <- unlist(Map(function(name, layer) {
  if (is.list(layer)) names(layer) else name
}, names(layers), layers))
table <- table[order(match(table$layer, in_order)), ]

cat("\n")
options(width = 200) # one line per layer
print(table, row.names = FALSE, right = FALSE)
# A zero among the failures must not hide what was not tried at all.
not_run <- table[table$cases == 0L & table$skipped > 0L, ]
if (nrow(not_run) > 0L) {
  cat(sprintf("NOT RUN: %s (%s)\n", not_run$layer, not_run$note), sep = "")
}
time <- proc_time() - started
cat(sprintf(
  "%.0f s in all, %.0f of them to install and build; %.0f s of processors\n",
  time[[1L]], ready[[1L]], time[[2L]]
))
failed <- sum(table$failures)
kinds <- tapply(table$cases, table$of, sum)
cat(sprintf("%d %s", kinds, names(kinds)), sep = ", ")
cat("\n")
cat(sprintf(
  "%d passed, %d failed, %d skipped\n",
  sum(table$cases) - failed, failed, sum(table$skipped)
))
quit(status = if (failed > 0L) 1L else 0L)
