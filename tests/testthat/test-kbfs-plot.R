# The plots of kbfs() and pwfp() show what the fits hold.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

test_that("the path plot shows the path, the entry plot the best features", {
  withr::local_seed(1)
  toy <- simulate_microarray_for_pairs()
  fit <- kbfs(toy$x, toy$y, n_features = 10, threads = 1)
  expect_identical(names(plot_types(fit)), c("path", "entry", "scores"))
  path <- ggplot2::layer_data(ggplot2::autoplot(fit), 2L)
  order <- order(-path$x) # the path runs from right to left
  expect_equal(10^path$x[order], fit$path$lambda)
  expect_equal(path$y[order], fit$path$active)
  entry <- ggplot2::autoplot(fit, "entry", n = 5)
  points <- ggplot2::layer_data(entry, 3L)
  best <- head(fit$ranking[!is.na(fit$entry[fit$ranking])], 5)
  expect_equal(
    10^points$x[order(-points$y)], fit$path$lambda[fit$entry[best]],
    ignore_attr = TRUE
  )
})

test_that("plots work when nothing is selected, and down to lambda = 0", {
  x <- cbind(a = rep(1, 12), b = rep(c(1, -1), 6))
  fit <- kbfs(x, rep(c("u", "u", "v", "v"), 3), threads = 1)
  expect_identical(names(plot_types(fit)), c("path", "scores"))
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(fit)))
  toy <- pair_problem(7)
  full <- kbfs(toy$x, toy$y, lambda = 0, threads = 1)
  expect_silent(ggplot2::ggplot_build(ggplot2::autoplot(full)))
})

test_that("the pairs plot has both shares, and names the best features", {
  withr::local_seed(1)
  toy <- simulate_microarray_for_pairs()
  colnames(toy$x)[1:2] <- c("HLA-DRB1*15:01", "1405_i_at (100%)")
  fit <- pwfp(toy$x, toy$y, threads = 1)
  picture <- ggplot2::autoplot(fit, n = 12)
  text <- Filter(
    function(layer) inherits(layer$geom, "GeomText"), picture$layers
  )[[1L]]
  expect_identical(text$data$name, top_features(fit, 12)$feature)
  expect_equal(
    log(text$data$x) + log(text$data$y), top_features(fit, 12)$score
  )
  one <- ggplot2::autoplot(fit, n = 1)
  expect_silent(ggplot2::ggplot_build(one))
})
