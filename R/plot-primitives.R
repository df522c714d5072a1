# Layer: show. All pictures are of few kinds (dots in rows of names, lines,
# points, tiles) and share one theme.
# SPDX-License-Identifier: GPL-3.0-or-later

# ggplot2 finds the columns of the data by this pronoun.
utils::globalVariables(".data")

#' Dots in rows of names
#'
#' @param table Data.frame with the columns `name` (rows from top to bottom in
#'   the order of the levels, or in which they come first) and `value`. May also
#'   have `kind` (a factor: colour and mark), `from` (a grey line leads from
#'   there to the dot), `low` and `high` (the ends of an interval), `panel` (a
#'   factor).
#' @param at Where vertical lines mark a value. @param limits Of the axis.
#' @param names A function of the names: their texts.
#' @param ... Texts, see [picture_frame()].
#' @return A ggplot object.
#' @noRd
dots_picture <- function(table, ..., at = NULL, limits = NULL,
                         names = cut_names) {
  table$row <- rows_down(table$name)
  if (is.null(table$kind)) table$kind <- factor(rep("", nrow(table)))
  ends <- function(from, to) {
    ggplot2::aes(.data[[from]], xend = .data[[to]], yend = .data[["row"]])
  }
  ggplot2::ggplot(table, ggplot2::aes(.data[["value"]], .data[["row"]])) +
    picture_frame(...) +
    ggplot2::geom_vline(
      xintercept = as.numeric(at), colour = "grey50", linetype = "dashed"
    ) +
    (if (!is.null(table$from)) {
      ggplot2::geom_segment(ends("from", "value"), colour = "grey75")
    }) +
    (if (!is.null(table$low)) {
      ggplot2::geom_segment(ends("low", "high"), na.rm = TRUE)
    }) +
    ggplot2::geom_point(
      ggplot2::aes(fill = .data[["kind"]], shape = .data[["kind"]]),
      size = 2.4, colour = "grey20", stroke = 0.4, na.rm = TRUE
    ) +
    kind_scales(table$kind) +
    (if (!is.null(table$panel)) panel_columns(table$panel)) +
    number_axis("x", table$panel, limits) +
    ggplot2::coord_cartesian(clip = "off") +
    name_axis(names)
}

#' Lines over a numeric axis
#'
#' @param table Data.frame with the columns `x` and `y`, in the order in which
#'   they are joined. May also have `group` (a factor: a colour each), `low` and
#'   `high` (a ribbon; with more than four groups, where ribbons would cover
#'   each other, none is drawn), `panel` (a factor).
#' @param points Draw points?
#' @param sizes NULL, or where the axis of `x`, then logarithmic, has numbers.
#' @param baselines Names of lines without points, last in the legend.
#' @param legend A function of the groups: their texts in the legend.
#' @param axes Are numbers at the axes set here?
#' @inheritParams dots_picture
#' @noRd
lines_picture <- function(table, ..., points = FALSE, sizes = NULL,
                          legend = cut_names, axes = TRUE,
                          baselines = character()) {
  if (is.null(table$group)) table$group <- factor(rep("", nrow(table)))
  # ggplot2 would give a message for a line of a single point.
  lone <- alone(table)
  dotted <- if (points) table else table[lone, ]
  banded <- ribboned(table)
  ggplot2::ggplot(table, ggplot2::aes(
    .data[["x"]], .data[["y"]],
    colour = .data[["group"]], fill = .data[["group"]]
  )) +
    picture_frame(...) +
    (if (nrow(banded) > 0L) {
      ggplot2::geom_ribbon(
        ggplot2::aes(ymin = .data[["low"]], ymax = .data[["high"]]),
        data = banded, alpha = 0.15, colour = NA
      )
    }) +
    ggplot2::geom_path(
      ggplot2::aes(linetype = .data[["group"]]),
      data = table[!lone, ], linewidth = 0.8, na.rm = TRUE
    ) +
    (if (nrow(dotted) > 0L) {
      ggplot2::geom_point(
        ggplot2::aes(shape = .data[["group"]]),
        data = dotted, size = 2, na.rm = TRUE
      )
    }) +
    kind_scales(
      factor(character(), c(levels(table$group), baselines)), legend,
      length(baselines), solid = points
    ) +
    (if (length(baselines) > 0L || !points) {
      ggplot2::theme(legend.key.width = ggplot2::unit(32, "pt"))
    }) +
    (if (!is.null(table$panel)) {
      ggplot2::facet_wrap(
        ggplot2::vars(.data[["panel"]]),
        labeller = ggplot2::as_labeller(broken_names)
      )
    }) +
    (if (axes) {
      list(
        number_axis("x", table$panel, sizes = sizes),
        number_axis("y", table$panel)
      )
    })
}

# Which rows are the only ones of their group in their panel?
alone <- function(table) {
  cells <- paste(rep("", nrow(table)), table$group, table$panel)
  stats::ave(seq_len(nrow(table)), cells, FUN = length) == 1L
}

# The rows of a table for lines_picture() that have a ribbon. A single point has
# none, and ggplot2 refuses ribbons without any value.
ribboned <- function(table) {
  table <- table[!is.na(table$low) & !is.na(table$high), ]
  table[!alone(table) & nlevels(table$group) <= 4L, ]
}

#' Tiles, in columns by class and rows of names
#'
#' @param table Data.frame with the columns `column` (its number), `name` (rows,
#'   as in dots_picture()) and `value` (numeric, or a factor).
#' @param class Factor, in order: the classes of the columns, which are kept
#'   apart and have a coloured strip above the tiles.
#' @param tracks Named list of factors, numbers and times, in order: further
#'   strips.
#' @param fill Title of the scale of colours. @param limits Of that scale.
#' @inheritParams dots_picture
#' @noRd
tiles_picture <- function(table, ..., class, tracks = NULL, fill = NULL,
                          limits = NULL) {
  require_package("ggplot2", "plots")
  table$row <- rows_down(table$name)
  n <- nlevels(table$row)
  ggplot2::ggplot(table, ggplot2::aes(.data[["column"]], .data[["row"]])) +
    picture_frame(...) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data[["value"]])) +
    (if (is.factor(table$value)) {
      ggplot2::scale_fill_manual(
        values = rep_len(okabe_ito, nlevels(table$value)), guide = "none"
      )
    } else {
      ggplot2::scale_fill_gradient2(
        low = okabe_ito[[1L]], mid = "grey97", high = okabe_ito[[4L]],
        na.value = "grey60", limits = limits, name = fill,
        guide = ggplot2::guide_colourbar(
          barwidth = ggplot2::unit(1.5, "in")
        )
      )
    }) +
    # White lines separate the classes.
    ggplot2::geom_vline(
      xintercept = utils::head(cumsum(table(class)), -1L) + 0.5,
      colour = "white", linewidth = 1
    ) +
    ggplot2::scale_x_continuous(
      breaks = NULL, expand = ggplot2::expansion(0),
      limits = c(0.5, length(class) + 0.5)
    ) +
    strips(class, tracks, n) +
    ggplot2::scale_y_discrete(
      limits = c(levels(table$row), "class", names(tracks)),
      labels = cut_names, guide = ggplot2::guide_axis(check.overlap = TRUE)
    ) +
    ggplot2::theme(panel.grid = ggplot2::element_blank())
}

#' Strips of colours above `n` rows of tiles, and their legend
#' @noRd
strips <- function(class, tracks, n) {
  k <- nlevels(class)
  colours <- if (k <= 7L) okabe_ito else grDevices::hcl.colors(k, "Dark 3")
  sizes <- vapply(tracks, nlevels, 0L)
  pale <- grDevices::hcl.colors(sum(sizes), "Pastel 1")
  pale <- split(pale, rep(factor(seq_along(sizes)), sizes))
  painted <- c(
    list(class = level_colours(class, colours)),
    Map(track_colours, tracks, pale)
  )
  names(painted$class$key) <- sprintf("%s (%d)", levels(class), table(class))
  key <- unlist(unname(Map(function(name, key) {
    stats::setNames(key, paste0(cut_names(name), ": ", cut_names(names(key))))
  }, names(painted), lapply(painted, `[[`, "key"))))
  text <- unique(names(key))
  list(
    ggplot2::annotate("tile",
      x = rep(seq_along(class), length(painted)),
      y = rep(n + seq_along(painted), each = length(class)), height = 0.8,
      fill = unlist(lapply(painted, `[[`, "fill"))
    ),
    ggplot2::geom_point(
      ggplot2::aes(x = 1, y = n + 1, colour = .data[["text"]]),
      data = data.frame(text = factor(text, text)), alpha = 0, shape = 15
    ),
    ggplot2::scale_colour_manual(
      values = key[text], name = NULL, guide = ggplot2::guide_legend(
        override.aes = list(alpha = 1, size = 4), byrow = TRUE,
        ncol = max(1L, min(length(text), 90L %/% (max(nchar(text)) + 6L)))
      )
    )
  )
}

# Returns the colour of each value, and a key: colours named by level.
level_colours <- function(values, colours) {
  list(
    fill = colours[as.integer(values)],
    key = stats::setNames(colours[seq_len(nlevels(values))], levels(values))
  )
}

# Classes have strong colours, so those of tracks are pale, each its own. The
# key of a gradient has its ends.
track_colours <- function(values, pale) {
  if (!is.factor(values)) {
    ends <- range(values, na.rm = TRUE)
    colours <- grDevices::hcl.colors(101L, "Purples 3", rev = TRUE)
    span <- max(diff(as.numeric(ends)), .Machine$double.xmin)
    share <- (as.numeric(values) - as.numeric(ends)[[1L]]) / span
    key <- colours[c(1L, 101L)]
    if (is.numeric(ends)) ends <- signif(ends, 3L)
    names(key) <- format(ends, trim = TRUE)
    painted <- list(fill = colours[1 + round(100 * share)], key = key)
  } else {
    painted <- level_colours(values, pale)
  }
  lost <- is.na(painted$fill)
  painted$fill[lost] <- "grey60"
  painted$key <- c(painted$key, missing = "grey60"[any(lost)])
  painted
}

#' Points of two numbers
#'
#' @param table Data.frame with the columns `x`, `y` and `kind` (a factor); may
#'   have `label` (texts, left out where they would overlap), `line` (points of
#'   one line are joined) and `panel` (a factor).
#' @inheritParams dots_picture
#' @noRd
points_picture <- function(table, ..., scales = "free_y") {
  ggplot2::ggplot(table, ggplot2::aes(.data[["x"]], .data[["y"]])) +
    picture_frame(...) +
    (if (!is.null(table$line)) {
      ggplot2::geom_line(
        ggplot2::aes(group = .data[["line"]]), colour = "grey70"
      )
    }) +
    ggplot2::geom_point(
      ggplot2::aes(fill = .data[["kind"]], shape = .data[["kind"]]),
      size = 2, colour = "grey20", stroke = 0.3, na.rm = TRUE
    ) +
    (if (!is.null(table$label)) {
      ggplot2::geom_text(
        ggplot2::aes(label = .data[["label"]]),
        size = 3, vjust = -0.8, hjust = "inward", check_overlap = TRUE
      )
    }) +
    kind_scales(table$kind) +
    (if (!is.null(table$panel)) {
      ggplot2::facet_wrap(
        ggplot2::vars(.data[["panel"]]), scales = scales,
        labeller = ggplot2::as_labeller(broken_names)
      )
    })
}

#' Dots in rows of names and columns of classes; of many names the other way
#' round
#'
#' @param table Data.frame with the columns `name`, `class` (a factor), `value`
#'   (colour) and `size` (a share).
#' @param fill Title of the scale of colours.
#' @inheritParams dots_picture
#' @noRd
grid_picture <- function(table, ..., fill) {
  row <- rows_down(table$name)
  # More names than have room in a column of five inches lie side by side.
  wide <- nlevels(row) > 25L
  table$x <- if (wide) factor(row, rev(levels(row))) else table$class
  table$y <- if (wide) rows_down(table$class) else row
  ggplot2::ggplot(table, ggplot2::aes(
    .data[["x"]], .data[["y"]], fill = .data[["value"]]
  )) +
    picture_frame(...) +
    ggplot2::geom_point(
      ggplot2::aes(size = .data[["size"]]),
      shape = 21, colour = "grey40", stroke = 0.3
    ) +
    ggplot2::scale_size_area(
      max_size = min(5, 110 / nlevels(row)), limits = c(0, 1),
      name = "share not 0", breaks = c(0.1, 0.25, 0.5, 1)
    ) +
    ggplot2::scale_fill_gradient(
      low = "grey97", high = okabe_ito[[1L]], breaks = c(0, 0.5, 1), name = fill
    ) +
    ggplot2::scale_x_discrete(
      labels = if (wide) cut_names else broken_names,
      guide = ggplot2::guide_axis(check.overlap = wide)
    ) +
    name_axis() +
    ggplot2::theme(
      legend.key.width = ggplot2::unit(0.4, "in"),
      axis.title = ggplot2::element_blank(),
      axis.text.x = ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5)
    )
}

show_picture <- function(picture) {
  print(picture)
  invisible(picture)
}

# ---- scales and panels -------------------------------------------------------

# These are Okabe and Ito's colours, with black last.
okabe_ito <- c(
  "#0072B2", "#E69F00", "#009E73", "#D55E00",
  "#56B4E9", "#CC79A7", "#F0E442", "#000000"
)

#' Colour, mark and line of the levels of a factor, and their legend
#'
#' Colours repeat after eight levels and marks after five: both together tell 40
#' levels apart. A single level has no legend.
#' @param legend A function of the levels: their texts.
#' @param lines How many levels, the last, are grey lines without marks.
#' @param solid Are the lines of the first eight levels solid, because marks
#'   tell them apart where colours do not?
#' @noRd
kind_scales <- function(kinds, legend = cut_names, lines = 0L, solid = TRUE) {
  n <- nlevels(kinds)
  guide <- "none"
  if (n > 1L) {
    widest <- max(nchar(legend(levels(kinds)))) + 6L
    guide <- ggplot2::guide_legend(
      ncol = max(1L, min(n, 96L %/% widest)), byrow = TRUE
    )
  }
  scale <- function(values, aesthetics) {
    ggplot2::scale_colour_manual(
      values = values, aesthetics = aesthetics, labels = legend,
      name = NULL, limits = levels(kinds), guide = guide,
      # The NA must have the type of the values, because ggplot2 4 joins them.
      na.value = values[NA_integer_]
    )
  }
  marked <- n - lines
  types <- rep(
    c("solid", "22", "11", "42", "1242"), each = if (solid) 8L else 1L
  )
  list(
    scale(
      c(rep_len(okabe_ito, marked), rep("grey35", lines)), c("colour", "fill")
    ),
    scale(c(rep_len(21:25, marked), rep(NA, lines)), "shape"),
    scale(
      c(
        rep_len(types, marked), rep_len(c("11", "1343", "73", "5212"), lines)
      ), "linetype"
    )
  )
}

# Makes a numeric axis with few numbers, fewer in panels, so that none overlap.
number_axis <- function(which, panel, limits = NULL, sizes = NULL) {
  # Up to three panels are drawn side by side.
  side <- is.null(panel) || which == "y" && nlevels(panel) < 4L
  scale <- if (which == "y") {
    ggplot2::scale_y_continuous
  } else if (!is.null(sizes)) {
    ggplot2::scale_x_log10
  } else {
    ggplot2::scale_x_continuous
  }
  scale(
    limits = limits, guide = ggplot2::guide_axis(check.overlap = TRUE),
    breaks = sizes %||% function(range) pretty(range, if (side) 5L else 2L),
    labels = function(at) {
      text <- vapply(at, format, "",
        digits = 4L, big.mark = ",", scientific = 6L
      )
      ifelse(is.na(at), "", text)
    }
  )
}

# The first name stands at the top.
rows_down <- function(name) {
  factor(name, rev(if (is.factor(name)) levels(name) else unique(name)))
}

# Names of rows that would overlap are left out.
name_axis <- function(names = cut_names) {
  ggplot2::scale_y_discrete(
    labels = names, guide = ggplot2::guide_axis(check.overlap = TRUE)
  )
}

# Places panels side by side, one for each level; names that are too long for
# the width stand upright.
panel_columns <- function(panel) {
  names <- levels(panel)
  list(
    ggplot2::facet_grid(
      cols = ggplot2::vars(.data[["panel"]]), drop = FALSE,
      labeller = ggplot2::as_labeller(broken_names)
    ),
    if (max(nchar(cut_names(names))) * length(names) > 60L) {
      ggplot2::theme(
        strip.text.x = ggplot2::element_text(angle = 90, hjust = 0)
      )
    }
  )
}

# ---- texts and theme ---------------------------------------------------------

# Breaks names into lines of 24 letters, for panels.
broken_names <- function(names) {
  lines <- vapply(cut_names(names), broken, "", 24L)
  gsub("(.{24})(?=.)", "\\1\n", lines, perl = TRUE)
}

#' A text in lines of at most so many letters
#' @noRd
broken <- function(text, letters) {
  lines <- strwrap(strsplit(text, "\n", fixed = TRUE)[[1L]], letters + 1L)
  paste(lines, collapse = "\n")
}

#' The texts of a picture, broken into lines that fit 7 inches, and its theme
#' @noRd
picture_frame <- function(title, subtitle = NULL, x = NULL, y = NULL,
                          caption = NULL) {
  text <- function(text, letters) if (!is.null(text)) broken(text, letters)
  list(
    ggplot2::labs(
      title = text(title, 65L), subtitle = text(subtitle, 85L),
      caption = text(caption, 85L), x = text(x, 75L), y = text(y, 45L)
    ),
    ggplot2::theme_minimal(base_size = 11),
    ggplot2::theme(
      plot.title.position = "plot", legend.position = "bottom",
      legend.box = "vertical", legend.margin = ggplot2::margin(),
      legend.spacing.y = ggplot2::unit(2, "pt"),
      legend.key.size = ggplot2::unit(14, "pt"),
      panel.grid.minor = ggplot2::element_blank(),
      panel.spacing = ggplot2::unit(10, "pt"),
      strip.text = ggplot2::element_text(face = "bold"), strip.clip = "off",
      plot.margin = ggplot2::margin(6, 12, 6, 6),
      plot.background = ggplot2::element_rect(fill = "white", colour = NA)
    )
  )
}
