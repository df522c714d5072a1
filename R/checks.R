# Layer: conditions. There is a check for each kind of argument: it returns the
# value, or signals an error of class hitmiss_error_input.
# SPDX-License-Identifier: GPL-3.0-or-later

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
    # The largest integer is named only if the value exceeds it.
    large <- is_plain_number(value) && value > max
    wanted <- number_domain(
      "a whole number", min, if (large) as.double(max) else max, large = large
    )
    abort_input("{.arg {arg}} must be {wanted}, not {describe(value)}.", arg)
  }
  as.integer(value)
}

# Returns how many of the best features are meant; Inf means all.
check_top <- function(value, arg = deparse1(substitute(value))) {
  if (identical(value, Inf)) .Machine$integer.max else check_count(value, arg)
}

# As check_count(), or Inf for all.
check_count_or_all <- function(value, arg = deparse1(substitute(value)), ...) {
  if (identical(value, Inf)) Inf else check_count(value, arg, ...)
}

check_flag <- function(value, arg = deparse1(substitute(value))) {
  if (!is.logical(value) || length(value) != 1L || is.na(value)) {
    abort_input(
      "{.arg {arg}} must be TRUE or FALSE, not {describe(value)}.", arg
    )
  }
  as.vector(value)
}

check_one_text <- function(value, arg) {
  if (!is_texts(value, 1L)) {
    abort_input(
      "{.arg {arg}} must be a single string, not {describe(value)}.", arg
    )
  }
  value
}

#' One of `choices`, not abbreviated; all of `choices` means the first
#' @param choices NULL: those that the calling function declares for `arg`.
#' @noRd
check_choice <- function(value, choices = NULL,
                         arg = deparse1(substitute(value))) {
  if (is.null(choices)) {
    choices <- eval(formals(sys.function(sys.parent()))[[substitute(value)]])
  }
  if (identical(value, choices)) {
    return(choices[[1L]])
  }
  if (!is.character(value) || length(value) != 1L || !value %in% choices) {
    abort_input(
      "{.arg {arg}} must be one of {.or {.val {choices}}}, not
       {describe(value)}.",
      arg
    )
  }
  as.vector(value)
}

# Checks a list of numeric settings that replace defaults; unknown names are an
# error.
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

# These test for a plain vector without NA, of a given length and content.
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

# Gives texts such as "a number above 0" and "a whole number from 1 to 10".
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

# Says what the user gave in a few words: `"abc"`, `-1`, `a list of length 3`.
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

# Quotes at most 60 letters of any text.
quoted <- function(text) {
  encodeString(strtrim(valid_text(text), 60L), quote = "\"")
}

# Replaces invalid bytes by `<xx>`, so that the text can be printed.
valid_text <- function(text) {
  iconv(enc2utf8(text), "UTF-8", "UTF-8", sub = "byte")
}

# Gives texts such as `row 3 ("patient7")`.
position <- function(kind, index, names) {
  name <- if (!is.null(names)) sprintf("(%s)", quoted(names[[index]]))
  paste(c(kind, index, name), collapse = " ")
}

# Returns the positions of features that the user gives as names or positions.
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

require_package <- function(package, purpose, install = "install.packages") {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort(
      c(
        "package {.pkg {package}} is needed for {purpose}.",
        i = "Install it: {.code {install}(\"{package}\")}"
      ),
      c("hitmiss_error_package", "hitmiss_error_input"),
      package = package
    )
  }
}

# Refuses a container if the package that reads it is not installed.
require_container_package <- function(package, x) {
  require_package(
    package, paste("objects of class", class(x)[[1L]]), "BiocManager::install"
  )
}
