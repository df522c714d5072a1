# Layer: evaluate. A curve is printed and tabulated here, from its tables:
# nothing but standard errors is computed.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Methods for error curves
#'
#' @description
#' `print()` shows how the error was measured and, for every selector, the mean
#' over sizes, the best mean of all sizes (optimistically biased: do not quote
#' it) and how many features were used. With `nested` it also shows the result
#' at the sizes that the training parts chose. In brackets stands the 95 %
#' interval of a mean.
#' `summary()` adds a sentence for a methods section, the table by size, the
#' time in seconds, and what failed. `as.data.frame()` gives the results by
#' selector, size and split, or all predictions; `tidy()` gives the means by
#' size, `glance()` one row per selector.
#'
#' @details
#' **Intervals** (`lower` and `upper` of `tidy()`, [best_size()], `glance()`,
#' the print, the ribbon of `plot()`, `validate(curve)`, [write_report()]) are
#' about the error, on new samples, of the fit to all samples, at a level of
#' 95 %. With p the mean error, se its standard error (see below) and W Wilson's
#' interval for n samples, \deqn{lower = max(0, min(p - 2 se, W_{lower}(p, n))),
#' \quad upper = min(1, max(p + 2 se, W_{upper}(p, n)))}{lower = max(0, min(p -
#' 2 se, W_lower(p, n))), upper = min(1, max(p + 2 se, W_upper(p, n)))}: splits
#' may agree by chance, while n samples still say nothing about errors rarer
#' than one in n. Splits keep the shares p_c of the classes, so that W is by
#' class: with h_c how far Wilson's interval of the class reaches, W reaches
#' sqrt(sum(p_c^2 h_c^2)) to each side (macro F1: by the errors of the classes;
#' p_c = 1 / C there and in the balanced error). Where samples are of groups or
#' pairs, n is the number of independent samples that are worth as much as they
#' are: of samples, divided by the ratio of the variance of the mean over groups
#' to that over samples, and at least the number of groups; a group is of the
#' class of most of its samples; and 2 and the quantile in W grow as those of a
#' t distribution with a degree of freedom less than groups. The area under the
#' ROC curve has DeLong's interval on the logit scale, or two standard
#' errors of the splits' areas, whichever is wider. C, the integrated Brier
#' score and functions of the user have 2 se to both sides.
#'
#' **Groups** count as one: an error is the mean over the groups of a test part
#' of the errors of their samples; so are the balanced error (in each class),
#' the share of right answers (micro F1) and the integrated Brier score.
#'
#' **Standard errors** (`se` of `tidy()`, `aggregate_se` and `chosen_se` of
#' `glance()`) are corrected for overlapping training parts: with sd the
#' standard deviation over the K splits, \deqn{se = sd \sqrt{1/K +
#' n_{test}/n_{train}}}{se = sd sqrt(1/K + n_test/n_train)} (Nadeau, Bengio
#' 2003), where the ratio is 1/(k - 1) in k-fold cross-validation. The plain sd
#' / sqrt(K) treats splits of one data set as independent data sets. The
#' correction is conservative where the test part is as large as the training
#' part, and useless where it is much larger. The table shows, in percentage
#' points, the measured standard deviation of the mean between data sets (5 of
#' 200 genes by their t statistic, 80 samples, 150 data sets;
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
#' The standard error of a share (an error) is at least half the distance to the
#' farther end of the Wilson interval of two standard errors for N samples (or
#' groups), so that it is not 0 where no sample is wrong. A single split has no
#' standard error (`NA`), and neither has a metric that is computed from the
#' predictions of several splits together (see [error_curve()]).
#'
#' **Predictions** (`as.data.frame(curve, "predictions")`): a row for each test
#' sample of each split, at each size: `selector`, `size`, `split`,
#' `repetition`, `sample` (its position), `truth`, `predicted`, and a column
#' `score_<class>` for each class if any classifier gives class scores: for
#' `"knn"` and most fits (`"own"`) the share of votes, for support vector
#' machines decision values. With two classes, AUC is computed from the scores
#' of the positive one. `pROC::roc(one$truth, one$score_b, direction = "<")`
#' takes the rows `one` of one selector, size and split.
#'
#' **Text**: `format(summary(curve))` is one sentence for a methods section:
#' selectors with their settings, samples and design, splits, version. A curve
#' does not know the seed: put it in.
#'
#' @param x,object The result of [error_curve()]; for `format()` the result of
#'   `summary()`.
#' @param n Largest number of selectors that `print()` shows; of the print of
#'   `summary()`, of rows of each of its tables (by default all).
#' @param row.names A single string here is taken as `what`.
#' @param optional Not used.
#' @param stringsAsFactors Turn texts of the table into factors?
#' @param ... Must be empty.
#' @param what `"results"`, or `"predictions"`, for which the curve must have
#'   been made with `keep = TRUE` (else an error of class
#'   `hitmiss_error_predictions`).
#' @return `as.data.frame()`, `tidy()`, `glance()`: data frames. `summary()`: an
#'   object that prints more; `format()` of it: a sentence. `print()`: `x`,
#'   invisibly.
#' @examples
#' toy <- simulate_microarray(samples = c(12, 12), genes = 100)
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
                                        ..., what = "results",
                                        stringsAsFactors = FALSE) {
  check_no_dots(...)
  check_curve(x, "x")
  # In as.data.frame(curve, "predictions") the text arrives as row.names, which
  # is the generic's second argument.
  by_place <- missing(what) && is.character(row.names) &&
    length(row.names) == 1L
  if (by_place) what <- row.names
  what <- check_choice(what, c("results", "predictions"), "what")
  table <- if (what == "results") x$results else predictions_table(x)
  with_factors(table, stringsAsFactors)
}

#' The predictions of a curve, or an error that says how to get them
#' @noRd
kept_predictions <- function(x) {
  if (is.null(x$predictions)) {
    abort(
      c(
        "this curve has no predictions: it was made with {.arg keep = FALSE}.",
        i = "Run {.fn error_curve} again with {.code keep = TRUE}."
      ),
      c("hitmiss_error_predictions", "hitmiss_error_input"),
      arg = "x"
    )
  }
  x$predictions
}

# Returns columns without a class, one for each score.
predictions_table <- function(x) {
  kept <- kept_predictions(x)
  kind <- curve_kind(x)
  score <- kept$score
  colnames(score) <- paste0(kind$prefix, colnames(score))
  repetition <- repetition_of(x$splits)
  table <- cbind(
    kept[c("selector", "size", "split")], repetition = repetition[kept$split],
    kept["sample"], kind$shown(kept)
  )
  if (all(is.na(score))) table else cbind(table, score)
}

#' @rdname hitmiss_curve-methods
#' @export
tidy.hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  check_curve(x, "x")
  tidy_table(size_means(x))
}

size_means <- function(x) {
  cbind(x$summary, se = unlist(lapply(x$values, function(values) {
    reported_se(asplit(values, 2L), x)
  }), use.names = FALSE))
}

#' @rdname hitmiss_curve-methods
#' @export
glance.hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  check_curve(x, "x")
  table <- data.frame(
    selector = x$selectors, metric = x$metric, aggregate = x$aggregate$mean,
    aggregate_sd = x$aggregate$sd,
    aggregate_se = reported_se(lapply(x$values, rowMeans), x),
    aggregate_lower = x$aggregate$lower, aggregate_upper = x$aggregate$upper,
    best_optimistic = x$best$mean, best_size = x$best$size
  )
  if (!is.null(x$chosen_summary)) {
    table$chosen <- x$chosen_summary$mean
    table$chosen_sd <- x$chosen_summary$sd
    table$chosen_se <- reported_se(split(x$chosen$value, x$chosen$selector), x)
    table$chosen_lower <- x$chosen_summary$lower
    table$chosen_upper <- x$chosen_summary$upper
  }
  table$all_features <- x$baseline$mean[
    match(x$all_features, x$baseline$name)
  ]
  table$random_features <- x$baseline$mean[[nrow(x$baseline) - 1L]]
  table[[curve_kind(x)$none]] <- x$baseline$mean[[nrow(x$baseline)]]
  table$n_groups <- n_groups(x$design)
  table
}

#' @rdname hitmiss_curve-methods
#' @export
print.hitmiss_curve <- function(x, n = 6, ...) {
  check_no_dots(...)
  n <- check_top(n)
  check_curve(x, "x")
  print_lines(c(
    sprintf(
      "Error curve: %s x %d features, %s", samples_words(x$design),
      length(x$features), outcome_words(x, TRUE)
    ),
    paste0("Protocol: ", protocol_words(x)),
    if (!is.null(x$prepare)) {
      paste0(
        "Prepared inside each training part: ",
        paste(x$prepare, collapse = "; ")
      )
    },
    curve_missing_line(x),
    sprintf(
      "Classifier: %s; metric: %s", listed(unique(x$classifier), 3L),
      metric_label(x)
    )
  ))
  print_curve_table(x, n)
  invisible(x)
}

# `sizes` adds the number of samples of each class.
outcome_words <- function(x, sizes = FALSE) {
  curve_kind(x)$curve_words(x, sizes)
}

print_curve_table <- function(x, n) {
  print_first(curve_table(x), n, "selectors: see summary()", right = FALSE)
  print_lines(c(paste0("Baselines: ", baseline_words(x)), curve_notes(x)))
}

baseline_words <- function(x) {
  paste(
    gsub("[()]", "", x$baseline$name), sprintf("%.3f", x$baseline$mean),
    collapse = ", "
  )
}

protocol_words <- function(x) {
  n_train <- paste(unique(range(x$results$n_train)), collapse = " to ")
  paste0(
    resampling_words(x$resampling, x$design),
    sprintf(
      "; trained on %s of %d samples (a model of all should err less)", n_train,
      x$n_samples
    ),
    if (!is.null(x$nested)) {
      paste0(
        "; size chosen on each training part by ",
        resampling_words(x$nested, x$design)
      )
    }
  )
}

# The best value is the smallest error, but the largest of a metric that is
# better when larger.
best_word <- function(x) {
  if (metric_of(x)$larger) "largest" else "smallest"
}

# Makes a line of text for each selector.
curve_table <- function(x) {
  at_size <- function(mean, size) {
    ifelse(mean == "no value", mean,
      sprintf("%s at %s", mean, format(size, trim = TRUE))
    )
  }
  table <- data.frame(selector = x$selectors, mean = with_interval(x$aggregate))
  names(table)[[2L]] <- metric_label(x)
  if (length(x$sizes) > 1L) {
    names(table)[[2L]] <- "mean over sizes"
    # A mean that is not to be quoted has no interval.
    best <- replace(x$best, "lower", NA_real_)
    table[["best (optimistic)"]] <- at_size(with_interval(best), best$size)
  }
  if (!is.null(x$chosen_summary)) {
    table[["at nested size"]] <- at_size(
      with_interval(x$chosen_summary), x$chosen_summary$size
    )
  }
  table[["features"]] <- vapply(split(x$summary, x$summary$selector),
    used_words, "", own = x$classifier == classifier_labels[["own"]]
  )
  table
}

#' How many features one selector used, with a star where fewer than requested
#'
#' A selector with a classifier of its own decides how many it uses.
#' @param table Its rows of the summary. @param own By selector: its classifier?
#' @noRd
used_words <- function(table, own) {
  if (all(is.na(table$n_used))) {
    return("none")
  }
  range <- vapply(
    signif(range(table$n_used, na.rm = TRUE), 3L), format, ""
  )
  fewer <- any(table$n_used < table$size - 1e-9, na.rm = TRUE)
  paste0(
    paste(unique(range), collapse = " to "),
    if (fewer && !own[[table$selector[[1L]]]]) "*"
  )
}

curve_notes <- function(x) {
  kind <- curve_kind(x)
  pooled <- is_pooled(metric_of(x), x$resampling)
  # A mean over classes does not exist for a test part that lacks one of them.
  lost <- x$results$split[!is.na(x$results$n_used) & is.na(x$results$value)]
  counted <- function(n, text) if (isTRUE(n > 0L)) in_words(text)
  c(
    paired_line(x$design, "."),
    if (any(endsWith(curve_table(x)$features, "*"))) {
      "*: fewer than requested."
    },
    if (!is.null(x$fixed)) sprintf("%s: %s.", names(x$fixed), x$fixed),
    if (!all(is.na(x$aggregate$lower))) {
      "In brackets: 95 % interval."
    } else if (pooled) {
      paste(
        "No interval: the", metric_label(x),
        "is computed from the predictions of many splits together."
      )
    },
    counted(sum(x$results$empty, na.rm = TRUE), kind$empty),
    counted(
      nrow(x$failures), "{n} fit{?s} failed and left no value: see $failures."
    ),
    if (!pooled) counted(length(unique(lost)), kind$lost),
    if (length(x$labelled_only) > 0L) {
      paste0(
        "Fitted to the labelled samples only, because they refuse samples ",
        "without a label: ", listed(x$labelled_only), "."
      )
    }
  )
}

# ---- summary: the sentence for a methods section, and all tables ------------

#' @rdname hitmiss_curve-methods
#' @export
summary.hitmiss_curve <- function(object, ...) {
  check_no_dots(...)
  check_curve(object, "object")
  structure(list(curve = object), class = "summary_hitmiss_curve")
}

#' @rdname hitmiss_curve-methods
#' @export
format.summary_hitmiss_curve <- function(x, ...) {
  check_no_dots(...)
  x <- check_curve(x$curve, "x$curve")
  paste0(
    "The ", metric_label(x), " of ", listed(unique(x$classifier)),
    " with features selected by ",
    listed(vapply(x$selectors, selector_words, "", x)),
    " (sizes: ", listed(integer_text(x$sizes), 20L), ") was estimated on ",
    samples_words(x$design), " x ", thousands(length(x$features)),
    " features, ", outcome_words(x, TRUE), ", by ", protocol_words(x),
    "; all steps, also scaling (", x$scale, ")",
    if (!is.null(x$prepare)) {
      sprintf(" and preparation (%s)", paste(x$prepare, collapse = "; "))
    },
    ", were learned on the training parts alone",
    curve_kind(x)$study_words(x),
    if (!is.null(x$design$pair)) {
      "; the error is that of saying which of two samples of one pair is which"
    },
    "; random seed: as set; hitmiss ", x$version, "."
  )
}

# Names a selector of a curve with the settings that a reader needs.
selector_words <- function(name, curve) {
  calls <- curve$settings[[name]]
  settings <- calls[[1L]]
  # kbfs() uses k for its manifold term alone.
  shown <- intersect(c(
    "method", "k"[is.null(settings$manifold)], "alpha", "sigma", "lambda", "n",
    "fraction", "drop", "tuned", "scale", "block", "group", "pair"
  ), names(settings))
  # A selector that is called for each size has settings that follow the size.
  shown <- Filter(\(of) length(unique(lapply(calls, `[[`, of))) == 1L, shown)
  if (length(shown) == 0L) {
    fixed <- curve$fixed[names(curve$fixed) == name]
    return(paste(c(name, sprintf("(%s)", fixed)), collapse = " "))
  }
  family <- settings$selector[[1L]]
  title <- if (family != "relief") {
    toupper(family)
  } else if ("method" %in% shown) {
    unlist(unname(relief_families))[[settings$method[[1L]]]]
  } else {
    family
  }
  if (family == "relief") shown <- setdiff(shown, "method")
  # A default follows its value.
  text <- parameter_text(lapply(settings[shown], `[[`, 1L))
  sprintf("%s (%s)", name, paste(c(title, text), collapse = ", "))
}

#' @export
print.summary_hitmiss_curve <- function(x, n = Inf, ...) {
  check_no_dots(...)
  n <- check_top(n)
  curve <- check_curve(x$curve, "x$curve")
  print_lines(c(format(x), ""))
  print_curve_table(curve, n)
  print_lines(c(
    "",
    "By size (se: standard error, corrected for overlapping training parts):"
  ))
  print_first(size_means(curve), n, "rows")
  cat("\nSeconds:\n")
  print_first(curve$seconds, n, "rows")
  if (nrow(curve$failures) > 0L) {
    cat("\nFailed:\n")
    print_first(curve$failures, n, "rows")
  }
  invisible(x)
}
