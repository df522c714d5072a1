# The plot that fits of relief() and logo() add: all scores, and the cut.

#' @exportS3Method
plot_types.hitmiss_relief <- function(x) with_ranking(NextMethod())

#' @exportS3Method
plot_types.hitmiss_logo <- function(x) with_ranking(NextMethod())

with_ranking <- function(types) {
  append(types, list(ranking = plot_ranking), after = 1L)
}

# The scores of all features by rank, with a line where selection ends; `n`
# features are named at most, and only as many as there is room for.
plot_ranking <- function(x, n, ...) {
  check_no_dots(...)
  order <- x$ranking
  table <- data.frame(rank = seq_along(order), score = unname(x$scores)[order])
  chosen <- length(x$selected)
  named <- table[seq_len(min(n, 8L, max(x$n_ranked, 1L))), ]
  named$feature <- names(x$scores)[order][named$rank]
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
      data = named, hjust = -0.05, vjust = -0.7, size = 4, check_overlap = TRUE
    ) +
    ggplot2::geom_vline(
      xintercept = max(chosen, 0.5) + 0.5, linetype = "dashed",
      colour = okabe_ito[[4L]]
    ) +
    ggplot2::scale_x_log10() +
    # Room above the best feature for its name.
    ggplot2::scale_y_continuous(
      expand = ggplot2::expansion(mult = c(0.05, 0.1))
    ) +
    ggplot2::labs(
      title = picture_title(x, "scores of all features"),
      subtitle = sprintf(
        "dashed: the cut after %d selected of %d features",
        chosen, x$n_features
      ), x = "rank (logarithmic)", y = "score"
    ) +
    hitmiss_theme()
}
