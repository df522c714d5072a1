# Layer: show. plot() of a fit has types that all methods share, and others add
# theirs here.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Plot a fit
#'
#'
#' @details
#' All fits have `"scores"`, the best `n` scores in rank order with the selected
#' features filled; those with classes also `"gene"`, the training values of one
#' or more features by class (for pairs their differences, joined), beside those
#' of new samples; and `"volcano"`, the effect against the score of all
#' features, with the names of the best. Fits of [kbfs()] also have `"path"`
#' (their default), the number of active features against lambda, and those of
#' [llfs()]
#' * `"frequency"` (their default): the share of each class's representatives
#'   that use a feature, for the best `n` features, and whether its mean is
#'   higher or lower in the class than in the others;
#' * `"map"`: which representative uses which of the best `n` features;
#' * `"votes"` (of `vote = "frames"` without pairs): what the `n`
#'   representatives and other parts that matter most add to the similarity of
#'   the first sample of `newdata` (or of training) to each class, see
#'   [predict.hitmiss_llfs()].
#'
#' Fits to survival times also have `"risk"`: the predicted risk of the training
#' samples, each among its own neighbours, against the values of the best
#' features, at most nine.
#'
#' Names of more than 24 letters are shortened in the middle. Names that would
#' overlap are left out; a taller device, or a smaller `n`, shows them.
#'
#' @param x,object A fit.
#' @param type Name of the plot, see Details; `NULL` for the method's default.
#' @param n Largest number of features that are drawn, best first.
#' @param ... For `"votes"`: `newdata`. For `"gene"`: `feature`, names of
#'   features that the fit uses (by default the best), and `newdata`, with
#'   `pair`, as in [predict()][predict.hitmiss]. `label`, in all plots with
#'   feature names: the label of a feature, which is the name of a column of
#'   the feature annotation (such as a gene symbol, from `rowData()` or
#'   `fData()`), or a character vector of labels named by feature.
#' @return `autoplot()`: a ggplot object. `plot()`: draws it, and returns it
#'   invisibly. Without ggplot2 both fail with an error of class
#'   `hitmiss_error_package`.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   plot(fit, n = 10)
#'   plot(fit, type = "map")
#'   plot(fit, type = "gene", feature = "x1", newdata = toy$x[1:2, ])
#'   plot(fit, n = 10, label = c(x1 = "first gene", x2 = "second gene"))
#' }
#' @export
plot.hitmiss <- function(x, type = NULL, n = 30, ...) {
  show_picture(autoplot.hitmiss(x, type, n, ...))
}

#' @rdname plot.hitmiss
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss <- function(object, type = NULL, n = 30, ...) {
  require_package("ggplot2", "plots")
  check_fit(object)
  types <- plot_types(object)
  type <- check_choice(type %||% names(types)[[1L]], names(types), "type")
  types[[type]](object, check_top(n), ...)
}

#' Plots that are available for a fit
#'
#' @return Named list of functions of (x, n, ...) that return a ggplot; the
#'   first is the default.
#' @noRd
plot_types <- function(x) {
  own <- if (inherits(x, "hitmiss_llfs")) {
    list(
      frequency = plot_frequency, map = plot_map,
      votes = if (x$parameters$vote == "frames" && is.null(x$design$pair)) {
        plot_votes
      }
    )
  } else if (inherits(x, "hitmiss_kbfs")) {
    list(path = plot_path)
  }
  c(own, scores = plot_scores, fit_kind(x)$pictures) |>
    Filter(f = Negate(is.null))
}

plot_scores <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  table <- drawn_features(x, n, label)
  if (!is_ranker(x)) {
    states <- c("selected", "not selected")
    table$kind <- droplevels(factor(states[2L - table$selected], states))
  }
  score_dots(table,
    title = picture_title(x, "scores"), subtitle = counted(table, x)
  )
}

# Lollipops start at 0. If all scores are far from 0 (logarithms, nearly equal
# scores), they start at the axis, because lengths from 0 would not show how
# they differ.
score_dots <- function(table, ...) {
  lowest <- min(table$score)
  from_zero <- max(table$score) >= 0 &&
    (lowest <= 0 || lowest <= 2 * diff(range(table$score)))
  table$value <- table$score
  table$from <- if (from_zero) 0 else -Inf
  dots_picture(table, ...,
    x = if (from_zero) "score" else "score (the axis does not start at 0)"
  )
}

# The axis is logarithmic unless the path ends at 0.
plot_path <- function(x, n, ...) {
  check_no_dots(...)
  path <- x$path
  last <- path[nrow(path), ]
  lines_picture(data.frame(x = path$lambda, y = path$active),
    title = picture_title(x, "active features along the solution path"),
    subtitle = sprintf(
      "the fit is the last point on the left: %d features at lambda = %s",
      last$active, format(last$lambda, digits = 3)
    ),
    x = "lambda (the solution path runs from right to left)",
    y = "active features", points = TRUE,
    sizes = if (min(path$lambda) > 0) ggplot2::waiver()
  )
}

# Draws the risks of the training samples against the values of the best
# features. Each sample counts among its own neighbours.
plot_risk <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  values <- x$training$values
  table <- drawn_features(x, min(n, 9L), label)
  table <- table[table$feature %in% colnames(values), ]
  if (nrow(table) == 0L) {
    abort_input("no feature has a score above 0: no risk is predicted.", "x")
  }
  risk <- stats::predict(x, values, threads = 1L) |>
    suppressWarnings() |>
    suppressMessages(classes = "hitmiss_message_missing")
  y <- times_of(x$training$y)
  kinds <- c("event", "censored")
  points <- data.frame(
    x = as.vector(values[, table$feature]), y = as.vector(risk),
    kind = factor(ifelse(y$event, kinds[[1L]], kinds[[2L]]), kinds),
    panel = rep(factor(table$name, unique(table$name)), each = nrow(values))
  )
  points <- points[!is.na(points$x), ]
  points_picture(points,
    scales = "free_x", title = picture_title(x, "risk"), subtitle = paste(
      "training samples, each among its own neighbours; the best features by",
      "score"
    ), x = "value of the feature", y = "risk (0: last event, 1: first)"
  ) + number_axis("x", points$panel)
}

#' The best features, with the text that stands for each as `name`
#'
#' @param most Number of features that can be drawn.
#' @noRd
drawn_features <- function(x, n, label, most = max(x$n_ranked, 1L)) {
  rows <- x$ranking[seq_len(min(n, most, x$n_features))]
  feature <- names(x$scores)[rows]
  annotation <- x$annotation[rows, , drop = FALSE]
  data.frame(
    rank = seq_along(rows), feature = feature,
    name = feature_labels(feature, label, annotation),
    score = unname(x$scores)[rows], selected = feature %in% x$selected
  )
}

picture_title <- function(x, what) sprintf("%s: %s", method_title(x), what)

counted <- function(table, x) {
  paste0(
    sprintf(
      "best %s of %s features", thousands(nrow(table)), thousands(x$n_features)
    ),
    if (!is_ranker(x)) {
      sprintf("; %s selected in all", thousands(length(x$selected)))
    }
  )
}

#' The text to show for each feature
#'
#' @param label NULL: the name; the name of a column of `annotation`; or a
#'   character vector of texts, named by feature.
#' @param annotation NULL, or a data.frame with a row per element of `feature`.
#' @return Character vector. Features without a text keep their name; if
#'   features share a text, the name follows it.
#' @noRd
feature_labels <- function(feature, label, annotation = NULL) {
  if (is.null(label)) {
    return(feature)
  }
  if (!is.character(label) || length(label) == 0L ||
    is.null(names(label)) &&
    !(length(label) == 1L && label %in% names(annotation))) {
    columns <- names(annotation) %||% "no column"
    abort_input(
      "{.arg label} must be the name of a column of the features' annotation,
       which has {.val {columns}}, or a character vector of texts named by
       feature; not {describe(label)}.", "label"
    )
  }
  text <- if (is.null(names(label))) {
    as.character(annotation[[label]])
  } else {
    unname(label[match(feature, names(label))])
  }
  known <- !is.na(text) & nzchar(text)
  shared <- known & (duplicated(text) | duplicated(text, fromLast = TRUE))
  text[shared] <- sprintf("%s (%s)", text[shared], feature[shared])
  text[!known] <- feature[!known]
  text
}

# ---- single features -------------------------------------------------------

# The values of features by class; new samples stand beside the classes.
plot_gene <- function(x, n, feature = NULL, newdata = NULL, pair = NULL,
                      label = NULL, ...) {
  check_no_dots(...)
  at <- if (is.null(feature)) {
    x$ranking[[1L]]
  } else {
    feature_positions(feature, names(x$scores), "feature", "the fit")
  }
  known <- kept_values(x, at)
  values <- list(known)
  y <- x$local$class %||% x$training$y
  new_kind <- utils::tail(make.unique(c(levels(y), "new")), 1L)
  kind <- factor(y, c(levels(y), new_kind))
  of_pair <- x$design$pair
  if (!is.null(newdata)) {
    new <- as_newdata(newdata, colnames(known), x)
    new <- centre_newdata(x, new, newdata, pair)
    if (!is.null(of_pair)) {
      codes <- attr(new, "pair")
      of_pair <- c(of_pair, max(of_pair) + match(codes, codes))
    }
    known <- rbind(known, new)
    kind <- factor(
      c(as.character(kind), rep(new_kind, nrow(new))), levels(kind)
    )
  }
  kind <- droplevels(kind[!is.na(kind)], setdiff(new_kind, kind))
  names <- feature_labels(
    colnames(known), label, x$annotation[at, , drop = FALSE]
  )
  widest <- max(nchar(levels(kind))) + 2L
  room <- widest * nlevels(kind) * min(ncol(known), 3L) <= 60L
  table <- data.frame(
    # Samples of a class stand side by side; those of a pair are joined.
    x = rep(as.integer(kind) + if (is.null(of_pair)) {
      0.5 * ((seq_along(kind) * 0.618) %% 1 - 0.5)
    } else {
      0
    }, ncol(known)),
    y = as.vector(known), kind = rep(kind, ncol(known)),
    panel = factor(rep(names, each = nrow(known)), names)
  )
  if (!is.null(of_pair)) table$line <- rep(of_pair, ncol(known))
  # New samples that lack a value have a point without one, as they always had.
  table <- table[!is.na(table$y) | table$kind == new_kind, ]
  points_picture(table,
    title = picture_title(x, "values by class"),
    x = NULL, y = if (is.null(of_pair)) {
      "value"
    } else {
      "difference from the mean of the pair"
    }, subtitle = paste(c(
      "training samples", if (!is.null(of_pair)) "lines join pairs",
      if (!is.null(newdata)) "new: the samples of newdata"
    ), collapse = "; ")
  ) + ggplot2::scale_x_continuous(
    # Names without room stand in the legend alone.
    breaks = if (room) seq_along(levels(kind)),
    labels = if (room) levels(kind) else ggplot2::waiver(),
    limits = c(0.5, nlevels(kind) + 0.5)
  )
}

#' Training values of features, as they were given (of pairs: differences)
#' @noRd
kept_values <- function(x, at) {
  names <- names(x$scores)[at]
  values <- training_values(x, names)
  absent <- setdiff(names, colnames(values))
  if (length(absent) > 0L) {
    abort_input(c(
      "The fit keeps no values of {.val {absent}}, which it does not use.",
      i = "Features with a positive score have them."
    ), "feature")
  }
  values
}

# Effect against score, for all features; the best have their names.
plot_volcano <- function(x, n, label = NULL, ...) {
  check_no_dots(...)
  rows <- seq_along(x$scores)
  contrast <- class_contrasts(x, rows)
  two <- length(x$classes) == 2L
  class <- if (two) rep(2L, length(rows)) else farthest_class(contrast)
  effect <- effects_of(x, rows, class)$expected
  best <- drawn_features(x, min(n, 10L), label)
  table <- data.frame(
    x = effect, y = unname(x$scores), label = "",
    kind = factor(x$classes[if (two) 1L + (effect > 0) else class], x$classes)
  )
  table$label[match(best$feature, names(x$scores))] <- cut_names(best$name)
  lost <- !is.finite(table$x) | is.na(table$kind)
  if (all(lost)) {
    abort_input(
      "no feature has an effect: the spread within a class is known from three
       samples on.", "type"
    )
  }
  points_picture(table[!lost, ],
    title = picture_title(x, "effect against score"),
    subtitle = paste0(
      sprintf("%s features", thousands(sum(!lost))), if (any(lost)) {
        sprintf("; %s without an effect are left out", thousands(sum(lost)))
      }, if (two) {
        sprintf("; right: higher in %s", cut_names(x$classes[[2L]]))
      }
    ),
    x = paste0(
      "effect", if (x$n_features >= enough_effects) " expected on new samples",
      ", in standard deviations ", within_words(design_of(x))$spread
    ), y = "score"
  )
}

# ---- fits of llfs(): features by class and by representative -----------------

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

# Draws the parts of the similarity of a sample.
plot_votes <- function(x, n, newdata = NULL, pair = NULL, ...) {
  check_no_dots(...)
  newdata <- newdata %||%
    training_values(x, names(x$scores)[x$scores > 0])[1L, , drop = FALSE]
  ask <- function(type) stats::predict(x, newdata, type = type, pair = pair)
  similarity <- ask("similarity")
  if (nrow(similarity) == 0L || anyNA(similarity[1L, ])) {
    abort_input(c(
      "{.arg newdata} has no first sample that {.fn predict} gives a class.",
      i = "A sample without rows or without half of the vote has no parts."
    ), "newdata")
  }
  said <- suppressMessages(suppressWarnings(ask("spheres")))
  said <- said[said$sample == said$sample[[1L]], ]
  all <- nrow(said)
  size <- as.matrix(said[paste0("for_", x$classes)])
  best <- utils::head(order(-apply(abs(size), 1L, max)), n)
  said <- said[best, ]
  name <- ifelse(
    is.na(said$representative), said$part, as.character(said$representative)
  )
  dots_picture(
    data.frame(
      name = factor(name, unique(name)), from = 0,
      value = as.vector(size[best, ]),
      kind = factor(
        said$part, c("sphere", "outside", "consensus", "intercept")
      ),
      panel = factor(rep(x$classes, each = length(best)), x$classes)
    ),
    title = picture_title(x, "parts of the similarity to each class"),
    subtitle = sprintf(
      "sample %s: the largest %d of %d parts", said$sample[[1L]], length(best),
      all
    ),
    x = "part of the similarity", at = 0
  )
}
