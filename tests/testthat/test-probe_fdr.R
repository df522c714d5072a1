# False discoveries by probes: the formulas, the truth on average, edges.
# SPDX-License-Identifier: GPL-3.0-or-later

t_scores <- function(x, y) sqrt(reference_scores(x, y, threads = 1))

# Noise in blocks of 50 with correlation rho, the first 20 features of random
# places shifted by delta in the second class (setting S2 of the evaluation).
block_data <- function(seed, n = c(40, 40), genes = 2000, delta = 0.9,
                       rho = 0.5, relevant = 20, size = 50) {
  set.seed(seed)
  array <- simulate_microarray(
    samples = n, genes = genes, relevant = 0, block = size, correlation = rho
  )
  true <- sample(genes, relevant)
  second <- array$y == "class2"
  array$x[second, true] <- array$x[second, true] + delta
  list(x = array$x, y = array$y, true = colnames(array$x)[true])
}

test_that("counts, estimates and q follow the formulas", {
  for (seed in some_of(1:20)) {
    data <- block_data(
      seed, c(8, 8), genes = 30, delta = 2, relevant = 3, size = 5
    )
    copies <- 1 + seed %% 2
    set.seed(seed)
    found <- probe_fdr(
      data$x, data$y, t_scores,
      probes = copies, times = 4, longest = 12, level = 0.8
    )
    # The same draws, in the same order.
    set.seed(seed)
    stats::runif(6)
    counts <- t(vapply(1:4, function(b) {
      rows <- lapply(seq_len(copies), function(i) draw_from(1:16, 16))
      sample.int(30 * (copies + 1))
      real <- t_scores(data$x, data$y)
      probe <- unlist(lapply(rows, function(r) t_scores(data$x[r, ], data$y)))
      vapply(
        sort(real, decreasing = TRUE)[1:12], function(t) sum(probe >= t), 0
      )
    }, numeric(12)))
    expect_equal(found$probe_counts, unname(counts), info = seed)
    fdr <- pmin(1, (1 + colSums(counts)) / (copies * 4 * 1:12))
    expect_equal(found$table$fdr, unname(fdr))
    q <- vapply(1:12, function(n) min(fdr[n:12]), 0)
    expect_equal(found$table$q, q)
    expect_equal(found$table$upper, unname(pmin(1, apply(
      counts / copies / rep(1:12, each = 4), 2, quantile, 0.8
    ))))
    scores <- t_scores(data$x, data$y)
    expect_identical(found$table$feature, names(scores)[order(-scores)][1:12])
    expect_identical(found$n_at[["0.2"]], max(0L, which(q <= 0.2)))
    expect_identical(selected(found, q = 0.2), found$table$feature[q <= 0.2])
    expect_false(is.unsorted(found$table$q))
    expect_identical(found$list_fdr, NA_real_)
  }
})

test_that("permuted labels count features that reach the real ones", {
  data <- block_data(3, c(8, 8), genes = 30, delta = 2, relevant = 3, size = 5)
  set.seed(4)
  found <- probe_fdr(data$x, data$y, t_scores,
    type = "permute", times = 3, longest = 10
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
  top <- function(x, y) {
    scores <- t_scores(x, y)
    names(sort(scores[scores > 0.6], decreasing = TRUE))
  }
  set.seed(6)
  found <- probe_fdr(data$x, data$y, top, times = 3, longest = 40)
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

test_that("a sparse list is printed to its end, and an empty one in words", {
  set.seed(1)
  toy <- simulate_microarray(samples = c(20, 20), genes = 100)
  found <- probe_fdr(toy$x, toy$y, logo, times = 2)
  printed <- capture.output(print(found))
  last <- grep("^q: expected share", printed) - 1L
  expect_match(printed[[last]], paste0("^ *", found$list_size, " "))
  expect_lt(found$list_size, 100L)
  none <- probe_fdr(
    toy$x, toy$y, function(x, y) logo(x, y, lambda = 1e4), times = 2
  )
  expect_identical(none$list_size, 0L)
  expect_output(print(none), "chose no feature")
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
    stats::setNames(rev(seq_len(ncol(x))), colnames(x))
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

test_that("ties count against us; constants do not disturb", {
  y <- factor(rep(c("a", "b"), each = 6))
  x <- cbind(zero = 0, one = rep(0:1, each = 6), two = 5)
  set.seed(3)
  flat <- probe_fdr(x, y, function(x, y) {
    stats::setNames(rep(1, ncol(x)), colnames(x))
  }, times = 2)
  expect_true(all(flat$probe_counts == 3))
  expect_true(all(flat$table$fdr == 1))
  expect_identical(flat$auc, 0.5)
  fine <- probe_fdr(x, y, t_scores, times = 20)
  expect_identical(fine$table$feature[[1]], "one")
  expect_lt(fine$table$fdr[[1]], 0.3)
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
    found <- probe_fdr(data$x, data$y, t_scores, longest = 100)
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
    probe_fdr(noise$x, noise$y, t_scores, longest = 50)$n_at[["0.1"]] > 0
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

test_that("a fit, a name and p-values in place of a selector are answered", {
  data <- block_data(8, c(10, 10), genes = 50, relevant = 3, size = 5)
  fit <- relief(data$x, data$y, k = 5, threads = 1)
  expect_input_error(
    probe_fdr(data$x, data$y, fit), "instead of the fit: `relief`"
  )
  expect_input_error(
    probe_fdr(data$x, data$y, "relief"),
    "Give the function itself, such as `relief`"
  )
  p_values <- function(x, y) {
    apply(x, 2, function(v) t.test(v ~ y)$p.value)
  }
  expect_warning(
    probe_fdr(data$x, data$y, p_values, times = 1),
    class = "hitmiss_warning_p_values"
  )
  expect_no_warning(
    probe_fdr(data$x, data$y, function(x, y) -log10(p_values(x, y)), times = 1)
  )
})

test_that("the print promises no more than holds", {
  data <- block_data(8, c(10, 10), genes = 50, relevant = 0, size = 5)
  found <- withr::with_seed(1, probe_fdr(data$x, data$y, t_scores, times = 2))
  printed <- capture.output(print(found))
  expect_no_match(printed, "twin|right on average", all = TRUE)
  expect_match(
    paste(printed, collapse = " "), "conservative where features are"
  )
  if (found$n_at[["0.2"]] == 0L) {
    expect_match(printed, "No list has q at most .2", all = FALSE)
  }
  expect_lte(max(nchar(printed)), 80L)
})

test_that("an empty list, a short one, one run are printed, drawn or refused", {
  skip_if_not_installed("ggplot2")
  data <- block_data(8, c(10, 10), genes = 50, relevant = 3, size = 5)
  run <- function(selector, ...) {
    withr::with_seed(1, probe_fdr(data$x, data$y, selector, ...))
  }
  none <- run(function(x, y) character(), times = 2)
  expect_output(print(none), "chose no feature, so there is no list")
  expect_input_error(ggplot2::autoplot(none), "nothing to draw")
  best <- run(function(x, y) names(sort(-t_scores(x, y)))[1:3], times = 2)
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(best)))
  one <- run(t_scores, times = 1, longest = 1)
  expect_output(print(one), "q cannot be below 1 here: use more runs")
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(one)))
})
