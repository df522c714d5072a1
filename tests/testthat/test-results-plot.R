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
