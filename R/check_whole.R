# Is this a whole object of ours, and does it agree with itself? Verbs are also
# called on a part of an object, on what another program wrote, and on what was
# edited by hand: a right answer, or an error that names the field.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The object unchanged, or an error that names its invalid fields
#'
#' Every method of every class calls this function. The conditions are in
#' tables, see `rules_of()`: `fields` tests each field by itself, `relations`
#' tests whether fields agree with each other. All tests are vectorised, because
#' they run in every call.
#'
#' @param x The object that a method was called with.
#' @param arg Name of the argument.
#' @param needs For tables, from which users may take columns: the columns that
#'   the method reads.
#' @return `x`, or an error of class `hitmiss_error_input`.
#' @noRd
check_whole <- function(x, arg = "x", needs = NULL) {
  kind <- intersect(class(x), known_kinds)[1L]
  rules <- if (is.na(kind)) fit_rules() else rules_of(kind)
  parts <- if (is.list(x)) {
    unclass(x)
  } else if (inherits(x, "hitmiss_scores")) {
    scores_parts(x)
  } else {
    list()
  }
  if (is.data.frame(x)) {
    parts <- c(parts, attributes(x)[rules$attributes])
    parts$n_rows <- .row_names_info(x, 2L)
    here <- union(names(parts), needs)
    rules$fields <- rules$fields[names(rules$fields) %in% here]
  }
  wrong <- names(rules$fields)[!holds(rules$fields, parts)]
  if (is.na(kind) && inherits(x, "hitmiss")) wrong <- union(wrong, "class")
  if (length(wrong) > 0L) abort_not_whole(arg, x, wrong, rules$fields[wrong])
  torn <- names(rules$relations)[!holds(rules$relations, parts)]
  if (length(torn) > 0L) abort_contradiction(arg, x, strsplit(torn, " "))
  invisible(x)
}

# One flag for each test: did it say TRUE? What cannot even be tested is wrong.
holds <- function(tests, x) {
  steps <- strsplit(as.character(names(tests)), "$", fixed = TRUE)
  says_true <- function(i) {
    test <- tests[[i]]
    # Of a field and the object, or of the object alone.
    isTRUE(
      if (length(formals(test)) == 1L) {
        test(x)
      } else {
        test(part_at(x, steps[[i]]), x)
      }
    )
  }
  all_of <- function(ask) vapply(seq_along(tests), ask, NA)
  # Most objects are whole: then there is nothing to catch, test by test.
  catch_error(all_of(says_true), function(e) {
    all_of(function(i) catch_error(says_true(i), function(e) FALSE))
  })
}

part_at <- function(x, steps) {
  for (step in steps) x <- if (is.list(x)) x[[step]]
  x
}

abort_not_whole <- function(arg, x, fields, tests) {
  # Of a part that is gone, not all that was in it.
  parents <- sub("[$][^$]*$", "", fields)
  told <- parents == fields | !parents %in% fields
  fields <- fields[told]
  # What they were compared with may be what was edited.
  others <- setdiff(unlist(lapply(tests[told], fields_read)), fields)
  abort_input(
    c(
      "{.arg {arg}} has the class {.cls {class(x)[[1L]]}} but is not a complete
       object of that class: {.field {fields}} {?is/are} missing or of the wrong
       type.",
      i = if (length(others) > 0L) "Compared with {.field {others}}.",
      i = remedy(x)
    ),
    arg,
    fields = fields
  )
}

# The fields `x$...` that a test reads.
fields_read <- function(test) {
  read <- character()
  walk <- function(code) {
    if (is.call(code)) {
      if (identical(code[[1L]], quote(`$`)) &&
        identical(code[[2L]], quote(x))) {
        read <<- c(read, as.character(code[[3L]]))
      }
      lapply(code, walk)
    }
  }
  walk(body(test))
  unique(read)
}

abort_contradiction <- function(arg, x, fields) {
  fields <- unique(unlist(fields))
  abort_input(
    c(
      "{.arg {arg}} is inconsistent: its fields {.field {fields}} do not belong
       together.",
      i = if (inherits(x, "hitmiss")) {
        "To take features out of a fit, call {.code drop_features(fit, names)};
         no other edit of its fields is supported."
      },
      i = remedy(x)
    ),
    arg,
    fields = fields
  )
}

remedy <- function(x) {
  if (inherits(x, "hitmiss")) {
    "Fit it again, or read the saved copy again."
  } else {
    "Make it again, or read the saved copy again."
  }
}

# ---- what fields are made of ------------------------------------------------

#' Is it a plain numeric vector of the given length, within the given range?
#' @param na May there be NA?
#' @noRd
is_numbers <- function(v, n = length(v), low = -Inf, high = Inf, na = FALSE) {
  is.numeric(v) && is_plain(v, n) && in_range(v, low, high, na)
}

is_whole <- function(v, n = length(v), low = -most_counted, high = most_counted,
                     na = FALSE) {
  is_numbers(v, n, low, high, na) &&
    (is.integer(v) || all(v == floor(v), na.rm = TRUE))
}

# What R can print as a count, but for numbers of pairs.
most_counted <- .Machine$integer.max

is_texts <- function(v, n = length(v), choices = NULL, na = FALSE) {
  is.character(v) && is_plain(v, n) && (na || !anyNA(v)) &&
    (is.null(choices) || all(v %in% choices))
}

# A choice that the function's argument has.
is_choice <- function(v, fun, arg) is_texts(v, 1L, choices_of(fun, arg))

is_flags <- function(v, n = length(v), na = FALSE) {
  is.logical(v) && is_plain(v, n) && (na || !anyNA(v))
}

is_plain <- function(v, n) !is.object(v) && is.null(dim(v)) && length(v) == n

# Integers or doubles; NaN never is. What bounds may be a field at fault.
in_range <- function(v, low, high, na) {
  is.numeric(low) && is.numeric(high) && cpp_in_range(v, low, high, na)
}

# Without NA, NaN and infinite values, whatever its size.
all_finite <- function(v) {
  if (is.double(v)) cpp_all_finite(v) else cpp_not_finite(v)[[2L]] == 0
}

#' Positions in `whole` of the strings of `part`, if all are there in the same
#' order; else NULL
#' @noRd
places_in_order <- function(part, whole) {
  places <- cpp_places_in_order(part, whole)
  # Texts that are equal in two encodings lie apart.
  if (is.null(places)) places <- match(part, whole)
  if (!anyNA(places) && !is.unsorted(places, strictly = TRUE)) places
}

#' Is it a plain numeric matrix with these numbers of rows and columns?
#' @noRd
is_numeric_matrix <- function(v, rows, columns = ncol(v)) {
  is.numeric(v) && is.matrix(v) && !is.object(v) &&
    nrow(v) == rows && ncol(v) == columns
}

is_factor_of <- function(v, classes, n = length(v), na = FALSE) {
  identical(class(v), "factor") && typeof(v) == "integer" && length(v) == n &&
    identical(levels(v), classes) &&
    in_range(unclass(v), 1L, length(classes), na)
}

# Names of features: the key of all that is stored by feature.
is_keys <- function(v, n = length(v)) {
  if (!is.character(v) || !is_plain(v, n)) {
    return(FALSE)
  }
  are <- cpp_are_keys(v)
  if (is.na(are)) anyDuplicated(v) == 0L else are
}

#' Is it a data.frame with these columns, and perhaps others?
#'
#' @param columns Named character: what each column holds, see `column_kinds`.
#' @param rows Number of rows, if it is known.
#' @noRd
is_table <- function(v, columns, rows = nrow(v)) {
  is.data.frame(v) && all(lengths(unclass(v)[names(columns)]) == rows) &&
    nrow(v) == rows &&
    all(mapply(function(column, kind) {
      column_kinds[[kind]](column)
    }, unclass(v)[names(columns)], columns))
}

# Numbers of a table may be NA: what failed, or is not defined.
column_kinds <- list(
  text = \(v) is_texts(v) || is_factor_of(v, levels(v)),
  number = \(v) is_numbers(v, na = TRUE),
  positive = \(v) is_numbers(v, low = 0, na = TRUE),
  share = \(v) is_numbers(v, low = 0, high = 1, na = TRUE),
  index = \(v) is_numbers(v, low = -1, high = 1, na = TRUE),
  count = \(v) is_whole(v, low = 0, na = TRUE),
  pairs = \(v) is_whole(v, low = 0, high = 2^53),
  flag = \(v) is_flags(v, na = TRUE),
  level = \(v) is_factor_of(v, levels(v), na = TRUE)
)

# NULL, or what the test says.
maybe <- function(v, fine) is.null(v) || fine
