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
  share <- check_number(share, above = 0, max = 1)
  row <- stability_row(x, selector, size)
  frequency <- x$frequency[, row]
  keep <- which(frequency >= share - 1e-12)
  names <- names(frequency)[keep[order(-frequency[keep], keep)]]
  half <- identical(x$resampling$method, "holdout") &&
    identical(as.double(x$resampling$train), 0.5)
  if (half && share > 0.5 && isTRUE(x$exact[[row]])) {
    attr(names, "bound") <-
      x$size[[row]]^2 / ((2 * share - 1) * x$n_features)
  }
  names
}

# The one row that is meant.
stability_row <- function(x, selector, size) {
  rows <- seq_len(nrow(x))
  if (!is.null(selector)) {
    rows <- which(x$selector == check_choice(selector, unique(x$selector)))
  }
  if (!is.null(size)) {
    size <- check_number(size)
    known <- unique(x$size[rows])
    if (!size %in% known) {
      abort_input(
        "{.arg size} must be one of {.val {known}}, not {describe(size)}.",
        "size"
      )
    }
    rows <- rows[x$size[rows] == size]
  }
  for (arg in if (length(rows) > 1L) c("selector", "size")) {
    open <- unique(x[rows, arg])
    if (length(open) > 1L) {
      abort_input("{.arg {arg}} must be given; it can be {.or {.val {open}}}.",
        arg
      )
    }
  }
  rows
}

#' @param type `"stability"` or `"frequency"`, see [stability()].
#' @rdname hitmiss-results
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss_stability <- function(object,
                                       type = c("stability", "frequency"),
                                       n = 30, selector = NULL, size = NULL,
                                       label = NULL, ...) {
  check_no_dots(...)
  type <- check_choice(type)
  if (type == "frequency") {
    row <- stability_row(object, selector, size)
    if (all(object$frequency[, row] == 0)) {
      abort_input("all sets are empty: there is no feature to draw.", "object")
    }
    return(frequency_picture(object, row, check_count(n), label))
  }
  if (all(is.na(object$nogueira))) {
    abort_input(c(
      "there is no index to draw.",
      i = undefined_words(object$n_sets, nrow(object))
    ), "object")
  }
  index_picture(object)
}

stability_caption <- function(x) {
  sprintf(
    "%s\n%g %% interval over resamples (%s)", x$about, 100 * x$level, x$interval
  )
}

index_picture <- function(x) {
  table <- x[!is.na(x$nogueira), ]
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
    ggplot2::scale_x_log10() +
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
