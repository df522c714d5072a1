# Taking features out of a fit: the one edit of its fields that is supported.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Remove features from a fit
#'
#' The fit no longer lists these features, and [predict()][predict.hitmiss] no
#' longer needs them. Nothing is fitted again: the scores of the other features
#' were learned together with the removed ones. A fit without them from the
#' start, to `x[, setdiff(colnames(x), names)]`, may select other features.
#'
#' In a fit of a global selector, distances to neighbours are then computed from
#' the remaining features, with unchanged weights. In a fit of [llfs()], a
#' hypersphere belongs to all features of its representative: without one of
#' them its radius has no meaning. So representatives that use a removed feature
#' lose their sphere and no longer vote, exactly as in
#' `predict(missing = "drop")`, and the scores, which are shares of
#' representatives, count only the others.
#'
#' Do not edit the fields of a fit by hand: fields depend on each other (a score
#' has its place in the ranking, in the selection and in the classifier), and
#' all functions refuse a fit whose fields contradict each other.
#'
#' @param fit A fit of [llfs()], [logo()], [relief()], [kbfs()] or [pwfp()].
#' @param names Names, or positions, of features of the fit.
#' @return The fit without them. Its field `dropped` has their names. It is an
#'   error if the fit could no longer predict: no feature that votes is left or,
#'   for [llfs()], no sphere of some class.
#' @seealso `missing = "drop"` of [predict()][predict.hitmiss], which leaves the
#'   fit as it is.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- logo(toy$x, toy$y, threads = 1)
#' selected(fit)
#' fewer <- drop_features(fit, "x1")
#' selected(fewer)
#' table(toy$y, predict(fewer, toy$x))
#' @export
drop_features <- function(fit, names) {
  if (missing(fit)) abort_missing("fit")
  if (!inherits(fit, "hitmiss")) {
    abort_input(
      "{.arg fit} must be a fit of this package, not {describe(fit)}.", "fit"
    )
  }
  check_whole(fit, "fit")
  if (missing(names)) abort_missing("names")
  gone <- feature_positions(names, names(fit$scores), "names", of = "fit")
  if (length(gone) == fit$n_features) {
    abort_input(
      "{.arg names} holds all features of the fit; leave at least one.", "names"
    )
  }
  had <- vote_count(fit)
  fit$dropped <- c(fit$dropped, names(fit$scores)[gone])
  fit <- without_features(fit, gone)
  if (had > 0L && vote_count(fit) == 0L) {
    abort_input(c(
      "without {.arg names} the fit cannot predict: no feature used for
       prediction is left or, for {.fn llfs}, some class has no sphere.",
      i = "Fit again without these features."
    ), "names")
  }
  fit
}

# How many of what votes: of llfs() spheres of the class that has least.
vote_count <- function(fit) {
  if (is.null(fit$local)) {
    return(ncol(fit$training$values))
  }
  voting <- Matrix::colSums(fit$local$subsets) > 0
  min(tabulate(representative_class(fit)[voting], length(fit$classes)))
}

# Positions of features that go; new fields from those of the others.
without_features <- function(fit, gone) {
  place <- cumsum(!seq_len(fit$n_features) %in% gone)
  named <- intersect(
    c("weights", "score_se", "entry", "within", "between", "last_round"),
    names(fit)
  )
  fit[named] <- lapply(fit[named], \(v) if (!is.null(v)) v[-gone])
  scaling <- c("center", "scale", "constant")
  fit$preprocess[scaling] <- lapply(fit$preprocess[scaling], `[`, -gone)
  for (table in intersect(c("class_means", "annotation"), names(fit))) {
    if (!is.null(fit[[table]])) {
      fit[[table]] <- fit[[table]][-gone, , drop = FALSE]
    }
  }
  if (!is.null(fit$levels)) {
    fit$levels <- fit$levels[setdiff(names(fit$levels), fit$dropped)]
  }
  fit$n_features <- fit$n_features - length(gone)
  if (is.null(fit$local)) {
    without_weights(fit, gone, place)
  } else {
    without_spheres(fit, gone, place)
  }
}

without_weights <- function(fit, gone, place) {
  absent <- names(fit$scores)[gone]
  ordered <- fit$ranking[seq_len(fit$n_ranked)]
  fit$n_ranked <- if (is.null(fit$entry)) {
    length(setdiff(ordered, gone))
  } else {
    sum(!is.na(fit$entry))
  }
  fit$scores <- fit$scores[-gone]
  fit$ranking <- place[setdiff(fit$ranking, gone)]
  fit$selected <- setdiff(fit$selected, absent)
  if (any(fit$weights > 0)) {
    fit$weights <- fit$weights / sqrt(sum(fit$weights^2))
  }
  kept <- setdiff(colnames(fit$training$values), absent)
  fit$training$values <- fit$training$values[, kept, drop = FALSE]
  fit
}

without_spheres <- function(fit, gone, place) {
  subsets <- fit$local$subsets
  whole <- Matrix::colSums(subsets[gone, , drop = FALSE]) == 0
  sizes <- diff(subsets@p)
  fit$local$subsets <- Matrix::sparseMatrix(
    i = place[subsets@i[rep(whole, sizes)] + 1L],
    p = c(0L, cumsum(sizes * whole)), dims = c(fit$n_features, ncol(subsets)),
    dimnames = list(rownames(subsets)[-gone], colnames(subsets))
  )
  voting <- sum(whole & sizes > 0L)
  fit$scores <- Matrix::rowSums(fit$local$subsets) / max(1L, voting)
  fit$ranking <- order(-fit$scores, seq_along(fit$scores))
  used <- names(fit$scores)[fit$scores > 0]
  fit$n_ranked <- length(used)
  fit$selected <- names(fit$scores)[fit$ranking[seq_along(used)]]
  fit$local$training <- fit$local$training[, used, drop = FALSE]
  fit
}
