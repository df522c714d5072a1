# Layer: show. Pictures of a curve: which of its data each shows.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Plot an error curve
#'
#' @details
#' * `"curve"`: the mean against the number of features, with a ribbon of one
#'   standard error to both sides, corrected for overlapping training parts (see
#'   [hitmiss_curve-methods]; no ribbon if there is no standard error, or if
#'   more than four would cover each other). The circle marks the size chosen by
#'   [best_size()] or, with `nested`, the median of the sizes chosen inside the
#'   training parts. The cross marks the best mean over sizes, which is
#'   optimistically biased. A line ends at the largest number of features that
#'   its selector orders. The dotted lines are the results without selection.
#' * `"splits"`: a thin line for every split (or repetition).
#' * `"features"`: how many features were used at each size.
#' * `"selection"`: which splits chose which features, for one `selector` (by
#'   default the first) at one `size` (by default that of [best_size()]); shows
#'   the `n` (30) features chosen most often.
#' * `"roc"`: true against false positive rates of the classifiers, all
#'   selectors in one plot, see the next section.
#'
#' @section ROC curves:
#' Receiver operating characteristic (ROC) curves are drawn from the class
#' scores that a curve keeps (`keep = TRUE`), for each selector at one `size`.
#' By default, with `nested`, this is the size that every training part chose
#' by itself; otherwise it is the size with the best mean, which is
#' optimistically
#' biased. The subtitle says which. With two classes, the second one is the
#' positive class. With up to nine, each class is drawn against the rest in a
#' panel of its own; with more, the mean over the classes.
#'
#' Within one split the curve has a corner for each distinct score; tied scores
#' enter together, as a straight line. Splits are averaged vertically: the curve
#' shows the mean of the true positive rates at 101 false positive rates from 0
#' to 1. If AUC is computed from the predictions of a whole repetition (k-fold
#' cross-validation, leave-one-out; see [error_curve()]), these predictions make
#' one curve, and repetitions are averaged. The legend shows the metric `"auc"`
#' with its standard error. Splits that failed, or lack a class, are left out.
#'
#' @param x,object The result of [error_curve()].
#' @param type One of the names in Details.
#' @param ... `size` for `"selection"` and `"roc"`; `selector`, `n`
#'   and `label` for `"selection"`: `label` is a character vector of texts,
#'   named by feature, to show instead of the names of the features.
#' @return `autoplot()`: a ggplot object. `plot()`: draws it, and returns it
#'   invisibly.
#' @examples
#' toy <- simulate_microarray(samples = c(15, 15), genes = 200)
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
  pictures <- list(
    curve = plot_curve, splits = plot_curve_splits,
    features = plot_curve_features, selection = plot_curve_selection,
    roc = plot_curve_roc
  )
  pictures[[check_choice(type, names(pictures), "type")]](x, ...)
}

plot_curve <- function(x, ...) {
  check_no_dots(...)
  table <- size_means(x)
  # Sizes at which a selector had no further feature to give, or no value.
  more <- stats::ave(table$n_used, table$selector, FUN = function(used) {
    c(Inf, diff(used))
  }) > 0
  table <- table[more & !is.na(table$mean), ]
  rule <- best_size(x)
  chosen <- x$chosen_summary %||% data.frame(size = rule$size,
    mean = rule$value)
  # Random features have a mean for each size.
  flat <- x$baseline[x$baseline$name != "(random features)", ]
  random <- x$random[!is.na(x$random$mean), ]
  words <- baseline_labels(x, flat, random)
  rule_words <- if (is.null(x$chosen_summary)) {
    "chosen by best_size()"
  } else {
    "chosen inside each training part (median size, its error)"
  }
  lines_picture(
    # No metric leaves [0, 1].
    data.frame(
      x = table$size, y = table$mean, group = table$selector,
      low = pmax(table$mean - table$se, 0), high = pmin(table$mean + table$se,
        1)
    ),
    points = TRUE, log = "x", title = curve_title(x),
    subtitle = sprintf(
      "mean %s%s; circle: %s; cross: %s over sizes (optimistic)",
      metric_label(x),
      if (all(is.na(table$se))) "" else paste(" +- one", se_words),
      rule_words, best_word(x$metric)
    ),
    x = "number of features (log scale)", y = metric_label(x),
    caption = curve_caption(x)
  ) +
    ggplot2::geom_hline(
      yintercept = flat$mean, linetype = "dotted", colour = "grey35"
    ) +
    ggplot2::annotate("text",
      x = words$size, y = words$mean, hjust = words$hjust, vjust = -0.4,
      size = 3, label = gsub("[()]", "", words$name), colour = "grey35"
    ) +
    (if (length(x$sizes) > 1L) {
      ggplot2::geom_path(
        ggplot2::aes(.data[["size"]], .data[["mean"]]),
        data = random, inherit.aes = FALSE,
        linetype = "dotted", colour = "grey35"
      )
    }) +
    curve_mark(x, chosen, 1L) + curve_mark(x, x$best, 4L)
}

# Where the names of the baselines stand: that of random features at the right
# end of their line, the others at the left.
baseline_labels <- function(x, flat, random) {
  last <- random[seq_len(nrow(random)) == nrow(random), ]
  data.frame(
    name = c(as.character(flat$name), rep("random features", nrow(last))),
    mean = c(flat$mean, last$mean),
    size = c(rep(min(x$sizes), nrow(flat)), last$size),
    hjust = rep(0:1, c(nrow(flat), nrow(last)))
  )
}

curve_mark <- function(x, at, shape) {
  marks <- data.frame(
    x = at$size, y = at$mean, group = factor(x$selectors, x$selectors)
  )
  ggplot2::geom_point(
    data = marks[!is.na(marks$y), ], shape = shape, size = 4, stroke = 1.2
  )
}

# A line for each split (or repetition), and their mean.
plot_curve_splits <- function(x, ...) {
  check_no_dots(...)
  long <- do.call(rbind, lapply(x$selectors, function(selector) {
    # A missing value separates the line of a split from that of the next.
    values <- rbind(t(x$values[[selector]]), NA)
    data.frame(
      x = c(x$sizes, NA), y = as.vector(values),
      group = factor(selector, x$selectors)
    )
  }))
  long$panel <- long$group
  pooled <- is_pooled(x$metric, x$resampling)
  lines_picture(long,
    points = length(x$sizes) == 1L, log = "x", title = curve_title(x),
    subtitle = sprintf(
      "%s, one line for each %s; black: mean", metric_label(x),
      if (pooled) "repetition" else "split"
    ),
    x = "number of features (log scale)", y = metric_label(x),
    caption = curve_caption(x)
  ) +
    ggplot2::stat_summary(
      ggplot2::aes(group = .data[["group"]]),
      fun = mean, geom = if (length(x$sizes) == 1L) "point" else "line",
      colour = "black", na.rm = TRUE
    ) +
    ggplot2::guides(
      colour = "none", fill = "none", linetype = "none", shape = "none"
    )
}

plot_curve_features <- function(x, ...) {
  check_no_dots(...)
  table <- x$summary
  lines_picture(
    data.frame(x = table$size, y = table$n_used, group = table$selector),
    points = TRUE, log = "xy", title = curve_title(x),
    subtitle = "features used (mean over splits); dotted: as many as requested",
    x = "number of features (log scale)", y = "features used (log scale)",
    caption = curve_caption(x)
  ) + ggplot2::geom_abline(linetype = "dotted", colour = "grey35")
}

# Which features the splits agree on: a tile for each split that chose one.
plot_curve_selection <- function(x, selector = NULL, size = NULL, n = 30,
                                 label = NULL, ...) {
  check_no_dots(...)
  selector <- check_curve_selector(x, selector)
  size <- check_curve_size(x, size, selector)
  sets <- curve_sets(x, selector, size)
  tiles <- data.frame(
    feature = unlist(sets), column = rep(seq_along(sets), lengths(sets)),
    value = unlist(lapply(sets, seq_along))
  )
  if (nrow(tiles) == 0L) {
    abort_input(
      "{.val {selector}} selected no feature in any split.", "selector"
    )
  }
  # Most often first, then by rank in the splits that chose it.
  times <- table(tiles$feature)
  times <- times[order(-times, tapply(tiles$value, tiles$feature, mean))]
  best <- utils::head(as.integer(names(times)), check_count(n, "n"))
  at <- match(tiles$feature, best)
  tiles <- tiles[order(at), ][seq_len(sum(!is.na(at))), ]
  share <- sprintf("%.0f %%", 100 * times[seq_along(best)] / length(sets))
  text <- cut_names(feature_labels(x$features[best], label))
  tiles$name <- paste0(text, "  ", share)[match(tiles$feature, best)]
  tiles_picture(tiles,
    fill = "rank in the split", title = sprintf(
      "%s: features chosen in %d splits", selector, length(sets)
    ),
    subtitle = sprintf(
      paste(
        "size %s; the %d chosen most often of %s ever chosen,",
        "with their share of splits"
      ), format(size), length(best), thousands(length(times))
    ),
    x = "split", caption = curve_caption(x)
  )
}

# ---- ROC curves -------------------------------------------------------------

plot_curve_roc <- function(x, size = NULL, ...) {
  check_no_dots(...)
  at <- roc_sizes(x, size)
  roc <- curve_roc(x, at)
  labels <- ifelse(
    is.na(roc$auc$auc), paste0(cut_names(x$selectors), ": no scores"), sprintf(
      "%s (n = %g): AUC %s", cut_names(x$selectors), at$drawn,
      plus_minus(roc$auc$auc, roc$auc$se)
    )
  )
  classes <- levels(roc$lines$class)
  table <- data.frame(
    x = roc$lines$false_rate, y = roc$lines$true_rate,
    group = factor(labels[roc$lines$selector], labels)
  )
  if (length(classes) > 1L) table$panel <- roc$lines$class
  how <- if (is_pooled("auc", x$resampling)) {
    "one curve from the predictions of all splits of a repetition"
  } else {
    "mean over splits"
  }
  lines_picture(table,
    title = curve_title(x), subtitle = sprintf(
      "ROC: %s\nn: features, %s\n%s",
      if (length(x$classes) == 2L) {
        sprintf(
          "\"%s\" against \"%s\"", cut_names(classes),
          cut_names(x$classes[[1L]])
        )
      } else if (length(classes) == 1L) {
        sprintf("%s, each against the rest", classes)
      } else {
        "each class against the rest"
      }, at$words, how
    ),
    x = "false positive rate", y = "true positive rate",
    caption = curve_caption(x), legend = identity
  ) +
    ggplot2::geom_abline(linetype = "dotted", colour = "grey35") +
    ggplot2::coord_equal(xlim = c(0, 1), ylim = c(0, 1))
}

# ---- shared by pictures -----------------------------------------------------

curve_title <- function(x) {
  sprintf(
    "%s x %s features, %d classes", samples_words(x, thousands(x$n_samples)),
    thousands(length(x$features)), length(x$classes)
  )
}

curve_caption <- function(x) {
  paste0(protocol_words(x), "; classifier: ", listed(unique(x$classifier), 3L))
}
