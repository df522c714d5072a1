# Plots of a fit of kbfs(): how many features are active along the path, and
# when which of them entered.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @exportS3Method
plot_types.hitmiss_kbfs <- function(x) {
  common <- NextMethod()
  common$trace <- NULL # its objectives are those of the points of the path
  c(
    list(path = plot_path), if (x$n_ranked > 0L) list(entry = plot_entry),
    common
  )
}

plot_path <- function(x, n, ...) {
  check_no_dots(...)
  room <- plot_room()
  path <- x$path
  last <- path[nrow(path), ]
  picture <- ggplot2::ggplot(
    path, ggplot2::aes(.data[["lambda"]], .data[["active"]])
  ) +
    ggplot2::geom_step(
      colour = okabe_ito[[1L]], linewidth = 0.8, direction = "vh"
    ) +
    ggplot2::geom_point(colour = okabe_ito[[1L]], size = 2) +
    ggplot2::geom_point(
      data = last, shape = 21, size = 4, fill = okabe_ito[[2L]],
      colour = "black"
    ) +
    path_scale(path$lambda) +
    picture_labels(room,
      title = picture_title(x, "active features along the solution path"),
      subtitle = sprintf(
        paste(
          "the fit is the filled point: %d features at lambda = %s;",
          "largest relative duality gap %s"
        ),
        last$active, format(last$lambda, digits = 3),
        format(max(path$gap), digits = 2)
      ),
      x = "lambda (the solution path runs from right to left)",
      y = "active features"
    ) +
    hitmiss_theme(room)
  if (is.null(x$parameters$lambda)) {
    picture <- picture + ggplot2::geom_hline(
      yintercept = x$parameters$n_features, linetype = "dashed",
      colour = "grey35"
    )
  }
  picture
}

# From the lambda of its entry to the end of the path, a line for each of the
# best features; the point shows its weight at the end.
plot_entry <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  room <- plot_room()
  # Those that entered come first in the ranking.
  entered <- sum(!is.na(x$entry))
  rows <- fit_rows(x, room, n, height_around(room, legend = 2), label, entered)
  best <- rows$table
  at <- x$ranking[best$rank]
  best$weight <- x$scores[at]
  best$lambda <- x$path$lambda[x$entry[at]]
  best$end <- utils::tail(x$path$lambda, 1L)
  states <- c("active at the end", "removed later")
  best$state <- factor(states[2L - (best$weight > 0)], states)
  ggplot2::ggplot(best, feature_aes(best, "lambda")) +
    ggplot2::geom_segment(
      ggplot2::aes(
        xend = .data[["end"]], yend = feature_axis(best),
        linewidth = .data[["weight"]], colour = .data[["state"]]
      )
    ) +
    ggplot2::geom_point(
      ggplot2::aes(colour = .data[["state"]]),
      size = min(3, rows$size / 3)
    ) +
    feature_scale(best) +
    path_scale(x$path$lambda) +
    ggplot2::scale_linewidth_continuous(
      range = c(0.4, 3), name = "weight", limits = c(0, max(x$scores))
    ) +
    ggplot2::scale_colour_manual(
      values = stats::setNames(c(okabe_ito[[1L]], "grey60"), states),
      name = NULL
    ) +
    ggplot2::guides(colour = legend_guide(room, states, rows$left, order = 1)) +
    picture_labels(room,
      title = picture_title(
        x, "where the best features enter the solution path"
      ),
      subtitle = counted(rows, x),
      x = "lambda (the solution path runs from right to left)",
      left = rows$left
    ) +
    hitmiss_theme(room, rows$size) +
    stacked_legends()
}

# A logarithmic axis, unless the path ends at 0.
path_scale <- function(lambda) {
  if (min(lambda) > 0) {
    ggplot2::scale_x_log10()
  } else {
    ggplot2::scale_x_continuous()
  }
}
