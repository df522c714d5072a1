# The classifiers of error_curve(): what they are, how they predict.
# SPDX-License-Identifier: GPL-3.0-or-later

# By kind: how they are called in prints and pictures.
classifier_labels <- c(
  knn = "nearest neighbours", svm_linear = "linear SVM", svm_rbf = "RBF SVM",
  own = "the selector's own classifier", custom = "user's function"
)

classifier_names <- setdiff(names(classifier_labels), "custom")

classifier_kinds <- function(curve) {
  names(classifier_labels)[match(curve$classifier, classifier_labels)]
}

# What each can be tuned over; the first value is the default.
classifier_parameters <- list(
  knn = list(k = 5),
  svm_linear = list(cost = 1),
  svm_rbf = list(cost = 1, gamma = NULL),
  own = list(),
  custom = list()
)

#' One classifier for every selector
#'
#' @param classifier A name or function, or a list of them named by selector,
#'   whose unnamed element stands for all others.
#' @return List named by selector, of list(kind, label, fun).
#' @noRd
resolve_classifiers <- function(classifier, selectors) {
  given <- if (is.list(classifier)) classifier else list(classifier)
  names <- names(given) %||% rep("", length(given))
  unknown <- setdiff(names, c("", selectors))
  if (length(unknown) > 0L || sum(names == "") > 1L || anyDuplicated(names)) {
    abort_input(c(
      "{.arg classifier} must be one classifier, or a list named by selector
       with at most one unnamed element for the rest.",
      x = if (length(unknown) > 0L) {
        "There {cli::qty(length(unknown))}{?is no selector/are no selectors}
         called {.val {unknown}}."
      }
    ), "classifier")
  }
  chosen <- lapply(given, as_classifier)
  names(chosen) <- names
  rest <- chosen[names == ""]
  lapply(stats::setNames(nm = selectors), function(selector) {
    found <- chosen[[selector]]
    if (is.null(found) && length(rest) == 0L) {
      abort_input(
        "{.arg classifier} has no element for selector {.val {selector}}.",
        "classifier"
      )
    }
    found %||% rest[[1L]]
  })
}

as_classifier <- function(classifier) {
  if (is.function(classifier)) {
    kind <- "custom"
    return(list(
      kind = kind, label = classifier_labels[[kind]], fun = classifier
    ))
  }
  if (!is.character(classifier) || length(classifier) != 1L ||
    !classifier %in% classifier_names) {
    abort_input(c(
      "{.arg classifier} must be a function or one of
       {.or {.val {classifier_names}}}, not {describe(classifier)}.",
      i = "A function takes {.code (x_train, y_train, x_test)} and returns a
           factor of predicted classes or a matrix of class scores, such as
           {.code function(x_train, y_train, x_test)
           predict(randomForest::randomForest(x_train, y_train), x_test)}."
    ), "classifier")
  }
  kind <- as.vector(classifier)
  if (startsWith(kind, "svm")) {
    require_package("e1071", "support vector machines")
  }
  list(kind = kind, label = classifier_labels[[kind]], fun = NULL)
}

#' A classifier with the parameter values to try, once for all units of a curve
#' @noRd
with_grid <- function(classifier, tune) {
  classifier$grid <- classifier_grid(classifier, tune)
  classifier
}

#' The parameters of a classifier as a grid, one row if nothing is tuned
#'
#' Ties go to the first row: the smallest k, cost and gamma.
#' @noRd
classifier_grid <- function(classifier, tune) {
  defaults <- classifier_parameters[[classifier$kind]]
  tuned <- tune[names(tune) %in% names(defaults)]
  tuned <- lapply(tuned, function(values) sort(unique(values)))
  fixed <- defaults[setdiff(names(defaults), names(tuned))]
  fixed <- fixed[!vapply(fixed, is.null, NA)]
  if (length(tuned) + length(fixed) == 0L) {
    return(data.frame(row.names = 1L))
  }
  # The first parameter varies slowest: k, then cost, then gamma.
  order <- intersect(names(defaults), c(names(tuned), names(fixed)))
  grid <- expand.grid(
    rev(c(tuned, fixed)[order]),
    KEEP.OUT.ATTRS = FALSE
  )
  grid[order]
}

check_tune <- function(tune, classifiers) {
  if (is.null(tune)) {
    return(NULL)
  }
  kinds <- unique(vapply(classifiers, `[[`, "", "kind"))
  able <- unique(unlist(lapply(classifier_parameters[kinds], names)))
  if (!is.list(tune) || is.object(tune) || is.null(names(tune)) ||
    length(setdiff(names(tune), c(able, "folds"))) > 0L ||
    identical(names(tune), "folds")) {
    able <- able %||% "(nothing)"
    abort_input(c(
      "{.arg tune} must be a list named by parameters of the classifier, with
       the values to try.",
      i = "Parameters of this classifier: {.val {able}}. {.val folds} sets the
           number of folds (default 5)."
    ), "tune")
  }
  for (name in names(tune)) {
    values <- tune[[name]]
    if (!is.numeric(values) || length(values) == 0L || anyNA(values) ||
      any(values <= 0)) {
      abort_input(
        "{.code tune${name}} must hold numbers above 0, not
         {describe(values)}.",
        "tune"
      )
    }
  }
  tune$folds <- check_count(tune$folds %||% 5, "tune$folds", min = 2)
  if (!is.null(tune$k)) tune$k <- vapply(tune$k, check_count, 1L, "tune$k")
  tune
}

#' Training and test values of some features, scaled by the training part
#'
#' @param parts See numeric_parts().
#' @return list(train, test): double matrices; a feature that is constant in
#'   training is 0 in both, unless scale is "none".
#' @noRd
scaled_parts <- function(parts, scale) {
  scaled <- cpp_scaled_parts(
    parts, scale, list(threads = resolve_threads(), progress = NULL, key = NULL)
  )
  for (part in c("train", "test")) {
    dimnames(scaled[[part]]) <- list(
      parts$names[[1L]][parts[[part]]], parts$names[[2L]]
    )
  }
  scaled
}

#' Predictions of the nearest neighbours, for growing lists of features
#'
#' @param parts list(train, test), columns in rank order, scaled.
#' @param y Labels of the training rows.
#' @param sizes Increasing numbers of columns.
#' @param k Matrix, a row per size, a column per number of neighbours to try.
#' @return list(winner: array test x try x size of class numbers, share: the
#'   same with the votes of each class, test x class x try x size, or NULL).
#' @noRd
nested_vote <- function(parts, y, sizes, k, share = FALSE) {
  votes <- cpp_nested_vote(
    parts$test, parts$train, y, list(sizes = sizes, k = k, share = share),
    list(threads = resolve_threads(), progress = NULL, key = NULL)
  )
  n <- nrow(parts$test)
  list(
    winner = array(votes$winner + 1L, c(n, ncol(k), length(sizes))),
    share = if (share) {
      array(votes$share, c(n, nlevels(y), ncol(k), length(sizes)))
    }
  )
}

#' Train a support vector machine and predict
#'
#' Values must be scaled, without NA: e1071's own scaling drops rows with NaN.
#' @return list(class: class numbers, score: matrix test x classes).
#' @noRd
svm_predict <- function(parts, y, kernel, cost, gamma = NULL) {
  present <- droplevels(y)
  if (nlevels(present) < 2L) {
    return(constant_prediction(y, nrow(parts$test)))
  }
  model <- e1071::svm(parts$train, present,
    scale = FALSE, kernel = kernel, cost = cost,
    gamma = gamma %||% (1 / ncol(parts$train)), type = "C-classification",
    fitted = FALSE
  )
  predicted <- stats::predict(model, parts$test, decision.values = TRUE)
  list(
    class = match(as.character(predicted), levels(y)),
    score = svm_scores(
      attr(predicted, "decision.values"),
      match(model$levels[model$labels], levels(y)), nlevels(y)
    )
  )
}

#' Decision values come one column per pair of classes, positive for the first
#'
#' @param order Classes in e1071's order.
#' @return Matrix, samples x classes: the sum over the pairs of a class.
#' @noRd
svm_scores <- function(values, order, n_classes) {
  score <- matrix(0, nrow(values), n_classes)
  pairs <- utils::combn(order, 2L)
  for (p in seq_len(ncol(pairs))) {
    first <- pairs[1L, p]
    second <- pairs[2L, p]
    score[, first] <- score[, first] + values[, p]
    score[, second] <- score[, second] - values[, p]
  }
  score
}

#' Prediction without features: the most frequent training class (ties: the
#' first level)
#' @noRd
constant_prediction <- function(y, n) {
  share <- tabulate(y, nlevels(y)) / length(y)
  list(
    class = rep(which.max(share), n),
    score = matrix(share, n, length(share), byrow = TRUE)
  )
}

#' Predictions of the user's function: a factor, or a matrix of class scores
#' @noRd
custom_predict <- function(parts, y, fun) {
  result <- fun(parts$train, droplevels(y), parts$test)
  n <- nrow(parts$test)
  if (is.matrix(result) && is.numeric(result) && nrow(result) == n) {
    return(matrix_prediction(result, y))
  }
  class <- match(as.character(result), levels(y))
  if (!(is.factor(result) || is.character(result)) || length(result) != n ||
    anyNA(class)) {
    abort_input(
      "{.arg classifier} must return a factor of {n} known classes or a numeric
       matrix with {n} rows, not {describe(result)}.", "classifier"
    )
  }
  list(class = class, score = NULL)
}

matrix_prediction <- function(result, y) {
  known <- levels(droplevels(y))
  columns <- colnames(result) %||% known
  if (length(columns) != ncol(result) || !setequal(columns, known)) {
    abort_input(
      "the matrix that {.arg classifier} returns must have a column for each of
       {.val {known}}; it has {.val {columns}}.", "classifier"
    )
  }
  score <- matrix(min(result), nrow(result), nlevels(y))
  score[, match(columns, levels(y))] <- result
  list(class = max.col(score, ties.method = "first"), score = score)
}
