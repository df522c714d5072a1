# A filter for nestedcv, and functions for ClassifyR.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A filter for nestedcv
#'
#' A function for the argument `filterFUN` of the functions of package nestedcv,
#' which call it on the training part of every fold, as in
#' `nestcv.glmnet(y, x, filterFUN = hitmiss_filter)` with
#' `filter_options = list(nfilter = 20)`.
#'
#' @inheritParams hitmiss_sbf
#' @param y,x Class labels, and a matrix or data.frame with samples in rows, in
#'   the order in which nestedcv gives them.
#' @param nfilter Number of features to keep; `NULL` for the selector's own
#'   selection, which rankings do not have. Of a selector with a selection of
#'   its own, no more than it selects.
#' @param type What to return.
#' @return `"index"`: the positions of the kept columns, best first. `"names"`:
#'   their names. `"full"`: the scores of all columns, with names.
#' @examples
#' toy <- simulate_microarray(n = c(15, 15), genes = 100)
#' hitmiss_filter(toy$y, toy$x, nfilter = 5, k = 5, threads = 1)
#' hitmiss_filter(toy$y, toy$x, selector = logo, type = "names", threads = 1)
#' @export
hitmiss_filter <- function(y, x, selector = relief, nfilter = NULL,
                           type = c("index", "names", "full"), ...) {
  if (missing(y)) abort_missing("y")
  if (missing(x)) abort_missing("x")
  check_framework_selector(selector)
  type <- check_choice(type)
  if (!is.null(nfilter)) nfilter <- check_count(nfilter)
  fit <- fit_in_framework(selector, x, y, check_selector_dots(list(...)))
  if (type == "full") {
    return(fit$scores)
  }
  kept <- kept_features(fit, nfilter, "nfilter")
  if (type == "names") kept else match(kept, names(fit$scores))
}

#' Functions for ClassifyR
#'
#' Functions for `TrainParams()` and `PredictParams()` of the Bioconductor
#' package ClassifyR: `TrainParams(hm$train, getFeatures = hm$features)` and
#' `PredictParams(hm$predict)`, where `hm` is what this function returns. They
#' follow ClassifyR 3.11's template for interfaces and are tested against this
#' template, not within the package.
#'
#' @inheritParams hitmiss_sbf
#' @param n Number of features that `features()` reports as used; `NULL` for the
#'   selector's own selection.
#' @return A list of functions: `train(measurementsTrain, classesTrain, ...,
#'   verbose)` returns a fit; `predict(model, measurementsTest, ..., returnType,
#'   verbose)` a factor (`"class"`), a matrix of probabilities (`"score"`), or a
#'   data.frame of both; `features(model)` a list of the positions of all
#'   columns, best first, and of those in use.
#' @examples
#' hm <- hitmiss_classifyr(logo, threads = 1)
#' toy <- simulate_microarray(n = c(15, 15), genes = 100)
#' model <- hm$train(toy$x, toy$y)
#' hm$predict(model, toy$x[1:3, ])
#' hm$features(model)[[2]]
#' @export
hitmiss_classifyr <- function(selector = llfs, n = NULL, ...) {
  check_framework_selector(selector)
  if (!is.null(n)) n <- check_count(n)
  arguments <- check_selector_dots(list(...))
  train <- function(measurementsTrain, classesTrain, ..., verbose = 3) {
    fit_in_framework(
      selector, measurementsTrain, classesTrain,
      utils::modifyList(arguments, list(...))
    )
  }
  predict <- function(model, measurementsTest, ...,
                      returnType = c("both", "class", "score"), verbose = 3) {
    type <- check_choice(returnType)
    class <- stats::predict(model, measurementsTest)
    if (type == "class") {
      return(class)
    }
    score <- stats::predict(model, measurementsTest, type = "prob")
    if (type == "score") {
      return(score)
    }
    data.frame(class = class, score, check.names = FALSE)
  }
  features <- function(model) {
    used <- if (is_ranker(model) && is.null(n)) {
      names(vote_weights(model))
    } else {
      kept_features(model, n, "n")
    }
    list(model$ranking, match(used, names(model$scores)))
  }
  attr(train, "name") <- "hitmiss_train"
  attr(predict, "name") <- "hitmiss_predict"
  list(train = train, predict = predict, features = features)
}
