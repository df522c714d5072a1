# Interrupting a call that runs in a session of callr.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Sends the interrupt and waits for the call's end.
#' @return `answer`, what the session says at the end; `seconds` until then;
#'   `heard`, whether an interrupt ended the call, and no other error.
interrupt_call <- function(session) {
  started <- proc.time()[["elapsed"]]
  session$interrupt()
  answer <- NULL
  # What the session prints also wakes the poll; the call's end has code 200.
  while (!identical(as.integer(answer$code), 200L)) {
    if (session$poll_process(60000L) == "timeout") break
    answer <- session$read()
    if (!session$is_alive()) stop("the session died: ", answer$message)
  }
  list(
    answer = answer, seconds = proc.time()[["elapsed"]] - started,
    heard = inherits(answer$error, "error") &&
      grepl("interrupt", conditionMessage(answer$error))
  )
}
