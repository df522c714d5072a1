# Pictures of the samples themselves: heatmap, principal components.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Heatmap of selected features
#'
#' Samples are columns, grouped by class under a coloured bar; features are
#' rows; values are z-scored by feature. Hierarchical clustering orders the
#' features over all samples, and the samples within each class, so that similar
#' ones lie side by side.
#'
#' A heatmap of features that were selected on the same samples always looks
#' convincing, even on noise: it shows a selection but does not validate it.
#'
#' @param x,y Samples and class labels, as in [relief()].
#' @param features Names of features, or a fit, whose selected features are
#'   drawn.
#' @param n Largest number of features drawn, the first of `features`; fewer if
#'   the device is too low for their names, see [plot.hitmiss()].
#' @param label The text for each feature: the name of a column of the
#'   annotation of `x`, or a character vector of texts named by feature.
#' @param assay Of a container: name or number of the assay; `NULL`: that of the
#'   fit, else the first one.
#' @return A ggplot object.
#' @examples
#' toy <- simulate_microarray(genes = 300)
#' fit <- relief(toy$x, toy$y, threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   plot_heatmap(toy$x, toy$y, fit, n = 20)
#' }
#' @export
plot_heatmap <- function(x, y, features, n = 50, label = NULL, assay = NULL) {
  if (missing(features)) abort_missing("features")
  require_package("ggplot2", "plots")
  if (inherits(features, "hitmiss")) {
    check_whole(features, "features")
    assay <- assay_or_that_of(assay, features, x)
    features <- ranked_features(features)
  }
  problem <- as_problem(x, y, assay = assay)
  at <- drawn_features(features, problem$features, check_count(n))
  rows <- heatmap_rows(problem, at, label)
  at <- at[seq_len(rows$n)]
  everyone <- seq_along(problem$y)
  z <- scaled_parts(
    numeric_parts(problem, everyone, integer(), at), "zscore"
  )$train
  order <- clustered(t(z))
  columns <- unlist(lapply(levels(problem$y), function(class) {
    members <- which(problem$y == class)
    members[clustered(z[members, , drop = FALSE])]
  }))
  long <- data.frame(
    sample = factor(rep(columns, length(at)), columns),
    row = factor(rep(order, each = length(columns)), rev(order)),
    class = rep(problem$y[columns], length(at)),
    value = as.vector(z[columns, order])
  )
  limit <- 2.5
  long$value <- pmin(pmax(long$value, -limit), limit)
  heatmap_picture(long, problem, rows, columns, limit)
}

# The features that there is room for, and what stands for them.
heatmap_rows <- function(problem, at, label) {
  room <- plot_room()
  columns <- class_columns(
    room, problem$y, sample_labels(problem), 0.3 * room$width
  )
  # One more row for the bar of classes.
  around <- height_around(room, legend = 2, more = columns$height + 12)
  asked <- length(at)
  rows <- name_rows(room, asked, around)
  at <- at[seq_len(rows$n)]
  named_rows(room, rows, asked, data.frame(row = at), feature_labels(
    problem$features[at], label, problem$annotation[at, , drop = FALSE]
  ))
}

sample_labels <- function(problem) {
  problem$samples %||% as.character(seq_along(problem$y))
}

heatmap_picture <- function(long, problem, rows, columns, limit) {
  room <- plot_room()
  left <- rows$left
  by_class <- class_columns(
    room, problem$y[columns], sample_labels(problem)[columns], left, columns
  )
  ggplot2::ggplot(long, ggplot2::aes(.data[["sample"]], .data[["row"]])) +
    ggplot2::geom_tile(ggplot2::aes(fill = .data[["value"]])) +
    class_bar(long, rows$n) +
    ggplot2::scale_fill_gradient2(
      low = okabe_ito[[1L]], mid = "grey97", high = okabe_ito[[4L]],
      limits = c(-limit, limit), name = "z-score (clipped at 2.5)",
      guide = bar_guide(room, left)
    ) +
    feature_scale(
      data.frame(rank = seq_len(rows$n), label = rows$table$label),
      limits = c(levels(long$row), "bar"), breaks = levels(long$row),
      expand = ggplot2::expansion(0)
    ) +
    picture_labels(room,
      title = sprintf(
        "%s selected features of %s", big(rows$n), big(length(problem$features))
      ),
      subtitle = paste0(
        "samples by class; features z-scored and clustered",
        room_note(rows)
      ), left = left
    ) +
    hitmiss_theme(room, rows$size) +
    by_class$layers +
    ggplot2::theme(panel.grid.major.y = ggplot2::element_blank())
}

# One tile per sample above the features, in the class's colour.
class_bar <- function(long, n_features) {
  samples <- long[seq_len(nrow(long) / n_features), ]
  samples$row <- "bar"
  colours <- class_colours(levels(samples$class))
  lapply(levels(samples$class), function(class) {
    ggplot2::geom_tile(
      data = samples[samples$class == class, ], fill = colours[[class]],
      height = 0.8
    )
  })
}

drawn_features <- function(features, known, n) {
  if (!is.character(features) || length(features) == 0L) {
    abort_input(
      "{.arg features} must be names of features, or a fit that selected some;
       not {describe(features)}.", "features"
    )
  }
  absent <- setdiff(features, known)
  if (length(absent) > 0L) {
    abort_input(
      "{.arg x} has no feature{?s} called {.val {absent}}.", "features"
    )
  }
  match(utils::head(unique(features), n), known)
}

# The order of the rows of a matrix along a dendrogram.
clustered <- function(values) {
  if (nrow(values) < 3L) {
    return(seq_len(nrow(values)))
  }
  stats::hclust(stats::dist(values))$order
}

#' Principal components before and after selection
#'
#' Draws two panels for one split of a curve: the first two principal components
#' of all features, and of the features that the selector chose on the training
#' part. Scaling, selection and components are learned on the training samples
#' (open circles); the test samples (filled circles) are only projected. The
#' quality of the selection shows in whether the test samples fall among their
#' class; the training samples look separated even on noise.
#'
#' @param x,y The data of the curve.
#' @param curve The result of [error_curve()] on `x` and `y`.
#' @param selector Name of one of its selectors; `NULL`: the first.
#' @param size One of its sizes; `NULL`: that of [best_size()].
#' @param split Number of the split.
#' @param assay Of a container: name or number of the assay; `NULL`: that of the
#'   curve.
#' @return A ggplot object.
#' @examples
#' toy <- simulate_microarray(n = c(20, 20), genes = 300)
#' curve <- error_curve(toy$x, toy$y, list(relief = relief), c(2, 10, 50),
#'   resampling = holdout(times = 3)
#' )
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   plot_pca(toy$x, toy$y, curve, size = 10)
#' }
#' @export
plot_pca <- function(x, y, curve, selector = NULL, size = NULL, split = 1,
                     assay = NULL) {
  require_package("ggplot2", "plots")
  if (missing(curve)) abort_missing("curve")
  check_curve(curve)
  problem <- as_problem(x, y, assay = assay_or_that_of(assay, curve, x))
  if (!identical(problem$features, curve$features) ||
    length(problem$y) != curve$n_samples) {
    abort_input("{.arg curve} was made from other data than {.arg x}.", "curve")
  }
  selector <- check_curve_selector(curve, selector)
  size <- check_curve_size(curve, size, selector)
  split <- check_count(split, max = length(curve$splits))
  chosen <- curve_sets(curve, selector, size)[[split]]
  if (length(chosen) == 0L) {
    abort_input("{.val {selector}} chose no feature in split {split}.", "split")
  }
  part <- curve$splits[[split]]
  panels <- list(seq_along(problem$features), chosen)
  words <- sprintf(
    c("all %d features", "the %d that %s chose on the training part"),
    lengths(panels), selector
  )
  long <- do.call(rbind, lapply(1:2, function(p) {
    projected_samples(problem, part, panels[[p]], words[[p]])
  }))
  long$panel <- factor(long$panel, words)
  pca_picture(long, curve, split)
}

projected_samples <- function(problem, part, features, panel) {
  parts <- scaled_parts(
    numeric_parts(problem, part$train, part$test, features), "zscore"
  )
  axes <- svd(parts$train, nu = 0L, nv = min(2L, dim(parts$train)))
  place <- rbind(parts$train, parts$test) %*% axes$v
  share <- axes$d^2 / sum(axes$d^2)
  data.frame(
    first = place[, 1L], second = if (ncol(place) > 1L) place[, 2L] else 0,
    class = problem$y[c(part$train, part$test)],
    part = factor(
      rep(c("training", "test"), lengths(part[c("train", "test")])),
      c("training", "test")
    ),
    panel = sprintf("%s", panel),
    explained = sum(share[seq_len(ncol(place))])
  )
}

pca_picture <- function(long, curve, split) {
  room <- plot_room()
  explained <- unique(long[c("panel", "explained")])
  note <- sprintf("%.0f %%", 100 * explained$explained)
  classes <- legend_labels(room, curve$classes)
  colours <- class_colours(curve$classes)
  marks <- class_marks(curve$classes)
  # Open: white inside.
  long$inside <- ifelse(long$part == "test", colours[long$class], "white")
  panel <- (room$width - 6 * room$text) / 2
  ggplot2::ggplot(long, ggplot2::aes(
    .data[["first"]], .data[["second"]],
    colour = .data[["class"]], shape = .data[["class"]],
    fill = .data[["inside"]]
  )) +
    ggplot2::geom_hline(yintercept = 0, colour = "grey88") +
    ggplot2::geom_vline(xintercept = 0, colour = "grey88") +
    ggplot2::geom_point(size = room$text / 5, stroke = 0.9) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data[["panel"]]),
      scales = "free", labeller = ggplot2::as_labeller(
        strip_labels(levels(long$panel), panel, 0.8 * room$text)
      )
    ) +
    ggplot2::scale_colour_manual(
      values = colours, labels = classes, name = NULL
    ) +
    ggplot2::scale_shape_manual(values = marks, labels = classes, name = NULL) +
    ggplot2::scale_fill_identity() +
    ggplot2::guides(
      colour = legend_guide(room, classes, override.aes = list(fill = "white")),
      shape = legend_guide(room, classes)
    ) +
    picture_labels(room,
      title = "Principal components before and after selection",
      subtitle = sprintf(
        paste(
          "split %d; open: training samples, filled: test samples, held out of",
          "selection, scaling and components"
        ), split
      ),
      x = sprintf(
        "first component (two components explain %s and %s)", note[[1L]],
        note[[2L]]
      ),
      y = "second component", caption = curve_caption(curve)
    ) +
    hitmiss_theme(room)
}
