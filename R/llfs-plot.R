# Layer: show. Plots of a fit of llfs(): its features by class, by sample, its
# spheres.
# SPDX-License-Identifier: GPL-3.0-or-later

plot_frequency <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  best <- drawn_features(x, n, label, most = length(x$selected))
  share <- class_shares(x, x$ranking[best$rank])
  table <- data.frame(
    name = factor(best$name, best$name), from = 0, value = as.vector(share),
    panel = factor(rep(x$classes, each = nrow(best)), x$classes)
  )
  higher <- class_contrasts(x, x$ranking[best$rank]) > 0
  ways <- c("higher in the class", "lower in the class")
  table$kind <- factor(ways[2L - higher], ways)
  dots_picture(table[table$value > 0, ],
    title = picture_title(x, "how many representatives use a feature"),
    subtitle = counted(best, x), limits = c(0, 1),
    x = "share of the class's representatives that use the feature"
  )
}

plot_map <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  best <- drawn_features(x, n, label, most = length(x$selected))
  class <- factor(representative_class(x), x$classes)
  by_class <- order(class)
  used <- subset_matrix(x)[x$ranking[best$rank], by_class, drop = FALSE]
  at <- which(as.matrix(used) > 0, arr.ind = TRUE)
  at <- at[order(at[, 1L], at[, 2L]), , drop = FALSE]
  tiles_picture(
    data.frame(
      column = at[, 2L], name = best$name[at[, 1L]], value = factor("used")
    ),
    title = picture_title(x, "features of each representative"),
    subtitle = counted(best, x), class = class[by_class],
    x = "representatives (training samples), by class"
  )
}

plot_distances <- function(x, n,
                           representative = representatives(x)[[1L]], ...) {
  check_no_dots(...)
  centre <- check_representative(x, representative)
  sphere <- match(centre, representatives(x))
  radius <- x$local$radius[[sphere]]
  table <- sphere_distances(x, centre)
  table <- do.call(rbind, lapply(split(table, table$group), function(group) {
    group <- group[order(group$distance), ]
    data.frame(
      x = c(0, group$distance), group = group$group[[1L]],
      y = 100 * c(0, seq_len(nrow(group))) / nrow(group)
    )
  }))
  lines_picture(table,
    title = picture_title(x, sprintf(
      "distances from representative %s (%s)",
      cut_names(training_names(x)[[centre]]),
      cut_names(x$local$class[[centre]])
    )),
    subtitle = sprintf(
      "in its own %d features; dashed: radius %s of its sphere",
      subset_sizes(x)[[sphere]], format(radius, digits = 3L)
    ),
    x = "distance (scaled features)",
    y = "percent of the training samples within it", points = TRUE
  ) +
    ggplot2::geom_vline(xintercept = radius, linetype = "dashed")
}

# ---- what is drawn ----------------------------------------------------------

#' Distances of the other training samples from a representative, in its
#' features
#' @noRd
sphere_distances <- function(x, centre) {
  own <- names(x$scores)[subset_of(x, match(centre, representatives(x)))]
  from <- t(x$local$training[, own, drop = FALSE])
  distance <- sqrt(colSums((from - from[, centre])^2))
  same <- x$local$class == x$local$class[[centre]]
  groups <- c("same class", "other classes")
  data.frame(
    sample = seq_along(distance), distance = unname(distance),
    group = factor(groups[2L - same], groups)
  )[-centre, ]
}

check_representative <- function(x, representative) {
  known <- representatives(x)
  at <- if (is.character(representative)) {
    match(representative, x$local$samples)
  } else {
    representative
  }
  if (length(at) != 1L || !at %in% known) {
    abort_input(
      "{.arg representative} is not one of the {length(known)} representatives
       by number or name, but {describe(representative)}; they are the samples
       {listed(known)}.", "representative"
    )
  }
  at
}
