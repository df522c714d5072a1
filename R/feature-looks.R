# logo() and kbfs() over a back end: workers look at all features, this process
# fits over few of them.
# SPDX-License-Identifier: GPL-3.0-or-later

# Both decide by the features of largest gradient or correlation. So a fit over
# some features is the fit over all, to the last bit, if in none of the looks
# that it took another feature would have been among the largest. A fit returns
# its looks, each with the value (`cut`) above which another feature would have
# changed it.

# Few features are not worth sending.
worth_workers <- function(problem, BPPARAM) {
  !is.null(BPPARAM) && length(problem$features) > 1000L
}

#' Fit over few features, and over more until no other would have changed it
#'
#' @param fit A function of a part of the features, see feature_part().
#' @param look A function of this package, for workers: of a part, the core's
#'   options and what is asked. It returns by how much each feature of the part
#'   exceeds the cut of a look.
#' @param ask A function of a fit and of its features: a list of the `looks` but
#'   the first, of features (`before`) that every part begins with, and of what
#'   else `look` needs.
#' @param nothing The look from which a fit starts, when nothing is chosen.
#' @return list(run: the fit over `features`; first: the values of all features
#'   in the look from which it starts).
#' @noRd
fit_by_looks <- function(problem, preprocess, options, fit, look, ask, nothing,
                         BPPARAM) {
  whole <- for_workers(problem)
  n <- length(problem$features)
  ranges <- split(
    seq_len(n), sort(rep_len(seq_len(BiocParallel::bpnworkers(BPPARAM)), n))
  )
  look_at_all <- function(asked) {
    parts <- lapply(unname(ranges), function(range) {
      feature_part(whole, preprocess, c(asked$before, range))
    })
    unlist(spread(parts, look, options, asked, BPPARAM = BPPARAM))
  }
  few <- min(3000L, n %/% 4L)
  with_workers_up(BPPARAM, {
    first <- look_at_all(list(looks = list(c(nothing, cut = 0))))
    missed <- order(-first)
    features <- integer()
    while (length(missed) > 0L) {
      features <- sort(c(features, utils::head(missed, few)))
      run <- fit(feature_part(whole, preprocess, features))
      # Everyone's values in the first look are known.
      excess <- pmax(
        first - run$looks[[1L]]$cut, look_at_all(ask(run, features)),
        na.rm = TRUE
      )
      missed <- setdiff(order(-excess)[seq_len(sum(excess > 0))], features)
    }
  })
  list(run = run, features = features, first = first)
}

#' Some features and their scaling, as the core reads them
#'
#' @param problem All features, see for_workers().
#'
#' @return list(problem, preprocess). What the core makes depend on the number
#'   of features is that of the `whole`.
#' @noRd
feature_part <- function(problem, preprocess, features) {
  problem$values <- if (problem$features_in == "rows") {
    problem$values[features, , drop = FALSE]
  } else {
    problem$values[, features, drop = FALSE]
  }
  problem$whole <- length(preprocess$center)
  list(problem = problem, preprocess = scaling_part(preprocess, features))
}

scaling_part <- function(preprocess, features) {
  fields <- c("center", "scale", "constant")
  c(preprocess["method"], lapply(preprocess[fields], `[`, features))
}
