# How much do the selected features repeat each other?
# SPDX-License-Identifier: GPL-3.0-or-later

#' Redundancy of a set of features
#'
#' Computes the absolute correlations of all pairs of features: their mean and
#' their histogram, as in Zhu et al. (2014), Figs 4 and 5. Use the samples on
#' which the features were selected.
#'
#' @inheritParams relief
#' @param x The data: any of the [containers][hitmiss-containers].
#' @param features Names or positions of at least two features; `NULL` for all.
#' @param ... Must be empty.
#' @return An object of class `hitmiss_redundancy`, a list: `mean`, the mean of
#'   |correlation| over pairs; `histogram`, a data.frame of 10 bins from 0 to 1
#'   (`lower`, `upper`, `pairs`, `share`; a value on a border belongs to the bin
#'   above it, the value 1 to the last bin); `features`, `constant` (names of
#'   features without variation, left out), `n_samples`, `call`.
#' @references
#' `r reference("kbfs")`
#' @examples
#' array <- simulate_microarray(genes = 200)
#' redundancy(array$x, array$relevant)
#' @export
redundancy <- function(x, features = NULL, ..., assay = NULL) {
  if (missing(x)) abort_missing("x")
  # The gate asks for labels, which play no part here.
  any <- rep_len(c(FALSE, TRUE), count_samples(x))
  problem <- as_problem(x, any, ..., assay = assay)
  problem <- chosen_features(problem, features)
  fixed <- apply(problem$values, 2L, function(v) all(v == v[[1L]]))
  values <- problem$values[, !fixed, drop = FALSE]
  if (ncol(values) < 2L || nrow(values) < 3L) {
    abort_input(
      "correlations need at least two features that vary and three samples;
       {.arg x} has {ncol(values)} such feature{?s} and {nrow(values)}
       sample{?s}.", "features"
    )
  }
  pairs <- abs(stats::cor(apply(values, 2L, near_one)))
  pairs <- pmin(pairs[upper.tri(pairs)], 1)
  new_redundancy(pairs, problem, fixed, match.call())
}

new_redundancy <- function(pairs, problem, fixed, call) {
  # A hair above, so that rounding does not put 0.3 below 0.3.
  bin <- pmin(floor(pairs * 10 + 1e-9), 9) + 1
  count <- tabulate(bin, 10L)
  structure(list(
    mean = mean(pairs),
    histogram = data.frame(
      lower = 0:9 / 10, upper = 1:10 / 10, pairs = count,
      share = count / length(pairs)
    ),
    features = problem$features[!fixed], constant = problem$features[fixed],
    n_samples = nrow(problem$values), call = short_call(call)
  ), class = c("hitmiss_redundancy", "hitmiss_evaluation"))
}

# Divided by a power of two, which leaves all digits and all correlations: the
# squares of very large or small numbers could not be summed.
near_one <- function(v) v / 2^floor(log2(max(abs(v))))

#' @param row.names,optional Ignored.
#' @rdname redundancy
#' @export
as.data.frame.hitmiss_redundancy <- function(x, row.names = NULL,
                                             optional = FALSE, ...) {
  check_no_dots(...)
  check_whole(x)
  x$histogram
}

#' @rdname redundancy
#' @export
print.hitmiss_redundancy <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  cat(sprintf(
    "mean |correlation| of %d features: %.3f (%.0f pairs, %d samples)\n",
    length(x$features), x$mean, sum(x$histogram$pairs), x$n_samples
  ))
  if (length(x$constant) > 0L) {
    cat("constant, left out: ", listed(x$constant), "\n", sep = "")
  }
  cat(sprintf(
    "above 0.5: %.1f %% of the pairs; above 0.8: %.1f %%\n",
    100 * sum(x$histogram$share[6:10]), 100 * sum(x$histogram$share[9:10])
  ))
  invisible(x)
}

#' @rdname redundancy
#' @export
tidy.hitmiss_redundancy <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  x$histogram
}

#' @rdname redundancy
#' @export
glance.hitmiss_redundancy <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  data.frame(
    mean = x$mean, n_features = length(x$features),
    pairs = sum(x$histogram$pairs), n_constant = length(x$constant),
    n_samples = x$n_samples
  )
}

#' @rdname redundancy
#' @export
plot.hitmiss_redundancy <- function(x, ...) {
  check_no_dots(...)
  show_picture(function() redundancy_picture(x))
}

#' @param object The result of `redundancy()`.
#' @rdname redundancy
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_redundancy <- function(object, ...) {
  check_no_dots(...)
  redundancy_picture(object)
}

redundancy_picture <- function(x) {
  require_package("ggplot2", "plots")
  check_whole(x)
  room <- plot_room()
  ggplot2::ggplot(
    x$histogram,
    ggplot2::aes((.data[["lower"]] + .data[["upper"]]) / 2, .data[["share"]])
  ) +
    ggplot2::geom_col(fill = okabe_ito[[1L]], width = 0.09) +
    ggplot2::geom_vline(
      xintercept = x$mean, linetype = "dashed", colour = okabe_ito[[4L]]
    ) +
    ggplot2::scale_x_continuous(breaks = 0:5 / 5) +
    picture_labels(room,
      title = "redundancy of the features",
      subtitle = sprintf("mean |correlation| %.3f (dashed)", x$mean),
      x = "|correlation| of two features", y = "share of the pairs",
      caption = sprintf(
        "%d features, %.0f pairs, %d samples", length(x$features),
        sum(x$histogram$pairs), x$n_samples
      )
    ) +
    hitmiss_theme(room)
}
