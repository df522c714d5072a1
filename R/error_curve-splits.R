# One unit of a curve: one selector on one split, nothing learned outside it.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Select, classify and, if wanted, choose the size inside a training part
#'
#' @param unit list(split, selector: its number, streams: three states of
#'   L'Ecuyer's generator, for inner folds, the selector, and the preparation).
#' @param plan list(selectors, sizes, classifiers, tune, scale, metric, nested,
#'   scores: are class scores wanted of classifiers that need extra work for
#'   them?, preparation, pid).
#' @return list(class: test x size, score: test x class x size or NULL, n_used,
#'   lists, tuned, chosen: a size or NULL, seconds, warnings, failure).
#' @noRd
run_unit <- function(unit, problem, plan) {
  if (plan$pid != Sys.getpid()) attach_here()
  warnings <- character()
  result <- withCallingHandlers(
    catch_error(
      with_stream(unit$streams[[2L]], unit_result(unit, problem, plan)),
      function(e) {
        if (inherits(
          e, paste0("hitmiss_error_", c("selector", "scores", "prepare"))
        )) {
          return(list(stop = e))
        }
        list(failure = conditionMessage(e))
      }
    ),
    warning = function(w) {
      warnings <<- c(warnings, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  result$warnings <- unique(warnings)
  result
}

unit_result <- function(unit, problem, plan) {
  selector <- plan$selectors[[unit$selector]]
  plan$selector <- names(plan$selectors)[[unit$selector]]
  classifier <- plan$classifiers[[unit$selector]]
  known <- unit$split$labelled %||% unit$split$train
  inner <- with_stream(unit$streams[[1L]], {
    draw_inner(droplevels(problem$y[known]), problem$group[known], plan)
  })
  plan$stream <- unit$streams[[3L]]
  result <- evaluate_split(
    unit$split, inner$folds, selector, classifier, problem, plan
  )
  if (!is.null(plan$nested) && length(plan$sizes) > 0L) {
    started <- proc.time()[["elapsed"]]
    result$chosen <- choose_inside(
      unit$split, inner, selector, classifier, problem, plan
    )
    result$seconds[["nested"]] <- proc.time()[["elapsed"]] - started
  }
  result
}

# Everything random about a unit's inner splits, drawn before its selector runs,
# so that all selectors of a split see the same.
draw_inner <- function(y, group, plan) {
  folds <- function(y, group) {
    if (!is.null(plan$tune)) deal_whole(y, plan$tune$folds, group)
  }
  inner <- list(folds = folds(y, group))
  if (!is.null(plan$nested)) {
    inner$splits <- draw_splits(y, plan$nested, "nested", group)
    inner$inner_folds <- lapply(inner$splits, function(s) {
      folds(droplevels(y[s$train]), group[s$train])
    })
  }
  inner
}

evaluate_split <- function(split, folds, selector, classifier, problem, plan) {
  started <- proc.time()[["elapsed"]]
  ready <- with_stream(
    plan$stream, prepare_split(problem, split, plan$preparation)
  )
  picked <- select_features(selector, ready$problem, ready$split, plan$sizes)
  between <- proc.time()[["elapsed"]]
  inner <- with_stream(
    parallel::nextRNGSubStream(plan$stream),
    prepare_folds(problem, split, folds, picked, ready$problem$features, plan)
  )
  predicted <- classify_sizes(
    picked, ready$split, folds, classifier, ready$problem, plan, inner
  )
  list(
    class = predicted$class, score = predicted$score, tuned = predicted$tuned,
    n_used = picked$n_used,
    lists = kept_lists(
      picked, plan$sizes, ready$problem$features, problem$features
    ),
    labelled_only = picked$labelled_only,
    seconds = c(
      select = between - started, classify = proc.time()[["elapsed"]] - between
    )
  )
}

#' @param mine,features The features that were selected from, and the features
#'   of the curve.
#' @noRd
kept_lists <- function(picked, sizes, mine, features) {
  lists <- picked$lists
  if (picked$prefixes) lists[[1L]] <- first(lists[[1L]], max(sizes))
  if (!identical(mine, features)) {
    lists <- lapply(lists, function(list) match(mine[list], features))
  }
  if (picked$prefixes) lists[[1L]] else lists
}

#' The size that a training part chooses by its own inner splits
#' @noRd
choose_inside <- function(split, inner, selector, classifier, problem, plan) {
  known <- split$labelled %||% split$train
  unknown <- setdiff(split$train, known)
  plan$scores <- needs_scores(plan$metric)
  runs <- lapply(seq_along(inner$splits), function(s) {
    plan$stream <- inner_stream(plan$stream, s)
    at <- inner$splits[[s]]
    labelled <- known[at$train]
    part <- list(
      train = sort(c(labelled, unknown)), test = known[at$test],
      repetition = at$repetition, labelled = labelled
    )
    part$result <- evaluate_split(
      part, inner$inner_folds[[s]], selector, classifier, problem, plan
    )
    part
  })
  values <- size_values(
    runs, problem$y, plan$metric, plan$nested, length(plan$sizes)
  )
  size_by_rule(values, plan$sizes, plan$metric, plan$nested, "one_se")$size
}

# Of the inner split number s: each part takes two, see evaluate_split().
inner_stream <- function(stream, s) {
  for (i in seq_len(2L * s)) stream <- parallel::nextRNGSubStream(stream)
  stream
}

#' Metric of each size in each replicate (split, or repetition if pooled)
#'
#' @param runs Splits, each with a `result`; without classes where it failed.
#' @param n_sizes Columns of the classes.
#' @return Matrix, replicates x sizes.
#' @noRd
size_values <- function(runs, y, metric, resampling, n_sizes) {
  replicate <- if (!is_pooled(metric, resampling)) {
    seq_along(runs)
  } else {
    vapply(runs, `[[`, 0L, "repetition")
  }
  values <- lapply(split(runs, replicate), function(together) {
    pooled_values(together, y, metric, n_sizes)
  })
  do.call(rbind, values)
}

pooled_values <- function(runs, y, metric, n_sizes) {
  truth <- y[unlist(lapply(runs, `[[`, "test"))]
  class <- do.call(rbind, lapply(runs, unit_classes, n_sizes))
  vapply(seq_len(n_sizes), function(s) {
    found <- structure(
      as.integer(class[, s]), levels = levels(y), class = "factor"
    )
    score <- if (needs_scores(metric)) {
      do.call(rbind, lapply(runs, function(r) size_score(r, s)))
    }
    metric_value(metric, truth, found, score)
  }, 0)
}

#' Numbers of the predicted classes, test samples x sizes; NA if the unit failed
#' @noRd
unit_classes <- function(unit, n_sizes) {
  unit$result$class %||% matrix(NA_integer_, length(unit$test), n_sizes)
}

size_score <- function(run, s) {
  score <- run$result$score
  if (!is.null(score)) matrix(score[, , s], dim(score)[[1L]])
}

# ---- random streams ---------------------------------------------------------
