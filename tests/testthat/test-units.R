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
