# Layer: evaluate. best_size() chooses the smallest size whose error is about
# the least. The accessors of curves stand here too.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Choose the number of features
#'
#' The one-standard-error rule: the smallest size whose mean error is within one
#' plain standard error of the least mean error.
#'
#' @details
#' Let m(n) be the mean error at size n (for F1 and AUC, one minus the metric)
#' and n* the smallest size at which it is least. The rule uses the *plain*
#' standard error at n*, sd / sqrt(K) over the K splits (or repetitions); for
#' leave-one-out of single samples, `sqrt(e (1 - e) / N)`. It is too small,
#' because splits share samples, but with corrected standard errors the rule
#' chooses lists that are too short. A metric that is computed once from all
#' predictions together (AUC in leave-one-out or in a single repetition of
#' [kfold()]) has no standard error; the rule then chooses the size with the
#' best mean.
#'
#' The value at a size chosen on the same splits is optimistically biased; that
#' of `error_curve(nested = )` is not.
#'
#' @param curve The result of [error_curve()].
#' @param rule `"one_se"`, or `"min"`: the size with the best mean.
#' @return A [result][hitmiss-results] with one row per selector: `selector`,
#'   `metric`, `rule`, `size` (the chosen one), `value`, `lower`, `upper` (the
#'   mean of the metric at `size` and its 95 % interval, see
#'   [hitmiss_curve-methods]), `best_size`, `best_value` (those of the best
#'   mean), `plain_se` (the plain standard error of `best_value`). All are `NA`
#'   for a selector without any value.
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief),
#'   sizes = c(1, 2, 5, 10, 20, 50), resampling = kfold(5)
#' )
#' best_size(curve)
#' best_size(curve)$size
#' @export
best_size <- function(curve, rule = c("one_se", "min")) {
  check_curve(curve)
  rule <- check_choice(rule)
  rows <- lapply(curve$selectors, function(selector) {
    values <- curve$values[[selector]]
    found <- size_by_rule(
      values, curve$sizes, metric_of(curve), curve$resampling, rule
    )
    table <- curve$summary[curve$summary$selector == selector, ]
    data.frame(
      selector = selector, metric = curve$metric, rule = rule,
      found[c("size", "value")],
      table[match(found$size, table$size), c("lower", "upper")],
      found[c("best_size", "best_value", "plain_se")], row.names = NULL
    )
  })
  table <- do.call(rbind, rows)
  new_result("size", table,
    columns = c(
      "selector", "size", "value", "lower", "upper", "best_size", "best_value",
      "plain_se"
    ),
    what = "selectors",
    lines = sprintf(
      "%s mean %s over splits",
      c(
        one_se = "Smallest size within one plain standard error of the best",
        min = "Size with the best"
      )[[rule]], metric_label(curve)
    ),
    notes = paste(
      "lower, upper: 95 % interval. The value at a size chosen on the same",
      "splits is optimistically biased;",
      "error_curve(nested = ) has that of sizes chosen in training parts."
    ),
    glance = list(
      selectors = nrow(table), rule = rule,
      smallest = min(table$size), largest = max(table$size)
    )
  )
}

#' @param values Matrix, replicates x sizes.
#' @return list(size, value, best_size, best_value, plain_se).
#' @noRd
size_by_rule <- function(values, sizes, metric, resampling, rule) {
  mean <- mean_known(values)
  loss <- if (metric$larger) 1 - mean else mean
  if (all(is.na(loss))) {
    return(list(
      size = NA_real_, value = NA_real_, best_size = NA_real_,
      best_value = NA_real_, plain_se = NA_real_
    ))
  }
  # Means that are equal but for rounding are ties, of which the smallest size
  # is taken.
  best <- which(loss <= min(loss, na.rm = TRUE) + 1e-12)[[1L]]
  plain <- plain_se(values[, best], resampling)
  at <- if (rule == "min" || is.na(plain)) {
    best
  } else {
    which(loss <= loss[[best]] + plain + 1e-12)[[1L]]
  }
  list(
    size = sizes[[at]], value = mean[[at]], best_size = sizes[[best]],
    best_value = mean[[best]], plain_se = plain
  )
}

#' Standard error of a mean as if replicates were independent
#'
#' Only the rule uses it; the reported standard errors are from corrected_se().
#' @noRd
plain_se <- function(values, resampling) {
  values <- values[!is.na(values)]
  # The binomial formula holds for single samples, which are right or wrong. If
  # groups of samples are left out, a value is the proportion of a group that is
  # wrong.
  single <- resampling$method == "leave_one_out" && all(values %in% 0:1)
  if (single && length(values) > 1L) {
    return(sqrt(mean(values) * (1 - mean(values)) / length(values)))
  }
  stats::sd(values) / sqrt(length(values))
}

check_curve <- function(curve, arg = "curve") {
  curve <- force_given(curve, arg)
  if (!inherits(curve, "hitmiss_curve")) {
    abort_input(
      "{.arg {arg}} must be the result of {.fn error_curve}, not
       {describe(curve)}.", arg
    )
  }
  check_version(
    curve[["version"]], arg, "a curve", "run it again with this version",
    curve$study$outcomes
  )
  curve
}

#' The features chosen at the size number `at`, split by split
#'
#' @param selections Of one selector.
#' @return List of positions, best first; NULL where the fit failed.
#' @noRd
size_sets <- function(selections, sizes, at) {
  lapply(selections, function(lists) {
    if (is.list(lists)) lists[[at]] else utils::head(lists, sizes[[at]])
  })
}

check_curve_size <- function(x, size, selector = x$selectors[[1L]]) {
  if (is.null(size)) {
    # If this selector failed in every split, the size of another one is taken.
    found <- as.data.frame(best_size(x))
    found <- found[order(found$selector != selector), ]
    size <- found$size[!is.na(found$size)]
    if (length(size) == 0L) {
      abort_input(
        "{metric_label(x)} has no value at any size, so none is the best: give
         {.arg size}.", "size"
      )
    }
    return(size[[1L]])
  }
  check_one_size(x, size)
}

check_one_size <- function(x, size) {
  if (!is_plain_number(size) || !size %in% x$sizes) {
    abort_input(
      "{.arg size} must be one of the curve's sizes, {.val {x$sizes}}.", "size"
    )
  }
  size
}

check_curve_selector <- function(x, selector) {
  check_choice(selector %||% x$selectors[[1L]], x$selectors, "selector")
}
