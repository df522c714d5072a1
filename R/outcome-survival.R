# Layer: show. Survival times as an outcome: all that is different about them.
# SPDX-License-Identifier: GPL-3.0-or-later

kind_of.Surv <- function(y) {
  list(
    name = "Surv", what = "survival times", said = "The fit has survival times",
    check = check_survival, read = known_survival,
    at = function(y, rows) y[rows], classes = function(y) NULL,
    strata = function(y) {
      factor(ifelse(times_of(y)$event, "event", "censored"))
    },
    needed = function(y) "event", partly = FALSE,
    # ---- fits ----
    relief = "srelieff", neighbours = function(problem, parameters) {
      warn_few_events(problem$y)
      outcome_neighbours(problem, parameters)
    },
    compared = function(problem) {
      check_strata(problem)
      problem$block <- NULL
      without_classes(problem)
    },
    pairs = refuse_pairs, placed = compared_times,
    alone = function(problem, preprocess, run) {
      if (identical(run$spread, 0)) abort_no_spread(run$k)
      list(
        n_events = sum(times_of(problem$y)$event),
        hazard = unit_hazards(problem, core_runtime(attr(run, "threads"))),
        censored = run$censored
      )
    },
    alone_columns = function(problem, at) {
      hazard_table(unit_hazards(problem, core_runtime()), at)
    },
    leaks = time_leaks,
    # ---- predict() ----
    types = c("risk", "survival"), weighted = FALSE, usual_votes = half_of,
    votes = function(fit, times) c(risk = 1L, curve = length(times)),
    nearest = function(values, training, ..., times) {
      training$voters <- survival_voters(training$y, sort(times))
      cpp_nearest_survival(values, training, ...)
    },
    answer = function(votes, y, k, balanced, times) {
      list(
        class = votes$risk[, 1L],
        score = votes$curve[, match(times, sort(times)), drop = FALSE]
      )
    },
    calibrated = calibrated_curves, worth = hazard_calibration,
    # Where 60 % have left.
    calibrated_at = function(y) {
      sort(times_of(y)$time)[[ceiling(0.6 * nrow(y))]]
    },
    constant = constant_survival, without = "the same risk.",
    predicted = function(y, numbers) as.double(numbers),
    score_names = function(y, times) number_names(times), stated = identity,
    # ---- lists and prints ----
    direction = function(x, rows, means) hazard_table(x$hazard, rows, means),
    of_class = function(x, rows, class, direction) {
      if (!is.null(class)) no_classes("class")
      direction <- check_choice(direction, c("up", "down"), "direction")
      hazard_direction(x$hazard$z[rows]) %in% direction
    },
    in_turn = function(...) no_classes("by"), signed = function(fit, positive) {
      positive_class(positive, character())
      z <- replace(fit$hazard$z, is.na(fit$hazard$z), 0)
      list(contrast = z, effect = z)
    },
    legend = hazard_legend, words = function(fit) {
      survival_words(fit$training$y)
    },
    alone_words = function(n) {
      paste0(
        "effect: log hazard ratio per standard deviation, ", n,
        "; z: Cox's score test."
      )
    },
    pictures = list(risk = plot_risk),
    # ---- evaluations ----
    study = survival_study, metrics = survival_metrics, columns = times_of,
    truth = function(table) Surv(table$time, table$event),
    shown = function(table) {
      data.frame(table[c("time", "event")], risk = table$predicted)
    },
    prefix = "surv_", usual_k = NULL, knn = nearest_survival,
    models = list(cox = ridge_survival), own = own_survival,
    custom = custom_survival, classifier_help = c(
      i = "{.val knn} has half of the samples as neighbours, {.val knn25} has
           25, and so on.",
      i = "A function takes {.arg (x_train, y_train, x_test)} and returns a
           risk for each test sample, larger for earlier events, or a matrix of
           survival probabilities with times as column names."
    ),
    scores = "survival curves",
    baseline = without_features, none = "no_features",
    # The risks of two fits cannot be compared.
    together = FALSE, p_value = function(values, y) NA_real_,
    curve_words = function(x, sizes) {
      sprintf("survival times, %d events", x$class_sizes[x$classes == "event"])
    },
    study_words = function(x) {
      paste("; horizon:", format(x$study$horizon, digits = 4L))
    },
    empty = "{n} empty selection{?s} predicted the survival of all.",
    lost = "{n} test part{?s} {?has/have} no pair to compare and no
            {metric_label(x)}.",
    curve_pictures = list(curve = plot_curve, survival = plot_curve_survival),
    validate = validate_times, validate_curve = validate_held_out
  )
}

# ---- what is taken -----------------------------------------------------------

#' Refuse what does not hold right-censored times
#' @importFrom survival Surv strata
#' @noRd
check_survival <- function(y, arg) {
  if (!is_survival(y) || !is.matrix(unclass(y)) || !is.numeric(unclass(y))) {
    abort_input(c(
      "{.arg {arg}} must hold survival times, not {describe(y)}.",
      i = "Give {.code survival::Surv(time, event)}."
    ), arg)
  }
  type <- attr(y, "type") %||% "unknown"
  if (type != "right" || ncol(unclass(y)) != 2L) {
    abort_input(c(
      "{.arg {arg}} holds survival times of type {.val {type}}; only
       {.val right} is taken: a time for each sample, and whether it ends with
       the event or by censoring.",
      i = if (startsWith(type, "m")) {
        "Choose one event: {.code Surv(time, event == \"relapse\")}. Others then
         count as censored: the ranking is of cause-specific hazards, and S(t)
         is no share of patients."
      } else if (type == "counting") {
        "Late entry (left truncation, start and stop times) is not supported."
      } else {
        "Left and interval censoring are not supported."
      }
    ), arg)
  }
}

known_survival <- function(y, samples, arg) {
  values <- unclass(y)
  refuse <- function(bad, what, why = NULL) {
    bad <- which(bad)
    if (length(bad) > 0L) {
      first <- position("sample", bad[[1L]], samples)
      abort_input(c(
        paste0(
          "{.arg {arg}} has {length(bad)} sample{?s} whose ", what,
          "; the first is {first}."
        ),
        i = why,
        i = "Leave {cli::qty(length(bad))}{?this sample/these samples} out."
      ), arg, row = bad[[1L]])
    }
  }
  if (nrow(values) < 2L) {
    abort_input(
      "{.arg {arg}} has a single sample: there is none to compare it with.", arg
    )
  }
  refuse(is.na(values[, 1L]) | is.na(values[, 2L]), "time or event is missing")
  refuse(is.infinite(values[, 1L]), "time is infinite")
  refuse(values[, 1L] < 0, "time is negative", "Times count from the start of
    observation: give them as they are, no logarithms or scaled values.")
  if (sum(values[, 2L]) == 0) {
    abort_input(c(
      "{.arg {arg}} has no event: all {nrow(values)} sample{?s} are censored.",
      i = "In {.code Surv(time, event)} the event is TRUE, or 1 where censoring
           is 0."
    ), arg)
  }
  values <- unname(values)
  Surv(values[, 1L], values[, 2L] == 1)
}
