# Results have pictures.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("each result is a table with a print, a row of figures, a picture", {
  skip_if_not_installed("ggplot2")
  made <- results()
  expect_length(made, 9L)
  for (name in names(made)) {
    object <- made[[name]]
    expect_identical(
      tidy(object), tidy_table(as.data.frame(object)), label = name
    )
    expect_identical(object$table, as.data.frame(object), label = name)
    expect_identical(nrow(glance(object)), 1L, label = name)
    printed <- capture.output(same <- print(object))
    expect_identical(same, object, label = name)
    expect_lte(max(nchar(printed, "width")), 81L, label = name)
    if (name %in% c("bayes", "size", "audit")) {
      expect_input_error(plot(object), "no picture.*as.data.frame")
    } else {
      picture <- on_device(600, 400, plot(object))
      expect_true(inherits(picture, "ggplot"), label = name)
    }
    expect_refusal(glance(object, digits = 3), "digits")
    expect_refusal(print(object, digits = 3), "digits")
  }
  expect_identical(glance(made$bayes)$error, made$bayes$error)
  expect_identical(glance(made$size)$smallest, min(made$size$size))
  expect_identical(glance(made$comparison)$pairs, 1L)
})

test_that("false discoveries are drawn by q and against effects", {
  skip_if_not_installed("ggplot2")
  data <- block_data(8, c(10, 10), delta = 4, relevant = 9)
  found <- withr::with_seed(1, probe_fdr(data$x, data$y, t_scores, n = Inf))
  list <- ggplot2::layer_data(ggplot2::autoplot(found), 2L)
  expect_identical(list$y, found$q)
  caption <- ggplot2::autoplot(found)$labels$caption
  expect_match(caption, "runs; 20 samples x")
  volcano <- ggplot2::autoplot(found, "volcano", n = 2)
  points <- ggplot2::layer_data(volcano, 2L)
  expect_equal(points$y, -log10(found$q))
  first <- found$class == sort(found$class)[[1L]]
  expect_equal(points$x, ifelse(first, found$effect, -found$effect))
  expect_identical(points$colour == "grey65", found$q > 0.05)
  named <- ggplot2::layer_data(volcano, 3L)$label
  expect_identical(named[nzchar(named)], found$feature[1:2])
  # The best are named where nothing is found, too.
  y <- rep(c("a", "b"), 10)
  none <- withr::with_seed(1, probe_fdr(data$x, y, t_scores, n = Inf))
  expect_gt(min(none$q), 0.05)
  named <- ggplot2::layer_data(ggplot2::autoplot(none, "volcano", n = 3), 3L)
  expect_identical(sum(nzchar(named$label)), 3L)
  expect_refusal(ggplot2::autoplot(found, "map"), "type")
  expect_refusal(ggplot2::autoplot(found, "volcano", label = "gene"), "label")
  y <- replace(rep("most", 20), 1, "one")
  rare <- suppressWarnings(probe_fdr(data$x, y, t_scores, times = 2))
  expect_refusal(ggplot2::autoplot(rare, "volcano"), "object")
})
