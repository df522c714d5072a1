# Layer: evaluate. validate() for survival times: measures of risks and curves
# with intervals, and how many events were predicted.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Survival times of new samples against what a fit predicts
#' @noRd
validate_times <- function(fit, new, truth, n, positive, horizon, level, call,
                           cutoff, ...) {
  refuse_cutoff(cutoff)
  truth <- true_classes(truth, new)
  once <- once_by_class()
  risk <- once(stats::predict(fit, new, type = "risk", n = n, ...))
  order <- if (is.null(sample_table(new))) "rownames(new)" else "colnames(new)"
  truth <- as_outcome(
    truth, length(risk), "Surv", names(risk), names(fit$scores), "truth",
    order
  )
  study <- survival_study(truth, horizon, last = last_time(fit))
  curve <- once(stats::predict(fit, new,
    type = "survival", n = n, times = study$grid, ...
  ))
  known <- !is.na(risk)
  if (sum(known) < 2L) {
    abort_input("fewer than two samples of {.arg new} are predicted.", "new")
  }
  table <- data.frame(
    repetition = 1L, split = 1L, sample = which(known),
    times_of(truth[known]), predicted = unname(risk)[known]
  )
  table$score <- unname(curve)[known, , drop = FALSE]
  new_survival_validation(
    table, list(list(train = TRUE)), fit$training$y, study, level, call,
    lines = new_samples_line(known, warn_known_samples(fit, new)),
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
  new_survival_validation(
    table, x$splits, x$study$outcomes, x$study, level, call, lines, 0L
  )
}

#' @param table Predictions: repetition, split (its samples are compared),
#'   sample, time, event, predicted, score.
#' @param splits,y The training samples of each split, and their times.
#' @noRd
new_survival_validation <- function(table, splits, y, study, level, call,
                                    lines, left_out) {
  predictions <- table
  reference <- without_features(table, splits, y, study$grid)
  estimate <- survival_measures(predictions, study)
  n <- length(unique(predictions$sample))
  se <- jackknife_se(predictions, study)
  half <- stats::qnorm(1 - (1 - level) / 2) * se
  most <- ifelse(names(estimate) == "observed / expected", Inf, 1)
  table <- data.frame(
    measure = names(estimate), estimate = unname(estimate),
    lower = pmax(0, estimate - half),
    upper = pmax(estimate, pmin(most, estimate + half)),
    n = n, row.names = NULL
  )
  horizon <- format(study$horizon, digits = 4L)
  calibration <- survival_calibration(predictions, study, level)
  new_result("validation", table,
    call = call, lines = lines, calibration = calibration,
    reference = data.frame(
      measure = names(estimate),
      estimate = unname(survival_measures(reference, study))
    ),
    horizon = study$horizon, left_out = left_out, level = level,
    glance = list(
      n = n, c = table$estimate[[1L]], ibs = table$estimate[[5L]],
      left_out = left_out
    ),
    what = "measures",
    notes = c(
      sprintf(
        "AUC, Brier score, observed / expected events at horizon %s; %s",
        horizon, "Uno's C and the integral up to it."
      ),
      sprintf("lower, upper: %g %% interval by the jackknife.", 100 * level),
      if (left_out > 0L) in_words("{left_out} sample{?s} not predicted.")
    )
  )
}

# Returns the means of all measures over repetitions. Only pairs of one test
# part are compared, because their risks come from one model.
survival_measures <- function(table, study) {
  parts <- split(seq_len(nrow(table)), table$repetition)
  found <- vapply(parts, function(rows) {
    p <- table[rows, ]
    grid <- study$grid
    at <- length(grid)
    own <- study
    own$censoring <- censoring_curve(p$time, p$event)
    risk_at <- 1 - p$score[, at]
    gone <- 1 - survival_at(kaplan_meier(p$time, p$event), study$horizon)
    brier <- function(f, columns) {
      f(p$score[, columns, drop = FALSE], grid[columns], p, own)
    }
    c(
      "C (Harrell)" = concordance(p$predicted, p, p$split),
      "C (Uno)" = uno_concordance(p$predicted, p, own, p$split),
      "AUC" = area_at(p$predicted, p, own, p$split),
      "Brier score" = brier(brier_scores, at),
      "integrated Brier score" = brier(integrated_brier, seq_len(at)),
      "observed / expected" = gone / mean(risk_at)
    )
  }, numeric(6L))
  rowMeans(found, na.rm = TRUE)
}

# Samples are left out in at most 200 parts of one size, from all repetitions.
jackknife_se <- function(table, study) {
  samples <- sort(unique(table$sample))
  groups <- min(length(samples), 200L)
  of <- rep_len(seq_len(groups), length(samples))
  values <- vapply(seq_len(groups), function(g) {
    survival_measures(table[!table$sample %in% samples[of == g], ], study)
  }, numeric(6L))
  sqrt((groups - 1) / groups * rowSums((values - rowMeans(values))^2))
}

#' Predicted and observed events by fourths of risk
#'
#' @return Data.frame: fourth, n, predicted, observed (by Kaplan-Meier), lower,
#'   upper (Greenwood); means over repetitions.
#' @noRd
survival_calibration <- function(table, study, level) {
  place <- stats::ave(table$predicted, table$split, FUN = function(risk) {
    (rank(risk) - 0.5) / length(risk)
  })
  fourth <- factor(pmin(4, 1 + floor(4 * place)), 1:4)
  repetitions <- unique(table$repetition)
  rows <- lapply(repetitions, function(repetition) {
    here <- which(table$repetition == repetition)
    vapply(split(here, fourth[here]), function(rows) {
      if (length(rows) == 0L) {
        return(c(0, NA, NA, NA))
      }
      curve <- kaplan_meier(table$time[rows], table$event[rows])
      until <- curve$time <= study$horizon
      left <- curve$at_risk - curve$died
      terms <- ifelse(left > 0, curve$died / curve$at_risk / left, 0)
      observed <- survival_at(curve, study$horizon)
      c(
        length(rows), mean(1 - table$score[rows, length(study$grid)]),
        1 - observed, observed * sqrt(sum(terms[until]))
      )
    }, numeric(4L))
  })
  mean <- Reduce(`+`, rows) / length(rows)
  half <- stats::qnorm(1 - (1 - level) / 2) * mean[4L, ]
  data.frame(
    fourth = 1:4, n = mean[1L, ], predicted = mean[2L, ], observed = mean[3L, ],
    lower = pmin(mean[3L, ], pmax(0, mean[3L, ] - half)),
    upper = pmin(1, mean[3L, ] + half),
    row.names = NULL
  )
}
