# Layer: evaluate. Scores as an object: a named numeric vector that knows where
# it comes from.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param scores Numeric, input order, perhaps with attributes `ranking`,
#'   `n_ranked`, `report`.
#' @noRd
new_scores <- function(scores, problem, options) {
  parameters <- options[-1L]
  if (!identical(parameters$discretise, "frequency")) parameters$bins <- NULL
  if (isTRUE(parameters$supervised)) parameters$k <- NULL
  given <- attributes(scores)
  attributes(scores) <- NULL
  names(scores) <- problem$features
  structure(scores,
    method = options$method, parameters = parameters,
    classes = levels(problem$y), n_samples = length(problem$y),
    ranking = given$ranking, n_ranked = given$n_ranked,
    report = given$report %||% list(
      status = "converged", iterations = NA_integer_, objective = NA_real_,
      residual = NA_real_
    ),
    annotation = problem$annotation,
    version = package_version_text(),
    class = c("hitmiss_scores", "hitmiss_evaluation")
  )
}

# The vector alone, with its names.
plain_scores <- function(x) {
  names <- names(x)
  attributes(x) <- NULL
  names(x) <- names
  x
}

#' Positions of the features that the scores order, best first
#'
#' Features that share the lowest score are not ordered.
#' @noRd
scores_order <- function(x) score_order(plain_scores(x), seq_along(x))

# All features, best first, those that are not ordered by position.
scores_ranking <- function(x) {
  attr(x, "ranking") %||% order(-plain_scores(x), seq_along(x))
}

#' Methods for scores
#'
#' The result of [reference_scores()] is a named numeric vector, for which these
#' methods exist.
#'
#' @param x,object The result of [reference_scores()].
#' @param n Number of features, counted from the best. Scores select no
#'   features: `selected()` needs `n`.
#' @param label Label of a feature in the plot: the name of a column of the
#'   feature annotation, or a character vector of labels named by feature.
#' @param e1,e2 Of a computation: the two sides.
#' @param row.names,optional Ignored.
#' @param ... Must be empty. Of a computation: its further arguments.
#' @return
#' * `print()`: the scores, invisibly.
#' * `selected()`: names of the best `n` features, best first. Features that
#'   share the lowest score are left out, because they have no order.
#' * `coef()`: a plain named vector.
#' * `as.data.frame()`, `tidy()`: a data.frame with a row per feature, best
#'   first: `rank`, `feature`, annotation columns, `score` (of `tidy()`, a
#'   tibble if that package is installed). `top_features()`: its first `n` rows.
#' * `glance()`: a data.frame with one row: method, sizes, and, for an iterative
#'   method, status, iterations and residual.
#' * `autoplot()`: a ggplot object, the best `n` scores in rank order. `plot()`:
#'   draws it, and returns it invisibly. Without ggplot2 both fail with an error
#'   of class `hitmiss_error_package`.
#' * Arithmetic, comparisons, mathematical functions, `[`: plain named vectors.
#' @examples
#' array <- simulate_microarray(genes = 200, relevant = 5)
#' score <- reference_scores(array$x, array$y, "laplacian", threads = 1)
#' score
#' selected(score, n = 3)
#' top_features(score, 3)
#' glance(score)
#' head(sqrt(-score))
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(score, n = 10)
#' @name hitmiss_scores-methods
NULL

#' @rdname hitmiss_scores-methods
#' @export
print.hitmiss_scores <- function(x, ...) {
  check_no_dots(...)
  print_lines(c(
    scores_label(x),
    sprintf(
      "%d samples x %d features, %d classes (%s)", attr(x, "n_samples"),
      length(x), length(attr(x, "classes")), listed(attr(x, "classes"), 6L)
    ),
    sprintf("scores of %s features", thousands(length(x)))
  ))
  cat("\n")
  print_first(scores_table(x, length(x)), "features")
  invisible(x)
}

#' @rdname hitmiss_scores-methods
#' @export
selected.hitmiss_scores <- function(x, n = NULL, ...) {
  check_no_dots(...)
  if (is.null(n)) {
    abort_input(c(
      "{.arg n} is missing: scores rank features and do not say how many to
       select.",
      i = "Say how many, as in {.code selected(scores, n = 20)}. {.fn best_size}
           of an {.fn error_curve} finds a number."
    ), "n")
  }
  best_of(names(x)[scores_order(x)], n)
}

#' @rdname hitmiss_scores-methods
#' @export
top_features.hitmiss_scores <- function(x, n = 10, ...) {
  check_no_dots(...)
  scores_table(x, check_count(n, "n"))
}

#' @rdname hitmiss_scores-methods
#' @export
as.data.frame.hitmiss_scores <- function(x, row.names = NULL, optional = FALSE,
                                         ...) {
  check_no_dots(...)
  scores_table(x, length(x))
}

#' @rdname hitmiss_scores-methods
#' @export
coef.hitmiss_scores <- function(object, ...) {
  check_no_dots(...)
  plain_scores(object)
}

#' @rdname hitmiss_scores-methods
#' @export
tidy.hitmiss_scores <- function(x, ...) {
  check_no_dots(...)
  tidy_table(as.data.frame(x))
}

#' @rdname hitmiss_scores-methods
#' @export
glance.hitmiss_scores <- function(x, ...) {
  check_no_dots(...)
  report <- attr(x, "report")
  data.frame(
    method = attr(x, "method"), n_samples = attr(x, "n_samples"),
    n_features = length(x), n_classes = length(attr(x, "classes")),
    status = report$status, iterations = report$iterations,
    residual = report$residual
  )
}

# What is computed from scores is no score of the method any more.

#' @rdname hitmiss_scores-methods
#' @export
Ops.hitmiss_scores <- function(e1, e2) {
  compute <- match.fun(.Generic)
  if (inherits(e1, "hitmiss_scores")) e1 <- plain_scores(e1)
  if (missing(e2)) {
    return(compute(e1))
  }
  if (inherits(e2, "hitmiss_scores")) e2 <- plain_scores(e2)
  compute(e1, e2)
}

#' @rdname hitmiss_scores-methods
#' @export
Math.hitmiss_scores <- function(x, ...) {
  match.fun(.Generic)(plain_scores(x), ...)
}

# ---- shared pieces ----------------------------------------------------------

scores_table <- function(x, n) {
  rows <- utils::head(scores_ranking(x), n)
  table <- data.frame(
    rank = seq_along(rows), feature = names(x)[rows],
    score = unname(plain_scores(x)[rows])
  )
  join_annotation(table, attr(x, "annotation")[rows, , drop = FALSE])
}

scores_label <- function(x) {
  parameters <- attr(x, "parameters")
  paste0(
    score_methods[[attr(x, "method")]]$title,
    if (length(parameters) > 0L) paste0(", ", parameter_text(parameters))
  )
}
