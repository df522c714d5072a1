# Layer: evaluate. Measures of predicted risks and survival curves: concordance,
# the Brier score and its integral, the area under the ROC curve at a time.
# SPDX-License-Identifier: GPL-3.0-or-later

#' What the measures need to know of a study
#'
#' @param horizon The user's, or NULL: the time by which 80 % of the samples
#'   have left. @param last The last time at which a curve is known.
#' @return list(censoring: curve of the censoring times of all samples, horizon:
#'   where pairs and integrals end, grid: at most 50 times of curves, the
#'   horizon last; outcomes: those of all samples, see kept_survival()).
#' @noRd
survival_study <- function(y, horizon = NULL, most = 50L, last = Inf) {
  y <- times_of(y)
  n <- length(y$time)
  first <- min(y$time[y$event])
  if (first >= last) {
    abort_input(
      "all events of {.arg truth} come at {first} or later, and the last time of
       training is {last}: the fit says nothing of later times.", "truth"
    )
  }
  last <- min(last, max(y$time))
  if (is.null(horizon)) {
    horizon <- min(last, sort(y$time)[[ceiling(0.8 * n)]])
  } else {
    horizon <- check_number(horizon, above = 0)
    if (is_beyond(horizon, last)) {
      abort_input(
        "{.arg horizon} = {horizon} is beyond the last time, {last}: nothing is
         known there.", "horizon"
      )
    }
    horizon <- min(horizon, last)
  }
  events <- sort(unique(y$time[y$event & y$time < horizon]))
  if (length(events) == 0L) {
    abort_input(c(
      "no event lies before {.arg horizon} = {horizon}.",
      i = if (first < last) "Give a later time as {.arg horizon}."
    ), "horizon")
  }
  list(
    censoring = censoring_curve(y$time, y$event), horizon = horizon,
    grid = c(spaced(events, most - 1L), horizon),
    outcomes = kept_survival(new_survival(y$time, y$event))
  )
}

# Where events and censorings tie, the events come first.
censoring_curve <- function(time, event) {
  curve <- kaplan_meier(time, event)
  left <- curve$at_risk - curve$died
  censored <- left - c(curve$at_risk[-1L], 0)
  curve$survival <- cumprod(ifelse(left > 0, 1 - censored / left, 1))
  curve
}

#' Share of the comparable pairs in which the larger risk has the earlier event
#'
#' Pairs of an event and a sample with a later time, or censored at the same
#' time; ties of risk count one half.
#' @param weight Of each sample's event.
#' @param part Only samples of one part are compared.
#' @param later Function of a sample: those with which it is compared.
#' @return NA without such pairs.
#' @noRd
concordance <- function(risk, time, event, weight = event,
                        part = rep(1L, length(time)), later = function(i) {
                          time > time[[i]] | (time == time[[i]] & !event)
                        }) {
  pairs <- vapply(which(weight > 0), function(i) {
    other <- risk[later(i) & part == part[[i]]]
    weight[[i]] * c(
      sum(other < risk[[i]]) + sum(other == risk[[i]]) / 2, length(other)
    )
  }, c(0, 0))
  pairs <- matrix(pairs, 2L)
  if (sum(pairs[2L, ]) > 0) sum(pairs[1L, ]) / sum(pairs[2L, ]) else NA_real_
}

# Returns Uno's concordance: it counts events up to the horizon, each divided by
# the square of its chance of being seen.
uno_concordance <- function(risk, time, event, study,
                            part = rep(1L, length(time))) {
  seen <- survival_at(study$censoring, time, before = TRUE)
  concordance(
    risk, time, event, ifelse(event & time < study$horizon, 1 / seen^2, 0), part
  )
}

# Compares events up to the horizon with samples that are followed for longer.
area_at <- function(risk, time, event, study, part = rep(1L, length(time))) {
  seen <- survival_at(study$censoring, time, before = TRUE)
  concordance(
    risk, time, event, ifelse(event & time <= study$horizon, 1 / seen, 0), part,
    function(i) time > study$horizon
  )
}

#' Brier scores at some times, weighted by the inverse chance to be seen
#' @param curve S(t), samples x times.
#' @return The score of each sample at each time.
#' @noRd
brier_terms <- function(curve, times, time, event, study) {
  seen <- survival_at(study$censoring, time, before = TRUE)
  at <- survival_at(study$censoring, times)
  terms <- vapply(seq_along(times), function(k) {
    gone <- time <= times[[k]]
    ifelse(gone, event * curve[, k]^2 / seen, (1 - curve[, k])^2 / at[[k]])
  }, numeric(length(time)))
  matrix(terms, length(time))
}

brier_scores <- function(...) colMeans(brier_terms(...))

# Returns the integral from 0 to the last time, by steps, divided by that time.
integrated_brier <- function(curve, times, time, event, study) {
  scores <- brier_scores(curve, times, time, event, study)
  last <- length(times)
  sum(diff(c(0, times)) * c(0, scores[-last])) / times[[last]]
}

# Returns the integral of each sample's own score, whose mean is the metric.
brier_losses <- function(truth, curve, study) {
  times <- study$grid
  terms <- brier_terms(curve, times, Re(truth), Im(truth) == 1, study)
  last <- length(times)
  step <- diff(c(0, times))[-1L] / times[[last]]
  as.vector(terms[, -last, drop = FALSE] %*% step)
}

#' @param truth Complex numbers: time, and 1i for an event, see truth_of().
#' @param risk,curve Of the same samples; curve at the times of the grid.
#' @noRd
survival_metric <- function(metric, truth, risk, curve) {
  time <- Re(truth)
  event <- Im(truth) == 1
  study <- metric$study
  switch(metric$name,
    cindex = concordance(risk, time, event),
    uno = uno_concordance(risk, time, event, study),
    ibs = integrated_brier(curve, study$grid, time, event, study)
  )
}
