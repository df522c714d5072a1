# Numbers as an outcome.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("what is no numeric outcome, or no place for one, is refused", {
  p <- toy_data(n = 30L)
  number <- as.numeric(p$y)
  expect_refusal(relief(p$x, number), "y")
  expect_refusal(logo(p$x, number), "y")
  expect_refusal(relief(p$x, p$y, "rrelieff"), "y")
  expect_refusal(relief(p$x, replace(number, 3, NA), "rrelieff"), "y")
  expect_refusal(relief(p$x, rep(1, 30), "rrelieff"), "y")
  expect_refusal(relief(p$x, number, "rrelieff", samples = 1), "samples")
  fit <- relief(p$x, p$x[, 1], "rrelieff", threads = 1)
  expect_refusal(predict(fit, p$x, type = "class"), "type")
  expect_refusal(
    predict(relief(p$x, p$y, threads = 1), p$x, type = "response"), "type"
  )
  expect_warning(
    relief(p$x, p$x[, 1], "rrelieff", k = 50, threads = 1),
    class = "hitmiss_warning_k"
  )
})
