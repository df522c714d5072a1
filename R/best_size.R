#' Choose the number of features
#'
#' @description
#' The one-standard-error rule: the smallest size whose mean error is within one
#' standard error of the smallest mean error.
#'
#' @details
#' With m(n) the mean error at size n and n* its minimum (ties: the smallest
#' size), the standard error is sd / sqrt(K) over the K splits at n*; for
#' leave-one-out `sqrt(e (1 - e) / N)`. It is the *plain* standard error:
#' corrected ones choose lists that are too short. For F1 and AUC, m is one
#' minus the metric.
#'
#' The error at a size chosen on the same splits is optimistic;
#' `error_curve(nested = )` gives an honest one.
#'
#' @param curve The result of [error_curve()].
#' @param rule `"one_se"`, or `"min"`: the size with the smallest mean.
#' @return An object of class `hitmiss_size`, a list, or a list of them named by
#'   selector if the curve has several: `size`, `rule`, `error_at_size` (the
#'   mean of the metric there), `se`, `minimum_size`, `note`.
#' @examples
#' toy <- simulate_microarray(n = c(15, 15), genes = 200)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief),
#'   sizes = c(1, 2, 5, 10, 20, 50), resampling = kfold(5)
#' )
#' best_size(curve)
#' @export
best_size <- function(curve, rule = c("one_se", "min")) {
  if (missing(curve)) abort_missing("curve")
  check_curve(curve)
  rule <- check_choice(rule, c("one_se", "min"))
  sizes <- lapply(stats::setNames(nm = curve$selectors), function(selector) {
    values <- curve$values[[selector]]
    structure(
      size_by_rule(values, curve$sizes, curve$metric, curve$resampling, rule),
      class = "hitmiss_size"
    )
  })
  if (length(sizes) == 1L) sizes[[1L]] else sizes
}

#' @param values Matrix, replicates x sizes.
#' @noRd
size_by_rule <- function(values, sizes, metric, resampling, rule) {
  larger <- curve_metrics[[metric]]$larger
  mean <- colMeans(values, na.rm = TRUE)
  loss <- if (larger) 1 - mean else mean
  # Means that are equal but for rounding are ties: the smallest size.
  at <- which(loss <= suppressWarnings(min(loss, na.rm = TRUE)) + 1e-12)[1L]
  if (is.na(at)) {
    return(list(
      size = NA_real_, rule = rule, error_at_size = NA_real_, se = NA_real_,
      minimum_size = NA_real_, note = "no size has a value"
    ))
  }
  se <- standard_error(values[, at], resampling)
  within <- if (rule == "min" || is.na(se)) {
    at
  } else {
    which(loss <= loss[[at]] + se + 1e-12)[[1L]]
  }
  list(
    size = sizes[[within]], rule = rule, error_at_size = mean[[within]],
    se = se, minimum_size = sizes[[at]],
    note = paste(
      "the error at a size chosen on the same splits is optimistic;",
      "error_curve(nested = ) gives an honest one"
    )
  )
}

#' Standard error of a mean over replicates
#' @noRd
standard_error <- function(values, resampling) {
  values <- values[!is.na(values)]
  if (resampling$method == "leave_one_out" && length(values) > 1L) {
    return(sqrt(mean(values) * (1 - mean(values)) / length(values)))
  }
  stats::sd(values) / sqrt(length(values))
}

check_curve <- function(curve, arg = "curve") {
  if (!inherits(curve, "hitmiss_curve")) {
    abort_input(
      "{.arg {arg}} must be the result of {.fn error_curve}, not
       {describe(curve)}.", arg
    )
  }
  invisible(curve)
}

#' @export
print.hitmiss_size <- function(x, ...) {
  check_no_dots(...)
  cat(
    sprintf(
      "%s features (%s; minimum at %s); mean there %s, standard error %s\n",
      format(x$size), if (x$rule == "one_se") "one-standard-error rule" else "minimum",
      format(x$minimum_size), format(x$error_at_size, digits = 3L),
      format(x$se, digits = 2L)
    ),
    "note: ", x$note, "\n",
    sep = ""
  )
  invisible(x)
}
