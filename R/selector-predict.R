# predict() of the global selectors: neighbours in the learned, weighted space.

#' Predict the class of new samples
#'
#' [llfs()] predicts by its own localized classifier, see
#' [predict.hitmiss_llfs()]. The other methods predict by the nearest
#' neighbours in the weighted space that they learned, the classifier whose
#' leave-one-out error their margins bound: the distance of two samples is
#' `sum(w * abs(a - b))` over scaled features, where `w` are the weights of
#' [logo()] and [kbfs()], the positive part of the scores of [relief()]
#' (squared differences for `metric = "euclidean"`), and 1 for each selected
#' feature of [pwfp()]. A fit keeps at most 64 MB of training values for this;
#' where more features have a weight, the best ones that fit are used.
#'
#' @param object A fit.
#' @param newdata New samples, in any container that the fitting functions
#'   take. Columns are matched **by name**: needed are the features that the
#'   prediction uses, others may be absent, and order does not matter. A matrix
#'   without column names is taken, with a warning, if it has exactly as many
#'   columns as the training data. A sample with a missing or infinite value in
#'   a needed feature gets `NA`.
#' @param type `"class"`: a factor of predicted classes. `"prob"`: a matrix,
#'   samples x classes, with rows that sum to 1. `"features"`: the new data
#'   reduced to the selected features.
#' @param n Use the best `n` of the selected features only; `NULL` for all.
#' @param k Number of neighbours that vote (fewer if there are fewer samples).
#'   [logo()] does not use it: all training samples vote with weight
#'   `exp(-distance / sigma)`.
#' @param ... Must be empty.
#' @param threads Number of threads, as in [logo()].
#' @return See `type`. One element or row for each sample of `newdata`, also if
#'   there is one or none.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' train <- seq_along(toy$y) %% 2 == 0
#' fit <- relief(toy$x[train, ], toy$y[train], threads = 1)
#' table(toy$y[!train], predict(fit, toy$x[!train, ], n = 2))
#' head(predict(fit, toy$x[!train, ], type = "prob", n = 2))
#' dim(predict(fit, toy$x[!train, ], type = "features", n = 2))
#' @export
predict.hitmiss <- function(object, newdata,
                            type = c("class", "prob", "features"), n = NULL,
                            k = 5, missing = c("error", "drop"), ...,
                            threads = NULL) {
  check_no_dots(...)
  check_fit(object, "object")
  # `missing` is an argument here.
  if (base::missing(newdata)) abort_missing("newdata")
  type <- check_choice(type, c("class", "prob", "features"), "type")
  missing <- check_choice(missing, c("error", "drop"))
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
  values <- as_newdata(
    newdata, needed, names(object$scores), object$assay %||% 1L,
    drop = drop
  )
  if (!drop) {
    return(values)
  }
  share <- function(names) length(names) / max(1L, length(needed))
  check_half_left(values, needed, share, "features")
  left <- split_by_features(values, share)$left
  values[left < 0.5, ] <- NA_real_
  with_left(values, left, "features")
}
