# Are new data on the scale of the training data?
# SPDX-License-Identifier: GPL-3.0-or-later

#' Warn if many values lie far outside the training range
#'
#' @param values New samples x features, NA where a value is missing.
#' @param training Training samples on the same scale, with column names.
#' @param ... Further lines of the warning, and fields of the condition.
#' @return TRUE if there was a warning.
#' @noRd
warn_other_scale <- function(values, training, lines = NULL, ...) {
  seen <- outside_range(values, training[, colnames(values), drop = FALSE])
  if (!is_other_scale(seen)) {
    return(invisible(FALSE))
  }
  warn(
    c(
      "{seen$far} of {seen$known} values of {.arg newdata} lie outside the
       training range of their feature by more than its width.",
      i = "Are they on the scale of the training data (logarithms, units)?",
      lines
    ),
    "hitmiss_warning_scale",
    far = seen$far, values = seen$known, ...
  )
  invisible(TRUE)
}

# On ordinary new data less than one value in a hundred lies so far outside, of
# a single odd sample one in four (measured); of raw values, for a fit on
# logarithms, nearly all do.
is_other_scale <- function(seen) seen$far >= 3L && seen$far > seen$known / 2

# A feature that is constant in training has no width to go by.
outside_range <- function(values, training) {
  low <- apply(training, 2L, min)
  high <- apply(training, 2L, max)
  width <- high - low
  varies <- width > 0
  each <- function(limit) rep(limit[varies], each = nrow(values))
  values <- values[, varies, drop = FALSE]
  far <- values < each(low - width) | values > each(high + width)
  list(far = sum(far, na.rm = TRUE), known = sum(!is.na(values)))
}
