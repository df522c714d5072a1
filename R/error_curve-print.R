# Printing and tabulating a curve: protocol, one line per selector, no computing
# beyond means.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Methods for error curves
#'
#' @description
#' `print()` shows in at most 15 lines how the error was measured and what it
#' is: for every selector the mean over sizes, the best mean of all sizes
#' (optimistically biased: do not quote it), with `nested` the result at the
#' size that each training part chose, and how many features were used; the
#' standard error follows `+-`. `summary()` describes what was done, in words
#' for a methods section, and adds the table by size, the time in seconds, and
#' what failed. `as.data.frame()` gives the results by selector, size and split,
#' or all predictions; `tidy()` gives the means by size, `glance()` one row per
#' selector.
#'
#' @details
#' **Standard errors** (`se` of `tidy()`, `aggregate_se` and `chosen_se` of
#' `glance()`, the print, the ribbon of `plot()`, [best_size()]) are corrected
#' for overlapping training parts, as [compare_selectors()] does it: with sd the
#' standard deviation over the K splits,
#' \deqn{se = sd \sqrt{1/K + n_{test}/n_{train}}}{%
#'   se = sd sqrt(1/K + n_test/n_train)}
#' (Nadeau, Bengio 2003), where the ratio is 1/(k - 1) in k-fold
#' cross-validation. The plain sd / sqrt(K) treats splits of one data set as
#' independent data sets: over 20 half splits it is 4.6 times smaller, and it
#' goes to 0 with more splits of the same few samples. The correction is
#' conservative where the test part is as large as the training part, and
#' useless where it is much larger. The table shows, in percentage points, the
#' measured standard deviation of the mean between data sets of one population
#' (5 of 200 genes by their t statistic, 80 samples, 150 data sets;
#' `tests/bench/standard_errors.R`), and the plain and the corrected standard
#' error computed from one data set:
#'
#' | resampling | between data sets | plain | corrected |
#' |---|---|---|---|
#' | 20 splits of 85 % | 5.1 | 2.6 | 5.4 |
#' | 10 folds | 6.5 | 4.7 | 6.9 |
#' | 4 times 5 folds | 4.7 | 2.3 | 5.5 |
#' | leave-one-out (100 data sets) | 7.6 | 4.9 | 6.9 |
#' | 20 half splits | 3.9 | 1.7 | 7.7 |
#' | 20 splits of 10 % | 2.2 | 1.7 | 22.4 |
#'
#' Splits without a value are left out. A single split has no standard error
#' (`NA`), and neither has a metric that is computed from the predictions of
#' several splits together (see [error_curve()]): the values of such a metric
#' differ only by the draw of the folds, not by the draw of the samples.
#'
#' **Predictions** (`as.data.frame(curve, "predictions")`): a row for each test
#' sample of each split, at each size: `selector`, `size`, `split`,
#' `repetition`, `sample` (its position), `truth`, `predicted`, and a column
#' `score_<class>` for each class if any classifier gives class scores: for
#' `"knn"` and most fits (`"own"`) the share of votes, for support vector
#' machines decision values. With two classes, AUC is computed from the scores
#' of the second one. Other packages can use the table:
#' `pROC::roc(one$truth, one$score_b, direction = "<")`, where `one` holds the
#' rows of one selector, size and split.
#'
#' **Text**: `format(summary(curve))` has the elements `data` (samples, classes,
#' groups, features), `validation` (splits, preparation), `selection` (selectors
#' as they were given, numbers of features, how their number was chosen),
#' `classifier`, `result` (the metric with its standard error: with `nested` at
#' the chosen size, otherwise the mean over sizes) and `software` (versions when
#' the curve was made).
#'
#' @param x,object The result of [error_curve()]; for `format()` and
#'   `as.character()` the result of `summary()`.
#' @param row.names A single string here is taken as `what`; otherwise not used.
#' @param optional Not used.
#' @param ... Must be empty.
#' @param what `"results"`, or `"predictions"`, for which the curve must have
#'   been made with `keep = TRUE` (else an error of class
#'   `hitmiss_error_predictions`).
#' @return `as.data.frame()`, `tidy()`, `glance()`: data frames. `summary()`: an
#'   object with a print method; `format()` of it gives a named character vector
#'   of one or two sentences each, `as.character()` the same without names.
#'   `print()`: `x`, invisibly.
#' @examples
#' toy <- simulate_microarray(n = c(12, 12), genes = 100)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief),
#'   sizes = c(1, 5, 20), resampling = holdout(times = 4)
#' )
#' tidy(curve)
#' glance(curve)
#' head(as.data.frame(curve, "predictions"))
#' writeLines(format(summary(curve)))
#' @references
#' `r reference("corrected_se")`
#' @name hitmiss_curve-methods
NULL

#' @rdname hitmiss_curve-methods
#' @export
as.data.frame.hitmiss_curve <- function(x, row.names = NULL, optional = FALSE,
                                        ..., what = "results") {
  check_no_dots(...)
  check_whole(x)
  # as.data.frame(curve, "predictions"): the generic has row.names in that
  # place.
  by_place <- missing(what) && is.character(row.names) &&
    length(row.names) == 1L
  if (by_place) what <- row.names
  switch(check_choice(what, c("results", "predictions"), "what"),
    results = x$results, predictions = predictions_table(x)
  )
}

#' @rdname hitmiss_curve-methods
#' @export
tidy.hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  table <- x$summary
  table$se <- curve_se(x)$sizes
  table
}

#' @rdname hitmiss_curve-methods
#' @export
glance.hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  best <- curve_best(x)
  se <- curve_se(x)
  table <- data.frame(
    selector = x$selectors, metric = x$metric, aggregate = x$aggregate$mean,
    aggregate_sd = x$aggregate$sd, aggregate_se = se$aggregate,
    best_optimistic = best$mean, best_size = best$size
  )
  if (!is.null(x$chosen_summary)) {
    table$chosen <- x$chosen_summary$mean
    table$chosen_sd <- x$chosen_summary$sd
    table$chosen_se <- se$chosen
  }
  table$all_features <- x$baseline$mean[[1L]]
  table$largest_class <- x$baseline$mean[[nrow(x$baseline)]]
  table$n_groups <- x$n_groups
  table
}

# Called `smallest` in 0.1.0, also where the largest was meant.
curve_best <- function(x) x[["best"]] %||% x[["smallest"]]

#' @rdname hitmiss_curve-methods
#' @export
print.hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  cat(to_width(strtrim(protocol_lines(x), 200L)), sep = "\n")
  table <- curve_table(x)
  most <- 6L
  print(utils::head(table, most), row.names = FALSE, right = FALSE)
  if (nrow(table) > most) {
    cat("... and", nrow(table) - most, "more selectors: see summary()\n")
  }
  cat(to_width(c(baseline_line(x), curve_notes(x))), sep = "\n")
  invisible(x)
}

# No line is wider than the console or the page.
to_width <- function(lines) {
  strwrap(lines, getOption("width"), exdent = 2L)
}

protocol_lines <- function(x) {
  classes <- paste(x$classes, x$class_sizes)
  c(
    sprintf(
      "Error curve: %s x %d features, %d classes (%s)", samples_words(x),
      length(x$features), length(x$classes), listed(classes, 5L)
    ),
    paste0("Protocol: ", protocol_words(x)),
    if (!is.null(x$prepare)) {
      paste0(
        "Prepared inside each training part: ",
        paste(x$prepare, collapse = "; ")
      )
    },
    sprintf(
      "Classifier: %s%s; metric: %s", listed(unique(x$classifier), 3L),
      if (!is.null(x$tune)) ", tuned on each training part" else "",
      curve_metrics[[x$metric]]$label
    )
  )
}

protocol_words <- function(x) {
  paste0(
    resampling_words(x$resampling, !is.null(x$n_groups)),
    "; all fitted on each training part",
    if (!is.null(x$nested)) {
      paste0(
        "; size chosen on it by ",
        resampling_words(x$nested, !is.null(x$n_groups))
      )
    }
  )
}

# One line per selector, as text.
curve_table <- function(x) {
  best <- if (curve_metrics[[x$metric]]$larger) "largest" else "smallest"
  se <- curve_se(x)
  at_size <- function(table, se) {
    ifelse(is.na(table$mean), "no value",
      sprintf(
        "%s at %s", plus_minus(table$mean, se), format(table$size, trim = TRUE)
      )
    )
  }
  table <- data.frame(
    selector = x$selectors, mean = plus_minus(x$aggregate$mean, se$aggregate),
    best = at_size(curve_best(x), se$best)
  )
  names(table)[2:3] <- c("mean over sizes", paste(best, "(optimistic)"))
  if (!is.null(x$chosen_summary)) {
    table[["at nested size"]] <- at_size(x$chosen_summary, se$chosen)
  }
  table[["features"]] <- vapply(x$selectors, used_words, "", x = x)
  table
}

plus_minus <- function(mean, se) {
  ifelse(is.na(mean), "no value",
    ifelse(is.na(se), sprintf("%.3f", mean), sprintf("%.3f +- %.3f", mean, se))
  )
}

used_words <- function(selector, x) {
  mine <- x$summary[x$summary$selector == selector, ]
  if (all(is.na(mine$n_used))) {
    return("none")
  }
  range <- format(signif(range(mine$n_used, na.rm = TRUE), 3L), trim = TRUE)
  paste0(
    paste(unique(range), collapse = " to "),
    if (any(used_fewer(mine))) "*" else ""
  )
}

used_fewer <- function(table) {
  !is.na(table$n_used) & table$n_used < table$size - 1e-9
}

baseline_line <- function(x) {
  paste0("Without selection: ", paste(
    gsub("[()]", "", x$baseline$name),
    # Curves of 0.1.0 have no standard error of these.
    plus_minus(x$baseline$mean, x$baseline$se %||% NA_real_),
    collapse = "; "
  ))
}

curve_notes <- function(x) {
  empty <- sum(x$results$empty, na.rm = TRUE)
  absent <- x$metric == "balanced_error" && !is_pooled(x$metric, x$resampling)
  absent <- if (absent) splits_lacking_class(x) else 0L
  lost <- undefined_splits(x)
  c(
    if (any(used_fewer(x$summary))) "*: fewer than requested.",
    if (is_pooled(x$metric, x$resampling)) {
      sprintf(
        paste(
          "No standard error: the %s is computed from the predictions of many",
          "splits together."
        ),
        curve_metrics[[x$metric]]$label
      )
    } else if (!all(is.na(x$aggregate$sd))) {
      paste0("+- is one ", se_words, ".")
    },
    if (empty > 0L) {
      sprintf(
        "%d empty selection%s predicted the largest class.", empty,
        if (empty == 1L) "" else "s"
      )
    },
    if (nrow(x$failures) > 0L) {
      sprintf(
        "%d fit%s failed and left no value: see $failures.", nrow(x$failures),
        if (nrow(x$failures) == 1L) "" else "s"
      )
    },
    if (lost > 0L) {
      sprintf(
        "%d test part%s no %s: a single class in the part.", lost,
        if (lost == 1L) " has" else "s have", curve_metrics[[x$metric]]$label
      )
    },
    if (length(x$labelled_only) > 0L) {
      sprintf(
        "Takes no unlabelled samples, fitted to the labelled only: %s.",
        listed(x$labelled_only)
      )
    },
    if (absent > 0L) {
      sprintf(
        "%d test parts lack a class; the mean is over the others.", absent
      )
    },
    if (x$redrawn > 0L) {
      sprintf(
        "%d splits lacked a class in training and were redrawn.", x$redrawn
      )
    }
  )
}

# An AUC needs two classes in the test part. Splits that failed count elsewhere.
undefined_splits <- function(x) {
  if (is_pooled(x$metric, x$resampling)) {
    return(0L)
  }
  rows <- x$results[!is.na(x$results$n_used) & is.na(x$results$value), ]
  length(unique(rows$split))
}

# From the predictions where they were kept; else unknown.
splits_lacking_class <- function(x) {
  if (is.null(x$predictions)) {
    return(0L)
  }
  first <- x$predictions$size == x$sizes[[1L]] &
    x$predictions$selector == x$selectors[[1L]]
  here <- table(x$predictions$split[first], x$predictions$truth[first])
  sum(rowSums(here > 0) < length(x$classes))
}
