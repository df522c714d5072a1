# The three kinds of picture, and all pictures: nothing is empty, cut off or
# printed over.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

expect_no_faults <- function(pictures, width, height) {
  for (name in names(pictures)) {
    # Versions of ggplot2 differ in what they warn of.
    expect_no_warning(found <- picture_faults(pictures[[name]], width, height))
    expect_identical(
      c(found, "none"), "none",
      label = sprintf("%s at %d x %d", name, width, height)
    )
  }
}

objects_of <- local({
  made <- list()
  function(letters, classes) {
    key <- paste(letters, classes)
    if (is.null(made[[key]])) {
      data <- picture_data(letters, classes)
      made[[key]] <<- picture_objects(data$x, data$y)
    }
    made[[key]]
  }
})

test_that("the three kinds of picture draw without a warning", {
  drawn <- function(picture) {
    expect_silent(built <- ggplot2::ggplot_build(picture))
    built$data
  }
  rows <- data.frame(
    name = rep(c("a", "b"), 2), value = 1:4, from = 0, low = 0:3, high = 2:5,
    kind = factor(c("u", "v", "v", "u")), panel = factor(c("p", "p", "q", "q"))
  )
  dots <- drawn(hitmiss:::dots_picture(rows, title = "t", at = 2))
  expect_identical(dots[[4L]]$x, c(1, 2, 3, 4))
  expect_identical(as.numeric(dots[[4L]]$y), c(2, 1, 2, 1))
  lone <- data.frame(
    x = c(1, 10, 100), y = 1:3, low = 0.5, high = 4, group = factor(c(1, 1, 2))
  )
  lines <- drawn(hitmiss:::lines_picture(lone, title = "t", sizes = 1))
  expect_identical(lines[[2L]]$x, c(0, 1))
  expect_identical(lines[[3L]]$x, 2)
  tiles <- data.frame(column = 1:4, name = "a", value = c(-1, 0, 1, 2))
  class <- factor(c("k", "k", "l", "l"))
  tiles <- drawn(hitmiss:::tiles_picture(tiles, title = "t", class = class))
  expect_identical(tiles[[2L]]$xintercept, 2.5)
  expect_identical(tiles[[1L]]$fill[[2L]], "#F7F7F7")
})

test_that("lines of which some or all have no interval are drawn", {
  withr::local_pdf(NULL)
  lines <- data.frame(
    x = 1:4, y = 1:4, low = c(0, 1, NA, NA), high = c(2, 3, NA, NA),
    group = factor(c(1, 1, 2, 2))
  )
  for (rows in list(1:4, 3:4)) {
    picture <- hitmiss:::lines_picture(lines[rows, ], title = "t")
    expect_silent(ggplot2::ggplotGrob(picture))
  }
})

test_that("all pictures can be read at 7 x 7 and 12 x 8 inches", {
  pictures <- all_pictures(objects_of(39, 10))
  expect_no_faults(pictures, 672, 672)
  # What fits into the square fits into more, or --long finds it.
  if (all_problems()) {
    expect_no_faults(pictures, 1152, 768)
    expect_no_faults(all_pictures(objects_of(3, 2)), 672, 672)
  }
})

test_that("at 7 x 5 and 12 x 8 inches no text is cut, of 2 and 10 classes", {
  for (classes in c(2, 10)) {
    made <- objects_of(3, classes)
    pictures <- suppressMessages(c(all_pictures(made), tracks = function() {
      tracks <- list(batch = rep(1:5, length.out = length(made$y)))
      plot_heatmap(made$x, made$y, made$logo, tracks = tracks)
    }))
    pictures <- lapply(pictures, function(make) {
      function() suppressMessages(make(), "hitmiss_message_positive")
    })
    expect_no_faults(pictures, 672, 480)
    # What fits there fits into more, or --long finds it.
    if (all_problems()) expect_no_faults(pictures, 1152, 768)
  }
})

test_that("the check finds what is cut off, printed over or empty", {
  table <- data.frame(x = c(1, 1.01), y = 1, label = strrep("long name ", 3))
  plain <- ggplot2::ggplot(table, ggplot2::aes(x, y))
  text <- ggplot2::geom_text(ggplot2::aes(label = label))
  faults <- function(picture) picture_faults(function() picture, 300, 200)
  expect_match(faults(plain + text), "lies over", all = FALSE)
  expect_match(
    faults(plain + ggplot2::ggtitle(strrep("a long title ", 12))), "cut off",
    all = FALSE
  )
  wide <- plain + ggplot2::scale_y_continuous(
    breaks = 1, labels = strrep("wide", 40)
  )
  expect_match(faults(wide), "a panel of", all = FALSE)
})

test_that("label takes an annotation column, or texts by feature", {
  data <- picture_data(20, 4)
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  fit$annotation <- data.frame(
    symbol = paste0("SYM", seq_len(60)), family = rep(c("A", NA), 30)
  )
  labels <- function(picture) {
    built <- ggplot2::ggplot_build(picture)
    rev(as.character(built$layout$panel_params[[1L]]$y$get_labels()))
  }
  best <- fit$ranking[1:5]
  drawn <- function(label, n = 5) {
    labels(ggplot2::autoplot(fit, "scores", n = n, label = label))
  }
  expect_identical(drawn("symbol"), paste0("SYM", best))
  own <- stats::setNames("mine", colnames(data$x)[[best[[2L]]]])
  expect_identical(drawn(own)[[2L]], "mine")
  expect_identical(drawn(own)[-2], drawn(NULL)[-2])
  # A shared text is told apart, an absent one replaced by the name.
  expect_identical(anyDuplicated(drawn("family", 20)), 0L)
  for (bad in list("nothing", 3, c("a", "b"), NA)) {
    expect_refusal(ggplot2::autoplot(fit, "scores", label = bad), "label")
  }
  # Every plot that names features takes it.
  others <- objects_of(20, 4)
  texts <- stats::setNames(paste("gene", seq_len(60)), colnames(data$x))
  for (made in list(
    ggplot2::autoplot(others$llfs, "frequency", label = texts),
    ggplot2::autoplot(others$llfs, "map", label = texts),
    ggplot2::autoplot(others$stability, "frequency",
      selector = "relief", size = 5, label = texts
    ),
    plot_heatmap(others$x, others$y, others$logo, label = texts)
  )) {
    expect_match(labels(made), "^gene [0-9]+|^class$", all = TRUE)
  }
})

test_that("40 kinds are told apart by colour and mark", {
  table <- data.frame(name = letters[1:10], value = 1, kind = factor(1:40))
  points <- ggplot2::layer_data(hitmiss:::dots_picture(table, title = "t"), 2L)
  expect_identical(nrow(unique(points[c("fill", "shape")])), 40L)
})

test_that("lines start at 0 only where 0 is near; titles name the method", {
  objects <- objects_of(20, 4)
  start <- function(fit) {
    drawn <- ggplot2::layer_data(ggplot2::autoplot(fit, "scores"), 2L)
    unique(drawn$x)
  }
  expect_identical(start(objects$pwfp), -Inf)
  expect_match(
    ggplot2::autoplot(objects$pwfp, "scores")$labels$x, "not start at 0"
  )
  expect_identical(start(objects$logo), 0)
  titles <- c(
    llfs = "LLFS", logo = "LOGO", relief = "ReliefF", kbfs = "BFS",
    pwfp = "PWFP"
  )
  for (name in names(titles)) {
    title <- ggplot2::autoplot(objects[[name]], "scores")$labels$title
    expect_match(title, paste0("^", titles[[name]], ": "))
  }
  x <- objects$x
  irelief <- relief(x, objects$y, method = "irelief", threads = 1)
  expect_match(ggplot2::autoplot(irelief, "scores")$labels$title, "^I-Relief: ")
})

test_that("lines without marks differ in their types, not in colour alone", {
  table <- data.frame(
    x = 1:2, y = 1:20, group = factor(rep(letters[1:10], each = 2))
  )
  types <- function(points) {
    picture <- hitmiss:::lines_picture(table, title = "t", points = points)
    unique(ggplot2::layer_data(picture, 1L)[c("linetype", "colour")])
  }
  expect_identical(nrow(types(FALSE)), 10L)
  expect_identical(anyDuplicated(types(FALSE)$linetype[1:5]), 0L)
  expect_identical(unique(types(TRUE)$linetype[1:8]), "solid")
})
