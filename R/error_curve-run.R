# From a plan to units, a selector on a split each, and what came of them.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Run all units: each selector, and the baseline, on each split
#'
#' @return List of splits, by selector: each split with its `result`.
#' @noRd
run_curve <- function(problem, plan, splits, stream, BPPARAM) {
  baseline <- baseline_plan(plan, length(problem$features))
  plans <- list(selectors = plan, baseline = baseline)
  n_selectors <- c(length(plan$selectors), length(baseline$selectors))
  units <- list()
  for (s in seq_along(splits)) {
    stream <- parallel::nextRNGStream(stream)
    own <- stream
    for (kind in 1:2) {
      for (g in seq_len(n_selectors[[kind]])) {
        own <- parallel::nextRNGSubStream(own)
        units[[length(units) + 1L]] <- list(
          split = splits[[s]], plan = kind, selector = g,
          streams = list(stream, own)
        )
      }
    }
    # For the preparation, which is the same for all selectors of a split.
    mine <- length(units) + 1L - seq_len(sum(n_selectors))
    own <- parallel::nextRNGSubStream(own)
    units[mine] <- lapply(units[mine], function(unit) {
      unit$streams[[3L]] <- own
      unit
    })
  }
  results <- run_units(units, problem, plans, BPPARAM)
  by_name <- vapply(
    units, function(u) names(plans[[u$plan]]$selectors)[[u$selector]], ""
  )
  runs <- Map(function(u, r) c(u$split, list(result = r)), units, results)
  split(runs, factor(by_name, unique(by_name)))
}

run_units <- function(units, problem, plans, BPPARAM) {
  # In this process a mistake in a selector stops the curve at once.
  work <- if (is.null(BPPARAM)) run_or_stop else run_planned
  results <- spread(units, work, problem, plans,
    BPPARAM = BPPARAM, label = "Selectors x splits"
  )
  for (result in results) if (!is.null(result$stop)) stop(result$stop)
  results
}

run_or_stop <- function(unit, problem, plans) {
  result <- run_planned(unit, problem, plans)
  if (!is.null(result$stop)) stop(result$stop)
  result
}

run_planned <- function(unit, problem, plans) {
  run_unit(unit, problem, plans[[unit$plan]])
}
