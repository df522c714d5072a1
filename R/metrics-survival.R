# Layer: evaluate. Measures of predicted risks and survival curves: concordance,
# the Brier score and its integral, the area under the ROC curve at a time.
# SPDX-License-Identifier: GPL-3.0-or-later

#' What the measures need to know of a study
#'
#' @param horizon The user's, or NULL: the time by which 80 % of the samples
#'   have left, or the last event's if it lies outside of the events' times.
#' @param last The last time at which a curve is known.
#' @return list(censoring: curve of the censoring times of all samples, horizon:
#'   where pairs and integrals end, grid: at most 50 times of curves, the
#'   horizon last; outcomes: those of all samples).
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
    horizon <- sort(y$time)[[ceiling(0.8 * n)]]
    last_event <- max(y$time[y$event])
    between <- first < horizon && horizon <= last_event
    if (!between && first < last_event) horizon <- last_event
    horizon <- min(last, horizon)
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
    outcomes = Surv(y$time, y$event)
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
#' @param y A list of time and event. @param part Only samples of one part are
#'   compared.
#' @param weight Function of the times of events, by which their pairs count.
#' @return NA without such pairs.
#' @noRd
concordance <- function(risk, y, part = rep(1L, length(risk)),
                        weight = function(time) rep(1, length(time))) {
  if (length(risk) < 2L || !any(y$event)) {
    return(NA_real_)
  }
  # Ranks take the place of times, those of one part after those of another.
  times <- sort(unique(y$time))
  step <- length(times) + 1
  start <- step * match(part, unique(part))
  of_event <- survival::concordancefit(
    Surv(start, start + match(y$time, times), y$event), risk,
    ranks = TRUE, reverse = TRUE
  )$ranks
  weight <- weight(times[of_event$time %% step])
  at_risk <- of_event$timewt
  # Events at one time are not compared with each other.
  pairs <- at_risk -
    stats::ave(of_event$time, of_event$time, FUN = length)
  total <- sum(weight * pairs)
  if (total > 0) {
    0.5 + sum(weight * at_risk * of_event$rank) / total / 2
  } else {
    NA_real_
  }
}

# Returns Uno's concordance: it counts events up to the horizon, each divided by
# the square of its chance of being seen.
uno_concordance <- function(risk, y, study, part = rep(1L, length(risk))) {
  concordance(risk, y, part, function(time) {
    seen <- survival_at(study$censoring, time, before = TRUE)
    ifelse(time < study$horizon, 1 / seen^2, 0)
  })
}

# Compares events up to the horizon with samples that are followed for longer.
area_at <- function(risk, y, study, part = rep(1L, length(risk))) {
  late <- y$time > study$horizon
  weight <- 1 / survival_at(study$censoring, y$time, before = TRUE)
  pairs <- vapply(split(seq_along(risk), part), function(rows) {
    others <- rows[late[rows]]
    of <- rows[y$event[rows] & !late[rows]]
    if (length(others) == 0L || length(of) == 0L) {
      return(c(0, 0))
    }
    won <- placements(risk[of], risk[others])
    length(others) * c(sum(weight[of] * won), sum(weight[of]))
  }, c(0, 0))
  sum(pairs[1L, ]) / sum(pairs[2L, ])
}

#' Brier scores at some times, weighted by the inverse chance to be seen
#' @param curve S(t), samples x times.
#' @return The score of each sample at each time.
#' @noRd
brier_terms <- function(curve, times, y, study) {
  seen <- survival_at(study$censoring, y$time, before = TRUE)
  at <- survival_at(study$censoring, times)
  terms <- vapply(seq_along(times), function(k) {
    gone <- y$time <= times[[k]]
    ifelse(gone, y$event * curve[, k]^2 / seen, (1 - curve[, k])^2 / at[[k]])
  }, numeric(nrow(curve)))
  matrix(terms, nrow(curve))
}

brier_scores <- function(curve, times, y, study) {
  terms <- brier_terms(curve, times, y, study)
  if (is.null(y$unit)) {
    return(colMeans(terms))
  }
  colSums(terms / unit_sizes(y$unit))
}

# Returns the integral from 0 to the last time, by steps, divided by that time.
integrated_brier <- function(curve, times, y, study) {
  scores <- brier_scores(curve, times, y, study)
  last <- length(times)
  sum(diff(c(0, times)) * c(0, scores[-last])) / times[[last]]
}

# Returns the integral of each sample's own score, whose mean is the metric.
brier_losses <- function(y, curve, study) {
  times <- study$grid
  terms <- brier_terms(curve, times, y, study)
  last <- length(times)
  step <- diff(c(0, times))[-1L] / times[[last]]
  as.vector(terms[, -last, drop = FALSE] %*% step)
}

# See as_metric().
survival_metrics <- list(
  cindex = list(
    larger = TRUE, pooled = FALSE, label = "C (Harrell)",
    value = function(table, metric) concordance(table$predicted, table)
  ),
  uno = list(
    larger = TRUE, pooled = FALSE, label = "C (Uno)",
    value = function(table, metric) {
      uno_concordance(table$predicted, table, metric$study)
    }
  ),
  ibs = list(
    larger = FALSE, pooled = FALSE, scores = TRUE,
    label = "integrated Brier score", value = function(table, metric) {
      integrated_brier(table$score, metric$study$grid, table, metric$study)
    },
    losses = function(table, curve) {
      brier_losses(table, table$score, curve$study)
    }
  )
)
