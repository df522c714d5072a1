# The plot of kbfs() shows what the fit holds.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

test_that("the path plot shows the path", {
  withr::local_seed(1)
  toy <- simulate_microarray_for_pairs()
  fit <- kbfs(toy$x, toy$y, n = 10, threads = 1)
  expect_identical(
    names(plot_types(fit)), c("path", "scores", "gene", "volcano")
  )
  path <- ggplot2::layer_data(ggplot2::autoplot(fit), 2L)
  order <- order(-path$x) # the path runs from right to left
  expect_equal(10^path$x[order], fit$path$lambda)
  expect_equal(path$y[order], fit$path$active)
})

test_that("plots work when nothing is selected, and down to lambda = 0", {
  x <- cbind(a = rep(1, 12), b = rep(c(1, -1), 6))
  fit <- kbfs(x, rep(c("u", "u", "v", "v"), 3), threads = 1)
  expect_identical(
    names(plot_types(fit)), c("path", "scores", "gene", "volcano")
  )
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(fit)))
  toy <- pair_problem(7)
  full <- kbfs(toy$x, toy$y, lambda = 0, threads = 1)
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(full)))
})
