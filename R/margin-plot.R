# The plot that fits of relief() and logo() add: all scores, and the cut.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @exportS3Method
plot_types.hitmiss_relief <- function(x) with_ranking(NextMethod())

#' @exportS3Method
plot_types.hitmiss_logo <- function(x) with_ranking(NextMethod())

with_ranking <- function(types) {
  append(types, list(ranking = plot_ranking), after = 1L)
}

# The scores of all features by rank, with a line where selection ends; `n`
# features are named at most, and only as many as there is room for.
plot_ranking <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  room <- plot_room()
  order <- x$ranking
  table <- data.frame(rank = seq_along(order), score = unname(x$scores)[order])
  cut <- if (!is_ranker(x)) length(x$selected)
  named <- table[seq_len(min(n, 8L, max(x$n_ranked, 1L))), ]
  at <- order[named$rank]
  named$feature <- shorten(
    feature_labels(
      names(x$scores)[at], label, x$annotation[at, , drop = FALSE]
    ),
    0.36 * room$width / (0.8 * room$text)
  )
  ggplot2::ggplot(
    table, ggplot2::aes(.data[["rank"]], .data[["score"]])
  ) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey60") +
    ggplot2::geom_line(
      data = joined(table, rep(1L, nrow(table))), colour = okabe_ito[[1L]],
      linewidth = 0.6
    ) +
    ggplot2::geom_point(
      data = named, size = 2.5, colour = okabe_ito[[1L]]
    ) +
    ggplot2::geom_text(
      ggplot2::aes(label = .data[["feature"]]),
      data = named, hjust = -0.05, vjust = -0.7, check_overlap = TRUE,
      size = 0.8 * room$text / ggplot2::.pt
    ) +
    (if (!is.null(cut)) {
      ggplot2::geom_vline(
        xintercept = max(cut, 0.5) + 0.5, linetype = "dashed",
        colour = okabe_ito[[4L]]
      )
    }) +
    ggplot2::scale_x_log10(expand = ggplot2::expansion(
      mult = c(0.05, room_behind(room, named, max(table$rank)))
    )) +
    # Room above the best feature for its name.
    ggplot2::scale_y_continuous(
      expand = ggplot2::expansion(mult = c(0.05, 0.1))
    ) +
    picture_labels(room,
      title = picture_title(x, "scores of all features"),
      subtitle = if (is.null(cut)) {
        sprintf("a ranking of %s features", big(x$n_features))
      } else {
        sprintf(
          "dashed: the cut after %s selected of %s features",
          big(cut), big(x$n_features)
        )
      }, x = "rank (logarithmic)", y = "score"
    ) +
    hitmiss_theme(room)
}

# Of the length of the axis, what is needed behind its end for the names of
# points that stand near it.
room_behind <- function(room, named, last) {
  panel <- room$width - 5.5 * room$text
  needed <- 0.8 * room$text * text_em(named$feature) * 1.05 + 8
  at <- if (last > 1) log(named$rank) / log(last) else 0
  length <- min(
    ifelse(at > 0, (panel - needed) / at, Inf), panel - 0.05 * panel
  )
  max(0.05, (panel - length) / length)
}
