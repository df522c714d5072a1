# Pictures of a curve.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Plot an error curve
#'
#' @details
#' * `"curve"`: the mean against the number of features, with a ribbon of one
#'   standard error to both sides, corrected for overlapping training parts (see
#'   [hitmiss_curve-methods]; no ribbon if there is no standard error). The
#'   circle marks the size chosen by the one-standard-error rule ([best_size()])
#'   or, with `nested`, the median of the sizes chosen inside the training
#'   parts. The cross marks the best mean over sizes, which is optimistically
#'   biased. A line is dashed beyond the largest number of features that its
#'   selector orders. The dotted lines are the results with all features and of
#'   always predicting the largest class.
#' * `"splits"`: a thin line for every split (or repetition).
#' * `"features"`: how many features were used at each size.
#' * `"selection"`: which splits chose which features, for one `selector` (by
#'   default the first) at one `size` (by default that of [best_size()]); shows
#'   the `n` (30) features chosen most often.
#' * `"overlap"`: how similar the lists of the selectors are at one `size`: the
#'   share of features that two lists have in common (Jaccard), and the rank
#'   correlation over the features that both rank among their first
#'   `max(sizes)`, averaged over splits.
#' * `"roc"`: true against false positive rates of the classifiers, all
#'   selectors in one plot, see the next section.
#'
#' @section ROC curves:
#' Receiver operating characteristic (ROC) curves are drawn from the class
#' scores that a curve keeps (`keep = TRUE`), for each selector at one `size`.
#' By default, with `nested`, this is the size that every training part chose,
#' and the curve is unbiased; otherwise it is the size with the best mean, which
#' is optimistically biased. The subtitle says which. With two classes, the
#' second one is the positive class. With more, each class is drawn against the
#' rest, in a panel of its own or, if the device has no room for these, as the
#' mean over the classes.
#'
#' Within one split the curve has a corner for each distinct score; tied scores
#' enter together, as a straight line. Splits are averaged vertically: the curve
#' shows the mean of the true positive rates at 101 false positive rates from 0
#' to 1. A ribbon shows one corrected standard error to both sides (for at most
#' four selectors: more ribbons would cover each other). If AUC is computed from
#' the predictions of a whole repetition (k-fold cross-validation,
#' leave-one-out; see [error_curve()]), these predictions make one curve,
#' repetitions are averaged, and there is no ribbon. The legend shows the metric
#' `"auc"` (the mean of the areas of the splits) with its standard error; the
#' numbers in panels are the areas for one class against the rest. Splits that
#' failed, or lack a class, are left out.
#'
#' @param x,object The result of [error_curve()].
#' @param type One of the names in Details.
#' @param ... `size` for `"selection"`, `"overlap"` and `"roc"`; `selector`, `n`
#'   and `label` for `"selection"`: `label` is a character vector of texts,
#'   named by feature, to show instead of the names of the features.
#' @return `autoplot()`: a ggplot object. `plot()`: draws it, and returns it
#'   invisibly.
#' @examples
#' toy <- simulate_microarray(n = c(15, 15), genes = 200)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief, logo = logo),
#'   sizes = c(1, 2, 5, 10, 20, 50), resampling = holdout(times = 5)
#' )
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   plot(curve)
#'   plot(curve, type = "roc", size = 10)
#' }
#' @export
plot.hitmiss_curve <- function(x, type = "curve", ...) {
  show_picture(function() curve_picture(x, type, ...))
}

#' @rdname plot.hitmiss_curve
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_curve <- function(object, type = "curve", ...) {
  curve_picture(object, type, ...)
}

curve_picture <- function(x, type, ...) {
  require_package("ggplot2", "plots")
  check_whole(x)
  pictures <- list(
    curve = plot_curve, splits = plot_curve_splits,
    features = plot_curve_features, selection = plot_curve_selection,
    overlap = plot_curve_overlap, roc = plot_curve_roc
  )
  pictures[[check_choice(type, names(pictures), "type")]](x, ...)
}

plot_curve <- function(x, ...) {
  check_no_dots(...)
  table <- tidy(x)
  # A selector that failed in every split has nothing to draw.
  table <- table[!is.na(table$mean), ]
  # No metric leaves [0, 1].
  table$low <- pmax(table$mean - table$se, 0)
  table$high <- pmin(table$mean + table$se, 1)
  solid <- !exhausted(table)
  # The dashed piece starts where the solid one ends.
  followed <- duplicated(table$selector, fromLast = TRUE)
  dashed <- !solid | followed & c(!solid[-1L], FALSE)
  marks <- curve_marks(x)
  room <- plot_room()
  curve_canvas(table, "mean") +
    ggplot2::geom_ribbon(
      ggplot2::aes(
        ymin = .data[["low"]], ymax = .data[["high"]],
        fill = .data[["selector"]]
      ),
      alpha = 0.18, colour = NA, na.rm = TRUE
    ) +
    ggplot2::geom_line(
      data = joined(table[solid, ]), linewidth = 0.9, na.rm = TRUE
    ) +
    ggplot2::geom_line(
      data = joined(table[dashed, ]), linewidth = 0.9, linetype = "22",
      na.rm = TRUE
    ) +
    ggplot2::geom_linerange(
      ggplot2::aes(ymin = .data[["low"]], ymax = .data[["high"]]),
      data = alone(table), linewidth = 0.9, na.rm = TRUE, show.legend = FALSE
    ) +
    baseline_layers(x) +
    selector_marks(table, "mean") +
    ggplot2::geom_point(
      ggplot2::aes(shape = .data[["what"]]),
      data = marks, size = 4, stroke = 1.2, fill = "white"
    ) +
    ggplot2::scale_shape_manual(values = mark_shapes(x), name = NULL) +
    ggplot2::guides(
      fill = "none",
      shape = legend_guide(room, names(mark_shapes(x)), order = 2),
      colour = selector_guide(room, levels(table$selector), NA)
    ) +
    ggplot2::scale_y_continuous(
      expand = ggplot2::expansion(c(0.05, 0.1)) # the words above a base line
    ) +
    curve_labels(x, paste0(
      "mean ", metric_label(x),
      if (!all(is.na(table$se))) paste(" +- one", se_words)
    )) +
    hitmiss_theme(room) +
    stacked_legends()
}

# Sizes at which a selector had no further feature to give.
exhausted <- function(table) {
  more <- stats::ave(table$n_used, table$selector, FUN = function(used) {
    c(Inf, diff(used))
  })
  more <= 0
}

curve_marks <- function(x) {
  rule <- best_size(x)
  chosen <- x$chosen_summary %||% data.frame(
    size = rule$size, mean = rule$value
  )
  best <- curve_best(x)
  words <- names(mark_shapes(x))
  marks <- data.frame(
    selector = factor(rep(x$selectors, 2L), x$selectors),
    size = c(chosen$size, best$size), mean = c(chosen$mean, best$mean),
    what = factor(rep(words, each = length(x$selectors)), words)
  )
  marks[!is.na(marks$mean), ]
}

mark_shapes <- function(x) {
  best <- if (curve_metrics[[x$metric]]$larger) "largest" else "smallest"
  chosen <- if (is.null(x$chosen_summary)) {
    "chosen (one-standard-error rule)"
  } else {
    "chosen inside each training part (median size, its error)"
  }
  stats::setNames(c(21L, 4L), c(chosen, paste(best, "over sizes (optimistic)")))
}

baseline_layers <- function(x) {
  table <- x$baseline
  at <- min(x$sizes)
  list(
    ggplot2::geom_hline(
      yintercept = table$mean, linetype = "dotted", colour = "grey35"
    ),
    ggplot2::annotate("text",
      x = at, y = table$mean, label = gsub("[()]", "", table$name), hjust = 0,
      vjust = -0.4, size = 0.75 * plot_room()$text / ggplot2::.pt,
      colour = "grey35"
    )
  )
}

plot_curve_splits <- function(x, ...) {
  check_no_dots(...)
  long <- do.call(rbind, lapply(x$selectors, function(selector) {
    values <- x$values[[selector]]
    data.frame(
      selector = factor(selector, x$selectors),
      size = rep(x$sizes, each = nrow(values)),
      split = rep(seq_len(nrow(values)), ncol(values)),
      value = as.vector(values)
    )
  }))
  what <- if (is_pooled(x$metric, x$resampling)) "repetition" else "split"
  room <- plot_room()
  columns <- ceiling(sqrt(length(x$selectors) * room$width / room$height))
  columns <- as.integer(min(columns, length(x$selectors)))
  curve_canvas(long, "value", sizes = FALSE) +
    split_layers(x, long) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data[["selector"]]),
      ncol = columns, labeller = ggplot2::as_labeller(strip_labels(
        x$selectors, (room$width - 5 * room$text) / columns - 8, 0.8 * room$text
      ))
    ) +
    ggplot2::scale_x_log10(breaks = size_breaks(x$sizes, columns)) +
    ggplot2::guides(colour = "none") +
    curve_labels(x, sprintf(
      "%s: small %s, one for each %s", metric_label(x),
      if (length(x$sizes) == 1L) "points" else "lines", what
    )) +
    hitmiss_theme(room)
}

# Lines over the sizes; of a single size, points.
split_layers <- function(x, long) {
  if (length(x$sizes) == 1L) {
    return(list(
      ggplot2::geom_point(alpha = 0.45, na.rm = TRUE),
      ggplot2::stat_summary(fun = mean, geom = "point", size = 4, na.rm = TRUE)
    ))
  }
  list(
    ggplot2::geom_line(
      ggplot2::aes(group = .data[["split"]]),
      alpha = 0.45, linewidth = 0.5, na.rm = TRUE
    ),
    ggplot2::stat_summary(
      fun = mean, geom = "line", linewidth = 1.3, na.rm = TRUE
    )
  )
}

plot_curve_features <- function(x, ...) {
  check_no_dots(...)
  room <- plot_room()
  curve_canvas(x$summary, "n_used") +
    ggplot2::geom_line(
      data = joined(x$summary), linewidth = 0.9, na.rm = TRUE
    ) +
    ggplot2::geom_point(size = 2, na.rm = TRUE) +
    ggplot2::geom_abline(linetype = "dotted", colour = "grey35") +
    ggplot2::scale_y_log10() +
    selector_marks(x$summary, "n_used") +
    ggplot2::guides(colour = selector_guide(room, x$selectors)) +
    curve_labels(
      x, "features used (mean over splits); dotted: as many as requested"
    ) +
    ggplot2::ylab("features used (log scale)") +
    hitmiss_theme(room)
}

# ---- shared pieces ----------------------------------------------------------

curve_canvas <- function(table, value, sizes = TRUE) {
  selectors <- levels(table$selector)
  colours <- class_colours(selectors)
  ggplot2::ggplot(table, ggplot2::aes(
    .data[["size"]], .data[[value]],
    colour = .data[["selector"]]
  )) +
    (if (sizes) {
      ggplot2::scale_x_log10(breaks = size_breaks(unique(table$size)))
    }) +
    # Also a selector that has nothing to draw stands in the legend.
    ggplot2::scale_colour_manual(
      values = colours, labels = legend_labels(plot_room(), selectors),
      name = NULL, drop = FALSE
    ) +
    ggplot2::scale_fill_manual(values = colours, limits = selectors)
}

# The sizes themselves where there is room for their labels.
size_breaks <- function(sizes, panels = 1L) {
  if (length(sizes) == 1L) {
    return(sizes)
  }
  room <- plot_room()
  # The longest number, and a gap.
  label <- 0.8 * room$text * (text_em(big(max(sizes))) + 1)
  most <- (room$width - 5 * room$text) / panels / label
  apart <- diff(range(log10(sizes))) / max(1, min(14, most))
  keep <- sizes[[1L]]
  for (size in sizes) {
    if (log10(size) - log10(keep[[length(keep)]]) >= apart) {
      keep <- c(keep, size)
    }
  }
  keep
}

metric_label <- function(x) curve_metrics[[x$metric]]$label

curve_labels <- function(x, what) {
  picture_labels(plot_room(),
    title = curve_title(x), subtitle = what,
    x = "number of features (log scale)", y = metric_label(x),
    caption = curve_caption(x)
  )
}

curve_title <- function(x) {
  sprintf(
    "%s x %s features, %d classes", samples_words(x, big(x$n_samples)),
    big(length(x$features)), length(x$classes)
  )
}

curve_caption <- function(x) {
  paste0(protocol_words(x), "; classifier: ", listed(unique(x$classifier), 3L))
}
