# Layer: input. These functions say for each kind of outcome what it must be,
# and what predict() gives for it.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The outcome of each sample, checked
#'
#' @param y factor, character or logical; one label per sample; or numbers.
#' @param outcome The kinds that may be given, the usual one first: "classes";
#'   "partly": NA marks a sample of unknown class; "numeric": a number for each
#'   sample; "survival".
#' @param samples,features Names of the samples and features, or NULL.
#' @param order Code that gives the names of the samples, for error messages.
#' @return A factor without unused levels, a vector of doubles, or a Surv.
#' @noRd
as_outcome <- function(y, n_samples, outcome = "classes", samples = NULL,
                       features = NULL, arg = "y", order = "rownames(x)") {
  y <- plain_vector(force_given(y, arg))
  kind <- outcome_kind(y)
  kind <- outcomes[[if (kind %in% outcome) kind else outcome[[1L]]]]
  y <- kind$typed(y, arg)
  check_matched(y, n_samples, samples, arg, features, order = order)
  # The names may be those of permuted samples, so they are removed.
  kind$known(unname(y), samples, arg)
}

check_survival_method <- function(y, method, methods, arg = "y") {
  if (is_survival(y) && !method %in% methods) {
    abort_input(c(
      "{.arg method = \"{method}\"} takes classes or numbers, and {.arg {arg}}
       holds survival times.",
      i = "Use {.code method = \"{methods[[1L]]}\"}."
    ), "method")
  }
}

check_numeric_outcome <- function(y, arg) {
  refuse_survival(y, arg)
  if (!is.numeric(y) || is.object(y) || !is.null(dim(y))) {
    abort_input(c(
      "{.arg {arg}} must be a numeric vector for method {.val rrelieff}, not
       {describe(y)}.",
      i = column_remedy(y, arg) %||%
        "Other methods of {.fn relief} take class labels."
    ), arg)
  }
}

finite_outcome <- function(y, arg) {
  bad <- which(!is.finite(y))
  if (length(bad) > 0L) {
    abort_input(c(
      "{.arg {arg}} has {length(bad)} value{?s} that {?is/are} not finite; the
       first belongs to sample {bad[[1L]]}.",
      i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out."
    ), arg, row = bad[[1L]])
  }
  if (min(y) == max(y)) {
    abort_input(
      "{.arg {arg}} has the same value for all samples: there is nothing to
       explain.", arg
    )
  }
  inform_missing_numbers(cbind(y), arg)
  as.double(y)
}

# ---- what differs by kind ----------------------------------------------------

#' The kind of an outcome: "classes", "numeric" or "survival"
#'
#' Integer codes with levels are class labels, even if the attribute "class" was
#' lost.
#' @noRd
outcome_kind <- function(y) {
  if (is_survival(y)) {
    return("survival")
  }
  if (is.numeric(y) && is.null(attr(y, "levels"))) "numeric" else "classes"
}

# Returns the labels of a problem with the order that the user's have.
given_labels <- function(problem) {
  if (isTRUE(problem$ordered)) as.ordered(problem$y) else problem$y
}

# Returns the kind of outcome to which a fit was made.
fit_outcome <- function(fit) outcome_kind(fit$training$y)

# Returns the kind of the outcome that `y` gives or names, for defaults that
# depend on it.
given_outcome <- function(x, y) outcome_kind(design_column(y, x, "y"))

#' What must hold for each kind that a function may ask for, and what it is
#'
#' `typed(y, arg)`: refuses what cannot be of the kind. `known(y, samples,
#' arg)`: refuses single values, and gives what a problem holds. `strata(y)`: by
#' which samples are split; `needed(y)`: the strata that a training part must
#' hold. `columns(y)`: in which tables hold it; `truth(table)`: read from there. `predicted(y,
#' numbers)`: what classifiers gave, as tables hold it. `types`: of predict(),
#' the first is the default; `said`: of a fit.
#' @noRd
outcomes <- local({
  classes <- list(
    typed = function(y, arg) {
      check_label_type(y, arg)
      y
    },
    known = function(y, samples, arg) as_labels(y, samples, arg),
    strata = identity, types = c("class", "prob", "features"),
    said = "The fit has classes", needed = levels,
    columns = function(y) list(truth = y),
    truth = function(table) table$truth,
    predicted = function(y, numbers) {
      factor(levels(y)[numbers], levels(y), ordered = is.ordered(y))
    }
  )
  partly <- utils::modifyList(classes, list(
    known = function(y, samples, arg) as_labels(y, samples, arg, partly = TRUE)
  ))
  list(
    classes = classes, partly = partly,
    numeric = list(
      typed = function(y, arg) {
        check_numeric_outcome(y, arg)
        y
      },
      known = function(y, samples, arg) finite_outcome(y, arg),
      types = c("response", "features"), said = "The outcome is numeric"
    ),
    survival = list(
      typed = function(y, arg) as_survival(y, arg),
      known = function(y, samples, arg) known_survival(y, samples, arg),
      strata = function(y) {
        factor(ifelse(times_of(y)$event, "event", "censored"))
      },
      types = c("risk", "survival", "features"),
      said = "The fit has survival times",
      columns = function(y) times_of(y),
      truth = function(table) Surv(table$time, table$event),
      needed = function(y) "event", predicted = function(y, numbers) {
        as.double(numbers)
      }
    )
  )
})

kind_of <- function(y) outcomes[[outcome_kind(y)]]

# Returns the factor by whose levels samples are split.
strata_of <- function(y) kind_of(y)$strata(y)

# Returns the outcomes of some samples, without the classes of others.
outcome_at <- function(y, rows) {
  y <- y[rows]
  if (is.factor(y)) droplevels(y) else y
}

default_type <- function(fit) outcomes[[fit_outcome(fit)]]$types[[1L]]

check_type_of_fit <- function(fit, type) {
  kind <- outcomes[[fit_outcome(fit)]]
  if (!type %in% kind$types) {
    abort_input(c(
      "{.arg type} = {.val {type}} is not available for this fit.",
      i = "{kind$said}: use {.or {.val {kind$types}}}."
    ), "type")
  }
  type
}

# Returns the classes of which one may lack values more often.
missing_strata <- function(y) {
  if (outcome_kind(y) == "numeric") {
    return(factor(rep("all", length(y))))
  }
  strata_of(y)
}
