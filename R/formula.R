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
terms_by_name <- function(term, candidates) {
  if (identical(term, quote(.))) {
    return(candidates)
  }
  if (is.symbol(term)) {
    return(as.character(term))
  }
  operator <- if (is.call(term)) as.character(term[[1L]])[[1L]] else ""
  parts <- lapply(as.list(term)[-1L], terms_by_name, candidates)
  if (operator == "+") {
    Reduce(union, parts)
  } else if (operator == "(" || operator == "-" && length(parts) == 1L) {
    if (operator == "(") parts[[1L]] else setdiff(candidates, parts[[1L]])
  } else if (operator == "-") {
    setdiff(parts[[1L]], parts[[2L]])
  } else {
    abort_input(c(
      "{.arg formula} has {.code {deparse1(term)}}: only names of columns,
       {.code .}, {.code +} and {.code -} are understood.",
      i = "Compute other terms as columns of {.arg data} first."
    ), "formula")
  }
}

check_columns_exist <- function(names, data) {
  absent <- setdiff(names, names(data))
  if (length(absent) > 0L) {
    abort_input(
      "{.arg data} has no column{?s} called {.val {absent}}.", "data"
    )
  }
}
