# What a report says of the model: its head and its table.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("htmltools")

test_that("the head says what was fitted and by whom", {
  toy <- toy_data()
  fit <- relief(toy$x, toy$y, k = 3, threads = 1)
  head <- as.character(head_part(fit, "Dr. <A>"))
  expect_match(head, "Dr. &lt;A&gt;", fixed = TRUE)
  expect_match(head, "ReliefF, k = 3", fixed = TRUE)
  expect_match(head, sprintf(
    "%d samples x %d features", nrow(toy$x), ncol(toy$x)
  ), fixed = TRUE)
  expect_match(as.character(head_part(fit, NULL)), "not stated")
})

test_that("annotation joins the table by the names of features", {
  toy <- toy_data()
  fit <- relief(toy$x, toy$y, k = 3, threads = 1)
  names <- names(fit$scores)
  symbols <- data.frame(symbol = toupper(rev(names)), row.names = rev(names))
  table <- as.data.frame(with_annotation(fit, symbols))
  expect_identical(table$symbol, toupper(table$feature))
})
