# Layer: evaluate. tuned() makes a selector that chooses its own parameters on
# the samples that it is given.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A selector that chooses its parameters by cross-validation
#'
#' Makes a selector that tries combinations of parameters on inner splits of the
#' samples that it gets, and is then fitted to all of these samples with the
#' combination of least error. It can be called directly, or given to
#' [error_curve()], where it sees the training part only, [probe_fdr()] and
#' [turf()].
#'
#' @details
#' All combinations are tried, in the order of [expand.grid()]; of combinations
#' with the same error the first is chosen. The error is the `metric` of the
#' predictions of all inner test samples together, or one minus it where larger
#' values are better; for survival times it is averaged over the inner test
#' parts. Where one class is rare, take `"balanced_error"` or `"auc"`: the share
#' of wrong predictions hardly depends on the parameters there. The log loss is
#' in the examples. The error of the chosen
#' combination is optimistically biased, because it is a minimum. A combination
#' that fails in an inner split is not chosen (one warning says so).
#'
#' By default the fits predict by their own [predict()][predict.hitmiss]. Any
#' classifier uses the `n` best features of the fit, by default all that are
#' selected, or 50 of a ranking. The fit predicts by these `n` too, if its user
#' does not say otherwise.
#'
#' Groups and pairs are kept whole in the inner splits; the values of `group`
#' and `block` are passed on to the selector if it has such arguments. Within a
#' curve with `prepare`, the preparation is learned on the whole training part,
#' not again in inner folds; this does not bias the error of the curve.
#'
#' With `prepare`, the fit holds what was learned: [predict()][predict.hitmiss],
#' [validate()] and [write_report()] take raw new samples, with all features
#' that the preparation got, and do to them what was done to the training
#' samples. Without parameters to try, such as `tuned(relief, prepare =
#' prepare_impute())`, nothing is tuned. Steps that need to know which samples
#' they get, as [prepare_adjust()] does, are refused: new samples have no place
#' among the covariates.
#'
#' With `calibrate`, all of this is repeated in five inner folds, so that the
#' fit's probabilities say how often it is right, see "Calibrated probabilities"
#' of [predict()][predict.hitmiss], and survival curves differ by as much as
#' they should: S(t) is that of all training samples to the power of
#' exp(b (h - m)), with h the logarithm of the cumulative hazard by the votes at
#' the time by which 60 % have left, m its mean and b, from 0 to 1.5, its
#' coefficient in a Cox model of the inner folds. It takes about five times as
#' long, which a message of class `hitmiss_message_time` tells where it is more
#' than ten seconds, and the fit, which keeps the inner ones, five times the
#' memory.
#'
#' @param selector A function of `(x, y, ...)` that returns a fit of this
#'   package, such as `logo` or `llfs`.
#' @param ... Named parameters of the selector, each a vector (or list) of the
#'   values to try.
#' @param resampling [holdout()], [kfold()] or [leave_one_out()].
#' @param classifier `"own"`, or another classifier of [error_curve()]: a name
#'   or a function.
#' @param metric `NULL`: the error, and for survival times Harrell's C; or
#'   another metric of [error_curve()], by name or as a function. To try values
#'   of the `metric` of [relief()], rename it: `function(x, y, distance)
#'   relief(x, y, metric = distance)`.
#' @param n `NULL`, or the number of features used to predict, see Details.
#' @param prepare `NULL`, or a preparation as in [error_curve()]: it is learned
#'   on all samples that the selector gets, and the fit keeps it, see Details.
#' @param calibrate Calibrate the probabilities of the fits by inner folds, see
#'   Details? Not for [llfs()], which calibrates its own, for `pair`, or for
#'   numbers.
#' @return A function of `(x, y, ..., block = NULL, group = NULL, pair = NULL)`,
#'   of class `hitmiss_tuned`. It returns the selector's fit to all samples,
#'   whose element `tuned` is a data.frame with a row for each combination: its
#'   parameters, `error`, and `chosen`. Its other arguments (such as `threads`)
#'   are passed on to the selector. `set.seed()` fixes the result.
#' @seealso [error_curve()]
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
#' best_logo <- tuned(logo, lambda = c(0.5, 1, 2), sigma = c(2, 5))
#' best_logo
#' set.seed(1)
#' fit <- best_logo(toy$x, toy$y, threads = 1)
#' fit
#' fit$tuned
#'
#' # In a curve, every training part makes its own choice:
#' error_curve(toy$x, toy$y, list(logo = logo, tuned = best_logo),
#'   sizes = c(2, 5), resampling = holdout(times = 2)
#' )
#' # Probabilities that say how often they are right:
#' set.seed(1)
#' sure <- tuned(relief, calibrate = TRUE)(toy$x, toy$y, threads = 1)
#' sure
#' head(predict(sure, toy$x, type = "prob"), 3)
#' # By the log loss:
#' log_loss <- function(truth, predicted, probabilities) {
#'   -mean(log(probabilities[cbind(seq_along(truth), truth)]))
#' }
#' tuned(logo,
#'   lambda = c(0.5, 1), metric = list(fun = log_loss, name = "log loss")
#' )
#' # LLFS:
#' tuned(llfs,
#'   alpha = c(5, 10), neighbour = c("none", "half"), vote = "spheres"
#' )
#' @export
tuned <- function(selector, ..., resampling = kfold(5), classifier = "own",
                  metric = NULL, n = NULL, prepare = NULL, calibrate = FALSE) {
  check_selector(selector)
  check_flag(calibrate)
  tuned_metric(metric)
  candidates <- list(...)
  alone <- is.null(prepare) && !calibrate
  if (length(candidates) > 0L || alone) {
    check_candidates(candidates, selector)
  }
  tuning <- list(
    selector = selector, candidates = candidates,
    grid = expand.grid(lapply(candidates, seq_along), KEEP.OUT.ATTRS = FALSE),
    resampling = check_resampling(resampling),
    classifier = tuned_classifier(classifier), metric = metric,
    n = if (!is.null(n)) check_top(n), prepare = prepare,
    calibrate = calibrate, version = package_version_text()
  )
  structure(
    function(x, y, ..., block = NULL, group = NULL, pair = NULL) {
      design <- list(block = block, group = group, pair = pair)
      select <- function(...) prepared_fit(tuning, ...)
      if (calibrate) {
        select <- function(...) calibrated_fit(tuning, prepared_fit, ...)
      }
      select(x, y, list(...), design, match.call())
    },
    tuning = tuning, class = "hitmiss_tuned"
  )
}

# Returns the fit with the preparation that it was made with, if there is one.
# The arguments are those of tuned_fit().
prepared_fit <- function(tuning, x, y, given, design, call) {
  if (is.null(tuning$prepare)) {
    return(tuned_fit(tuning, x, y, given, design, call))
  }
  # Columns of a container are read before it becomes a plain table.
  design <- Map(function(values, arg) {
    if (!is.null(values)) design_column(values, x, arg)
  }, design, names(design))
  ready <- learn_preparation(tuning$prepare, x, y, given$assay, evaluated)
  given$assay <- NULL
  fit <- tuned_fit(tuning, ready$x, ready$y, given, design, call)
  fit$prepared <- ready$prepared
  fit
}

# The outcome is not known before the selector is called. What any kind of
# outcome has is therefore accepted here, and what is of the wrong kind is
# refused in that call.
tuned_classifier <- function(classifier) {
  c(
    as_classifier(classifier, kind_with(classifier, "models")),
    given = list(classifier)
  )
}

tuned_metric <- function(metric) {
  as_metric(metric, kind_with(metric, "metrics"))
}

kind_with <- function(given, field) {
  kinds <- lapply(evaluated, kind_named)
  has <- vapply(kinds, function(kind) {
    is.character(given) && all(given %in% names(kind[[field]]))
  }, NA)
  kinds[[which.max(has)]]
}

check_candidates <- function(candidates, selector) {
  names <- names(candidates)
  fine <- length(candidates) > 0L && !is.null(names) && !anyNA(names) &&
    all(nzchar(names)) && anyDuplicated(names) == 0L &&
    all(vapply(candidates, function(values) {
      (is.atomic(values) || is.list(values)) && !is.object(values) &&
        length(values) > 0L
    }, NA))
  if (!fine) {
    abort_input(c(
      "{.fn tuned} needs parameters of the selector by name, each with the
       values to try.",
      i = "As in {.code tuned(logo, lambda = c(0.5, 1, 2), sigma = c(2, 5))}."
    ), "...")
  }
  reserved <- intersect(
    names, c("x", "y", "block", "group", "pair", "error", "chosen")
  )
  if (length(reserved) > 0L) {
    abort_input(
      "{.arg {reserved}} cannot be tuned: {?it is not a parameter/they are not
       parameters} of a selector.", reserved[[1L]]
    )
  }
  taken <- vapply(names, takes_argument, NA, selector = selector)
  if (!all(taken) && !uses_dots(selector)) {
    abort_input(
      "{.arg {names[!taken]}} cannot be tuned: the selector has no
       {cli::qty(sum(!taken))}argument{?s} of {?this name/these names}.",
      names[!taken][[1L]]
    )
  }
  candidates
}

#' @export
print.hitmiss_tuned <- function(x, ...) {
  check_no_dots(...)
  tuning <- attr(x, "tuning")
  check_version(tuning$version, "x", "a selector", "call tuned() again")
  values <- vapply(tuning$candidates, function(values) {
    paste(candidate_labels(values), collapse = ", ")
  }, "")
  print_lines(c(
    if (length(values) == 0L) {
      paste("Selector with", if (!is.null(tuning$prepare)) {
        "a preparation"
      } else {
        "calibrated probabilities"
      })
    } else {
      sprintf(
        "Selector that chooses among %d combination%s by %s, with %s:",
        nrow(tuning$grid), if (nrow(tuning$grid) > 1L) "s" else "",
        resampling_words(tuning$resampling), tuning$classifier$label
      )
    }, sprintf("  %s: %s", names(values), values),
    if (!is.null(tuning$metric)) {
      paste("metric:", tuned_metric(tuning$metric)$label)
    },
    if (!is.null(tuning$prepare)) {
      paste("prepared by:", toString(step_words(as_steps(tuning$prepare))))
    },
    if (tuning$calibrate) "probabilities: calibrated by five inner folds"
  ))
  invisible(x)
}

candidate_labels <- function(values) {
  vapply(values, function(value) {
    single <- is.atomic(value) && length(value) == 1L
    if (single) format(value) else deparse1(value)
  }, "", USE.NAMES = FALSE)
}

#' @param given Further arguments of the selector.
#' @param design list(block, group, pair), as given or NULL.
#' @param call The user's call.
#' @noRd
tuned_fit <- function(tuning, x, y, given, design, call) {
  check_version(tuning$version, "selector", "a selector", "call tuned() again")
  if (!is.null(design$pair) && !takes_argument(tuning$selector, "pair")) {
    abort_input("The selector has no argument {.arg pair}.", "pair")
  }
  if (length(tuning$candidates) == 0L) {
    return(with_tuned_n(call_with(tuning, 0L, x, y, given, design), tuning$n))
  }
  problem <- as_problem_coded(
    x, y, assay = given$assay, outcome = evaluated, missing = TRUE
  ) |>
    with_groups(x, design$block, design$group, design$pair, tell = FALSE)
  stream <- draw_stream()
  failures <- character()
  splits <- with_stream(stream, draw_splits(
    problem$y, tuning$resampling, "resampling", problem$design
  ))
  kind <- kind_of(problem$y)
  tuning$classifier <- as_classifier(tuning$classifier$given, kind)
  metric <- curve_metric(tuning$metric, NULL, problem$y)
  rows <- seq_len(nrow(tuning$grid))
  columns <- kind$score_names(problem$y, metric$study$grid)
  runs <- spread(splits, function(split) {
    n <- length(split$test)
    failed <- function(e) {
      failures <<- c(failures, conditionMessage(e))
      list(
        class = rep(NA_integer_, n),
        score = matrix(NA_real_, n, length(columns))
      )
    }
    split$result$predicted <- lapply(rows, function(row) {
      stream <<- parallel::nextRNGStream(stream)
      try_user(with_stream(stream, suppressWarnings(
        tuning_predictions(split, row, problem, tuning, given, metric)
      ) |> suppressMessages(classes = "hitmiss_message_leakage")), failed)
    })
    split
  }, label = "Inner splits")
  error <- prediction_rows(runs, problem$y, rows, columns) |>
    tuning_errors(runs, metric, kind$together)
  table <- tuning_table(tuning, error, failures)
  fit <- with_stream(parallel::nextRNGStream(stream), call_with(
    tuning, which(table$chosen), x, y, given, design
  ))
  # The call shows what the user wrote, in place of the names that are known
  # here.
  for (arg in intersect(names(fit$call), c("x", "y", names(design)))) {
    fit$call[[arg]] <- short_part(call[[arg]])
  }
  if (!is.null(tuning$metric)) {
    attr(table, "loss") <- paste0(if (metric$larger) "1 - ", metric$label)
  }
  fit$tuned <- table
  with_tuned_n(fit, tuning$n)
}

# A fit that predicts by `n` features unless its user says otherwise.
with_tuned_n <- function(fit, n) {
  if (!is.null(n) && !inherits(fit, "hitmiss_llfs")) {
    fit$tuned_n <- min(n, length(usual_list(fit)))
  }
  fit
}

#' The selector with the parameters of one row of the grid
#'
#' @param design list(block, group, pair), or some of these; NULL: not given.
#' @noRd
call_with <- function(tuning, row, x, y, given, design) {
  design <- taken_design(tuning$selector, design)
  parameters <- if (length(tuning$candidates) > 0L) {
    Map(`[[`, tuning$candidates, unlist(tuning$grid[row, ]))
  }
  # The call has data by name, so that they do not stand in the call that a fit
  # keeps.
  call <- as.call(c(
    list(tuning$selector, x = quote(x), y = quote(y)), parameters,
    given[setdiff(names(given), names(parameters))],
    stats::setNames(lapply(names(design), as.name), names(design))
  ))
  fit <- eval(call, c(list(x = x, y = y), design))
  if (!inherits(fit, "hitmiss")) {
    abort_user(
      "{.fn tuned} needs a selector that returns a fit of this package, not
       {describe(fit)}.", "selectors"
    )
  }
  fit
}

# Predicts the test samples of a split with one combination.
tuning_predictions <- function(split, row, problem, tuning, given, metric) {
  train <- split$labelled %||% split$train
  test <- split$test
  problem <- without_blocks(problem, train)
  y <- problem$y[train]
  kind <- kind_of(y)
  rows <- function(rows) decoded(problem_rows(problem, rows), problem$levels)
  given$assay <- NULL
  fit <- call_with(
    tuning, row, rows(train), kind$at(problem$y, train), given,
    design_rows(problem$design, train)$given
  )
  data <- list(
    problem = problem, train = train, test = test, scale = "zscore", y = y,
    grid = metric$study$grid
  )
  if (tuning$classifier$kind == "own") {
    n <- if (!inherits(fit, "hitmiss_llfs")) tuning$n
    how <- missing_in(problem)
    return(
      own_prediction(fit, rows(test), n, data, isTRUE(metric$scores), how)
    )
  }
  order <- as_feature_list(fit, problem$features)$order
  n <- tuning$n %||% default_n(fit) %||% length(fit$selected)
  n <- min(n, length(order))
  found <- classify_first(order, n, tuning$classifier, data)[[1L]]
  if (isTRUE(metric$scores) && is.null(found$score)) {
    abort_no_scores(metric$name, "selector", kind)
  }
  found
}

# Returns the metric of each combination, or one minus it where larger is
# better.
tuning_errors <- function(table, runs, metric, together) {
  metric$pooled <- together
  values <- size_values(table, metric, list(
    resampling = list(method = "kfold"),
    splits = lapply(runs, replace, "repetition", 1L)
  ))
  if (metric$larger) values <- 1 - values
  # A part in which no combination has a value does not count.
  colMeans(values[rowSums(!is.na(values)) > 0, , drop = FALSE])
}

# Returns the grid with its errors; a combination that failed in a split has
# none.
tuning_table <- function(tuning, error, failures) {
  error[!is.finite(error)] <- NA
  if (all(is.na(error)) && length(failures) == 0L) {
    abort_user(
      "the metric of {.fn tuned} has no finite value for any combination: of
       survival times, no two samples of an inner part may be comparable.",
      "metric"
    )
  }
  tell_failures(
    failures, if (all(is.na(error))) length(failures) else Inf, "{.fn tuned}:
     {sum(is.na(error))} of {length(error)} combinations failed in an inner
     split and {cli::qty(sum(is.na(error)))}{?is/are} not considered.",
    "selector"
  )
  columns <- Map(function(values, at) {
    if (is.atomic(values)) values[at] else candidate_labels(values)[at]
  }, tuning$candidates, tuning$grid)
  table <- data.frame(columns, check.names = FALSE, row.names = NULL)
  table$error <- error
  table$chosen <- seq_along(error) == which.min(error)
  table
}

# ---- fits that hold their preparation ----------------------------------------

#' Samples after a preparation that was learned on them
#'
#' @return list(x: the prepared samples; y; prepared: what a fit keeps, for
#'   prepared_newdata()).
#' @noRd
learn_preparation <- function(prepare, x, y, assay, outcome) {
  problem <- as_problem(
    x, y, assay = assay, outcome = outcome, complete = FALSE
  )
  preparation <- as_preparation(prepare, problem)
  by_rows <- vapply(preparation$steps, function(step) {
    "rows" %in% names(formals(args(step)))
  }, NA)
  if (any(by_rows)) {
    abort_input(c(
      "{.arg prepare} has a step that needs to know which samples it gets
       ({preparation$words[by_rows]}): it cannot be applied to new samples.",
      i = "Adjust the values before, or give the step to {.fn error_curve}."
    ), "prepare")
  }
  rows <- seq_along(problem$y)
  split <- list(train = rows, test = rows)
  ready <- prepare_split(problem, split, preparation, keep = TRUE)
  values <- problem_rows(ready$problem, rows)
  rownames(values) <- problem$samples
  list(
    x = decoded(values, ready$problem$levels), y = problem$y,
    prepared = list(
      steps = ready$applied, words = preparation$words,
      imputes = unlist(lapply(preparation$steps, attr, "imputes")),
      features = problem$features, frame = problem$storage == "frame",
      assay = problem$assay
    )
  )
}
