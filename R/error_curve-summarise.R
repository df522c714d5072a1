# From the units of a curve to its tables.
# SPDX-License-Identifier: GPL-3.0-or-later

new_curve <- function(problem, plan, splits, runs, keep, call) {
  names <- names(plan$selectors)
  mine <- runs[names]
  values <- lapply(mine, named_size_values, problem$y, plan)
  failures <- unit_notes(runs, "failure")
  warnings <- unit_notes(runs, "warnings")
  abort_all_failed(failures, mine, plan)
  warn_units(failures, warnings, length(splits), plan)
  chosen <- chosen_table(mine, problem$y, plan)
  curve <- structure(
    list(
      results = stack_rows(mine, result_rows, plan, problem$y, values),
      summary = stack_rows(mine, summary_rows, plan, values),
      aggregate = stack_rows(mine, aggregate_row, values),
      best = stack_rows(mine, best_row, plan, values),
      chosen = chosen$splits, chosen_summary = chosen$summary,
      predictions = if (keep) {
        stack_rows(mine, prediction_rows, plan, problem$y)
      },
      selections = lapply(
        mine, function(r) lapply(r, function(u) u$result$lists)
      ),
      splits = structure(lapply(splits, as.list), redrawn = NULL),
      baseline = baseline_table(runs, names, problem, plan),
      tuned = stack_rows(mine, tuned_rows), values = values,
      metric = plan$metric,
      sizes = plan$sizes, selectors = names, classes = levels(problem$y),
      features = problem$features, n_samples = length(problem$y),
      class_sizes = tabulate(problem$y, nlevels(problem$y)),
      classifier = vapply(plan$classifiers, `[[`, "", "label"),
      tune = plan$tune, scale = plan$scale, resampling = plan$resampling,
      nested = plan$nested, prepare = plan$preparation$words,
      redrawn = attr(splits, "redrawn") %||% 0L,
      labelled_only = names[vapply(mine, ever, NA, "labelled_only")],
      seconds = stack_rows(mine, seconds_row), failures = failures,
      warnings = warnings,
      selector_calls = selector_texts(plan$selectors, call$selectors),
      call = short_call(call),
      version = package_version_text(),
      versions = used_versions(plan)
    ),
    class = c("hitmiss_curve", "hitmiss_evaluation")
  )
  curve$assay <- problem$assay
  curve$group <- problem$design$group
  curve$block <- problem$design$block
  curve[names(kept_groups(problem))] <- kept_groups(problem)
  curve
}

# Rows of every selector, one under the other, with its name in front.
stack_rows <- function(runs, rows, ...) {
  tables <- lapply(
    names(runs), function(name) rows(runs[[name]], ..., name = name)
  )
  n_rows <- vapply(tables, NROW, 0L)
  if (sum(n_rows) == 0L) {
    return(NULL)
  }
  # Binding data frames is slow, and most curves have one selector.
  filled <- tables[n_rows > 0L]
  table <- if (length(filled) == 1L) filled[[1L]] else bind_rows(filled)
  rownames(table) <- NULL
  cbind(
    selector = factor(rep(names(runs), n_rows), names(runs)), table
  )
}

# Classifiers that differ are tuned over parameters that do: NA for those of
# others.
bind_rows <- function(tables) {
  columns <- unique(unlist(lapply(tables, names)))
  do.call(rbind, lapply(tables, function(table) {
    table[setdiff(columns, names(table))] <- NA
    table[columns]
  }))
}

ever <- function(runs, field) {
  any(vapply(runs, function(u) isTRUE(u$result[[field]]), NA))
}

named_size_values <- function(runs, y, plan) {
  values <- size_values(
    runs, y, plan$metric, plan$resampling, length(plan$sizes)
  )
  dimnames(values) <- list(NULL, plan$sizes)
  values
}

result_rows <- function(runs, plan, y, values, name) {
  n_sizes <- length(plan$sizes)
  value <- split_values(runs, plan, y, values[[name]])
  per_split <- function(field) {
    rep(vapply(runs, field, 0L), each = n_sizes)
  }
  used <- unlist(lapply(runs, function(unit) {
    as.double(unit$result$n_used %||% rep(NA_real_, n_sizes))
  }))
  data.frame(
    size = rep(plan$sizes, length(runs)),
    split = rep(seq_along(runs), each = n_sizes),
    repetition = per_split(function(unit) unit$repetition),
    value = as.vector(t(value)), n_used = used,
    n_train = per_split(function(unit) length(unit$train)),
    n_test = per_split(function(unit) length(unit$test)), empty = used == 0
  )
}

# Splits x sizes. A pooled metric has no value by split; in leave-one-out the
# error of the sample stands there.
split_values <- function(runs, plan, y, values) {
  if (!is_pooled(plan$metric, plan$resampling)) {
    return(values)
  }
  if (plan$resampling$method == "leave_one_out") {
    plan$metric <- "error"
    return(named_size_values(runs, y, plan))
  }
  matrix(NA_real_, length(runs), length(plan$sizes))
}

summary_rows <- function(runs, plan, values, name) {
  used <- vapply(runs, function(u) {
    as.double(u$result$n_used %||% rep(NA_real_, length(plan$sizes)))
  }, numeric(length(plan$sizes)))
  used <- matrix(used, length(plan$sizes))
  data.frame(
    size = plan$sizes, mean = mean_known(values[[name]]),
    sd = sd_known(values[[name]]), n_used = mean_known(t(used))
  )
}

# Of nothing known the mean is NA, not NaN.
mean_known <- function(values) {
  means <- unname(colMeans(values, na.rm = TRUE))
  replace(means, is.nan(means), NA_real_)
}

sd_known <- function(values) {
  unname(apply(values, 2L, stats::sd, na.rm = TRUE))
}

aggregate_row <- function(runs, values, name) {
  mean <- rowMeans(values[[name]])
  data.frame(mean = mean_known(cbind(mean)), sd = stats::sd(mean, na.rm = TRUE))
}

best_row <- function(runs, plan, values, name) {
  best <- size_by_rule(
    values[[name]], plan$sizes, plan$metric, plan$resampling, "min"
  )
  at <- match(best$size, plan$sizes)
  data.frame(
    size = best$size, mean = best$value,
    sd = if (is.na(at)) {
      NA_real_
    } else {
      stats::sd(values[[name]][, at], na.rm = TRUE)
    }
  )
}

tuned_rows <- function(runs, name) {
  rows <- lapply(seq_along(runs), function(s) {
    tuned <- runs[[s]]$result$tuned
    if (!is.null(tuned)) cbind(split = s, tuned)
  })
  do.call(rbind, rows)
}

seconds_row <- function(runs, name) {
  take <- function(part) {
    sum(vapply(runs, function(u) {
      seconds <- u$result$seconds
      if (part %in% names(seconds)) seconds[[part]] else 0
    }, 0))
  }
  data.frame(
    select = take("select"), classify = take("classify"),
    nested = take("nested")
  )
}

#' The size that each training part chose, and the metric at that size
#' @noRd
chosen_table <- function(runs, y, plan) {
  if (is.null(plan$nested)) {
    return(list())
  }
  at_chosen <- lapply(runs, function(units) lapply(units, keep_chosen, plan))
  splits <- stack_rows(at_chosen, function(units, name) {
    pooled <- is_pooled(plan$metric, plan$resampling)
    size <- vapply(units, function(u) u$result$chosen %||% NA_real_, 0)
    data.frame(
      split = seq_along(units),
      repetition = vapply(units, `[[`, 0L, "repetition"), size = size,
      value = vapply(units, function(u) {
        if (pooled) NA_real_ else pooled_values(list(u), y, plan$metric, 1L)
      }, 0)
    )
  })
  summary <- stack_rows(at_chosen, function(units, name) {
    values <- size_values(units, y, plan$metric, plan$resampling, 1L)
    size <- splits$size[splits$selector == name]
    data.frame(
      mean = mean_known(cbind(values)), sd = stats::sd(values, na.rm = TRUE),
      size = stats::median(size, na.rm = TRUE)
    )
  })
  list(splits = splits, summary = summary)
}

keep_chosen <- function(unit, plan) {
  at <- match(unit$result$chosen %||% NA, plan$sizes)
  if (is.na(at)) {
    unit$result[c("class", "score")] <- NULL
    return(unit)
  }
  unit$result$class <- unit$result$class[, at, drop = FALSE]
  if (!is.null(unit$result$score)) {
    unit$result$score <- unit$result$score[, , at, drop = FALSE]
  }
  unit
}

baseline_table <- function(runs, selectors, problem, plan) {
  y <- problem$y
  all <- runs[setdiff(names(runs), selectors)]
  largest <- lapply(runs[[1L]], function(u) {
    known <- u$labelled %||% u$train
    guess <- constant_prediction(y[known], length(u$test))
    u$result <- list(
      class = matrix(guess$class),
      # The same for every sample also when folds are pooled: AUC 1/2.
      score = array(1, c(dim(guess$score), 1L))
    )
    u
  })
  plan$sizes <- 1L
  all <- c(all, list("(largest class)" = largest))
  values <- lapply(all, named_size_values, y, plan)
  ratio <- overlap_ratio(plan$metric, plan$resampling, largest, problem$group)
  data.frame(
    name = names(values), mean = vapply(values, mean_known, 0),
    sd = vapply(values, sd_known, 0),
    se = vapply(values, corrected_se, 0, ratio), row.names = NULL
  )
}

# ---- what went wrong --------------------------------------------------------

#' One row per message: selector, message, splits (how many), first
#' @noRd
unit_notes <- function(runs, field) {
  rows <- lapply(names(runs), function(name) {
    notes <- lapply(runs[[name]], function(u) u$result[[field]])
    split <- rep(seq_along(notes), lengths(notes))
    text <- unlist(notes)
    if (length(text) > 0L) {
      data.frame(selector = name, split = split, message = text)
    }
  })
  do.call(rbind, rows) %||%
    data.frame(selector = character(), split = integer(), message = character())
}

#' All units failed: an error of the arguments, not a result with missing values
#' @noRd
abort_all_failed <- function(failures, runs, plan) {
  n_units <- sum(lengths(runs))
  mine <- failures[failures$selector %in% names(runs), ]
  if (nrow(mine) < n_units) {
    return(invisible())
  }
  said <- mine$message[[1L]]
  abort(
    c(
      "all {n_units} fit{?s} of the curve failed, so there is no error to
       report.",
      x = "The first error, from {.val {mine$selector[[1L]]}}: {said}",
      handing_over(said, plan$elsewhere)
    ),
    c("hitmiss_error_failed", "hitmiss_error_input"),
    arg = "selectors"
  )
}

warn_units <- function(failures, warnings, n_splits, plan) {
  if (nrow(failures) > 0L) {
    who <- table(failures$selector)
    counts <- paste0(names(who), " in ", who, " of ", n_splits)
    said <- failures$message[[1L]]
    warn(
      c(
        "{nrow(failures)} fit{?s} failed and count{?s/} as NA: {counts}
         splits.",
        i = "The first error: {said}",
        handing_over(said, plan$elsewhere)
      ),
      "hitmiss_warning_failed"
    )
  }
  if (nrow(warnings) > 0L) {
    said <- warnings$message[[1L]]
    warn(
      c(
        "{nrow(warnings)} warning{?s} while the splits were run (see
         {.code $warnings}).",
        i = "The first warning: {said}"
      ),
      "hitmiss_warning_inside"
    )
  }
}
