# Layer: show. These functions draw the results of evaluations.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @rdname hitmiss-results
#' @export
plot.hitmiss_result <- function(x, ...) {
  require_package("ggplot2", "plots")
  show_picture(ggplot2::autoplot(x, ...))
}

#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_result <- function(object, ...) {
  abort_input(
    "there is no picture of an object of class {.cls {class(object)[[1L]]}};
     {.fn as.data.frame} gives its table.", "object"
  )
}

#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_comparison <- function(object, ...) {
  check_no_dots(...)
  check_result(object, "object")
  dots_picture(
    data.frame(
      name = paste(cut_names(object$first), "-", cut_names(object$second)),
      value = object$difference, low = object$lower, high = object$upper
    ),
    at = 0, title = "differences between the selectors",
    subtitle = "with 95 % intervals",
    x = paste(object$metric, "of the first minus the second"), names = identity
  )
}

#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_interactions <- function(object, n = 15, ...) {
  check_no_dots(...)
  check_result(object, "object")
  n <- min(check_top(n), nrow(object))
  table <- object[seq_len(n), ]
  kinds <- c("pair", "redundant pair")
  chance <- if (object$times > 0L) {
    unname(stats::quantile(object$largest_by_chance, 0.95))
  }
  dots_picture(
    data.frame(
      name = paste(
        cut_names(table$feature1), cut_names(table$feature2), sep = " : "
      ),
      value = table$interaction - table$expected, from = 0,
      kind = droplevels(factor(kinds[1L + table$redundant], kinds))
    ),
    at = chance * c(-1, 1), title = "pairs of features that act together",
    subtitle = paste0(
      sprintf("the first %d of %s pairs", n, thousands(nrow(object))),
      if (!is.null(chance)) {
        "; dashed: 5 % of the permutations have a pair beyond"
      }
    ),
    x = "correlation of differences: hits - misses - expected", names = identity
  )
}

#' @rdname probe_fdr
#' @param object The result of `probe_fdr()`.
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_fdr <- function(object, type = c("list", "volcano"), n = 10,
                                 label = NULL, ...) {
  check_no_dots(...)
  check_result(object, "object")
  if (nrow(object) == 0L) {
    abort_input(
      "the selector chose no feature: there is nothing to draw.", "object"
    )
  }
  if (check_choice(type) == "volcano") {
    return(volcano_picture(object, check_top(n), label))
  }
  lines_picture(
    data.frame(
      x = object$rank, y = object$q, low = object$q, high = object$upper
    ),
    title = "false discoveries among the best features",
    subtitle = sprintf(
      "%s features at q = 0.1; band: up to the %g %% quantile over runs",
      thousands(object$n_at[["0.1"]]), 100 * object$level
    ),
    x = "features in the list", y = "q: estimated share of false features",
    caption = fdr_size(object)
  ) +
    ggplot2::geom_hline(
      yintercept = c(0.1, 0.2), linetype = "dotted", colour = "grey35"
    )
}

# Of two classes, the features that are higher in the first lie to the right.
volcano_picture <- function(x, n, label) {
  table <- plain_table(x)
  found <- table$q <= 0.05
  table$label <- cut_names(feature_labels(table$feature, label, table), 16L)
  table$label[table$rank > n] <- ""
  table$colour <- ifelse(found, okabe_ito[[1L]], "grey65")
  table <- table[!is.na(table$effect), ]
  if (nrow(table) == 0L) {
    abort_input("no feature has an effect: there is none to draw.", "object")
  }
  classes <- sort(unique(table$class))
  two <- length(classes) == 2L && all(table$effect >= 0)
  if (two) table$effect <- table$effect * (3 - 2 * match(table$class, classes))
  ggplot2::ggplot(
    table, ggplot2::aes(.data[["effect"]], -log10(.data[["q"]]))
  ) +
    picture_frame(
      title = sprintf(
        "%s of the best %s features have q at most .05",
        thousands(sum(found)), thousands(nrow(x))
      ),
      subtitle = if (nrow(table) < nrow(x)) {
        paste(
          nrow(x) - nrow(table), "categories or constant features are not drawn"
        )
      },
      x = if (is.null(table$class)) {
        "log hazard ratio per standard deviation"
      } else {
        paste(c("effect, in standard deviations", if (two) {
          sprintf(c("right: higher in %s", "left: in %s"), cut_names(classes))
        }), collapse = "; ")
      },
      y = "-log10 of q (dotted: .05)", caption = fdr_size(x)
    ) +
    ggplot2::geom_hline(
      yintercept = -log10(0.05), linetype = "dotted", colour = "grey35"
    ) +
    ggplot2::geom_point(colour = table$colour) +
    # Upright names have room where many features share the least q.
    ggplot2::geom_text(
      ggplot2::aes(label = .data[["label"]]),
      size = 3, angle = 90, hjust = -0.15, check_overlap = TRUE
    ) +
    ggplot2::scale_y_continuous(
      expand = ggplot2::expansion(c(0.05, 0.04 * max(nchar(table$label))))
    )
}

#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_power <- function(object, ...) {
  check_no_dots(...)
  check_result(object, "object")
  table <- data.frame(
    x = object$effect, y = object$found,
    group = factor(object$selector, unique(object$selector)),
    low = pmax(0, object$found - 2 * object$se),
    high = pmin(1, object$found + 2 * object$se)
  )
  patterns <- unique(object$pattern)
  if (length(patterns) > 1L) table$panel <- factor(object$pattern, patterns)
  lines_picture(table,
    points = TRUE, title = "planted features that are found",
    subtitle = sprintf(
      "%d of %s features, %d draws%s", object$planted,
      thousands(object$n_features), object$times,
      if (nrow(ribboned(table)) > 0L) "; ribbon: 2 standard errors" else ""
    ),
    x = "effect, in standard deviations",
    y = sprintf("share among the best %d", object$planted),
    caption = paste("permuted labels,", object$samples)
  ) +
    ggplot2::expand_limits(y = c(0, 1)) +
    ggplot2::geom_hline(
      yintercept = object$chance, linetype = "dotted", colour = "grey35"
    )
}

#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_markers <- function(object, n = 5, label = NULL, ...) {
  check_no_dots(...)
  check_result(object, "object")
  if (nrow(object) == 0L) {
    abort_input("no class has a marker: there is none to draw.", "object")
  }
  shown <- unique(object$feature[object$rank <= check_count(n)])
  mean <- object$mean[shown, , drop = FALSE]
  low <- apply(mean, 1L, min)
  unit <- apply(mean, 1L, max) - low
  grid_picture(
    data.frame(
      name = rep(feature_labels(shown, label), ncol(mean)),
      class = factor(rep(colnames(mean), each = length(shown)), colnames(mean)),
      value = as.vector((mean - low) / ifelse(unit > 0, unit, 1)),
      size = as.vector(object$share[shown, ])
    ),
    title = sprintf("markers of %d classes", ncol(mean)),
    subtitle = sprintf("the first %d of each class", min(n, object$n)),
    fill = "mean, 0: lowest, 1: highest class  "
  )
}

#' @param type `"stability"` or `"frequency"`, see [stability()].
#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_stability <- function(object,
                                       type = c("stability", "frequency"),
                                       n = 30, selector = NULL, size = NULL,
                                       label = NULL, ...) {
  check_no_dots(...)
  check_result(object, "object")
  type <- check_choice(type)
  if (type == "frequency") {
    row <- stability_row(object, selector, size)
    if (all(object$frequency[, row] == 0)) {
      abort_input("all sets are empty: there is no feature to draw.", "object")
    }
    return(frequency_picture(object, row, check_top(n), label))
  }
  if (all(is.na(object$nogueira))) {
    abort_input("all indices are NA: there is none to draw.", "object")
  }
  index_picture(object)
}

index_picture <- function(x) {
  about <- x$about
  x <- x[!is.na(x$nogueira), ]
  table <- data.frame(
    x = ifelse(is.na(x$size), x$mean_k, x$size), y = x$nogueira,
    group = factor(x$selector, unique(x$selector)),
    low = x$lower, high = x$upper, baseline = x$baseline
  )
  lines_picture(table,
    points = TRUE, sizes = unique(table$x),
    title = "stability of the selection",
    subtitle = paste0(
      "0: as random sets, 1: always the same",
      if (nrow(ribboned(table)) > 0L) {
        "; ribbon: interval for two studies of half the size"
      },
      if (any(!is.na(table$baseline))) "; dashed: permuted labels"
    ),
    x = "number of features (log scale)", y = "Nogueira's index",
    caption = about
  ) +
    ggplot2::expand_limits(y = c(0, 1)) +
    ggplot2::geom_path(
      ggplot2::aes(y = .data[["baseline"]]),
      linetype = "22", na.rm = TRUE
    )
}

frequency_picture <- function(x, row, n, label) {
  frequency <- x$frequency[, row]
  best <- utils::head(order(-frequency), min(n, sum(frequency > 0)))
  dots_picture(
    data.frame(
      name = feature_labels(names(frequency)[best], label),
      value = unname(frequency[best]), from = 0
    ),
    limits = c(0, 1), title = sprintf(
      "how often features are selected: %s", colnames(x$frequency)[[row]]
    ),
    subtitle = sprintf(
      "the %d most frequent of %s ever selected", length(best),
      thousands(sum(frequency > 0))
    ),
    x = "share of the sets", caption = x$about
  )
}

#' @rdname validate
#' @param object The result of `validate()`.
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_validation <- function(object, ...) {
  check_no_dots(...)
  check_result(object, "object")
  if (is.null(object$calibration)) {
    abort_input(
      "there is a picture of a validation of survival times only.", "object"
    )
  }
  table <- object$calibration
  table <- table[!is.na(table$predicted) & !is.na(table$observed), ]
  if (nrow(table) == 0L) {
    abort_input("no survival curves were predicted.", "object")
  }
  most <- max(table$predicted, table$upper)
  ggplot2::ggplot(table, ggplot2::aes(.data[["predicted"]])) +
    picture_frame(
      title = sprintf(
        "events by %s: predicted and observed",
        format(object$horizon, digits = 4L)
      ),
      subtitle = sprintf(
        "fourths of risk, with %g %% intervals (Greenwood)", 100 * object$level
      ),
      x = "predicted share with the event",
      y = "observed share (Kaplan-Meier)"
    ) +
    ggplot2::geom_abline(linetype = "dotted", colour = "grey35") +
    ggplot2::geom_segment(ggplot2::aes(
      xend = .data[["predicted"]], y = .data[["lower"]], yend = .data[["upper"]]
    ), colour = "grey20") +
    ggplot2::geom_point(
      ggplot2::aes(y = .data[["observed"]]),
      size = 2.8, colour = okabe_ito[[1L]]
    ) +
    ggplot2::coord_equal(xlim = c(0, most), ylim = c(0, most))
}
