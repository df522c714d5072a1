# The room that a picture has, and what fits into it: sizes of text, rows of
# names, columns of samples, legends, colours. Lengths are in points.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The size of the device that is open, or of R's default device
#'
#' @return list(width, height: points; text: the size of a picture's text).
#' @noRd
plot_room <- function() {
  inches <- if (grDevices::dev.cur() == 1L) {
    c(7, 7)
  } else {
    grDevices::dev.size("in")
  }
  list(
    width = 72 * inches[[1L]], height = 72 * inches[[2L]],
    text = max(8, min(14, 2 * inches[[1L]], 2.4 * inches[[2L]]))
  )
}

#' The height of a plot without its rows
#'
#' @param lines Lines of subtitle, caption and legend.
#' @param more Further points: strips, slanted labels.
#' @noRd
height_around <- function(room, subtitle = 2, caption = 0, legend = 0,
                          more = 0) {
  text <- room$text
  # Title, axis with its title, and margins; 1.1: the height of a line.
  text * (1.9 + 2.3 + 1.2) + 8 + text * (1.1 * subtitle + 0.5) +
    text * (0.9 * caption + 0.5 * (caption > 0)) +
    legend * max(18, 1.2 * text) + text * (legend > 0) + more
}

#' How many rows of names fit below each other, and the size of their text
#' @noRd
name_rows <- function(room, n, around) {
  space <- max(room$height - around, 0.2 * room$height)
  least <- 7.5
  shown <- as.integer(max(1, min(n, floor(space / (1.25 * least)))))
  list(
    n = shown,
    size = max(least, min(0.8 * room$text, space / shown / 1.25))
  )
}

#' Number of rows of a legend with these labels, beside `left` points of names
#' @noRd
legend_rows <- function(room, labels, left = 4 * room$text) {
  entry <- 0.8 * room$text * max(text_em(labels)) + 17.3 + 11
  columns <- max(1, floor((room$width - left - room$text) / entry))
  as.integer(ceiling(length(labels) / columns))
}

#' Labels of a legend, shortened so that it takes at most a fifth of the height
#' @noRd
legend_labels <- function(room, labels, left = 4 * room$text) {
  shorten(labels, max(2.5, legend_em(room, length(labels), left)))
}

# The em that each of `n` labels may then have.
legend_em <- function(room, n, left = 4 * room$text) {
  most <- max(1, floor(0.2 * room$height / max(18, 1.2 * room$text)))
  entry <- (room$width - left - room$text) / ceiling(n / most)
  (entry - 28.4) / (0.8 * room$text)
}

legend_guide <- function(room, labels, left = 4 * room$text, ...) {
  ggplot2::guide_legend(
    nrow = legend_rows(room, labels, left), byrow = TRUE, ...
  )
}

# A bar of colours under its title, not wider than the panel.
bar_guide <- function(room, left) {
  ggplot2::guide_colourbar(
    title.position = "top", title.hjust = 0.5,
    barwidth = ggplot2::unit(min(200, 0.6 * (room$width - left)), "pt"),
    barheight = ggplot2::unit(0.7 * room$text, "pt")
  )
}

#' Titles, broken into lines that fit
#'
#' @param left Width, in points, of what is left of the panel.
#' @noRd
picture_labels <- function(room, title, subtitle, x = NULL, y = NULL,
                           caption = NULL, left = 4 * room$text, ...) {
  fit <- function(text, points, size) {
    if (!is.null(text)) wrapped(text, points / size)
  }
  margin <- 1.2 * room$text
  ggplot2::labs(
    title = fit(title, room$width - margin, 1.2 * room$text),
    subtitle = fit(subtitle, room$width - margin, room$text),
    caption = fit(caption, room$width - margin - left, 0.8 * room$text),
    x = fit(x, room$width - left - margin, room$text),
    y = fit(y, 0.55 * room$height, room$text), ...
  )
}

hitmiss_theme <- function(room, names = 0.8 * room$text) {
  ggplot2::theme_minimal(base_size = room$text) +
    ggplot2::theme(
      axis.title.x = ggplot2::element_text(margin = ggplot2::margin(t = 8)),
      panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major.y = ggplot2::element_line(colour = "grey94"),
      plot.title.position = "plot",
      # The last number of an axis is wider than the axis.
      plot.margin = ggplot2::margin(
        0.5 * room$text, room$text, 0.5 * room$text, 0.5 * room$text
      ),
      axis.text.y = ggplot2::element_text(size = names, colour = "grey15"),
      strip.text = ggplot2::element_text(face = "bold"),
      strip.clip = "off",
      legend.position = "bottom",
      plot.background = ggplot2::element_rect(fill = "white", colour = NA)
    )
}

# Two legends, one below the other.
stacked_legends <- function() {
  ggplot2::theme(
    legend.box = "vertical", legend.spacing.y = ggplot2::unit(0, "pt"),
    legend.margin = ggplot2::margin(0, 0, 0, 0)
  )
}

# ---- classes ----------------------------------------------------------------

# A colour per class; more than eight classes repeat them, so that pictures
# must tell classes apart by place or by mark as well.
class_colours <- function(classes) {
  stats::setNames(rep_len(okabe_ito, length(classes)), classes)
}

# A mark per class, a new one with each round of the colours: colour and mark
# together tell 40 classes apart.
class_marks <- function(classes) {
  round <- (seq_along(classes) - 1L) %/% length(okabe_ito)
  stats::setNames(rep_len(21:25, max(round, 0) + 1L)[round + 1L], classes)
}

selector_labels <- function(selectors) {
  room <- plot_room()
  shorten(selectors, 0.5 * room$width / room$text)
}

# Of more than eight selectors, those whose colour is taken have a mark of their
# own at every size.
selector_marks <- function(table, value) {
  marks <- class_marks(levels(table$selector))
  lapply(names(marks)[marks > 21L], function(selector) {
    ggplot2::geom_point(
      ggplot2::aes(.data[["size"]], .data[[value]]),
      data = table[table$selector == selector, ], shape = marks[[selector]],
      size = 2.5, fill = "white", na.rm = TRUE
    )
  })
}

selector_guide <- function(room, selectors, plain = 16L) {
  marks <- class_marks(selectors)
  marks[marks == 21L] <- plain
  legend_guide(room, legend_labels(room, selectors),
    order = 1,
    override.aes = list(linewidth = 1.4, shape = unname(marks), fill = "white")
  )
}

#' Names of classes or panels for strips of the given width
#'
#' @param note Text after the name, such as the size of the class; on a line of
#'   its own if both do not fit.
#' @noRd
strip_labels <- function(names, points, size, note = rep("", length(names))) {
  most <- points / size / 1.08 # bold
  whole <- trimws(paste(names, note))
  broken <- vapply(names, wrapped, "", most = most)
  lines <- lengths(strsplit(broken, "\n", fixed = TRUE))
  name <- ifelse(lines <= 2L & text_em(longest_line(broken)) <= most, broken,
    shorten(names, most)
  )
  fits <- all(text_em(whole) <= most)
  stats::setNames(
    if (fits) whole else trimws(paste(name, note, sep = "\n"), "right"), names
  )
}

longest_line <- function(text) {
  vapply(strsplit(text, "\n", fixed = TRUE), function(lines) {
    if (length(lines) == 0L) "" else lines[[which.max(text_em(lines))]]
  }, "")
}

#' Columns of samples, in panels by class
#'
#' @param class Factor, the class of each column.
#' @param names Of the columns.
#' @param left Points of names on the left.
#' @param keys What the columns are called in the data. @param expand Of the
#'   axis.
#' @return list(layers, height: points that strips and names of samples take).
#' @noRd
class_columns <- function(room, class, names, left, keys = seq_along(class),
                          expand = ggplot2::expansion(0)) {
  size <- as.vector(table(class))
  gap <- 4
  space <- room$width - left - 2 * room$text - gap * (length(size) - 1)
  width <- space * size / sum(size)
  # Where a small class has no room for its name all panels are equally wide.
  equal <- min(width) < 10
  if (equal) width <- rep(space / length(size), length(size))
  text <- 0.8 * room$text
  note <- sprintf("(%d)", size)
  flat <- all(text_em(note) * text * 1.08 <= width) &&
    all(pmin(text_em(levels(class)), 6) * text * 1.08 <= width)
  strip <- if (flat) {
    strip_labels(levels(class), min(width), text, note)
  } else {
    paste(shorten(levels(class), 0.2 * room$height / text - 3), note)
  }
  if (min(width) < 8) strip[] <- ""
  names(strip) <- levels(class)
  column <- min(width / size)
  tick <- min(9, column / 1.15)
  # A low device leaves its height to the features.
  named <- tick >= 6 && room$height >= 340
  shown <- if (named) {
    stats::setNames(shorten(names, 0.16 * room$height / tick), keys)
  }
  list(
    layers = list(
      ggplot2::scale_x_discrete(labels = shown, expand = expand),
      ggplot2::facet_grid(
        cols = ggplot2::vars(.data[["class"]]), scales = "free_x",
        space = if (equal) "fixed" else "free_x",
        labeller = ggplot2::as_labeller(strip)
      ),
      ggplot2::theme(
        panel.spacing.x = ggplot2::unit(gap, "pt"),
        strip.text.x = if (!flat) {
          ggplot2::element_text(angle = 90, hjust = 0, vjust = 0.5)
        },
        axis.text.x = ggplot2::element_text(
          angle = 90, hjust = 1, vjust = 0.5, size = tick
        )
      )
    ),
    height = (if (flat) 2.5 * text else text * max(text_em(strip)) + text) +
      if (named) tick * max(text_em(shown)) else 0
  )
}

# The rows that a line can join, and those that stand alone: of a group with a
# single row, ggplot2 would say that there is nothing to join.
joined <- function(table, group = table$selector) table[!is_alone(group), ]
alone <- function(table) table[is_alone(table$selector), ]
is_alone <- function(group) !is_repeated(group)

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

# Says that the height of the device took features away.
room_note <- function(rows) {
  if (rows$n == rows$asked) {
    return("")
  }
  sprintf(" (of %s requested; a taller device shows more)", thousands(rows$asked))
}

whole_breaks <- function(limits) {
  breaks <- pretty(limits)
  breaks[breaks == floor(breaks)]
}
