# interactions() against its definition.
# SPDX-License-Identifier: GPL-3.0-or-later

reference_interactions <- function(x, y, allowed = near_allowed(length(y))) {
  at <- t(utils::combn(length(y), 2))
  at <- at[allowed[at] == 1, , drop = FALSE]
  same <- y[at[, 1]] == y[at[, 2]]
  differences <- vapply(seq_along(x), function(j) {
    v <- x[[j]]
    if (is.factor(v)) {
      return(1 * (v[at[, 1]] != v[at[, 2]]))
    }
    abs(v[at[, 1]] - v[at[, 2]])
  }, numeric(nrow(at)))
  correlation <- function(rows) {
    r <- suppressWarnings(cor(differences[rows, , drop = FALSE]))
    r[is.na(r)] <- 0
    r
  }
  # For independent features: each pair has the means of its two classes.
  kind <- paste(
    pmin(as.integer(y)[at[, 1]], as.integer(y)[at[, 2]]),
    pmax(as.integer(y)[at[, 1]], as.integer(y)[at[, 2]])
  )
  means <- apply(differences, 2, \(d) ave(d, kind))
  of_means <- function(rows) {
    r <- cov(means[rows, , drop = FALSE])
    s <- apply(differences[rows, , drop = FALSE], 2, sd)
    r <- r / outer(s, s)
    r[outer(s, s) == 0 | is.na(r)] <- 0
    r
  }
  list(
    hits = correlation(same), misses = correlation(!same),
    expected = of_means(same) - of_means(!same)
  )
}

toy <- withr::with_seed(4, simulate_localized(noise = 10))

test_that("interactions are differences of correlations over allowed pairs", {
  compared <- 0
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    n <- length(p$y)
    design <- if (seed %% 2 == 0) near_design(seed, n, p$y) else list()
    allowed <- near_allowed(n, design$block, design$group)
    kinds <- outer(p$y, p$y, "==")[allowed == 1]
    if (sum(kinds) < 6 || sum(!kinds) < 6) next
    x <- as.data.frame(p$x)
    if (seed %% 3 == 1) x$f <- factor(sample(letters[1:3], n, TRUE))
    fit <- suppressWarnings(relief(x, p$y, threads = 1))
    result <- suppressWarnings(interactions(fit, x, p$y,
      times = 0, block = design$block, group = design$group, threads = 1
    ))
    expected <- reference_interactions(x, p$y, allowed)
    at <- cbind(
      match(result$feature1, names(x)),
      match(result$feature2, names(x))
    )
    expect_equal(result$hits, expected$hits[at], tolerance = 1e-9)
    expect_equal(result$misses, expected$misses[at], tolerance = 1e-9)
    expect_equal(result$expected, expected$expected[at], tolerance = 1e-9)
    expect_identical(
      nrow(result), as.integer(choose(sum(!fit$preprocess$constant), 2))
    )
    compared <- compared + 1
  }
  expect_gt(compared, 4)
})

test_that("threads change no bit, and a seed gives the same permutations", {
  data <- toy_data(n = 40L, noise = 20L)
  fit <- relief(data$x, data$y, threads = 1)
  run <- function(threads) {
    withr::with_seed(1, interactions(fit, data$x, data$y,
      times = 3, threads = threads
    ))
  }
  expect_identical(run(1), run(2))
  state <- withr::with_seed(1, {
    before <- .Random.seed
    interactions(fit, data$x, data$y, times = 0, threads = 1)
    identical(before, .Random.seed)
  })
  expect_true(state)
})

test_that("a pair that acts together is first, one that does not by chance", {
  found <- vapply(1:5, function(seed) {
    withr::with_seed(seed, {
      x <- matrix(
        rnorm(120 * 30), 120, dimnames = list(NULL, paste0("f", 1:30))
      )
      y <- factor(x[, 1] * x[, 2] > 0, labels = c("a", "b"))
      fit <- relief(x, y, threads = 1)
      xor <- interactions(fit, x, y, times = 20, threads = 1)[1, ]
      y <- factor(rep(c("a", "b"), 60))
      x[y == "b", 1:2] <- x[y == "b", 1:2] + 1
      fit <- relief(x, y, threads = 1)
      additive <- interactions(fit, x, y, times = 20, threads = 1)[1, ]
    })
    c(
      setequal(unlist(xor[2:3]), c("f1", "f2")) && xor$interaction > 0 &&
        xor$p_value < 0.05,
      additive$p_value < 0.05
    )
  }, logical(2))
  expect_true(all(found[1, ]))
  expect_lte(sum(found[2, ]), 2L)
})

test_that("p-values count permutations, this one included", {
  run <- list(
    hits = matrix(c(0, 0.5, 0.1, 0.5, 0, -0.2, 0.1, -0.2, 0), 3),
    misses = matrix(0, 3, 3), expected = matrix(0, 3, 3),
    largest_by_chance = c(0.1, 0.2, 0.3)
  )
  result <- new_interactions(c("a", "b", "c"), run, 10L, quote(interactions()))
  expect_identical(result$interaction, c(0.5, -0.2, 0.1))
  expect_identical(result$p_value, c(1, 3, 4) / 4)
})

test_that("print and mistakes", {
  data <- toy_data(n = 30L, noise = 10L)
  fit <- relief(data$x, data$y, threads = 1)
  result <- withr::with_seed(1, interactions(fit, data$x, data$y,
    searched = 6, times = 4, threads = 1
  ))
  expect_snapshot(print(result))
  expect_refusal(interactions(data$x, data$x, data$y), "fit")
  expect_refusal(interactions(fit, data$x[, 1:3], data$y), "x")
  expect_refusal(interactions(fit, data$x, data$y, searched = 1), "searched")
  expect_refusal(interactions(fit, data$x, data$y, block = data$y), "block")
  expect_refusal(interactions(fit, data$x, seq_along(data$y)), "y")
})

test_that("a pair needs two features", {
  one <- toy$x[, 1:2]
  one[, 2] <- 1
  fit <- relief(one, toy$y, threads = 1)
  refused(interactions(fit, one, toy$y), "a pair needs")
})
