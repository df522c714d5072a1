# Pictures of curves.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("every picture has labelled axes and says the protocol", {
  skip_if_not_installed("ggplot2")
  curve <- shown_curve()$curve
  for (type in c("curve", "roc")) {
    labels <- ggplot2::autoplot(curve, type)$labels
    expect_match(labels$caption, "10 random splits", label = type)
    expect_true(nzchar(labels$title))
    expect_true(nzchar(labels$x))
  }
})

test_that("the curve is drawn as the table has it", {
  skip_if_not_installed("ggplot2")
  curve <- shown_curve()$curve
  picture <- ggplot2::autoplot(curve)
  table <- tidy(curve)
  used <- table$n_used[table$selector == "logo"]
  # A line ends where its selector has no further feature to give.
  more <- c(Inf, diff(used)) > 0
  expect_false(all(more))
  table <- table[c(rep(TRUE, 4L), more), ]
  # Selectors stand side by side.
  aside <- c(1 / sqrt(1.04), sqrt(1.04))
  expect_equal(picture$data$x, table$size * aside[table$selector])
  expect_equal(picture$data$y, table$mean)
  expect_equal(picture$data$low, table$lower)
  expect_equal(picture$data$high, table$upper)
  marks <- lapply(picture$layers, function(layer) layer$data)
  marks <- utils::tail(marks, 2L)
  expect_equal(marks[[1L]]$x, best_size(curve)$size * aside)
  expect_equal(marks[[2L]]$y, curve$best$mean)
  expect_match(
    gsub("\n", " ", picture$labels$subtitle),
    paste0(
      "and its 95 % interval; ",
      "circle: chosen by best_size\\(\\); cross: smallest.*optimistic"
    )
  )
})

test_that("a curve with a size chosen inside marks that size", {
  skip_if_not_installed("ggplot2")
  curve <- shown_curve(nested = kfold(2))$curve
  expect_match(
    gsub("\n", " ", ggplot2::autoplot(curve)$labels$subtitle),
    "chosen inside each training part"
  )
})

test_that("a curve of a single size is drawn without a word", {
  withr::local_seed(1)
  skip_if_not_installed("ggplot2")
  toy <- simulate_microarray(samples = c(10, 10), genes = 20)
  curve <- error_curve(toy$x, toy$y, list(pwfp = pwfp),
    sizes = 3, resampling = holdout(times = 3)
  )
  for (type in c("curve", "roc")) {
    picture <- ggplot2::autoplot(curve, type)
    expect_silent(ggplot2::ggplotGrob(picture))
    points <- lapply(seq_along(picture$layers), function(layer) {
      ggplot2::layer_data(picture, layer)$x
    })
    expect_true(any(lengths(points) > 0L), label = type)
  }
})

test_that("a picture speaks of what is drawn, and points stay at their sizes", {
  skip_if_not_installed("ggplot2")
  data <- picture_data(6, 2)
  draw <- function(selectors, sizes, classifier = "knn") {
    suppressWarnings(error_curve(data$x, data$y, selectors, sizes,
      classifier = classifier, resampling = kfold(3),
      positive = levels(data$y)[[1L]]
    ))
  }
  ranks <- rep(list(\(x, y) apply(x, 2L, var)), 12L)
  names(ranks) <- letters[1:12]
  for (n in c(1L, 2L, 5L, 12L)) {
    for (sizes in list(5, c(18, 19, 20), c(1, 20))) {
      curve <- draw(ranks[seq_len(n)], sizes)
      picture <- ggplot2::autoplot(curve)
      said <- grepl("interval", picture$labels$subtitle)
      expect_identical(said, n < 5L && length(sizes) > 1L)
      near <- outer(picture$data$x, sizes, \(x, size) abs(log(x / size)))
      at <- sizes[max.col(-near, "first")]
      expect_equal(at, curve$summary$size)
      expect_lt(max(abs(log(picture$data$x / at))), log(1.12))
    }
  }
  curve <- draw(
    list(a = ranks[[1L]], b = \(x, y) stop("none")), c(2, 5),
    list(a = "knn", b = "svm_linear")
  )
  for (type in c("curve", "roc")) {
    expect_no_match(ggplot2::autoplot(curve, type)$labels$caption, "r: .*SVM")
  }
})

test_that("numbers stand at the sizes, and the legend names the baselines", {
  data <- three_classes()
  curve <- curve_of(data$x, data$y, list(relief = relief_3), c(2, 6))
  built <- ggplot2::ggplot_build(ggplot2::autoplot(curve))
  expect_equal(built$layout$panel_params[[1]]$x$breaks, log10(c(2, 6)))
  key <- built$plot$scales$get_scales("linetype")$get_limits()
  expect_identical(key, c("relief", sprintf(
    "%s %.3f", c("all features", "random features", "largest class"),
    curve$baseline$mean
  )))
})
