# Layer: show. A step of a recipe selects features.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature selection as a step of a recipe
#'
#' Adds to a recipe of package recipes a step that keeps the features that a
#' selector of hitmiss finds. `prep()`, which resampling calls on the analysis
#' part of every split, finds the features, and `bake()` keeps the same ones.
#'
#' @details
#' The labels, or for `"relief"` survival times (a column made by
#' `survival::Surv()`), are the recipe's only outcome. The step selects
#' among predictors only: other columns (identifiers, batches, case weights)
#' are kept, also if
#' `...` names them, and an outcome among them is an error. Case weights are not
#' used in the selection. Without `...` the step does nothing.
#'
#' Without `top_p` the step keeps the selector's own selection, which [relief()]
#' and [pwfp()] do not have.
#'
#' For package tune, `tunable()` offers `top_p` and `k`.
#'
#' @param recipe A recipe.
#' @param ... Selectors of columns, such as `recipes::all_numeric_predictors()`.
#' @param method Name of the selector: `"relief"`, `"logo"`, `"kbfs"`, `"pwfp"`
#'   or `"llfs"`.
#' @param top_p Number of best features to keep, or `NULL`. If the selector has
#'   a selection of its own, no more are kept than it selects.
#' @param k Number of neighbours, for `"relief"` and `"kbfs"`; `NULL` for the
#'   selector's default.
#' @param options Named list of further arguments of the selector, as in
#'   `list(method = "multisurf")`.
#' @param group,block,pair `NULL`, or the name of a column of the data, of any
#'   role but predictor, for the argument of the selector. With `pair` the
#'   features are selected by differences within pairs; `bake()` does not change
#'   values.
#' @param role,trained,skip,id As in all steps of recipes.
#' @param scores,removals What `prep()` learned: the scores, and the names of
#'   the columns that `bake()` takes out.
#' @param x A step.
#' @return The recipe with the step added. `tidy()` of the step: a tibble with
#'   `terms` and, after `prep()`, `score`, `selected` and `id` for each feature.
#' @examplesIf requireNamespace("recipes", quietly = TRUE)
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' data <- data.frame(toy$x, class = toy$y, patient = 1:30)
#' rec <- recipes::recipe(class ~ ., data = data) |>
#'   recipes::update_role("patient", new_role = "id") |>
#'   step_select_hitmiss(recipes::all_predictors(), top_p = 5)
#' trained <- recipes::prep(rec)
#' names(recipes::bake(trained, new_data = NULL))
#' @export
step_select_hitmiss <- function(recipe, ..., method = "relief", top_p = NULL,
                                k = NULL, options = list(),
                                group = NULL, block = NULL, pair = NULL,
                                role = NA, trained = FALSE, scores = NULL,
                                removals = NULL, skip = FALSE, id = NULL) {
  require_package("recipes", "a step of a recipe")
  if (missing(recipe)) abort_missing("recipe")
  if (!inherits(recipe, "recipe")) {
    abort_input(
      "{.arg recipe} must be a recipe, not {describe(recipe)}.", "recipe"
    )
  }
  for (arg in c("group", "block", "pair")) {
    name <- force_given(get(arg), arg)
    if (!is.null(name)) check_one_text(name, arg)
  }
  if (!identical(role, NA)) check_one_text(role, "role")
  method <- check_choice(method, verbs)
  if (is.null(top_p) && method %in% c("relief", "pwfp") &&
    !identical(options$method, "irelief")) {
    abort_input(c(
      "{.arg top_p} is missing: {.fn {method}} ranks all features and does not
       choose how many to select.",
      i = "Say how many, as in {.code top_p = 20}."
    ), "top_p")
  }
  # An argument marked by tune::tune() is a call until it gets its value.
  if (!is.null(top_p) && !is.call(top_p)) top_p <- check_count(top_p, "top_p")
  recipes::add_step(recipe, recipes::step(
    subclass = "select_hitmiss", terms = rlang::enquos(...), method = method,
    top_p = top_p, k = k, options = check_options(options), group = group,
    block = block, pair = pair, role = role, trained = trained, scores = scores,
    removals = removals, version = package_version_text(), skip = skip,
    id = check_one_text(id %||% recipes::rand_id("select_hitmiss"), "id")
  ))
}

check_options <- function(options) {
  own <- c("x", "y", "k", "group", "block", "pair")
  if (!is.list(options) || is.object(options) ||
    length(options) > 0L && !all(nzchar(names(options) %||% "")) ||
    any(names(options) %in% own)) {
    abort_input(c(
      "{.arg options} must be a named list of further arguments of the selector
       (not {.arg {own}}), not {describe(options)}.",
      i = "As in {.code list(method = \"multisurf\")}."
    ), "options")
  }
  options
}

#' @rdname step_select_hitmiss
#' @param training,info,new_data,object,width For recipes, which calls these
#'   methods.
#' @exportS3Method recipes::prep
prep.step_select_hitmiss <- function(x, training, info = NULL, ...) {
  check_version(x$version, "x", "a step", "make it again")
  names <- unname(recipes::recipes_eval_select(x$terms, training, info))
  of_role <- function(role) info$variable[info$role %in% role]
  outcome <- of_role("outcome")
  if (length(intersect(names, outcome)) > 0L) {
    abort_input(c(
      "the step selects among predictors, and {.val {outcome}} is an outcome.",
      i = "Use {.code recipes::all_numeric_predictors()} in place of
           {.arg recipes::all_numeric()}."
    ), "...")
  }
  names <- intersect(names, of_role("predictor"))
  x$scores <- stats::setNames(numeric(), character())
  x$removals <- character()
  x$trained <- TRUE
  if (length(names) == 0L) {
    return(x)
  }
  if (length(outcome) != 1L) {
    abort_input(c(
      "the recipe has {length(outcome)} outcomes; the step needs one.",
      i = if (length(outcome) > 1L) {
        "Survival times are one column, {.code survival::Surv(time, event)}, in
         place of the two."
      },
      i = "Name it in the formula, or by
           {.fn recipes::update_role}."
    ), "recipe")
  }
  arguments <- c(x$options, list(k = x$k))
  for (arg in c("group", "block", "pair")) {
    name <- x[[arg]]
    if (!is.null(name) && (!name %in% names(training) || name %in% names)) {
      abort_input(
        "{.arg {arg}} is {.val {name}}, which is not a column of the training
         data or is one of the selected predictors.", arg
      )
    }
    arguments[[arg]] <- if (!is.null(name)) training[[name]]
  }
  fit <- fit_in_framework(
    x$method, as.data.frame(training)[names], training[[outcome]], arguments
  )
  x$scores <- fit$scores
  x$removals <- setdiff(names, best_of(usual_list(fit), x$top_p))
  x
}

#' @rdname step_select_hitmiss
#' @exportS3Method recipes::bake
bake.step_select_hitmiss <- function(object, new_data, ...) {
  check_version(object$version, "object", "a step", "make it again")
  new_data[setdiff(names(new_data), object$removals)]
}

#' @rdname step_select_hitmiss
#' @export
print.step_select_hitmiss <- function(x,
                                      width = max(20, options()$width - 35),
                                      ...) {
  title <- paste0(
    "Selection by ", x$method, "() ", if (x$trained) "removed " else "of "
  )
  recipes::print_step(x$removals, x$terms, x$trained, title, width)
  invisible(x)
}

#' @rdname step_select_hitmiss
#' @export
tidy.step_select_hitmiss <- function(x, ...) {
  check_version(x$version, "x", "a step", "make it again")
  table <- if (x$trained) {
    tibble::tibble(
      terms = names(x$scores), score = unname(x$scores),
      selected = !names(x$scores) %in% x$removals
    )
  } else {
    tibble::tibble(
      terms = recipes::sel2char(x$terms), score = NA_real_, selected = NA
    )
  }
  table$id <- rep(x$id, nrow(table))
  table
}

#' @rdname step_select_hitmiss
#' @exportS3Method generics::tunable
tunable.step_select_hitmiss <- function(x, ...) {
  tibble::tibble(
    name = c("top_p", "k"),
    call_info = list(
      list(pkg = "dials", fun = "num_terms", range = c(1L, 50L)),
      list(pkg = "dials", fun = "neighbors", range = c(1L, 20L))
    ),
    source = "recipe", component = "step_select_hitmiss", component_id = x$id
  )
}

#' @rdname step_select_hitmiss
#' @exportS3Method generics::required_pkgs
required_pkgs.step_select_hitmiss <- function(x, ...) "hitmiss"
