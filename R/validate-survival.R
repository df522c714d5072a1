# Layer: evaluate. validate() for survival times: measures of risks and curves
# with intervals, and how many events were predicted.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Survival times of new samples against what a fit predicts
#' @noRd
validate_times <- function(fit, new, truth, risk, ask, design, pair, positive,
                           horizon, level, call, cutoff, ...) {
  refuse_cutoff(cutoff)
  truth <- new_column(truth, new)
  order <- if (is.null(sample_table(new))) "rownames(new)" else "colnames(new)"
  truth <- as_outcome(
    truth, length(risk), "Surv", names(risk), names(fit$scores), "truth",
    order
  )
  study <- survival_study(truth, horizon, last = last_time(fit))
  curve <- ask("survival", times = study$grid, ...)
  known <- !is.na(risk)
  if (sum(known) < 2L) {
    abort_input("fewer than two samples of {.arg new} are predicted.", "new")
  }
  table <- data.frame(
    repetition = 1L, split = 1L, sample = which(known),
    times_of(truth[known]), predicted = unname(risk)[known]
  )
  table$score <- unname(curve)[known, , drop = FALSE]
  table$unit <- units_given(design, which(known))
  new_survival_validation(
    table, list(list(train = TRUE)), fit$training$y, study, design, level, call,
    lines = new_samples_line(known, warn_known_samples(fit, new), design),
    left_out = sum(!known)
  )
}

#' The held-out predictions of a curve
#' @param table Rows of one selector.
#' @noRd
validate_held_out <- function(x, table, positive, level, call, lines, cutoff) {
  positive_class(positive, character())
  refuse_cutoff(cutoff)
  table$repetition <- repetition_of(x$splits)[table$split]
  table$unit <- units_given(x$design, table$sample)
  new_survival_validation(
    table, x$splits, x$study$outcomes, x$study, x$design, level, call, lines, 0L
  )
}

#' @param table Predictions: repetition, split (its samples are compared),
#'   sample, unit (its samples count as one; absent where they are units),
#'   time, event, predicted, score.
#' @param splits,y The training samples of each split, and their times.
#' @noRd
new_survival_validation <- function(table, splits, y, study, design, level,
                                    call, lines, left_out) {
  reference <- without_features(table, splits, y, study$grid)
  n <- length(unique(table$sample))
  measures <- cbind(survival_measures(table, study, level), n = n)
  horizon <- format(study$horizon, digits = 4L)
  new_result("validation", measures,
    call = call, lines = lines,
    calibration = survival_calibration(table, study, level),
    reference = survival_measures(reference, study, level)[1:2],
    horizon = study$horizon, left_out = left_out, level = level,
    glance = list(
      n = n, c = measures$estimate[[1L]], ibs = measures$estimate[[5L]],
      left_out = left_out
    ),
    what = "measures",
    notes = c(
      sprintf(
        "AUC, Brier score, observed / expected events at horizon %s; %s",
        horizon, "Uno's C and the integral up to it."
      ),
      sprintf(
        "lower, upper: %g %% interval by the influence of each of the %s.",
        100 * level, unit_words(design)
      ),
      if (left_out > 0L) in_words("{left_out} sample{?s} not predicted.")
    )
  )
}

#' Measures of predicted risks and curves, with intervals
#'
#' Means of repetitions. Only samples of one test part are compared, because
#' their risks come from one model. The limits come from what each unit adds to
#' a measure, on the logit scale for shares of comparisons and the logarithmic
#' one for observed / expected.
#' @return Data.frame: measure, estimate, lower, upper.
#' @noRd
survival_measures <- function(table, study, level) {
  parts <- split(seq_len(nrow(table)), table$repetition)
  found <- lapply(parts, function(rows) {
    repetition_measures(table[rows, ], study)
  })
  values <- vapply(found, `[[`, numeric(6L), "value")
  terms <- do.call(rbind, lapply(found, `[[`, "terms"))
  estimate <- rowMeans(values, na.rm = TRUE)
  # A repetition without a value adds nothing.
  terms[is.na(terms)] <- 0
  unit <- units_of(table)
  se <- sqrt(unit_variance(terms, unit[unlist(parts)])) /
    rowSums(!is.na(values))
  z <- interval_z(level, table$unit)
  k <- length(unique(unit[table$event]))
  ends <- vapply(seq_along(estimate), function(m) {
    measure_limits(estimate[[m]], z, se[[m]], k, names(estimate)[[m]])
  }, numeric(2L))
  data.frame(
    measure = names(estimate), estimate = unname(estimate),
    lower = ends[1L, ], upper = ends[2L, ], row.names = NULL
  )
}

#' @param k The number of units with an event: where no unit differs from the
#'   others, the interval is that of a share of so many.
#' @noRd
measure_limits <- function(estimate, z, se, k, measure) {
  if (is.na(estimate)) {
    return(c(NA_real_, NA_real_))
  }
  ratio <- measure == "observed / expected"
  spread <- z * se
  if (!isTRUE(spread > 1e-9)) {
    scale <- if (ratio) max(1, estimate) else 1
    ends <- scale * wilson_interval(estimate / scale, k, z)
  } else if (ratio) {
    ends <- estimate * exp(c(-1, 1) * spread / estimate)
  } else if (startsWith(measure, "C") || measure == "AUC") {
    ends <- logit_limits(estimate, spread)
  } else {
    ends <- pmin(1, pmax(0, estimate + c(-1, 1) * spread))
  }
  with_estimate(ends, estimate)
}

# Returns the six measures of a repetition and, samples x measures, what each
# sample adds to them.
repetition_measures <- function(p, study) {
  grid <- study$grid
  at <- length(grid)
  own <- study
  own$censoring <- censoring_curve(p$time, p$event)
  seen <- survival_at(own$censoring, p$time, before = TRUE)
  risk_at <- 1 - p$score[, at]
  km <- kaplan_meier(p$time, p$event)
  gone <- 1 - survival_at(km, study$horizon)
  brier <- function(f, columns) {
    f(p$score[, columns, drop = FALSE], grid[columns], p, own)
  }
  value <- c(
    "C (Harrell)" = concordance(p$predicted, p, p$split),
    "C (Uno)" = uno_concordance(p$predicted, p, own, p$split),
    "AUC" = area_at(p$predicted, p, own, p$split),
    "Brier score" = brier(brier_scores, at),
    "integrated Brier score" = brier(integrated_brier, seq_len(at)),
    "observed / expected" = gone / mean(risk_at)
  )
  late <- p$time > study$horizon
  times <- sort(unique(p$time))
  of <- Surv(match(p$time, times), p$event)
  # The weights of Uno's C are those of the censoring in each test part.
  won <- function(y, ...) {
    survival::concordancefit(
      y, p$predicted, p$split, reverse = TRUE, influence = 1, ...
    )$dfbeta
  }
  n <- nrow(p)
  sizes <- unit_sizes(units_of(p))
  terms <- cbind(
    won(of),
    won(of, timewt = "n/G2", ymax = sum(times < study$horizon)),
    won(0 + late, ifelse(late, 1, p$event / seen)),
    (brier(brier_terms, at) - value[[4L]]) / sizes,
    (brier_losses(p, p$score, own) - value[[5L]]) / sizes,
    (gone_terms(p, km, study$horizon) -
      value[[6L]] * (risk_at - mean(risk_at)) / n) / mean(risk_at)
  )
  list(value = value, terms = terms)
}

# Returns what each sample adds to the share that has had the event by a time:
# the sum of their squares is Greenwood's variance.
gone_terms <- function(y, km, time) {
  step <- match(y$time, km$time)
  left <- km$at_risk - km$died
  early <- km$time <= time & left > 0
  lost <- cumsum(ifelse(early, km$died / km$at_risk / left, 0))
  event <- ifelse(y$event & early[step], 1 / left[step], 0)
  survival_at(km, time) * (event - lost[step])
}

units_of <- function(table) table$unit %||% table$sample

# Returns the variance of the sums over units: samples of a unit are added
# before they are squared.
unit_variance <- function(terms, unit) {
  sums <- rowsum(as.matrix(terms), unit, reorder = FALSE)
  n <- nrow(sums)
  colSums(sums^2) * if (n < length(unit)) n / max(1, n - 1) else 1
}

#' Predicted and observed events by fourths of risk
#'
#' @return Data.frame: fourth, n, predicted, observed (by Kaplan-Meier), lower,
#'   upper (Wilson's, with as many samples as Greenwood's variance is worth);
#'   means over repetitions.
#' @noRd
survival_calibration <- function(table, study, level) {
  place <- stats::ave(table$predicted, table$split, FUN = function(risk) {
    (rank(risk) - 0.5) / length(risk)
  })
  fourth <- factor(pmin(4, 1 + floor(4 * place)), 1:4)
  rows <- lapply(unique(table$repetition), function(repetition) {
    here <- which(table$repetition == repetition)
    vapply(split(here, fourth[here]), function(rows) {
      if (length(rows) == 0L) {
        return(c(0, NA, NA, NA))
      }
      p <- table[rows, ]
      km <- kaplan_meier(p$time, p$event)
      left <- survival_at(km, study$horizon)
      terms <- gone_terms(p, km, study$horizon)
      known <- p$event | p$time >= study$horizon
      size <- if (left > 0 && left < 1) {
        left * (1 - left) / unit_variance(terms, units_of(p))
      } else {
        length(unique(units_of(p)[known]))
      }
      c(
        length(rows), mean(1 - p$score[, length(study$grid)]), 1 - left,
        min(length(rows), max(1, size))
      )
    }, numeric(4L))
  })
  mean <- Reduce(`+`, rows) / length(rows)
  z <- interval_z(level, table$unit)
  ends <- mapply(wilson_interval, mean[3L, ], mean[4L, ], z)
  data.frame(
    fourth = 1:4, n = mean[1L, ], predicted = mean[2L, ], observed = mean[3L, ],
    lower = pmax(0, ends[1L, ]), upper = pmin(1, ends[2L, ]),
    row.names = NULL
  )
}
