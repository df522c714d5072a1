# predict() of the global selectors: neighbours in the learned, weighted space.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Predict the class of new samples
#'
#' Fits of [llfs()] predict with a localized classifier, see
#' [predict.hitmiss_llfs()]. Fits of all other methods predict with the `k`
#' nearest neighbours in the weighted feature space, the classifier whose
#' leave-one-out error their margins bound. The distance of two samples is
#' `sum(w * abs(a - b))` over scaled features, where `w` are the weights of
#' [logo()] and [kbfs()], the positive part of the scores of [relief()], and 1
#' for each marked feature of [pwfp()]. For `relief(metric = "euclidean")` it is
#' `sqrt(sum(w * (a - b)^2))`. The most frequent class among the neighbours
#' wins; ties go to the class of the nearest sample among the tied. A fit keeps
#' at most 64 MB of training values for this; if all features with a weight
#' would take more, the best of them are used.
#'
#' @section Missing features:
#' With `missing = "drop"` a sample is predicted from the features that it has.
#' They must have at least half of the sum of the weights (with
#' `type = "features"`: they must be at least half of the features); otherwise
#' the sample gets `NA`. If too many columns are absent for any sample to reach
#' a half, the call fails with an error. The attribute `"left"` of the result is
#' the share available for each sample, and a message says how many samples lack
#' features.
#'
#' @section New data on another scale:
#' A fit stores its training values. `predict()` gives one warning of class
#' `hitmiss_warning_scale` if more than half of the new values, and at least
#' three, lie outside the training range of their feature by more than its
#' width: below the minimum less the width, or above the maximum plus the width.
#' This happens, for example, if the new values are raw and the fit is on
#' logarithms. Only features that the prediction uses and that vary in training
#' are checked. Ordinary new data give no warning: on half splits of 20 data
#' sets at most 0.3 percent of the values lay so far outside. The check does not
#' detect new data that lie close together inside the training range, such as
#' logarithms for a fit on raw values.
#'
#' @param object A fit.
#' @param newdata New samples, in any container that the fitting functions
#'   accept. Columns are matched **by name**, in any order; only the features
#'   that the prediction uses are needed. A matrix without column names is
#'   accepted, with a warning, if it has exactly as many columns as the training
#'   data. A sample with a missing or infinite value in a needed feature gets
#'   `NA`, unless `missing = "drop"`.
#' @param type `"class"`: a factor of predicted classes. `"prob"`: a matrix,
#'   samples x classes, with rows that sum to 1: the shares of the classes among
#'   the neighbours. `"features"`: the new data reduced to the features that the
#'   fit selects, without a prediction. `"response"`, for a numeric outcome
#'   (`relief(method = "rrelieff")`), where it is the default: the mean outcome
#'   of the neighbours.
#' @param n Use only the best `n` features. `NULL`, the default, means all that
#'   the fit selected. [relief()] (except with `method = "irelief"`) and
#'   [pwfp()] only rank the features; for them `NULL` means the best 50.
#'   Features without a positive weight are never used, however large `n` is.
#' @param k Number of neighbours that vote; all training samples if there are
#'   fewer.
#' @param missing What to do where `newdata` lacks a needed feature, as a column
#'   or as a value. `"error"`: an absent column is an error, and a sample with a
#'   missing value gets `NA`. `"drop"`: predict from the other features, see
#'   below.
#' @param ... Must be empty.
#' @param threads Number of threads, as in [logo()].
#' @return See `type`. One element or row for each sample of `newdata`, also if
#'   there is one or none. With `missing = "drop"` the result has the attribute
#'   `"left"`, a number from 0 to 1 for each sample.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' train <- seq_along(toy$y) %% 2 == 0
#' fit <- relief(toy$x[train, ], toy$y[train], threads = 1)
#' table(toy$y[!train], predict(fit, toy$x[!train, ], n = 2))
#' head(predict(fit, toy$x[!train, ], type = "prob", n = 2))
#' dim(predict(fit, toy$x[!train, ], type = "features", n = 2))
#'
#' # New data without one of the features:
#' new <- toy$x[!train, colnames(toy$x) != "noise1"]
#' table(toy$y[!train], predict(fit, new, missing = "drop"))
#' @export
predict.hitmiss <- function(object, newdata,
                            type = c("class", "prob", "features", "response"),
                            n = NULL,
                            k = 5, ..., missing = c("error", "drop"),
                            threads = NULL) {
  check_no_dots(...)
  check_fit(object, "object")
  # `missing` is an argument here.
  if (base::missing(newdata)) abort_missing("newdata")
  if (base::missing(type) && has_numeric_outcome(object)) type <- "response"
  type <- check_choice(type)
  check_type_of_fit(object, type)
  missing <- check_choice(missing)
  if (!is.null(n)) n <- check_count(n, "n")
  if (type == "features") {
    return(predict_features(object, newdata, n, missing))
  }
  predict_nearest(
    object, newdata, type, n, check_count(k, "k"), missing, threads
  )
}

predict_features <- function(object, newdata, n, missing) {
  needed <- selected(object, n = n %||% default_n(object))
  drop <- missing == "drop"
  levels <- object$levels[intersect(needed, names(object$levels))]
  values <- as_newdata(
    coded_newdata(newdata, levels), needed, names(object$scores),
    object$assay %||% 1L, drop = drop
  )
  if (!drop) {
    return(decoded(values, levels))
  }
  share <- function(names) length(names) / max(1L, length(needed))
  check_half_left(values, needed, share, "features")
  left <- split_by_features(values, share)$left
  values[left < 0.5, ] <- NA_real_
  with_left(decoded(values, levels), left, "features")
}
