# Layer: conditions. These functions refuse arguments that are missing, that a
# function does not have, or that its method does not use.
# SPDX-License-Identifier: GPL-3.0-or-later

# Called by functions that have `...` only because their generic has it, or so
# that the arguments behind it are named in full.
check_no_dots <- function(...) {
  if (...length() > 0L) {
    frame <- sys.parent()
    known <- names(formals(sys.function(frame)))
    # The user called the first of the functions that handed `...` on. Arguments
    # that it gives itself are not the user's.
    while (hands_on_dots(frame)) {
      own <- given_names(frame)
      frame <- sys.parents()[[frame]]
      known <- union(names(formals(sys.function(frame))), setdiff(known, own))
    }
    abort_unknown_arguments(
      ...names() %||% rep("", ...length()), known,
      called_name(sys.call(frame)) %||% calling_verb()
    )
  }
}

hands_on_dots <- function(frame) {
  from <- sys.parents()[[frame]]
  has_dots <- vapply(as.list(sys.call(frame)), identical, NA, quote(...))
  any(has_dots) && from > 0L && in_package(sys.function(from))
}

# Returns the names of the arguments in a call, without those in `...`.
given_names <- function(frame) {
  call <- as.list(sys.call(frame))
  call <- as.call(call[!vapply(call, identical, NA, quote(...))])
  names(match.call(sys.function(frame), call))
}

#' @param given Names of arguments that `verb` does not have, "" if unnamed.
#' @param known Names of those that it has.
#' @noRd
abort_unknown_arguments <- function(given, known, verb) {
  given[is.na(given) | given == ""] <- "(unnamed)"
  known <- setdiff(known, "...")
  abort_input(c(
    if (given[[1L]] == "(unnamed)") {
      "{.fn {verb}} was given more unnamed arguments than it accepts."
    } else {
      "{cli::qty(length(given))}{.arg {given}} {?is not an argument/are not
       arguments} of {.fn {verb}}."
    },
    i = "Its {cli::qty(length(known))}argument{?s} {?is/are} {.arg {known}}."
  ), given[[1L]])
}

verbs <- c("llfs", "logo", "relief", "kbfs", "pwfp")

#' Refuse an argument that the chosen method does not use
#'
#' @param given Names of the arguments in the call.
#' @param used_by Named list: argument -> the methods that use it.
#' @noRd
check_used_by <- function(given, used_by, method) {
  for (arg in intersect(names(used_by), given)) {
    if (!method %in% used_by[[arg]]) {
      abort_input(
        "{.arg {arg}} is not used by method {.val {method}}, only by
         {.val {used_by[[arg]]}}.", arg
      )
    }
  }
}

abort_missing <- function(arg) {
  abort_input("{.arg {arg}} is missing; it has no default.", arg)
}

# Returns the value of an argument. If a call leaves it empty, as f(x, y = ) and
# do.call(f, list(x, y = quote(expr = ))) do, the error names it.
force_given <- function(value, arg) {
  value <- tryCatch(value, error = function(e) {
    if (grepl("is missing, with no default", conditionMessage(e))) {
      abort_missing(arg)
    }
    stop(e)
  })
  if (missing(value)) abort_missing(arg)
  value
}
