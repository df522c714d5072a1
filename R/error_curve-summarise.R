# Layer: evaluate. The units' results become the table of predictions, and all
# other tables of a curve are made from it.
# SPDX-License-Identifier: GPL-3.0-or-later

new_curve <- function(problem, plan, splits, ran, keep, call) {
  names <- names(plan$selectors)
  runs <- ran$runs[names]
  # Failures of the baselines are not reported: a user's classifier may fail on
  # random features.
  notes <- lapply(c(failures = "failure", warnings = "warnings"), function(of) {
    unit_notes(runs, of)
  })
  warn_units(notes, ran$lost, runs, plan$elsewhere)
  fixed <- unlist(lapply(plan$selectors, attr, "fixed"))
  warn_equal_lists(runs[setdiff(names, names(fixed))], length(problem$features))
  table <- all_predictions(ran$runs, given_labels(problem), plan)
  about <- list(
    splits = splits, design = problem$design, resampling = plan$resampling
  )
  measure <- function(table, metric = plan$metric) {
    lapply(split(table, table$selector), size_values, metric, about)
  }
  values <- measure(table)
  own <- values[names]
  kept <- table[table$selector %in% names, ]
  kept$selector <- factor(kept$selector, names)
  rownames(kept) <- NULL
  means <- Map(size_estimates, split(kept, kept$selector), own,
    list(plan$metric), list(about))
  chosen <- chosen_table(runs, kept, measure, plan, about)
  baseline <- values[setdiff(names(values), names)]
  by_split <- split_values(kept, own, measure, length(splits), plan)
  none <- rep(NA_real_, length(plan$sizes))
  used <- lapply(runs, function(runs) {
    do.call(rbind, lapply(runs, \(run) as.double(run$result$n_used %||% none)))
  })
  structure(c(
    list(
      results = stack_rows(
        Map(result_rows, runs, used, by_split, list(plan$sizes))
      ),
      summary = stack_rows(Map(function(means, used) {
        cbind(size = plan$sizes, means$sizes, n_used = mean_known(used))
      }, means, used)),
      aggregate = stack_rows(lapply(means, `[[`, "all")),
      best = stack_rows(Map(best_row, own, means, list(plan))),
      chosen = chosen$splits, chosen_summary = chosen$summary,
      predictions = if (keep) kept,
      selections = lapply(runs, lapply, listed_features),
      permuted = ran$permuted, splits = splits,
      # That of random features is their mean over sizes, as for a selector.
      baseline = data.frame(
        name = names(baseline),
        mean_sd(do.call(cbind, lapply(baseline, rowMeans)))
      ),
      all_features = vapply(plan$specs[names], `[[`, "", "all_features"),
      random = data.frame(
        size = plan$sizes, mean_sd(baseline[["(random features)"]])
      ), values = own
    ),
    curve_settings(problem, plan, runs), notes,
    list(call = short_call(call), version = package_version_text()),
    Filter(Negate(is.null), list(
      positive = plan$positive, fixed = fixed,
      own_metric = if (!is.null(plan$metric$fun)) plan$metric,
      study = plan$metric$study,
      missing = if (!is.null(problem$present)) {
        1 - sum(problem$present) /
          (as.double(length(problem$y)) * length(problem$features))
      },
      assay = problem$assay, design = problem$design
    ))
  ), class = c("hitmiss_curve", "hitmiss_evaluation"))
}

# Returns what a curve was made from, with the settings of its selectors.
curve_settings <- function(problem, plan, runs) {
  strata <- strata_of(problem$y)
  list(
    metric = plan$metric$name, sizes = plan$sizes, selectors = names(runs),
    classes = levels(strata), features = problem$features,
    n_samples = length(problem$y),
    class_sizes = tabulate(strata, nlevels(strata)),
    classifier = used_classifiers(runs, plan$classifiers),
    # The settings are those of the first split whose fit did not fail.
    settings = lapply(runs, function(runs) {
      Filter(Negate(is.null), lapply(runs, \(r) r$result$settings))[1L][[1L]]
    }),
    scale = plan$scale, resampling = plan$resampling, nested = plan$nested,
    rule = if (!is.null(plan$nested)) plan$rule,
    prepare = plan$preparation$words,
    labelled_only = names(runs)[vapply(runs, function(runs) {
      any(vapply(runs, function(r) isTRUE(r$result$labelled_only), NA))
    }, NA)],
    seconds = stack_rows(lapply(runs, function(runs) {
      data.frame(seconds = sum(vapply(runs, \(run) run$result$seconds, 0)))
    }))
  )
}

# Returns the labels of the classifiers. If the default was asked for, the fits
# decide, and the label is that of the first fit.
used_classifiers <- function(runs, classifiers) {
  unlist(Map(function(runs, classifier) {
    own <- unlist(lapply(runs, function(run) run$result$own))
    if (isTRUE(own[1L])) classifier_labels[["own"]] else classifier$label
  }, runs, classifiers))
}

#' The tables of all selectors under each other
#'
#' @param tables Named by selector.
#' @noRd
stack_rows <- function(tables) {
  table <- do.call(rbind, tables)
  rownames(table) <- NULL
  n_rows <- vapply(tables, nrow, 0L)
  names <- names(tables)
  cbind(selector = factor(rep(names, n_rows), names), table)
}

# A pooled metric has no value by split, so it is NA there; in leave-one-out the
# value of the sample (its 0/1 error) is given instead, if the outcome has one.
split_values <- function(table, values, measure, n_splits, plan) {
  if (!is_pooled(plan$metric, plan$resampling)) {
    return(values)
  }
  metrics <- curve_kind(plan$metric)$metrics
  single <- Find(\(metric) isTRUE(metric$single), metrics)
  if (plan$resampling$method == "leave_one_out" && !is.null(single)) {
    return(measure(table, single))
  }
  none <- matrix(NA_real_, n_splits, length(plan$sizes))
  lapply(values, function(v) none)
}

#' @param used,values Matrices, splits x sizes.
#' @noRd
result_rows <- function(runs, used, values, sizes) {
  at <- rep(seq_along(runs), each = length(sizes))
  used <- as.vector(t(used))
  data.frame(
    size = rep(sizes, length(runs)), split = at,
    repetition = repetition_of(runs)[at],
    value = as.vector(t(values)), n_used = used,
    n_train = lengths(lapply(runs, `[[`, "train"))[at],
    n_test = lengths(lapply(runs, `[[`, "test"))[at], empty = used == 0
  )
}

mean_sd <- function(values) {
  data.frame(
    mean = mean_known(values),
    sd = unname(apply(values, 2L, stats::sd, na.rm = TRUE))
  )
}

best_row <- function(values, means, plan) {
  best <- size_by_rule(
    values, plan$sizes, plan$metric, plan$resampling, "min"
  )$size
  cbind(size = best, means$sizes[match(best, plan$sizes), ], row.names = NULL)
}

#' The estimates of one selector: at each size, and of the mean over sizes
#' @param table Its predictions. @param values Matrix, replicates x sizes.
#' @noRd
size_estimates <- function(table, values, metric, about) {
  tables <- unname(split(table, match(table$size, unique(table$size))))
  list(
    sizes = do.call(rbind, Map(
      metric_estimate, lapply(tables, list), unname(asplit(values, 2L)),
      list(metric), list(about)
    )),
    all = metric_estimate(tables, rowMeans(values), metric, about)
  )
}

#' What each split predicts for its test samples, at each size
#'
#' @param runs Splits of one selector, each with a `result`, whose `predicted`
#'   is NULL where the fit failed, which leaves NA.
#' @param columns Names of the scores: classes, or times of survival curves.
#' @return Data.frame: size, split, sample, columns of the outcome (truth; of
#'   survival times: time, event), predicted, and score (matrix, samples x
#'   columns).
#' @noRd
prediction_rows <- function(runs, y, sizes, columns) {
  kind <- kind_of(y)
  tests <- lapply(runs, `[[`, "test")
  n <- lengths(tests)
  values <- function(field, width) {
    do.call(rbind, lapply(runs, function(run) {
      found <- lapply(run$result$predicted, `[[`, field)
      # Scores count only if the classifier gives them at every size.
      if (length(found) == 0L || any(lengths(found) == 0L)) {
        n_rows <- length(run$test) * length(sizes)
        return(matrix(NA_real_, n_rows, width))
      }
      do.call(rbind, lapply(found, as.matrix))
    }))
  }
  sample <- unlist(lapply(tests, rep, length(sizes)))
  table <- data.frame(
    size = rep(rep(sizes, length(n)), rep(n, each = length(sizes))),
    split = rep(seq_along(n), n * length(sizes)), sample = sample,
    kind$columns(y[sample]), predicted = kind$predicted(y, values("class", 1L))
  )
  table$score <- values("score", length(columns))
  dimnames(table$score) <- list(NULL, columns)
  table
}

# Returns the predictions of the selectors, then of the baselines, from which
# all tables of a curve are made.
all_predictions <- function(runs, y, plan) {
  sizes <- lapply(plan$specs, `[[`, "sizes")
  table <- stack_rows(
    Map(prediction_rows, runs, list(y), sizes, list(plan$columns))
  )
  first <- plan$specs[[1L]]
  none <- table[table$selector == first$name &
    table$size == first$sizes[[1L]], ]
  kind <- kind_of(y)
  none <- kind$baseline(none, runs[[1L]], y, plan$metric$study$grid)
  none$selector <- sprintf("(%s)", sub("_", " ", kind$none))
  table$selector <- as.character(table$selector)
  table <- rbind(table, none)
  table$selector <- factor(table$selector, unique(table$selector))
  table
}

# This is the largest class of all samples. The largest class of the training
# part would always be wrong for equal classes in leave-one-out, where the
# sample left out makes its own class the smaller one.
largest_class <- function(table, runs, y, grid) {
  all <- class_shares_of(y, nrow(table))
  table$predicted[] <- levels(y)[all$class]
  # Equal scores for all samples give an AUC of 1/2, also when folds are pooled.
  # As probabilities they are the shares of the classes.
  table$score[] <- all$score
  table
}

#' The size that each training part chose, and the metric at that size
#'
#' @param table Predictions of the selectors.
#' @param measure The metric of such a table, by selector.
#' @noRd
chosen_table <- function(runs, table, measure, plan, about) {
  if (is.null(plan$nested)) {
    return(list())
  }
  repetition <- repetition_of(about$splits)
  sizes <- vapply(runs, function(runs) {
    vapply(runs, function(run) run$result$chosen %||% NA_real_, 0)
  }, numeric(length(repetition)))
  sizes <- matrix(sizes, length(repetition))
  table <- predictions_at(table, sizes)
  values <- measure(table)
  means <- Map(size_estimates, split(table, table$selector), values,
    list(plan$metric), list(about))
  pooled <- is_pooled(plan$metric, plan$resampling)
  splits <- data.frame(
    selector = rep(factor(names(runs), names(runs)), each = nrow(sizes)),
    split = seq_along(repetition), repetition = repetition,
    size = as.vector(sizes),
    value = if (pooled) NA_real_ else unlist(values, use.names = FALSE)
  )
  # A median of this type is one of the sizes.
  middle <- apply(sizes, 2L, stats::quantile, 0.5, na.rm = TRUE, type = 1L)
  summary <- stack_rows(Map(function(means, size) {
    cbind(means$all, size = size)
  }, means, unname(middle)))
  list(splits = splits, summary = summary)
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

# Returns a row for each message: selector, split, message.
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

#' @param notes list(failures, warnings), see unit_notes().
#' @param lost Errors of fits with permuted labels.
#' @noRd
warn_units <- function(notes, lost, runs, elsewhere) {
  n_splits <- length(runs[[1L]])
  who <- table(notes$failures$selector)
  counts <- paste0(names(who), " in ", who, " of ", n_splits)
  tell_failures(
    notes$failures$message, sum(lengths(runs)), "{length(messages)} fit{?s}
     failed and count{?s/} as NA: {counts} splits.", "selectors", elsewhere
  )
  tell_failures(
    lost, Inf, "{length(messages)} fit{?s} with permuted labels failed and
     {?is/are} left out of the baseline of stability.", "selectors", elsewhere
  )
  warnings <- notes$warnings$message
  if (length(warnings) > 0L) {
    warn(
      c(
        "{length(warnings)} warning{?s} while the splits were run (see
         {.arg $warnings}).",
        i = "The first warning: {warnings[[1L]]}"
      ),
      "hitmiss_warning_inside"
    )
  }
}

listed_features <- function(run) run$result$lists
