# Layer: evaluate. Whatever a selector returned becomes an ordered list of
# features here.
# SPDX-License-Identifier: GPL-3.0-or-later

takes_size <- function(selector) {
  is.function(selector) && "size" %in% names(formals(selector))
}

# A list of names among the selectors, such as a published one, was fixed in
# advance: it becomes a function that returns those that there are.
with_lists <- function(selectors, features) {
  listed <- vapply(selectors, is_fixed_list, NA)
  selectors[listed] <- lapply(selectors[listed], fixed_list, features)
  selectors
}

is_fixed_list <- function(selector) {
  is_texts(selector) && length(selector) > 0L
}

fixed_list <- function(names, features) {
  names <- unique(names)
  here <- intersect(names, features)
  if (length(here) == 0L) {
    abort_input(
      "{.arg x} has none of the features of a list in {.arg selectors}
       ({.val {names}}); its first ones are
       {.val {utils::head(features, 3L)}}.", "selectors"
    )
  }
  absent <- setdiff(names, here)
  structure(function(x, y) intersect(here, colnames(x)), fixed = paste0(
    "fixed in advance, ", length(here), " of ", length(names), " are in `x`",
    if (length(absent) > 0L) paste0(", not ", listed(absent, 5L))
  ))
}

#' Let a selector choose on the training rows
#'
#' @param spec See curve_specs().
#' @param split list(train, test, labelled or NULL).
#' @return list(choices: list(order, n_used, fit), one for each size if the
#'   selector takes a size, else one whose first n features are the list of size
#'   n; by_size: TRUE in the first case; own: is the fit its own classifier,
#'   with all its features?; n_used: for each size; labelled_only: were the
#'   unlabelled rows left out?).
#' @noRd
select_features <- function(spec, problem, split) {
  if (is.null(spec$selector)) {
    n <- length(problem$features)
    order <- if (spec$random) sample.int(n) else seq_len(n)
    choices <- list(list(order = order, labelled_only = FALSE))
  } else {
    choices <- lapply(if (spec$by_size) spec$sizes else NA, function(size) {
      choose_once(spec$selector, problem, split, size)
    })
  }
  # LLFS classifies by all features that it selects.
  own <- !spec$by_size && inherits(choices[[1L]]$fit, "hitmiss_llfs") &&
    (spec$classifier$default || spec$classifier$kind == "own")
  list(
    choices = choices, by_size = spec$by_size, own = own,
    n_used = if (spec$by_size) {
      vapply(choices, `[[`, 0, "n_used")
    } else if (own) {
      rep(mean(subset_sizes(choices[[1L]]$fit)), length(spec$sizes))
    } else {
      pmin(spec$sizes, length(choices[[1L]]$order))
    },
    labelled_only = any(vapply(choices, `[[`, NA, "labelled_only"))
  )
}

choose_once <- function(selector, problem, split, size) {
  call_on <- function(rows, y) {
    x <- decoded(problem_rows(problem, rows), problem$levels)
    design <- design_rows(problem$design, rows)
    result <- call_selector(selector, x, y, size, design)
    warn_p_values(result, x, y)
    as_feature_list(result, problem$features, size, length(rows))
  }
  known <- split$labelled %||% split$train
  choice <- NULL
  if (length(known) < length(split$train)) {
    y <- problem$y[split$train]
    y[!split$train %in% known] <- NA
    # Most selectors refuse a missing label, and are then fitted to the labelled
    # samples.
    choice <- catch_error(call_on(split$train, droplevels(y)), function(e) NULL)
  }
  labelled_only <- is.null(choice) && !is.null(split$labelled)
  choice <- choice %||% call_on(known, kind_of(problem$y)$at(problem$y, known))
  c(choice, labelled_only = labelled_only)
}

#' @param size The requested size, or NA for the whole order.
#' @param n_samples How many samples the selector was given.
#' @return list(order: positions of the truly ordered features, n_used, fit).
#' @noRd
as_feature_list <- function(result, features, size = NA, n_samples = NULL) {
  if (inherits(result, "hitmiss")) {
    return(fit_feature_list(result, features, size, n_samples))
  }
  result <- plain_vector(result)
  if (is.numeric(result) && !is.object(result) && !is.null(names(result))) {
    at <- positions(names(result), features)
    check_scores(result, at)
    order <- score_order(result, at)
  } else if (is.character(result)) {
    order <- positions(result, features)
  } else {
    abort_user(c(
      "a selector must return a fit of this package, named numeric scores or a
       character vector of features, not {describe(result)}.",
      i = "Return numbers named by {.fn colnames} of x, or these names, the best
           first."
    ), "selectors")
  }
  if (!is.na(size)) order <- utils::head(order, size)
  list(order = order, n_used = length(order), fit = NULL)
}

# The largest position of a column is no best feature, and ranks do not say
# which end is best.
check_scores <- function(scores, at) {
  n <- length(scores)
  if (length(unique(scores)) > 1L && !anyNA(scores) &&
    (all(scores == at) || n > 2L && all(scores == rank(scores)))) {
    abort_user(
      "a selector returned positions or ranks of {n} features and not their
       scores: return their names, the best first.", "selectors"
    )
  }
}

#' Warn of scores that look like p-values, which are best where they are lowest
#'
#' All lie from 0 to 1, and the classes differ in the feature with the lowest
#' score (p < .001 by an F test), but not in that with the highest (p > .05).
#' @param result What a selector returned for `x` and `y`.
#' @noRd
warn_p_values <- function(result, x, y) {
  if (!is.numeric(result) || length(result) < 2L ||
    is.null(names(result)) || !all(names(result) %in% colnames(x)) ||
    !isTRUE(all(result >= 0 & result <= 1))) {
    return(invisible())
  }
  p_value <- kind_of(y)$p_value
  ends <- names(result)[c(which.min(result), which.max(result))]
  p <- vapply(ends, function(name) p_value(as.numeric(x[, name]), y), 0)
  if (isTRUE(p[[1L]] < 0.001 && p[[2L]] > 0.05)) {
    warn(c(
      "a selector's largest scores are taken as best, and these look like
       p-values: {.val {ends[[1L]]}} has the lowest and differs most.",
      i = "Of p-values return {.code -log10(p)}."
    ), "hitmiss_warning_scores")
  }
}

# Returns the p-value of a one-way analysis of variance; 1 where there is none.
one_way_p <- function(v, y) {
  known <- !is.na(v) & !is.na(y)
  least <- 1e-24 * sum(v[known]^2) # what rounding leaves of a constant
  v <- v[known] - mean(v[known])
  y <- droplevels(y[known])
  df <- c(nlevels(y) - 1L, length(v) - nlevels(y))
  between <- sum(tapply(v, y, sum)^2 / tabulate(y))
  f <- between / df[[1L]] / ((sum(v^2) - between) / df[[2L]])
  if (min(df) < 1L || is.nan(f) || sum(v^2) <= least) {
    return(1)
  }
  stats::pf(abs(f), df[[1L]], df[[2L]], lower.tail = FALSE)
}

fit_feature_list <- function(fit, features, size, n_samples) {
  check_fit(fit, "selector")
  if (!is.null(n_samples) && fit$n_samples != n_samples) {
    abort_user(c(
      "a selector was given {n_samples} sample{?s} and returned a fit of
       {fit$n_samples}.",
      i = "It must be fitted to the {.arg x} and {.arg y} that the function
           gets, as in {.code function(x, y) relief(x, y)}: a fit of other
           samples has seen the test samples."
    ), "selectors")
  }
  names <- usual_list(fit)
  # The other selectors have chosen for this size how many they select.
  if (!is.na(size) && is_ranker(fit)) names <- best_of(names, size)
  order <- positions(names, features)
  n_used <- if (inherits(fit, "hitmiss_llfs") && !is.na(size)) {
    mean(subset_sizes(fit))
  } else {
    length(order)
  }
  list(order = order, n_used = n_used, fit = fit)
}

# If several features share the lowest score, the selector did not order them,
# so they are not used. Other ties go to the feature that comes first in the
# data.
score_order <- function(scores, at) {
  scores[is.nan(scores)] <- NA
  known <- !is.na(scores)
  lowest <- if (any(known)) min(scores[known])
  ordered <- known
  if (sum(known & scores == lowest, na.rm = TRUE) > 1L) {
    ordered <- known & scores > lowest
  }
  at <- at[ordered]
  at[order(-scores[ordered], at)]
}

positions <- function(names, features) {
  at <- match(names, features)
  unknown <- names[is.na(at)]
  if (length(unknown) > 0L) {
    abort_user(
      "a selector returned {length(unknown)} feature{?s} that {?is/are} not in
       {.arg x}: {.val {unknown}}.", "selectors"
    )
  }
  repeated <- unique(names[duplicated(at)])
  if (length(repeated) > 0L) {
    abort_user(
      "a selector returned {.val {repeated}} more than once.", "selectors"
    )
  }
  at
}
