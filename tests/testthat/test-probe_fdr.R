# False discoveries by probes: the formulas, the truth on average, edges.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("permuted labels count features that reach the real ones", {
  data <- block_data(3, c(8, 8), genes = 30, delta = 2, relevant = 3, size = 5)
  set.seed(4)
  found <- probe_fdr(data$x, data$y, t_scores,
    type = "permute", times = 3, n = 10
  )
  set.seed(4)
  stats::runif(6)
  best <- sort(t_scores(data$x, data$y), decreasing = TRUE)[1:10]
  counts <- t(vapply(1:3, function(b) {
    null <- t_scores(data$x, data$y[draw_from(1:16, 16)])
    vapply(best, function(t) sum(null >= t), 0)
  }, numeric(10)))
  expect_equal(found$probe_counts, unname(counts))
})

test_that("a sparse selector's list has one figure", {
  data <- block_data(
    5, c(12, 12), genes = 40, delta = 2, relevant = 3, size = 5
  )
  # The last feature is selected: it is none of the probes after it.
  data$x <- data$x[, order(t_scores(data$x, data$y))]
  top <- function(x, y) {
    scores <- t_scores(x, y)
    names(sort(scores[scores > 0.6], decreasing = TRUE))
  }
  set.seed(6)
  found <- probe_fdr(data$x, data$y, top, times = 3, n = 40)
  set.seed(6)
  stats::runif(6)
  false <- real <- 0
  for (b in 1:3) {
    rows <- draw_from(1:24, 24)
    sample.int(80)
    real <- real + length(top(data$x, data$y))
    false <- false + length(top(data$x[rows, ], data$y))
  }
  expect_true(found$sparse)
  expect_identical(found$list_size, length(top(data$x, data$y)))
  expect_equal(found$list_fdr, min(1, (1 + false) / real))
  expect_identical(nrow(found$table), found$list_size)
  expect_output(print(found), "selected, about")
})

test_that("what is sparse, and permuting labels is refused for it", {
  data <- block_data(7, c(10, 10), genes = 60, relevant = 3, size = 5)
  set.seed(1)
  for (selector in list(
    function(x, y) logo(x, y, threads = 1),
    function(x, y) llfs(x, y, alpha = 2, threads = 1),
    function(x, y) names(sort(-t_scores(x, y)))[1:5],
    function(x, y) replace(t_scores(x, y), -(1:9), 0)
  )) {
    expect_refusal(
      probe_fdr(data$x, data$y, selector, type = "permute", times = 1), "type"
    )
  }
  expect_false(
    probe_fdr(data$x, data$y, function(x, y) relief(x, y, k = 5, threads = 1),
      type = "permute", times = 1
    )$sparse
  )
})

test_that("strata are kept, users' names never clash, samples are whole rows", {
  strata <- rep(c("p", "q", "r"), c(4, 6, 10))
  seen <- NULL
  y <- factor(rep(c("a", "b"), 10))
  x <- matrix(as.double(seq_len(20)), 20, 4) + rep(
    c(0, 100, 200, 300), each = 20
  )
  colnames(x) <- c("f1", "f2", "f7", "f8")
  spy <- function(x, y) {
    seen <<- c(seen, list(x))
    stats::setNames(-seq_len(ncol(x)), colnames(x))
  }
  set.seed(2)
  found <- probe_fdr(x, y, spy, block = strata, times = 3, probes = 2)
  expect_identical(seen[[1]], x)
  expect_setequal(found$table$feature, colnames(x))
  for (run in seen[-1]) {
    expect_identical(dim(run), c(20L, 12L))
    expect_false(anyDuplicated(colnames(run)) > 0)
    order <- run %% 100
    order[order == 0] <- 100
    # Every column holds the samples in one of three orders (one real), which
    # keep the strata, and every order has all four features.
    keys <- apply(order, 2, paste, collapse = " ")
    expect_identical(as.vector(table(keys)), c(4L, 4L, 4L))
    expect_true(paste(1:20, collapse = " ") %in% keys)
    expect_true(all(apply(order, 2, function(o) identical(strata[o], strata))))
    feature <- run[1, ] %/% 100
    for (key in unique(keys)) {
      expect_setequal(feature[keys == key], 0:3)
    }
  }
})

test_that("the same bits over any back end, and one seed for all", {
  data <- block_data(8, c(10, 10), genes = 50, relevant = 3, size = 5)
  noisy <- function(x, y) t_scores(x, y) + runif(ncol(x)) / 100
  run <- function(...) {
    set.seed(9)
    found <- probe_fdr(data$x, data$y, noisy, times = 4, ...)
    list(
      found$table, found$probe_counts, after = runif(1)
    )
  }
  plain <- run()
  expect_identical(run(), plain)
  skip_if_not_installed("BiocParallel")
  expect_identical(run(BPPARAM = BiocParallel::SerialParam()), plain)
  expect_identical(run(BPPARAM = BiocParallel::MulticoreParam(2)), plain)
})

test_that("failures in runs are left out with a warning", {
  data <- block_data(8, c(10, 10), genes = 50, relevant = 3, size = 5)
  calls <- 0
  sometimes <- function(x, y) {
    calls <<- calls + 1
    if (calls == 3) stop("no luck today")
    t_scores(x, y)
  }
  warning <- expect_warning(
    found <- probe_fdr(data$x, data$y, sometimes, times = 4),
    class = "hitmiss_warning_failed"
  )
  expect_match(conditionMessage(warning), "no luck today")
  expect_identical(found$times, 3L)
  calls <- 0
  first_only <- function(x, y) {
    calls <<- calls + 1
    if (calls > 1) stop("never again")
    t_scores(x, y)
  }
  expect_input_error(
    probe_fdr(data$x, data$y, first_only, times = 2), "never again"
  )
})

test_that("bad arguments are refused", {
  data <- block_data(8, c(10, 10), genes = 50, relevant = 3, size = 5)
  refused <- function(arg, ...) {
    expect_refusal(probe_fdr(data$x, data$y, ...), arg)
  }
  refused("selector")
  refused("selector", "relief")
  refused("probes", t_scores, probes = 0.2)
  refused("times", t_scores, times = 0)
  refused("type", t_scores, type = "shuffle")
  refused("level", t_scores, level = 1)
  refused("block", t_scores, block = 1:3)
  refused("block", t_scores, block = 1:20)
  # Repeated measurements: one label in every group, so nothing is permuted.
  refused("block", t_scores, block = paste(data$y, rep(1:5, 4)))
  refused("times_", t_scores, times_ = 3)
  refused("selectors", function(x, y) c(nonsense = 1))
  refused("selectors", function(x, y) NULL)
  found <- probe_fdr(data$x, data$y, t_scores, times = 2)
  expect_input_error(selected(found, q = 0))
  expect_lte(length(capture.output(print(found))), 16L)
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(found)
  expect_true(nzchar(picture$labels$caption))
  expect_silent(ggplot2::ggplot_build(picture))
})

# tests/bench/probe_fdr.R runs all settings and selectors.
test_that("estimates are near the truth on average (t, S2)", {
  at <- c(10, 20, 30, 50)
  seeds <- some_of(1:90)
  true_share <- estimate <- matrix(0, length(seeds), 4)
  reached <- numeric(length(seeds))
  for (seed in seeds) {
    data <- block_data(seed)
    found <- probe_fdr(data$x, data$y, t_scores, n = 100)
    false <- !found$table$feature %in% data$true
    true_share[seed, ] <- (cumsum(false) / seq_along(false))[at]
    estimate[seed, ] <- found$table$fdr[at]
    n <- found$n_at[["0.1"]]
    reached[seed] <- if (n > 0) mean(false[seq_len(n)]) else 0
  }
  expect_lt(max(abs(colMeans(estimate) - colMeans(true_share))), 0.06)
  expect_gte(mean(reached), 0.04)
  expect_lte(mean(reached), 0.14)
})

# The best of the real features is beyond all probes of ten runs by chance in
# one set of eleven; lists of two and more add a little. Three standard errors.
test_that("noise is mostly left alone", {
  seeds <- some_of(1:120)
  any <- vapply(seeds, function(seed) {
    noise <- block_data(seed, c(10, 10), genes = 200, relevant = 0, size = 10)
    probe_fdr(noise$x, noise$y, t_scores, n = 50)$n_at[["0.1"]] > 0
  }, NA)
  expect_lte(mean(any), 0.11 + 3 * sqrt(0.11 * 0.89 / length(seeds)))
})

test_that("probe_fdr() by permuted labels says so, and keeps annotation", {
  skip_if_not_installed("Biobase")
  toy <- small_array()
  genes <- data.frame(symbol = paste0("S", 1:20), row.names = colnames(toy$x))
  set <- Biobase::ExpressionSet(
    t(toy$x),
    phenoData = Biobase::AnnotatedDataFrame(
      data.frame(class = toy$y, row.names = rownames(toy$x))
    ),
    featureData = Biobase::AnnotatedDataFrame(genes)
  )
  fdr <- withr::with_seed(1, probe_fdr(set, "class",
    function(x, y) relief(x, y, threads = 1),
    type = "permute", times = 5
  ))
  expect_output(print(fdr), "permuted labels")
  table <- as.data.frame(fdr)
  expect_identical(table$symbol, genes[table$feature, "symbol"])
})

test_that("a fit and a name in place of a selector are answered", {
  data <- block_data(8, c(10, 10), genes = 50, relevant = 3, size = 5)
  fit <- relief(data$x, data$y, k = 5, threads = 1)
  expect_input_error(
    probe_fdr(data$x, data$y, fit), "instead of the fit: `relief`"
  )
  expect_input_error(
    probe_fdr(data$x, data$y, "relief"),
    "Give the function itself, such as `relief`"
  )
})

test_that("a selector may prepare fewer features than there are", {
  data <- toy_data(n = 24L)
  few <- tuned(relief, prepare = prepare_filter(n = 5))
  for (type in c("append", "permute")) {
    found <- probe_fdr(data$x, data$y, few, times = 2, type = type)
    expect_false(anyNA(as.data.frame(found)$q))
  }
})
