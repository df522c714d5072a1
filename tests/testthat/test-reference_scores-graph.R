# SPEC, trace ratio, LSDF, Inf-FS, RFS and Simba against their definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

score <- function(...) reference_scores(..., threads = 1)

plain <- function(scores) as.numeric(scores)

# Relative to the largest score.
expect_close <- function(found, expected, ...) {
  expect_equal(
    plain(found) / max(abs(expected)), as.vector(expected) / max(abs(expected)),
    tolerance = 1e-8, ...
  )
}

test_that("SPEC is what the definition says", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    for (style in c("phi1", "phi2", "phi3")) {
      for (supervised in c(FALSE, TRUE)) {
        expect_close(
          score(p$x, p$y, "spec", style = style, supervised = supervised),
          reference_spec(p$x, p$y, style, supervised),
          info = paste(seed, style, supervised)
        )
      }
    }
  }
})

test_that("the trace ratio is the largest of all subsets", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    x <- p$x[, seq_len(min(8, ncol(p$x)))]
    for (supervised in c(FALSE, TRUE)) {
      n <- seed %% 3 + 1
      args <- list(x, p$y, "trace_ratio", n = n, supervised = supervised)
      if (!supervised) args$k <- 3
      expect_close(
        do.call(score, args),
        reference_trace_ratio(x, p$y, n, supervised, 3),
        info = paste(seed, supervised)
      )
    }
  }
})

test_that("LSDF is what the definition says, with and without labels missing", {
  unlabelled <- 0
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    y <- p$y
    if (seed %% 5 > 0) {
      repeated <- which(duplicated(y))
      y[repeated[seq_len(length(repeated) * seed %% 5 %/% 5)]] <- NA
      y[repeated[seq(1, length(repeated), by = 2)]] <- NA
    }
    unlabelled <- unlabelled + sum(is.na(y))
    expected <- reference_lsdf(p$x, y, 3, 100)
    found <- score(p$x, y, "lsdf", k = 3)
    beyond <- is.infinite(expected)
    expect_true(all(plain(found)[beyond] == .Machine$double.xmax))
    if (!all(beyond)) {
      expect_close(found[!beyond], expected[!beyond], info = seed)
    }
    expect_close(
      score(p$x, p$y, "lsdf", gamma = 2), reference_lsdf(p$x, p$y, 5, 2),
      info = seed
    )
  }
  expect_gt(unlabelled, 45)
})

test_that("only LSDF takes samples without a label", {
  p <- margin_problem(2)
  p$y[[which(duplicated(p$y))[[1L]]]] <- NA
  for (method in setdiff(eval(formals(reference_scores)$method), "lsdf")) {
    expect_refusal(score(p$x, p$y, method), "y")
  }
})
