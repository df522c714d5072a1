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
  batch <- factor(rep(c("v", "u"), length.out = sum(n)), c("v", "u", "w"))
  age <- replace(seq_along(y) + 20, c(5, 9), c(NA, Inf))
  draw <- function(...) plot_heatmap(x, y, colnames(x), tracks = list(...))
  expect_silent(picture <- draw(
    batch = batch, age = age, none = NA[seq_along(y)], one = rep("NA", sum(n))
  ))
  table <- on_device(672, 480, {
    grid::grid.draw(ggplot2::ggplotGrob(picture))
    grid::grid.force()
    text_boxes()
  })
  expect_true(all(c(
    sprintf("class: %s (%d)", levels(y), n), "batch: v", "batch: u", "age: 21",
    "age: 149", "age: missing", "none: missing"
  ) %in% table$label))
  # The strips have the colours of their columns' samples.
  strips <- Filter(\(layer) !is.null(layer$aes_params$fill), picture$layers)
  fill <- matrix(strips[[1L]]$aes_params$fill, length(y))
  order <- picture$data$sample[seq_along(y)]
  of <- function(i, which) unique(fill[rep_len(which, sum(n))[order], i])
  classes <- vapply(levels(y), \(class) of(1, y == class), "")
  expect_length(unique(classes), 10L)
  tracks <- c(of(2, batch == "u"), of(2, batch == "v"), of(5, TRUE))
  expect_length(intersect(classes, c(tracks, fill[, 3:4])), 0L)
  expect_length(unique(tracks), 3L)
  expect_identical(of(3, !is.finite(age)), "grey60")
  expect_identical(of(4, TRUE), "grey60")
  # A gradient grows darker with the number.
  light <- grDevices::col2rgb(fill[order(age[order]), 3])["green", ]
  expect_false(is.unsorted(-light[1:127]))
  # Numbers that are all equal, and two classes, have a picture too.
  expect_silent(on_device(672, 480, print(plot_heatmap(
    x[1:24, ], droplevels(y[1:24]), colnames(x),
    tracks = list(same = rep(1, 24))
  ))))
  refused <- function(tracks) {
    expect_refusal(plot_heatmap(x, y, colnames(x), tracks = tracks), "tracks")
  }
  refused(batch)
  refused(list(batch))
  refused(list(batch = batch[-1]))
  refused(list(class = batch))
  refused(list(name = paste("s", seq_along(y))))
  refused("batch")
  refused(list(age = cbind(age, age)))
  said <- function(...) tryCatch(draw(...), error = conditionMessage)
  many <- said(id = paste("s", seq_along(y)))
  expect_match(many, "\"id\".* has 129 different")
  expect_match(said(batch = "batch"), "it is .*batch")
  # What is missing is none of twenty texts; days and times are numbers.
  texts <- replace(rep_len(letters[1:20], sum(n)), 30, NA)
  day <- as.Date("2024-01-01") + seq_along(y)
  expect_silent(picture <- on_device(672, 480, grid::grid.draw(
    ggplot2::ggplotGrob(draw(
      texts = texts, day = day, time = as.POSIXlt(day), wait = day - day[[1L]]
    ))
  )))
  refused(list(outcome = survival::Surv(seq_along(y), y == "kind 1")))
})

test_that("the values that a fit lacks are grey, the others scaled alone", {
  skip_if_not_installed("ggplot2")
  data <- shown_curve()$data
  names <- colnames(data$x)[1:8]
  holes <- list(
    half = \(x) replace(x, withr::with_seed(1, runif(length(x))) < 0.5, NaN),
    feature = \(x) replace(x, col(x) == 1, NA),
    but_one = \(x) replace(x, col(x) == 1 & row(x) > 1, NA),
    samples = \(x) replace(x, col(x) < 9 & row(x) < 4, NA),
    # No sample has one of the first four features and one of the others.
    apart = \(x) replace(x, col(x) < 9 & (col(x) < 5) == (row(x) < 19), NA)
  )
  for (name in names(holes)) {
    x <- holes[[name]](data$x)
    fit <- suppressWarnings(suppressMessages(relief(x, data$y, threads = 1)))
    picture <- plot_heatmap(x, data$y, names)
    z <- scale(x[, names])
    z[is.nan(z) & !is.na(x[, names])] <- 0
    at <- cbind(picture$data$sample, match(picture$data$name, names))
    expect_equal(picture$data$value, pmin(pmax(z[at], -2.5), 2.5),
      ignore_attr = TRUE, label = name
    )
    expect_match(picture$labels$subtitle, "grey: missing", label = name)
    fill <- ggplot2::layer_data(picture, 1L)$fill
    expect_identical(fill == "grey60", is.na(z[at]), label = name)
    expect_silent(plot_heatmap(x, data$y, fit, n = 5))
  }
  expect_no_match(plot_heatmap(data$x, data$y, names)$labels$subtitle, "grey")
  expect_refusal(plot_heatmap(replace(data$x, 1, Inf), data$y, names), "x")
})
