# Layer: show. Pictures of the samples themselves: heatmap, principal
# components.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Heatmap of selected features
#'
#' Samples are columns, grouped by class; features are rows; values are z-scored
#' by feature. Hierarchical clustering orders the features over all samples, and
#' the samples within each class, so that similar ones lie side by side.
#'
#' A heatmap of features that were selected on the same samples always looks
#' convincing, even on noise: it shows a selection but does not validate it.
#'
#' @param x,y Samples and class labels, as in [relief()].
#' @param features Names of features, or a fit, whose selected features are
#'   drawn.
#' @param n Largest number of features drawn, the first of `features`.
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
plot_heatmap <- function(x, y, features, n = 30, label = NULL, assay = NULL) {
  if (missing(features)) abort_missing("features")
  require_package("ggplot2", "plots")
  if (inherits(features, "hitmiss")) {
    check_fit(features, "features")
    assay <- assay_or_that_of(assay, features, x)
    features <- ranked_features(features)
  }
  problem <- as_problem(x, y, assay = assay)
  at <- asked_features(features, problem$features, check_count(n))
  everyone <- seq_along(problem$y)
  z <- scaled_split(
    numeric_split(problem, everyone, integer(), at), "zscore"
  )$train
  order <- clustered(t(z))
  columns <- unlist(lapply(levels(problem$y), function(class) {
    members <- which(problem$y == class)
    members[clustered(z[members, , drop = FALSE])]
  }))
  name <- feature_labels(
    problem$features[at], label, problem$annotation[at, , drop = FALSE]
  )
  limit <- 2.5
  table <- data.frame(
    column = rep(seq_along(columns), length(at)), sample = columns,
    name = rep(name[order], each = length(columns)),
    value = pmin(pmax(as.vector(z[columns, order]), -limit), limit)
  )
  tiles_picture(table,
    title = sprintf(
      "%s features of %s", thousands(length(at)),
        thousands(length(problem$features))
    ),
    subtitle = "samples by class; features z-scored and clustered",
    class = problem$y[columns], fill = "z-score (clipped at 2.5)",
    limits = c(-limit, limit)
  )
}

asked_features <- function(features, known, n) {
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
#' toy <- simulate_microarray(samples = c(20, 20), genes = 300)
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
  table <- do.call(rbind, lapply(1:2, function(p) {
    projected_samples(problem, part, panels[[p]], words[[p]])
  }))
  table$panel <- factor(table$panel, unique(table$panel))
  lines_picture(table,
    title = "Principal components before and after selection",
    subtitle = sprintf(
      paste(
        "split %d; open: training samples, filled: test samples, held out of",
        "selection, scaling and components"
      ), split
    ),
    x = "first component", y = "second component",
    caption = curve_caption(curve), points = TRUE, joined = FALSE
  ) +
    ggplot2::geom_point(
      ggplot2::aes(shape = .data[["group"]]),
      data = table[table$part == "training", ], size = 2, fill = "white",
      show.legend = FALSE
    ) +
    ggplot2::facet_wrap(
      ggplot2::vars(.data[["panel"]]),
      scales = "free", labeller = ggplot2::label_wrap_gen(40L)
    )
}

projected_samples <- function(problem, part, features, panel) {
  parts <- scaled_split(
    numeric_split(problem, part$train, part$test, features), "zscore"
  )
  axes <- svd(parts$train, nu = 0L, nv = min(2L, dim(parts$train)))
  place <- rbind(parts$train, parts$test) %*% axes$v
  if (ncol(place) == 1L) place <- cbind(place, 0)
  explained <- sum(utils::head(axes$d^2, 2L)) / sum(axes$d^2)
  data.frame(
    x = place[, 1L], y = place[, 2L],
    group = problem$y[c(part$train, part$test)],
    part = rep(c("training", "test"), lengths(part[c("train", "test")])),
    panel = sprintf("%s: %.0f %% explained", panel, 100 * explained)
  )
}
