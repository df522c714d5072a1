# Pictures of what a curve's selectors chose in the splits.
# SPDX-License-Identifier: GPL-3.0-or-later

#' The features chosen at one size, split by split
#'
#' @return List of positions, best first; NULL where the fit failed.
#' @noRd
curve_sets <- function(x, selector, size) {
  at <- match(size, x$sizes)
  lapply(x$selections[[selector]], function(lists) {
    if (is.list(lists)) lists[[at]] else utils::head(lists, size)
  })
}

check_curve_size <- function(x, size, selector = x$selectors[[1L]]) {
  if (is.null(size)) {
    # That of another selector, where this one failed in every split.
    found <- best_size(x)
    found <- found[order(found$selector != selector), ]
    return(found$size[!is.na(found$size)][[1L]])
  }
  check_one_size(x, size)
}

check_one_size <- function(x, size) {
  if (!is_plain_number(size) || !size %in% x$sizes) {
    abort_input(
      "{.arg size} must be one of the curve's sizes, {.val {x$sizes}}.", "size"
    )
  }
  size
}

check_curve_selector <- function(x, selector) {
  check_choice(selector %||% x$selectors[[1L]], x$selectors, "selector")
}

# Which features the splits agree on: a tile for each split that chose one.
plot_curve_selection <- function(x, selector = NULL, size = NULL, n = 30,
                                 label = NULL, ...) {
  check_no_dots(...)
  selector <- check_curve_selector(x, selector)
  size <- check_curve_size(x, size, selector)
  n_splits <- length(x$splits)
  room <- plot_room()
  asked <- min(check_count(n, "n"), ever_chosen(x, selector, size))
  rows <- name_rows(room, asked, height_around(room, caption = 2, legend = 2))
  long <- selection_tiles(x, selector, size, rows$n)
  share <- sprintf("%.0f %%", 100 * long$times / n_splits)
  most <- 0.36 * room$width / rows$size - max(text_em(share)) - 0.7
  text <- shorten(feature_labels(x$features[long$best], label), most)
  rows <- named_rows(
    room, rows, asked, data.frame(rank = seq_len(rows$n)), text
  )
  rows$table$label <- paste0(text, "  ", share)
  rows$left <- rows$size * max(text_em(rows$table$label)) + 8
  ggplot2::ggplot(
    long$tiles, ggplot2::aes(.data[["split"]], .data[["row"]])
  ) +
    ggplot2::geom_tile(
      ggplot2::aes(fill = .data[["rank"]]),
      colour = "white", linewidth = 0.4
    ) +
    ggplot2::scale_fill_gradient(
      low = "#003D60", high = "#B5D9EE", name = "rank in the split",
      breaks = function(limits) unique(round(pretty(limits, 4))),
      guide = bar_guide(room, rows$left)
    ) +
    feature_scale(rows$table) +
    ggplot2::scale_x_continuous(
      breaks = whole_breaks, limits = c(0.5, n_splits + 0.5),
      expand = ggplot2::expansion(0)
    ) +
    picture_labels(room,
      title = sprintf(
        "%s: features chosen in %d splits", selector_labels(selector), n_splits
      ),
      subtitle = sprintf(
        paste(
          "size %s; the %d chosen most often of %s ever chosen%s,",
          "with their share of splits"
        ),
        format(size), length(text), big(long$ever), room_note(rows)
      ),
      x = "split", caption = curve_caption(x), left = rows$left
    ) +
    hitmiss_theme(room, rows$size) +
    ggplot2::theme(
      panel.grid.major = ggplot2::element_blank(),
      panel.grid.major.y = ggplot2::element_blank()
    )
}

ever_chosen <- function(x, selector, size) {
  max(1L, length(unique(unlist(curve_sets(x, selector, size)))))
}

#' @return list(tiles: data.frame of feature, split, rank, row; best: positions
#'   of the features, most often chosen first; times; ever: the number of
#'   features that were chosen in any split).
#' @noRd
selection_tiles <- function(x, selector, size, n) {
  sets <- curve_sets(x, selector, size)
  tiles <- data.frame(
    feature = unlist(sets), split = rep(seq_along(sets), lengths(sets)),
    rank = unlist(lapply(sets, seq_along))
  )
  if (nrow(tiles) == 0L) {
    abort_input(
      "{.val {selector}} selected no feature in any split.", "selector"
    )
  }
  times <- table(tiles$feature)
  # Most often first, then by rank in the splits that chose it.
  times <- times[order(-times, tapply(tiles$rank, tiles$feature, mean))]
  best <- utils::head(as.integer(names(times)), n)
  tiles <- tiles[tiles$feature %in% best, ]
  tiles$row <- factor(match(tiles$feature, best), rev(seq_along(best)))
  list(
    tiles = tiles, best = best, times = as.vector(times)[seq_along(best)],
    ever = length(times)
  )
}

# How alike the selectors' lists are, in the same split; on the diagonal each
# with itself in different splits.
plot_curve_overlap <- function(x, size = NULL, ...) {
  check_no_dots(...)
  size <- check_curve_size(x, size)
  room <- plot_room()
  text <- 0.8 * room$text
  k <- length(x$selectors)
  names <- shorten(x$selectors, 0.2 * room$width / text)
  left <- text * max(text_em(names)) + room$text
  cell <- (room$width - left - 2 * room$text) / 2 / k
  flat <- max(text_em(names)) * text < cell
  # In its own cell a number has 2.5 em.
  number <- min(14, cell / 2.5, (room$height - height_around(room)) / k / 1.5)
  long <- overlap_table(x, size)
  words <- stats::setNames(names, x$selectors)
  ggplot2::ggplot(long, ggplot2::aes(.data[["second"]], .data[["first"]])) +
    ggplot2::geom_tile(
      ggplot2::aes(fill = .data[["value"]]),
      colour = "white", linewidth = 1
    ) +
    (if (number >= 5) {
      ggplot2::geom_text(
        ggplot2::aes(
          label = ifelse(
            is.na(.data[["value"]]), "-", sprintf("%.2f", .data[["value"]])
          ),
          colour = !is.na(.data[["value"]]) & .data[["value"]] > 0.55
        ),
        size = number / ggplot2::.pt
      )
    }) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data[["what"]]),
      labeller = ggplot2::as_labeller(
        strip_labels(levels(long$what), cell * k, text)
      )
    ) +
    ggplot2::scale_x_discrete(labels = words) +
    ggplot2::scale_y_discrete(labels = words) +
    ggplot2::scale_fill_gradient2(
      low = okabe_ito[[4L]], mid = "grey97", high = okabe_ito[[1L]],
      midpoint = 0, limits = c(-1, 1),
      guide = if (number >= 5) "none" else bar_guide(room, left)
    ) +
    ggplot2::scale_colour_manual(
      values = c("FALSE" = "black", "TRUE" = "white"), guide = "none"
    ) +
    picture_labels(room,
      title = sprintf(
        "Do the selectors agree? Lists of %s features", format(size)
      ),
      subtitle = sprintf(
        paste0(
          "off the diagonal: two selectors on one split; on it: one selector ",
          "on two splits\nrank correlation: over the features that both rank ",
          "among their first %s"
        ),
        format(max(x$sizes))
      ), caption = curve_caption(x), left = left
    ) +
    hitmiss_theme(room) +
    ggplot2::theme(
      panel.grid.major.x = ggplot2::element_blank(),
      panel.grid.major.y = ggplot2::element_blank(),
      axis.text.x = if (!flat) {
        ggplot2::element_text(angle = 90, hjust = 1, vjust = 0.5)
      }
    )
}

#' Mean Jaccard overlap and rank correlation of pairs of lists
#' @noRd
overlap_table <- function(x, size) {
  lists <- function(size) {
    lapply(stats::setNames(nm = x$selectors), curve_sets, x = x, size = size)
  }
  sets <- lists(size)
  long <- lists(max(x$sizes))
  pairs <- expand.grid(
    first = x$selectors, second = x$selectors, stringsAsFactors = FALSE
  )
  measured <- vapply(seq_len(nrow(pairs)), function(p) {
    first <- pairs$first[[p]]
    second <- pairs$second[[p]]
    at <- compared_splits(length(x$splits), first == second)
    both <- function(lists, measure) {
      values <- Map(measure, lists[[first]][at$from], lists[[second]][at$to])
      mean(unlist(values), na.rm = TRUE)
    }
    c(both(sets, list_overlap), both(long, list_correlation))
  }, numeric(2L))
  words <- c("shared features (Jaccard)", "rank correlation (Spearman)")
  data.frame(
    first = factor(pairs$first, rev(x$selectors)),
    second = factor(pairs$second, x$selectors),
    what = factor(rep(words, each = nrow(pairs)), words),
    value = c(measured[1L, ], measured[2L, ])
  )
}

# The same splits, or each with the next ones, at most ten apart.
compared_splits <- function(n, apart) {
  if (!apart) {
    return(list(from = seq_len(n), to = seq_len(n)))
  }
  steps <- seq_len(min(10L, n - 1L))
  from <- unlist(lapply(steps, function(s) seq_len(n - s)))
  list(from = from, to = from + rep(steps, n - steps))
}

list_overlap <- function(a, b) jaccard(list(a, b), "omit")

# Over the features that both lists rank; too few of them say nothing.
list_correlation <- function(a, b) {
  shared <- intersect(a, b)
  if (length(shared) < 5L) {
    return(NA_real_)
  }
  stats::cor(rank(match(shared, a)), rank(match(shared, b)))
}
