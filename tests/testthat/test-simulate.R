# Simulators put the relevant features where they say.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the localized toy has its groups in their places", {
  toy <- withr::with_seed(1, simulate_localized(c(400, 300, 500), noise = 3))
  expect_identical(dim(toy$x), c(1200L, 5L))
  expect_identical(as.vector(table(toy$group)), c(400L, 300L, 500L))
  expect_identical(toy$y == "two", toy$group == "C")
  means <- rowsum(toy$x, toy$group) / as.vector(table(toy$group))
  truth <- rbind(A = c(-6, 0, 0, 0, 0), B = c(0, -6, 0, 0, 0), C = 0)
  # Five standard errors of a mean of 300.
  expect_lt(max(abs(means - truth)), 5 / sqrt(300))
  expect_lt(max(abs(apply(toy$x[toy$group == "C", ], 2, sd) - 1)), 0.16)
  expect_identical(colnames(simulate_localized(noise = 0)$x), c("x1", "x2"))
})

test_that("the microarray's relevant genes are raised in one class", {
  array <- withr::with_seed(2, simulate_microarray(
    c(200, 200, 200),
    genes = 120, relevant = 4, effect = 3, block = 10
  ))
  expect_identical(dim(array$x), c(600L, 120L))
  expect_length(array$relevant, 12L)
  means <- rowsum(array$x, array$y) / 200
  spread <- apply(means, 2, max) - apply(means, 2, min)
  expect_setequal(names(which(spread > 1.5)), array$relevant)
  correlations <- cor(array$x[array$y == "class1", ])
  same <- outer(0:119 %/% 10, 0:119 %/% 10, "==") & upper.tri(correlations)
  other <- !outer(0:119 %/% 10, 0:119 %/% 10, "==") & upper.tri(correlations)
  expect_lt(abs(mean(correlations[same]) - 0.3), 0.05)
  expect_lt(abs(mean(correlations[other])), 0.05)
})

test_that("the seed governs, and bad arguments are refused", {
  expect_identical(
    withr::with_seed(3, simulate_microarray(genes = 50, relevant = 2)),
    withr::with_seed(3, simulate_microarray(genes = 50, relevant = 2))
  )
  expect_refusal(simulate_localized(n = 5), "n")
  expect_refusal(simulate_localized(n = c(1, 2, NA)), "n")
  expect_refusal(simulate_localized(noise = -1), "noise")
  expect_refusal(simulate_localized(shift = "far"), "shift")
  expect_refusal(simulate_microarray(n = 5), "n")
  expect_refusal(simulate_microarray(genes = 10, relevant = 9), "relevant")
  expect_refusal(simulate_microarray(correlation = 1.5), "correlation")
})
