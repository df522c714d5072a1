# Features without names are V1 to Vn.
# SPDX-License-Identifier: GPL-3.0-or-later

plain <- function(n) paste0("V", seq_len(n))

test_that("a fit of unnamed features has their names, and its copies too", {
  set.seed(4)
  x <- matrix(rnorm(20 * 30), 20)
  y <- rep(c("a", "b"), 10)
  fit <- relief(x, y, k = 3, threads = 1)
  named <- relief(`colnames<-`(x, plain(30L)), y, k = 3, threads = 1)
  expect_identical(names(fit$scores), plain(30L))
  expect_identical(fit$scores, named$scores)
  expect_identical(unserialize(serialize(fit, NULL))$scores, named$scores)
})
