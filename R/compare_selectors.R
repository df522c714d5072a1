# Layer: evaluate. compare_selectors() makes paired tests over the splits of a
# curve.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Compare selectors by a paired test over the same splits
#'
#' @description
#' Uses the corrected resampled t-test of Nadeau and Bengio (2003). The plain
#' paired t-test takes overlapping training parts for independent samples: over
#' 20 half splits, at a nominal 5 %, it declares two equal selectors different
#' in about half of all cases.
#'
#' @details
#' With d the differences of two selectors' values in the K splits,
#' \deqn{t = \bar d / \sqrt{(1/K + n_{test}/n_{train})\, var(d)}}{
#'   t = mean(d) / sqrt((1/K + n_test/n_train) var(d))}
#' with K - 1 degrees of freedom. In r times k-fold cross-validation, K = rk and
#' the ratio is 1/(k - 1) (Bouckaert, Frank 2004). The interval uses the same
#' standard error. If the two values are equal in every split, p = 1; if they
#' differ by the same amount in every split, p is `NA`.
#'
#' In leave-one-out, errors at one size are compared by McNemar's exact test
#' over the samples. `statistic` is then the number of samples that only the
#' first selector gets wrong, and `df` the number that exactly one of the two
#' gets wrong. If groups of several samples are left out, the exact sign test
#' compares their numbers of errors. Metrics that are computed over several
#' splits together have no p-value.
#'
#' The test is about training parts of this size. With half splits it is
#' conservative. **In leave-one-out, McNemar's test and the corrected t-test can
#' reject too often**: the training parts are almost the same sample, so nearly
#' the same list is tested many times. Read the interval first.
#'
#' The table shows the measured share of p below 0.05 for two lists of five
#' features from exchangeable groups of 100 features (80 samples). In each
#' group, five features are shifted by 1.5 standard deviations (5 nearest
#' neighbours, 500 data sets), five by 1.2 (3 neighbours, 1000 data sets) or ten
#' by 0.7 (3 neighbours, 500 data sets); see `tests/bench/evaluation_levels.R`.
#'
#' |resampling|plain, 1.5|corrected|plain, 1.2|corrected|plain, 0.7|corrected|
#' |---|---|---|---|---|---|---|
#' |20 half splits|0.56|0.02|0.56|0.03|0.48|0.00|
#' |10 half splits|0.41|0.03|0.45|0.03|0.35|0.01|
#' |10 splits of 85 %|0.25|0.06|0.26|0.08|0.25|0.08|
#' |10 folds|0.07|0.00|0.12|0.04|0.16|0.06|
#' |4 times 5 folds|0.38|0.04|0.44|0.06|0.40|0.05|
#' |leave-one-out|0.09|0.01|0.14|0.03|0.21|0.07|
#' |leave-one-out, McNemar||0.06||0.10||0.17|
#'
#' With a weaker signal it is larger: with ten features shifted by 0.5, 0.08 for
#' the corrected test at splits of 85 %, 0.13 in leave-one-out, and 0.24 for
#' McNemar's test.
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
#'
#' `r reference("replicability")`
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
  test <- if (is_pooled(metric_of(curve), curve$resampling)) {
    function(pair, ratio) {
      no_test(
        mean_known(cbind(pair[[1L]] - pair[[2L]])),
        "the metric is pooled over splits: no test"
      )
    }
  } else if (curve$resampling$method == "leave_one_out" && at != "aggregate") {
    mcnemar_exact
  } else {
    function(pair, ratio) corrected_t(pair[[1L]] - pair[[2L]], ratio)
  }
  pairs <- utils::combn(curve$selectors, 2L)
  rows <- lapply(seq_len(ncol(pairs)), function(p) {
    test(values[pairs[, p]], curve_ratio(curve))
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
    columns = setdiff(names(table), "test"),
    lines = sprintf(
      "%s of %d selectors, by pairs", metric, length(unique(c(pairs)))
    ),
    notes = c(
      if (length(tests) > 0L) {
        paste(
          "difference: first minus second, with 95 % interval; p by the",
          tests, "test"
        )
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

#' @param d Differences, one for each split.
#' @param ratio See overlap_ratio().
#' @return list(row = data.frame of one row, note).
#' @noRd
corrected_t <- function(d, ratio) {
  note <- if (anyNA(d)) {
    sprintf(
      "%d of %d splits have no value and are left out", sum(is.na(d)), length(d)
    )
  }
  d <- d[!is.na(d)]
  n <- length(d)
  if (n < 2L) {
    return(no_test(if (n == 0L) NA_real_ else d, if (n == 0L) {
      "no split has a value of both selectors: nothing to compare"
    } else {
      "a single split has values of both selectors: no test"
    }))
  }
  mean <- mean(d)
  se <- corrected_se(d, ratio)
  statistic <- mean / se
  p <- 2 * stats::pt(-abs(statistic), n - 1)
  if (se == 0) {
    same <- abs(mean) < 1e-12
    statistic <- if (same) 0 else NA_real_
    p <- if (same) 1 else NA_real_
    if (!same) {
      note <- c(note, "the difference is the same in all splits: no test")
    }
  }
  half <- stats::qt(0.975, n - 1) * se
  list(row = data.frame(
    difference = mean, lower = mean - half, upper = mean + half,
    statistic = statistic, df = n - 1, p = p, test = "corrected resampled t"
  ), note = note)
}

# The interval uses the corrected standard error, as in the t-test.
mcnemar_exact <- function(pair, ratio) {
  result <- corrected_t(pair[[1L]] - pair[[2L]], ratio)
  if (result$row$test == "none") {
    return(result)
  }
  only_first <- sum(pair[[1L]] > pair[[2L]], na.rm = TRUE)
  only_second <- sum(pair[[2L]] > pair[[1L]], na.rm = TRUE)
  either <- only_first + only_second
  result$row$statistic <- only_first
  result$row$df <- either
  result$row$p <- if (either == 0L) {
    1
  } else {
    stats::binom.test(only_first, either)$p.value
  }
  # If groups of samples are left out, the values are proportions of groups, for
  # which McNemar's test does not hold.
  single <- all(unlist(pair) %in% c(0, 1, NA))
  result$row$test <- if (single) "exact McNemar" else "exact sign"
  result
}

no_test <- function(difference, note) {
  list(row = data.frame(
    difference = difference, lower = NA_real_, upper = NA_real_,
    statistic = NA_real_, df = NA_real_, p = NA_real_, test = "none"
  ), note = note)
}
