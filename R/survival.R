# Layer: input. Survival times: the Kaplan-Meier curve, the positions by which
# samples are compared, and Cox's score test.
# SPDX-License-Identifier: GPL-3.0-or-later

is_survival <- function(y) inherits(y, "Surv")

#' Times and events of a Surv
#' @return list(time: doubles, event: logical).
#' @noRd
times_of <- function(y) {
  y <- unname(unclass(y))
  list(time = y[, 1L], event = y[, 2L] == 1)
}

#' Kaplan-Meier curve of times that are tied only if they are equal
#'
#' The samples that leave at a time are still at risk at that time.
#' @return list(time: distinct, increasing; survival: after each; died, at_risk:
#'   numbers of samples).
#' @noRd
kaplan_meier <- function(time, event) {
  times <- sort(unique(time))
  at <- match(time, times)
  died <- tabulate(at[event], length(times))
  at_risk <- rev(cumsum(rev(tabulate(at, length(times)))))
  list(
    time = times, survival = cumprod(1 - died / at_risk), died = died,
    at_risk = at_risk
  )
}

#' The curve at some times, or just before them
#' @noRd
survival_at <- function(curve, times, before = FALSE) {
  c(1, curve$survival)[
    findInterval(times, curve$time, left.open = before) + 1L
  ]
}

# Returns the first time at which the curve is at most one half; NA if there is
# none.
median_time <- function(curve) {
  curve$time[match(TRUE, curve$survival <= 0.5 + 1e-12)]
}

#' Where samples stand among all, by the share that has had the event
#'
#' @param strata Each has a curve of its own.
#' @return list(position: of an event at t the mean of the shares before and
#'   after t, of a sample censored at t the share at t, from which its position
#'   is uniform to 1; expected: the mean of that).
#' @noRd
survival_positions <- function(time, event, strata = rep(1L, length(time))) {
  position <- numeric(length(time))
  for (rows in split(seq_along(time), strata)) {
    curve <- kaplan_meier(time[rows], event[rows])
    gone <- 1 - survival_at(curve, time[rows])
    before <- 1 - survival_at(curve, time[rows], before = TRUE)
    position[rows] <- ifelse(event[rows], (before + gone) / 2, gone)
  }
  list(
    position = position,
    expected = ifelse(event, position, (1 + position) / 2)
  )
}

#' What the core's votes need of training samples
#' @param times Increasing; curves are given there.
#' @noRd
survival_voters <- function(y, times) {
  y <- times_of(y)
  distinct <- sort(unique(y$time))
  list(
    position = survival_positions(y$time, y$event)$expected,
    step = match(y$time, distinct) - 1L, event = y$event,
    grid = findInterval(times, distinct)
  )
}

# Without features all samples get the mean risk and the Kaplan-Meier curve of
# the training part.
constant_survival <- function(y, n, grid) {
  y <- times_of(y)
  curve <- survival_at(kaplan_meier(y$time, y$event), grid)
  list(
    class = rep(1 - mean(survival_positions(y$time, y$event)$expected), n),
    score = matrix(rep(curve, each = n), n, length(grid))
  )
}

#' Cox's score test of every feature, alone
#'
#' @param block Strata, or NULL.
#' @param squared Of squared differences from the mean?
#' @return list(z, effect), see the core; NA for categories.
#' @noRd
hazard_scores <- function(problem, runtime, block = problem$block,
                          squared = FALSE) {
  y <- times_of(problem$y)
  times <- list(
    time = match(y$time, sort(unique(y$time))), event = y$event,
    stratum = block %||% rep(1L, length(y$time))
  )
  found <- cpp_cox_scores(problem, times, squared, runtime)
  coded <- problem$features %in% names(problem$levels)
  lapply(found, replace, coded, NA_real_)
}

# A high value of a feature that is up goes with early events.
hazard_direction <- function(z) c("down", NA, "up")[sign(z) + 2]

check_survival_method <- function(y, method, methods) {
  if (is_survival(y) && !method %in% methods) {
    abort_input(c(
      "{.arg method = \"{method}\"} takes classes or numbers, and {.arg y} holds
       survival times.",
      i = "Use {.code method = \"{methods[[1L]]}\"}."
    ), "method")
  }
}

#' Refuse survival times where classes are needed
#' @param verb Name of the function that was called.
#' @noRd
refuse_survival <- function(y, arg, verb = calling_verb()) {
  if (is_survival(y)) {
    abort_input(
      "{.fn {verb}} takes classes; survival times are ranked by {.fn relief}.",
      arg
    )
  }
}

# ---- in words ----------------------------------------------------------------

#' Two lines about the times of a study
#' @noRd
survival_words <- function(y) {
  y <- times_of(y)
  figure <- function(n) format(n, digits = 3L)
  curve <- kaplan_meier(y$time, y$event)
  followed <- median_time(kaplan_meier(y$time, !y$event))
  half <- median_time(curve)
  last <- length(curve$time)
  c(
    sprintf(
      "survival times: %d events, %s censored", sum(y$event),
      percent(mean(!y$event))
    ),
    paste0(
      if (!is.na(followed)) {
        sprintf(
          "followed for %s (median, reverse Kaplan-Meier); ", figure(followed)
        )
      },
      if (is.na(half)) {
        sprintf(
          "median survival not reached (%s at %s)",
          figure(curve$survival[[last]]), figure(curve$time[[last]])
        )
      } else {
        paste("median survival", figure(half))
      }
    )
  )
}

# Returns the times of survival curves: those of the training events, if none
# are given.
check_times <- function(times, fit, type) {
  if (type != "survival") {
    if (!is.null(times)) {
      abort_input(
        "{.arg times} is used with {.code type = \"survival\"} only.", "times"
      )
    }
    return(NULL)
  }
  if (is.null(times)) {
    y <- times_of(fit$training$y)
    return(sort(unique(y$time[y$event])))
  }
  if (!is.numeric(times) || is.object(times) || length(times) == 0L ||
    anyNA(times) || any(times < 0) || anyDuplicated(times) > 0L) {
    abort_input(
      "{.arg times} must be different numbers of at least 0, not
       {describe(times)}.", "times"
    )
  }
  last <- last_time(fit)
  if (is_beyond(max(times), last)) {
    abort_input(
      "{.arg times} goes up to {max(times)}, beyond the last time of training,
       {last}: nothing is known there.", "times"
    )
  }
  pmin(as.double(times), last)
}

# Messages round the last time: what they show can be given.
is_beyond <- function(time, last) time > last * (1 + 1e-8)

last_time <- function(fit) max(times_of(fit$training$y)$time)
