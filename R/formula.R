# `class ~ .` and `class ~ g1 + g2`, read by names. model.frame() is never
# called: with 20,000 genes it overflows R's protection stack.

#' @return list(x = data.frame of the features, y = labels).
#' @noRd
formula_parts <- function(formula, data) {
  if (missing(data)) {
    abort_missing("data")
  }
  if (!is.data.frame(data)) {
    abort_input("{.arg data} must be a data.frame, not {describe(data)}.", "data")
  }
  if (length(formula) != 3L || !is.symbol(formula[[2L]])) {
    abort_input(
      "{.arg formula} must name one column of classes on its left:
       {.code class ~ .}.", "formula"
    )
  }
  response <- as.character(formula[[2L]])
  check_columns_exist(response, data)
  candidates <- setdiff(names(data), response)
  wanted <- terms_by_name(formula[[3L]], candidates)
  check_columns_exist(wanted, data)
  if (response %in% wanted) {
    abort_input(
      "{.arg formula} has {.code {response}} on both sides.", "formula"
    )
  }
  if (length(wanted) == 0L) {
    abort_input("{.arg formula} leaves no feature.", "formula")
  }
  twice <- intersect(names(data)[duplicated(names(data))], c(response, wanted))
  if (length(twice) > 0L) {
    abort_input(
      "{.arg data} has several columns called {.val {twice}}.", "data"
    )
  }
  list(x = data[wanted], y = data[[response]])
}

# The right side: names, `.`, `+`, `-` and parentheses, evaluated as sets.
# `a + b + c` nests to the left as deep as it is long: it is walked there, not
# recursed into, so that hundreds of names do not exhaust the stack.
terms_by_name <- function(term, candidates) {
  signs <- character()
  changes <- list()
  while (is_operation(term, c("+", "-")) && length(term) == 3L) {
    signs <- c(as.character(term[[1L]]), signs)
    changes <- c(list(terms_by_name(term[[3L]], candidates)), changes)
    term <- term[[2L]]
  }
  names <- single_term(term, candidates)
  # Each run of equal signs at once.
  runs <- cumsum(c(TRUE, signs[-1L] != signs[-length(signs)]))
  for (run in split(seq_along(signs), runs[seq_along(signs)])) {
    change <- unlist(changes[run])
    names <- if (signs[[run[[1L]]]] == "+") {
      union(names, change)
    } else {
      setdiff(names, change)
    }
  }
  names
}

single_term <- function(term, candidates) {
  if (identical(term, quote(.))) {
    candidates
  } else if (is.symbol(term)) {
    as.character(term)
  } else if (is_operation(term, c("(", "+"))) {
    terms_by_name(term[[2L]], candidates)
  } else if (is_operation(term, "-")) {
    setdiff(candidates, terms_by_name(term[[2L]], candidates))
  } else {
    abort_input(c(
      "{.arg formula} has {.code {deparse1(term)}}: only names of columns,
       {.code .}, {.code +} and {.code -} are understood.",
      i = "Compute other terms as columns of {.arg data} first."
    ), "formula")
  }
}

is_operation <- function(term, operators) {
  is.call(term) && is.symbol(term[[1L]]) &&
    as.character(term[[1L]]) %in% operators
}

check_columns_exist <- function(names, data) {
  absent <- setdiff(names, names(data))
  if (length(absent) > 0L) {
    abort_input(
      "{.arg data} has no column{?s} called {.val {absent}}.", "data"
    )
  }
}
