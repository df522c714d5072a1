# Class labels: what is refused, what becomes of the rest.
# SPDX-License-Identifier: GPL-3.0-or-later

x <- matrix(c(1, 4, 2, 7, 3, 9, 5, 8, 6, 0, 2, 5), 6, 2)

test_that("labels that cannot be used are refused", {
  expect_refusal(llfs(x, c("a", "b", "a", "b", "a")), "y")
  expect_refusal(llfs(x, character()), "y")
  expect_refusal(llfs(x, NULL), "y")
  expect_refusal(llfs(x, c(0, 1, 0, 1, 0, 1)), "y")
  expect_refusal(llfs(x, 1:6), "y")
  expect_refusal(llfs(x, rep("healthy", 6)), "y")
  expect_refusal(llfs(x, c("a", "b", NA, "a", NA, "b")), "y", row = 3L)
  expect_refusal(llfs(x, c("a", NA, "a", "b", "a", "b")), "y", row = 2L)
  expect_refusal(llfs(x, rep(NA, 6)), "y", row = 1L)
  expect_refusal(llfs(x, as.list(letters[1:6])), "y")
  expect_refusal(llfs(x, matrix(letters[1:6])), "y")
  expect_refusal(llfs(x, data.frame(class = letters[1:6])), "y")
  expect_refusal(llfs(x, Sys.Date() + 1:6), "y")
})

test_that("levels without samples are dropped with a warning", {
  y <- factor(rep(c("a", "b"), 3), levels = c("a", "gone", "b", "lost"))
  warning <- expect_warning(
    labels <- as_labels(y, 6L),
    class = "hitmiss_warning_levels"
  )
  expect_identical(warning$levels, c("gone", "lost"))
  expect_identical(labels, factor(rep(c("a", "b"), 3)))
  expect_wording(warning)
})

test_that("the order of levels is the user's, or byte by byte", {
  y <- factor(rep(c("a", "b"), 3), levels = c("b", "a"))
  expect_identical(levels(as_labels(y, 6L)), c("b", "a"))
  expect_identical(levels(as_labels(c("b", "B", "a"), 3L)), c("B", "a", "b"))
  expect_identical(
    as_labels(c(TRUE, FALSE), 2L), factor(c("TRUE", "FALSE"))
  )
  expect_false(is.ordered(as_labels(factor(1:2, ordered = TRUE), 2L)))
})

test_that("NA marks an unlabelled sample only where that is allowed", {
  y <- c("a", NA, "b")
  expect_identical(as_labels(y, 3L, allow_unlabelled = TRUE), factor(y))
})

test_that("classes of one sample are named in one warning", {
  warning <- expect_warning(
    warn_single_samples(factor(c("a", "a", "b"))),
    class = "hitmiss_warning_single"
  )
  expect_identical(warning$classes, "b")
  expect_wording(warning)
  warning <- expect_warning(
    warn_single_samples(factor(c("a", "a", "b", "c"))),
    class = "hitmiss_warning_single"
  )
  expect_identical(warning$classes, c("b", "c"))
  expect_wording(warning)
  expect_silent(warn_single_samples(factor(c("a", "a", "b", "b"))))
})
