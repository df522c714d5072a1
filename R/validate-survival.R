# Layer: evaluate. validate() for survival times: measures of risks and curves
# with intervals, and how many events were predicted.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Survival times of new samples against what a fit predicts
#' @noRd
validate_times <- function(fit, new, truth, n, horizon, level, call, ...) {
  once <- once_by_class()
  risk <- once(stats::predict(fit, new, type = "risk", n = n, ...))
  order <- if (is.null(sample_table(new))) "rownames(new)" else "colnames(new)"
  truth <- as_outcome(
    truth, length(risk), "survival", names(risk), names(fit$scores), "truth",
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
  part <- list(
    y = truth[known], risk = risk[known],
    curve = unname(curve)[known, , drop = FALSE], part = rep(1L, sum(known))
  )
  new_survival_validation(
    list(part), function(split) fit$training$y, study, level, call,
    lines = new_samples_line(known, warn_known_samples(fit, new)),
    left_out = sum(!known)
  )
}

#' The held-out predictions of a curve
#' @param table Rows of one selector.
#' @noRd
validate_held_out <- function(x, table, level, call, lines) {
  repetition <- repetition_of(x$splits)
  tables <- unname(split(table, repetition[table$split]))
  parts <- lapply(tables, function(rows) {
    list(
      y = Surv(rows$time, rows$event), risk = rows$predicted,
      curve = unname(rows$score), part = rows$split, sample = rows$sample
    )
  })
  new_survival_validation(parts, function(split) {
    x$study$outcomes[x$splits[[split]]$train]
  }, x$study, level, call, lines, left_out = 0L)
}

#' @param parts Repetitions: lists of y, risk, curve, part (those of a test
#'   part are compared), sample.
#' @param training Function of a part: the times of its training samples.
#' @noRd
new_survival_validation <- function(parts, training, study, level, call,
                                    lines, left_out) {
  # Without features all samples of a part get one curve.
  reference <- lapply(parts, function(part) {
    part$risk[] <- 0
    for (split in unique(part$part)) {
      rows <- which(part$part == split)
      all <- survival_of_all(training(split), study$grid)
      part$curve[rows, ] <- rep(all$curve, each = length(rows))
    }
    part
  })
  estimate <- survival_measures(parts, study)
  n <- length(unique(unlist(lapply(parts, part_samples))))
  se <- jackknife_se(parts, study)
  half <- stats::qnorm(1 - (1 - level) / 2) * se
  most <- ifelse(names(estimate) == "observed / expected", Inf, 1)
  table <- data.frame(
    measure = names(estimate), estimate = unname(estimate),
    lower = pmax(0, estimate - half),
    upper = pmax(estimate, pmin(most, estimate + half)),
    n = n, row.names = NULL
  )
  horizon <- format(study$horizon, digits = 4L)
  calibration <- survival_calibration(parts, study, level)
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

part_samples <- function(part) part$sample %||% seq_along(part$risk)

# Returns the means of all measures over repetitions. Only pairs of one test
# part are compared, because their risks come from one model.
survival_measures <- function(parts, study) {
  found <- vapply(parts, function(p) {
    y <- times_of(p$y)
    grid <- study$grid
    at <- length(grid)
    own <- study
    own$censoring <- censoring_curve(y$time, y$event)
    risk_at <- 1 - p$curve[, at]
    gone <- 1 - survival_at(kaplan_meier(y$time, y$event), study$horizon)
    brier <- function(f, columns) {
      f(p$curve[, columns, drop = FALSE], grid[columns], p$y, own)
    }
    c(
      "C (Harrell)" = concordance(p$risk, p$y, p$part),
      "C (Uno)" = uno_concordance(p$risk, p$y, own, p$part),
      "AUC" = area_at(p$risk, p$y, own, p$part),
      "Brier score" = brier(brier_scores, at),
      "integrated Brier score" = brier(integrated_brier, seq_len(at)),
      "observed / expected" = gone / mean(risk_at)
    )
  }, numeric(6L))
  rowMeans(found, na.rm = TRUE)
}

# Samples are left out in at most 200 parts of one size, from all repetitions.
jackknife_se <- function(parts, study) {
  samples <- sort(unique(unlist(lapply(parts, part_samples))))
  groups <- min(length(samples), 200L)
  of <- rep_len(seq_len(groups), length(samples))
  values <- vapply(seq_len(groups), function(g) {
    out <- samples[of == g]
    survival_measures(lapply(parts, function(part) {
      kept <- !part_samples(part) %in% out
      lapply(part, function(v) {
        if (is.matrix(v)) v[kept, , drop = FALSE] else v[kept]
      })
    }), study)
  }, numeric(6L))
  sqrt((groups - 1) / groups * rowSums((values - rowMeans(values))^2))
}

#' Predicted and observed events by fourths of risk
#'
#' @return Data.frame: fourth, n, predicted, observed (by Kaplan-Meier), lower,
#'   upper (Greenwood); means over repetitions.
#' @noRd
survival_calibration <- function(parts, study, level) {
  rows <- lapply(parts, function(p) {
    y <- times_of(p$y)
    place <- stats::ave(p$risk, p$part, FUN = function(risk) {
      (rank(risk) - 0.5) / length(risk)
    })
    fourth <- factor(pmin(4, 1 + floor(4 * place)), 1:4)
    vapply(split(seq_along(fourth), fourth), function(rows) {
      if (length(rows) == 0L) {
        return(c(0, NA, NA, NA))
      }
      curve <- kaplan_meier(y$time[rows], y$event[rows])
      until <- curve$time <= study$horizon
      left <- curve$at_risk - curve$died
      terms <- ifelse(left > 0, curve$died / curve$at_risk / left, 0)
      observed <- survival_at(curve, study$horizon)
      c(
        length(rows), mean(1 - p$curve[rows, length(study$grid)]),
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
