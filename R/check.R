# One checker per kind of argument. Each returns the normalised value or stops
# with `hitmiss_error_input`, naming the argument as the user wrote it.
# SPDX-License-Identifier: GPL-3.0-or-later

# `arg` is evaluated first: it must see the caller's expression.
check_number <- function(value, arg = deparse1(substitute(value)),
                         min = -Inf, max = Inf, above = -Inf) {
  force(arg)
  wanted <- number_domain("a number", min, max, above)
  if (!is_plain_number(value)) {
    abort_input("{.arg {arg}} must be {wanted}, not {describe(value)}.", arg)
  }
  if (value < min || value > max || value <= above) {
    abort_input("{.arg {arg}} must be {wanted}, not {describe(value)}.", arg)
  }
  as.double(value)
}

check_count <- function(value, arg = deparse1(substitute(value)),
                        min = 1, max = .Machine$integer.max) {
  force(arg)
  if (!is_plain_number(value) || value != floor(value) ||
    value < min || value > max) {
    # The largest integer is named to whom it concerns only.
    wanted <- if (is_plain_number(value) && value > max) {
      paste("a whole number from", min, "to", format(max, digits = 15L))
    } else {
      number_domain("a whole number", min, max, -Inf)
    }
    abort_input("{.arg {arg}} must be {wanted}, not {describe(value)}.", arg)
  }
  as.integer(value)
}

check_flag <- function(value, arg = deparse1(substitute(value))) {
  force(arg)
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
  force(arg)
  choices <- choices %||% choices_of(sys.function(sys.parent()), arg)
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

#' What a function declares as the choices of an argument
#' @noRd
choices_of <- function(fun, arg) eval(formals(fun)[[arg]])

#' A list of numeric settings that replace defaults; refuses unknown names
#' @noRd
check_control <- function(control, defaults, arg = "control") {
  if (!is.list(control) || is.object(control) ||
    (length(control) > 0L && (is.null(names(control)) ||
      anyNA(names(control)) || any(names(control) == "")))) {
    abort_input(
      "{.arg {arg}} must be a named list, not {describe(control)}.", arg
    )
  }
  unknown <- setdiff(names(control), names(defaults))
  if (length(unknown) > 0L) {
    abort_input(c(
      "{.arg {arg}} has no element{?s} called {.val {unknown}}.",
      i = "It takes {.val {names(defaults)}}."
    ), arg)
  }
  twice <- unique(names(control)[duplicated(names(control))])
  if (length(twice) > 0L) {
    abort_input("{.arg {arg}} names {.val {twice}} more than once.", arg)
  }
  defaults[names(control)] <- control
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

is_whole <- function(v, n = length(v), low = -Inf, high = Inf) {
  is_numbers(v, n, low, high) && all(v == floor(v))
}

is_plain_number <- function(value) {
  is.numeric(value) && !is.object(value) && length(value) == 1L &&
    is.finite(value)
}

# "a number above 0", "a whole number from 1 to 10"
number_domain <- function(kind, min, max, above) {
  upper <- if (is.finite(max) && max < .Machine$integer.max) {
    format(max, digits = 15L)
  }
  if (above > -Inf) {
    paste0(kind, " above ", format(above), if (!is.null(upper)) {
      paste0(" and at most ", upper)
    })
  } else if (min > -Inf && !is.null(upper)) {
    paste0(kind, " from ", format(min, digits = 15L), " to ", upper)
  } else if (min > -Inf) {
    paste0(kind, ", at least ", format(min, digits = 15L))
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
  } else if (isS4(value) || is.environment(value)) {
    paste0("an object of class ", class(value)[[1L]])
  } else if (is.object(value)) {
    paste0("an object of class ", class(value)[[1L]], size_of(value))
  } else if (is.character(value) && length(value) == 1L) {
    if (is.na(value)) "NA" else quoted(value)
  } else if (is.atomic(value) && length(value) == 1L) {
    format(value, digits = 15L)
  } else if (is.list(value)) {
    paste0("a list of length ", length(value))
  } else if (is.atomic(value)) {
    article <- if (is.integer(value)) "an " else "a "
    paste0(article, typeof(value), " ", if (!is.null(dim(value))) {
      kind <- if (is.matrix(value)) "matrix of " else "array of "
      paste0(kind, paste(dim(value), collapse = " x "))
    } else {
      paste0("vector of length ", length(value))
    })
  } else {
    paste0("an object of type ", typeof(value))
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

size_of <- function(value) {
  if (is.data.frame(value)) {
    paste0(" (", nrow(value), " x ", ncol(value), ")")
  } else {
    ""
  }
}

#' Positions of features that the user gives as names or positions
#' @noRd
feature_positions <- function(features, known, arg = "features", of = "x") {
  if (is.numeric(features) && !is.object(features)) {
    good <- is.finite(features) & features == floor(features) &
      features >= 1 & features <= length(known)
  } else if (is.character(features)) {
    good <- features %in% known
  } else {
    abort_input(
      "{.arg {arg}} must be names or positions of features, not
       {describe(features)}.", arg
    )
  }
  if (length(features) == 0L) {
    abort_input("{.arg {arg}} names no feature.", arg)
  }
  if (!all(good)) {
    bad <- unique(features[!good])
    abort_input(
      "{.arg {arg}} has {length(bad)} element{?s} that {?is not a feature/are
       not features} of {.arg {of}}: {.val {bad}}.", arg
    )
  }
  at <- if (is.character(features)) match(features, known) else features
  if (anyDuplicated(at)) {
    abort_input(
      "{.arg {arg}} has {.val {unique(known[at[duplicated(at)]])}} more than
       once.", arg
    )
  }
  as.integer(at)
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
