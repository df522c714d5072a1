# Plots of a fit: the types all methods share, and where others add theirs.

# ggplot2's pronoun for the columns of the data.
utils::globalVariables(".data")

#' Plot a fit
#'
#' Draws what a fit holds with ggplot2; nothing is fitted anew.
#'
#' @details
#' All fits have `"scores"`, the best `n` scores in rank order with the
#' selected features filled; and `"trace"`, the objective at each iteration,
#' if the method's solver keeps one. Fits of [relief()] and [logo()] have
#' `"ranking"` too, the scores of all features by rank and where the selection
#' ends. Fits of [llfs()] have in addition
#' * `"frequency"` (their default): the share of each class's representatives
#'   that use a feature, for the best `n` features;
#' * `"map"`: which representative uses which of the best `n` features, grouped
#'   by class;
#' * `"distances"`: how far the samples of the same and of the other classes
#'   lie from one representative, in its own features, with its radius (the
#'   dashed line). The argument `representative` (a number or a sample's name,
#'   1 by default) says which.
#'
#' Fits of [kbfs()] have `"path"` (their default), the number of active features
#' against lambda, and `"entry"`, where on the path the best `n` features
#' entered and with which weight they end. Fits of [pwfp()] have `"pairs"`
#' (their default), the two shares of pairs in which each feature is marked,
#' with the best features (at most 15) named.
#'
#' Colours are those of Okabe and Ito, told apart by colour-blind readers.
#'
#' @param x,object A fit.
#' @param type Name of the plot, see Details; `NULL` for the method's default.
#'   A name that the fit does not have is an error that lists those it has.
#' @param n Largest number of features that are drawn, best first.
#' @param ... Arguments of the type of plot, such as `representative`.
#' @return `autoplot()`: a ggplot object. `plot()`: draws it, and returns it
#'   invisibly. Without ggplot2 both stop with a condition of class
#'   `hitmiss_error_package`.
#' @examples
#' toy <- simulate_localized(noise = 20)
#' fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
#' if (requireNamespace("ggplot2", quietly = TRUE)) {
#'   plot(fit, n = 10)
#'   plot(fit, type = "distances", representative = 3)
#' }
#' @export
plot.hitmiss <- function(x, type = NULL, n = 30, ...) {
  picture <- fit_picture(x, type, n, ...)
  print(picture)
  invisible(picture)
}

#' @rdname plot.hitmiss
#' @exportS3Method ggplot2::autoplot
autoplot.hitmiss <- function(object, type = NULL, n = 30, ...) {
  fit_picture(object, type, n, ...)
}

fit_picture <- function(x, type, n, ...) {
  require_package("ggplot2", "plots")
  check_fit(x)
  types <- plot_types(x)
  type <- check_choice(type %||% names(types)[[1L]], names(types), "type")
  types[[type]](x, check_count(n, "n"), ...)
}

require_package <- function(package, purpose) {
  if (!requireNamespace(package, quietly = TRUE)) {
    abort(
      c(
        "package {.pkg {package}} is needed for {purpose}.",
        i = "Install it: {.code install.packages(\"{package}\")}"
      ),
      "hitmiss_error_package",
      package = package
    )
  }
}

#' The plots that a fit has
#'
#' @return Named list of functions of (x, n, ...) that return a ggplot; the
#'   first is the default. Methods put theirs before the result of
#'   `NextMethod()`.
#' @noRd
plot_types <- function(x) UseMethod("plot_types")

#' @exportS3Method
plot_types.hitmiss <- function(x) {
  c(
    list(scores = plot_scores),
    if (sum(is.finite(x$report$objective)) > 1L) list(trace = plot_trace)
  )
}

plot_scores <- function(x, n, ...) {
  check_no_dots(...)
  table <- feature_table(x, min(n, max(x$n_ranked, 1L)))
  table$state <- factor(
    ifelse(table$selected %in% TRUE, "selected", "not selected"),
    c("selected", "not selected")
  )
  ggplot2::ggplot(table, feature_aes(table, "score")) +
    ggplot2::geom_segment(
      ggplot2::aes(xend = 0, yend = feature_axis(table)),
      colour = "grey70", linewidth = 0.6
    ) +
    ggplot2::geom_point(
      ggplot2::aes(fill = .data[["state"]]),
      shape = 21, size = 3, colour = okabe_ito[[1L]]
    ) +
    feature_scale(table) +
    ggplot2::scale_fill_manual(
      values = c(selected = okabe_ito[[1L]], "not selected" = "white")
    ) +
    ggplot2::labs(
      title = picture_title(x, "scores"),
      subtitle = counted(nrow(table), x$n_features, length(x$selected)),
      x = "score", y = NULL, fill = NULL
    ) +
    hitmiss_theme()
}

plot_trace <- function(x, n, ...) {
  check_no_dots(...)
  objective <- x$report$objective
  table <- data.frame(iteration = seq_along(objective), objective = objective)
  ggplot2::ggplot(
    table, ggplot2::aes(.data[["iteration"]], .data[["objective"]])
  ) +
    ggplot2::geom_line(colour = okabe_ito[[1L]], linewidth = 0.8) +
    ggplot2::geom_point(colour = okabe_ito[[1L]], size = 2) +
    ggplot2::labs(
      title = picture_title(x, "objective of the solver"),
      subtitle = paste("status:", x$report$status),
      x = "iteration", y = "objective"
    ) +
    hitmiss_theme()
}

# ---- shared pieces ----------------------------------------------------------

# The rows that a line can join, and those that stand alone: of a group with a
# single row, ggplot2 would say that there is nothing to join.
joined <- function(table, group = table$selector) table[!is_alone(group), ]
alone <- function(table) table[is_alone(table$selector), ]
is_alone <- function(group) {
  !duplicated(group) & !duplicated(group, fromLast = TRUE)
}

# Okabe and Ito's colours, black last.
okabe_ito <- c(
  "#0072B2", "#E69F00", "#009E73", "#D55E00",
  "#56B4E9", "#CC79A7", "#F0E442", "#000000"
)

# A colour per class; more than eight classes repeat them, so that pictures
# must tell classes apart by place as well.
class_colours <- function(classes) {
  colours <- rep_len(okabe_ito, length(classes))
  names(colours) <- classes
  colours
}

# Features are drawn at their rank, best on top, and labelled by name: two that
# share a name stay two.
feature_axis <- function(table) factor(table$rank, rev(unique(table$rank)))

feature_aes <- function(table, value) {
  ggplot2::aes(.data[[value]], feature_axis(table))
}

feature_scale <- function(table) {
  name <- table$feature[!duplicated(table$rank)]
  names(name) <- table$rank[!duplicated(table$rank)]
  ggplot2::scale_y_discrete(labels = name)
}

picture_title <- function(x, what) {
  sprintf("%s: %s", toupper(method_name(x)), what)
}

counted <- function(shown, n_features, n_selected) {
  sprintf(
    "best %d of %d features; %d selected in all", shown, n_features, n_selected
  )
}

hitmiss_theme <- function() {
  ggplot2::theme_minimal(base_size = 14) +
    ggplot2::theme(
      axis.title.x = ggplot2::element_text(margin = ggplot2::margin(t = 8)),
      panel.grid.minor = ggplot2::element_blank(),
      panel.grid.major.y = ggplot2::element_line(colour = "grey94"),
      plot.title.position = "plot",
      axis.text.y = ggplot2::element_text(size = 11, colour = "grey15"),
      strip.text = ggplot2::element_text(face = "bold"),
      legend.position = "bottom",
      plot.background = ggplot2::element_rect(fill = "white", colour = NA)
    )
}
