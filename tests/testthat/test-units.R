# The design of samples: units, rows, and words for them.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("units are groups, else pairs, else samples", {
  block <- c(1, 1, 2, 2)
  group <- c(1, 2, 2, 3)
  pair <- c(1, 1, 2, 2)
  unit <- function(...) new_design(4L, list(...))[c("unit", "word")]
  expect_identical(unit(block = block), list(unit = 1:4, word = "sample"))
  expect_identical(
    unit(block = block, group = group), list(unit = group, word = "group")
  )
  expect_identical(unit(pair = pair), list(unit = pair, word = "pair"))
  expect_identical(unit(pair = pair, group = group)$word, "group")
})

test_that("rows of a design keep all that is known of them", {
  given <- list(group = c("u", "v", "v", "w"))
  design <- new_design(4L, list(group = c(1, 2, 2, 3)), given)
  some <- design_rows(design, c(4, 2))
  expect_identical(some$group, c(3, 2))
  expect_identical(some$unit, c(3, 2))
  expect_identical(some$given, list(group = c("w", "v")))
  expect_identical(n_units(some), 2L)
  expect_identical(leave_out(design, 2), c(TRUE, FALSE, FALSE, TRUE))
})

test_that("units are called by the name of their column", {
  words <- function(...) samples_words(new_design(6L, ...))
  codes <- rep(1:2, 3)
  expect_identical(words(), "6 samples")
  expect_identical(words(list(pair = codes)), "6 samples of 2 pairs")
  group <- list(group = codes)
  expect_identical(words(group), "6 samples of 2 groups")
  expect_identical(
    words(group, name = "clone"), "6 samples of 2 groups (clone)"
  )
  expect_identical(words(group, name = "Patient_ID"), "6 samples of 2 patients")
  expect_identical(words(group, name = "mouse"), "6 samples of 2 mice")
})

# A unit's classes, by loops.
classes_of <- function(unit, y) tapply(as.character(y), unit, unique)

test_that("labels move within units of several classes, and among the others", {
  for (seed in some_of(1:40)) {
    p <- withr::with_seed(seed, {
      unit <- sample(rep(1:12, sample(1:5, 12, replace = TRUE)))
      block <- 1L + unit %% (1L + seed %% 2L)
      y <- factor(letters[ifelse(unit <= c(0, 6, 12)[[1L + seed %% 3L]],
        sample(3, length(unit), TRUE), 1L + unit %% 3L
      )])
      list(unit = unit, block = block, y = y)
    })
    design <- new_design(
      length(p$y), list(group = match(p$unit, unique(p$unit)), block = p$block)
    )
    order <- withr::with_seed(
      seed, permuted_units(list(y = p$y, design = design))
    )
    own <- classes_of(p$unit, p$y)
    for (u in unique(p$unit)) {
      rows <- which(p$unit == u)
      from <- unique(p$unit[order[rows]])
      expect_length(from, 1L)
      if (length(own[[u]]) > 1L) {
        expect_identical(from, u)
      } else {
        expect_length(own[[from]], 1L)
        expect_identical(p$block[p$unit == from][[1L]], p$block[rows][[1L]])
      }
      # Samples of one class stay together, and each class goes somewhere.
      to <- lapply(split(p$y[order[rows]], droplevels(p$y[rows])), unique)
      expect_true(all(lengths(to) == 1L))
      expect_length(unique(unlist(to)), length(own[[u]]))
    }
  }
})

test_that("numbers and survival times move as whole units", {
  unit <- rep(1:6, each = 3)
  design <- new_design(18L, list(group = unit))
  for (y in list(rnorm(18), survival::Surv(1:18, rep(1, 18)))) {
    order <- withr::with_seed(1, permuted_units(list(y = y, design = design)))
    expect_identical(
      order, withr::with_seed(1, permuted_rows(rep(1L, 18), unit))
    )
  }
})

test_that("a few units are too few to permute", {
  p <- grouped_cells(4)
  quick <- function(x, y) relief(x, y, k = 2, threads = 1)
  expect_refusal(probe_fdr(p$x, p$y, quick, times = 2, group = p$unit), "group")
  fit <- relief(p$x, p$y, threads = 1)
  expect_refusal(
    interactions(fit, p$x, p$y, times = 2, group = p$unit, threads = 1), "group"
  )
  expect_silent(
    interactions(fit, p$x, p$y, times = 0, group = p$unit, threads = 1)
  )
  p <- grouped_cells(5)
  found <- withr::with_seed(
    1, probe_fdr(p$x, p$y, quick, times = 2, group = p$unit)
  )
  expect_identical(found$n_groups, 5L)
})
