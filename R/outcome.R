# Layer: input. Each kind of outcome has a file of its own, outcome-*.R, with
# the whole of what is different about it. Others ask kind_of() here.
# SPDX-License-Identifier: GPL-3.0-or-later

#' What is different about the outcome's kind: a list of these fields
#'
#' Of the samples' outcomes: `name`: the class of R by which the method of
#' kind_of() is found; `what` they are and `said` of a fit to them, in words;
#' `check` (y, arg): refuses what cannot be of the kind; `read` (y, samples,
#' arg): what a problem holds, or an error on single values; `at` (y, rows):
#' those of some samples; `classes` (y): them, or NULL; `strata` (y): by which
#' samples are split; `needed` (y): strata that a training part must hold;
#' `partly`: may some samples lack theirs?
#'
#' Of a fit: `relief`: the usual method of relief(); `neighbours` (problem,
#' parameters): its checked `k`; `compared` (problem): the design that limits
#' comparisons; `pairs` (codes, problem, names): refuses pairs that cannot be
#' compared; `placed` (problem): what the core compares; `alone` (problem,
#' preprocess, run): fields of a fit on what each feature shows by itself;
#' `alone_columns` (problem, at): the same in a table of features; `leaks`
#' (problem, preprocess, ranking): features that tell the outcome.
#'
#' Of predict(): `types`: the first gives one value for each sample, the second
#' a row; `weighted`: has it votes to weigh? `usual_votes` (n); `votes` (fit,
#' times): what the core's votes are, with their numbers of columns; `nearest`
#' (...): these votes; `answer` (votes, y, k, balanced, times): list( class: a
#' value for each sample, score: a matrix); `constant` (y, n, grid): the same
#' without features, which `without` says; `predicted` (y, numbers): values of
#' class as the user gets them; `score_names` (y, times); `stated` (values): as
#' a report has them.
#'
#' In lists and prints: `direction` (fit, rows, means): columns; `of_class`
#' (fit, rows, class, direction) and `in_turn` (fit, rows): see there; `signed`
#' (fit, positive): list(contrast, effect); `legend` (fit), `words` (fit):
#' lines; `alone_words` (n): of `alone_columns`; `pictures`: further ones of a
#' fit.
#'
#' In evaluations, which only the kinds in `evaluated` have: `study` (y,
#' horizon): what metrics need to know of all samples, among it their
#' `outcomes`, by which curve_kind() finds the kind; NULL of classes; `metrics`:
#' see as_metric(), the first is the default; `columns` (y): those of a table of
#' predictions, from which `truth` (table) reads; `shown` (table): as the user
#' gets it; `prefix` of its scores; `usual_k`, `knn` (scaled, data, columns, k),
#' `models`, `own` (ask, fit, data, want_score) and `custom` (parts, data, fun):
#' the classifiers; `classifier_help`, `scores`: of their errors; `baseline`
#' (table, runs, y, grid) and its name `none`; `together`: may tuned() measure
#' the predictions of several fits at once? `p_value` (values, y): of one
#' feature, or NA; `curve_words` (x, sizes), `study_words` (x), `empty`, `lost`:
#' texts of a curve; `curve_pictures`; `validate` (...), `validate_curve` (...).
#' @param y Outcomes of any form.
#' @noRd
kind_of <- function(y) UseMethod("kind_of")

# What is neither a class nor a number is checked as classes are.
kind_of.default <- function(y) {
  kind_named(if (is.numeric(y)) "numeric" else "factor")
}

kind_named <- function(name) {
  get(paste0("kind_of.", name), topenv(), mode = "function")(NULL)
}

fit_kind <- function(fit) kind_of(fit$training$y %||% fit$local$class)

# Returns the kind of a curve, or of a metric.
curve_kind <- function(x) kind_of(x$study$outcomes %||% factor())

#' The outcome of each sample, checked
#'
#' @param y factor, character or logical; one label per sample; or numbers.
#' @param outcome Names of the kinds that may be given, the usual one first;
#'   "partly": NA marks a sample of unknown class.
#' @param samples,features Names of the samples and features, or NULL.
#' @param order Code that gives the names of the samples, for error messages.
#' @return A factor without unused levels, a vector of doubles, or a Surv.
#' @noRd
as_outcome <- function(y, n_samples, outcome = "factor", samples = NULL,
                       features = NULL, arg = "y", order = "rownames(x)") {
  y <- plain_vector(force_given(y, arg))
  kind <- kind_of(y)
  if (!kind$name %in% outcome) kind <- kind_named(outcome[[1L]])
  kind$check(y, arg)
  check_matched(y, n_samples, samples, arg, features, order = order)
  # The names may be those of permuted samples, so they are removed.
  kind$read(unname(y), samples, arg)
}

# Returns the labels of a problem with the order that the user's have.
given_labels <- function(problem) {
  if (isTRUE(problem$ordered)) as.ordered(problem$y) else problem$y
}

# Returns the factor by whose levels samples are split, or lack values.
strata_of <- function(y) kind_of(y)$strata(y)

check_type_of_fit <- function(fit, type) {
  kind <- fit_kind(fit)
  if (!type %in% c(kind$types, "features")) {
    abort_input(c(
      "{.arg type} = {.val {type}} is not available for this fit.",
      i = "{kind$said}: use {.or {.val {c(kind$types, 'features')}}}."
    ), "type")
  }
  type
}
