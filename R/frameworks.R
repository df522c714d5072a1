# Layer: show. The adapters to other packages share these functions.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Call a selector from a framework
#'
#' @param method Name of a selector.
#' @param arguments Named list of what the user set, and of the values of
#'   `block` and `group`.
#' @noRd
fit_in_framework <- function(method, x, y, arguments) {
  y <- kind_of(y)$at(y, TRUE)
  selector <- get(method, topenv(), mode = "function")
  do.call(selector, c(
    list(quote(x), quote(y)), Filter(Negate(is.null), arguments)
  ))
}

#' Scores that give the same order as `ranking`, without ties
#'
#' Frameworks order features by their scores alone, and some break ties at
#' random. So a score is reduced by its place in the ranking, by less than 1e-15
#' of the largest score times the number of features. If `ranking` is not in the
#' order of the scores (kbfs by entry, TuRF), the result is the share of
#' features that do not rank higher. Constant features come last.
#' @noRd
untied_scores <- function(fit) {
  constant <- which(fit$preprocess$constant)
  scores <- replace(fit$scores, constant, min(fit$scores))
  ranking <- c(setdiff(fit$ranking, constant), constant)
  best <- scores[ranking]
  places <- seq_along(best) - 1
  scores[ranking] <- if (is.unsorted(-best)) {
    1 - places / length(best)
  } else {
    best - places * 4 * .Machine$double.eps * max(abs(best), 1e-300)
  }
  scores
}
