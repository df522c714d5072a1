# Plots of a fit: the types all methods share, and where others add theirs.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Plot a fit
#'
#' Draws the contents of a fit with ggplot2, without fitting anything again.
#'
#' @details
#' All fits have `"scores"`, the best `n` scores in rank order with the selected
#' features filled; and `"trace"`, the objective at each iteration, if the
#' method's solver records it. Fits of [relief()] and [logo()] also have
#' `"ranking"`, the scores of all features by rank and where the selection ends.
#' Fits of [llfs()] also have
#' * `"frequency"` (their default): the share of each class's representatives
#'   that use a feature, for the best `n` features;
#' * `"map"`: which representative uses which of the best `n` features, grouped
#'   by class;
#' * `"distances"`: distances of the samples of the same and of the other
#'   classes from one representative, in its own features, with its radius (the
#'   dashed line). The argument `representative` (a number or a sample's name,
#'   the first by default) chooses the representative.
#'
#' Fits of [kbfs()] have `"path"` (their default), the number of active features
#' against lambda, and `"entry"`, the position on the path at which each of the
#' best `n` features entered, and its weight at the end. Fits of [pwfp()] have
#' `"pairs"` (their default), the two shares of pairs in which each feature is
#' marked, with the best features (at most 15) named.
#'
#' Plots are laid out for the open device, or for 7 x 7 inches if none is open:
#' small devices get smaller text, shorter names and fewer features, and the
#' subtitle says how many of `n` are shown. To use `autoplot()` for a file of
#' another size, open the device first, or draw with `plot()` between
#' `png(width = , height = , res = )` and `dev.off()`. On a device that is
#' smaller than expected, names that would overlap are left out.
#'
#' Long feature names are shortened in the middle. The colours are those of
#' Okabe and Ito, which colour-blind readers can distinguish; with more than
#' eight classes, each has its own combination of colour and mark, or its own
#' place.
#'
#' @param x,object A fit.
#' @param type Name of the plot, see Details; `NULL` for the method's default.
#'   Any other name is refused with an error that lists the plots of this fit.
#' @param n Largest number of features that are drawn, best first; fewer are
#'   drawn if the device is too low for their names.
#' @param ... Arguments of the type of plot: `representative`; and `label`, in
#'   all plots with feature names, the label of a feature: the name of a column
#'   of the feature annotation (such as a gene symbol, from `rowData()` or
#'   `fData()`), or a character vector of labels named by feature.
#' @return `autoplot()`: a ggplot object. `plot()`: draws it, and returns it
#'   invisibly. Without ggplot2 both fail with an error of class
#'   `hitmiss_error_package`.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   plot(fit, n = 10)
#'   plot(fit, type = "distances", representative = 3)
#'   plot(fit, n = 10, label = c(x1 = "first gene", x2 = "second gene"))
#' }
#' @export
plot.hitmiss <- function(x, type = NULL, n = 30, ...) {
  show_picture(function() fit_picture(x, type, n, ...))
}

#' @rdname plot.hitmiss
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss <- function(object, type = NULL, n = 30, ...) {
  fit_picture(object, type, n, ...)
}

fit_picture <- function(x, type, n, ...) {
  require_package("ggplot2", "plots")
  check_fit(x)
  types <- plot_types(x)
  type <- check_choice(type %||% names(types)[[1L]], names(types), "type")
  types[[type]](x, check_count(n, "n"), ...)
}

#' Plots that are available for a fit
#'
#' @return Named list of functions of (x, n, ...) that return a ggplot; the
#'   first is the default. Methods put theirs before the result of
#'   `NextMethod()`.
#' @noRd
plot_types <- function(x) UseMethod("plot_types")

#' @exportS3Method
plot_types.hitmiss <- function(x) {
  c(
    list(scores = plot_scores),
    if (sum(is.finite(x$report$objective)) > 1L) list(trace = plot_trace)
  )
}

plot_scores <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  room <- plot_room()
  legend <- as.numeric(!is_ranker(x) && min(n, x$n_ranked) > length(x$selected))
  rows <- fit_rows(x, room, n, height_around(room, legend = legend), label)
  table <- rows$table
  states <- c("selected", "not selected")
  chosen <- is_ranker(x) | table$selected
  table$state <- factor(states[2L - chosen], states)
  score_lines(table) +
    ggplot2::geom_point(
      ggplot2::aes(fill = .data[["state"]]),
      shape = 21, size = min(3, rows$size / 3), colour = okabe_ito[[1L]]
    ) +
    ggplot2::scale_fill_manual(
      values = c(selected = okabe_ito[[1L]], "not selected" = "white"),
      guide = if (all(chosen)) "none" else legend_guide(room, states, rows$left)
    ) +
    picture_labels(room,
      title = picture_title(x, "scores"), subtitle = counted(rows, x),
      x = score_axis_title(table$score), left = rows$left, fill = NULL
    ) +
    hitmiss_theme(room, rows$size)
}

# A line for each feature of a table with names: from 0, or, where 0 is far
# away, from the border.
score_lines <- function(table) {
  from_zero <- starts_at_zero(table$score)
  ggplot2::ggplot(table, feature_aes(table, "score")) +
    ggplot2::geom_segment(
      ggplot2::aes(
        xend = if (from_zero) 0 else -Inf, yend = feature_axis(table)
      ),
      colour = if (from_zero) "grey70" else "grey90", linewidth = 0.6
    ) +
    feature_scale(table)
}

score_axis_title <- function(score) {
  if (starts_at_zero(score)) "score" else "score (the axis does not start at 0)"
}

# Does the distance from 0 show how scores differ? Not that of logarithms, nor
# of scores that are close to each other.
starts_at_zero <- function(score) {
  max(score) >= 0 &&
    (min(score) <= 0 || min(score) <= 2 * diff(range(score)))
}

plot_trace <- function(x, n, ...) {
  check_no_dots(...)
  room <- plot_room()
  objective <- x$report$objective
  table <- data.frame(iteration = seq_along(objective), objective = objective)
  ggplot2::ggplot(
    table, ggplot2::aes(.data[["iteration"]], .data[["objective"]])
  ) +
    ggplot2::geom_line(colour = okabe_ito[[1L]], linewidth = 0.8) +
    ggplot2::geom_point(colour = okabe_ito[[1L]], size = 2) +
    ggplot2::scale_x_continuous(breaks = whole_breaks) +
    picture_labels(room,
      title = picture_title(x, "objective of the solver"),
      subtitle = paste("status:", x$report$status),
      x = "iteration", y = "objective"
    ) +
    hitmiss_theme(room)
}

# ---- shared pieces ----------------------------------------------------------

# The rows that a line can join, and those that stand alone: of a group with a
# single row, ggplot2 would say that there is nothing to join.
joined <- function(table, group = table$selector) table[!is_alone(group), ]
alone <- function(table) table[is_alone(table$selector), ]
is_alone <- function(group) !is_repeated(group)

#' Best features of a fit for which there is room, and their names
#'
#' @param around Height in points of everything but the rows, from
#'   height_around().
#' @param most Number of features that can be shown.
#' @return list(table: the feature table with a column `label`; n; size of the
#'   text; left: width of the names in points; asked: number of features
#'   wanted).
#' @noRd
fit_rows <- function(x, room, n, around, label, most = max(x$n_ranked, 1L)) {
  asked <- min(n, most, x$n_features)
  rows <- name_rows(room, asked, around)
  table <- feature_table(x, rows$n)
  annotation <- x$annotation[x$ranking[seq_len(rows$n)], , drop = FALSE]
  named_rows(room, rows, asked, table, feature_labels(
    table$feature, label, annotation
  ))
}

named_rows <- function(room, rows, asked, table, labels) {
  table$label <- shorten(labels, 0.36 * room$width / rows$size)
  left <- rows$size * max(text_em(table$label), 0) + 8
  c(rows, list(asked = asked, table = table, left = left))
}

# Features are drawn at their rank, best on top, and labelled by name: two that
# share a name stay two.
feature_axis <- function(table) factor(table$rank, rev(unique(table$rank)))

feature_aes <- function(table, value) {
  ggplot2::aes(.data[[value]], feature_axis(table))
}

feature_scale <- function(table, ...) {
  name <- table$label[!duplicated(table$rank)]
  names(name) <- table$rank[!duplicated(table$rank)]
  ggplot2::scale_y_discrete(
    labels = name, guide = ggplot2::guide_axis(check.overlap = TRUE), ...
  )
}

picture_title <- function(x, what) sprintf("%s: %s", method_title(x), what)

counted <- function(rows, x) {
  paste0(
    sprintf(
      "best %s of %s features%s", big(rows$n), big(x$n_features),
      room_note(rows)
    ),
    if (!is_ranker(x)) sprintf("; %s selected in all", big(length(x$selected)))
  )
}

# Says that the height of the device took features away.
room_note <- function(rows) {
  if (rows$n == rows$asked) {
    return("")
  }
  sprintf(" (of %s requested; a taller device shows more)", big(rows$asked))
}

big <- function(n) format(n, big.mark = ",", trim = TRUE)
