# Plots of a fit of llfs(): its features by class, by sample, its spheres.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @exportS3Method
plot_types.hitmiss_llfs <- function(x) {
  c(
    list(
      frequency = plot_frequency, map = plot_map, distances = plot_distances
    ),
    NextMethod()
  )
}

plot_frequency <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  room <- plot_room()
  rows <- used_rows(
    x, room, n, height_around(room, more = 3 * room$text), label
  )
  strips <- class_strips(x, room, (room$width - rows$left - room$text) /
    length(x$classes) - 22)
  if (is.null(strips)) {
    return(plot_share_map(x, room, n, label))
  }
  ggplot2::ggplot(
    long <- share_table(x, rows$table), feature_aes(long, "share")
  ) +
    ggplot2::geom_col(ggplot2::aes(fill = .data[["class"]]), width = 0.75) +
    ggplot2::facet_grid(
      cols = ggplot2::vars(.data[["class"]]),
      labeller = ggplot2::as_labeller(strips)
    ) +
    ggplot2::scale_fill_manual(
      values = class_colours(x$classes), guide = "none"
    ) +
    ggplot2::scale_x_continuous(
      labels = function(share) format(100 * share),
      breaks = c(0, 0.5, 1), limits = c(0, 1),
      expand = ggplot2::expansion(mult = c(0, 0.04))
    ) +
    feature_scale(long) +
    share_labels(x, room, rows,
      "percent of the class's representatives that use the feature"
    ) +
    hitmiss_theme(room, rows$size) +
    ggplot2::theme(panel.spacing.x = ggplot2::unit(22, "pt"))
}

# Of many classes: a tile for each share, the darker the larger.
plot_share_map <- function(x, room, n, label) {
  text <- 0.8 * room$text
  named <- paste(
    shorten(x$classes, 0.22 * room$height / text - 3),
    sprintf("(%d)", class_sizes(x))
  )
  below <- text * max(text_em(named))
  rows <- used_rows(x, room, n, height_around(room,
    legend = 2, more = below - text
  ), label)
  long <- share_table(x, rows$table)
  ggplot2::ggplot(long, ggplot2::aes(.data[["class"]], feature_axis(long))) +
    ggplot2::geom_tile(
      ggplot2::aes(fill = 100 * .data[["share"]]),
      colour = "white"
    ) +
    ggplot2::scale_fill_gradient(
      low = "grey95", high = okabe_ito[[1L]], limits = c(0, 100),
      name = "percent of the class's representatives",
      guide = bar_guide(room, rows$left)
    ) +
    ggplot2::scale_x_discrete(
      labels = stats::setNames(named, x$classes),
      guide = ggplot2::guide_axis(check.overlap = TRUE)
    ) +
    feature_scale(long) +
    share_labels(x, room, rows, "class (representatives)") +
    hitmiss_theme(room, rows$size) +
    ggplot2::theme(
      panel.grid = ggplot2::element_blank(),
      panel.grid.major.y = ggplot2::element_blank(),
      axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5)
    )
}

share_table <- function(x, table) {
  times <- length(x$classes)
  data.frame(
    rank = rep(table$rank, times), label = rep(table$label, times),
    class = by_class(x, rep(x$classes, each = nrow(table))),
    share = as.vector(class_shares(x, x$ranking[table$rank]))
  )
}

share_labels <- function(x, room, rows, axis) {
  picture_labels(room,
    title = picture_title(x, "how many representatives use a feature"),
    subtitle = counted(rows, x), x = axis, left = rows$left
  )
}

plot_map <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  room <- plot_room()
  columns <- function(left) {
    class_columns(room, representative_class(x), representative_names(x), left,
      expand = ggplot2::expansion(add = 0.6)
    )
  }
  around <- height_around(room, more = columns(0.3 * room$width)$height)
  rows <- used_rows(x, room, n, around, label)
  columns <- columns(rows$left)
  table <- rows$table
  used <- as.matrix(subset_matrix(x)[x$ranking[table$rank], , drop = FALSE] > 0)
  who <- representatives(x)
  long <- data.frame(
    rank = rep(table$rank, length(who)),
    representative = rep(seq_along(who), each = nrow(table)),
    class = by_class(x, rep(x$local$class[who], each = nrow(table))),
    used = as.vector(used)
  )
  ggplot2::ggplot(long[long$used, ], ggplot2::aes(
    factor(.data[["representative"]]),
    factor(.data[["rank"]], rev(table$rank))
  )) +
    ggplot2::geom_tile(data = long, fill = "grey95", colour = "white") +
    ggplot2::geom_tile(
      ggplot2::aes(fill = .data[["class"]]), colour = "white"
    ) +
    ggplot2::scale_fill_manual(
      values = class_colours(x$classes), guide = "none"
    ) +
    feature_scale(table) +
    picture_labels(room,
      title = picture_title(x, "features of each representative"),
      subtitle = counted(rows, x),
      x = "representatives (training samples), by class", left = rows$left
    ) +
    hitmiss_theme(room, rows$size) +
    columns$layers +
    ggplot2::theme(panel.grid = ggplot2::element_blank())
}

plot_distances <- function(x, n,
                           representative = representatives(x)[[1L]], ...) {
  check_no_dots(...)
  centre <- check_representative(x, representative)
  sphere <- match(centre, representatives(x))
  room <- plot_room()
  radius <- x$local$radius[[sphere]]
  table <- sphere_distances(x, centre)
  # Versions of ggplot2 differ in where 30 bins begin and end.
  longest <- max(table$distance)
  ggplot2::ggplot(table, ggplot2::aes(.data[["distance"]])) +
    ggplot2::geom_histogram(
      ggplot2::aes(fill = .data[["group"]]),
      breaks = seq(0, if (longest > 0) longest else 1, length.out = 31),
      colour = "white"
    ) +
    ggplot2::geom_vline(xintercept = radius, linetype = "dashed") +
    ggplot2::expand_limits(x = 0) +
    ggplot2::facet_grid(rows = ggplot2::vars(.data[["group"]])) +
    ggplot2::scale_fill_manual(values = okabe_ito[c(1L, 4L)], guide = "none") +
    ggplot2::scale_y_continuous(breaks = whole_breaks) +
    picture_labels(room,
      title = picture_title(x, paste0(
        "distances from representative ",
        shorten(training_names(x)[[centre]], 0.5 * room$width / room$text),
        " (",
        shorten(
          as.character(x$local$class[[centre]]), 0.3 * room$width / room$text
        ),
        ")"
      )),
      subtitle = sprintf(
        "in its own %d features; dashed: radius %s of its sphere",
        subset_sizes(x)[[sphere]], format(radius, digits = 3L)
      ),
      x = "distance (scaled features)", y = "training samples"
    ) +
    hitmiss_theme(room)
}

# ---- what is drawn ----------------------------------------------------------

# Of the best n features those that a representative uses.
used_rows <- function(x, room, n, around, label) {
  fit_rows(x, room, n, around, label, most = length(x$selected))
}

by_class <- function(x, class) factor(class, x$classes)

#' Distances of the other training samples from a representative, in its
#' features
#' @noRd
sphere_distances <- function(x, centre) {
  own <- names(x$scores)[subset_of(x, match(centre, representatives(x)))]
  from <- t(x$local$training[, own, drop = FALSE])
  distance <- sqrt(colSums((from - from[, centre])^2))
  same <- x$local$class == x$local$class[[centre]]
  groups <- c("same class", "other classes")
  data.frame(
    sample = seq_along(distance), distance = unname(distance),
    group = factor(groups[2L - same], groups)
  )[-centre, ]
}

check_representative <- function(x, representative) {
  if (is.character(representative) && length(representative) == 1L) {
    at <- match(representative, x$local$samples)
    if (is.na(at)) {
      abort_input(
        "{.arg representative} names no training sample:
         {.val {representative}}.",
        "representative"
      )
    }
  } else {
    at <- check_count(representative, "representative", max = x$n_samples)
  }
  if (!at %in% representatives(x)) {
    first <- representatives(x)[[1L]]
    abort_input(c(
      "{.arg representative} is sample {representative}, which is not one of the
       {length(representatives(x))} representatives.",
      i = "The first of them is sample {first};
           {.code fit$local$representatives} lists all."
    ), "representative")
  }
  at
}

class_sizes <- function(x) as.vector(table(representative_class(x))[x$classes])

# Strips with name and size of the classes; NULL if panels of so many points
# are too narrow to read.
class_strips <- function(x, room, points) {
  if (points >= 3 * room$text) {
    strip_labels(
      x$classes, points, 0.8 * room$text, sprintf("(%d)", class_sizes(x))
    )
  }
}

whole_breaks <- function(limits) {
  breaks <- pretty(limits)
  breaks[breaks == floor(breaks)]
}
