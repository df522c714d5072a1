# Interrupting a call that runs in a session of callr.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Sends the interrupt and waits for the call's end.
#' @return `answer`, what the session says at the end; `seconds` until then;
#'   `heard`, whether an interrupt ended the call, and no other error.
interrupt_call <- function(session) {
  started <- proc.time()[["elapsed"]]
  session$interrupt()
  answer <- NULL
  tries <- 1L
  # What the session prints also wakes the poll; the call's end has code 200.
  while (!identical(as.integer(answer$code), 200L)) {
    if (session$poll_process(20000L) == "timeout") {
      if (tries == 3L) break
      # One that came before the call is lost.
      tries <- tries + 1L
      session$interrupt()
    }
    answer <- session$read()
    if (!session$is_alive()) stop("the session died: ", answer$message)
  }
  list(
    answer = answer, seconds = proc.time()[["elapsed"]] - started,
    heard = inherits(answer$error, "error") &&
      grepl("interrupt", conditionMessage(answer$error))
  )
}

# A session that knows `endless(threads)`, a fit that does not end by itself.
endless_session <- function(envir = parent.frame()) {
  skip_on_cran()
  skip_if_not_installed("callr")
  session <- callr::r_session$new(
    callr::r_session_options(libpath = .libPaths()),
    wait_timeout = 60000
  )
  withr::defer(session$close(), envir)
  session$run(function() {
    # R's compiler takes a limit that it meets for a failure of its own: on a
    # slow machine no limit would be left, and the fit would not end.
    compiler::enableJIT(0L)
    data <- hitmiss::simulate_microarray(c(60, 60), genes = 1000, relevant = 5)
    endless <- function(threads) {
      hitmiss::relief(data$x, data$y, method = "irelief", sigma = 0.05,
        tol = 1e-300, max_iter = 1000000, threads = threads)
    }
    few <- function() hitmiss::relief(data$x[, 1:20], data$y, k = 3)$scores
    list2env(list(data = data, endless = endless, few = few,
      expected = few()), globalenv())
    NULL
  })
  session
}
