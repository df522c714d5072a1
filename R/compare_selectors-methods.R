# What one can do with a comparison of selectors.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Methods for comparisons of selectors
#'
#' A comparison is a data.frame. `plot()` draws the differences with their
#' intervals: for an error, a difference below 0 favours the first selector.
#' `tidy()` gives the table. `glance()` gives one row: the number of pairs, and
#' the number of pairs that differ at an adjusted p of .05.
#'
#' @param x,object The result of [compare_selectors()].
#' @param ... Must be empty.
#' @return `tidy()`, `glance()`: data frames. `autoplot()`: a ggplot object.
#'   `plot()`: draws it, and returns it invisibly.
#' @examples
#' toy <- simulate_microarray(n = c(15, 15), genes = 200)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief, logo = logo),
#'   sizes = c(1, 2, 5, 10), resampling = holdout(times = 5)
#' )
#' compared <- compare_selectors(curve)
#' glance(compared)
#' if (requireNamespace("ggplot2", quietly = TRUE)) plot(compared)
#' @name hitmiss_comparison-methods
NULL

#' @rdname hitmiss_comparison-methods
#' @export
tidy.hitmiss_comparison <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  class(x) <- "data.frame"
  attr(x, "metric") <- NULL
  x
}

#' @rdname hitmiss_comparison-methods
#' @export
glance.hitmiss_comparison <- function(x, ...) {
  check_no_dots(...)
  check_whole(x, needs = c("p", "p_adjusted"))
  data.frame(
    pairs = nrow(x), differ = sum(x$p_adjusted <= 0.05, na.rm = TRUE),
    untested = sum(is.na(x$p)), metric = attr(x, "metric") %||% NA_character_
  )
}

#' @rdname hitmiss_comparison-methods
#' @export
plot.hitmiss_comparison <- function(x, ...) {
  check_no_dots(...)
  show_picture(function() comparison_picture(x))
}

#' @rdname hitmiss_comparison-methods
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_comparison <- function(object, ...) {
  check_no_dots(...)
  comparison_picture(object)
}

comparison_picture <- function(x) {
  require_package("ggplot2", "plots")
  check_whole(x, needs = c("first", "second", "difference", "lower", "upper"))
  room <- plot_room()
  rows <- name_rows(room, nrow(x), height_around(room, subtitle = 3))
  table <- data.frame(rank = seq_len(rows$n), tidy(x)[seq_len(rows$n), ])
  rows <- named_rows(
    room, rows, nrow(x), table, paste(table$first, "-", table$second)
  )
  table <- rows$table
  ggplot2::ggplot(table, feature_aes(table, "difference")) +
    ggplot2::geom_vline(xintercept = 0, colour = "grey60") +
    ggplot2::geom_linerange(
      ggplot2::aes(xmin = .data[["lower"]], xmax = .data[["upper"]]),
      colour = okabe_ito[[1L]], linewidth = 0.8, na.rm = TRUE
    ) +
    ggplot2::geom_point(colour = okabe_ito[[1L]], size = 3, na.rm = TRUE) +
    feature_scale(table) +
    picture_labels(room,
      title = "differences between the selectors",
      subtitle = paste0(
        "with 95 % intervals of the corrected resampled test",
        if (rows$n < nrow(x)) {
          sprintf(
            "; first %d of %d pairs, a taller device shows more",
            rows$n, nrow(x)
          )
        }
      ),
      x = paste(
        attr(x, "metric") %||% "metric", "of the first minus the second"
      ),
      left = rows$left
    ) +
    hitmiss_theme(room, rows$size)
}
