# What a selector returned, as an ordered list of features.
# SPDX-License-Identifier: GPL-3.0-or-later

takes_size <- function(selector) {
  is.function(selector) && "size" %in% names(formals(selector))
}

#' Samples of a problem as a matrix, samples x features, with names
#'
#' @param columns Positions of features, for a dense matrix; or NULL for all
#'   features, stored as they are.
#' @noRd
problem_rows <- function(problem, rows, columns = NULL) {
  stored <- problem$values
  if (problem$storage == "blocks") stored <- stored$matrix
  # TRUE takes all without an index as long as the data.
  features <- columns %||% TRUE
  values <- if (problem$features_in == "columns") {
    stored[rows, features, drop = FALSE]
  } else {
    turned(stored[features, rows, drop = FALSE])
  }
  if (!is.null(columns) && !is.matrix(values)) values <- as.matrix(values)
  # Mostly the names are there, and as many as features take their time.
  labels <- list(problem$samples, problem$features)
  if (problem$features_in == "rows") labels <- rev(labels)
  if (!identical(dimnames(stored), labels)) {
    dimnames(values) <- list(problem$samples[rows], problem$features[features])
  }
  values
}

# The selector of the baseline: all features as they stand, nothing is called.
all_features <- "all features"

# base::t() does not know delayed matrices.
turned <- function(x) {
  if (inherits(x, "DelayedMatrix")) DelayedArray::t(x) else t(x)
}

#' Let a selector choose on the training rows
#'
#' @param split list(train, test, labelled or NULL).
#' @param sizes Increasing numbers of features.
#' @return list(lists: one per size, or a single one, whose first n features are
#'   the list of size n; prefixes: TRUE in that case; n_used: per size; fits: as
#'   lists; labelled_only: were the unlabelled rows left out?).
#' @noRd
select_features <- function(selector, problem, split, sizes) {
  if (identical(selector, all_features)) {
    return(list(
      lists = list(seq_along(problem$features)), prefixes = TRUE,
      n_used = pmin(sizes, length(problem$features)), fits = list(NULL),
      labelled_only = FALSE
    ))
  }
  asked <- if (takes_size(selector)) sizes else NA
  picks <- lapply(asked, function(size) {
    pick_once(selector, problem, split, size)
  })
  labelled_only <- any(vapply(picks, `[[`, NA, "labelled_only"))
  if (takes_size(selector)) {
    return(list(
      lists = lapply(picks, `[[`, "order"), prefixes = FALSE,
      n_used = vapply(picks, `[[`, 0, "n_used"),
      fits = lapply(picks, `[[`, "fit"), labelled_only = labelled_only
    ))
  }
  order <- picks[[1L]]$order
  list(
    lists = list(order), prefixes = TRUE,
    n_used = pmin(sizes, length(order)), fits = list(picks[[1L]]$fit),
    labelled_only = labelled_only
  )
}

pick_once <- function(selector, problem, split, size) {
  call_on <- function(rows, y) {
    result <- call_selector(
      selector, decoded(problem_rows(problem, rows), problem$levels), y, size,
      design_rows(problem, rows)
    )
    warn_p_values(result, body(selector))
    result
  }
  known <- split$labelled %||% split$train
  labelled_only <- FALSE
  if (length(known) < length(split$train)) {
    y <- problem$y[split$train]
    y[!split$train %in% known] <- NA
    result <- catch_error(
      call_on(split$train, present_classes(y)), function(e) NULL
    )
    labelled_only <- is.null(result)
  }
  if (labelled_only || length(known) == length(split$train)) {
    result <- call_on(known, present_classes(problem$y[known]))
  }
  c(
    as_feature_list(result, problem$features, size),
    labelled_only = labelled_only
  )
}

# droplevels() makes a new factor even if nothing is to be dropped.
present_classes <- function(y) {
  if (all(tabulate(y, nlevels(y)) > 0L)) y else droplevels(y)
}

#' @param size The requested size, or NA for the whole order.
#' @return list(order: positions of the truly ordered features, n_used, fit).
#' @noRd
as_feature_list <- function(result, features, size = NA) {
  if (inherits(result, "hitmiss")) {
    return(fit_feature_list(result, features, size))
  }
  if (inherits(result, "hitmiss_scores")) check_whole(result, "selectors")
  if (is.numeric(result) && !is.null(names(result))) {
    order <- score_order(result, positions(names(result), features))
  } else if (is.character(result)) {
    order <- positions(result, features)
  } else {
    abort_selector(
      "a selector must return a fit of this package, named numeric scores or a
       character vector of features, not {describe(result)}."
    )
  }
  if (!is.na(size)) order <- utils::head(order, size)
  list(order = order, n_used = length(order), fit = NULL)
}

fit_feature_list <- function(fit, features, size) {
  check_whole(fit, "selectors")
  if (is.na(size)) {
    order <- fit$ranking[seq_len(fit$n_ranked)]
    mine <- names(fit$scores)
    if (!identical(mine, features)) order <- positions(mine[order], features)
    return(list(order = order, n_used = length(order), fit = fit))
  }
  order <- positions(
    if (is_ranker(fit)) first(ranked_features(fit), size) else fit$selected,
    features
  )
  n_used <- if (inherits(fit, "hitmiss_llfs")) {
    mean(subset_sizes(fit))
  } else {
    length(order)
  }
  list(order = order, n_used = n_used, fit = fit)
}

# A lowest score that several features share says that they are not ordered.
# Ties go to the feature that comes first in the data.
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
  if (anyNA(at)) {
    unknown <- names[is.na(at)]
    abort_selector(
      "a selector returned {length(unknown)} feature{?s} that {?is/are} not in
       {.arg x}: {.val {unknown}}."
    )
  }
  if (anyDuplicated(at)) {
    twice <- unique(names[duplicated(at)])
    abort_selector(
      "a selector returned {.val {twice}} more than once."
    )
  }
  at
}

# A mistake in the selector itself: stops the curve, unlike a fit that fails.
abort_selector <- function(message, envir = parent.frame()) {
  abort(
    message, c("hitmiss_error_selector", "hitmiss_error_input"),
    arg = "selectors", envir = envir
  )
}
