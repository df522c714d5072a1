# Layer: evaluate. ROC curves show the true against the false positive rates of
# a curve's classifiers.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The size at which each selector is drawn, in each split
#'
#' @return list(sizes: matrix, splits x selectors; drawn: one for each selector;
#'   words: which sizes these are).
#' @noRd
roc_sizes <- function(x, size) {
  n <- length(x$splits)
  if (is.null(size) && !is.null(x$chosen)) {
    return(list(
      sizes = matrix(x$chosen$size, n), drawn = x$chosen_summary$size,
      words = "chosen in each training part (median)"
    ))
  }
  drawn <- if (is.null(size)) {
    x$best$size
  } else {
    rep(check_curve_size(x, size), length(x$selectors))
  }
  list(
    sizes = matrix(drawn, n, length(drawn), byrow = TRUE), drawn = drawn,
    words = if (is.null(size)) {
      sprintf("at the best mean %s (optimistic)", metric_label(x))
    } else {
      "as given in `size`"
    }
  )
}

# Returns the predictions at the sizes that are drawn, see roc_sizes().
roc_predictions <- function(x, at) {
  kept <- kept_predictions(x)
  if (all(is.na(kept$score))) {
    abort_user(c(
      "a ROC curve needs class scores, and this curve has none:
       {.arg classifier} was {listed(unique(x$classifier), 3L)}.",
      i = "A function given as {.arg classifier} must return a numeric matrix of
           class scores, test samples x classes, with the classes as column
           names, in place of class labels."
    ), "type", "hitmiss_error_scores")
  }
  predictions_at(kept, at$sizes)
}

# True positive rates are averaged at these false positive rates.
false_rates <- (0:100) / 100

#' ROC curves and areas of all selectors
#'
#' At each false positive rate the mean of the true positive rates of the
#' replicates. With up to nine classes each is drawn against the rest, with more
#' the mean over the classes.
#' @param positive Name of the positive one of two classes, or NULL.
#' @return list(lines: data.frame of selector, class, false_rate, true_rate;
#'   auc: data.frame of selector, size, mean, sd, lower, upper).
#' @noRd
curve_roc <- function(x, at,
                      positive = positive_class(x$positive, x$classes)) {
  used <- roc_predictions(x, at)
  tables <- split(used, used$selector)
  pool <- pool_of(class_metrics$auc, x)
  classes <- positive %||% x$classes
  lines <- lapply(x$selectors, function(selector) {
    table <- tables[[selector]]
    replicates <- split(table, pool[table$split])
    rates <- vapply(classes, function(class) {
      rows <- do.call(rbind, lapply(replicates, class_rates, class))
      if (is.null(rows)) rep(NA_real_, 101L) else unname(colMeans(rows))
    }, false_rates)
    if (length(classes) > 9L) {
      rates <- cbind("mean of all classes" = rowMeans(rates, na.rm = TRUE))
    }
    # A curve begins at (0, 0), where the replicates begin only by chance.
    data.frame(
      selector = factor(selector, x$selectors),
      class = rep(factor(colnames(rates), colnames(rates)), each = 102L),
      false_rate = c(0, false_rates), true_rate = as.vector(rbind(0 * rates[1L,
        ], rates))
    )
  })
  lines <- do.call(rbind, lines)
  metric <- c(class_metrics$auc, positive = match(positive, x$classes))
  areas <- lapply(tables, function(table) {
    metric_estimate(list(table), size_values(table, metric, x), metric, x)
  })
  list(
    lines = lines[!is.na(lines$true_rate), ], auc = data.frame(
      selector = x$selectors, size = at$drawn, do.call(rbind, areas),
      row.names = NULL
    )
  )
}

# Returns the true positive rates of one replicate, class against the rest; or
# nothing if it failed, or lacks the class or all others.
class_rates <- function(replicate, class) {
  positive <- replicate$truth == class
  if (!anyNA(replicate$score) && any(positive) && !all(positive)) {
    rate_at(roc_points(replicate$score[, class], positive), false_rates)
  }
}

# Returns the corners of a ROC curve: one for each distinct score, ties taken
# together.
roc_points <- function(scores, positive) {
  threshold <- sort(unique(scores), decreasing = TRUE)
  at <- match(scores, threshold)
  share <- function(of) {
    c(0, cumsum(tabulate(at[of], length(threshold))) / sum(of))
  }
  data.frame(true_rate = share(positive), false_rate = share(!positive))
}

# Returns the true positive rates at given false positive rates: at a step the
# upper end, within a tie the line that joins its ends.
rate_at <- function(points, rates) {
  last <- findInterval(rates, points$false_rate)
  following <- pmin(last + 1L, nrow(points))
  run <- points$false_rate[following] - points$false_rate[last]
  rise <- points$true_rate[following] - points$true_rate[last]
  points$true_rate[last] +
    ifelse(run > 0, rise * (rates - points$false_rate[last]) / run, 0)
}
