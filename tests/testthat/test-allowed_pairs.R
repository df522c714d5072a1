# The near hits and misses that designs allow, counted plainly.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("allowed pairs are counted as one after the other", {
  for (seed in 1:30) {
    p <- withr::with_seed(seed, {
      n <- sample(3:12, 1L)
      some <- function(k) factor(sample(k, n, TRUE))
      list(y = some(3), block = some(2), group = some(5))
    })
    p$y[withr::with_seed(seed, sample(n, 1L))] <- NA
    if (seed %% 3 == 0) p$block <- NULL
    if (seed %% 3 == 1) p$group <- NULL
    n <- length(p$y)
    same <- function(v) if (is.null(v)) diag(n) == 1 else outer(v, v, `==`)
    may <- !same(p$group) & (is.null(p$block) | same(p$block %||% p$y)) &
      matrix(!is.na(p$y), n, n, byrow = TRUE)
    kind <- as.character(addNA(p$y))
    kind[is.na(kind)] <- "none"
    hits <- rowSums(may & outer(kind, kind, `==`), na.rm = TRUE)
    expect_identical(hitmiss:::allowed_hits(p), as.integer(hits))
    expect_identical(
      hitmiss:::allowed_misses(p), as.integer(rowSums(may, na.rm = TRUE) - hits)
    )
  }
})
