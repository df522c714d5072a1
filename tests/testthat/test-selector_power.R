# Planted features: what is planted, who finds it, what the design allows.
# SPDX-License-Identifier: GPL-3.0-or-later

power_data <- function(n = c(14, 12), genes = 60, seed = 1L) {
  withr::with_seed(seed, simulate_microarray(n, genes, relevant = 4))
}

by_t <- function(x, y) t_selector(x, y)
patterns <- eval(formals(selector_power)$pattern)
by_name <- function(x, y) sort(colnames(x))

test_that("features are planted as they are defined", {
  set.seed(1)
  for (round in some_of(1:40)) {
    n <- sample(10:20, 1L)
    j <- sample(6:12, 1L)
    k <- sample(2:3, 1L)
    x <- matrix(rnorm(n * j), n)
    y <- factor(sample(rep_len(seq_len(k), n)))
    block <- if (round %% 3L == 0L) rep_len(1:2, n)
    problem <- list(y = y, design = new_design(n, list(block = block)))
    draw <- list(
      features = sample(j, 4L), class = sample.int(k, 4L, TRUE),
      up = sample(c(-1, 1), 4L, TRUE), order = runif(n)
    )
    effect <- runif(1L, 0, 2)
    for (pattern in patterns) {
      planted <- plant(x, y, draw, pattern, effect, problem)
      expect_identical(planted[, -draw$features], x[, -draw$features])
      for (i in 1:4) {
        v <- x[, draw$features[[i]]]
        s <- if (is.null(block)) sd(v) else summary(lm(v ~ factor(block)))$sigma
        class <- draw$class[[i]]
        wanted <- v
        for (r in seq_len(n)) {
          inside <- as.integer(y)[[r]] == class
          early <- draw$order[[r]] <= median(draw$order[y == y[[r]]])
          wanted[[r]] <- v[[r]] + switch(pattern,
            shift = inside * effect * s * draw$up[[i]],
            subgroup = (inside && early) * 2 * effect * s * draw$up[[i]],
            spread = inside * effect *
              (v[[r]] - mean(v[as.integer(y) == class]))
          )
        }
        expect_equal(planted[, draw$features[[i]]], wanted)
      }
    }
  }
})

test_that("the shares are those of the first features of each list", {
  d <- power_data()
  run <- function(...) {
    withr::with_seed(3, selector_power(d$x, d$y,
      list(t = by_t, name = by_name), planted = 6, effect = c(4, 0.5),
      pattern = "shift", times = 3, ...
    ))
  }
  found <- run()
  expect_named(found, c("selector", "pattern", "effect", "found", "se"))
  expect_identical(found$selector, c("t", "t", "name", "name"))
  expect_identical(found$table$effect, c(0.5, 4, 0.5, 4))
  # The first draw by hand, with the random numbers that it takes.
  problem <- as_problem_coded(d$x, d$y)
  plan <- list(planted = 6, varies = 1:60)
  draw <- withr::with_seed(3, power_draws(problem, plan, 3L))[[1L]]
  y <- d$y[draw$rows]
  expect_identical(sort(draw$rows), seq_along(y))
  for (row in 1:2) {
    x <- plant(d$x, y, draw, "shift", found$table$effect[[row]], problem)
    best <- names(sort(-t_selector(x, y)))[1:6]
    share <- mean(colnames(d$x)[draw$features] %in% best)
    expect_equal(found$draws[1L, row], share)
  }
  expect_equal(found$found, colMeans(found$draws))
  expect_equal(found$se, apply(found$draws, 2L, sd) / sqrt(3))
  expect_identical(found$found[[2L]], 1)
  expect_equal(found$chance, 0.1)
  expect_identical(run(), found)
  expect_output(
    print(found), "6 features that differ by 0.5 sd: t finds"
  )
  expect_output(print(found), "in 14 [+] 12 samples like yours, 3 draws")
  skip_if_not_installed("BiocParallel")
  expect_identical(run(BPPARAM = BiocParallel::SerialParam())$table,
    found$table
  )
})

test_that("large effects are found, and no effect by chance", {
  d <- power_data(c(30, 30), 100)
  found <- withr::with_seed(1, selector_power(d$x, d$y,
    list(t = by_t, multisurf = function(x, y) {
      relief(x, y, method = "multisurf", threads = 1)
    }),
    planted = 10, effect = c(0, 3), times = 8
  ))
  table <- as.data.frame(found)
  expect_lt(max(table$found[table$effect == 0]), 0.3)
  share <- function(selector, pattern) {
    table$found[table$selector == selector & table$pattern == pattern &
      table$effect == 3]
  }
  expect_gt(share("t", "shift"), 0.95)
  expect_gt(share("t", "subgroup"), 0.8)
  expect_gt(share("multisurf", "spread"), share("t", "spread"))
})

test_that("blocks, groups and pairs are heeded", {
  d <- power_data(c(12, 12))
  batch <- rep_len(c("u", "v"), 24)
  patient <- rep(1:12, each = 2)
  pair <- rep(1:12, 2)
  seen <- list()
  spy <- function(x, y, block = NULL, group = NULL) {
    seen[[length(seen) + 1L]] <<- list(x = x, y = y, group = group)
    t_selector(x, y)
  }
  run <- function(...) {
    seen <<- list()
    selector_power(d$x, d$y, list(spy = spy), 4, 1, times = 3, ...)
  }
  run(block = batch)
  for (call in seen) {
    expect_identical(table(call$y, batch), table(d$y, batch))
  }
  y <- d$y
  d$y <- factor(rep(rep(c("a", "b"), each = 2), 6))
  run(group = patient)
  for (call in seen) {
    expect_true(all(tapply(call$y, patient, \(y) length(unique(y)) == 1L)))
    expect_identical(call$group, patient)
  }
  d$y <- y
  # Without `pattern`, those that pairs can have.
  expect_identical(run(pair = pair)$pattern, c("shift", "subgroup"))
  for (call in seen) {
    expect_true(all(tapply(call$y, pair, \(y) length(unique(y)) == 2L)))
    # Values stay differences from the mean of their pair.
    expect_lt(max(abs(rowsum(call$x, pair))), 1e-9)
  }
  # The effect of a pair is in standard deviations of its difference.
  problem <- as_problem_coded(d$x, d$y) |> with_pairs(d$x, pair)
  plan <- list(planted = 4, varies = 1:60)
  draw <- withr::with_seed(1, power_draws(problem, plan, 1L))[[1L]]
  permuted <- d$y[draw$rows]
  before <- problem$values
  after <- plant(before, permuted, draw, "shift", 1, problem)
  for (i in 1:4) {
    at <- draw$features[[i]]
    gap <- function(x) {
      tapply(x[, at] * ifelse(
        as.integer(permuted) == draw$class[[i]], 1, -1
      ), pair, sum)
    }
    expect_equal(
      as.vector(gap(after) - gap(before)),
      rep(draw$up[[i]] * sd(gap(before)), 12)
    )
  }
  expect_refusal(run(pair = pair, pattern = "spread"), "pattern")
  expect_refusal(run(block = as.character(d$y)), "block")
})

test_that("functions of a size, short lists, failures, categories", {
  d <- power_data()
  calls <- 0
  found <- suppressWarnings(selector_power(d$x, d$y, list(
    sized = function(x, y, size) names(sort(-t_selector(x, y)))[1:size],
    short = function(x, y) names(sort(-t_selector(x, y)))[1:2],
    fails = function(x, y) {
      calls <<- calls + 1
      if (calls == 2) stop("no luck")
      t_selector(x, y)
    }
  ), 4, 5, "shift", times = 4))
  expect_identical(found$found[c(1L, 3L)], c(1, 1))
  expect_identical(found$found[[2L]], 0.5)
  expect_identical(sum(is.na(found$draws)), 1L)
  frame <- data.frame(d$x, colour = factor(rep_len(c("r", "g"), 26)))
  set.seed(2)
  mixed <- selector_power(frame, d$y, list(relief = function(x, y) {
    expect_s3_class(x$colour, "factor")
    relief(x, y, k = 3, threads = 1)
  }), 4, 1, "shift", times = 2)
  expect_false(anyNA(mixed$found))
  expect_warning(
    selector_power(d$x, d$y, list(fails = function(x, y) {
      calls <<- calls + 1
      if (calls %% 2 == 0) stop("no luck")
      t_selector(x, y)
    }), 4, 1, "shift", times = 2),
    class = "hitmiss_warning_failed", "1 of 2 fits failed"
  )
})

test_that("what cannot be planted is refused", {
  d <- power_data()
  refused <- function(arg, ..., selectors = list(t = by_t)) {
    expect_refusal(selector_power(d$x, d$y, selectors, ...), arg)
  }
  refused("planted", planted = 31)
  refused("effect", planted = 4, effect = -1)
  refused("effect", planted = 4, effect = numeric())
  refused("effect", planted = 4, effect = "big")
  refused("pattern", planted = 4, pattern = character())
  refused("times", planted = 4, times = 0)
  refused("selectors", selectors = 1)
  expect_refusal(selector_power(d$x, d$y), "selectors")
  # What does not vary can hold no feature.
  d$x[, 5:60] <- 1
  refused("planted", planted = 3, pattern = "shift")
})

test_that("a logical matrix is taken as its numbers", {
  d <- power_data()
  high <- d$x > median(d$x)
  shares <- lapply(list(high, high + 0), function(x) {
    withr::with_seed(4, selector_power(x, d$y, list(t = by_t), 4, times = 2))
  })
  expect_identical(shares[[1]]$found, shares[[2]]$found)
})

test_that("the picture has a panel for each pattern", {
  skip_if_not_installed("ggplot2")
  d <- power_data()
  for (pattern in list("shift", c("shift", "spread"))) {
    found <- selector_power(d$x, d$y, list(t = by_t), 4, c(1, 2), pattern, 2)
    picture <- ggplot2::autoplot(found)
    expect_silent(ggplot2::ggplot_build(picture))
    expect_match(picture$labels$caption, "14 [+] 12 samples")
  }
})
