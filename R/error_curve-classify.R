# Layer: evaluate. The classifiers of error_curve() are trained and tested here
# on the chosen features, for every size.
# SPDX-License-Identifier: GPL-3.0-or-later

# These are the names of the kinds of classifiers in prints and pictures.
classifier_labels <- c(
  knn = "nearest neighbours", svm_linear = "linear SVM", svm_rbf = "RBF SVM",
  cox = "Cox model with ridge penalty", own = "the selector's own classifier",
  custom = "user's function"
)

#' One classifier for every selector
#'
#' @param classifier A name or function, or a list of them named by selector,
#'   whose unnamed element stands for all others.
#' @param kind See kind_of().
#' @return List named by selector, see as_classifier().
#' @noRd
resolve_classifiers <- function(classifier, selectors, kind) {
  given <- if (is.list(classifier)) classifier else list(classifier)
  names <- names(given) %||% rep("", length(given))
  at <- match(selectors, names)
  if (sum(names == "") > 1L || anyDuplicated(names) > 0L ||
    !all(names %in% c("", selectors)) || anyNA(at) && !"" %in% names) {
    abort_input(c(
      "{.arg classifier} must be one classifier, or a list named by selector
       with at most one unnamed element for the rest.",
      i = "The selectors are {.val {selectors}}."
    ), "classifier")
  }
  at[is.na(at)] <- which(names == "")
  stats::setNames(lapply(given, as_classifier, kind)[at], selectors)
}

#' @return list(kind, label, fun: a user's function, k: of neighbours, default:
#'   may fits that have a classifier of their own use that?).
#' @noRd
as_classifier <- function(classifier, outcome) {
  if (is.function(classifier)) {
    return(list(
      kind = "custom", label = classifier_labels[["custom"]], fun = classifier,
      default = FALSE
    ))
  }
  default <- is.null(classifier)
  if (default) classifier <- "knn"
  name <- if (is.character(classifier) && length(classifier) == 1L) classifier
  kind <- sub("^knn[1-9][0-9]*$", "knn", name %||% "")
  known <- c("knn", names(outcome$models), "own")
  if (!kind %in% known) {
    abort_input(c(
      "{.arg classifier} must be a function or one of {.or {.val {known}}}, not
       {describe(classifier)}.", outcome$classifier_help
    ), "classifier")
  }
  if (startsWith(kind, "svm")) {
    require_package("e1071", "support vector machines")
  }
  if (kind == "cox") require_package("glmnet", "Cox's model with a penalty")
  usual <- outcome$usual_k
  k <- if (kind == name) usual else as.integer(sub("knn", "", name))
  label <- classifier_labels[[kind]]
  if (kind == "knn" && !identical(k, usual)) {
    label <- sprintf("%d nearest neighbour%s", k, if (k > 1L) "s" else "")
  }
  list(kind = kind, k = k, label = label, default = default)
}

#' Predictions for every size
#'
#' @param selection See select_features().
#' @return List by size of list(class: class numbers of the test samples; score:
#'   matrix, test x class, or NULL).
#' @noRd
classify_sizes <- function(selection, split, spec, problem, plan) {
  known <- split$labelled %||% split$train
  data <- list(
    problem = problem, train = known, test = split$test, scale = plan$scale,
    y = problem$y[known], grid = plan$metric$study$grid
  )
  classify <- if (spec$classifier$kind == "own" || selection$own) {
    function(choice, sizes) classify_own(choice, sizes, spec, data, plan$scores)
  } else {
    function(choice, sizes) {
      classify_first(choice$order, sizes, spec$classifier, data)
    }
  }
  predicted <- if (selection$by_size) {
    lapply(selection$choices, function(choice) {
      classify(choice, length(choice$order))[[1L]]
    })
  } else {
    choice <- selection$choices[[1L]]
    # The fit's own classifier uses all its features, so its predictions are the
    # same for every size.
    used <- if (selection$own) {
      rep(length(choice$order), length(spec$sizes))
    } else {
      selection$n_used
    }
    classify(choice, unique(used))[match(used, unique(used))]
  }
  without <- vapply(predicted, function(p) is.null(p$score), NA)
  if (any(without) && isTRUE(plan$metric$scores)) {
    abort_no_scores(plan$metric$name, spec$name, kind_of(problem$y))
  }
  predicted
}

# All classifiers of this package give scores and only a user's function may
# not, so this is a mistake in the call and no split that fails.
abort_no_scores <- function(metric, selector, kind) {
  abort_user(c(
    "{.arg metric = {quoted(metric)}} needs {kind$scores}, but the function
     given as {.arg classifier} for {.val {selector}} returns none.",
    i = "Return a matrix of {kind$scores}, as in {.fn error_curve}; or use
         {.code metric = {quoted(names(kind$metrics)[[1L]])}}."
  ), "metric", "hitmiss_error_scores")
}

#' Predictions with the first n features of a list, for each n of `sizes`
#'
#' @param sizes Increasing; 0 alone, if there is no feature.
#' @noRd
classify_first <- function(order, sizes, classifier, data) {
  kind <- kind_of(data$y)
  if (max(sizes) == 0) {
    return(list(kind$constant(data$y, length(data$test), data$grid)))
  }
  parts <- numeric_split(
    data$problem, data$train, data$test, order[seq_len(max(sizes))]
  )
  scaled <- scaled_split(parts, data$scale)
  columns <- parts$ends[sizes]
  if (classifier$kind == "knn") {
    return(kind$knn(scaled, data, columns, classifier$k))
  }
  predict_part <- kind$models[[classifier$kind]] %||% function(parts, data) {
    kind$custom(parts, data, classifier$fun)
  }
  lapply(columns, function(n) {
    some <- lapply(scaled, function(part) part[, seq_len(n), drop = FALSE])
    predict_part(some, data)
  })
}

nearest_classes <- function(scaled, data, columns, k) {
  k <- matrix(k, length(columns), 1L)
  votes <- nested_vote(scaled, data$y, columns, k, share = TRUE)
  lapply(seq_along(columns), function(s) {
    list(
      class = votes$winner[, 1L, s],
      score = matrix(votes$share[, , 1L, s], nrow(scaled$test))
    )
  })
}

#' The features at `columns` as numbers: categories as indicators of their
#' levels, missing values filled in from the training part
#'
#' @return list(values: a matrix, features_in: its rows or columns, columns,
#'   train, test: positions in it, names: of all its samples and of the columns;
#'   ends: the last column of each feature). See scaled_split(), which reads it.
#' @noRd
numeric_split <- function(problem, train, test, columns) {
  if (problem$storage == "dense" && is.null(problem$levels) &&
    is.null(problem$present)) {
    return(list(
      values = problem$values, features_in = problem$features_in,
      columns = columns, train = train, test = test,
      names = list(problem$samples, problem$features[columns]),
      ends = seq_along(columns)
    ))
  }
  rows <- c(train, test)
  of <- indicator_columns(problem$features[columns], problem$levels)
  values <- problem_rows(problem, rows, columns)
  if (anyNA(values)) {
    values <- filled_values(
      values, seq_along(train),
      problem$features[columns] %in% names(problem$levels)
    )
  }
  if (!is.null(problem$levels)) values <- indicators(values, of)
  list(
    values = values, features_in = "columns", columns = seq_along(of$of),
    train = seq_along(train), test = length(train) + seq_along(test),
    names = list(
      problem$samples[rows],
      indicator_names(problem$features[columns], of, problem$levels)
    ),
    ends = which(!duplicated(of$of, fromLast = TRUE))
  )
}

#' Training and test values of some features, scaled by the training part
#'
#' @param parts See numeric_split().
#' @return list(train, test): double matrices; a feature that is constant in
#'   training is 0 in both, unless scale is "none".
#' @noRd
scaled_split <- function(parts, scale) {
  scaled <- cpp_scaled_parts(parts, scale, core_runtime())
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
    core_runtime()
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
svm_predict <- function(parts, y, kernel, cost = 1) {
  present <- droplevels(y)
  if (nlevels(present) < 2L) {
    return(class_shares_of(y, nrow(parts$test)))
  }
  model <- e1071::svm(parts$train, present,
    scale = FALSE, kernel = kernel, cost = cost, gamma = 1 / ncol(parts$train),
    type = "C-classification", fitted = FALSE
  )
  predicted <- stats::predict(model, parts$test, decision.values = TRUE)
  # There is a column for each pair of classes, which is positive for the first
  # of them. The score of a class is the sum over its pairs.
  values <- attr(predicted, "decision.values")
  order <- match(model$levels[model$labels], levels(y))
  pairs <- t(utils::combn(order, 2L))
  sign <- matrix(0, nrow(pairs), nlevels(y))
  sign[cbind(seq_len(nrow(pairs)), pairs[, 1L])] <- 1
  sign[cbind(seq_len(nrow(pairs)), pairs[, 2L])] <- -1
  list(
    class = match(as.character(predicted), levels(y)), score = values %*% sign
  )
}

# Predicts by the user's function, which returns a factor or a matrix of class
# scores.
custom_classes <- function(parts, data, fun) {
  y <- data$y
  result <- fun(parts$train, droplevels(y), parts$test)
  n <- nrow(parts$test)
  known <- levels(droplevels(y))
  scores <- is.matrix(result) && is.numeric(result)
  columns <- if (scores) colnames(result) %||% known
  fine <- if (scores) {
    nrow(result) == n && ncol(result) == length(known) &&
      setequal(columns, known)
  } else {
    (is.factor(result) || is.character(result)) && length(result) == n &&
      all(as.character(result) %in% levels(y))
  }
  if (!fine) {
    abort_input(
      "{.arg classifier} must return a factor of length {n} with the classes of
       the training part, or a numeric matrix with {n} rows and a column for
       each of {.val {known}}; not {describe(result)}.", "classifier"
    )
  }
  check_prediction_names(
    if (scores) rownames(result) else names(result), rownames(parts$test)
  )
  if (!scores) {
    return(list(class = match(as.character(result), levels(y))))
  }
  unknown <- which(is.na(result), arr.ind = TRUE)
  if (nrow(unknown) > 0L) {
    abort_user(
      "{.arg classifier} returned scores that are {result[unknown[1L, 1L],
       unknown[1L, 2L]]}; the first is that of class
       {.val {columns[[unknown[1L, 2L]]]}} in row {unknown[1L, 1L]}.",
      "classifier"
    )
  }
  score <- matrix(min(result), n, nlevels(y))
  score[, match(columns, levels(y))] <- result
  list(class = max.col(score, ties.method = "first"), score = score)
}

# Predicts by the fit itself, with its best n features for each n of `sizes`.
classify_own <- function(choice, sizes, spec, data, want_score) {
  fit <- choice$fit
  if (!inherits(fit, "hitmiss")) {
    abort_user(
      "{.arg classifier = \"own\"} needs selectors that return a fit of this
       package.", "selectors"
    )
  }
  local <- inherits(fit, "hitmiss_llfs")
  how <- missing_in(data$problem)
  newdata <- decoded(
    problem_rows(data$problem, data$test), data$problem$levels
  )
  lapply(sizes, function(n) {
    if (n == 0) {
      return(kind_of(data$y)$constant(data$y, nrow(newdata), data$grid))
    }
    own_prediction(fit, newdata, if (!local) n, data, want_score, how)
  })
}

# How predict() treats what new samples lack.
missing_in <- function(problem) {
  holes <- !is.null(problem$present) ||
    problem$storage == "blocks" && isTRUE(problem$may_miss)
  # A test sample may have a category that the training part lacks.
  if (holes || !is.null(problem$levels)) "drop" else "error"
}

own_prediction <- function(fit, newdata, n, data, want_score, how) {
  kind <- kind_of(data$y)
  # Samples of pairs are differences already.
  fit$design <- NULL
  ask <- function(type, ...) {
    arguments <- list(fit, newdata, type = type, missing = how, ...)
    # Codes were told of all samples.
    do.call(stats::predict, c(arguments, if (!is.null(n)) list(n = n))) |>
      on_one_scale() |>
      suppressMessages(
        classes = c("hitmiss_message_codes", "hitmiss_message_missing")
      )
  }
  found <- kind$own(ask, fit, data, want_score)
  # A sample that lacks half of what predicts is predicted as without features.
  lost <- is.na(found$class)
  all <- kind$constant(data$y, sum(lost), data$grid)
  found$class[lost] <- all$class
  if (want_score) found$score[lost, ] <- all$score
  found
}

own_classes <- function(ask, fit, data, want_score) {
  class <- match(as.character(ask("class")), levels(data$y))
  score <- if (want_score) matrix(0, length(class), nlevels(data$y))
  if (want_score) score[, match(fit$classes, levels(data$y))] <- ask("prob")
  list(class = class, score = score)
}
