# Layer: use. predict() of the global selectors asks the neighbours in the
# learned, weighted space.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Predict the class of new samples
#'
#' Fits of [llfs()] predict with a localized classifier, see
#' [predict.hitmiss_llfs()]. Fits of all other methods predict with the `k`
#' nearest neighbours in the weighted feature space. The distance of two samples
#' is `sum(w * abs(a - b))` over scaled features, where `w` are the weights of
#' [logo()] and [kbfs()], the positive part of the scores of [relief()], and 1
#' for each feature that [pwfp()] marks. For `relief(metric = "euclidean")` it
#' is `sqrt(sum(w * (a - b)^2))`. The most frequent class among the neighbours
#' wins; ties go to the class of the nearest sample among the tied. If the
#' training values of all features with a weight take more than 64 MB, only the
#' best features are used.
#'
#' @section Missing features:
#' With `missing = "drop"` a sample is predicted from the features that it has.
#' These must have at least half of the sum of the weights (with `type =
#' "features"`: be at least half of the features); otherwise the sample gets
#' `NA`, and the call fails where columns that are absent leave less than that
#' to all samples. The attribute `"left"` of the result is this share, one
#' number per sample.
#'
#' A fit that holds its preparation, see [tuned()], fills in what a new sample
#' lacks. Where these are values of other samples (`prepare_impute()` with
#' `"median"`, `"mean"` or `"draw"`), a sample of which less than half of the
#' weight was measured gets `NA`; after any preparation, a sample without any
#' value does.
#'
#' @section Pairs:
#' A fit with `pair` says which of two samples of one pair is which: one of them
#' gets each class, also where both are healthy, and then also with a high
#' probability. Of two classes, a warning of class `hitmiss_warning_pairs` names
#' the pairs whose difference, along the mean difference of the training pairs,
#' is smaller than that of 19 of 20 of these (each along the mean of the
#' others). The features were selected on these, so that with few of them the
#' warning names most pairs.
#'
#' @section Calibrated probabilities:
#' The votes of neighbours in selected features are too certain where little or
#' nothing tells the classes apart, because the features were selected for these
#' neighbours, and too cautious where much does. `tuned(relief, calibrate =
#' TRUE)` makes a selector whose fits know what their votes are worth: it
#' repeats the selection in five inner folds of the training samples (groups
#' kept whole) and lets each predict its held-out samples. With p the
#' probability by the votes and q the share of the class in training, the
#' probability is proportional to \eqn{p^b q^{1 - b} e^a}{p^b q^(1-b) exp(a)}.
#' b, from 0 to 3, and one a for each class make \eqn{-w \sum \log p(y) + 2 (b -
#' 0.7)^2 + 2 \sum a^2}{-w sum(log p(y)) + 2 (b - 0.7)^2 + 2 sum(a^2)} of the
#' held-out samples smallest, where w is 1, or one over the mean size of the
#' groups; for every `n` and `k` anew. b is the part of their face value that
#' votes count: 1, a = 0: as they are, 0: the shares of the classes. `print()`
#' shows it. `type = "class"` stays the vote, also where another class is more
#' probable. Few samples leave b near 0.7. On noise the log loss is .72 for .84
#' (`tests/bench/levels.R`); where classes differ and there are ten samples of
#' each class it is .43 for .41, with eight, .52 for .50.
# csv: "the log loss is .72" levels-probabilities loss study=no signal; statistic=relief, n = 20, k = 5 # nolint
# csv: "is .72 for .84" levels-probabilities loss_votes study=no signal; statistic=relief, n = 20, k = 5 # nolint
# csv: "each class it is .43" levels-probabilities loss study=10 + 10; statistic=relief, n = 20, k = 5 # nolint
# csv: "it is .43 for .41" levels-probabilities loss_votes study=10 + 10; statistic=relief, n = 20, k = 5 # nolint
# csv: "eight, .52" levels-probabilities loss study=8 + 8; statistic=relief, n = 20, k = 5 # nolint
# csv: "eight, .52 for .50" levels-probabilities loss_votes study=8 + 8; statistic=relief, n = 20, k = 5 # nolint
#'
#' @section New data on another scale:
#' A new sample is far if its distance from the nearest training sample is
#' larger than that of any training sample from the others, or if its mean
#' signed difference from the five nearest is, by a quarter, which shows a shift
#' of all features. The at most 100 features that weigh most count, weighted as
#' in the prediction, and 200 training samples. If more than a fifth of at least
#' five new samples (of at most 100) are far, one warning of class
#' `hitmiss_warning_scale` says so: for example, the new values are raw and the
#' fit is on logarithms. [write_report()] flags single samples.
#'
#' @section Survival times:
#' `"risk"` is one minus the mean position of the neighbours among the training
#' samples (0: the first event; see [relief()]): between 0 and 1, larger for
#' earlier events. `"survival"` is a matrix, samples x `times`, of the
#' Kaplan-Meier curve of the neighbours, each weighted by \eqn{1 / (1 + m)},
#' where m is how often it is one of the `k` neighbours of another training
#' sample. Times beyond the last one of training are refused. Without these
#' weights curves promise too much life, because those who live long are near to
#' most others (`tests/bench/survival.R` compares predicted with observed
#' events).
#'
#' @param object A fit.
#' @param newdata New samples, in any container that the fitting functions
#'   accept. Columns are matched **by name**, in any order; only the features
#'   that the prediction uses are needed. A matrix without column names is
#'   accepted, with a warning, if it has exactly as many columns as the training
#'   data. A sample with a missing or infinite value in a needed feature gets
#'   `NA`, unless `missing = "drop"`. A category that the training samples lack
#'   counts as missing, with a warning (class `hitmiss_warning_unseen`).
#' @param type `"class"`: a factor of predicted classes. `"prob"`: a matrix,
#'   samples x classes, with rows that sum to 1: (votes + share of the class in
#'   training) / (k + 1), or see Calibrated probabilities. `"features"`: the new
#'   data reduced to the features that the fit selects, without a prediction.
#'   `"response"`, for a numeric outcome (`relief(method = "rrelieff")`), where
#'   it is the default: the mean outcome of the neighbours. `"risk"` (the
#'   default) and `"survival"`, for survival times: see Survival times.
#' @param n Use only the best `n` features, of three or more classes those of
#'   [relief()] in turn, see [hitmiss-methods]. `NULL`: all that the fit
#'   selected, and of a ranking ([pwfp()], and [relief()] except with `method =
#'   "irelief"`) the best 50. Those of them that have no positive weight count
#'   for nothing.
#' @param k Number of neighbours that vote; all training samples if there are
#'   fewer. `NULL`: 5, and for survival times half of the training samples.
#' @param weights `"prior"`: each neighbour has one vote. `"balanced"`: its vote
#'   is divided by the share of its class in training: samples of rare classes
#'   are recognised more often, at the cost of the frequent ones. Only for
#'   classes.
#' @param missing What to do where `newdata` lacks a needed feature. `"error"`:
#'   an absent column is an error. `"drop"`: predict from the other features,
#'   see "Missing features".
#' @param ... Must be empty.
#' @param block For a fit with `pair` and `block`, and needed there: the block
#'   of each new sample, one of those of the training samples.
#' @param pair For a fit with `pair`, and needed there: the pair of each new
#'   sample. New values are differences from the mean of their own pair; no
#'   label is needed. See Pairs in [predict.hitmiss()].
#' @param times For `type = "survival"`: times at which the curves are given,
#'   up to the last time of training. `NULL`: the times of the events in
#'   training.
#' @param threads Number of threads, see [hitmiss-package].
#' @return See `type`: one element or row for each sample of `newdata`; with
#'   `missing = "drop"` also the attribute `"left"`.
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
                            type = c(
                              "class", "prob", "features", "response", "risk",
                              "survival"
                            ),
                            n = NULL, k = NULL,
                            weights = c("prior", "balanced"), ...,
                            missing = c("error", "drop"), pair = NULL,
                            block = NULL, times = NULL, threads = NULL) {
  check_no_dots(...)
  check_fit(object, "object")
  # `base::` is written because `missing` is also an argument, which a user may
  # have set to a function.
  if (base::missing(newdata)) abort_missing("newdata")
  kind <- fit_kind(object)
  if (base::missing(type)) type <- kind$types[[1L]]
  type <- check_choice(type)
  check_type_of_fit(object, type)
  missing <- check_choice(missing)
  if (!kind$weighted && !base::missing(weights)) {
    abort_input("{.arg weights} are votes of classes. {kind$said}.", "weights")
  }
  weights <- check_choice(weights)
  times <- check_times(times, object, type)
  if (!is.null(n)) n <- check_top(n)
  if (type == "features") {
    return(predict_features(object, newdata, n, missing))
  }
  voters <- check_count(k %||% kind$usual_votes(object$n_samples), "k")
  calibrate <- !is.null(object$calibration) && type == kind$types[[2L]]
  result <- predict_nearest(
    object, newdata, type, n, voters, if (calibrate) "prior" else weights,
    missing, list(pair, block), threads,
    if (calibrate) object$calibration$time else times
  )
  if (calibrate) {
    kind$calibrated(result, object, n, k, weights, times)
  } else {
    result
  }
}

predict_features <- function(object, newdata, n, missing) {
  needed <- best_of(usual_list(object), n %||% default_n(object))
  drop <- missing == "drop"
  values <- as_newdata(newdata, needed, object, drop = drop)
  whole <- is.null(object$present) && is.null(attr(values, "measured"))
  if (!drop && whole) {
    return(decoded(values, object$levels, object$ranks))
  }
  share <- function(names) length(names) / max(1L, length(needed))
  check_half_left(values, needed, share, "features")
  left <- split_by_features(values, share)$left
  attr(values, "measured") <- NULL
  values[left < 0.5, ] <- NA_real_
  with_left(
    decoded(values, object$levels, object$ranks), left, "features"
  )
}

# ---- the vote of the neighbours ----------------------------------------------

#' Weights of the distance by which predict() finds neighbours
#'
#' There is one for each feature, which is positive if `fit$training` keeps it.
#' @noRd
vote_weights <- function(fit) {
  if (inherits(fit, "hitmiss_pwfp")) {
    rep(1, fit$n_features)
  } else if (inherits(fit, "hitmiss_relief")) {
    fit$weights
  } else {
    fit$scores
  }
}

#' The features of a fit's list of `n` that have a positive weight, as a
#' prediction needs them
#'
#' @return list(values, y, center, scale, constant, weights, places: among all
#'   features), by feature, best first; names are those of the columns of
#'   `values`.
#' @noRd
vote_space <- function(fit, n) {
  kept <- fit$training$features
  column <- integer(fit$n_features)
  column[kept] <- seq_along(kept)
  best <- match(best_of(usual_list(fit), n), names(fit$scores))
  used <- best[column[best] > 0L]
  by_feature <- lapply(
    fit$preprocess[c("center", "scale", "constant")], `[`, used
  )
  values <- fit$training$values[, column[used], drop = FALSE]
  weights <- unname(vote_weights(fit)[used])
  c(
    list(
      values = values, y = fit$training$y, places = used,
      weights = stats::setNames(weights, colnames(values))
    ),
    by_feature
  )
}

#' What the predictions of all fits have in common
#'
#' @param used,places The features that predict: names and positions.
#' @param of What `share` is a share of, see check_half_left().
#' @param vote Function of values and their groups, see split_by_features(). It
#'   returns list(class: a value for each sample; score: a matrix; table: in
#'   place of these; training, values: scaled samples, or NULL).
#' @param share,weight See split_by_features().
#' @noRd
predict_samples <- function(fit, newdata, used, places, of, missing, pair, type,
                            vote, share, weight = share, times = NULL) {
  drop <- missing == "drop"
  values <- as_newdata(newdata, used, fit, drop = drop, places = places)
  values <- centre_newdata(fit, values, newdata, pair[[1L]], pair[[2L]])
  check_half_left(values, used, share, of)
  parts <- split_by_features(values, share, weight)
  found <- vote(values, parts$groups)
  y <- given_labels(
    list(y = fit$training$y %||% fit$local$class, ordered = fit$ordered)
  )
  if (!is.null(found$training)) {
    warn_small_differences(
      fit, found$training, y, found$values, found$class, attr(values, "pair")
    )
  }
  kind <- kind_of(y)
  result <- if (!is.null(found$table)) {
    found$table
  } else if (type == kind$types[[1L]]) {
    stats::setNames(kind$predicted(y, found$class), rownames(values))
  } else {
    names <- list(rownames(values), kind$score_names(y, times))
    structure(found$score, dimnames = names)
  }
  if (drop || any(parts$left < 1) && !is.null(fit$present %||% fit$prepared)) {
    with_left(result, parts$left, if (drop) of else "weight")
  } else {
    result
  }
}

#' Predict by the nearest training samples
#'
#' @param fit A fit with `training`, see vote_memory().
#' @param newdata Any container of samples.
#' @param type As of predict(), but "features".
#' @param n Use the best n features only, or NULL: the default of the method.
#' @param k Number of neighbours that vote.
#' @param balance "prior" or "balanced": the argument `weights`.
#' @param missing "error" or "drop".
#' @param pair list(pair, block), as the user gave them.
#' @param threads As the user gave it.
#' @param times Of survival curves, or NULL.
#' @noRd
predict_nearest <- function(fit, newdata, type, n, k, balance, missing, pair,
                            threads, times) {
  space <- vote_space(fit, n %||% default_n(fit))
  weights <- space$weights
  used <- names(weights) %||% character()
  share <- function(names) {
    if (length(used) == 0L) 1 else sum(weights[names]) / sum(weights)
  }
  vote <- function(values, groups) {
    if (length(used) == 0L) {
      return(constant_votes(fit, nrow(values), times))
    }
    here <- match(colnames(values), used)
    known <- space$values[, here, drop = FALSE]
    if (is.null(fit$levels)) {
      warn_other_scale(
        values, known, (weights / space$scale)[here],
        design_of(fit)
      )
    }
    votes <- memory_errors(vote_by_features(
      fit, values, space, groups, k, resolve_threads(threads), times
    ))
    scaled <- function(values) {
      apply_scaling(values, fit$preprocess, space$places[here])
    }
    c(
      fit_kind(fit)$answer(votes, space$y, k, balance == "balanced", times),
      list(training = scaled(known), values = scaled(values))
    )
  }
  predict_samples(
    fit, newdata, used, space$places, "weight", missing, pair, type, vote,
    share, times = times
  )
}

#' Class and probabilities from the shares of the votes
#'
#' The shares of the training samples count as one more vote, so that no class
#' is certain or impossible by the vote of a few neighbours.
#' @param votes list(share: samples x classes, winner: in a column, from 0).
#' @param balanced Divide votes by the shares of the training samples?
#' @noRd
vote_probabilities <- function(votes, y, k, balanced) {
  n <- nrow(votes$share)
  prior <- rep(tabulate(y, ncol(votes$share)) / length(y), each = n)
  k <- min(k, length(y))
  prob <- (k * votes$share + prior) / (k + 1)
  class <- as.integer(votes$winner) + 1L
  if (balanced && n > 0L) {
    prob <- prob / prior
    prob <- prob / rowSums(prob)
    best <- max.col(replace(prob, is.na(prob), 0), ties.method = "first")
    # If classes are now equally likely, the class of the nearest sample stays.
    tied <- prob[cbind(seq_len(n), class)] >=
      prob[cbind(seq_len(n), best)] - 1e-12
    class <- ifelse(tied, class, best)
  }
  list(class = class, score = prob)
}

# Returns what the kind of outcome calls votes: matrices with a row for each
# sample, NA for one in no group.
vote_by_features <- function(fit, values, space, groups, k, threads, times) {
  votes <- lapply(groups, function(group) {
    vote(
      fit, values[group$rows, group$features, drop = FALSE], space, k, threads,
      times
    )
  })
  columns <- fit_kind(fit)$votes(fit, times)
  Map(function(field, n_columns) {
    all <- matrix(NA_real_, nrow(values), n_columns)
    for (g in seq_along(groups)) all[groups[[g]]$rows, ] <- votes[[g]][[field]]
    all
  }, names(columns), columns)
}

vote <- function(fit, values, space, k, threads, times) {
  at <- match(colnames(values), names(space$weights))
  preprocess <- lapply(space[c("center", "scale", "constant")], `[`, at)
  weights <- space$weights[at]
  known <- space$values[, at, drop = FALSE]
  if (!is.null(fit$levels)) {
    columns <- indicator_columns(colnames(values), fit$levels)
    preprocess <- indicator_scaling(preprocess, columns, fit$parameters$metric)
    weights <- weights[columns$of]
    values <- indicators(values, columns)
    known <- indicators(known, columns)
  }
  options <- list(
    k = k, metric = fit$parameters$metric %||% "manhattan",
    simd = resolve_simd(), missing = !is.null(fit$present)
  )
  fit_kind(fit)$nearest(
    values, list(values = known, y = space$y), preprocess, weights, options,
    core_runtime(threads), times = times
  )
}

# Returns the most frequent training class (of ties the first level), and the
# shares of all.
class_shares_of <- function(y, n) {
  share <- tabulate(y, nlevels(y)) / length(y)
  list(
    class = rep(which.max(share), n),
    score = matrix(rep(share, each = n), n, length(share))
  )
}

# Without weights there is no space in which to look for neighbours.
constant_votes <- function(fit, n, times) {
  kind <- fit_kind(fit)
  warn(
    paste(
      "no selected feature has a positive weight: every sample gets",
      kind$without
    ),
    "hitmiss_warning_empty"
  )
  kind$constant(fit$training$y, n, times)
}

# ---- new data that lack features ---------------------------------------------

#' Groups of samples with the same features, and the share of the vote left
#'
#' @param values Samples x features, NA where a value is missing. A sample of
#'   which less than half of the weight was `measured` (an attribute, see
#'   prepared_newdata()) lacks all.
#' @param share,weight Functions of names of features: the share of the vote
#'   that is left with these alone, and of the weight that they have.
#' @return list(groups: lists of `rows` and `features`, only those with at least
#'   half of the vote; left: one share for each sample).
#' @noRd
split_by_features <- function(values, share, weight = share) {
  measured <- attr(values, "measured")
  if (!is.null(measured)) {
    attr(values, "measured") <- NULL
    known <- split_by_features(replace(values, !measured, NA), weight)$left
    values[known < 0.5, ] <- NA
  }
  there <- !is.na(values)
  pattern <- character(nrow(values))
  holed <- rowSums(there) < ncol(values)
  pattern[holed] <- vapply(which(holed), function(row) {
    paste(c("-", which(there[row, ])), collapse = " ")
  }, "")
  of_pattern <- unname(split(seq_len(nrow(values)), pattern))
  groups <- lapply(of_pattern, function(rows) {
    features <- colnames(values)[there[rows[[1L]], ]]
    list(rows = rows, features = features, left = share(features))
  })
  left <- stats::setNames(numeric(nrow(values)), rownames(values))
  for (group in groups) left[group$rows] <- group$left
  if (!is.null(measured)) left[known < 0.5] <- known[known < 0.5]
  list(groups = Filter(function(group) group$left >= 0.5, groups), left = left)
}

#' Refuse new data that lack so many features that less than half of the vote is
#' left
#'
#' @param needed,values See as_newdata(): the needed features, and the values.
#' @param share See split_by_features().
#' @param of Kind of the share: "weight", "spheres" or "features".
#' @noRd
check_half_left <- function(values, needed, share, of) {
  absent <- setdiff(needed, colnames(values))
  left <- if (length(absent) > 0L) share(colnames(values)) else 1
  if (left < 0.5) {
    abort_input(c(
      "{.arg newdata} lacks {length(absent)} of the {length(needed)} feature{?s}
       that the prediction needs, which leaves {percent(left)} of the
       {vote_shares[[of]]}.",
      i = "At least half must be left."
    ), "newdata", features = absent, left = left)
  }
}

vote_shares <- c(
  weight = "weight",
  spheres = "spheres of the class that keeps fewest",
  features = "features"
)

# Returns the result with the share of the vote that was left for each sample.
with_left <- function(result, left, of) {
  if (any(left < 1)) {
    inform(c(
      "{sum(left < 1)} of {length(left)} samples
       {cli::qty(sum(left < 1))}lack{?s/} features: {?it has/they have}
       {percent(min(left))} or more of the {vote_shares[[of]]} left.",
      i = "The shares are attribute {.val left} of the result. Below 50 % a
           prediction is NA."
    ), "hitmiss_message_missing")
  }
  attr(result, "left") <- left
  result
}
