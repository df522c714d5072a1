# Layer: evaluate. tuned(calibrate = TRUE) repeats the selection in inner folds,
# to learn what the votes of a fit are worth.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A fit with what calibrates its probabilities, see vote_calibration()
#'
#' Preparation, choice of parameters and selection are repeated in each of five
#' inner folds. A fold is left out if a class has fewer than two training
#' samples there (survival times: if there are fewer than two events), or if its
#' fit fails.
#' @param select Makes a fit: a function of `tuning` and what follows here.
#' @noRd
calibrated_fit <- function(tuning, select, x, y, given, design, call) {
  if (!is.null(design$pair)) {
    abort_input(
      "{.arg calibrate} is not for {.arg pair}: a fit of pairs says which of two
       samples of one pair is which: there is nothing to calibrate.", "pair"
    )
  }
  fit <- select(tuning, x, y, given, design, call)
  kind <- fit_kind(fit)
  if (inherits(fit, "hitmiss_llfs") || length(kind$types) < 2L) {
    abort_input(c(
      "{.arg calibrate} is for votes on classes or survival times by
       {.fn relief}, {.fn logo}, {.fn kbfs} and others; {.fn llfs} calibrates
       its own.",
      i = "Leave {.arg calibrate} out."
    ), "calibrate")
  }
  fit$calibration <- inner_votes(tuning, select, x, y, given, design)
  if (length(fit$calibration$folds) == 0L) {
    abort_input(
      "{.arg calibrate} needs an inner fold with two training samples of every
       class, or two events, in which the selector does not fail; there is
       none.", "y"
    )
  }
  fit$calibration$time <- kind$calibrated_at(fit$training$y)
  fit$calibration$usual <- kind$worth(fit$calibration)
  fit
}

inner_votes <- function(tuning, select, x, y, given, design) {
  prepared <- !is.null(tuning$prepare)
  # The fit has told what is to be told of the data.
  quiet <- function(code) suppressMessages(suppressWarnings(code))
  problem <- (if (prepared) as_problem else as_problem_coded)(
    x, y, assay = given$assay, outcome = evaluated, complete = !prepared,
    missing = TRUE
  ) |>
    with_groups(x, design$block, design$group, tell = FALSE) |>
    quiet()
  given$assay <- NULL
  units <- n_units(problem$design)
  stream <- draw_stream()
  splits <- quiet(with_stream(stream, draw_splits(
    problem$y, kfold(min(5L, units)), design = problem$design
  )))
  rows <- function(rows) decoded(problem_rows(problem, rows), problem$levels)
  folds <- spread(splits, function(split) {
    stream <<- parallel::nextRNGStream(stream)
    here <- table(strata_of(problem$y)[split$train])
    if (min(here[kind_of(problem$y)$needed(problem$y)]) < 2L) {
      return(NULL)
    }
    try_user(quiet(with_stream(stream, {
      fit <- select(
        tuning, rows(split$train), problem$y[split$train], given,
        design_rows(problem$design, split$train)$given, NULL
      )
      values <- rows(split$test)
      if (!prepared) {
        needed <- names(fit$scores)[fit$training$features]
        values <- values[, needed, drop = FALSE]
      }
      fit$annotation <- NULL
      y <- problem$y[split$test]
      if (is.factor(y)) y <- as.integer(y)
      list(fit = fit, values = values, y = y)
    })), function(e) NULL)
  }, label = "Inner folds")
  list(
    folds = unname(Filter(Negate(is.null), folds)),
    weight = units / length(problem$y)
  )
}
