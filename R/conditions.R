# Layer: conditions. What is refused and how it is told: conditions with a class
# that name the argument, the place and the remedy; one check for each kind of
# argument; arguments that a function does not have. Messages are cli templates:
# `{.arg x}`, `{.val {value}}`, pluralisation.
# SPDX-License-Identifier: GPL-3.0-or-later

# ---- conditions --------------------------------------------------------------

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

#' Warn with a class of this package, so that users can silence one kind only
#' @noRd
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

# One line per element; the first is what was wrong, the others are bullets.
# Imported, so that it is loaded before memory runs out.
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

# The outermost function of ours that is being called, without its arguments:
# what the user typed, and short even when data were passed inline.
user_call <- function() {
  for (i in seq_len(sys.nframe())) {
    if (in_package(sys.function(i))) {
      name <- called_name(sys.call(i))
      return(if (!is.null(name)) as.call(list(as.name(name))))
    }
  }
  NULL
}

in_package <- function(fun) {
  !is.null(environment(fun)) && identical(topenv(environment(fun)), topenv())
}

# What the user calls: of hitmiss::llfs() and of the method llfs.default(),
# llfs(). NULL for a function without a name.
called_name <- function(call) {
  name <- call[[1L]]
  if (is.call(name) && as.character(name[[1L]])[[1L]] %in% c("::", ":::")) {
    name <- name[[3L]]
  }
  if (is.symbol(name)) {
    sub(
      "[.](default|formula|(summary_)?hitmiss[a-z_]*)$", "", as.character(name)
    )
  }
}

# The call without data that were passed inline (do.call), and without
# environments: a saved fit must not carry what it was made from. What is left
# out is `...`; all else can be evaluated again, as update() does.
short_call <- function(call) {
  if (!is.call(call)) {
    return(NULL)
  }
  call <- plain_part(call)
  if (is.symbol(call[[1L]])) call[[1L]] <- as.name(called_name(call))
  call
}

plain_part <- function(part) {
  if (is.symbol(part) || is.null(part) ||
    is.atomic(part) && length(part) <= 1L) {
    return(part)
  }
  if (is.function(part)) {
    return(export_name(part))
  }
  if (!is.call(part)) {
    return(quote(...))
  }
  # A formula is a call with an environment.
  for (name in setdiff(names(attributes(part)), "names")) {
    attr(part, name) <- NULL
  }
  if (identical(part[[1L]], quote(`function`))) {
    # Where the text of the function stands is not part of it.
    return(part[-4L])
  }
  for (i in seq_along(part)) {
    # NULL would take the argument away, and what is left out in x[1, ] is a
    # symbol that cannot be handed on.
    if (!is.symbol(part[[i]]) && !is.null(part[[i]])) {
      part[[i]] <- plain_part(part[[i]])
    }
  }
  part
}

# do.call(relief, ...) puts the function itself into the call.
export_name <- function(fun) {
  names <- getNamespaceExports(topenv())
  same <- vapply(names, function(name) {
    identical(getExportedValue("hitmiss", name), fun)
  }, NA)
  if (any(same)) as.name(names[same][[1L]]) else quote(...)
}

# As utils::packageVersion(), which reads a file every time.
package_version_text <- function() unname(getNamespaceVersion(topenv()))

`%||%` <- function(a, b) if (is.null(a)) b else a

#' As tryCatch(error = ), but passes on the error of a time limit
#'
#' Also if another package has wrapped that error.
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
    # Where it came while S4 looked for a method, other words stand before it.
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

#' A function that evaluates its argument and lets each warning or message of
#' this package through the first time only: the fits of a loop repeat them
#' @noRd
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

# ---- checks: the value, or an error of class hitmiss_error_input -------------

check_number <- function(value, arg = deparse1(substitute(value)),
                         min = -Inf, max = Inf, above = -Inf, below = Inf) {
  if (!is_plain_number(value) || value < min || value > max ||
    value <= above || value >= below) {
    wanted <- number_domain("a number", min, max, above, below)
    abort_input("{.arg {arg}} must be {wanted}, not {describe(value)}.", arg)
  }
  as.double(value)
}

check_count <- function(value, arg = deparse1(substitute(value)),
                        min = 1, max = .Machine$integer.max) {
  if (!is_plain_number(value) || value != floor(value) ||
    value < min || value > max) {
    # The largest integer is named to whom it concerns only.
    large <- is_plain_number(value) && value > max
    wanted <- number_domain(
      "a whole number", min, if (large) as.double(max) else max, large = large
    )
    abort_input("{.arg {arg}} must be {wanted}, not {describe(value)}.", arg)
  }
  as.integer(value)
}

check_flag <- function(value, arg = deparse1(substitute(value))) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    abort_input(
      "{.arg {arg}} must be TRUE or FALSE, not {describe(value)}.", arg
    )
  }
  as.vector(value)
}

#' One of `choices`, not abbreviated; all of `choices` means the first
#' @param choices NULL: those that the calling function declares for `arg`.
#' @noRd
check_choice <- function(value, choices = NULL,
                         arg = deparse1(substitute(value))) {
  choices <- choices %||%
    eval(formals(sys.function(sys.parent()))[[substitute(value)]])
  if (identical(value, choices)) {
    return(choices[[1L]])
  }
  if (!is.character(value) || length(value) != 1L || is.na(value) ||
    !value %in% choices) {
    abort_input(
      "{.arg {arg}} must be one of {.or {.val {choices}}}, not
       {describe(value)}.",
      arg
    )
  }
  as.vector(value)
}

#' A list of numeric settings that replace defaults; refuses unknown names
#' @noRd
check_control <- function(control, defaults, arg = "control") {
  names <- names(control) %||% rep("", length(control))
  if (!is.list(control) || is.object(control) || !all(nzchar(names)) ||
    anyDuplicated(names) > 0L) {
    abort_input(
      "{.arg {arg}} must be a list that names each element once, not
       {describe(control)}.", arg
    )
  }
  unknown <- setdiff(names, names(defaults))
  if (length(unknown) > 0L) {
    abort_input(c(
      "{.arg {arg}} has no element{?s} called {.val {unknown}}.",
      i = "It takes {.val {names(defaults)}}."
    ), arg)
  }
  defaults[names] <- control
  defaults
}

# Plain vectors without NA, of a given length and content.
is_texts <- function(v, n = length(v)) {
  is.character(v) && !is.object(v) && is.null(dim(v)) && length(v) == n &&
    !anyNA(v)
}

is_numbers <- function(v, n = length(v), low = -Inf, high = Inf) {
  is.numeric(v) && !is.object(v) && is.null(dim(v)) && length(v) == n &&
    !anyNA(v) && all(v >= low & v <= high)
}

is_whole_numbers <- function(v, n = length(v), low = -Inf, high = Inf) {
  is_numbers(v, n, low, high) && all(v == floor(v))
}

is_plain_number <- function(value) {
  is.numeric(value) && !is.object(value) && length(value) == 1L &&
    is.finite(value)
}

# "a number above 0", "a whole number from 1 to 10"
number_domain <- function(kind, min, max, above = -Inf, below = Inf,
                          large = FALSE) {
  text <- function(number) format(number, digits = 15L)
  bounded <- large || is.finite(max) && max < .Machine$integer.max
  if (above > -Inf) {
    paste(c(
      kind, "above", text(above), if (bounded) c("and at most", text(max)),
      if (below < Inf) c("and below", text(below))
    ), collapse = " ")
  } else if (min > -Inf && bounded) {
    paste(kind, "from", text(min), "to", text(max))
  } else if (min > -Inf) {
    paste0(kind, ", at least ", text(min))
  } else {
    kind
  }
}

# What the user gave, in a few words: `"abc"`, `-1`, `a list of length 3`.
describe <- function(value) {
  if (is.null(value)) {
    "NULL"
  } else if (is.function(value)) {
    "a function"
  } else if (is.data.frame(value)) {
    size <- paste(dim(value), collapse = " x ")
    paste0("an object of class ", class(value)[[1L]], " (", size, ")")
  } else if (is.object(value) || !is.vector(value) && !is.array(value)) {
    paste("an object of class", class(value)[[1L]])
  } else if (length(value) == 1L && is.atomic(value)) {
    if (is.character(value) && !is.na(value)) {
      quoted(value)
    } else {
      format(value, digits = 15L)
    }
  } else if (is.list(value)) {
    paste("a list of length", length(value))
  } else {
    size <- paste(dim(value), collapse = " x ")
    paste(
      if (is.integer(value)) "an" else "a", typeof(value),
      if (is.null(dim(value))) {
        paste("vector of length", length(value))
      } else {
        paste(if (is.matrix(value)) "matrix of" else "array of", size)
      }
    )
  }
}

# At most 60 letters of any text.
quoted <- function(text) {
  encodeString(strtrim(plain_text(text), 60L), quote = "\"")
}

# Also of bytes that are no text.
plain_text <- function(text) {
  iconv(enc2utf8(text), "UTF-8", "UTF-8", sub = "byte")
}

#' Positions of features that the user gives as names or positions
#' @noRd
feature_positions <- function(features, known, arg = "features", of = "x") {
  numbers <- is.numeric(features) && !is.object(features)
  if (!numbers && !is.character(features) || length(features) == 0L) {
    abort_input(
      "{.arg {arg}} must be names or positions of features, not
       {describe(features)}.", arg
    )
  }
  at <- match(features, if (numbers) seq_along(known) else known)
  if (anyNA(at)) {
    bad <- unique(features[is.na(at)])
    abort_input(
      "{.arg {arg}} has {length(bad)} element{?s} that {?is not a feature/are
       not features} of {.arg {of}}: {.val {bad}}.", arg
    )
  }
  if (anyDuplicated(at) > 0L) {
    abort_input(
      "{.arg {arg}} has {.val {unique(known[at[duplicated(at)]])}} more than
       once.", arg
    )
  }
  at
}

require_package <- function(package, purpose) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort(
      c(
        "package {.pkg {package}} is needed for {purpose}.",
        i = "Install it: {.code install.packages(\"{package}\")}"
      ),
      "hitmiss_error_package",
      package = package
    )
  }
}

# ---- arguments that a function does not have ---------------------------------

#' Refuse arguments in `...` that no function takes
#' @noRd
check_no_dots <- function(...) {
  if (...length() == 0L) {
    return(invisible())
  }
  given <- ...names() %||% rep("", ...length())
  given[is.na(given) | given == ""] <- "(unnamed)"
  taken <- taken_arguments(sys.parent())
  abort_unknown_arguments(given, taken$names, taken$verb)
}

#' The arguments that could have been given
#'
#' Those of the function that has the dots, and those of the functions of this
#' package that passed the dots on to it.
#' @param frame Number of the frame of the function that has the dots.
#' @return list(names, verb: what the user called, such as "relief").
#' @noRd
taken_arguments <- function(frame) {
  names <- character()
  verb <- "the function"
  parents <- sys.parents()
  while (frame > 0L && in_package(sys.function(frame))) {
    own <- names(formals(sys.function(frame)))
    if (!"..." %in% own) break
    names <- union(own, names)
    verb <- called_name(sys.call(frame)) %||% verb
    frame <- parents[[frame]]
  }
  # What verbs do not hand on, and what a formula stands for.
  not <- c("...", "outcome", "complete", if ("formula" %in% names) c("x", "y"))
  list(names = setdiff(names, not), verb = verb)
}

abort_unknown_arguments <- function(given, known, verb) {
  if (given[[1L]] == "(unnamed)") {
    abort_input(c(
      "{.fn {verb}} was given more unnamed arguments than it accepts.",
      i = "Name each argument. The names are {.arg {known}}."
    ), given[[1L]])
  }
  meant <- unique(unlist(lapply(given, meant_argument, known)))
  abort_input(c(
    "{cli::qty(length(given))}{.arg {given}} {?is not an argument/are not
     arguments} of {.fn {verb}}.",
    i = if (length(meant) > 0L) {
      "Did you mean {.or {.arg {meant}}}?"
    } else if (verb %in% verbs && given[[1L]] %in% count_names) {
      "A fit has all features: {.code selected(fit, n = 10)} gives the best 10
       of those that it ranks or selects."
    } else if (verb %in% verbs && given[[1L]] == "data") {
      "It is used with a formula: {.code {verb}(class ~ ., data = df)}."
    } else {
      "Its {cli::qty(length(known))}argument{?s} {?is/are} {.arg {known}}."
    }
  ), given[[1L]])
}

verbs <- c("llfs", "logo", "relief", "kbfs", "pwfp")

# How other packages call the number of features to select.
count_names <- c(
  "n", "n_features", "nfeatures", "num_features", "n_top", "top", "size"
)

# What other packages, or older versions of this one, call an argument.
other_names <- list(
  k = c("neighbours", "neighbors", "n_neighbours", "n_neighbors", "nn"),
  max_iter = c("control", "maxit", "n_iter", "iterations", "max_iterations"),
  tol = c("tolerance", "eps", "epsilon"),
  threads = c("cores", "n_cores", "ncores", "n_threads", "nthreads", "workers"),
  y = c("labels", "label", "class", "classes", "target", "outcome", "response"),
  n = count_names, n_features = count_names, longest = "n", searched = "n"
)

# The argument among `known` that `name` probably stands for: one or none.
meant_argument <- function(name, known) {
  other <- Filter(function(names) tolower(name) %in% names, other_names)
  utils::head(c(
    intersect(names(other), known), similar_name(name, known)
  ), 1L)
}

#' The known name that is most similar to `name`, if any is similar enough
#'
#' First a name that differs in case only, then one that begins with `name`,
#' then one with few letters changed.
#' @noRd
similar_name <- function(name, known) {
  if (length(known) == 0L) {
    return(NULL)
  }
  name <- tolower(plain_text(name))
  letters <- tolower(plain_text(known))
  distance <- drop(utils::adist(strtrim(name, 60L), strtrim(letters, 60L)))
  if (nchar(name) >= 3L) distance[startsWith(letters, name)] <- 0.5
  distance[letters == name] <- 0
  if (min(distance) <= findInterval(nchar(name), c(2, 5, 9))) {
    known[[which.min(distance)]]
  }
}

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

# The value of an argument, also where a call leaves it empty, as in f(x, y = )
# or do.call(f, list(x, y = quote(expr = ))).
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

# `row 3 ("patient7")`
position <- function(kind, index, names) {
  if (is.null(names)) {
    return(paste(kind, index))
  }
  name <- quoted(names[[index]])
  paste0(kind, " ", index, " (", name, ")")
}
