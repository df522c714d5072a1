# Layer: evaluate. validate() says what a model gets right on samples that it
# has not seen, with exact intervals.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Errors of a fit on new samples, or of a curve on its test parts
#'
#' Compares predictions with the known classes of samples that took no part in
#' the fit, such as an external cohort, or those of a curve's test parts: the
#' confusion table, and sensitivity, specificity and predictive values with
#' intervals.
#'
#' @details
#' With two classes `positive` says which one is to be found. With more, each
#' class is compared with the rest. Of new samples, intervals of shares are
#' exact (Clopper, Pearson). That of the area under the ROC curve (AUC) is
#' DeLong's on the logit scale: with a the area and v its variance, logit(a) +-
#' 1.96 sqrt(v) / (a (1 - a)), turned back. If all samples are in order, it is
#' the exact interval of a share of the smaller class. In a curve, counts are
#' means over repetitions, and intervals are those of a curve (see
#' [hitmiss_curve-methods]).
#'
#' **Patients.** With `group`, or a curve that has one, each patient, donor or
#' animal counts as one: shares are means over patients of the shares of their
#' samples. Intervals are Wilson's, with as many samples as these are worth,
#' from the number of patients to that of samples; the variance of the AUC is by
#' patients. The confusion table counts samples. With 8 + 8 patients of five
#' samples, intervals that take samples as independent hold .81 to .86 of what
#' they say is .95.
#'
#' **Pairs.** For a fit of pairs a pair is one unit, wrong where any of its
#' samples is: the error is that of saying which of two samples of one pair is
#' which. Pairs whose samples are of one class do not count; there are no
#' measures by class. For other fits `pair` is a `group`.
#'
#' **Survival times.** The rows are Harrell's and Uno's C, the area under the
#' ROC curve (AUC) of those with an event by the `horizon` (also at it, unlike
#' package timeROC) against those followed for longer, the Brier score at the
#' horizon and its integral up to it (as in [error_curve()], weighted by the
#' censoring times of the new samples), and the observed number of events by the
#' horizon (Kaplan-Meier) as a multiple of the predicted one. Standard errors
#' are roots of the sum of squares of what each sample adds to a measure (its
#' influence, added up by patients; censoring weights as known): for both C
#' those of [survival::concordance()] with `cluster`. Intervals of C and the AUC
#' are on the logit scale, of observed / expected on the logarithmic one.
#' `$calibration` has predicted and observed events at the horizon by fourths of
#' risk, with Wilson's intervals for S (1 - S) / v samples, with v Greenwood's
#' variance, and `plot()` draws it; `$reference` the measures of the
#' Kaplan-Meier curve of the training samples. For an error curve, C compares
#' samples of the same test part only, because their risks come from one model.
#'
#' A warning of class `hitmiss_warning_known` names new samples that are equal
#' to training samples.
#'
#' Samples that are not predicted, because a needed feature is missing, are left
#' out; `$left_out` is their number.
#'
#' @param x A fit, or the result of [error_curve()] with `keep = TRUE`.
#' @param new New samples, as in [predict()][predict.hitmiss].
#' @param truth Their classes or survival times, or the name of the column of
#'   `new` that has them.
#' @param selector,size Which predictions of a curve: by default those of the
#'   first selector, at the size that each training part chose (`nested`), else
#'   at the size of [best_size()], which is optimistically biased.
#' @param level Level of the intervals.
#' @param n How many features predict, as in [predict()][predict.hitmiss].
#' @param group,pair The patient, or matched pair, of each new sample: values,
#'   or the name of a column of `new` (see [hitmiss-designs]).
#' @param positive Of two classes the positive one, whose samples are to be
#'   found: sensitivity is the share of them that is. `NULL`: that of the curve,
#'   or the first level, as in packages caret and yardstick (of logical labels
#'   `TRUE`); a message names it.
#' @param horizon For survival times: see [error_curve()].
#' @param threshold,prevalence `NULL`, or a cut-off for the score of the
#'   positive class, and the share of that class where the test is to be used:
#'   see Cut-off and prevalence.
#' @param ... For a fit: further arguments of [predict()][predict.hitmiss]. For
#'   a curve it must be empty.
#' @return A [result][hitmiss-results] with a row for each measure: `measure`,
#'   `class`, `estimate`, `lower`, `upper`, `n` (the samples that it is a share
#'   of). `$confusion` is the table of predictions by true class, and `print()`
#'   shows it; `$positive` is the positive one of two classes. `glance()` has
#'   the `threshold` and `prevalence` that were given.
#' @references
#' `r reference("auc_variance")`
#' @examples
#' toy <- simulate_microarray(samples = c(40, 40), genes = 100)
#' old <- seq_along(toy$y) %% 2 == 0
#' fit <- relief(toy$x[old, ], toy$y[old], threads = 1)
#' validate(fit, toy$x[!old, ], toy$y[!old], positive = "class2")
#' # A cut-off that misses fewer, for use where one in 100 is of class2:
#' validate(fit, toy$x[!old, ], toy$y[!old],
#'   positive = "class2", threshold = 0.3, prevalence = 0.01
#' )
#' @export
validate <- function(x, ...) UseMethod("validate")

#' @exportS3Method
validate.default <- function(x, ...) {
  if (missing(x)) abort_missing("x")
  abort_input(
    "{.arg x} must be a fit, or the result of {.fn error_curve}, not
     {describe(x)}.", "x"
  )
}

#' @rdname validate
#' @export
validate.hitmiss <- function(x, new, truth, ..., n = NULL, group = NULL,
                             pair = NULL, positive = NULL, horizon = NULL,
                             threshold = NULL, prevalence = NULL,
                             level = 0.95) {
  check_fit(x)
  if (missing(new)) abort_missing("new")
  truth <- force_given(truth, "truth")
  group <- force_given(group, "group")
  pair <- force_given(pair, "pair")
  level <- check_number(level, above = 0, below = 1)
  positive_class(positive, x$classes)
  cutoff <- check_cutoff(threshold, prevalence)
  if ("type" %in% ...names()) {
    abort_input(
      "{.arg type} is no argument of {.fn validate}, which needs predictions of
       all types.", "type"
    )
  }
  # A fit of pairs needs them to predict; for others they are units only.
  in_pairs <- !is.null(x$design$pair)
  once <- once_by_class()
  ask <- function(type, ...) {
    once(stats::predict(
      x, new, type = type, n = n, pair = if (in_pairs) pair, ...
    ))
  }
  predicted <- ask(fit_kind(x)$types[[1L]], ...)
  given <- Filter(Negate(is.null), list(group = group, pair = pair))
  values <- Map(new_column, given, list(new), arg = names(given))
  samples <- list(y = predicted, samples = names(predicted))
  codes <- Map(sample_codes, list(samples), values, names(given))
  names(codes) <- names(given)
  counted <- setdiff(names(given), if (in_pairs) "pair")
  design <- new_design(length(predicted), codes[counted],
    name = Find(\(values) is_texts(values, 1L), given[counted])
  )
  fit_kind(x)$validate(
    x, new, truth, predicted, ask, design, if (in_pairs) codes$pair, positive,
    horizon, level, match.call(), cutoff, ...
  )
}

validate_classes <- function(x, new, truth, predicted, ask, design, pair,
                             positive, horizon, level, call, cutoff, ...) {
  if (!is.null(horizon)) {
    abort_input("{.arg horizon} needs a fit to survival times.", "horizon")
  }
  prob <- ask("prob", ...)
  truth <- known_classes(truth, new, predicted, x)
  known <- !is.na(truth) & !is.na(predicted)
  table <- list2DF(list(
    repetition = rep(1L, sum(known)), split = rep(1L, sum(known)),
    sample = which(known), truth = truth[known], predicted = predicted[known]
  ))
  table$score <- prob[known, , drop = FALSE]
  table$pair <- pair[known]
  if (!is.null(pair)) table$pair_size <- pair_sizes(pair)[known]
  new_validation(
    table, positive, level, call,
    lines = c(
      new_samples_line(known, warn_known_samples(x, new, pair), design),
      paired_line(x$design)
    ), left_out = sum(!known), cutoff, design = design
  )
}

#' The true classes of new samples, or an error that says why not
#' @param truth As the user gave it. @param predicted What predict() gives.
#' @param of Name of the argument with the samples.
#' @return A factor with the levels of the fit.
#' @noRd
known_classes <- function(truth, new, predicted, fit, of = "new") {
  # A single string may be the class of a single sample.
  if (length(predicted) != 1L) truth <- new_column(truth, new, of)
  truth <- plain_vector(truth)
  if (is.factor(truth)) check_factor(truth, "truth")
  if (!is.atomic(truth)) {
    abort_input(
      "{.arg truth} must hold classes, not {describe(truth)}.", "truth"
    )
  }
  names_of <- if (is.null(sample_table(new))) "rownames" else "colnames"
  order <- sprintf("%s(%s)", names_of, of)
  check_matched(
    truth, length(predicted), names(predicted), "truth", names(fit$scores), of,
    order
  )
  unknown <- setdiff(as.character(truth), c(fit$classes, NA))
  if (length(unknown) > 0L || all(is.na(truth))) {
    abort_input(c(
      "{.arg truth} must hold the classes of the fit, {.val {fit$classes}}, not
       {.val {unknown}}.",
      i = "A class that is not known must be NA."
    ), "truth")
  }
  factor(as.character(truth), fit$classes, ordered = is.ordered(predicted))
}

# If a string names a column, its values are taken: a data.frame may hold them
# beside the features.
new_column <- function(values, new, of = "new", arg = "truth") {
  if (is.data.frame(new) && is_texts(values, 1L) && values %in% names(new)) {
    new[[values]]
  } else {
    design_column(values, new, arg, of)
  }
}

#' @rdname validate
#' @export
validate.hitmiss_curve <- function(x, selector = NULL, size = NULL, ...,
                                   positive = NULL, threshold = NULL,
                                   prevalence = NULL, level = 0.95) {
  check_no_dots(...)
  cutoff <- check_cutoff(threshold, prevalence)
  level <- check_number(level, above = 0, below = 1)
  check_curve(x, "x")
  selector <- check_curve_selector(x, selector)
  table <- kept_predictions(x)
  if (is.null(size) && !is.null(x$chosen)) {
    sizes <- x$chosen$size
    words <- "that which each training part chose"
  } else {
    best <- is.null(size) && length(x$sizes) > 1L
    sizes <- check_curve_size(x, size, selector)
    words <- paste0(sizes, if (best) ", the best of all (optimistic)")
  }
  n_splits <- length(x$splits)
  table <- predictions_at(
    table, matrix(sizes, n_splits, length(x$selectors))
  )
  table <- table[table$selector == selector & !is.na(table$predicted), ]
  lines <- c(sprintf(
    "Held-out predictions of %s, size: %s (%s)", selector, words,
    resampling_words(x$resampling, x$design)
  ), paired_line(x$design))
  curve_kind(x)$validate_curve(
    x, table, positive, level, match.call(), lines, cutoff
  )
}

validate_held_out_classes <- function(x, table, positive, level, call, lines,
                                      cutoff) {
  table$repetition <- repetition_of(x$splits)[table$split]
  if (!is.null(x$design$pair)) {
    table$pair <- x$design$pair[table$sample]
    table$pair_size <- pair_sizes(x$design$pair)[table$sample]
  }
  new_validation(
    table, positive %||% x$positive, level, call, lines, left_out = 0L,
    cutoff, curve = x
  )
}

# Returns the number of samples of the pair of each sample.
pair_sizes <- function(pair) {
  stats::ave(seq_along(pair), match(pair, pair), FUN = length)
}

# Counts the predictions by true class, the mean of repetitions.
mean_confusion <- function(table) {
  unclass(table(truth = table$truth, predicted = table$predicted)) /
    repetitions_of(table)
}

repetitions_of <- function(table) max(1L, length(unique(table$repetition)))

#' A share of predictions, with its interval
#'
#' That of held-out predictions is a curve's. That of new samples is exact, or
#' by their units.
#' @param hit Of each prediction: does it count? @param rows Of which ones.
#' @param about A curve, or what it would keep of new samples.
#' @return Data.frame: estimate, lower, upper, n.
#' @noRd
share_row <- function(hit, rows, table, about, level) {
  hit <- hit[rows]
  n <- length(hit) / repetitions_of(table)
  unit <- units_given(about$design, table$sample[rows])
  estimate <- if (n > 0) unit_mean(hit, unit) else NA_real_
  ends <- if (n == 0) {
    0:1
  } else if (isTRUE(about$new) && is.null(unit)) {
    unlist(exact_interval(sum(hit), n, level))
  } else {
    parts <- split(seq_along(hit), table$split[rows]) |>
      vapply(\(of) unit_mean(hit[of], unit[of]), 0)
    z <- interval_z(level, unit)
    n_worth <- effective_size(hit, held_out(list(table[rows, ]), about),
      times = nrow(table) / length(unique(table$sample)))
    farther(estimate, splits_half(parts, about, z),
      wilson_interval(estimate, n_worth, z))
  }
  ends <- with_estimate(pmin(1, pmax(0, ends)), estimate)
  data.frame(estimate = estimate, lower = ends[[1L]], upper = ends[[2L]], n = n)
}

#' The error of pairs, each of them one unit
#'
#' @param table See new_validation(); with `pair` and `pair_size`, the
#'   number of its samples, also of those without a class or a prediction.
#' @return As new_validation().
#' @noRd
pair_validation <- function(table, level, call, lines, left_out, about) {
  unit <- paste(table$split, match(table$pair, unique(table$pair)))
  of_unit <- function(values, fun) stats::ave(values, unit, FUN = fun)
  # Where all samples of a pair are of one class, none is told from another.
  differ <- of_unit(as.integer(table$truth), \(y) length(unique(y))) > 1L
  wrong <- of_unit(table$truth != table$predicted, any)
  one <- !duplicated(unit)
  whole <- of_unit(unit, length) == table$pair_size
  same <- sum(one & !differ & whole) / repetitions_of(table)
  part <- sum(one & !differ & !whole) / repetitions_of(table)
  error <- data.frame(
    measure = "error of pairs", class = "all",
    share_row(wrong, which(one & differ), table, about, level)
  )
  new_result("validation", error, call = call, lines = lines,
    confusion = mean_confusion(table[differ, ]), left_out = left_out,
    level = level,
    glance = list(n = error$n, error = error$estimate, left_out = left_out),
    shown = list(error), notes = c(
      if (same > 0) {
        in_words("{same} pair{?s} of samples of one class {?is/are} left out.")
      },
      if (part > 0) {
        in_words("{part} pair{?s} {?lacks/lack} the class or the prediction of a
                  sample and {?is/are} left out.")
      },
      left_out_words(left_out)
    )
  )
}

left_out_words <- function(left_out) {
  if (left_out > 0L) {
    in_words("{left_out} sample{?s} without a class or a prediction.")
  }
}

#' @param predictions Table: repetition, split, sample, truth, predicted, score,
#'   and of pairs also pair and pair_size.
#' @param positive As the user gave it.
#' @param cutoff See check_cutoff().
#' @param curve The curve whose held-out predictions these are, or NULL.
#' @param design The design of new samples.
#' @noRd
new_validation <- function(predictions, positive, level, call, lines, left_out,
                           cutoff, curve = NULL, design = curve$design) {
  # New samples are one test part.
  about <- curve %||% list(
    new = TRUE, design = design, resampling = list(method = "holdout"),
    splits = list(list(train = 1L, test = 1L, repetition = 1L))
  )
  truth <- predictions$truth
  classes <- levels(truth)
  given <- !is.null(positive)
  positive <- positive_class(positive, classes)
  if (is.null(positive) || !is.null(predictions$pair)) refuse_cutoff(cutoff)
  if (!is.null(predictions$pair)) {
    return(pair_validation(predictions, level, call, lines, left_out, about))
  }
  predicted <- called_classes(predictions, cutoff$threshold, positive)
  predictions$predicted <- predicted
  confusion <- mean_confusion(predictions)
  row <- function(measure, class, hit, rows) {
    data.frame(
      measure = measure, class = class,
      share_row(hit, which(rows), predictions, about, level)
    )
  }
  rows <- lapply(positive %||% classes, function(class) {
    is <- truth == class
    called <- predicted == class
    rbind(
      row("sensitivity", class, called, is),
      row("specificity", class, !called, !is),
      row("positive predictive value", class, is, called),
      row("negative predictive value", class, !is, !called),
      auc_row(predictions, class, level, about)
    )
  })
  n <- sum(confusion)
  error <- row("error", "all", truth != predicted, !is.na(truth))
  if (!is.null(curve)) {
    # The interval is the curve's, round its mean over splits.
    found <- metric_row(predictions, class_metrics$error, curve, level)
    ends <- with_estimate(found[c("lower", "upper")], error$estimate)
    error[c("lower", "upper")] <- as.list(ends)
  }
  table <- rbind(error, do.call(rbind, rows)) |>
    at_prevalence(cutoff$prevalence)
  rownames(table) <- NULL
  if (!is.null(positive)) {
    found <- sprintf(
      "%g of %g found", signif(confusion[positive, positive], 4L),
      sum(confusion[positive, ])
    )
    if (!given) inform_positive(positive, found)
    lines <- c(
      lines, sprintf("Positive class: %s (%s)", positive, found),
      cutoff_lines(cutoff, positive)
    )
  }
  new_result("validation", table, call = call,
    lines = lines, confusion = confusion, positive = positive,
    left_out = left_out, level = level,
    glance = c(
      list(n = n, error = table$estimate[[1L]], left_out = left_out), cutoff
    ),
    shown = list(
      confusion_table(confusion),
      if (is.null(positive)) by_class(table, classes) else table
    ), notes = c(
      sprintf(
        "%s: %g %% interval, %s.", if (!is.null(positive)) {
          "lower, upper"
        } else {
          # The table by class has no room for its intervals.
          sprintf(
            "Error %s; [ ], and lower and upper of as.data.frame()",
            sprintf("%.3f [%.2f, %.2f]", table$estimate[[1L]],
              table$lower[[1L]], table$upper[[1L]]
            )
          )
        }, 100 * level,
        if (!is.null(curve)) {
          "that of a curve"
        } else if (!has_several(design)) {
          "exact for shares, DeLong's for the AUC"
        } else {
          paste0("by ", unit_words(design), ": each counts as one")
        }
      ),
      left_out_words(left_out)
    )
  )
}

# Prepares the counts for print(): if the names of the classes are too long to
# head columns, their numbers stand there.
confusion_table <- function(confusion) {
  names <- cut_names(rownames(confusion), 16L)
  heads <- names
  if (sum(nchar(heads) + 1L) > getOption("width") - 30L) {
    heads <- as.character(seq_along(names))
    names <- paste(format(heads), names)
  }
  table <- data.frame(names, signif(unname(confusion), 4L))
  stats::setNames(table, c("true class, predicted:", heads))
}

# Puts the measures of each class side by side.
by_class <- function(table, classes) {
  rows <- table[-1L, ] # the first is the error of all
  measures <- c("sensitivity", "specificity", "PPV", "NPV", "AUC")
  data.frame(
    class = cut_names(classes, 16L), n = rows$n[rows$measure == "sensitivity"],
    matrix(rows$estimate, length(classes),
      byrow = TRUE, dimnames = list(NULL, measures)
    )
  )
}

# Takes the mean over repetitions.
auc_row <- function(predictions, class, level, about) {
  two <- factor(predictions$truth == class, c(TRUE, FALSE))
  table <- list2DF(list(
    split = predictions$split, sample = predictions$sample, truth = two,
    predicted = two
  ))
  table$score <- cbind(predictions$score[, class])
  area <- metric_row(table, class_metrics$auc, about, level)
  data.frame(
    measure = "AUC", class = class, estimate = area$mean, lower = area$lower,
    upper = area$upper, n = length(two) / repetitions_of(predictions)
  )
}

# Returns the estimate of a metric of predictions at one size.
metric_row <- function(table, metric, about, level) {
  table$size <- rep(1, nrow(table))
  metric_estimate(
    list(table), size_values(table, metric, about), metric, about, level
  )
}
