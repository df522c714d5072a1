# Layer: input. The formulas `class ~ .` and `class ~ g1 + g2` are read by
# names. model.frame() is never called, because it overflows R's protection
# stack with 20,000 genes.
# SPDX-License-Identifier: GPL-3.0-or-later

# Returns the argument on which the generics of selectors dispatch: `formula`,
# in any position (as in lm()), else `x`.
formula_or_x <- function(x, ..., formula) {
  if (missing(formula)) {
    if (missing(x)) {
      abort_missing(if ("data" %in% ...names()) "formula" else "x")
    }
    return(x)
  }
  if (!inherits(formula, "formula")) {
    abort_input(
      "{.arg formula} must be a formula such as {.code class ~ .}, not
       {describe(formula)}.", "formula"
    )
  }
  formula
}

#' @param given Names of the other arguments.
#' @return list(x = data.frame of the features, y = labels).
#' @noRd
formula_terms <- function(formula, data, given = NULL) {
  if (missing(data)) {
    abort_input(
      "{.arg data} is missing: give the data.frame whose columns
       {.arg formula} names.", "data"
    )
  }
  both <- intersect(c("x", "y"), given)
  if (length(both) > 0L) {
    abort_input(
      "{.arg {both}} {?is/are} given together with a formula, which already
       defines {?it/them}.", both[[1L]]
    )
  }
  if (!is.data.frame(data)) {
    abort_input(c(
      "{.arg data} must be a data.frame, not {describe(data)}.",
      i = "Give a matrix or a container as {.arg x}, and the labels, or the name
           of their column, as {.arg y}."
    ), "data")
  }
  left <- if (length(formula) == 3L) formula[[2L]]
  times <- is.call(left) &&
    deparse1(left[[1L]]) %in% c("Surv", "survival::Surv")
  if (!is.symbol(left) && !times) {
    abort_input(
      "{.arg formula} must name one column of classes on its left,
       {.code class ~ .}, or survival times, {.code Surv(time, event) ~ .}.",
      "formula"
    )
  }
  response <- all.vars(left)
  if (times) response <- intersect(response, names(data))
  mentioned <- all.names(formula[[3L]], functions = FALSE, unique = TRUE)
  absent <- setdiff(union(response, setdiff(mentioned, ".")), names(data))
  if (length(absent) > 0L) {
    abort_input("{.arg data} has no column{?s} named {.val {absent}}.", "data")
  }
  wanted <- terms_by_name(formula[[3L]], setdiff(names(data), response))
  if (any(response %in% wanted) || length(wanted) == 0L) {
    abort_input(
      "{.arg formula} must name features, without {.arg {response}}, on its
       right.", "formula"
    )
  }
  twice <- intersect(names(data)[duplicated(names(data))], c(response, wanted))
  if (length(twice) > 0L) {
    abort_input(
      "{.arg data} has several columns called {.val {twice}}.", "data"
    )
  }
  list(
    x = data[wanted],
    y = if (times) formula_times(formula, data) else data[[response]]
  )
}

# Survival times are computed from columns, as `Surv(years, status == "dead")`.
formula_times <- function(formula, data) {
  where <- list2env(list(Surv = Surv), parent = environment(formula))
  catch_error(
    eval(formula[[2L]], as.list(data), where), function(e) {
      abort_input(
        "{.arg formula} has survival times that cannot be computed:
         {conditionMessage(e)}", "formula"
      )
    }
  )
}

# The right side has names, `.`, `+`, `-` and parentheses, which are evaluated
# as sets. `a + b + c` nests to the left as deep as it is long, so it is walked
# in a loop: recursion would exhaust the stack at some hundred names.
terms_by_name <- function(term, candidates) {
  changes <- list()
  while (is_operation(term, c("+", "-")) && length(term) == 3L) {
    changes <- c(list(term), changes)
    term <- term[[2L]]
  }
  names <- if (identical(term, quote(.))) {
    candidates
  } else if (is.symbol(term)) {
    as.character(term)
  } else if (is_operation(term, c("(", "+"))) {
    terms_by_name(term[[2L]], candidates)
  } else if (is_operation(term, "-")) {
    setdiff(candidates, terms_by_name(term[[2L]], candidates))
  } else {
    abort_input(c(
      "{.arg formula} has {.arg {deparse1(term)}}: only names of columns,
       {.arg .}, {.arg +} and {.arg -} are understood.",
      i = "Compute other terms as columns of {.arg data} first."
    ), "formula")
  }
  for (change in changes) {
    join <- if (is_operation(change, "+")) union else setdiff
    names <- join(names, terms_by_name(change[[3L]], candidates))
  }
  names
}

is_operation <- function(term, operators) {
  is.call(term) && is.symbol(term[[1L]]) &&
    as.character(term[[1L]]) %in% operators
}

#' A fit with the formula in its call
#'
#' The call holds the formula itself, without its environment, even if the user
#' had the formula in a variable. It has nothing but names and signs, and is not
#' walked: one of a thousand names is as deep as that.
#' @param call The user's call.
#' @noRd
with_formula <- function(fit, call, formula) {
  call$formula <- quote(.)
  fit$call <- short_call(call)
  attributes(formula) <- NULL
  fit$call$formula <- formula
  fit
}
