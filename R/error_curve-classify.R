# Training and testing a classifier on the chosen features, for every size.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param picked See select_features().
#' @param folds Fold of each labelled training sample, for tuning, or NULL.
#' @param inner See prepare_folds().
#' @return list(class: class numbers, test x sizes; score: test x class x sizes,
#'   or NULL; tuned: data.frame(size, error, one column per parameter), or
#'   NULL).
#' @noRd
classify_sizes <- function(picked, split, folds, classifier, problem, plan,
                           inner = NULL) {
  if (classifier$kind == "own") {
    return(classify_own(picked, split, problem, plan))
  }
  data <- list(
    problem = problem, train = split$labelled %||% split$train,
    test = split$test, folds = folds, inner = inner, scale = plan$scale,
    metric = plan$metric, selector = plan$selector
  )
  if (picked$prefixes) {
    used <- unique(picked$n_used)
    result <- classify_prefixes(picked$lists[[1L]], used, classifier, data)
    at <- match(picked$n_used, used)
    result <- list(
      class = result$class[, at, drop = FALSE],
      score = if (!is.null(result$score)) result$score[, , at, drop = FALSE],
      tuned = result$tuned[at, , drop = FALSE]
    )
  } else {
    result <- bind_sizes(lapply(picked$lists, function(list) {
      classify_prefixes(list, length(list), classifier, data)
    }))
  }
  if (!is.null(result$tuned)) {
    result$tuned <- cbind(size = plan$sizes, result$tuned)
    rownames(result$tuned) <- NULL
  }
  result
}

bind_sizes <- function(results) {
  score <- lapply(results, `[[`, "score")
  list(
    class = do.call(cbind, lapply(results, `[[`, "class")),
    score = if (!any(vapply(score, is.null, NA))) {
      array(unlist(score), c(dim(score[[1L]])[1:2], length(score)))
    },
    tuned = do.call(rbind, lapply(results, `[[`, "tuned"))
  )
}

#' Predictions with the first n features of a list, for each n of `sizes`
#'
#' @param sizes Increasing, may begin with 0.
#' @noRd
classify_prefixes <- function(order, sizes, classifier, data) {
  grid <- classifier$grid
  y <- data$problem$y[data$train]
  some <- sizes[sizes > 0]
  columns <- order[seq_len(max(sizes))]
  parts <- numeric_parts(data$problem, data$train, data$test, columns)
  best <- tune_sizes(parts, columns, y, some, grid, classifier, data)
  result <- predict_chosen(
    scaled_parts(parts, data$scale), y, parts$ends[some], grid, best$row,
    classifier
  )
  if (length(some) > 0L && is.null(result$score) && needs_scores(data$metric)) {
    abort_no_scores(data)
  }
  if (length(some) < length(sizes)) {
    result <- before_all(
      constant_prediction(y, length(data$test)), result, nlevels(y)
    )
    best$row <- c(1L, best$row)
    best$error <- c(NA, best$error)
  }
  if (nrow(grid) > 1L) {
    chosen <- grid[best$row, , drop = FALSE]
    chosen[sizes == 0, ] <- NA
    result$tuned <- cbind(error = best$error, chosen)
  }
  result
}

# The classifiers of this package all give scores: only a user's may not. Known
# from its first result, and a mistake in the call, not a split that fails.
abort_no_scores <- function(data) {
  abort(
    c(
      "{.code metric = {quoted(data$metric)}} needs class scores, but the
       function given as {.arg classifier} for {.val {data$selector}} returns
       class labels only.",
      i = "Return a numeric matrix of class scores, test samples x classes, with
           the classes as column names; or use {.code metric = \"error\"}."
    ),
    c("hitmiss_error_scores", "hitmiss_error_input"),
    arg = "metric"
  )
}

#' The features at `columns` as numbers: categories as indicators of their
#' levels, and 0 for a feature that the preparation left out (NA)
#'
#' @return list(values: a matrix, features_in: its rows or columns, columns,
#'   train, test: positions in it, names: of all its samples and of the columns;
#'   ends: the last column of each feature). See scaled_parts(), which reads it.
#' @noRd
numeric_parts <- function(problem, train, test, columns) {
  there <- !is.na(columns)
  as_they_are <- all(there) && is.null(problem$levels)
  if (as_they_are && problem$storage == "dense") {
    return(list(
      values = problem$values, features_in = problem$features_in,
      columns = columns, train = train, test = test,
      names = list(problem$samples, problem$features[columns]),
      ends = seq_along(columns)
    ))
  }
  parts <- list(
    features_in = "columns", train = seq_along(train),
    test = length(train) + seq_along(test)
  )
  rows <- c(train, test)
  if (as_they_are) {
    parts$values <- problem_rows(problem, rows, columns)
    parts$columns <- parts$ends <- seq_along(columns)
    parts$names <- list(problem$samples[rows], problem$features[columns])
    return(parts)
  }
  of <- indicator_columns(problem$features[columns[there]], problem$levels)
  width <- rep(1L, length(columns))
  width[there] <- tabulate(of$of, sum(there))
  filled <- rep(there, width)
  parts$values <- matrix(0, length(rows), sum(width))
  parts$values[, filled] <- indicators(
    problem_rows(problem, rows, columns[there]), of
  )
  parts$columns <- seq_along(filled)
  parts$ends <- cumsum(width)
  parts
}

#' As numeric_parts(), for an inner fold of the training part
#' @param parts,columns Of the training part, and its features.
#' @param test Which of its samples are tested.
#' @noRd
fold_parts <- function(parts, columns, test, data, fold) {
  if (is.null(data$inner)) {
    parts$test <- parts$train[test]
    parts$train <- parts$train[!test]
    return(parts)
  }
  ready <- data$inner[[as.character(fold)]]
  at <- match(data$problem$features[columns], ready$problem$features)
  numeric_parts(ready$problem, ready$train, ready$test, at)
}

before_all <- function(constant, result, n_classes) {
  n <- length(constant$class)
  n_sizes <- max(0L, ncol(result$class))
  list(
    class = cbind(constant$class, result$class),
    score = if (n_sizes == 0L || !is.null(result$score)) {
      array(c(constant$score, result$score), c(n, n_classes, n_sizes + 1L))
    }
  )
}

#' The row of the grid with the least error over inner folds, for each size
#'
#' Ties go to the first row: the smallest parameters.
#' @param parts See numeric_parts().
#' @noRd
tune_sizes <- function(parts, columns, y, sizes, grid, classifier, data) {
  if (nrow(grid) == 1L || length(sizes) == 0L) {
    return(list(
      row = rep(1L, length(sizes)), error = rep(NA_real_, length(sizes))
    ))
  }
  wrong <- matrix(0, nrow(grid), length(sizes))
  for (fold in sort(unique(data$folds))) {
    test <- data$folds == fold
    inner <- fold_parts(parts, columns, test, data, fold)
    class <- predict_grid(
      scaled_parts(inner, data$scale), y[!test], inner$ends[sizes], grid,
      classifier
    )
    wrong <- wrong + colSums(class != as.integer(y)[test])
  }
  row <- apply(wrong, 2L, which.min)
  list(row = row, error = wrong[cbind(row, seq_along(sizes))] / length(y))
}

#' Predictions under every row of the grid: array test x row x size
#' @noRd
predict_grid <- function(parts, y, sizes, grid, classifier) {
  if (classifier$kind == "knn") {
    k <- matrix(as.integer(grid$k), length(sizes), nrow(grid), byrow = TRUE)
    return(nested_vote(parts, y, sizes, k)$winner)
  }
  class <- array(0L, c(nrow(parts$test), nrow(grid), length(sizes)))
  for (s in seq_along(sizes)) {
    some <- first_columns(parts, sizes[[s]])
    for (row in seq_len(nrow(grid))) {
      chosen <- grid[row, , drop = FALSE]
      class[, row, s] <- predict_once(some, y, chosen, classifier)$class
    }
  }
  class
}

#' Predictions and scores under the chosen row of each size
#' @noRd
predict_chosen <- function(parts, y, sizes, grid, rows, classifier) {
  if (length(sizes) == 0L) {
    return(list(class = NULL, score = NULL))
  }
  if (classifier$kind == "knn") {
    k <- matrix(as.integer(grid$k[rows]), ncol = 1L)
    votes <- nested_vote(parts, y, sizes, k, share = TRUE)
    n <- nrow(parts$test)
    return(list(
      class = matrix(votes$winner, n),
      score = array(votes$share, c(n, nlevels(y), length(sizes)))
    ))
  }
  results <- lapply(seq_along(sizes), function(s) {
    some <- first_columns(parts, sizes[[s]])
    predict_once(some, y, grid[rows[[s]], , drop = FALSE], classifier)
  })
  bind_once(results)
}

# Predictions for one size each, as those of all sizes.
bind_once <- function(results) {
  bind_sizes(lapply(results, function(result) {
    if (!is.null(result$score)) {
      dim(result$score) <- c(dim(result$score), 1L)
    }
    result
  }))[c("class", "score")]
}

predict_once <- function(parts, y, row, classifier) {
  switch(classifier$kind,
    svm_linear = svm_predict(parts, y, "linear", row$cost),
    svm_rbf = svm_predict(parts, y, "radial", row$cost, row$gamma),
    custom = custom_predict(parts, y, classifier$fun)
  )
}

first_columns <- function(parts, n) {
  lapply(parts[c("train", "test")], function(values) {
    values[, seq_len(n), drop = FALSE]
  })
}

#' Predictions of the fits themselves
#' @noRd
classify_own <- function(picked, split, problem, plan) {
  y <- problem$y
  newdata <- decoded(problem_rows(problem, split$test), problem$levels)
  results <- lapply(seq_along(plan$sizes), function(s) {
    fit <- picked$fits[[if (picked$prefixes) 1L else s]]
    if (!inherits(fit, "hitmiss")) {
      abort_selector(
        "{.code classifier = \"own\"} needs selectors that return a fit of this
         package."
      )
    }
    if (picked$prefixes && inherits(fit, "hitmiss_llfs")) {
      abort_selector(c(
        "LLFS cannot classify by its first n features: every representative uses
         its own.",
        i = "Give it as {.code function(x, y, size) llfs(x, y, alpha = size)}."
      ))
    }
    n <- picked$n_used[[s]]
    if (n == 0) {
      known <- split$labelled %||% split$train
      return(constant_prediction(y[known], nrow(newdata)))
    }
    own_prediction(
      fit, newdata, if (!inherits(fit, "hitmiss_llfs")) n, levels(y),
      plan$scores
    )
  })
  bind_once(results)
}

own_prediction <- function(fit, newdata, n, levels, want_score) {
  ask <- function(type) {
    if (is.null(n)) {
      stats::predict(fit, newdata, type = type)
    } else {
      stats::predict(fit, newdata, type = type, n = n)
    }
  }
  score <- NULL
  if (want_score) {
    score <- matrix(0, nrow(newdata), length(levels))
    score[, match(fit$classes, levels)] <- ask("prob")
  }
  list(class = match(as.character(ask("class")), levels), score = score)
}
