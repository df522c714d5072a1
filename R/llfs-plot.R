# Layer: show. Plots of a fit of llfs(): its features by class and by sample.
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
