# Layer: evaluate. compare_selectors() tests the differences between the
# selectors of a curve.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Compare selectors by a paired test of their losses on the same samples
#'
#' @description
#' Tests the difference of two selectors' errors by the samples that only one of
#' them gets wrong. A paired t-test over 20 half splits, at a nominal 5 %,
#' declares two equal selectors different in about half of all cases.
#'
#' @details For sample i, \eqn{d_i} is the mean over the splits that test it of
#' the loss of the first selector minus that of the second (with `at =
#' "aggregate"` also the mean over sizes). With N samples in G units (groups, if
#' the curve has them, else samples), and \eqn{u_g} the mean of \eqn{d_i} over
#' the samples of unit g, \deqn{se^2 = f V, \quad V = \frac{1}{G (G - 1)} \sum_g
#' (u_g - \bar u)^2, \quad f = 2 N / n_{train}}{se^2 = f V, V = sum_g((u_g -
#' mean(u))^2) / (G (G - 1)), f = 2 N / n_train} (f = 3 where training parts
#' hold more than 80 % of the samples), and t is the mean difference over splits
#' divided by se, with G - 1 degrees of freedom. f is for the training samples,
#' which no spread between splits shows.
#'
#' The loss of `"error"` and `"micro_f1"` is 1 for a wrong class; that of
#' `"balanced_error"` is multiplied by \eqn{N / (K n_c)} for a sample of a class
#' with \eqn{n_c} of the samples, K classes; that of `"ibs"` is the sample's own
#' score; that of `"auc"` is its place among the samples of the other classes,
#' as in DeLong's variance. Macro F1, C and metrics of your own have no loss of
#' a single sample, and a curve made with `keep = FALSE` does not keep them:
#' there, \eqn{se^2 = 2.25 (n_{test} / N) var(v)}{se^2 = 2.25 (n_test / N)
#' var(v)}, with v the differences in the J splits and min(J, G) - 1 degrees of
#' freedom. In leave-one-out there is no test of these.
#'
#' If two selectors have equal losses for every sample, p = 1; if they differ by
#' the same amount for every sample, p is `NA`.
#'
#' **Level.** Each of two selectors ranks one half of the features by Fisher's
#' score; both halves are drawn alike. Over thirteen kinds of studies (16 to 200
#' samples, two or four classes, patients of three samples; 100 data sets or
#' more of each, 4 times 5 folds) the share of p below .05 is .00 to .07, in the
#' mean .03, for the error at the aggregate and at one size; for balanced errors
#' too; by splits, it is .00 to .07 for macro F1. For AUC it is .00 to .10, in
#' the mean .04: take a p near .05 with care where four classes have 15 samples.
#' In leave-one-out (10 + 10 and 15 + 15 samples) the share for the error is .00
#' to .01, with 2 times 10 folds .02 to .05 and with 20 half splits .03 to .06
#' (60 to 100 data sets each, `tests/bench/levels.R`). If [kbfs()] ranks, it is
#' .00 to .08 for the error, in the mean .03 (16 studies of 60 to 300 data
#' sets).
# csv: "below .05 is .00" levels-compare min:share statistic~^(error|balanced) # nolint
# csv: "below .05 is .00 to .07" levels-compare max:share statistic~^(error|balanced) # nolint
# csv: "in the mean .03" levels-compare mean:share statistic~^error # nolint
# csv: "it is .00" levels-compare min:share statistic~^macro_f1 # nolint
# csv: "it is .00 to .07" levels-compare max:share statistic~^macro_f1 # nolint
# csv: "For AUC it is .00" levels-compare min:share statistic~^auc # nolint
# csv: "For AUC it is .00 to .10" levels-compare max:share statistic~^auc # nolint
# csv: "in the mean .04" levels-compare mean:share statistic~^auc # nolint
# csv: "error is .00" levels-compare-one min:share * # nolint
# csv: "error is .00 to .01" levels-compare-one max:share * # nolint
# csv: "2 times 10 folds .02" levels-compare-tenths min:share * # nolint
# csv: "2 times 10 folds .02 to .05" levels-compare-tenths max:share * # nolint
# csv: "half splits .03" levels-compare-halves min:share * # nolint
# csv: "half splits .03 to .06" levels-compare-halves max:share * # nolint
# csv: "ranks, it is .00" levels-compare-kbfs min:share * # nolint
# csv: "ranks, it is .00 to .08" levels-compare-kbfs max:share * # nolint
# csv: "for the error, in the mean .03" levels-compare-kbfs mean:share * # nolint
#'
#' Differences of 6 to 9 points between two selectors, on 60 to 90 samples, have
#' a p below .05 in .09 to .21 of the data sets of four such studies: a larger p
#' does not say that two selectors are equal.
# csv: "below .05 in .09" levels-weaker min:share study~[^2]$ # nolint
# csv: "below .05 in .09 to .21" levels-weaker max:share * # nolint
#'
#' @param curve The result of [error_curve()], with two or more selectors.
#' @param at What is compared: the mean over sizes (`"aggregate"`), the value at
#'   one size (`"size"`), or at the size that each training part chose
#'   (`"chosen"`, for curves with `nested`).
#' @param size One of the curve's sizes, for `at = "size"`.
#' @param adjust Correction for the number of pairs, see [stats::p.adjust()].
#' @return A [result][hitmiss-results] with a row for each pair: `first`,
#'   `second`, `difference` (first minus second; if the metric is an error,
#'   negative favours the first), `lower`, `upper` (95 % interval), `statistic`,
#'   `df`, `p`, `p_adjusted`, `test`. `$note` says why a value is `NA`, and
#'   which splits are left out; printing shows it. `plot()` draws the
#'   differences with their intervals. `glance()` counts the pairs that differ
#'   at an adjusted p of .05.
#' @references
#' `r reference("corrected_se")`
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief, logo = logo),
#'   sizes = c(1, 2, 5, 10, 20), resampling = holdout(times = 10)
#' )
#' compare_selectors(curve)
#' @export
compare_selectors <- function(curve, at = c("aggregate", "size", "chosen"),
                              size = NULL, adjust = "holm") {
  check_curve(curve)
  at <- check_choice(at)
  adjust <- check_choice(adjust, stats::p.adjust.methods)
  if (length(curve$selectors) < 2L) {
    abort_input("{.arg curve} has one selector; two are needed.", "curve")
  }
  values <- compared_values(curve, at, size)
  table <- compared_predictions(curve, at, size)
  loss <- sample_losses(curve, table)
  by_split <- if (is.null(loss)) split_metrics(curve, values, table)
  if (at == "chosen" && all(is.na(unlist(values))) && !is.null(table)) {
    values <- metric_by(curve, table)
  }
  pairs <- utils::combn(curve$selectors, 2L)
  rows <- lapply(seq_len(ncol(pairs)), function(p) {
    of <- function(by) by[[pairs[[1L, p]]]] - by[[pairs[[2L, p]]]]
    d <- of(values)
    found <- if (is.null(loss)) {
      variance_by_split(if (!is.null(by_split)) of(by_split), curve)
    } else {
      variance_by_sample(of(loss), table, curve)
    }
    if (all(is.na(d))) {
      found <- list(
        note = "no split has a value of both selectors: nothing to compare"
      )
    } else if (anyNA(d)) {
      found$note <- c(found$note, sprintf(
        "%d of %d splits have no value and are left out", sum(is.na(d)),
        length(d)
      ))
    }
    paired_t(mean_known(cbind(d)), found)
  })
  new_comparison(pairs, rows, adjust, metric_label(curve))
}

#' @param pairs Names of selectors, 2 x pairs.
#' @param rows By pair: `row` of the table, and a `note`, or none.
#' @noRd
new_comparison <- function(pairs, rows, adjust, metric) {
  table <- do.call(rbind, lapply(rows, `[[`, "row"))
  test <- table$test
  table$test <- NULL
  table <- cbind(
    first = pairs[1L, ], second = pairs[2L, ], table,
    p_adjusted = stats::p.adjust(table$p, adjust), test = test
  )
  note <- unique(unlist(lapply(rows, `[[`, "note")))
  tests <- setdiff(test, "none")
  new_result("comparison", table,
    metric = metric, note = note, what = "pairs",
    columns = setdiff(names(table), c("statistic", "df", "test")),
    lines = sprintf(
      "%s of %d selectors, by pairs", metric, length(unique(c(pairs)))
    ),
    notes = c(
      if (length(tests) > 0L) {
        paste(
          "difference: first minus second, with 95 % interval; p by the", tests
        )
      },
      if (any(grepl("losses", tests))) {
        "Differences of 6 to 9 points between selectors on 60 to 90 samples are
         found in one study of seven."
      },
      if (length(note) > 0L) paste("note:", note)
    ),
    glance = list(
      pairs = nrow(table), differ = sum(table$p_adjusted <= 0.05, na.rm = TRUE),
      untested = sum(is.na(table$p)), metric = metric
    )
  )
}

# Returns by selector one value for each split (or repetition).
compared_values <- function(curve, at, size) {
  if (at == "aggregate") {
    return(lapply(curve$values, rowMeans))
  }
  if (at == "size") {
    column <- match(check_one_size(curve, size), curve$sizes)
    return(lapply(curve$values, function(values) values[, column]))
  }
  if (is.null(curve$chosen)) {
    abort_input(c(
      "{.arg at = \"chosen\"} needs a curve whose size was chosen in every
       training part.",
      i = "Call {.fn error_curve} with {.code nested = kfold(5)}."
    ), "at")
  }
  split(curve$chosen$value, curve$chosen$selector)
}

# Returns the predictions that are compared, or NULL if the curve kept none.
compared_predictions <- function(curve, at, size) {
  table <- curve$predictions
  if (is.null(table) || at == "aggregate") {
    return(table)
  }
  if (at == "size") {
    return(table[table$size == size, ])
  }
  predictions_at(table, matrix(curve$chosen$size, length(curve$splits)))
}

#' Losses of each prediction, by selector
#'
#' The tables of the selectors have the same samples in the same order.
#' @param table See compared_predictions().
#' @return List of numeric vectors, or NULL if the metric has no such loss, or
#'   the curve no predictions.
#' @noRd
sample_losses <- function(curve, table) {
  if (is.null(table)) {
    return(NULL)
  }
  losses <- metric_of(curve)$losses
  if (!is.null(losses)) {
    lapply(split(table, table$selector), losses, curve)
  }
}

# Returns the metric in every replicate, for each selector.
metric_by <- function(curve, table) {
  metric <- c(metric_of(curve), positive = positive_of(curve))
  lapply(split(table, table$selector), function(rows) {
    rowMeans(size_values(rows, metric, curve))
  })
}

# Returns the values of the metric in each split, also of a metric that the
# curve pools over several, or NULL if a split has none.
split_metrics <- function(curve, values, table) {
  if (!is_pooled(metric_of(curve), curve$resampling)) {
    values
  } else if (!is.null(table) && curve$resampling$method != "leave_one_out") {
    curve$resampling <- list(method = "holdout")
    metric_by(curve, table)
  }
}

#' The variance of a mean difference, by the losses of each sample
#'
#' @param d Differences of the losses, in the order of the rows of `table`.
#' @return list(variance, df, test, note).
#' @noRd
variance_by_sample <- function(d, table, curve) {
  sample <- table$sample[seq_along(d)]
  known <- !is.na(d)
  sum <- rowsum(cbind(d, 1)[known, , drop = FALSE], sample[known])
  d <- sum[, 1L] / sum[, 2L]
  unit <- curve$design$unit[as.integer(rownames(sum))]
  d <- as.vector(tapply(d, unit, mean))
  n_units <- length(d)
  if (n_units < 2L) {
    return(list(note = "a single sample was tested with both: no test"))
  }
  between <- n_units / (n_units - 1) * sum((d - mean(d))^2) / n_units^2
  share <- mean(vapply(curve$splits, function(split) {
    length(split$labelled %||% split$train) / curve$n_samples
  }, 0))
  list(
    variance = between * if (share > 0.8 + 1e-9) 3 else 2 / share,
    df = n_units - 1, test = paste("t-test of losses by", curve$design$word)
  )
}

# The same by the values `d` of the splits, NULL if there are none.
variance_by_split <- function(d, curve) {
  d <- d[!is.na(d)]
  if (length(d) < 2L) {
    pooled <- is_pooled(metric_of(curve), curve$resampling)
    return(list(note = if (pooled) {
      "the metric is computed from several splits together: no test"
    } else {
      "a single split has values of both selectors: no test"
    }))
  }
  tested <- mean(vapply(curve$splits, \(split) length(split$test), 0L))
  list(
    variance = 2.25 * tested / curve$n_samples * stats::var(d),
    df = min(length(d), n_units(curve$design)) - 1,
    test = "t-test of splits"
  )
}

#' @param found list(variance, df, test, note); without a variance no test.
#' @return list(row = data.frame of one row, note).
#' @noRd
paired_t <- function(mean, found) {
  note <- found$note
  # Equal differences have no variance but for rounding.
  se <- sqrt(found$variance %||% NA_real_)
  none <- se < 1e-12
  statistic <- if (isTRUE(none)) {
    if (abs(mean) < 1e-12) 0 else NA_real_
  } else {
    mean / se
  }
  if (isTRUE(none) && is.na(statistic)) {
    note <- c(note, "the difference is always the same: no test")
  }
  df <- as.double(found$df %||% NA_real_)
  half <- stats::qt(0.975, df) * se
  list(row = data.frame(
    difference = mean, lower = mean - half, upper = mean + half,
    statistic = statistic, df = df, p = 2 * stats::pt(-abs(statistic), df),
    test = found$test %||% "none"
  ), note = note)
}
