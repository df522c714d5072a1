# Heatmaps: which samples and features they show.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the heatmap shows each class's samples and the features asked for", {
  skip_if_not_installed("ggplot2")
  data <- shown_curve()$data
  names <- c("gene7", "gene3", "gene11")
  picture <- plot_heatmap(data$x, data$y, names)
  expect_equal(nrow(picture$data), 3L * 36L)
  # Every tile: the clipped z-score of its sample and row, in its class.
  z <- scale(data$x[, names])
  expect_gt(max(abs(z)), 2.5)
  drawn <- picture$data
  expect_false(anyDuplicated(drawn[c("sample", "name")]) > 0L)
  expect_equal(
    drawn$value,
    pmin(pmax(z[cbind(drawn$sample, match(drawn$name, names))], -2.5), 2.5)
  )
  expect_false(is.unsorted(data$y[drawn$sample[order(drawn$column)]]))
  expect_refusal(plot_heatmap(data$x, data$y, "gene999"), "features")
  expect_refusal(plot_heatmap(data$x, data$y, 3), "features")
})

test_that("a heatmap takes the features from a fit", {
  skip_if_not_installed("ggplot2")
  data <- shown_curve()$data
  fit <- logo(data$x, data$y, threads = 1)
  expect_identical(
    plot_heatmap(data$x, data$y, fit)$data,
    plot_heatmap(data$x, data$y, selected(fit))$data
  )
})
