# How long does ^C take, and how late does a time limit come? Fits that are
# repeated without end are ended in either way at different moments, 20 times
# each; the time until the caller's handler has the condition, and whether the
# session lives after. The session's error option would end it: it must not run.
#   Rscript tests/bench/interrupt_latency.R [TIMES [TASK ...]]
# SPDX-License-Identifier: GPL-3.0-or-later

if (.Platform$OS.type == "windows" ||
  !requireNamespace("callr", quietly = TRUE)) {
  cat("Needs the R package callr, and signals.\n")
  quit(status = 77L)
}
arguments <- commandArgs(trailingOnly = TRUE)
times <- if (length(arguments) > 0L) as.integer(arguments[[1L]]) else 20L

# More than so many seconds are too many.
longest <- 1

# From the first moments on, where phases change fast, to the late ones.
waits <- 0.3 * (20 / 0.3)^((seq_len(times) - 1) / max(1, times - 1))

tasks <- list(
  llfs = function() {
    hitmiss::llfs(large$x, large$y, alpha = c(5, 10, 15, 20, 25, 30),
      threads = 2)
  },
  logo = function() {
    hitmiss::logo(large$x, large$y, tol = 1e-300, threads = 2)
  },
  relief = function() {
    hitmiss::relief(large$x, large$y, method = "irelief", sigma = 0.05,
      tol = 1e-300, max_iter = 100000, threads = 2)
  },
  kbfs = function() {
    hitmiss::kbfs(large$x, large$y, n = 30000, redundancy = 1,
      threads = 2)
  },
  error_curve = function() {
    hitmiss::error_curve(toy$x, toy$y,
      list(llfs = function(x, y) hitmiss::llfs(x, y, alpha = 10, threads = 2)),
      sizes = c(1, 2, 5), resampling = hitmiss::holdout(times = 400))
  },
  predict = function() predict(fitted, many, threads = 2)
)

new_session <- function() {
  session <- callr::r_session$new(
    callr::r_session_options(libpath = .libPaths())
  )
  session$run(function() {
    loadNamespace("hitmiss")
    set.seed(1)
    toy <- hitmiss::simulate_microarray(c(60, 60), genes = 20000)
    large <- hitmiss::simulate_microarray(c(150, 150), genes = 30000)
    assign("toy", toy, globalenv())
    assign("large", large, globalenv())
    few <- toy$x[, 1:50]
    assign("fitted", hitmiss::relief(few, toy$y, threads = 2), globalenv())
    assign("many", few[rep(1:120, 500), ], globalenv())
    options(error = quote(quit(status = 1)))
    NULL
  })
  session
}

# Seconds from the signal, or from the time limit, to the answer.
end_once <- function(session, task, wait, by) {
  environment(task) <- globalenv()
  session$call(function(task, limit) {
    environment(task) <- globalenv()
    on.exit(setTimeLimit())
    tryCatch(
      {
        setTimeLimit(elapsed = limit)
        repeat task()
      },
      interrupt = function(i) "interrupted",
      simpleError = conditionMessage
    )
  }, list(task = task, limit = if (by == "limit") wait else Inf))
  started <- proc.time()[["elapsed"]] + wait
  # A limit may come a little before this clock says so.
  waiting <- session$poll_process(as.integer(1000 * wait)) == "timeout"
  if (waiting && by == "interrupt") session$interrupt()
  session$poll_process(60000L)
  answer <- session$read()
  seconds <- proc.time()[["elapsed"]] - started
  stopifnot(identical(answer$result, c(
    interrupt = "interrupted", limit = "reached elapsed time limit"
  )[[by]]))
  usable <- session$run(function() {
    fit <- hitmiss::relief(toy$x[, 1:50], toy$y, threads = 2)
    fit$n_features
  })
  stopifnot(identical(usable, 50L))
  seconds
}

# Which moments were at fault: the table shows only how bad the worst was.
print_faults <- function(name, seconds) {
  slow <- which(seconds >= longest)
  cat(sprintf(
    "%s: ended after %.1f s, it took %.2f s\n",
    name, waits[slow], seconds[slow]
  ), sep = "")
}

if (length(arguments) > 1L) tasks <- tasks[arguments[-1L]]
session <- new_session()
ways <- expand.grid(
  task = names(tasks), by = c("interrupt", "limit"), stringsAsFactors = FALSE
)
table <- do.call(rbind, Map(function(name, by) {
  seconds <- vapply(waits, function(wait) {
    end_once(session, tasks[[name]], wait, by)
  }, 0)
  print_faults(paste(name, by), seconds)
  data.frame(
    task = name, by = by, times = times,
    median = round(stats::median(seconds), 3),
    largest = round(max(seconds), 3)
  )
}, ways$task, ways$by))
session$close()
print(table, row.names = FALSE)
fine <- table$largest < longest
quit(status = as.integer(!all(fine)))
