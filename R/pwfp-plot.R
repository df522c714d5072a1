# Plot of a fit of pwfp(): its two histograms against each other.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @exportS3Method
plot_types.hitmiss_pwfp <- function(x) {
  c(list(pairs = plot_pairs), NextMethod())
}

# The shares F_w and F_b that the scores are made of, pseudo-counts included.
pair_shares <- function(x) {
  data.frame(
    rank = order(x$ranking), feature = names(x$scores),
    within = (x$within + 0.5) / (x$pairs[["within"]] + 1),
    between = (x$between + 0.5) / (x$pairs[["between"]] + 1)
  )
}

# Names stand in a column on the right, joined to their points: they never
# overlap, however close the points are.
plot_pairs <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  room <- plot_room()
  table <- pair_shares(x)
  rows <- fit_rows(
    x, room, min(n, 15L), height_around(room, more = 2 * room$text), label
  )
  named <- table[x$ranking[seq_len(rows$n)], ]
  named$label <- rows$table$label
  table$state <- factor(
    ifelse(table$rank <= nrow(named), "named", "other"), c("named", "other")
  )
  least <- utils::tail(named$within * named$between, 1L)
  ggplot2::ggplot(table, ggplot2::aes(.data[["within"]], .data[["between"]])) +
    ggplot2::geom_point(
      data = table[table$state == "other", ],
      colour = "grey60", size = 1.2, alpha = 0.5
    ) +
    ggplot2::geom_abline(
      slope = -1, intercept = log10(least), linetype = "dashed",
      colour = "grey35"
    ) +
    label_column(named, table, rows, room) +
    ggplot2::geom_point(
      data = named, shape = 21, size = 3, fill = okabe_ito[[2L]],
      colour = "black"
    ) +
    ggplot2::scale_x_log10(labels = format_share, breaks = share_breaks) +
    ggplot2::scale_y_log10(labels = format_share, breaks = share_breaks) +
    picture_labels(room,
      title = picture_title(x, "in how many pairs a feature is marked"),
      subtitle = sprintf(
        paste(
          "best %s of %s features named%s;",
          "equal scores lie along the dashed line"
        ),
        big(nrow(named)), big(x$n_features), room_note(rows)
      ),
      x = sprintf(
        "F_w: share of the %s pairs within a class, among the closest",
        big(x$pairs[["within"]])
      ),
      y = sprintf(
        "F_b: share of the %s pairs between classes, among the farthest",
        big(x$pairs[["between"]])
      )
    ) +
    hitmiss_theme(room)
}

# The names stand where shares would be above 1.
share_breaks <- function(limits) {
  shares <- as.vector(outer(c(1, 1.5, 2, 3, 5, 7), 10^(-8:0)))
  shares <- shares[shares <= 1 & shares >= limits[[1L]] &
    shares <= limits[[2L]]]
  shares[seq(1L, length(shares), by = max(1L, ceiling(length(shares) / 6)))]
}

format_share <- function(share) {
  paste0(
    format(100 * share, digits = 2, trim = TRUE, drop0trailing = TRUE), " %"
  )
}

# Layers: the names of `named` at even heights, top to bottom as their points,
# and thin lines from the names to the points. Positions are on log axes.
label_column <- function(named, table, rows, room) {
  span <- log10(range(table$within))
  width <- max(diff(span), 0.1)
  height <- log10(range(table$between))
  height <- height + c(-0.02, 0.02) * max(diff(height), 0.1)
  panel <- room$height - height_around(room)
  gap <- diff(height) * 1.2 * rows$size / panel
  from_top <- order(-named$between, named$within)
  named <- named[from_top, ]
  named$label_x <- 10^(span[[2L]] + 0.12 * width)
  named$label_y <- 10^spread_down(log10(named$between), height, gap)
  # Room for the text: an invisible point at the end of the longest name, in a
  # panel of which the points get what the names leave.
  taken <- min(0.6, (rows$left + rows$size) / (room$width - 6 * room$text))
  room_x <- 1.12 * width / (1 - taken) - width
  list(
    ggplot2::geom_segment(
      data = named, colour = "grey75", linewidth = 0.3,
      ggplot2::aes(xend = .data[["label_x"]], yend = .data[["label_y"]])
    ),
    ggplot2::geom_text(
      data = named, hjust = 0, size = rows$size / ggplot2::.pt,
      ggplot2::aes(.data[["label_x"]], .data[["label_y"]],
        label = paste0(" ", .data[["label"]])
      )
    ),
    ggplot2::expand_limits(x = 10^(span[[2L]] + room_x))
  )
}

# Heights, falling, as near to `wanted` (falling) as the gap allows.
spread_down <- function(wanted, range, gap) {
  places <- wanted
  places[[1L]] <- min(range[[2L]], wanted[[1L]] + gap * length(wanted) / 4)
  for (i in seq_along(wanted)[-1L]) {
    places[[i]] <- min(wanted[[i]], places[[i - 1L]] - gap)
  }
  places + max(0, range[[1L]] - places[[length(places)]])
}
