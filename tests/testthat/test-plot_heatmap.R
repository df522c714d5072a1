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

test_that("every class and every level of a track has its strip and its name", {
  skip_if_not_installed("ggplot2")
  n <- c(20, 4, 5, 6, 20, 30, 10, 10, 12, 12)
  y <- factor(rep(paste("kind", 1:10), n), paste("kind", 1:10))
  x <- withr::with_seed(1, matrix(rnorm(sum(n) * 8), sum(n),
    dimnames = list(NULL, letters[1:8])
  ))
  batch <- factor(rep(c("v", "u"), length.out = sum(n)), c("v", "u"))
  sex <- replace(rep(c(1, 2, 2), length.out = sum(n)), 5, NA)
  picture <- plot_heatmap(x, y, colnames(x),
    tracks = list(batch = batch, sex = sex)
  )
  table <- on_device(672, 480, {
    grid::grid.draw(ggplot2::ggplotGrob(picture))
    grid::grid.force()
    text_boxes()
  })
  expect_true(all(c(
    paste("class:", levels(y)), "batch: v", "batch: u",
    paste("sex:", c(1, 2, "NA"))
  ) %in% table$label))
  # The strips have the colours of their columns' samples.
  boxes <- Filter(\(layer) !is.null(layer$aes_params$fill), picture$layers)
  expect_length(boxes, 3L)
  class <- boxes[[1L]]$data
  expect_equal(class$xmax - class$xmin, n)
  expect_identical(anyDuplicated(boxes[[1L]]$aes_params$fill), 0L)
  order <- picture$data$sample[seq_along(y)]
  runs <- rle(as.integer(batch[order]))
  expect_equal(boxes[[2L]]$data$xmax - boxes[[2L]]$data$xmin, runs$lengths)
  # Two classes with room below need no legend.
  few <- plot_heatmap(x[1:29, ], droplevels(y[1:29]), colnames(x))
  expect_false(is.null(few))
  refused <- function(tracks) {
    expect_refusal(plot_heatmap(x, y, colnames(x), tracks = tracks), "tracks")
  }
  refused(batch)
  refused(list(batch))
  refused(list(batch = batch[-1]))
  refused(list(class = batch))
  refused(list(age = seq_along(y)))
})
