# What the adapters to other packages share: the selectors by name, their
# parameters, and the list of features that a framework keeps.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The numbers that frameworks may set and tune, with their lowest values
#'
#' Frameworks that have types use `count` and `number`; `any` takes whatever the
#' selector takes. Flags and choices are taken from the selector's own
#' arguments, see selector_parameters().
#' @noRd
framework_numbers <- list(
  relief = list(
    k = c(count = 1), samples = c(count = 1), bandwidth = c(number = 0),
    sigma = c(number = 0), tol = c(number = 0), max_iter = c(count = 1)
  ),
  logo = list(
    sigma = c(number = 0), lambda = c(number = 0), tol = c(number = 0),
    max_iter = c(count = 1)
  ),
  kbfs = list(
    n_features = c(count = 1), lambda = c(number = 0), degree = c(count = 1),
    offset = c(number = 0), width = c(number = 0), redundancy = c(number = 0),
    manifold = c(number = 0), k = c(count = 1), max_pairs = c(number = 1)
  ),
  pwfp = list(fraction = c(number = 0)),
  llfs = list(
    alpha = c(any = NA), gamma = c(number = 0), beta = c(any = NA),
    parsimony = c(number = 0), prune = c(number = 1),
    representatives = c(number = 1)
  )
)

selector_formals <- function(method) {
  formals(get(paste0(method, ".default"), topenv(), mode = "function"))
}

#' The parameters of a selector that frameworks may set, by name
#'
#' @return A list for each: `kind` ("count", "number", "flag", "choice" or
#'   "any"), `lower`, and the `default` or the `levels`, of which the first is
#'   the default.
#' @noRd
selector_parameters <- function(method) {
  arguments <- selector_formals(method)
  numbers <- framework_numbers[[method]]
  given <- setdiff(names(arguments), c(
    "x", "y", "...", "assay", "block", "group", "verbose", "control", "BPPARAM"
  ))
  parameters <- lapply(given, function(name) {
    default <- eval(arguments[[name]])
    if (name == "threads") {
      list(kind = "count", lower = 1, default = NULL)
    } else if (name == "scale") {
      levels <- unique(c(default, "range", "zscore", "none"))
      list(kind = "choice", levels = levels)
    } else if (!is.null(numbers[[name]])) {
      list(
        kind = names(numbers[[name]]), lower = unname(numbers[[name]]),
        default = default
      )
    } else if (is.logical(default)) {
      list(kind = "flag", default = default)
    } else {
      list(kind = "choice", levels = default)
    }
  })
  stats::setNames(parameters, given)
}

#' Call a selector from a framework
#'
#' @param selector Name of a selector, or a function of `(x, y, ...)`.
#' @param arguments Named list of what the user set.
#' @param design list(block, group): values of the samples, or NULL.
#' @noRd
fit_in_framework <- function(selector, x, y, arguments = list(),
                             design = list()) {
  if (is.character(selector)) {
    selector <- get(selector, topenv(), mode = "function")
  }
  if (is.factor(y)) y <- droplevels(y)
  fit <- do.call(selector, c(
    list(quote(x), quote(y)), arguments, Filter(Negate(is.null), design)
  ))
  if (!inherits(fit, "hitmiss")) {
    abort_input(
      "{.arg selector} must return a fit of this package, not {describe(fit)}.",
      "selector"
    )
  }
  fit
}

check_framework_selector <- function(selector) {
  if (!is.function(selector)) {
    abort_input(c(
      "{.arg selector} must be a function of (x, y, ...), not
       {describe(selector)}.",
      i = "Give the function itself, such as {.code relief}."
    ), "selector")
  }
  check_two_arguments(selector)
  selector
}

#' The features that a framework keeps of a fit
#'
#' @param n `NULL`: the selection itself, which a ranking does not have.
#' @noRd
kept_features <- function(fit, n, arg) {
  if (is.null(n) && is_ranker(fit)) {
    abort_input(c(
      "{.arg {arg}} is missing: {method_label(fit)} ranks all features and does
       not choose how many to select.",
      i = "Say how many, as in {.code {arg} = 20}."
    ), arg)
  }
  selected(fit, n = n)
}

#' Scores that give the same order as `ranking`, without ties
#'
#' Frameworks order features by their scores alone, and some break ties at
#' random. So a score is reduced by its place in the ranking, by less than 1e-15
#' of the largest score times the number of features. If `ranking` is not in the
#' order of the scores (kbfs by entry, TuRF), the result is the share of
#' features that do not rank higher.
#' @noRd
untied_scores <- function(fit) {
  scores <- fit$scores
  best <- scores[fit$ranking]
  places <- seq_along(best) - 1
  scores[fit$ranking] <- if (is.unsorted(-best)) {
    1 - places / length(best)
  } else {
    best - places * 4 * .Machine$double.eps * max(abs(best), 1e-300)
  }
  scores
}

# ---- registration -----------------------------------------------------------

#' Register with another package now, if it is loaded, or when it is loaded
#' @noRd
when_loaded <- function(package, register) {
  setHook(packageEvent(package, "onLoad"), function(...) register())
  if (isNamespaceLoaded(package)) register()
}

# Called by .onLoad().
register_frameworks <- function() {
  when_loaded("mlr3filters", register_mlr3_filters)
  when_loaded("mlr3", register_mlr3_learners)
  when_loaded("parsnip", register_parsnip)
}
