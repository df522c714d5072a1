# ROC curves of the classifiers of a curve: true against false positive rate,
# all selectors in one picture.
# SPDX-License-Identifier: GPL-3.0-or-later

plot_curve_roc <- function(x, size = NULL, ...) {
  check_no_dots(...)
  at <- roc_sizes(x, size)
  roc <- curve_roc(x, at)
  room <- plot_room()
  legend <- roc_legend(room, roc$auc)
  grid <- roc_grid(room, nlevels(roc$classes$class), legend)
  macro <- grid$side < 90 && grid$n > 1L
  if (macro) grid <- roc_grid(room, 1L, legend)
  lines <- if (macro) roc$macro else roc$classes
  colours <- class_colours(x$selectors)
  kinds <- stats::setNames(
    # More than eight selectors repeat the colours.
    c("solid", "22", "11", "42")[
      pmin((seq_along(colours) - 1L) %/% 8L, 3L) + 1L
    ],
    x$selectors
  )
  # More ribbons than these cover each other.
  band <- lines[!is.na(lines$low) & length(x$selectors) <= 4L, ]
  ggplot2::ggplot(lines, ggplot2::aes(
    .data[["false_rate"]], .data[["true_rate"]],
    colour = .data[["selector"]]
  )) +
    ggplot2::annotate("segment",
      x = 0, y = 0, xend = 1, yend = 1, linetype = "dotted", colour = "grey35"
    ) +
    ggplot2::geom_ribbon(
      ggplot2::aes(
        ymin = .data[["low"]], ymax = .data[["high"]],
        fill = .data[["selector"]]
      ),
      data = band, alpha = 0.15, colour = NA
    ) +
    ggplot2::geom_path(
      ggplot2::aes(linetype = .data[["selector"]]),
      linewidth = 0.9
    ) +
    (if (grid$n > 1L) roc_panels(room, x, roc, grid)) +
    ggplot2::scale_colour_manual(
      values = colours, labels = legend, name = NULL, drop = FALSE
    ) +
    ggplot2::scale_fill_manual(values = colours) +
    ggplot2::scale_linetype_manual(values = kinds) +
    ggplot2::guides(
      fill = "none", linetype = "none",
      colour = legend_guide(room, legend,
        override.aes = list(linewidth = 1.4, linetype = unname(kinds))
      )
    ) +
    picture_labels(grid$room,
      title = curve_title(x), subtitle = roc_words(x, at, roc, macro),
      x = "false positive rate", y = "true positive rate",
      caption = curve_caption(x)
    ) +
    hitmiss_theme(room) +
    roc_axes(room, grid)
}

# ---- which predictions -------------------------------------------------------

#' The size at which each selector is drawn, in each split
#'
#' @return list(sizes: matrix, splits x selectors; shown: one for each selector;
#'   words: which sizes these are).
#' @noRd
roc_sizes <- function(x, size) {
  n <- length(x$splits)
  everywhere <- function(shown, words) {
    list(
      sizes = matrix(shown, n, length(shown), byrow = TRUE), shown = shown,
      words = words
    )
  }
  if (!is.null(size)) {
    size <- check_curve_size(x, size)
    return(everywhere(rep(size, length(x$selectors)), "as given in `size`"))
  }
  if (!is.null(x$chosen)) {
    return(list(
      sizes = matrix(x$chosen$size, n), shown = x$chosen_summary$size,
      words = "chosen in each training part (median)"
    ))
  }
  everywhere(curve_best(x)$size, sprintf(
    "at the best mean %s (optimistic)", metric_label(x)
  ))
}

#' Predictions by selector and replicate: a split, or all of one repetition
#'
#' @return List by selector of lists of list(truth, score: matrix, samples x
#'   classes), NULL where a fit failed or has no scores.
#' @noRd
roc_replicates <- function(x, at) {
  kept <- kept_predictions(x)
  scores <- prediction_scores(x)
  scored <- tapply(rowSums(is.na(scores)) == 0, kept$selector, any)
  if (!any(scored)) abort_no_roc(x)
  wanted <- at$sizes[cbind(kept$split, as.integer(kept$selector))]
  # A split that chose no size counts as one that failed.
  lost <- is.na(wanted)
  scores[lost, ] <- NA
  used <- which(kept$size == ifelse(lost, x$sizes[[1L]], wanted))
  group <- if (is_pooled("auc", x$resampling)) {
    split_repetitions(x)[kept$split]
  } else {
    kept$split
  }
  lapply(split(used, kept$selector[used]), function(rows) {
    lapply(split(rows, group[rows]), function(rows) {
      score <- scores[rows, , drop = FALSE]
      if (!anyNA(score) && !anyNA(kept$predicted[rows])) {
        list(truth = kept$truth[rows], score = score)
      }
    })
  })
}

abort_no_roc <- function(x) {
  abort(
    c(
      "a ROC curve needs class scores, and this curve has none:
       {.arg classifier} was {listed(unique(x$classifier), 3L)}.",
      i = "A function given as {.arg classifier} must return a numeric matrix of
           class scores, test samples x classes, with the classes as column
           names, in place of class labels.",
      i = if ("own" %in% classifier_kinds(x)) {
        "Curves of version 0.1.0 kept scores of {.code classifier = \"own\"}
         with {.code metric = \"auc\"} only: run {.fn error_curve} again."
      }
    ),
    c("hitmiss_error_scores", "hitmiss_error_input"),
    arg = "type"
  )
}

# ---- what is drawn -----------------------------------------------------------

# Where true positive rates are averaged.
false_rates <- (0:100) / 100

#' ROC curves and areas of all selectors
#'
#' Vertical averaging: at each false positive rate the mean of the replicates'
#' true positive rates, and its standard error; see the help of
#' plot.hitmiss_curve().
#' @return list(classes, macro: data.frames of selector, class, false_rate,
#'   true_rate, low, high; auc: selector, size, auc, se; class_auc: selector,
#'   class, auc).
#' @noRd
curve_roc <- function(x, at) {
  replicates <- roc_replicates(x, at)
  ratio <- overlap_ratio("auc", x$resampling, x$splits)
  # Of two classes the one curve is the other, turned round.
  classes <- if (length(x$classes) == 2L) x$classes[[2L]] else x$classes
  one <- function(selector) {
    rows <- replicates[[selector]]
    rates <- vapply(classes, function(class) {
      t(vapply(rows, class_rates, false_rates, class))
    }, matrix(0, length(rows), length(false_rates)))
    name <- factor(selector, x$selectors)
    areas <- vapply(rows, replicate_auc, 0)
    list(
      classes = do.call(rbind, lapply(classes, function(class) {
        averaged(matrix(rates[, , class], length(rows)), ratio, name, class)
      })),
      macro = averaged(class_means(rates), ratio, name, "all"),
      auc = data.frame(
        selector = name, size = at$shown[[match(selector, x$selectors)]],
        auc = mean_known(cbind(areas)), se = corrected_se(areas, ratio)
      ),
      class_auc = data.frame(
        selector = name, class = classes,
        auc = vapply(classes, function(class) {
          mean_known(cbind(vapply(rows, class_auc, 0, class)))
        }, 0)
      )
    )
  }
  parts <- lapply(x$selectors, one)
  lapply(stats::setNames(nm = names(parts[[1L]])), function(part) {
    table <- do.call(rbind, lapply(parts, `[[`, part))
    if (!is.null(table$class)) {
      table$class <- factor(table$class, unique(table$class))
    }
    rownames(table) <- NULL
    table
  })
}

# Over the classes that a replicate has.
class_means <- function(rates) {
  means <- rowMeans(rates, na.rm = TRUE, dims = 2L)
  replace(means, is.nan(means), NA_real_)
}

# True positive rates of one replicate, class against the rest; NA where the
# class, or all else, is not there.
class_rates <- function(replicate, class) {
  positive <- replicate$truth == class
  if (!any(positive) || all(positive)) {
    return(rep(NA_real_, length(false_rates)))
  }
  rate_at(roc_points(replicate$score[, class], positive), false_rates)
}

#' True positive rates of a ROC curve at given false positive rates: at a step
#' the upper end, within a tie the line that joins its ends
#' @noRd
rate_at <- function(points, rates) {
  last <- findInterval(rates, points$other)
  following <- pmin(last + 1L, nrow(points))
  run <- points$other[following] - points$other[last]
  rise <- points$relevant[following] - points$relevant[last]
  points$relevant[last] +
    ifelse(run > 0, rise * (rates - points$other[last]) / run, 0)
}

class_auc <- function(replicate, class) {
  positive <- replicate$truth == class
  if (!any(positive) || all(positive)) {
    return(NA_real_)
  }
  pair_auc(replicate$score[, class], positive)
}

# The metric "auc" of a replicate.
replicate_auc <- function(replicate) {
  if (is.null(replicate)) NA_real_ else auc(replicate$truth, replicate$score)
}

#' @param rates Matrix, replicates x false_rates.
#' @noRd
averaged <- function(rates, ratio, selector, class) {
  mean <- mean_known(rates)
  se <- apply(rates, 2L, corrected_se, ratio)
  if (all(is.na(mean))) {
    return(NULL)
  }
  # A curve begins at (0, 0), where no replicate's does but by chance.
  data.frame(
    selector = selector, class = class, false_rate = c(0, false_rates),
    true_rate = c(0, mean), low = c(NA, pmax(mean - se, 0)),
    high = c(NA, pmin(mean + se, 1))
  )
}

# ---- words and places --------------------------------------------------------

#' Labels of the legend: name, size and area, as much as there is room for
#' @noRd
roc_legend <- function(room, auc) {
  area <- sprintf("%.3f", auc$auc)
  notes <- list(
    sprintf(" (n = %g): AUC %s", auc$size, plus_minus(auc$auc, auc$se)),
    sprintf(" (n = %g): AUC %s", auc$size, area), paste0(": ", area)
  )
  notes <- lapply(
    notes, function(note) ifelse(is.na(auc$auc), ": no scores", note)
  )
  names <- as.character(auc$selector)
  space <- legend_em(room, length(names))
  wanted <- min(8, max(text_em(names)))
  for (note in notes) {
    left <- space - max(text_em(note))
    if (left >= wanted) break
  }
  paste0(shorten(names, max(2.5, left)), note)
}

#' Number of columns for `n` panels, side of one in points, and room for all
#' @noRd
roc_grid <- function(room, n, legend) {
  height <- room$height - height_around(room,
    subtitle = 4, caption = 3, legend = legend_rows(room, legend)
  )
  width <- room$width - 5 * room$text
  columns <- seq_len(n)
  strip <- if (n > 1L) 2.5 * 0.8 * room$text else 0
  sides <- pmin(
    width / columns - 1.5 * room$text,
    height / ceiling(n / columns) - strip - 1.2 * room$text
  )
  columns <- which.max(sides)
  # Titles go over square panels, not over what stays empty beside them; where
  # that is too narrow for words, panels take the whole width.
  wide <- columns * max(sides) + 6 * room$text
  square <- wide >= 20 * room$text
  if (square) room$width <- min(room$width, wide)
  list(
    n = n, columns = columns, side = max(sides), room = room, square = square
  )
}

# A panel for each class, with the areas of that class where they fit.
roc_panels <- function(room, x, roc, grid) {
  size <- 0.75 * room$text
  line <- 1.25 * size / grid$side
  n <- length(x$selectors)
  areas <- roc$class_auc[!is.na(roc$class_auc$auc), ]
  areas$label <- sprintf("AUC %.3f", areas$auc)
  areas$height <- (n - as.integer(areas$selector) + 0.5) * line
  fit <- n * line <= 0.5 && 5.5 * size <= 0.5 * grid$side
  list(
    ggplot2::facet_wrap(
      ggplot2::vars(.data[["class"]]),
      ncol = grid$columns, labeller = ggplot2::as_labeller(strip_labels(
        x$classes, grid$side - 4, 0.8 * room$text
      ))
    ),
    if (fit) {
      ggplot2::geom_text(
        ggplot2::aes(1, .data[["height"]], label = .data[["label"]]),
        data = areas, hjust = 1, size = size / ggplot2::.pt, show.legend = FALSE
      )
    }
  )
}

roc_axes <- function(room, grid) {
  breaks <- if (grid$side < 12 * room$text) c(0, 0.5, 1) else (0:5) / 5
  labels <- format_each(breaks)
  list(
    ggplot2::scale_x_continuous(breaks = breaks, labels = labels),
    ggplot2::scale_y_continuous(breaks = breaks, labels = labels),
    ggplot2::coord_cartesian(xlim = c(0, 1), ylim = c(0, 1)),
    ggplot2::theme(
      aspect.ratio = if (grid$square) 1,
      panel.spacing = ggplot2::unit(1.5 * room$text, "pt")
    )
  )
}

roc_words <- function(x, at, roc, macro) {
  classes <- if (length(x$classes) == 2L) {
    short <- shorten(x$classes, 12)
    sprintf("\"%s\" against \"%s\"", short[[2L]], short[[1L]])
  } else if (macro) {
    sprintf(
      "mean over the %d classes, each against the rest", length(x$classes)
    )
  } else {
    "each class against the rest"
  }
  band <- if (is_pooled("auc", x$resampling)) {
    "one curve from the predictions of all splits of a repetition"
  } else if (!all(is.na(roc$auc$se))) {
    paste("mean over splits; +- one", se_words)
  } else {
    "mean over splits"
  }
  sprintf("ROC: %s\nn: features, %s\n%s", classes, at$words, band)
}
