# formula() and update() of fits: what was called, and calling it again.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param formula. For `update()` of a fit with a formula: the new formula, in
#'   which `.` stands for the old part, as in [stats::update.formula()].
#' @param evaluate For `update()`: fit again, or return the call?
#' @rdname hitmiss-methods
#' @export
update.hitmiss <- function(object, formula., ..., evaluate = TRUE) {
  call <- check_fit(object, "object")$call
  evaluate <- check_flag(evaluate)
  if (!missing(formula.)) {
    call$formula <- changed_formula(fit_formula(object, "object"), formula.)
  }
  changes <- match.call(expand.dots = FALSE)$...
  if (length(changes) > sum(names(changes) != "")) {
    abort_input(
      "{.fn update} takes arguments of the selector by name only.",
      "(unnamed)"
    )
  }
  for (name in names(changes)) call[[name]] <- changes[[name]]
  if (!is.call(call) || any(grepl("^[.][.]([.]|[0-9]+)$", all.names(call)))) {
    abort_input(c(
      "{.arg object} does not say with which arguments it was fitted: some were
       passed by value.",
      i = "Give them again, as in {.code update(fit, x = x, y = y)}, or call the
           selector itself."
    ), "object")
  }
  if (evaluate) eval(call, parent.frame()) else call
}

#' @rdname hitmiss-methods
#' @export
formula.hitmiss <- function(x, ...) {
  check_no_dots(...)
  stats::as.formula(fit_formula(check_fit(x), "x"), env = parent.frame())
}

#' The formula of a fit, as a call
#' @noRd
fit_formula <- function(fit, arg) {
  formula <- fit$call$formula
  if (!is_operation(formula, "~")) {
    abort_input(
      "{.arg {arg}} is a fit that was made without a formula: its {.field call}
       has none.", arg
    )
  }
  formula
}

# Not by update.formula(), which asks for data where the old formula has a `.`.
changed_formula <- function(old, new) {
  if (!inherits(new, "formula")) {
    abort_input(
      "{.arg formula.} must be a formula such as {.code . ~ . - gene1}, not
       {describe(new)}.", "formula."
    )
  }
  new <- plain_part(new)
  right <- new[[length(new)]]
  before <- old[[3L]]
  if (is.call(before)) before <- call("(", before)
  old[[3L]] <- do.call(substitute, list(right, list(. = before)))
  if (length(new) == 3L && !identical(new[[2L]], quote(.))) {
    old[[2L]] <- new[[2L]]
  }
  old
}
