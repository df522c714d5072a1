# Layer: show. plot_heatmap() shows the selected features of all samples.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Heatmap of selected features
#'
#' Samples are columns, grouped by class; features are rows; values are z-scored
#' by feature. A strip of colours above shows the classes, and one for each of
#' `tracks`. Hierarchical clustering orders the features over all samples, and
#' the samples within each class, so that similar ones lie side by side. Missing
#' values, which [relief()] takes, are grey: scales and distances are those of
#' the values that are there.
#'
#' A heatmap of features that were selected on the same samples always looks
#' convincing, even on noise: it shows a selection but does not validate it.
#'
#' @param x,y Samples and class labels, as in [relief()].
#' @param features Names of features, or a fit, whose selected features are
#'   drawn.
#' @param n Largest number of features drawn, the first of `features`.
#' @param tracks Strips above the classes, such as batch or age: a data.frame or
#'   a named list with a value for each sample, or names of columns of the
#'   samples of a container. Numbers, dates and times have a gradient; what is
#'   missing is grey.
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
plot_heatmap <- function(x, y, features, n = 30, label = NULL, tracks = NULL,
                         assay = NULL) {
  if (missing(features)) abort_missing("features")
  require_package("ggplot2", "plots")
  if (inherits(features, "hitmiss")) {
    check_fit(features, "features")
    assay <- assay_or_that_of(assay, features, x)
    features <- usual_list(features)
  }
  problem <- as_problem(x, y, assay = assay, missing = TRUE)
  tracks <- check_tracks(tracks, x, problem)
  at <- asked_features(features, problem$features, check_top(n))
  everyone <- seq_along(problem$y)
  # The clustering keeps the distances within the largest class in memory, and
  # the picture its tiles.
  check_numbers_fit(max(as.double(table(problem$y))^2), "x")
  check_numbers_fit(4 * as.double(length(everyone)) * length(at), "x")
  drawn <- chosen_features(problem, at)
  z <- scaled_values(
    drawn, prepare_scaling(drawn, "zscore", core_runtime()), seq_along(at)
  )
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
    subtitle = paste0(
      "samples by class; features z-scored and clustered",
      if (anyNA(z)) "; grey: missing"
    ),
    class = problem$y[columns], tracks = lapply(tracks, `[`, columns),
    fill = "z-score (clipped at 2.5)",
    limits = c(-limit, limit)
  )
}

# Returns a named list of numbers, times and factors.
check_tracks <- function(tracks, x, problem) {
  if (is.character(tracks)) tracks <- stats::setNames(as.list(tracks), tracks)
  names <- setdiff(names(tracks), c("", "class"))
  if (!is.list(tracks) && !is.null(tracks) || length(names) < length(tracks)) {
    abort_input(c(
      "{.arg tracks} must be a data.frame or a named list, or names of columns
       of the samples, not {describe(tracks)}.",
      i = "As in {.code tracks = list(batch = batch, sex = sex)}; each name
           stands once, and {.val class} is taken."
    ), "tracks")
  }
  Map(function(values, name) {
    values <- plain_vector(design_column(values, x, "tracks"))
    check_track(values, name, problem)
    if (inherits(values, "POSIXlt")) values <- as.POSIXct(values)
    timed <- inherits(values, c("Date", "POSIXct", "difftime"))
    if ((is.numeric(values) || timed) && any(is.finite(values))) {
      return(replace(values, !is.finite(values), NA))
    }
    values <- factor(values)
    if (nlevels(values) > 20L) {
      abort_input(c(
        "{.val {name}} of {.arg tracks} has {nlevels(values)} different texts;
         colours tell at most 20 apart.",
        i = "Join some of them, or give numbers, which have a gradient."
      ), "tracks")
    }
    values
  }, tracks, names(tracks))
}

check_track <- function(values, name, problem) {
  one_text <- is_texts(values, 1L) && length(problem$y) > 1L
  if (one_text || length(dim(values)) == 2L) {
    abort_input(c(
      "{.val {name}} of {.arg tracks} must have a value for each sample; it is
       {describe(values)}.",
      i = if (one_text) "Only a container has columns that a text can name."
    ), "tracks")
  }
  # Values may be missing here, so only their number and names are checked.
  known <- is.atomic(values) || inherits(values, "POSIXlt")
  sample_codes(problem, if (known) is.na(values) else values, "tracks")
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

# Orders the rows of a matrix along a dendrogram. dist() leaves out what is
# missing; rows that share no value are as far apart as any.
clustered <- function(values) {
  if (nrow(values) < 3L) {
    return(seq_len(nrow(values)))
  }
  distances <- stats::dist(values)
  distances[is.na(distances)] <- max(distances, 0, na.rm = TRUE)
  stats::hclust(distances)$order
}
