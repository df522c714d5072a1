# Plots of a fit of llfs(): its features by class, by sample, its spheres.

#' @exportS3Method
plot_types.hitmiss_llfs <- function(x) {
  c(
    list(
      frequency = plot_frequency, map = plot_map, distances = plot_distances
    ),
    NextMethod()
  )
}

plot_frequency <- function(x, n, ...) {
  check_no_dots(...)
  table <- used_features(x, n)
  rows <- x$ranking[table$rank]
  long <- data.frame(
    rank = rep(table$rank, length(x$classes)),
    feature = rep(table$feature, length(x$classes)),
    class = by_class(x, rep(x$classes, each = nrow(table))),
    share = as.vector(class_shares(x, rows))
  )
  ggplot2::ggplot(long, feature_aes(long, "share")) +
    ggplot2::geom_col(ggplot2::aes(fill = .data[["class"]]), width = 0.75) +
    ggplot2::facet_grid(
      cols = ggplot2::vars(.data[["class"]]), labeller = class_labeller(x)
    ) +
    ggplot2::scale_fill_manual(values = class_colours(x$classes), guide = "none") +
    ggplot2::scale_x_continuous(
      labels = function(share) format(100 * share),
      breaks = c(0, 0.5, 1), limits = c(0, 1),
      expand = ggplot2::expansion(mult = c(0, 0.04))
    ) +
    feature_scale(long) +
    ggplot2::labs(
      title = picture_title(x, "how many representatives use a feature"),
      subtitle = counted(nrow(table), x$n_features, length(x$selected)),
      x = "percent of the class's representatives that use the feature", y = NULL
    ) +
    hitmiss_theme() +
    ggplot2::theme(panel.spacing.x = ggplot2::unit(22, "pt"))
}

plot_map <- function(x, n, ...) {
  check_no_dots(...)
  table <- used_features(x, n)
  used <- as.matrix(x$local$subsets[x$ranking[table$rank], , drop = FALSE])
  long <- data.frame(
    rank = rep(table$rank, x$n_samples),
    feature = rep(table$feature, x$n_samples),
    representative = rep(seq_len(x$n_samples), each = nrow(table)),
    class = by_class(x, rep(x$local$class, each = nrow(table))),
    used = as.vector(used)
  )
  ggplot2::ggplot(long[long$used, ], ggplot2::aes(
    factor(.data[["representative"]]),
    factor(.data[["rank"]], rev(table$rank))
  )) +
    ggplot2::geom_tile(data = long, fill = "grey95", colour = "white") +
    ggplot2::geom_tile(ggplot2::aes(fill = .data[["class"]]), colour = "white") +
    ggplot2::facet_grid(
      cols = ggplot2::vars(.data[["class"]]), scales = "free_x", space = "free_x",
      labeller = class_labeller(x)
    ) +
    ggplot2::scale_fill_manual(values = class_colours(x$classes), guide = "none") +
    feature_scale(table) +
    representative_scale(x) +
    ggplot2::labs(
      title = picture_title(x, "features of each representative"),
      subtitle = counted(nrow(table), x$n_features, length(x$selected)),
      x = "representatives (training samples), by class", y = NULL
    ) +
    hitmiss_theme() +
    ggplot2::theme(
      panel.grid = ggplot2::element_blank(),
      axis.text.x = ggplot2::element_text(
        angle = 90, hjust = 1, vjust = 0.5, size = 9
      )
    )
}

plot_distances <- function(x, n, representative = 1, ...) {
  check_no_dots(...)
  centre <- check_representative(x, representative)
  radius <- x$local$radius[[centre]]
  table <- sphere_distances(x, centre)
  ggplot2::ggplot(table, ggplot2::aes(.data[["distance"]])) +
    ggplot2::geom_histogram(
      ggplot2::aes(fill = .data[["group"]]),
      bins = 30, boundary = 0, colour = "white"
    ) +
    ggplot2::geom_vline(xintercept = radius, linetype = "dashed") +
    ggplot2::expand_limits(x = 0) +
    ggplot2::facet_grid(rows = ggplot2::vars(.data[["group"]])) +
    ggplot2::scale_fill_manual(values = okabe_ito[c(1L, 4L)], guide = "none") +
    ggplot2::scale_y_continuous(breaks = whole_breaks) +
    ggplot2::labs(
      title = picture_title(x, paste0(
        "distances from representative ", representative_name(x, centre),
        " (", x$local$class[[centre]], ")"
      )),
      subtitle = sprintf(
        "in its own %d features; dashed: radius %s of its sphere",
        sum(x$local$subsets[, centre]), format(radius, digits = 3L)
      ),
      x = "distance (scaled features)", y = "training samples"
    ) +
    hitmiss_theme()
}

# ---- what is drawn ----------------------------------------------------------

# The table of the best n features, those that a representative uses.
used_features <- function(x, n) {
  feature_table(x, min(n, length(x$selected)))
}

by_class <- function(x, class) factor(class, x$classes)

#' Distances of the other training samples from one, in its own features
#' @noRd
sphere_distances <- function(x, centre) {
  own <- x$local$subsets[x$scores > 0, centre]
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
  if (is.character(representative) && length(representative) == 1L) {
    at <- match(representative, x$local$samples)
    if (is.na(at)) {
      abort_input(
        "{.arg representative} names no training sample: {.val {representative}}.",
        "representative"
      )
    }
    return(at)
  }
  check_count(representative, "representative", max = x$n_samples)
}

representative_name <- function(x, i) {
  if (is.null(x$local$samples)) as.character(i) else x$local$samples[[i]]
}

# Names under the columns while there is room for them.
representative_scale <- function(x) {
  name <- vapply(seq_len(x$n_samples), representative_name, "", x = x)
  names(name) <- seq_len(x$n_samples)
  ggplot2::scale_x_discrete(
    labels = if (x$n_samples <= 80L) name,
    expand = ggplot2::expansion(add = 0.6)
  )
}

class_labeller <- function(x) {
  size <- table(x$local$class)[x$classes]
  label <- sprintf("%s (%d)", x$classes, as.integer(size))
  names(label) <- x$classes
  ggplot2::as_labeller(label)
}

whole_breaks <- function(limits) {
  breaks <- pretty(limits)
  breaks[breaks == floor(breaks)]
}
