# Layer: evaluate. A unit of a curve runs all selectors on one split.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Run all splits
#'
#' @return list(runs: by selector and split, each split with its `result`;
#'   permuted: lists of features by selector, permutation and split, or NULL;
#'   lost: the errors of selections with permuted labels).
#' @noRd
run_curve <- function(problem, plan, splits, stream, BPPARAM) {
  units <- list()
  # The samples of a group move together.
  orders <- with_stream(stream, lapply(seq_len(plan$permuted), function(time) {
    permuted_labels(problem, rep(1L, length(problem$y)))
  }))
  for (order in c(list(NULL), orders)) {
    for (split in splits) {
      stream <- parallel::nextRNGStream(stream)
      units[[length(units) + 1L]] <- list(
        split = split, order = order, stream = stream
      )
    }
  }
  results <- spread(units, run_split, problem, plan,
    BPPARAM = BPPARAM, label = "Splits"
  )
  for (result in results) if (inherits(result, "condition")) stop(result)
  by_selector <- function(results, splits) {
    lapply(stats::setNames(nm = names(plan$specs)), function(name) {
      Map(function(split, result) {
        c(split, list(result = result[[name]]))
      }, unname(splits), unname(results))
    })
  }
  time <- rep(0:length(orders), each = length(splits))
  runs <- lapply(split(results, time), by_selector, splits)
  permuted <- lapply(stats::setNames(nm = names(plan$selectors)), function(s) {
    lapply(unname(runs)[-1L], function(run) lapply(run[[s]], listed_features))
  })
  lost <- unlist(lapply(runs[-1L], lapply, lapply, function(run) {
    run$result$failure
  }))
  list(
    runs = runs[[1L]], permuted = if (length(orders) > 0L) permuted,
    lost = unname(lost)
  )
}

#' One split: every selector is fitted, and its features are classified
#'
#' With `order`, labels are permuted, and features are only selected.
#' @param unit list(split, order, stream).
#' @return List by selector, see evaluate_part(), with `chosen` (a size or
#'   NULL), `warnings`, and `failure` in place of all if it failed; or an error.
#' @noRd
run_split <- function(unit, problem, plan) {
  if (plan$pid != Sys.getpid()) attach_here()
  if (!is.null(unit$order)) {
    problem$y <- problem$y[unit$order]
    plan$specs <- plan$specs[names(plan$selectors)]
    plan["nested"] <- list(NULL)
  }
  plan$classify <- is.null(unit$order)
  results <- list()
  stream <- unit$stream
  for (i in seq_along(plan$specs)) stream <- parallel::nextRNGSubStream(stream)
  # The preparation draws from a stream of its own, so that all selectors of a
  # split get the same samples.
  unit$preparation <- parallel::nextRNGSubStream(stream)
  stream <- unit$stream
  for (name in names(plan$specs)) {
    stream <- parallel::nextRNGSubStream(stream)
    started <- elapsed()
    result <- caught(with_stream(
      stream, run_selector(plan$specs[[name]], unit, problem, plan)
    ))
    if (inherits(result, "condition")) {
      if (plan$here) stop(result)
      return(result)
    }
    result$seconds <- elapsed() - started
    results[[name]] <- result
  }
  results
}

# Returns the result with its warnings, or the message of the error. An error
# that ends the curve is returned as it is, because workers change the class of
# an error.
caught <- function(code) {
  warnings <- character()
  result <- withCallingHandlers(
    try_user(
      code, function(e) list(failure = conditionMessage(e)), identity
    ),
    warning = function(w) {
      warnings <<- c(warnings, conditionMessage(w))
      invokeRestart("muffleWarning")
    }
  )
  if (inherits(result, "condition")) {
    return(result)
  }
  c(result, list(warnings = unique(warnings)))
}

run_selector <- function(spec, unit, problem, plan) {
  result <- evaluate_part(
    unit$split, spec, problem, plan, unit$preparation
  )
  if (!is.null(plan$nested) && spec$nested) {
    result$chosen <- choose_size(unit, spec, problem, plan)
  }
  result
}

#' Prepare a part, select on it, and classify its test samples
#'
#' @param stream Random numbers of the preparation.
#' @return list(predicted: see classify_sizes(), or NULL; n_used; lists;
#'   labelled_only; own; settings: of each fit, or NULL).
#' @noRd
evaluate_part <- function(split, spec, problem, plan, stream) {
  ready <- if (is.null(plan$preparation)) {
    list(problem = problem, split = split)
  } else {
    with_stream(stream, prepare_split(problem, split, plan$preparation))
  }
  ready$problem <- ready$problem |>
    without_blocks(ready$split$labelled %||% ready$split$train)
  selection <- select_features(spec, ready$problem, ready$split)
  list(
    predicted = if (plan$classify) {
      classify_sizes(selection, ready$split, spec, ready$problem, plan)
    },
    n_used = selection$n_used,
    lists = kept_lists(
      selection, spec, ready$problem$features, problem$features
    ),
    labelled_only = selection$labelled_only, own = selection$own,
    settings = lapply(selection$choices, function(choice) {
      if (!is.null(choice$fit)) fit_settings(choice$fit)
    })
  )
}

# If the preparation has left out features, positions are changed to those among
# all features.
kept_lists <- function(selection, spec, there, features) {
  lists <- lapply(selection$choices, function(choice) {
    order <- choice$order
    if (!spec$by_size && !selection$own) {
      order <- utils::head(order, max(spec$sizes))
    }
    if (identical(there, features)) order else match(there[order], features)
  })
  if (selection$own) lists <- rep(lists, length(spec$sizes))
  if (spec$by_size || selection$own) lists else lists[[1L]]
}

# Returns the size that a training part chooses by its own inner splits, which
# are the same for all selectors.
choose_size <- function(unit, spec, problem, plan) {
  known <- unit$split$labelled %||% unit$split$train
  unknown <- setdiff(unit$split$train, known)
  inner <- with_stream(unit$stream, draw_splits(
    kind_of(problem$y)$at(problem$y, known), plan$nested, "nested",
    design_rows(problem$design, known)
  ))
  plan$scores <- isTRUE(plan$metric$scores)
  stream <- unit$preparation
  runs <- lapply(inner, function(at) {
    stream <<- parallel::nextRNGSubStream(stream)
    labelled <- known[at$train]
    part <- list(
      train = sort(c(labelled, unknown)), test = known[at$test],
      repetition = at$repetition, labelled = labelled
    )
    part$result <- evaluate_part(part, spec, problem, plan, stream)
    part
  })
  values <- prediction_rows(
    runs, given_labels(problem), spec$sizes, plan$columns
  ) |>
    size_values(plan$metric, list(
      resampling = plan$nested, splits = runs, design = problem$design
    ))
  size_by_rule(values, spec$sizes, plan$metric, plan$nested, plan$rule)$size
}
