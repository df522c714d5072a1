# Pictures fit the device: nothing is empty, cut off or printed over.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

expect_no_faults <- function(pictures, width, height) {
  for (name in names(pictures)) {
    expect_identical(
      c(picture_faults(pictures[[name]], width, height), "none"), "none",
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


test_that("all pictures can be read with long names, also on a low device", {
  pictures <- all_pictures(objects_of(120, 4))
  expect_no_faults(pictures, 672, 672)
  expect_no_faults(pictures, 600, 400)
})

test_that("all pictures can be read with short names on a wide device", {
  expect_no_faults(all_pictures(objects_of(3, 2)), 1200, 800)
})

test_that("all pictures can be read with 14 classes", {
  expect_no_faults(all_pictures(objects_of(20, 14)), 600, 400)
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

test_that("names are shortened in the middle, and stay different", {
  # They differ at the end, at the beginning, in the middle.
  names <- c(
    picture_names(20, 120), paste(letters, strrep("x", 100)), "short",
    paste0(strrep("a ", 40), 1:3, strrep(" b", 40))
  )
  for (most in c(10, 15, 25)) {
    short <- shorten(names, most)
    expect_identical(anyDuplicated(short), 0L)
    expect_lte(max(text_em(short)), most)
    expect_true("short" %in% short)
    expect_identical(shorten(short, most), short)
  }
  end <- shorten(paste("alpha", strrep("x", 60), "omega"), 12)
  expect_match(end, "^al.*[.][.][.].*ga$")
  # The same text twice is one text.
  expect_identical(
    shorten(rep(strrep("x", 90), 2), 9)[[1L]], shorten(strrep("x", 90), 9)
  )
  # Widths are not below those of the device's font.
  on_device(600, 400, {
    real <- grid::convertWidth(
      grid::stringWidth(names), "pt", TRUE
    ) / grid::get.gpar("fontsize")$fontsize
  })
  expect_true(all(text_em(names) >= 0.97 * real))
})

test_that("n shrinks with the height of the device, and the subtitle says so", {
  fit <- objects_of(120, 4)$relief
  counts <- vapply(c(250, 400, 800), function(height) {
    on_device(600, height, {
      picture <- ggplot2::autoplot(fit, "scores", n = 50)
      nrow(picture$data)
    })
  }, 0L)
  expect_true(all(diff(counts) > 0))
  low <- on_device(600, 400, ggplot2::autoplot(fit, "scores", n = 50))
  expect_match(
    gsub("\n", " ", low$labels$subtitle),
    sprintf(
      "best %d of 60 features (of 50 requested; a taller device shows more)",
      nrow(low$data)
    ),
    fixed = TRUE
  )
  tall <- on_device(600, 1600, ggplot2::autoplot(fit, "scores", n = 50))
  expect_identical(nrow(tall$data), 50L)
  expect_no_match(tall$labels$subtitle, "requested")
  # Without a device: as many as on R's own of 7 x 7 inches; none is opened.
  grDevices::graphics.off()
  expect_identical(
    nrow(ggplot2::autoplot(fit, "scores", n = 50)$data),
    on_device(672, 672, nrow(ggplot2::autoplot(fit, "scores", n = 50)$data))
  )
  expect_null(grDevices::dev.list())
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
    ggplot2::autoplot(others$kbfs, "entry", label = texts),
    ggplot2::autoplot(others$stability, "frequency",
      selector = "relief", size = 5, label = texts
    ),
    ggplot2::autoplot(others$curve, "selection", size = 5, label = texts),
    plot_heatmap(others$x, others$y, others$logo, label = texts)
  )) {
    expect_match(labels(made), "^gene [0-9]+", all = TRUE)
  }
  for (made in list(
    ggplot2::autoplot(others$pwfp, label = texts),
    ggplot2::autoplot(others$relief, "ranking", label = texts)
  )) {
    text <- Filter(function(l) inherits(l$geom, "GeomText"), made$layers)[[1L]]
    expect_match(text$data$label %||% text$data$feature, "^gene", all = TRUE)
  }
})

test_that("14 classes are told apart by colour and mark", {
  classes <- paste("class", 1:14)
  pairs <- paste(class_colours(classes), class_marks(classes))
  expect_identical(anyDuplicated(pairs), 0L)
  expect_identical(unique(unname(class_marks(classes[1:8]))), 21L)
  objects <- objects_of(20, 14)
  picture <- plot_pca(objects$x, objects$y, objects$curve, size = 10)
  points <- Filter(
    function(l) nrow(l) > 14, ggplot2::ggplot_build(picture)$data
  )
  used <- unique(points[[1L]][c("colour", "shape")])
  expect_identical(nrow(used), 14L)
})

test_that("lines start at 0 only where 0 is near; titles name the method", {
  objects <- objects_of(20, 4)
  start <- function(fit) {
    drawn <- ggplot2::layer_data(ggplot2::autoplot(fit, "scores"), 1L)
    unique(drawn$xend)
  }
  expect_identical(start(objects$pwfp), -Inf)
  expect_match(
    ggplot2::autoplot(objects$pwfp, "scores")$labels$x, "not start at 0"
  )
  expect_identical(start(objects$logo), 0)
  expect_false(starts_at_zero(c(0.52, 0.51, 0.5)))
  expect_true(starts_at_zero(c(0.5, 0.1, -0.1)))
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
