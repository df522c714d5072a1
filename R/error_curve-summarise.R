# Layer: evaluate. The units' results become the table of predictions, and all
# other tables of a curve are made from it.
# SPDX-License-Identifier: GPL-3.0-or-later

new_curve <- function(problem, plan, splits, ran, keep, call) {
  names <- names(plan$selectors)
  runs <- ran$runs
  mine <- runs[names]
  # Failures of the baselines are not reported: a user's classifier may fail on
  # random features.
  failures <- unit_notes(mine, "failure")
  warnings <- unit_notes(mine, "warnings")
  plan$lost <- ran$lost
  warn_units(failures, warnings, mine, plan)
  warn_equal_lists(mine, length(problem$features))
  y <- problem$y
  table <- all_predictions(runs, y, plan)
  repetition <- vapply(splits, `[[`, 0L, "repetition")
  measure <- function(table) {
    lapply(split(table, table$selector), size_values,
      metric = plan$metric, resampling = plan$resampling,
      repetition = repetition
    )
  }
  values <- measure(table)
  own <- values[names]
  kept <- table[table$selector %in% names, ]
  kept$selector <- factor(kept$selector, names)
  rownames(kept) <- NULL
  chosen <- chosen_table(mine, kept, measure, repetition, plan)
  baseline <- baseline_tables(values[setdiff(names(values), names)], splits,
    problem, plan)
  curve <- list(
    results = stack_rows(mine, result_rows, plan, split_values(
      kept, own, repetition, plan
    )),
    summary = stack_rows(mine, summary_rows, plan, own),
    aggregate = stack_rows(mine, function(runs, name) {
      mean_sd(cbind(rowMeans(own[[name]])))
    }),
    best = stack_rows(mine, best_row, plan, own),
    chosen = chosen$splits, chosen_summary = chosen$summary,
    predictions = if (keep) kept,
    selections = lapply(mine, function(runs) lapply(runs, listed_features)),
    permuted = ran$permuted, splits = splits,
    baseline = baseline$table, random = baseline$random, values = own,
    metric = plan$metric$name, sizes = plan$sizes, selectors = names,
    classes = levels(y), features = problem$features, n_samples = length(y),
    class_sizes = tabulate(y, nlevels(y)),
    classifier = used_classifiers(mine, plan$classifiers),
    # The settings are those of the first split whose fit did not fail.
    settings = lapply(mine, function(runs) {
      Filter(Negate(is.null), lapply(runs, \(r) r$result$settings))[1L][[1L]]
    }),
    scale = plan$scale, resampling = plan$resampling, nested = plan$nested,
    rule = if (!is.null(plan$nested)) plan$rule,
    prepare = plan$preparation$words,
    labelled_only = names[vapply(mine, function(runs) {
      any(vapply(runs, function(r) isTRUE(r$result$labelled_only), NA))
    }, NA)],
    seconds = stack_rows(mine, seconds_row), failures = failures,
    warnings = warnings, call = short_call(call),
    version = package_version_text()
  )
  curve$positive <- plan$positive
  if (!is.null(plan$metric$fun)) curve$own_metric <- plan$metric
  curve$assay <- problem$assay
  curve$group <- problem$design$group
  curve$block <- problem$design$block
  curve[names(kept_groups(problem))] <- kept_groups(problem)
  structure(curve, class = c("hitmiss_curve", "hitmiss_evaluation"))
}

# Returns the labels of the classifiers. If the default was asked for, the fits
# decide, and the label is that of the first fit.
used_classifiers <- function(runs, classifiers) {
  unlist(Map(function(runs, classifier) {
    own <- unlist(lapply(runs, function(run) run$result$own))
    if (isTRUE(own[1L])) classifier_labels[["own"]] else classifier$label
  }, runs, classifiers))
}

# Puts the rows of all selectors under each other, with the selector's name in
# front.
stack_rows <- function(runs, rows, ...) {
  tables <- lapply(
    names(runs), function(name) rows(runs[[name]], ..., name = name)
  )
  table <- do.call(rbind, tables)
  rownames(table) <- NULL
  n_rows <- vapply(tables, nrow, 0L)
  cbind(selector = factor(rep(names(runs), n_rows), names(runs)), table)
}

run_n_used <- function(run, n_sizes) {
  as.double(run$result$n_used %||% rep(NA_real_, n_sizes))
}

# A pooled metric has no value by split, so it is NA there; in leave-one-out the
# 0/1 error of the sample is given instead.
split_values <- function(table, values, repetition, plan) {
  if (!is_pooled(plan$metric, plan$resampling)) {
    return(values)
  }
  if (plan$resampling$method == "leave_one_out") {
    return(lapply(split(table, table$selector), size_values,
      metric = as_metric("error"), resampling = plan$resampling,
      repetition = repetition
    ))
  }
  none <- matrix(NA_real_, length(repetition), length(plan$sizes))
  lapply(values, function(v) none)
}

result_rows <- function(runs, plan, values, name) {
  n_sizes <- length(plan$sizes)
  used <- unlist(lapply(runs, run_n_used, n_sizes))
  at <- rep(seq_along(runs), each = n_sizes)
  data.frame(
    size = rep(plan$sizes, length(runs)), split = at,
    repetition = vapply(runs, `[[`, 0L, "repetition")[at],
    value = as.vector(t(values[[name]])), n_used = used,
    n_train = lengths(lapply(runs, `[[`, "train"))[at],
    n_test = lengths(lapply(runs, `[[`, "test"))[at], empty = used == 0
  )
}

summary_rows <- function(runs, plan, values, name) {
  used <- do.call(rbind, lapply(runs, run_n_used, length(plan$sizes)))
  cbind(
    size = plan$sizes, mean_sd(values[[name]]), n_used = mean_known(used)
  )
}

mean_sd <- function(values) {
  data.frame(
    mean = mean_known(values),
    sd = unname(apply(values, 2L, stats::sd, na.rm = TRUE))
  )
}

best_row <- function(runs, plan, values, name) {
  best <- size_by_rule(
    values[[name]], plan$sizes, plan$metric, plan$resampling, "min"
  )$size
  at <- match(best, plan$sizes)
  cbind(size = best, mean_sd(values[[name]][, at, drop = FALSE]))
}

seconds_row <- function(runs, name) {
  data.frame(seconds = sum(vapply(runs, \(run) run$result$seconds, 0)))
}

#' What each split predicts for its test samples, at each size
#'
#' @param runs Splits of one selector, each with a `result`; without classes
#'   where it failed, which leaves NA.
#' @return Data.frame: size, split, sample, truth, predicted, and score (matrix,
#'   samples x classes).
#' @noRd
prediction_rows <- function(runs, y, sizes, name = NULL) {
  n_sizes <- length(sizes)
  n <- lengths(lapply(runs, `[[`, "test"))
  sample <- unlist(lapply(runs, function(run) rep(run$test, n_sizes)))
  class <- unlist(lapply(runs, function(run) {
    run$result$class %||% rep(NA_integer_, length(run$test) * n_sizes)
  }))
  table <- data.frame(
    size = unlist(lapply(n, function(n) rep(sizes, each = n))),
    split = rep(seq_along(runs), n * n_sizes), sample = sample,
    truth = y[sample], predicted = factor(levels(y)[class], levels(y))
  )
  table$score <- do.call(rbind, Map(function(run, n) {
    score <- run$result$score
    if (is.null(score)) {
      return(matrix(NA_real_, n * n_sizes, nlevels(y)))
    }
    matrix(aperm(score, c(1L, 3L, 2L)), n * n_sizes)
  }, runs, n))
  colnames(table$score) <- levels(y)
  table
}

#' The predictions of the selectors, then of the baselines, from which all
#' tables of a curve are made
#' @noRd
all_predictions <- function(runs, y, plan) {
  table <- stack_rows(runs, function(runs, name) {
    prediction_rows(runs, y, plan$specs[[name]]$sizes)
  })
  # This is the largest class of all samples. That of the training part would
  # always be wrong for equal classes in leave-one-out, where the sample left
  # out makes its own class the smaller one.
  first <- plan$specs[[1L]]
  largest <- table[table$selector == first$name &
    table$size == first$sizes[[1L]], ]
  largest$predicted[] <- levels(y)[which.max(tabulate(y, nlevels(y)))]
  # Equal scores for all samples give an AUC of 1/2, also when folds are pooled.
  largest$score[] <- 1
  largest$selector <- "(largest class)"
  table$selector <- as.character(table$selector)
  table <- rbind(table, largest)
  table$selector <- factor(table$selector, unique(table$selector))
  table
}

#' The size that each training part chose, and the metric at that size
#'
#' @param table Predictions of the selectors.
#' @param measure The metric of such a table, by selector.
#' @noRd
chosen_table <- function(runs, table, measure, repetition, plan) {
  if (is.null(plan$nested)) {
    return(list())
  }
  sizes <- vapply(runs, function(runs) {
    vapply(runs, function(run) run$result$chosen %||% NA_real_, 0)
  }, numeric(length(repetition)))
  sizes <- matrix(sizes, length(repetition))
  values <- measure(predictions_at(table, sizes))
  pooled <- is_pooled(plan$metric, plan$resampling)
  splits <- data.frame(
    selector = rep(factor(names(runs), names(runs)), each = nrow(sizes)),
    split = seq_along(repetition), repetition = repetition,
    size = as.vector(sizes),
    value = if (pooled) NA_real_ else unlist(values, use.names = FALSE)
  )
  summary <- stack_rows(values, function(values, name) {
    # A median of this type is one of the sizes.
    cbind(mean_sd(values), size = stats::quantile(
      sizes[, match(name, names(runs))], 0.5,
      na.rm = TRUE, type = 1L, names = FALSE
    ))
  })
  list(splits = splits, summary = summary)
}

#' @param values Of the baselines: matrices, replicates x sizes.
#' @noRd
baseline_tables <- function(values, splits, problem, plan) {
  about <- c(
    list(
      splits = splits, group = problem$group, n_samples = length(problem$y)
    ),
    plan[c("metric", "resampling")], kept_groups(problem)
  )
  # The figure for random features is their mean over sizes, as for a selector.
  means <- lapply(values, rowMeans)
  table <- do.call(rbind, lapply(means, function(v) mean_sd(cbind(v))))
  table$se <- reported_se(means, about)
  random <- values[["(random features)"]]
  list(
    table = data.frame(name = names(values), table, row.names = NULL),
    random = data.frame(
      size = plan$sizes, mean_sd(random),
      se = reported_se(asplit(random, 2L), about)
    )
  )
}

# ---- what went wrong --------------------------------------------------------

# If a selector chooses the same list in every training part, the list was
# probably made before from all samples. The list has to be long and shorter
# than the data, because others can agree by themselves.
warn_equal_lists <- function(runs, n_features) {
  equal <- vapply(runs, function(runs) {
    lists <- unique(lapply(runs, listed_features))
    length(runs) > 1L && length(lists) == 1L && is.numeric(lists[[1L]]) &&
      length(lists[[1L]]) >= 5L && length(lists[[1L]]) < n_features
  }, NA)
  if (any(equal)) {
    warn(
      c(
        "{.val {names(runs)[equal]}} chose the same features in the same order
         in all splits.",
        i = "A selection that was made before, from all samples, has seen the
             test samples, and the error is too small."
      ),
      "hitmiss_warning_equal_lists"
    )
  }
}

#' One row per message: selector, split, message
#' @noRd
unit_notes <- function(runs, field) {
  rows <- lapply(names(runs), function(name) {
    notes <- lapply(runs[[name]], function(run) run$result[[field]])
    n <- sum(lengths(notes))
    data.frame(
      selector = rep(name, n), split = rep(seq_along(notes), lengths(notes)),
      message = as.character(unlist(notes))
    )
  })
  do.call(rbind, rows)
}

warn_units <- function(failures, warnings, runs, plan) {
  n_splits <- length(runs[[1L]])
  who <- table(failures$selector)
  counts <- paste0(names(who), " in ", who, " of ", n_splits)
  tell_failures(
    failures$message, sum(lengths(runs)), "{length(messages)} fit{?s} failed and
     count{?s/} as NA: {counts} splits.", "selectors", plan$elsewhere
  )
  tell_failures(
    plan$lost, Inf, "{length(messages)} fit{?s} with permuted labels failed and
     {?is/are} left out of the baseline of stability.", "selectors",
    plan$elsewhere
  )
  if (nrow(warnings) > 0L) {
    warn(
      c(
        "{nrow(warnings)} warning{?s} while the splits were run (see
         {.arg $warnings}).",
        i = "The first warning: {warnings$message[[1L]]}"
      ),
      "hitmiss_warning_inside"
    )
  }
}

listed_features <- function(run) run$result$lists
