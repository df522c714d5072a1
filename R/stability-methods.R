# Layer: evaluate. What one can do with a stability result.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Features that are selected in many training parts
#'
#' @details
#' With [holdout()] of one half for training, and sets that all have the same
#' size \eqn{q} (as from a ranking), the names carry an attribute `bound`: at
#' most \eqn{q^2 / ((2 \pi - 1) J)} of them are expected to be false, for a
#' share \eqn{\pi} above 1/2 and \eqn{J} features (Meinshausen, Buehlmann 2010,
#' Theorem 1; it assumes that irrelevant features are exchangeable and that the
#' selector is no worse than chance). The bound is very conservative;
#' [probe_fdr()] finds more.
#'
#' @param x The result of [stability()].
#' @param share The least share of the sets that a feature must be in.
#' @param selector,size Which row of the table, if there are several.
#' @param ... Must be empty.
#' @return Names of features, most often selected first.
#' @examples
#' sets <- list(c("a", "b"), c("a", "c"), c("a", "b"))
#' stab <- stability(sets, n_features = 6)
#' selected(stab, share = 0.6)
#' @export
selected.hitmiss_stability <- function(x, share = 0.8, selector = NULL,
                                       size = NULL, ...) {
  check_no_dots(...)
  share <- check_number(share, above = 0, max = 1)
  row <- stability_row(x, selector, size)
  frequency <- x$frequency[, row]
  keep <- which(frequency >= share - 1e-12)
  names <- names(frequency)[keep[order(-frequency[keep], keep)]]
  half <- identical(x$resampling$method, "holdout") &&
    identical(as.double(x$resampling$train), 0.5)
  if (half && share > 0.5 && isTRUE(x$exact[[row]])) {
    attr(names, "bound") <-
      x$size[[row]]^2 / ((2 * share - 1) * x$n_features)
  }
  names
}

# The one row that is meant.
stability_row <- function(x, selector, size) {
  is_one_of <- function(column, wanted) {
    is.null(wanted) | column %in% (if (is.atomic(wanted)) wanted)
  }
  meant <- is_one_of(x$selector, force_given(selector, "selector"))
  rows <- which(meant & is_one_of(x$size, force_given(size, "size")))
  if (length(rows) != 1L) {
    single <- length(unique(x$selector[meant])) == 1L
    abort_input(
      "{.arg selector} and {.arg size} must name one row of the table: a
       selector of {.or {.val {unique(x$selector)}}}, a size of
       {.or {.val {unique(x$size)}}}.", if (single) "size" else "selector"
    )
  }
  rows
}
