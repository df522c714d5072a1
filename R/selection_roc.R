# Layer: evaluate. Are the features that matter on top? ROC curve of a ranking
# of features.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Receiver operating characteristic (ROC) of a feature selection
#'
#' For data whose relevant features are known: shows how many of these, and of
#' the other features, are among the best, for every length of the list.
#'
#' The area under the curve is the probability that a relevant feature scores
#' above another one, ties counting one half: 1 if all relevant features come
#' first, 0.5 for a random order. Tied features enter together, as a straight
#' line. This is the second measure of Yang and Hu (2012), besides the error.
#'
#' @param x A fit, or named numeric scores (larger is better) of all features.
#'   For p-values give `-log10(p)`; `x` that looks like p-values gives a
#'   warning.
#' @param relevant Names (or positions) of the relevant features.
#' @param ... Must be empty.
#' @return A [result][hitmiss-results] with a row for each point of the curve:
#'   `n` (features taken), `threshold` (the lowest score taken), `relevant` and
#'   `other` (the shares of these features that are taken); its first row is the
#'   start of the curve. `$auc`, `$n_relevant`, `$n_features`.
#' @references
#' `r reference("bayes_error")`
#' @examples
#' toy <- simulate_localized(noise = 50)
#' selection_roc(relief(toy$x, toy$y, threads = 1), toy$relevant)
#' @export
selection_roc <- function(x, relevant, ...) {
  check_no_dots(...)
  if (missing(x)) abort_missing("x")
  if (missing(relevant)) abort_missing("relevant")
  scores <- if (inherits(x, "hitmiss")) x$scores else check_scores(x)
  warn_p_values(x, substitute(x))
  good <- seq_along(scores) %in%
    feature_positions(relevant, names(scores), "relevant")
  if (all(good)) {
    abort_input(
      "{.arg relevant} names all features: there are no others to compare
       with.",
      "relevant"
    )
  }
  new_roc(roc_points(scores, good), good, match.call())
}

new_roc <- function(curve, good, call) {
  auc <- area_below(curve)
  # The list as long as there are relevant features, or the next without a tie.
  at <- which(curve$n >= sum(good))[[1L]]
  figures <- list(auc = auc, n_relevant = sum(good), n_features = length(good))
  do.call(new_result, c(
    list("roc", curve, call = short_call(call),
      what = "points", glance = figures,
      lines = c(
        sprintf(
          "AUC %.3f: %d relevant among %d features", auc, sum(good),
          length(good)
        ),
        sprintf(
          "%.0f of the %d relevant are among the best %d",
          curve$relevant[[at]] * sum(good), sum(good), curve$n[[at]]
        )
      )
    ), figures
  ), quote = TRUE)
}

#' The corners of a ROC curve: one for each distinct score, ties taken together
#'
#' @param good Which of the scored features should come first?
#' @noRd
roc_points <- function(scores, good) {
  threshold <- sort(unique(scores), decreasing = TRUE)
  at <- match(scores, threshold)
  hits <- cumsum(tabulate(at[good], length(threshold)))
  misses <- cumsum(tabulate(at[!good], length(threshold)))
  data.frame(
    n = c(0L, hits + misses), threshold = c(Inf, threshold),
    relevant = c(0, hits / sum(good)), other = c(0, misses / sum(!good))
  )
}

area_below <- function(curve) {
  height <- curve$relevant
  sum(diff(curve$other) * (height[-1L] + height[-length(height)]) / 2)
}

check_scores <- function(x, arg = "x") {
  if (inherits(x, "hitmiss_scores")) {
    return(plain_scores(x))
  }
  if (!is_numbers(x) || length(x) == 0L || is.null(names(x))) {
    abort_input(
      "{.arg {arg}} must be a fit of this package or numeric scores without NA,
       named by their features, not {describe(x)}.", arg
    )
  }
  check_feature_names(names(x), "")
  x
}
