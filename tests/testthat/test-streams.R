# Streams of random numbers.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("set.seed() governs, and the stream moves by the same amount", {
  data <- toy_data()
  after <- function(expr) {
    withr::local_seed(7)
    force(expr)
    .Random.seed
  }
  expected <- after(runif(2))
  expect_identical(after(llfs(data$x, data$y, threads = 1)), expected)
  expect_identical(after(llfs(data$x, data$y, threads = 2)), expected)
  expect_identical(
    after(llfs(data$x[, 1:2], data$y, alpha = 1, polish = TRUE)), expected
  )
  expect_identical(after(llfs(data$x, data$y,
    alpha = 2.5, control = list(enumerate = 0, draws = 50)
  )), expected)
  frame <- data.frame(data$x, class = data$y)
  expect_identical(after(llfs(class ~ ., frame, alpha = "auto")), expected)
})

test_that("another kind of generator is left as it was", {
  # withr leaves the kind changed where R had no seed yet.
  usual <- RNGkind("Wichmann-Hill")
  withr::defer(RNGkind(usual[[1L]]))
  set.seed(1)
  data <- bits_data()
  kind <- RNGkind()
  error_curve(data$x, data$y, bits_selectors$random, 2, resampling = kfold(3))
  expect_identical(RNGkind(), kind)
})

test_that("a session without .Random.seed stays without", {
  withr::local_preserve_seed()
  stream <- withr::with_seed(1, .Random.seed)
  rm(".Random.seed", envir = globalenv())
  hitmiss:::with_stream(stream, stats::runif(1))
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
})
