# What print() and the tables say of a fit of llfs().
# SPDX-License-Identifier: GPL-3.0-or-later

#' Share of each class's representatives that use a feature
#' @noRd
class_shares <- function(x, rows = seq_len(x$n_features)) {
  sizes <- subset_sizes(x)
  vapply(x$classes, function(class) {
    mine <- representative_class(x) == class
    used <- tabulate(x$local$features[rep(mine, sizes)], x$n_features)[rows]
    used / max(1L, sum(sizes[mine] > 0L))
  }, numeric(length(rows))) |>
    matrix(nrow = length(rows), dimnames = list(NULL, x$classes))
}

#' @exportS3Method
extra_columns.hitmiss_llfs <- function(x, rows) {
  as.data.frame(class_shares(x, rows), optional = TRUE)
}

#' @exportS3Method
body_lines.hitmiss_llfs <- function(x) {
  sizes <- subset_sizes(x)
  sizes <- sizes[sizes > 0]
  c(
    drawn_line(x),
    sprintf(
      paste(
        "%d of %d features used by at least one representative;",
        "%s per representative (mean %.1f)"
      ),
      length(x$selected), x$n_features,
      if (min(sizes) == max(sizes)) {
        as.character(min(sizes))
      } else {
        sprintf("%d to %d", min(sizes), max(sizes))
      },
      mean(sizes)
    ),
    if (length(x$parameters$alpha) > 1L) {
      taken <- table(factor(x$local$alpha, x$parameters$alpha))
      paste0(
        "alpha taken by representatives: ",
        paste(names(taken), taken, sep = " x ", collapse = ", ")
      )
    },
    "score = share of representatives that use the feature, also by class:"
  )
}
