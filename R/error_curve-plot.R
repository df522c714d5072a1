# Layer: show. These functions draw the pictures of a curve.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Plot an error curve
#'
#' @details
#' * `"curve"`: the mean against the number of features, with its 95 % interval
#'   as a ribbon (see [hitmiss_curve-methods]; no ribbons for more than four
#'   selectors). The
#'   circle marks the size chosen by [best_size()] or, with `nested`, the median
#'   of the sizes chosen inside the training parts. The cross marks the best
#'   mean over sizes, which is optimistically biased. A line ends at the largest
#'   number of features that its selector orders. The grey lines are the
#'   baselines, with their means (of random features, over sizes).
#' * `"roc"`: true against false positive rates of the classifiers, see the next
#'   section.
#'
#' * `"survival"`, of survival times: Kaplan-Meier curves of the thirds of each
#'   test part by risk, that is of held-out samples, at one `size` (as for
#'   `"roc"`) of one `selector`, with the numbers at risk.
#'
#' @section ROC curves:
#' Receiver operating characteristic (ROC) curves are drawn from the class
#' scores that a curve keeps (`keep = TRUE`), for each selector at one `size`:
#' by default, with `nested`, the size that every training part chose, otherwise
#' the size with the best mean, which is optimistically biased. With two classes
#' `positive` says which one is positive: by default that of the curve. With up
#' to nine, each class is drawn against the rest in a panel of its own; with
#' more, the mean over the classes.
#'
#' The curve is the mean over splits of the true positive rates at 101 false
#' positive rates from 0 to 1 (in k-fold cross-validation and leave-one-out over
#' repetitions, whose predictions make one curve). The legend shows the metric
#' `"auc"` with its 95 % interval. Splits that failed, or lack a class, are
#' left out.
#'
#' @param x,object The result of [error_curve()].
#' @param type One of the names in Details.
#' @param ... `size` and `positive` for `"roc"`; `selector` and `size` for
#'   `"survival"`.
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
  show_picture(autoplot.hitmiss_curve(x, type, ...))
}

#' @rdname plot.hitmiss_curve
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_curve <- function(object, type = "curve", ...) {
  check_curve(object, "object")
  require_package("ggplot2", "plots")
  pictures <- curve_kind(object)$curve_pictures
  pictures[[check_choice(type, names(pictures), "type")]](object, ...)
}

plot_curve <- function(x, ...) {
  check_no_dots(...)
  table <- x$summary
  # Sizes at which a selector had no further feature to give, or has no value,
  # are left out.
  more <- stats::ave(table$n_used, table$selector, FUN = function(used) {
    c(Inf, diff(used))
  }) > 0
  table <- table[more & !is.na(table$mean), ]
  rule <- best_size(x)
  chosen <- x$chosen_summary %||% data.frame(size = rule$size,
    mean = rule$value)
  # Random features have a mean for each size.
  named <- sprintf(
    "%s %.3f", gsub("[()]", "", x$baseline$name), x$baseline$mean
  )
  random <- x$baseline$name == "(random features)" & length(x$sizes) > 1L
  levels <- c(levels(table$selector), named)
  baseline <- function(size, mean, name) {
    data.frame(x = size, y = mean, group = factor(name, levels))
  }
  drawn <- data.frame(
    x = table$size * apart(x, table$selector), y = table$mean,
    group = table$selector, low = table$lower, high = table$upper
  )
  lines_picture(drawn,
    points = TRUE, sizes = x$sizes, title = curve_title(x),
    subtitle = sprintf(
      "mean %s%s; circle: %s; cross: %s over sizes (optimistic)",
      metric_label(x),
      if (nrow(ribboned(drawn)) > 0L) " and its 95 % interval" else "",
      if (is.null(x$chosen_summary)) {
        "chosen by best_size()"
      } else {
        "chosen inside each training part (median size, its error)"
      }, best_word(x)
    ),
    x = "number of features (log scale)", y = metric_label(x),
    caption = curve_caption(x, table$selector), baselines = named,
    legend = function(names) cut_names(names, 40L)
  ) +
    ggplot2::geom_hline(
      ggplot2::aes(
        yintercept = .data[["y"]], colour = .data[["group"]],
        linetype = .data[["group"]]
      ),
      data = baseline(NA, x$baseline$mean, named)[!random, ]
    ) +
    (if (any(random)) {
      ggplot2::geom_path(
        ggplot2::aes(linetype = .data[["group"]]), na.rm = TRUE,
        data = baseline(x$random$size, x$random$mean, named[random])
      )
    }) +
    curve_mark(x, chosen, 1L) + curve_mark(x, x$best, 4L)
}

# Selectors stand side by side, so that equal errors do not cover each other.
# Together they take at most half of the room between two sizes.
apart <- function(x, selector) {
  n <- length(x$selectors)
  sizes <- sort(unique(x$summary$size))
  room <- min(1.25, sqrt(sizes[-1L] / utils::head(sizes, -1L)))
  min(1.04, room^(1 / (n - 1)))^(match(selector, x$selectors) - (n + 1) / 2)
}

curve_mark <- function(x, at, shape) {
  marks <- data.frame(
    x = at$size * apart(x, x$selectors), y = at$mean,
    group = factor(x$selectors, x$selectors)
  )
  ggplot2::geom_point(
    data = marks[!is.na(marks$y), ], shape = shape, size = 4, stroke = 1.2,
    show.legend = FALSE
  )
}

plot_curve_roc <- function(x, size = NULL, positive = NULL, ...) {
  check_no_dots(...)
  at <- roc_sizes(x, size)
  chosen <- positive %||% x$positive
  positive <- positive_class(chosen, x$classes)
  if (is.null(chosen) && !is.null(positive)) {
    size <- x$class_sizes[[match(positive, x$classes)]]
    inform_positive(positive, sprintf("%d of %d samples", size, x$n_samples))
  }
  roc <- curve_roc(x, at, positive)
  selectors <- cut_names(x$selectors)
  labels <- ifelse(
    is.na(roc$auc$mean), paste0(selectors, ": no scores"), sprintf(
      "%s (n = %g): AUC %s", selectors, at$drawn,
      with_interval(roc$auc)
    )
  )
  classes <- levels(roc$lines$class)
  table <- data.frame(
    x = roc$lines$false_rate, y = roc$lines$true_rate,
    group = factor(labels[roc$lines$selector], labels)
  )
  if (length(classes) > 1L) table$panel <- roc$lines$class
  of <- if (length(x$classes) == 2L) {
    paste(
      cut_names(c(positive, setdiff(x$classes, positive))),
      collapse = " against "
    )
  } else {
    paste(c(if (length(classes) == 1L) classes, "each class against the rest"),
      collapse = ", "
    )
  }
  lines_picture(table,
    title = curve_title(x), subtitle = sprintf(
      "ROC: %s\nn: features, %s\n%s", of, at$words,
      if (is_pooled(class_metrics$auc, x$resampling)) {
        "one curve from the predictions of all splits of a repetition"
      } else {
        "mean over splits"
      }
    ),
    x = "false positive rate", y = "true positive rate",
    caption = curve_caption(x, x$selectors[!is.na(roc$auc$mean)]),
    legend = identity
  ) +
    ggplot2::geom_abline(linetype = "dotted", colour = "grey35") +
    ggplot2::coord_cartesian(xlim = c(0, 1), ylim = c(0, 1))
}

# ---- survival times ----------------------------------------------------------

# Kaplan-Meier curves of the thirds of each test part by risk. A test of their
# difference would be wrong: test parts of one data set share training samples.
plot_curve_survival <- function(x, selector = NULL, size = NULL, ...) {
  check_no_dots(...)
  selector <- check_curve_selector(x, selector)
  at <- roc_sizes(x, size)
  column <- match(selector, x$selectors)
  table <- predictions_at(kept_predictions(x), at$sizes)
  table <- table[table$selector == selector & !is.na(table$predicted), ]
  # A part of one or two samples has no thirds.
  thirds <- c("lowest", "middle", "highest")
  place <- stats::ave(table$predicted, if (min(table(table$split)) < 3L) {
    repetition_of(x$splits)[table$split]
  } else {
    table$split
  }, FUN = function(risk) (rank(risk) - 0.5) / length(risk))
  third <- factor(thirds[pmin(3, 1 + floor(3 * place))], thirds)
  repetitions <- length(unique(repetition_of(x$splits)))
  last <- max(table$time)
  ticks <- pretty(c(0, last), 5L)
  ticks <- ticks[ticks <= last]
  curves <- lapply(stats::setNames(nm = thirds), function(which) {
    rows <- which(third == which)
    curve <- kaplan_meier(table$time[rows], table$event[rows])
    left <- vapply(ticks, function(t) sum(table$time[rows] >= t), 0)
    list(
      steps = data.frame(
        x = rep(c(0, curve$time), each = 2L)[-1L],
        y = utils::head(rep(c(1, curve$survival), each = 2L), -1L)
      ), left = data.frame(x = ticks, n = left / repetitions)
    )
  })
  stacked <- function(part) {
    tables <- lapply(curves, `[[`, part)
    n <- vapply(tables, nrow, 0L)
    cbind(do.call(rbind, tables), group = factor(rep(thirds, n), thirds))
  }
  steps <- stacked("steps")
  left <- stacked("left")
  left$y <- -0.04 - 0.07 * as.integer(left$group)
  lines_picture(steps,
    axes = FALSE, legend = function(groups) paste(groups, "risk"),
    title = if (length(x$selectors) == 1L) {
      curve_title(x)
    } else {
      paste0(cut_names(selector), ": ", curve_title(x))
    },
    subtitle = sprintf(paste(
      "held-out samples by thirds of risk within each test part\n%g",
      "features, %s"
    ), at$drawn[[column]], at$words),
    x = "time; below: samples at risk (mean of repetitions)",
    y = "share without the event (Kaplan-Meier)",
    caption = curve_caption(x, selector)
  ) +
    ggplot2::geom_text(
      ggplot2::aes(label = integer_text(round(.data[["n"]]))),
      data = left, size = 3, show.legend = FALSE
    ) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey50") +
    ggplot2::scale_x_continuous(breaks = ticks) +
    ggplot2::scale_y_continuous(
      breaks = seq(0, 1, 0.25), limits = c(-0.28, 1)
    )
}

# ---- shared by pictures -----------------------------------------------------

curve_title <- function(x) {
  sprintf(
    "%s%s x %s features, %s",
    # A single selector needs no legend.
    if (length(x$selectors) == 1L) paste0(cut_names(x$selectors), ": ") else "",
    samples_words(x$design, thousands(x$n_samples)),
    thousands(length(x$features)), outcome_words(x)
  )
}

# `drawn`: the selectors in the picture, whose classifiers are named.
curve_caption <- function(x, drawn) {
  used <- unique(x$classifier[as.character(drawn)])
  paste0(protocol_words(x), "; classifier: ", listed(used, 3L))
}
