# Estimates of false discoveries and their print, by their formulas.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("counts, estimates and q follow the formulas", {
  for (seed in some_of(1:20)) {
    data <- block_data(
      seed, c(8, 8), genes = 30, delta = 2, relevant = 3, size = 5
    )
    copies <- 1 + seed %% 2
    set.seed(seed)
    found <- probe_fdr(
      data$x, data$y, t_scores,
      probes = copies, times = 4, n = 12, level = 0.8
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
    expect_equal(found$table$upper, pmax(q, pmin(1, apply(
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

test_that("a sparse list is printed to its end", {
  set.seed(1)
  toy <- simulate_microarray(samples = c(20, 20), genes = 100)
  found <- probe_fdr(toy$x, toy$y, logo, times = 2)
  printed <- capture.output(print(found))
  last <- grep("^q: expected share", printed) - 1L
  expect_match(printed[[last]], paste0("^ *", found$list_size, " "))
  expect_lt(found$list_size, 100L)
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
  one <- run(t_scores, times = 1, n = 1)
  expect_output(print(one), "q cannot be below 1 here: use more runs")
  all <- run(t_scores, times = 2, n = Inf)
  few <- run(t_scores, times = 2, n = 9)
  expect_setequal(all$feature, colnames(data$x))
  expect_identical(all$table$fdr[1:9], few$table$fdr)
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(one)))
})

test_that("the upper limit of a list's false share is not below its q", {
  data <- toy_data()
  for (selector in list(relief, logo)) {
    found <- withr::with_seed(
      1, probe_fdr(data$x, data$y, selector, times = 5)
    )
    expect_true(all(found$upper >= found$q))
  }
})
