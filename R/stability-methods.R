# What one can do with a stability result.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Features that are selected in many training parts
#'
#' @details
#' With [holdout()] of one half for training, and sets that all have the same
#' size \eqn{q} (as from a ranking), the names carry an attribute `bound`: at
#' most \eqn{q^2 / ((2 \pi - 1) J)} of them are expected to be false, for a
#' share \eqn{\pi} above 1/2 and \eqn{J} features (Meinshausen, Buehlmann 2010,
#' Theorem 1; it assumes that irrelevant features are exchangeable and that the
#' selector is no worse than chance). The bound is valid and very conservative;
#' [probe_fdr()] finds more.
#'
#' @param x The result of [stability()].
#' @param share The least share of the sets that a feature must be in.
#' @param selector,size Which row of the table, if there are several.
#' @param ... Must be empty.
#' @return Names of features, most often selected first.
#' @examples
#' sets <- list(c("a", "b"), c("a", "c"), c("a", "b"))
#' stab <- stability(sets, n_features = 6)
#' selected(stab, share = 0.6)
#' @export
selected.hitmiss_stability <- function(x, share = 0.8, selector = NULL,
                                       size = NULL, ...) {
  check_no_dots(...)
  check_whole(x)
  share <- check_number(share, above = 0, max = 1)
  row <- stability_row(x, selector, size)
  frequency <- x$frequency[, row]
  keep <- which(frequency >= share - 1e-12)
  names <- names(frequency)[keep[order(-frequency[keep], keep)]]
  half <- identical(x$resampling$method, "holdout") &&
    identical(as.double(x$resampling$train), 0.5)
  if (half && share > 0.5 && isTRUE(x$exact[[row]])) {
    attr(names, "bound") <-
      x$table$size[[row]]^2 / ((2 * share - 1) * x$n_features)
  }
  names
}

# The one row that is meant.
stability_row <- function(x, selector, size) {
  rows <- seq_len(nrow(x$table))
  if (!is.null(selector)) {
    selector <- check_choice(selector, unique(x$table$selector))
    rows <- rows[x$table$selector[rows] == selector]
  }
  if (!is.null(size)) {
    size <- check_number(size)
    if (!size %in% x$table$size[rows]) {
      abort_input(
        "{.arg size} must be one of {.val {unique(x$table$size[rows])}}, not
         {describe(size)}.", "size"
      )
    }
    rows <- rows[x$table$size[rows] == size]
  }
  if (length(rows) > 1L) {
    ask <- if (length(unique(x$table$selector[rows])) > 1L) {
      "selector"
    } else {
      "size"
    }
    abort_input(
      "{.arg {ask}} must be given; it can be
       {.or {.val {unique(x$table[[ask]][rows])}}}.", ask
    )
  }
  rows
}

#' @param row.names,optional Ignored.
#' @rdname stability
#' @export
as.data.frame.hitmiss_stability <- function(x, row.names = NULL,
                                            optional = FALSE, ...) {
  check_no_dots(...)
  check_whole(x)
  x$table
}

#' @rdname stability
#' @export
tidy.hitmiss_stability <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  x$table
}

#' @rdname stability
#' @export
glance.hitmiss_stability <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  known <- x$table$nogueira
  data.frame(
    rows = nrow(x$table), n_sets = min(x$n_sets), n_features = x$n_features,
    nogueira_min = if (all(is.na(known))) {
      NA_real_
    } else {
      min(known, na.rm = TRUE)
    },
    nogueira_max = if (all(is.na(known))) {
      NA_real_
    } else {
      max(known, na.rm = TRUE)
    },
    interval = x$interval, level = x$level
  )
}

#' @rdname stability
#' @export
print.hitmiss_stability <- function(x, ...) {
  check_no_dots(...)
  check_whole(x)
  sets <- range(x$n_sets)
  cat(to_width(sprintf(
    "Stability of %s sets among %d features%s",
    paste(unique(sets), collapse = " to "), x$n_features,
    resampled_words(x, ": ")
  )), sep = "\n")
  shown <- x$table[seq_len(min(nrow(x$table), 9L)), ]
  shown <- shown(shown[c(
    "selector", "size", "mean_k", "empty", "nogueira", "lower", "upper",
    "baseline", "kuncheva", "jaccard"
  )])
  if (all(is.na(shown$size))) shown$size <- NULL
  shown[vapply(shown, is.double, NA)] <- lapply(
    shown[vapply(shown, is.double, NA)], round, 3L
  )
  print(shown, row.names = FALSE)
  undefined <- sum(is.na(x$table$nogueira))
  if (undefined > 0L) {
    cat(undefined_words(x, undefined), "\n", sep = "")
  }
  if (nrow(x$table) > nrow(shown)) {
    cat("... and", nrow(x$table) - nrow(shown), "more rows: as.data.frame()\n")
  }
  cat(sprintf(
    "lower, upper: %g %% interval over resamples of this data set (%s).\n",
    100 * x$level, x$interval
  ))
  cat(if (all(is.na(x$table$baseline))) {
    "No baseline: give x, y and selectors to compare with permuted labels.\n"
  } else {
    "baseline: the same with permuted labels; compare with it, not with 0.\n"
  })
  invisible(x)
}

# Why an index is NA: too few sets, or sets that leave nothing to agree on.
undefined_words <- function(x, n_rows) {
  paste0(
    "NA in ", n_rows, " row", if (n_rows > 1L) "s", ": ",
    if (all(x$n_sets < 2L)) {
      "at least two sets are needed for a comparison."
    } else {
      "all sets empty, all sets of all features, or fewer than two sets."
    }
  )
}

#' @param type `"stability"`: the index against the number of features, with
#'   interval and baseline; `"frequency"`: the features selected most often.
#' @param object As `x`.
#' @param n Number of features of `"frequency"`.
#' @param selector,size Which row of the table `"frequency"` shows, if there are
#'   several.
#' @param label Texts named by feature, to show instead of the names of the
#'   features in `"frequency"`.
#' @rdname stability
#' @export
plot.hitmiss_stability <- function(x,
                                   type = c("stability", "frequency"), n = 30,
                                   selector = NULL, size = NULL, label = NULL,
                                   ...) {
  check_no_dots(...)
  show_picture(function() stability_picture(x, type, n, selector, size, label))
}

#' @rdname stability
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_stability <- function(object,
                                       type = c("stability", "frequency"),
                                       n = 30, selector = NULL, size = NULL,
                                       label = NULL, ...) {
  check_no_dots(...)
  stability_picture(object, type, n, selector, size, label)
}

stability_picture <- function(x, type, n, selector, size, label) {
  require_package("ggplot2", "plots")
  check_whole(x)
  type <- check_choice(type, c("stability", "frequency"), "type")
  if (type == "stability" && all(is.na(x$table$nogueira))) {
    abort_input(
      c(
        "there is no index to draw.",
        i = undefined_words(x, nrow(x$table))
      ),
      "x"
    )
  }
  if (type == "frequency") {
    row <- stability_row(x, selector, size)
    if (all(x$frequency[, row] == 0)) {
      abort_input("all sets are empty: there is no feature to draw.", "x")
    }
    frequency_picture(x, row, check_count(n), label)
  } else {
    index_picture(x)
  }
}

resampled_words <- function(x, before) {
  if (is.null(x$resampling)) {
    return("")
  }
  paste0(before, resampling_words(x$resampling, !is.null(x$n_groups)))
}

stability_caption <- function(x) {
  sprintf(
    "%s sets among %d features%s\n%g %% interval over resamples (%s)",
    paste(unique(range(x$n_sets)), collapse = " to "), x$n_features,
    resampled_words(x, ", "),
    100 * x$level, x$interval
  )
}

index_picture <- function(x) {
  table <- x$table[!is.na(x$table$nogueira), ]
  table$at <- ifelse(is.na(table$size), table$mean_k, table$size)
  table$selector <- factor(table$selector, unique(table$selector))
  selectors <- levels(table$selector)
  colours <- class_colours(selectors)
  room <- plot_room()
  ggplot2::ggplot(table, ggplot2::aes(
    .data[["at"]], .data[["nogueira"]],
    colour = .data[["selector"]]
  )) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey60") +
    ggplot2::geom_ribbon(
      ggplot2::aes(
        ymin = .data[["lower"]], ymax = .data[["upper"]],
        fill = .data[["selector"]]
      ),
      alpha = 0.15, colour = NA, na.rm = TRUE
    ) +
    ggplot2::geom_line(data = joined(table), linewidth = 0.9) +
    ggplot2::geom_point(
      shape = class_marks(selectors)[table$selector], fill = "white", size = 2.5
    ) +
    ggplot2::geom_line(
      ggplot2::aes(y = .data[["baseline"]]),
      data = joined(table), linetype = "22", na.rm = TRUE
    ) +
    ggplot2::scale_x_log10(breaks = size_breaks(sort(unique(table$at)))) +
    ggplot2::scale_colour_manual(
      values = colours, labels = legend_labels(plot_room(), selectors),
      name = NULL,
      guide = selector_guide(room, selectors, 21L)
    ) +
    ggplot2::scale_fill_manual(values = colours, guide = "none") +
    picture_labels(room,
      title = "stability of the selection",
      subtitle = paste0(
        "0: as random sets, 1: always the same",
        if (!all(is.na(table$baseline))) "; dashed: permuted labels"
      ),
      x = "number of features (log scale)", y = "Nogueira's index",
      caption = stability_caption(x)
    ) +
    hitmiss_theme(room)
}

frequency_picture <- function(x, row, n, label) {
  room <- plot_room()
  frequency <- x$frequency[, row]
  asked <- max(1L, min(n, sum(frequency > 0)))
  rows <- name_rows(room, asked, height_around(room, caption = 3))
  best <- utils::head(order(-frequency), rows$n)
  best <- best[frequency[best] > 0]
  table <- data.frame(
    rank = seq_along(best), feature = names(frequency)[best],
    share = unname(frequency[best])
  )
  rows <- named_rows(
    room, rows, asked, table, feature_labels(table$feature, label)
  )
  table <- rows$table
  ggplot2::ggplot(table, feature_aes(table, "share")) +
    ggplot2::geom_col(fill = okabe_ito[[1L]], width = 0.7) +
    feature_scale(table) +
    ggplot2::scale_x_continuous(limits = c(0, 1)) +
    picture_labels(room,
      title = sprintf(
        "how often features are selected: %s",
        selector_labels(colnames(x$frequency)[[row]])
      ),
      subtitle = sprintf(
        "the %s most frequent of %s ever selected%s", big(nrow(table)),
        big(sum(frequency > 0)), room_note(rows)
      ),
      x = "share of the sets", caption = stability_caption(x), left = rows$left
    ) +
    hitmiss_theme(room, rows$size)
}
