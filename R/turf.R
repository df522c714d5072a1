# Layer: fit. TuRF scores the features, drops the worst, and scores the others
# again.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Rank features by repeated scoring without the worst (TuRF)
#'
#' If most features are noise, distances over all features are mostly noise as
#' well. TuRF (tuned ReliefF) scores all features, drops those with the lowest
#' scores, constant ones first, and scores the remaining features again, until
#' few are left. This helps if features act only jointly, see
#' [simulate_epistasis()].
#'
#' Features that are dropped together are ranked by their last score, below
#' those that were kept longer. TuRF takes as long as `1 / drop` fits to all
#' features.
#'
#' @param x,y Data and labels, as in [relief()].
#' @param selector A function of `(x, y)` that returns a fit of this package,
#'   such as `relief` or `function(x, y) relief(x, y, method = "multisurf")`.
#'   One with `pair` is refused. `x` is a matrix, or a data.frame if there are
#'   factors.
#' @param drop Share of the features that is dropped after each round, in (0,
#'   1); at least one feature is dropped.
#' @param n_stop Number of features in the last round.
#' @param ... Must be empty.
#' @param assay Which assay of a container, as in [relief()].
#' @param verbose Show a progress bar? In interactive sessions there always is
#'   one.
#' @return A fit of class `c("hitmiss_turf", "hitmiss")`, see [hitmiss-methods]:
#'   a ranking. `scores` has for each feature the score from the last round in
#'   which it was scored, and `last_round` the number of that round: compare
#'   scores only within a round. [predict()][predict.hitmiss] finds neighbours
#'   by the features of positive score.
#' @references
#' `r reference("turf")`
#' @examples
#' set.seed(1)
#' toy <- simulate_epistasis(samples = c(100, 100), noise = 50)
#' multisurf <- function(x, y) relief(x, y, "multisurf", threads = 1)
#' fit <- turf(toy$x, toy$y, multisurf)
#' fit
#' @export
turf <- function(x, y, selector = relief, drop = 0.1, n_stop = 10, ...,
                 assay = NULL, verbose = FALSE) {
  check_no_dots(...)
  problem <- as_problem_coded(
    x, y, assay = assay,
    outcome = c("factor", "numeric", "Surv"), missing = TRUE
  ) |>
    staged()
  check_selector(selector)
  drop <- check_number(drop, above = 0, below = 1)
  n_stop <- min(check_count(n_stop), length(problem$features))
  verbose <- check_flag(verbose)
  started <- elapsed()
  rounds <- turf_rounds(
    problem, if (!is.null(problem$levels)) plain_frame(x), selector, drop,
    n_stop, verbose
  )
  new_turf(
    problem, rounds, drop, n_stop, elapsed() - started,
    match.call()
  )
}

#' @return list(first: the fit to all features, scores, last_round, ranking)
#' @noRd
turf_rounds <- function(problem, frame, selector, drop, n_stop, verbose) {
  n <- length(problem$features)
  values <- if (is.null(frame)) problem_rows(problem, seq_along(problem$y))
  known <- if (!is.null(problem$present)) {
    !is.na(as.matrix(problem_rows(problem, seq_along(problem$y))))
  }
  scores <- numeric(n)
  last_round <- integer(n)
  sizes <- turf_sizes(n, drop, n_stop)
  progress <- progress_reporter("TuRF", verbose)
  progress(0)
  at <- seq_len(n)
  say_once <- once_by_class()
  for (round in seq_along(sizes)) {
    x <- if (is.null(frame)) values[, at, drop = FALSE] else frame[at]
    fit <- say_once(call_user(selector(x, problem$y)))
    check_turf_fit(fit, problem$features[at])
    if (round == 1L) first <- fit
    scores[at] <- fit$scores
    last_round[at] <- round
    progress(sum(sizes[seq_len(round)]) / sum(sizes))
    if (round < length(sizes)) {
      at <- sort(at[turf_order(fit)[seq_len(sizes[[round + 1L]])]])
      # A sample without any value could not be compared.
      if (!is.null(known) && any(rowSums(known[, at, drop = FALSE]) == 0)) break
    }
  }
  list(
    first = first, scores = scores, last_round = last_round,
    ranking = order(-last_round, -scores, seq_len(n))
  )
}

# The order in which features are kept: constant ones, which no list may hold,
# go first. Scores that are equal but for rounding tie: the order of the samples
# must not decide which of two features goes.
turf_order <- function(fit) {
  best <- fit$scores[fit$ranking]
  step <- c(0, abs(diff(best)) > 1e-12 * max(abs(best)))
  constant <- fit$preprocess$constant[fit$ranking]
  fit$ranking[order(constant, cumsum(step), fit$ranking)]
}

# Returns the number of features in each round.
turf_sizes <- function(n, drop, n_stop) {
  sizes <- n
  while (n > n_stop) {
    n <- max(n_stop, n - max(1, floor(drop * n)))
    sizes <- c(sizes, n)
  }
  sizes
}

check_turf_fit <- function(fit, features) {
  if (!inherits(fit, "hitmiss") || !identical(names(fit$scores), features)) {
    abort_input(c(
      "{.arg selector} must return a fit of this package to all features given
       to it, not {describe(fit)}.",
      i = "As {.code function(x, y) relief(x, y, method = \"multisurf\")} does."
    ), "selector")
  }
  part <- if (!is.null(fit$design$pair)) "pair" else "prepare"
  if (part == "pair" || !is.null(fit$prepared)) {
    abort_input(
      "{.arg selector} makes a fit with {.arg {part}}, which {.fn turf} does not
       take: its ranking predicts from values as they are.", "selector"
    )
  }
}

new_turf <- function(problem, rounds, drop, n_stop, seconds, call) {
  first <- rounds$first
  run <- structure(list(), seconds = seconds, threads = first$report$threads)
  preprocess <- c(first$preprocess, first[c("class_means", "class_spread")])
  weights <- pmax(rounds$scores, 0) * !preprocess$constant
  fit <- new_selector("turf", problem, preprocess, rounds$scores, weights > 0,
    c(
      list(selector = method_label(first), drop = drop, n_stop = n_stop),
      first$parameters[c("scale", "metric", "block", "group")] |>
        Filter(f = Negate(is.null))
    ),
    run,
    report = list(iterations = max(rounds$last_round)),
    training = vote_memory(problem, weights, first$report$threads),
    last_round = stats::setNames(rounds$last_round, problem$features),
    settings = fit_settings(first),
    ranking = rounds$ranking, call = call
  )
  fit$levels <- problem$levels
  # What the first fit knows by its block.
  for (field in c(
    "present", "lacking", "contrasts", "hazard", "design", "tuned_n"
  )) {
    fit[[field]] <- first[[field]]
  }
  fit
}
