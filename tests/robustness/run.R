# The robustness battery: Rscript tests/robustness/run.R [--long] [LIBRARY]
# Every function that users can call, every argument in turn left out or
# replaced by each value of bad_values.R, in child processes with a limit on
# memory and, per call, on time. Right are a result like the valid call's, or a
# condition of class hitmiss_error.
# SPDX-License-Identifier: GPL-3.0-or-later

# A call hangs that has used so much processor time, or that has slept for so long:
# a busy machine, which makes a call wait for a processor, is no fault of the call.
# What then falls asleep after some work is noticed by the clock alone.
seconds_per_call <- 10
seconds_by_clock <- 60
memory_kilobytes <- 6 * 2^20

#' @return A data.frame with a row per call: target, argument, value, outcome,
#'   detail, acceptable.
run_battery <- function(folder, whole, processes = 2L) {
  workers <- lapply(seq_len(processes), function(first) {
    journal <- tempfile("journal")
    file.create(journal)
    start_child(list(
      folder = folder, whole = whole, journal = journal, first = first, step = processes
    ))
  })
  while (!all(vapply(workers, `[[`, NA, "done"))) {
    Sys.sleep(0.2)
    workers <- lapply(workers, watch_child)
  }
  collect(folder, whole, workers)
}

start_child <- function(worker) {
  command <- sprintf(
    "ulimit -v %.0f; exec %s %s %s %s %s %d %d", memory_kilobytes,
    shQuote(file.path(R.home("bin"), "Rscript")),
    shQuote(file.path(worker$folder, "child.R")), shQuote(worker$folder),
    worker$whole, shQuote(worker$journal), worker$first, worker$step
  )
  worker$log <- tempfile("log")
  worker$process <- processx::process$new(
    "sh", c("-c", command),
    stdout = worker$log, stderr = "2>&1"
  )
  worker$seen <- 0L
  worker$since <- Sys.time()
  worker$used <- 0
  worker$done <- FALSE
  worker
}

# Notes progress; after a crash or a hang goes on behind the call at fault.
watch_child <- function(worker) {
  if (worker$done) {
    return(worker)
  }
  # Asked first: of one that is dead, the journal is complete.
  alive <- worker$process$is_alive()
  lines <- c("born", readLines(worker$journal, warn = FALSE))
  if (length(lines) != worker$seen) {
    worker$seen <- length(lines)
    worker$since <- Sys.time()
    worker$used <- processor_seconds(worker$process)
  }
  last <- utils::tail(lines, 1L)
  if (alive && !(hangs(worker) && grepl("^(start|done)", last))) {
    return(worker)
  }
  status <- if (!alive) worker$process$get_exit_status()
  if (identical(last, "done") && identical(status, 0L)) {
    worker$done <- TRUE
    return(worker)
  }
  worker$process$kill()
  note_fault(worker, lines, status)
}

hangs <- function(worker) {
  clock <- as.numeric(Sys.time() - worker$since, units = "secs")
  processor <- processor_seconds(worker$process) - worker$used
  asleep <- processor < clock / 20
  processor > seconds_per_call || clock > seconds_by_clock ||
    (asleep && clock > seconds_per_call)
}

#' @param status With which the child ended; NULL if it hung and was killed.
note_fault <- function(worker, lines, status) {
  said <- utils::tail(readLines(worker$log, warn = FALSE), 20L)
  last <- utils::tail(lines, 1L)
  if (!grepl("^(start|done)", last)) {
    stop("the battery itself failed:\n", paste(said, collapse = "\n"))
  }
  # What goes wrong when a child ends, all of its calls may have caused; it is
  # put down to the last one.
  start <- utils::tail(grep("^start", lines, value = TRUE), 1L)
  at <- as.integer(sub("start ", "", start))
  what <- if (is.null(status)) "hang" else "crash"
  if (last == "done") what <- paste(what, "at the end of the process")
  if (!is.null(status)) {
    what <- paste(what, "status", status, paste(utils::tail(said, 3L), collapse = " "))
  }
  cat("end", at, what, "\n", file = worker$journal, append = TRUE)
  worker$done <- last == "done"
  if (worker$done) {
    return(worker)
  }
  worker$first <- at + worker$step
  start_child(worker)
}

# 0 of a process that has ended.
processor_seconds <- function(process) {
  tryCatch(sum(process$get_cpu_times()[c("user", "system")]), error = function(e) 0)
}

collect <- function(folder, whole, workers) {
  source(file.path(folder, "battery.R"), globalenv())
  load_battery(folder)
  plan <- battery_plan(valid_calls(), bad_values(), whole)
  lines <- unlist(lapply(workers, function(worker) readLines(worker$journal)))
  ends <- grep("^end ", lines, value = TRUE)
  parts <- regmatches(ends, regexec("^end ([0-9]+) ([a-z]+) ?(.*)$", ends))
  at <- as.integer(vapply(parts, `[[`, "", 2L))
  plan$outcome <- plan$detail <- rep("lost", nrow(plan))
  plan$outcome[at] <- vapply(parts, `[[`, "", 3L)
  plan$detail[at] <- vapply(parts, `[[`, "", 4L)
  plan$target <- vapply(valid_calls(), `[[`, "", "target")[plan$valid]
  plan$acceptable <- plan$outcome %in% c("result", "refused")
  plan
}

outcome_note <- function(outcome) {
  kinds <- table(outcome$outcome)
  refused <- outcome$outcome == "refused" & outcome$argument != "no_such_argument"
  paste0(
    paste(kinds, names(kinds), collapse = ", "), "; ",
    round(100 * mean((outcome$detail == outcome$argument)[refused])),
    "% of the refusals name the replaced argument"
  )
}

print_outcome <- function(outcome) {
  bad <- outcome[!outcome$acceptable, ]
  if (nrow(bad) > 0L) {
    cat(sprintf(
      "%s: %s = %s: %s %s\n", bad$target, bad$argument, bad$value, bad$outcome,
      substr(bad$detail, 1L, 150L)
    ), sep = "")
  }
}

if (sys.nframe() == 0L) {
  script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
  where <- setdiff(commandArgs(trailingOnly = TRUE), "--long")
  if (length(where) > 0L) {
    Sys.setenv(R_LIBS = paste(c(where, .libPaths()), collapse = ":"))
    .libPaths(c(where, .libPaths()))
  }
  Sys.setenv(OMP_THREAD_LIMIT = "2")
  library(hitmiss)
  outcome <- run_battery(
    normalizePath(dirname(script)), "--long" %in% commandArgs(trailingOnly = TRUE)
  )
  print_outcome(outcome)
  cat(nrow(outcome), "calls:", outcome_note(outcome), "\n")
  quit(status = as.integer(any(!outcome$acceptable)))
}
