# ROC of selections.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the area is the chance that a relevant feature scores higher", {
  set.seed(1)
  for (round in some_of(1:60)) {
    j <- sample(3:40, 1)
    scores <- round(rnorm(j), sample(0:2, 1))
    names(scores) <- paste0("f", seq_len(j))
    relevant <- sample(names(scores), sample(j - 1, 1))
    good <- scores[relevant]
    other <- scores[setdiff(names(scores), relevant)]
    expected <- mean(outer(good, other, ">") + outer(good, other, "==") / 2)
    found <- selection_roc(scores, relevant)
    expect_equal(found$auc, expected, tolerance = 1e-12)
    expect_equal(
      selection_roc(scores, match(relevant, names(scores)))$auc, expected
    )
    curve <- as.data.frame(found)
    expect_identical(
      curve$n, vapply(curve$threshold, function(t) sum(scores >= t), 1L)
    )
    expect_equal(
      curve$relevant, vapply(curve$threshold, function(t) mean(good >= t), 0)
    )
    expect_equal(
      curve$other, vapply(curve$threshold, function(t) mean(other >= t), 0)
    )
  }
  # Tie of a relevant and another feature: the example of EVALUATION's AUC.
  scores <- c(a = .9, b = .8, c = .7, d = .6, e = .55, f = .4)
  expect_equal(selection_roc(scores, c("a", "b", "d"))$auc, 8 / 9)
})

test_that("fits are understood, and a good one beats chance", {
  toy <- withr::with_seed(2, simulate_localized(noise = 40))
  found <- selection_roc(relief(toy$x, toy$y, threads = 1), toy$relevant)
  expect_gt(found$auc, 0.95)
  expect_output(print(found), "2 of the 2 relevant")
  skip_if_not_installed("ggplot2")
  picture <- plot(found)
  expect_s3_class(picture, "ggplot")
  expect_true(nzchar(picture$labels$subtitle))
})

test_that("bad scores and relevant features are refused", {
  scores <- c(a = 1, b = 2, c = 3)
  refused <- function(arg, ...) expect_refusal(selection_roc(...), arg)
  refused("relevant", scores, "d")
  refused("relevant", scores, c("a", "a"))
  refused("relevant", scores, c("a", "b", "c"))
  refused("relevant", scores, 4)
  refused("relevant", scores, TRUE)
  refused("x", unname(scores), "a")
  refused("x", letters, "a")
  refused("x", c(scores, d = NA), "a")
  refused("x", c(scores, a = 1), "a")
})
