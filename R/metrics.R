# Layer: evaluate. A metric measures the predictions of a test part. Each kind
# of outcome has its own, and the user may give a function. The standard error
# of a metric's mean over splits stands here too.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The user's metric: a name, or a function of their own
#'
#' @param metric NULL: the default. @param kind See kind_of().
#' @return A metric with its `name`: `larger` says that more is better. A
#'   `pooled` metric is computed in cross-validation from all predictions of one
#'   repetition together, because a fold is too small to define it. `scores`
#'   says that it needs class scores, or curves; `single` that it is the mean of
#'   values of single samples; `share` that it is a proportion of the samples,
#'   or a mean of such, whose standard error has a lower limit; `classwise` that
#'   it is a mean over classes, which a part that lacks one of them does not
#'   have. `value` (table, metric) is the figure of some predictions, `losses`
#'   (table, curve) what each of them adds to it, and `limits` (tables, rows,
#'   mean, metric, z) its interval by the samples, see mean_interval(); each but
#'   the first may be NULL. All lie between 0 and 1. Of a function `fun` in
#'   place of these, whose values may lie anywhere.
#' @noRd
as_metric <- function(metric, kind) {
  if (is.function(metric)) metric <- list(fun = metric)
  known <- names(kind$metrics)
  if (is.null(metric)) metric <- known[[1L]]
  if (!is.list(metric)) {
    name <- check_choice(metric, known)
    return(c(name = name, kind$metrics[[name]]))
  }
  metric <- check_control(
    metric, list(fun = NULL, name = "own metric", larger = FALSE), "metric"
  )
  takes <- if (is.function(metric$fun)) names(formals(args(metric$fun)))
  if (length(takes) < 2L) {
    abort_input(c(
      "{.arg metric} must be one of {.or {.val {known}}}, or a
       function of {.arg (truth, predicted)} or of
       {.arg (truth, predicted, probabilities)}.",
      i = "To name it, and if larger values are better, write
           {.code list(fun = f, name = \"MCC\", larger = TRUE)}."
    ), "metric")
  }
  list(
    name = check_one_text(metric$name, "metric$name"), label = metric$name,
    larger = check_flag(metric$larger, "metric$larger"), pooled = TRUE,
    scores = length(takes) > 2L || "..." %in% takes, fun = metric$fun
  )
}

# Returns the metric of a curve, or of a plan for one.
metric_of <- function(x) {
  if (is.list(x$metric)) {
    x$metric
  } else {
    x$own_metric %||%
      c(curve_kind(x)$metrics[[x$metric]], list(study = x$study))
  }
}

metric_label <- function(x) metric_of(x)$label

# Says whether a metric is computed from the predictions of a whole repetition.
is_pooled <- function(metric, resampling) {
  switch(resampling$method,
    holdout = FALSE,
    kfold = metric$pooled,
    given = resampling$folds && metric$pooled,
    leave_one_out = !isTRUE(metric$single)
  )
}

#' One metric of some predictions
#'
#' @param metric See as_metric(); with two classes also `positive`, the number
#'   of the class whose scores give the AUC; of survival times their `study`.
#' @param table Rows of prediction_rows().
#' @param tested The classes that any part tests. A mean over fewer classes
#'   would be a figure of another kind.
#' @noRd
metric_value <- function(metric, table, tested = table$truth) {
  if (anyNA(table$predicted) || nrow(table) == 0L ||
    isTRUE(metric$classwise) && !all(tested %in% table$truth)) {
    return(NA_real_)
  }
  value <- if (is.null(metric$fun)) metric$value else own_value
  value(table, metric)
}

own_value <- function(table, metric) {
  truth <- curve_kind(metric)$truth(table)
  value <- call_user(if (isTRUE(metric$scores)) {
    metric$fun(truth, table$predicted, table$score)
  } else {
    metric$fun(truth, table$predicted)
  }, "metric")
  if (!(is.numeric(value) || is.logical(value)) || length(value) != 1L) {
    abort_user(
      "{.arg metric} must return one number, not {describe(value)}.", "metric"
    )
  }
  as.double(value)
}

# Returns for each of `of` the proportion of `among` that is smaller, by weight;
# ties count half. The mean over `of` is the Mann-Whitney area.
placements <- function(of, among, weight = rep(1, length(among))) {
  best <- order(among)
  among <- among[best]
  below <- c(0, cumsum(weight[best]))
  (below[findInterval(of, among) + 1L] +
    below[findInterval(of, among, left.open = TRUE) + 1L]) / 2 / sum(weight)
}

#' The mean over units of the means of their samples
#' @param unit The group of each value, or NULL if samples are units.
#' @noRd
unit_mean <- function(values, unit) {
  if (is.null(unit)) mean(values) else sum(values / unit_sizes(unit))
}

# Returns by what each value is divided in a mean over units: the number of
# values of its unit, times the number of units.
unit_sizes <- function(unit) {
  code <- match(unit, unique(unit))
  max(code) * tabulate(code)[code]
}

repetition_of <- function(splits) vapply(splits, `[[`, 0L, "repetition")

# Returns from which replicate a metric has the predictions of each split.
pool_of <- function(metric, about) {
  if (is_pooled(metric, about$resampling)) {
    repetition_of(about$splits)
  } else {
    seq_along(about$splits)
  }
}

#' The metric at each size in each replicate, from predictions of one selector
#'
#' @param table Rows of prediction_rows().
#' @param about A curve, or what it keeps: resampling, splits.
#' @return Matrix, replicates (splits, or repetitions if pooled) x sizes.
#' @noRd
size_values <- function(table, metric, about) {
  pool <- pool_of(metric, about)
  replicate <- factor(pool[table$split], unique(pool))
  table$unit <- units_given(about$design, table$sample)
  sizes <- unique(table$size)
  tested <- unique(table$truth)
  cells <- split(
    seq_len(nrow(table)), list(match(table$size, sizes), replicate)
  )
  values <- vapply(cells, function(rows) {
    metric_value(metric, table[rows, ], tested)
  }, 0)
  matrix(values,
    ncol = length(sizes), byrow = TRUE,
    dimnames = list(NULL, integer_text(sizes))
  )
}

#' Predictions at one size for each split and selector
#'
#' @param sizes Matrix, splits x selectors; NA where none was chosen, which
#'   leaves no prediction.
#' @noRd
predictions_at <- function(table, sizes) {
  size <- sizes[cbind(table$split, as.integer(table$selector))]
  none <- is.na(size)
  size[none] <- table$size[[1L]]
  table$predicted[none] <- NA
  table$score[none, ] <- NA
  table <- table[table$size == size, ]
  table$size <- rep(NA_real_, nrow(table))
  table
}

# `colMeans()` returns NaN for a column without values; we want NA.
mean_known <- function(values) {
  means <- unname(colMeans(values, na.rm = TRUE))
  replace(means, is.nan(means), NA_real_)
}

# ---- standard errors --------------------------------------------------------

#' Standard error of a mean over splits, by Nadeau and Bengio
#'
#' Splits of one data set share samples, so their mean varies more than the mean
#' of independent values. Its variance is taken to be 1/K + n_test / n_train
#' times the variance of a single split's value, not 1/K times.
#' @param values One for each split, NA where a split has none.
#' @param ratio See test_ratio().
#' @return NA for fewer than two values.
#' @noRd
corrected_se <- function(values, ratio) {
  values <- values[!is.na(values)]
  spread <- stats::sd(values)
  # Values that are equal but for rounding have a standard error of 0.
  if (isTRUE(spread < 1e-12)) spread <- 0
  sqrt(1 / length(values) + ratio) * spread
}

#' n_test / n_train of the splits of a curve
#'
#' Splits of one plan have the same sizes. In k-fold cross-validation, sizes may
#' differ by one sample per class; the ratio is then 1 / (k - 1). With
#' groups, the sizes are numbers of groups, not of samples, because groups are
#' drawn.
#' @noRd
test_ratio <- function(resampling, splits, design) {
  if (resampling$method == "kfold") {
    return(1 / (resampling$k - 1))
  }
  count <- function(rows) length(unique(design$unit[rows]))
  mean(vapply(splits, function(s) count(s$test) / count(s$train), 0))
}

#' The standard errors of several means, none below that of a share of N samples
#'
#' Splits may agree by chance, down to a spread of 0, while N samples still say
#' nothing about errors rarer than one in N. For a share the standard error is
#' at least half the distance from it to the farther end of its Wilson interval
#' of two standard errors. A metric that is computed from several splits
#' together has none: its values, one for each repetition, share all samples.
#' @param values List of vectors: a value for each split.
#' @param x A curve, or what it keeps: metric, resampling, splits, design.
#' @noRd
reported_se <- function(values, x) {
  ratio <- if (is_pooled(metric_of(x), x$resampling)) {
    NA_real_
  } else {
    test_ratio(x$resampling, x$splits, x$design)
  }
  n <- n_units(x$design)
  unname(vapply(values, function(values) {
    se <- corrected_se(values, ratio)
    floor <- if (isTRUE(metric_of(x)$share)) {
      wilson_se(mean(values, na.rm = TRUE), n)
    }
    max(se, if (!is.na(se)) floor)
  }, 0))
}

wilson_se <- function(share, n) {
  max(abs(wilson_interval(share, n, 2) - share)) / 2
}

wilson_interval <- function(share, n, z) {
  centre <- (share + z^2 / (2 * n)) / (1 + z^2 / n)
  half <- z * sqrt(share * (1 - share) / n + z^2 / (4 * n^2)) / (1 + z^2 / n)
  c(centre - half, centre + half)
}
