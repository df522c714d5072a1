# What the valid calls leave behind in a session.
# SPDX-License-Identifier: GPL-3.0-or-later

# All that a call could leave behind, but the random stream.
session_state <- function() {
  list(
    options = options(), kind = RNGkind(), locale = Sys.getlocale(),
    folder = getwd(), files = list.files(all.files = TRUE),
    devices = grDevices::dev.list(), device = grDevices::dev.cur(),
    variables = Sys.getenv(), search = search(),
    globals = setdiff(ls(globalenv(), all.names = TRUE), ".Random.seed"),
    # Not showConnections(), which collects garbage each time.
    connections = getAllConnections(), digits = getOption("digits")
  )
}

#' @param task What is watched, a function without arguments.
#' @return list(value, changed = names of the parts of the session that are not
#'   as before, moved = is the random stream elsewhere?).
session_trace <- function(task) {
  before <- session_state()
  stream <- .Random.seed
  value <- suppressWarnings(task())
  moved <- !identical(.Random.seed, stream)
  same <- mapply(identical, before, session_state())
  list(value = value, changed = names(before)[!same], moved = moved)
}

#' Performs all valid calls and watches each, first the making of the fits that
#' they are given.
#'
#' For a session in which no call was performed before: what a call leaves
#' behind the first time would not be a change the second time.
#' @return list(fits = a session_trace(), calls = a list of them, which have
#'   besides `call` and `refused`: did the call end in an error of this
#'   package?).
session_traces <- function() {
  withr::local_dir(withr::local_tempdir())
  # Where plots may be drawn.
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  # Loading a package may set options, which is not the doing of the call.
  for (package in c("ggplot2", "Matrix", "recipes")) {
    requireNamespace(package, quietly = TRUE)
  }
  set.seed(1)
  made <- session_trace(valid_calls)
  list(
    fits = made[-1L],
    calls = lapply(made$value, function(call) {
      trace <- session_trace(function() {
        refused <- FALSE
        utils::capture.output(tryCatch(
          perform(call),
          hitmiss_error = function(e) refused <<- TRUE
        ))
        refused
      })
      list(
        call = call[c("target", "random", "refused")], refused = trace$value,
        changed = trace$changed, moved = trace$moved
      )
    })
  )
}
