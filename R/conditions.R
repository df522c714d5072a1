# Layer: conditions. Errors, warnings and messages have a class of this package.
# Their texts are cli templates: `{.arg x}`, `{.val {value}}`, pluralisation.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Signal an error about an invalid argument
#'
#' @param message cli template; named elements become bullets (`i = ` remedy).
#' @param arg Name of the argument at fault, kept in the condition.
#' @param ... Further fields of the condition, such as `row` or `column`.
#' @param envir Where the template's expressions are evaluated.
#' @noRd
abort_input <- function(message, arg = NULL, ..., envir = parent.frame()) {
  abort(message, "hitmiss_error_input", arg = arg, ..., envir = envir)
}

abort <- function(message, class, ..., envir = parent.frame()) {
  stop(structure(
    class = c(class, "hitmiss_error", "error", "condition"),
    list(message = format_condition(message, envir), call = user_call(), ...)
  ))
}

# Warns with a class of this package, so that users can silence one kind only.
warn <- function(message, class, ..., envir = parent.frame()) {
  warning(structure(
    class = c(class, "hitmiss_warning", "warning", "condition"),
    list(message = format_condition(message, envir), call = user_call(), ...)
  ))
}

inform <- function(message, class, envir = parent.frame()) {
  message(structure(
    class = c(class, "hitmiss_message", "message", "condition"),
    list(message = paste0(format_condition(message, envir), "\n"), call = NULL)
  ))
}

# Each element becomes one line: the first says what was wrong, the others are
# bullets. format_inline() is imported so that cli is loaded already when an
# error at the end of memory must be formatted.
#' @importFrom cli format_inline
format_condition <- function(message, envir) {
  lines <- vapply(
    message,
    function(line) {
      cli::ansi_strip(format_inline(
        line,
        .envir = envir, collapse = FALSE, keep_whitespace = FALSE
      ))
    },
    ""
  )
  mark <- c(i = "i", x = "x")[rep_len(names(message) %||% "", length(lines))]
  paste0(ifelse(is.na(mark), "", paste0(mark, " ")), lines, collapse = "\n")
}

# Text with plurals for what is printed. cli::pluralize() needs a package that
# cli does not bring along.
in_words <- function(text, envir = parent.frame()) {
  format_condition(text, envir)
}

`%||%` <- function(a, b) if (is.null(a)) b else a

#' Catch errors like tryCatch(error = ), but pass on that of a time limit
#'
#' The error of a time limit is known also if another package has wrapped it.
#' @noRd
catch_error <- function(expr, failed) {
  tryCatch(expr, error = function(e) {
    limit <- time_limit(e)
    if (is.null(limit)) failed(e) else stop(limit)
  })
}

#' The error of setTimeLimit() or setSessionTimeLimit() in a condition or among
#' its parents, or NULL
#'
#' It has no class of its own: only R's message, in the user's language, shows
#' what it is.
#' @noRd
time_limit <- function(e) {
  while (inherits(e, "condition")) {
    # If the limit was reached while S4 looked for a method, other words stand
    # before R's message.
    limit <- Filter(
      \(text) endsWith(conditionMessage(e), text),
      gettext(time_limits, domain = "R")
    )
    if (length(limit) > 0L) {
      return(simpleError(limit[[1L]], conditionCall(e)))
    }
    e <- e$parent
  }
}

time_limits <- paste(
  "reached",
  c("elapsed", "CPU", "session elapsed", "session CPU"), "time limit"
)

# Returns a function that evaluates its argument and lets each warning or
# message of this package through the first time only, because the fits of a
# loop repeat them.
once_by_class <- function() {
  seen <- character()
  was_seen <- function(condition) {
    said <- paste(class(condition), collapse = " ")
    again <- said %in% seen
    if (inherits(condition, c("hitmiss_warning", "hitmiss_message"))) {
      seen <<- union(seen, said)
    }
    again
  }
  function(fit) {
    withCallingHandlers(fit,
      warning = function(w) if (was_seen(w)) invokeRestart("muffleWarning"),
      message = function(m) if (was_seen(m)) invokeRestart("muffleMessage")
    )
  }
}
