# The fit of llfs(): from the core's flat vectors to an object.
# SPDX-License-Identifier: GPL-3.0-or-later

new_llfs <- function(problem, run, parameters, call) {
  core <- run$local
  preprocess <- run$preprocess
  n_features <- length(problem$features)
  subsets <- Matrix::sparseMatrix(
    i = core$features, p = c(0L, cumsum(core$sizes)),
    dims = c(n_features, length(core$sizes)),
    dimnames = list(problem$features, problem$samples[run$representatives])
  )
  scores <- Matrix::rowSums(subsets) / sum(core$sizes > 0L)
  used <- which(scores > 0)
  new_selector(
    "llfs", problem, preprocess,
    scores = scores, selected = scores > 0, parameters = parameters, run = run,
    report = core$report, n_ranked = length(used), call = call,
    local = list(
      subsets = subsets, radius = core$radius, alpha = core$alpha,
      beta = core$beta, score = core$score, objective = core$objective,
      log_odds = core$log_odds, representatives = run$representatives,
      class = problem$y, samples = problem$samples,
      training = scaled_values(problem, preprocess, used)
    )
  )
}

#' One warning if problems (7) ended at an iteration limit
#' @noRd
warn_unsettled <- function(report) {
  if (report$status == "converged") {
    return(invisible(report))
  }
  warn(
    c(
      "{signif(100 * report$residual, 2)} % of the {report$iterations} problems
       that {.fn llfs} solved reached a limit of steps: their feature sets are
       feasible, but others may have less spread.",
      i = "A larger tolerance, {.code control = list(tol = )}, lets more of them
           converge; {.code glance()} has the share as {.field residual}."
    ),
    "hitmiss_warning_unconverged",
    report = report
  )
}

#' @rdname hitmiss-methods
#' @export
selected.hitmiss_llfs <- function(x, n = NULL, class = NULL, ...) {
  check_no_dots(...)
  check_whole(x)
  if (is.null(class)) {
    return(first(x$selected, n))
  }
  share <- class_shares(x)[, check_choice(class, x$classes, "class")]
  best <- order(-share, seq_along(share))
  first(names(x$scores)[best[share[best] > 0]], n)
}

#' Share of each class's representatives that use a feature
#' @noRd
class_shares <- function(x, rows = seq_len(x$n_features)) {
  vapply(x$classes, function(class) {
    mine <- representative_class(x) == class
    subsets <- x$local$subsets[, mine, drop = FALSE]
    Matrix::rowSums(subsets[rows, , drop = FALSE]) /
      max(1L, sum(Matrix::colSums(subsets) > 0))
  }, numeric(length(rows))) |>
    matrix(nrow = length(rows), dimnames = list(NULL, x$classes))
}

#' @exportS3Method
extra_columns.hitmiss_llfs <- function(x, rows) {
  as.data.frame(class_shares(x, rows), optional = TRUE)
}

#' @exportS3Method
body_lines.hitmiss_llfs <- function(x) {
  sizes <- Matrix::colSums(x$local$subsets)
  sizes <- sizes[sizes > 0]
  c(
    drawn_line(x),
    sprintf(
      paste(
        "%d of %d features used by at least one representative;",
        "%s per representative (mean %.1f)"
      ),
      length(x$selected), x$n_features,
      if (min(sizes) == max(sizes)) {
        as.character(min(sizes))
      } else {
        sprintf("%d to %d", min(sizes), max(sizes))
      },
      mean(sizes)
    ),
    if (length(x$parameters$alpha) > 1L) {
      taken <- table(factor(x$local$alpha, x$parameters$alpha))
      paste0(
        "alpha taken by representatives: ",
        paste(names(taken), taken, sep = " x ", collapse = ", ")
      )
    },
    "score = share of representatives that use the feature, also by class:"
  )
}
