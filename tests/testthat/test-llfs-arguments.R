# Every argument of llfs() and of the generics that is refused, and how.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- toy_data()
refuse <- function(arg, ...) {
  expect_refusal(llfs(data$x, data$y, ...), arg)
}

test_that("alpha, gamma and beta are checked", {
  refuse("alpha", alpha = 0.5)
  refuse("alpha", alpha = -1)
  refuse("alpha", alpha = "ten")
  refuse("alpha", alpha = NA)
  refuse("alpha", alpha = NULL)
  refuse("alpha", alpha = c(2, 0))
  refuse("alpha", alpha = Inf)
  refuse("gamma", gamma = 0)
  refuse("gamma", gamma = -0.2)
  refuse("gamma", gamma = "0.2")
  refuse("gamma", gamma = c(0.1, 0.2))
  refuse("beta", beta = seq(0.1, 1, 0.1))
  refuse("beta", beta = seq(0, 0.9, 0.1))
  refuse("beta", beta = c(1, 0))
  refuse("beta", beta = c(0, 0.5, 0.5, 1))
  refuse("beta", beta = c(0, NA, 1))
  refuse("beta", beta = 0.5)
})

test_that("choices, flags and knobs are checked", {
  refuse("neighbour", neighbour = "some", vote = "spheres")
  refuse("neighbour", neighbour = "full", vote = "evidence")
  refuse("neighbour", neighbour = "full", vote = "frames")
  refuse("neighbour", neighbour = "full")
  refuse("neighbour", neighbour = "none")
  refuse("vote", vote = 2)
  refuse("impurity", impurity = "number")
  refuse("polish", polish = NA)
  refuse("parsimony", parsimony = -1)
  refuse("prune", prune = 0)
  refuse("prune", prune = 2.5)
  refuse("scale", scale = "z")
  refuse("threads", threads = 0)
  refuse("threads", threads = "all")
  refuse("threads", threads = 1.5)
  refuse("verbose", verbose = "yes")
  refuse("control", control = list(toll = 1))
  refuse("control", control = list(1))
  refuse("control", control = 3)
  refuse("control$tol", control = list(tol = 0))
  refuse("control$enumerate", control = list(enumerate = 40))
  refuse("control$init", control = list(init = "two"))
})

test_that("data without variation are refused", {
  expect_refusal(llfs(data$x * 0 + 1, data$y), "x")
})

test_that("generics refuse what is no fit, and unknown arguments", {
  fit <- fit_seeded(selectors$llfs, data$x, data$y)
  expect_refusal(selected(1), "x")
  expect_refusal(selected(NULL), "x")
  expect_refusal(top_features(data.frame(a = 1)), "x")
  expect_refusal(predict(fit, data$x, type = "classes"), "type")
  expect_refusal(predict(fit, data$x, type = NA), "type")
  expect_refusal(predict(fit, data$x, kk = 3), "kk")
  expect_refusal(predict(fit, data$x, type = "features", n = 0), "n")
  expect_refusal(selected(fit, class = "c"), "class")
  expect_refusal(selected(fit, n = "all"), "n")
  expect_refusal(top_features(fit, n = -1), "n")
  expect_refusal(coef(fit, typo = TRUE), "typo")
})

test_that("votes refuse what they do not use", {
  toy <- toy_data()
  expect_input_error(
    llfs(toy$x, toy$y, alpha = 2, vote = "evidence", neighbour = "full"),
    "`neighbour` is not used"
  )
  expect_input_error(
    llfs(toy$x, toy$y, alpha = 2, vote = "spheres", weights = "balanced"),
    "`weights` is not used"
  )
})
