# The classifier of the global selectors: neighbours in the weighted space.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Weights of the distance by which predict() finds neighbours
#'
#' One for each feature, positive for those that `fit$training` keeps. A
#' selector whose weights are not its scores has a method of its own.
#' @noRd
vote_weights <- function(fit) UseMethod("vote_weights")

#' @exportS3Method
vote_weights.default <- function(fit) fit$scores

#' @exportS3Method
vote_weights.hitmiss_relief <- function(fit) fit$weights

#' @exportS3Method
vote_weights.hitmiss_pwfp <- function(fit) rep(1, fit$n_features)

#' The best `n` features of a fit, as a prediction needs them
#'
#' @return list(values, y, center, scale, constant, weights), by feature, best
#'   first; names are those of the columns of `values`.
#' @noRd
vote_space <- function(fit, n) {
  kept <- fit$training$features
  column <- integer(fit$n_features)
  column[kept] <- seq_along(kept)
  used <- first(fit$ranking[column[fit$ranking] > 0L], n)
  by_feature <- lapply(
    fit$preprocess[c("center", "scale", "constant")], `[`, used
  )
  values <- fit$training$values[, column[used], drop = FALSE]
  weights <- unname(vote_weights(fit)[used])
  c(
    list(
      values = values, y = fit$training$y,
      weights = stats::setNames(weights, colnames(values))
    ),
    by_feature
  )
}

#' Predict by the nearest training samples
#'
#' @param fit A fit with `training`, see vote_memory().
#' @param newdata Any container of samples.
#' @param type "class", "prob" or "response".
#' @param n Use the best n features only, or NULL: the default of the method.
#' @param k Number of neighbours that vote.
#' @param missing "error" or "drop".
#' @param threads As the user gave it.
#' @noRd
predict_nearest <- function(fit, newdata, type, n, k, missing, threads) {
  space <- vote_space(fit, n %||% default_n(fit))
  weights <- space$weights
  used <- names(weights) %||% character()
  drop <- missing == "drop"
  levels <- fit$levels[intersect(used, names(fit$levels))]
  values <- as_newdata(
    coded_newdata(newdata, levels), used, names(fit$scores), fit$assay %||% 1L,
    drop = drop
  )
  if (length(used) == 0L) {
    return(predict_majority(fit, values, type))
  }
  share <- function(names) sum(weights[names]) / sum(weights[used])
  check_half_left(values, used, share, "weight")
  warn_other_scale(values, space$values)
  parts <- split_by_features(values, share)
  votes <- vote_by_parts(
    fit, values, space, parts$groups, k, resolve_threads(threads)
  )
  result <- if (type == "response") {
    stats::setNames(votes$response, rownames(values))
  } else if (type == "class") {
    vote_labels(votes$winner, fit, values)
  } else {
    dimnames(votes$share) <- list(rownames(values), fit$classes)
    votes$share
  }
  if (drop) with_left(result, parts$left, "weight") else result
}

# Features that a fit which only ranks predicts by, if nobody says how many;
# NULL: all that a fit selected.
default_n <- function(fit) {
  if (is_ranker(fit)) min(50L, fit$n_ranked)
}

# NA where a sample is in no group.
vote_by_parts <- function(fit, values, space, groups, k, threads) {
  winner <- rep(NA_integer_, nrow(values))
  share <- matrix(NA_real_, nrow(values), length(fit$classes))
  response <- rep(NA_real_, nrow(values))
  for (group in groups) {
    votes <- vote(
      fit, values[group$rows, group$features, drop = FALSE], space, k, threads
    )
    if (has_numeric_outcome(fit)) {
      response[group$rows] <- votes
    } else {
      winner[group$rows] <- votes$winner + 1L
      share[group$rows, ] <- votes$share
    }
  }
  list(winner = winner, share = share, response = response)
}

vote <- function(fit, values, space, k, threads) {
  at <- match(colnames(values), names(space$weights))
  preprocess <- lapply(space[c("center", "scale", "constant")], `[`, at)
  weights <- space$weights[at]
  known <- space$values[, at, drop = FALSE]
  if (!is.null(fit$levels)) {
    columns <- indicator_columns(colnames(values), fit$levels)
    preprocess <- indicator_scaling(preprocess, columns)
    weights <- weights[columns$of]
    values <- indicators(values, columns)
    known <- indicators(known, columns)
  }
  training <- list(values = known, y = space$y)
  options <- list(
    k = k, metric = fit$parameters$metric %||% "manhattan",
    simd = resolve_simd()
  )
  runtime <- list(threads = threads, progress = NULL, key = NULL)
  compute <- if (has_numeric_outcome(fit)) {
    cpp_nearest_mean
  } else {
    cpp_nearest_vote
  }
  compute(values, training, preprocess, weights, options, runtime)
}

vote_labels <- function(winner, fit, values) {
  factor(fit$classes[winner], levels = fit$classes) |>
    stats::setNames(rownames(values))
}

# Nothing was selected: there is no space to look for neighbours in.
predict_majority <- function(fit, values, type) {
  if (type == "response") {
    warn(
      "the fit selected no feature: every sample gets the mean of all
       outcomes.",
      "hitmiss_warning_empty"
    )
    return(mean_response(fit, values))
  }
  warn(
    "the fit selected no feature: every sample gets the largest class.",
    "hitmiss_warning_empty"
  )
  share <- tabulate(
    fit$training$y, length(fit$classes)
  ) / length(fit$training$y)
  if (type == "class") {
    return(vote_labels(rep(which.max(share), nrow(values)), fit, values))
  }
  matrix(share, nrow(values), length(share),
    byrow = TRUE, dimnames = list(rownames(values), fit$classes)
  )
}
