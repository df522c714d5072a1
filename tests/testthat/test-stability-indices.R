# Indices of stability, by hand and by their definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

row_of <- function(...) as.data.frame(stability(...))

test_that("hand values", {
  sets <- list(1:3, 1:4, 1:5)
  found <- row_of(sets, 10)
  expect_equal(found$nogueira, 13 / 18, tolerance = 1e-12)
  expect_equal(found$jaccard, 43 / 60, tolerance = 1e-12)
  expect_true(is.na(found$kuncheva))
  sets <- list(1:2, c(1, 3), 1:2, c(1, 4))
  whole <- stability(sets, 6)
  found <- as.data.frame(whole)
  expect_equal(found$nogueira, 0.375, tolerance = 1e-12)
  expect_equal(found$kuncheva, 0.375, tolerance = 1e-12)
  expect_equal(found$jaccard, 4 / 9, tolerance = 1e-12)
  expect_equal(unname(whole$frequency[, 1]), c(1, 0.5, 0.25, 0.25, 0, 0))
  expect_identical(whole$n_sets, 4L)
  expect_identical(whole$n_features, 6L)
})

test_that("indices agree with their definitions", {
  set.seed(1)
  for (round in some_of(1:60)) {
    j <- sample(4:40, 1)
    m <- sample(3:8, 1)
    same <- round %% 2 == 0
    size <- sample(j - 1, 1)
    sets <- lapply(seq_len(m), function(i) {
      sample(j, if (same) size else sample(0:j, 1))
    })
    z <- incidence(sets, j)
    if (sum(z) %in% c(0, length(z))) next
    found <- row_of(sets, j, level = 0.9)
    expect_equal(found$jaccard, reference_jaccard(z))
    expect_equal(found$nogueira, reference_nogueira(z), tolerance = 1e-12)
    # Sets of any kind have no interval, those of halvings have.
    expect_identical(c(found$lower, found$upper), c(NA_real_, NA_real_))
    pairs <- lapply(seq_len(m), function(i) {
      list(sets[[i]], sample(j, max(1, length(sets[[i]]) - !same)))
    })
    if (!all(lengths(sets) %in% seq(1, j - 1))) next
    halved <- set_indices(unlist(pairs, FALSE), pairs, j, 0.9)
    expect_equal(
      c(halved$nogueira, halved$lower, halved$upper),
      reference_halving(pairs, j, 0.9)
    )
    expect_equal(halved$jaccard, mean(vapply(pairs, function(pair) {
      reference_jaccard(incidence(pair, j))
    }, 0)))
    if (same) expect_equal(halved$kuncheva, halved$nogueira)
    expect_equal(found$mean_k, mean(rowSums(z)))
    expect_equal(found$empty, sum(rowSums(z) == 0))
    if (same) {
      expect_equal(found$kuncheva, found$nogueira, tolerance = 1e-12)
      expect_equal(found$kuncheva, reference_kuncheva(z), tolerance = 1e-12)
    }
  }
})

test_that("edges: equal, empty, full, one set, two sets", {
  expect_identical(row_of(list(1:3, 1:3, 1:3), 9)$nogueira, 1)
  pair <- list(1:3, 1:3)
  equal <- set_indices(c(pair, pair), list(pair, pair), 9, 0.95)
  expect_identical(c(equal$lower, equal$upper), c(1, 1))
  bare <- list(integer(), integer())
  one <- set_indices(c(pair, bare), list(pair, bare), 9, 0.95)
  expect_identical(c(one$nogueira, one$lower, one$kuncheva), c(1, NA, NA))
  nothing <- set_indices(list(), list(), 9, 0.95)
  expect_false(any(vapply(nothing, is.nan, NA)))
  none <- row_of(list(integer(), integer(), character()), 5)
  expect_true(is.na(none$nogueira) && is.na(none$lower) && is.na(none$jaccard))
  expect_identical(none$empty, 3L)
  full <- row_of(list(1:5, 1:5), 5)
  expect_true(is.na(full$nogueira) && is.na(full$kuncheva))
  expect_identical(full$jaccard, 1)
  single <- row_of(list(1:2), 5)
  expect_true(is.na(single$nogueira) && is.na(single$jaccard))
  # The least value there is: two sets that share nothing.
  two <- row_of(list(1:2, 3:4), 4)
  expect_identical(two$nogueira, -1)
  expect_true(is.na(two$lower))
})
