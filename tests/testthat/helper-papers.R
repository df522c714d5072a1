# A small problem for settings and quantities of the papers.
# SPDX-License-Identifier: GPL-3.0-or-later

# Samples of classes of these sizes, scaled to [0, 1].
toy_problem <- function(sizes = c(8, 16)) {
  set.seed(15)
  y <- factor(rep(letters[seq_along(sizes)], sizes))
  x <- matrix(stats::rnorm(length(y) * 5), length(y))
  x[, 1] <- x[, 1] + 2 * (y == "a")
  colnames(x) <- paste0("f", 1:5)
  x <- sweep(x, 2L, apply(x, 2L, min))
  list(x = sweep(x, 2L, apply(x, 2L, max), "/"), y = y)
}
