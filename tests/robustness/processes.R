# Child processes that perform the cases of a battery, with a limit on memory
# and, per case, on time; one that dies or hangs is followed by another, which
# goes on behind the case at fault.
# SPDX-License-Identifier: GPL-3.0-or-later

# A call hangs that has used so much processor time, or that has slept for so
# long: a busy machine, which makes a call wait for a processor, is no fault of
# the call. What then falls asleep after some work is noticed by the clock
# alone.
seconds_per_call <- 10
seconds_by_clock <- 60
# A sanitizer reserves far more than there is.
memory_kilobytes <- Sys.getenv("HITMISS_BATTERY_KILOBYTES", format(6 * 2^20))

#' @param battery Name of the script whose function <battery>_cases() makes a
#'   list of n and perform(i), see child.R.
#' @param extent What it is given, a word.
#' @return The children, for journal_ends().
run_children <- function(folder, battery, extent, processes = 2L) {
  workers <- lapply(seq_len(processes), function(first) {
    journal <- tempfile("journal")
    file.create(journal)
    start_child(list(
      folder = folder, battery = battery, extent = extent, journal = journal,
      first = first, step = processes
    ))
  })
  while (!all(vapply(workers, `[[`, NA, "done"))) {
    Sys.sleep(0.2)
    workers <- lapply(workers, watch_child)
  }
  workers
}

start_child <- function(worker) {
  command <- sprintf(
    "ulimit -v %s; exec %s %s %s %s %s %s %d %d", memory_kilobytes,
    shQuote(file.path(R.home("bin"), "Rscript")),
    shQuote(file.path(worker$folder, "child.R")), shQuote(worker$folder),
    worker$battery, worker$extent, shQuote(worker$journal), worker$first,
    worker$step
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
  size <- file.size(worker$journal)
  if (size != worker$seen) {
    worker$seen <- size
    worker$since <- Sys.time()
    worker$used <- processor_seconds(worker$process)
  }
  if (alive && !hangs(worker)) {
    return(worker)
  }
  lines <- c("born", readLines(worker$journal, warn = FALSE))
  last <- utils::tail(lines, 1L)
  if (alive && !grepl("^(start|done)", last)) {
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
    what <- paste(
      what, "status", status, paste(utils::tail(said, 3L), collapse = " ")
    )
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
  tryCatch(
    sum(process$get_cpu_times()[c("user", "system")]), error = function(e) 0
  )
}

#' What the journals say of each case that ended: at, outcome (a word), detail.
journal_ends <- function(workers) {
  lines <- unlist(lapply(workers, function(worker) readLines(worker$journal)))
  ends <- grep("^end ", lines, value = TRUE)
  parts <- regmatches(ends, regexec("^end ([0-9]+) ([a-z]+) ?(.*)$", ends))
  data.frame(
    at = as.integer(vapply(parts, `[[`, "", 2L)),
    outcome = vapply(parts, `[[`, "", 3L), detail = vapply(parts, `[[`, "", 4L)
  )
}

#' A line for each call that did not end as it may.
#'
#' @param call Function of such rows of `outcome`: the call of each, in words.
print_unacceptable <- function(outcome, call) {
  bad <- outcome[!outcome$acceptable, ]
  if (nrow(bad) > 0L) {
    detail <- substr(bad$detail, 1L, 150L)
    cat(sprintf("%s: %s %s\n", call(bad), bad$outcome, detail), sep = "")
  }
}

#' Puts a library before the others, for this process and its children.
use_library <- function(where) {
  if (length(where) > 0L) {
    Sys.setenv(R_LIBS = paste(c(where, .libPaths()), collapse = ":"))
    .libPaths(c(where, .libPaths()))
  }
  Sys.setenv(OMP_THREAD_LIMIT = "2")
  library(hitmiss)
}
