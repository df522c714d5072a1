# Layer: evaluate. The classifiers of error_curve() are trained and tested here
# on the chosen features, for every size.
# SPDX-License-Identifier: GPL-3.0-or-later

# These are the names of the kinds of classifiers in prints and pictures.
classifier_labels <- c(
  knn = "nearest neighbours", svm_linear = "linear SVM", svm_rbf = "RBF SVM",
  cox = "Cox model with ridge penalty", own = "the selector's own classifier",
  custom = "user's function"
)

# These names of classifiers exist for each kind of outcome.
known_classifiers <- list(
  classes = c("knn", "svm_linear", "svm_rbf", "own"),
  survival = c("knn", "cox", "own")
)

#' One classifier for every selector
#'
#' @param classifier A name or function, or a list of them named by selector,
#'   whose unnamed element stands for all others.
#' @param outcome Kind of the outcome.
#' @return List named by selector, see as_classifier().
#' @noRd
resolve_classifiers <- function(classifier, selectors, outcome) {
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
  stats::setNames(lapply(given, as_classifier, outcome)[at], selectors)
}

#' @return list(kind, label, fun: a user's function, k: of neighbours, default:
#'   may fits that have a classifier of their own use that?).
#' @noRd
as_classifier <- function(classifier, outcome = "classes") {
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
  known <- known_classifiers[[outcome]]
  survival <- outcome == "survival"
  if (!kind %in% known) {
    abort_input(c(
      "{.arg classifier} must be a function or one of {.or {.val {known}}}, not
       {describe(classifier)}.",
      i = if (survival) {
        "{.val knn} has half of the samples as neighbours, {.val knn25} has 25,
         and so on."
      } else {
        "{.val knn} has 5 neighbours, {.val knn3} has 3, and so on."
      },
      i = if (survival) {
        "A function takes {.arg (x_train, y_train, x_test)} and returns a risk
         for each test sample, larger for earlier events, or a matrix of
         survival probabilities with times as column names."
      } else {
        "A function takes {.arg (x_train, y_train, x_test)} and returns a
         factor of predicted classes or a matrix of class scores, such as
         {.code function(x_train, y_train, x_test)
         class::knn(x_train, x_test, y_train)}."
      }
    ), "classifier")
  }
  if (startsWith(kind, "svm")) {
    require_package("e1071", "support vector machines")
  }
  if (kind == "cox") require_package("glmnet", "Cox's model with a penalty")
  # Without a number, survival times have half of the training samples.
  usual <- if (survival) NULL else 5L
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
    abort_no_scores(plan$metric$name, spec$name, is_survival(problem$y))
  }
  predicted
}

# All classifiers of this package give scores and only a user's function may
# not, so this is a mistake in the call and no split that fails.
abort_no_scores <- function(metric, selector, survival) {
  needed <- if (survival) "survival curves" else "class scores"
  usual <- if (survival) "cindex" else "error"
  abort_user(c(
    "{.arg metric = {quoted(metric)}} needs {needed}, but the function given
     as {.arg classifier} for {.val {selector}} returns none.",
    i = "Return a matrix of {needed}, as in {.fn error_curve}; or use
         {.code metric = \"{usual}\"}."
  ), "metric", "hitmiss_error_scores")
}

#' Predictions with the first n features of a list, for each n of `sizes`
#'
#' @param sizes Increasing; 0 alone, if there is no feature.
#' @noRd
classify_first <- function(order, sizes, classifier, data) {
  if (max(sizes) == 0) {
    return(list(constant_prediction(data, length(data$test))))
  }
  parts <- numeric_split(
    data$problem, data$train, data$test, order[seq_len(max(sizes))]
  )
  scaled <- scaled_split(parts, data$scale)
  columns <- parts$ends[sizes]
  if (is_survival(data$y)) {
    return(survive_first(scaled, columns, classifier, data))
  }
  if (classifier$kind == "knn") {
    k <- matrix(classifier$k, length(sizes), 1L)
    votes <- nested_vote(scaled, data$y, columns, k, share = TRUE)
    return(lapply(seq_along(sizes), function(s) {
      list(
        class = votes$winner[, 1L, s],
        score = matrix(votes$share[, , 1L, s], length(data$test))
      )
    }))
  }
  lapply(columns, function(n) {
    some <- lapply(scaled, function(part) part[, seq_len(n), drop = FALSE])
    switch(classifier$kind,
      svm_linear = svm_predict(some, data$y, "linear"),
      svm_rbf = svm_predict(some, data$y, "radial"),
      custom = custom_predict(some, data$y, classifier$fun)
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
    names = list(problem$samples[rows], problem$features[columns][of$of]),
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
    return(constant_prediction(list(y = y), nrow(parts$test)))
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

# Predicts without features: the most frequent training class (of ties the first
# level), or the survival of all.
constant_prediction <- function(data, n) {
  y <- data$y
  if (is_survival(y)) {
    return(constant_survival(y, n, data$grid))
  }
  share <- tabulate(y, nlevels(y)) / length(y)
  list(
    class = rep(which.max(share), n),
    score = matrix(rep(share, each = n), n, length(share))
  )
}

# Predicts by the user's function, which returns a factor or a matrix of class
# scores.
custom_predict <- function(parts, y, fun) {
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
      return(constant_prediction(data, nrow(newdata)))
    }
    if (is_survival(data$y)) {
      return(own_survival(fit, newdata, n, data$grid, how))
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
  ask <- function(type) {
    arguments <- list(fit, newdata, type = type, missing = how)
    # Codes were told of all samples.
    do.call(stats::predict, c(arguments, if (!is.null(n)) list(n = n))) |>
      on_one_scale() |>
      suppressMessages(
        classes = c("hitmiss_message_codes", "hitmiss_message_missing")
      )
  }
  class <- match(as.character(ask("class")), levels(data$y))
  # A sample that lacks half of what predicts is predicted as without features.
  lost <- is.na(class)
  all <- constant_prediction(data, sum(lost))
  class[lost] <- all$class
  score <- NULL
  if (want_score) {
    score <- matrix(0, nrow(newdata), nlevels(data$y))
    score[, match(fit$classes, levels(data$y))] <- ask("prob")
    score[lost, ] <- all$score
  }
  list(class = class, score = score)
}
