# Functions that caret's sbf(), rfe() and train() take.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Feature selection within caret
#'
#' Lists of functions for package caret. `hitmiss_sbf()` makes those for
#' `caret::sbf()`, which selects features once in every training part;
#' `hitmiss_rfe()` makes those for `caret::rfe()`, which tries several numbers
#' of features; `hitmiss_train()` makes a model for the argument `method` of
#' `caret::train()`.
#'
#' @details
#' In all three, the fit itself is the classifier, see
#' [predict()][predict.hitmiss]: nearest neighbours in the learned weights, or
#' the hyperspheres of [llfs()].
#'
#' * Use `hitmiss_sbf()` with `sbfControl(multivariate = TRUE)`: a selector uses
#'   all features together. It keeps the `n` best features; of a selector with a
#'   selection of its own, at most the features that it selects.
#' * `hitmiss_rfe()` ranks the features in every training part and fits the
#'   selector again to the best of each of `sizes`.
#' * `hitmiss_train()` tunes `alpha` of [llfs()], `k` of [relief()], `lambda` of
#'   [logo()], `n_features` of [kbfs()] and `fraction` of [pwfp()]; for
#'   [relief()] and [pwfp()] also `n`, the number of features used to predict.
#'   Further arguments of `caret::train()` are passed on to the selector.
#'
#' If there are several samples per patient, give caret folds that keep them
#' together (argument `index`, made by `caret::groupKFold()`).
#'
#' @param selector A function of `(x, y, ...)` that returns a fit of this
#'   package, such as [relief()].
#' @param n Number of features to keep; `NULL` for the selector's own selection,
#'   which rankings do not have.
#' @param ... Further arguments of the selector, such as `k = 5`.
#' @param method Name of a selector: `"llfs"`, `"relief"`, `"logo"`, `"kbfs"` or
#'   `"pwfp"`.
#' @return A list of functions, as caret documents it.
#' @examplesIf requireNamespace("caret", quietly = TRUE)
#' toy <- simulate_microarray(n = c(15, 15), genes = 100)
#' set.seed(1)
#' caret::sbf(as.data.frame(toy$x), toy$y, sbfControl = caret::sbfControl(
#'   functions = hitmiss_sbf(relief, n = 5, k = 5), method = "cv", number = 3,
#'   multivariate = TRUE
#' ))
#' @export
hitmiss_sbf <- function(selector = relief, n = 20, ...) {
  check_framework_selector(selector)
  if (!is.null(n)) n <- check_count(n)
  arguments <- check_selector_dots(list(...))
  fit <- function(x, y) fit_in_framework(selector, x, y, arguments)
  list(
    summary = caret_summary,
    score = function(x, y) {
      found <- fit(x, y)
      scores <- untied_scores(found)
      # Left out whatever their scores.
      scores[!names(scores) %in% kept_features(found, n, "n")] <- NA
      scores
    },
    filter = function(score, x, y) !is.na(score),
    fit = function(x, y, ...) {
      if (ncol(x) == 0L) caret::nullModel(y = y) else fit(x, y)
    },
    pred = caret_prediction
  )
}

#' @rdname hitmiss_sbf
#' @export
hitmiss_rfe <- function(selector = relief, ...) {
  check_framework_selector(selector)
  arguments <- check_selector_dots(list(...))
  list(
    summary = caret_summary,
    fit = function(x, y, first, last, ...) {
      fit_in_framework(selector, x, y, arguments)
    },
    pred = caret_prediction,
    rank = function(object, x, y) {
      best <- names(object$scores)[object$ranking]
      data.frame(
        Overall = unname(untied_scores(object)[best]), var = best,
        row.names = best
      )
    },
    selectSize = function(...) caret::pickSizeBest(...),
    selectVar = function(...) caret::pickVars(...)
  )
}

caret_summary <- function(data, lev = NULL, model = NULL) {
  caret::defaultSummary(data, lev, model)
}

caret_prediction <- function(object, x) {
  if (inherits(object, "nullModel")) {
    prob <- stats::predict(object, x, type = "prob")
    return(data.frame(
      pred = stats::predict(object, x), prob, check.names = FALSE
    ))
  }
  data.frame(
    pred = unname(stats::predict(object, x)),
    stats::predict(object, x, type = "prob"),
    check.names = FALSE, row.names = NULL
  )
}

check_selector_dots <- function(arguments) {
  if (length(arguments) > 0L && (is.null(names(arguments)) ||
    any(names(arguments) == ""))) {
    abort_input(
      "the arguments for the selector must have names, as in {.code k = 5}.",
      "..."
    )
  }
  arguments
}

# What train() varies; of each the values that it tries first come first.
caret_grids <- list(
  llfs = list(alpha = c(10, 5, 2, 20, 3)),
  relief = list(k = c(10, 5, 3, 20, 1), n = c(20, 50, 5, 10, 100)),
  logo = list(lambda = c(1, 0.5, 2, 0.1, 5)),
  kbfs = list(n_features = c(20, 50, 5, 10, 100)),
  pwfp = list(fraction = c(0.1, 0.2, 0.05), n = c(20, 50, 5, 10, 100))
)

#' @rdname hitmiss_sbf
#' @export
hitmiss_train <- function(method = "llfs") {
  method <- check_choice(method, names(caret_grids))
  values <- caret_grids[[method]]
  list(
    label = mlr3_titles[[method]], library = "hitmiss", type = "Classification",
    parameters = data.frame(
      parameter = names(values), class = "numeric", label = names(values)
    ),
    grid = function(x, y, len = NULL, search = "grid") {
      tried <- lapply(values, function(v) sort(utils::head(v, len %||% 3L)))
      # No more than there are in a training part.
      most <- c(
        n = ncol(x), n_features = ncol(x), alpha = ncol(x),
        k = max(1, min(table(y)) %/% 2)
      )
      for (name in intersect(names(tried), names(most))) {
        tried[[name]] <- unique(pmin(tried[[name]], most[[name]]))
      }
      expand.grid(tried, KEEP.OUT.ATTRS = FALSE)
    },
    loop = NULL,
    fit = function(x, y, wts, param, lev, last, classProbs, ...) {
      if (!is.null(wts)) {
        abort_input("{.fn {method}} takes no case weights.", "weights")
      }
      arguments <- c(as.list(param[setdiff(names(param), "n")]), list(...))
      fit_in_framework(method, x, y, arguments)
    },
    predict = function(modelFit, newdata, submodels = NULL) {
      caret_predict(modelFit, newdata, "class")
    },
    prob = function(modelFit, newdata, submodels = NULL) {
      found <- caret_predict(modelFit, newdata, "prob")
      as.data.frame(all_classes(found, modelFit$obsLevels), optional = TRUE)
    },
    predictors = function(x, ...) kept_features(x, x$tuneValue$n, "n"),
    varImp = function(object, ...) data.frame(Overall = object$scores),
    levels = function(x) x$obsLevels,
    tags = c("Feature Selection Wrapper", "Prototype Models"),
    sort = function(x) x[do.call(order, unname(as.list(x))), , drop = FALSE]
  )
}

# `n` stands in the tuning value that caret adds to the fit.
caret_predict <- function(fit, newdata, type) {
  n <- fit$tuneValue$n
  if (is.null(n)) {
    stats::predict(fit, newdata, type = type)
  } else {
    stats::predict(fit, newdata, type = type, n = n)
  }
}
