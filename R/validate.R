# Layer: evaluate. validate() says what a model gets right on samples that it
# has not seen, with exact intervals.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Errors of a fit on new samples, or of a curve on its test parts
#'
#' `validate(fit, new, truth)` compares the predictions of a fit with the known
#' classes of samples that took no part in it, such as an external cohort.
#' `validate(curve)` does the same for the held-out predictions of a curve. Both
#' give the confusion table, and sensitivity, specificity and predictive values
#' with intervals.
#'
#' @details
#' With two classes `positive` says which one is to be found. With more, each
#' class is compared with the rest. Intervals of shares are exact (Clopper,
#' Pearson). That of the area under the ROC curve (AUC) is DeLong's; if all
#' samples are in order, it is the exact interval of a share of the smaller
#' class. In a curve, repetitions predict the same samples: counts are their
#' means, and the intervals are those of the samples. They are about models of
#' the size of the training parts, and treat predictions of different folds as
#' independent. With `group` they also treat the samples of one group as
#' independent, and are too narrow where these are alike.
#'
#' **Pairs.** The samples of a pair are right or wrong together, so pairs are
#' counted: those that hold samples of different classes, of which any is
#' wrong. There are no measures by class.
#'
#' **Survival times.** The rows are Harrell's and Uno's C, the area under the
#' ROC curve (AUC) of those with an event by the `horizon` (also at it, where
#' package timeROC leaves them out) against those followed for longer, the Brier
#' score at the horizon and its integral up to it (as in [error_curve()],
#' weighted by the censoring times of the new samples), and the observed number
#' of events by the horizon (Kaplan-Meier) as a multiple of the predicted one.
#' Intervals are by the jackknife, which leaves out at most 200 parts of the
#' samples. `$calibration` has predicted and observed events at the horizon by
#' fourths of risk, with intervals (Greenwood), and `plot()` draws it;
#' `$reference` the measures of the Kaplan-Meier curve of the training samples.
#' For an error curve, C compares samples of the same test part only, because
#' their risks come from one model.
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
#' @param positive Of two classes the positive one, whose samples are to be
#'   found: sensitivity is the share of them that is. `NULL`: that of the curve,
#'   or the first level, as in packages caret and yardstick (of logical labels
#'   `TRUE`); a message names it.
#' @param horizon For survival times: see [error_curve()].
#' @param ... For a fit: further arguments of [predict()][predict.hitmiss]. For
#'   a curve it must be empty.
#' @return A [result][hitmiss-results] with a row for each measure: `measure`,
#'   `class`, `estimate`, `lower`, `upper`, `n` (the samples that it is a share
#'   of). `$confusion` is the table of predictions by true class, and `print()`
#'   shows it; `$positive` is the positive one of two classes.
#' @examples
#' toy <- simulate_microarray(samples = c(40, 40), genes = 100)
#' old <- seq_along(toy$y) %% 2 == 0
#' fit <- relief(toy$x[old, ], toy$y[old], threads = 1)
#' validate(fit, toy$x[!old, ], toy$y[!old], positive = "class2")
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
validate.hitmiss <- function(x, new, truth, ..., n = NULL, positive = NULL,
                             horizon = NULL, level = 0.95) {
  check_fit(x)
  if (missing(new)) abort_missing("new")
  truth <- force_given(truth, "truth")
  level <- check_number(level, above = 0, below = 1)
  positive_class(positive, x$classes)
  if ("type" %in% ...names()) {
    abort_input(
      "{.arg type} is no argument of {.fn validate}, which needs classes and
       their probabilities.", "type"
    )
  }
  if (fit_outcome(x) == "survival") {
    truth <- true_classes(truth, new)
    return(validate_times(x, new, truth, n, horizon, level, match.call(), ...))
  }
  if (!is.null(horizon)) {
    abort_input("{.arg horizon} needs a fit to survival times.", "horizon")
  }
  once <- once_by_class()
  predicted <- once(stats::predict(x, new, type = "class", n = n, ...))
  prob <- once(stats::predict(x, new, type = "prob", n = n, ...))
  truth <- known_classes(truth, new, predicted, x)
  known <- !is.na(truth) & !is.na(predicted)
  pair <- if (!is.null(x$pair_of)) {
    design_column(list(...)$pair, new, "pair", "new")
  }
  new_validation(
    list(list(
      truth = truth[known], predicted = predicted[known],
      score = prob[known, , drop = FALSE], pair = pair[known]
    )), positive, level, match.call(),
    lines = c(sprintf(
      "Predictions of %d samples that the fit has not seen", sum(known)
    ), pair_line(x)), left_out = sum(!known)
  )
}

#' The true classes of new samples, or an error that says why not
#' @param truth As the user gave it. @param predicted What predict() gives.
#' @param of Name of the argument with the samples.
#' @return A factor with the levels of the fit.
#' @noRd
known_classes <- function(truth, new, predicted, fit, of = "new") {
  # A single string may be the class of a single sample.
  if (length(predicted) != 1L) truth <- true_classes(truth, new, of)
  truth <- plain_vector(truth)
  if (is.factor(truth)) check_factor(truth, "truth")
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

# If a string names a column, its values are the classes: a data.frame may hold
# them beside the features.
true_classes <- function(truth, new, of) {
  if (is.data.frame(new) && is_texts(truth, 1L) && truth %in% names(new)) {
    new[[truth]]
  } else {
    design_column(truth, new, "truth", of)
  }
}

#' @rdname validate
#' @export
validate.hitmiss_curve <- function(x, selector = NULL, size = NULL, ...,
                                   positive = NULL, level = 0.95) {
  check_no_dots(...)
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
    resampling_words(x$resampling, !is.null(x$n_groups))
  ), if (isTRUE(x$paired)) paired_error, group_words(x))
  if (!is.null(x$study)) {
    positive_class(positive, character())
    return(validate_held_out(x, table, level, match.call(), lines))
  }
  repetition <- vapply(x$splits, `[[`, 0L, "repetition")[table$split]
  if (isTRUE(x$paired)) table$pair <- x$group[table$sample]
  columns <- intersect(c("truth", "predicted", "score", "pair"), names(table))
  new_validation(
    unname(split(table[columns], repetition)),
    positive %||% x$positive, level, match.call(), lines, left_out = 0L
  )
}

# Says what the intervals of samples in groups leave out.
group_words <- function(curve) {
  if (!is.null(curve$n_groups) && !isTRUE(curve$paired)) {
    sprintf(
      paste(
        "The samples are of %d groups; intervals count samples, and are too",
        "narrow where those of one group are alike."
      ), curve$n_groups
    )
  }
}

mean_confusion <- function(parts) {
  Reduce(`+`, lapply(parts, function(part) {
    unclass(table(truth = part$truth, predicted = part$predicted))
  })) / length(parts)
}

#' The errors of pairs that hold samples of different classes
#'
#' @param parts See new_validation(); with `pair`.
#' @return As new_validation().
#' @noRd
pair_validation <- function(parts, level, call, lines, left_out) {
  # Pairs whose samples are of one class say nothing.
  parts <- lapply(parts, function(part) {
    part$differ <- stats::ave(
      as.integer(part$truth), part$pair, FUN = \(y) length(unique(y))
    ) > 1L
    part
  })
  counts <- rowMeans(vapply(parts, function(part) {
    pairs <- function(rows) length(unique(part$pair[rows]))
    c(
      wrong = pairs(part$differ & part$truth != part$predicted),
      n = pairs(part$differ), same = pairs(!part$differ)
    )
  }, c(wrong = 0, n = 0, same = 0)))
  confusion <- mean_confusion(lapply(parts, function(part) {
    lapply(part[c("truth", "predicted")], `[`, part$differ)
  }))
  n <- counts[["n"]]
  table <- data.frame(
    measure = "error of pairs", class = "all",
    estimate = if (n > 0) counts[["wrong"]] / n else NA_real_,
    exact_interval(counts[["wrong"]], n, level), n = n
  )
  new_result("validation", table, call = call,
    lines = c(lines, pair_error_words(table, confusion, level)),
    confusion = confusion, left_out = left_out, level = level,
    glance = list(n = n, error = table$estimate, left_out = left_out),
    shown = list(table), notes = c(
      if (counts[["same"]] > 0) {
        sprintf(
          "%g %s whose samples are of one class %s left out.",
          counts[["same"]], if (counts[["same"]] == 1) "pair" else "pairs",
          if (counts[["same"]] == 1) "is" else "are"
        )
      },
      left_out_words(left_out)
    )
  )
}

pair_error_words <- function(total, confusion, level) {
  if (total$n == 0) {
    return("No pair holds samples of different classes.")
  }
  classes <- rownames(confusion)
  two <- length(classes) == 2L && sum(confusion) == 2 * total$n
  c(
    sprintf(
      paste(
        "In held-out pairs of %s, %s in %g of %g pairs (%.1f %%; %g %%",
        "interval %.1f to %.1f %%)."
      ),
      if (two) {
        sprintf("one '%s' and one '%s' sample", classes[[1L]], classes[[2L]])
      } else {
        "samples of different classes"
      },
      if (two) "the two were told apart wrongly" else "a sample was wrong",
      signif(total$estimate * total$n, 4L), total$n, 100 * total$estimate,
      100 * level, 100 * total$lower, 100 * total$upper
    ),
    if (length(classes) == 2L) {
      sprintf(
        "How often a pair without an '%s' sample is called was not measured.",
        classes[[2L]]
      )
    }
  )
}

left_out_words <- function(left_out) {
  if (left_out > 0L) {
    cli::pluralize("{left_out} sample{?s} without a class or a prediction.")
  }
}

#' @param parts Repetitions: lists of truth, predicted, score, and of pairs also
#'   pair.
#' @param positive As the user gave it.
#' @noRd
new_validation <- function(parts, positive, level, call, lines, left_out) {
  classes <- levels(parts[[1L]]$truth)
  confusion <- mean_confusion(parts)
  given <- !is.null(positive)
  positive <- positive_class(positive, classes)
  if (!is.null(parts[[1L]]$pair)) {
    return(pair_validation(parts, level, call, lines, left_out))
  }
  row <- function(measure, class, hits, n) {
    data.frame(
      measure = measure, class = class, estimate = if (n > 0) hits / n else NA,
      exact_interval(hits, n, level), n = n
    )
  }
  n <- sum(confusion)
  rows <- lapply(positive %||% classes, function(class) {
    at <- match(class, classes)
    hit <- confusion[at, at]
    truth <- sum(confusion[at, ])
    called <- sum(confusion[, at])
    other <- n - truth - called + hit
    rbind(
      row("sensitivity", class, hit, truth),
      row("specificity", class, other, n - truth),
      row("positive predictive value", class, hit, called),
      row("negative predictive value", class, other, n - called),
      auc_row(parts, class, level)
    )
  })
  table <- rbind(
    row("error", "all", n - sum(diag(confusion)), n), do.call(rbind, rows)
  )
  rownames(table) <- NULL
  if (!is.null(positive)) {
    found <- sprintf(
      "%g of %g found", signif(confusion[positive, positive], 4L),
      sum(confusion[positive, ])
    )
    if (!given) inform_positive(positive, found)
    lines <- c(lines, sprintf("Positive class: %s (%s)", positive, found))
  }
  new_result("validation", table, call = call,
    lines = lines, confusion = confusion, positive = positive,
    left_out = left_out, level = level,
    glance = list(n = n, error = table$estimate[[1L]], left_out = left_out),
    shown = list(
      confusion_table(confusion),
      if (is.null(positive)) by_class(table, classes) else table
    ), notes = c(
      sprintf(
        "lower, upper: %g %% interval, exact for shares, DeLong's for the AUC.",
        100 * level
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

# Computes the interval of Clopper and Pearson; `hits` may be a mean over
# repetitions.
exact_interval <- function(hits, n, level) {
  tail <- (1 - level) / 2
  data.frame(
    lower = if (hits > 0) stats::qbeta(tail, hits, n - hits + 1) else 0,
    upper = if (hits < n) stats::qbeta(1 - tail, hits + 1, n - hits) else 1
  )
}

# Takes the mean over repetitions, with the mean of DeLong's variances.
auc_row <- function(parts, class, level) {
  found <- vapply(parts, function(part) {
    delong(part$score[, class], part$truth == class)
  }, c(area = 0, variance = 0))
  area <- mean(found["area", ])
  positive <- parts[[1L]]$truth == class
  half <- stats::qnorm(1 - (1 - level) / 2) * sqrt(mean(found["variance", ]))
  range <- data.frame(
    lower = max(0, area - half), upper = min(1, area + half)
  )
  if (isTRUE(half == 0)) {
    n <- min(sum(positive), sum(!positive))
    range <- exact_interval(area * n, n, level)
  }
  data.frame(
    measure = "AUC", class = class, estimate = area, range,
    n = length(positive)
  )
}

# Returns the area under the ROC curve and its variance, from the placements of
# each sample among those of the other kind.
delong <- function(score, positive) {
  if (anyNA(score) || !any(positive) || all(positive)) {
    return(c(area = NA_real_, variance = NA_real_))
  }
  above <- placements(score[positive], score[!positive])
  below <- placements(score[!positive], score[positive])
  spread <- function(v) if (length(v) > 1L) stats::var(v) / length(v) else 0
  c(area = mean(above), variance = spread(above) + spread(below))
}
