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
  paste0(x$about, if (!all(is.na(x$lower))) {
    sprintf("\n%g %% interval over resamples (%s)", 100 * x$level, x$interval)
  })
}

index_picture <- function(x) {
  table <- x[!is.na(x$nogueira), ]
  table <- data.frame(
    x = ifelse(is.na(table$size), table$mean_k, table$size),
    y = table$nogueira,
    group = factor(table$selector, unique(table$selector)),
    baseline = table$baseline
  )
  if (!all(is.na(x$lower))) {
    table[c("low", "high")] <- x[!is.na(x$nogueira), c("lower", "upper")]
  }
  known <- !all(is.na(table$baseline))
  lines_picture(table,
    points = TRUE, log = "x", title = "stability of the selection",
    subtitle = paste0(
      "0: as random sets, 1: always the same",
      if (known) "; dashed: permuted labels"
    ),
    x = "number of features (log scale)", y = "Nogueira's index",
    caption = stability_caption(x)
  ) +
    (if (known) {
      ggplot2::geom_path(
        ggplot2::aes(y = .data[["baseline"]]),
        linetype = "22", na.rm = TRUE
      )
    })
}

frequency_picture <- function(x, row, n, label) {
  frequency <- x$frequency[, row]
  best <- utils::head(order(-frequency), min(n, sum(frequency > 0)))
  dots_picture(
    data.frame(
      name = feature_labels(names(frequency)[best], label),
      value = unname(frequency[best]), from = 0
    ),
    limits = c(0, 1), title = sprintf(
      "how often features are selected: %s", colnames(x$frequency)[[row]]
    ),
    subtitle = sprintf(
      "the %d most frequent of %s ever selected", length(best),
      thousands(sum(frequency > 0))
    ),
    x = "share of the sets", caption = stability_caption(x)
  )
}
