# ROC of selections, and redundancy of sets.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the area is the chance that a relevant feature scores higher", {
  set.seed(1)
  for (round in 1:60) {
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
  expect_true(nzchar(picture$labels$caption))
})

test_that("bad scores and relevant features are refused", {
  scores <- c(a = 1, b = 2, c = 3)
  refused <- function(arg, ...) {
    error <- expect_error(selection_roc(...), class = "hitmiss_error_input")
    expect_identical(error$arg, arg)
  }
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

test_that("redundancy is the mean |correlation| and its histogram", {
  set.seed(3)
  for (round in 1:50) {
    n <- sample(5:30, 1)
    j <- sample(2:8, 1)
    x <- matrix(rnorm(n * j), n) + rnorm(n)
    colnames(x) <- paste0("f", seq_len(j))
    found <- redundancy(x)
    r <- abs(cor(x))[upper.tri(diag(j))]
    expect_equal(found$mean, mean(r))
    bins <- cut(r, 0:10 / 10, right = FALSE, include.lowest = TRUE)
    expect_identical(found$pairs, as.vector(table(bins)))
    expect_equal(sum(found$share), 1)
    some <- colnames(x)[1:2]
    expect_equal(redundancy(x, some)$mean, r[[1]])
    expect_equal(redundancy(as.data.frame(x), 1:2)$mean, r[[1]])
  }
})

test_that("redundancy does not depend on the unit", {
  set.seed(4)
  x <- matrix(rnorm(60), 15)
  for (unit in c(1e-310, 1e-200, 1e200, 1e307)) {
    found <- redundancy(x * unit)
    # The smallest numbers have few digits.
    expect_equal(found$mean, redundancy(x)$mean, tolerance = 1e-10)
    expect_identical(found$constant, character())
  }
})

test_that("redundancy: constants are left out, borders belong above", {
  x <- cbind(a = 1:5, b = 2 * (1:5) + 1, c = 7, d = c(1, -1, 1, -1, 1))
  found <- redundancy(x)
  expect_identical(found$constant, "c")
  expect_identical(found$features, c("a", "b", "d"))
  # |cor(a, b)| = 1 lies in the last bin, the two zeros in the first.
  expect_identical(found$pairs, c(2L, rep(0L, 8), 1L))
  expect_output(print(found), "left out: c")
  error <- expect_error(
    redundancy(x, c("a", "c")), class = "hitmiss_error_input"
  )
  expect_identical(error$arg, "features")
  expect_refusal(redundancy(cbind(a = rep(1, 5), b = 2)), "features")
  expect_refusal(redundancy(x[1:2, ]), "features")
  expect_error(redundancy(x, "z"), class = "hitmiss_error_input")
  expect_error(redundancy("a"), class = "hitmiss_error_input")
  skip_if_not_installed("ggplot2")
  picture <- plot(found)
  expect_true(nzchar(picture$labels$caption))
})

test_that("p-values are warned of by the name they come under", {
  padj <- c(a = 0.01, b = 0.5, c = 0.9)
  table <- data.frame(P.Value = unname(padj), row.names = names(padj))
  expect_warning(selection_roc(padj, "a"), class = "hitmiss_warning_p_values")
  expect_warning(
    selection_roc(setNames(table[["P.Value"]], rownames(table)), "a"),
    "P.Value.*-log10"
  )
  scores <- padj
  pvalue <- 10 * padj
  for (quiet in expression(
    selection_roc(-log10(padj), "a"), selection_roc(1 - padj, "a"),
    selection_roc(scores, "a"), selection_roc(pvalue, "a"),
    do.call(selection_roc, list(c(p = 0.1, q = 0.2), "p"))
  )) {
    expect_no_warning(eval(quiet))
  }
})
