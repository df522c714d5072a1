# Names of features that have none are made when something first looks at one.
# SPDX-License-Identifier: GPL-3.0-or-later

invented <- function(n) hitmiss:::cpp_invented_names(n)
plain <- function(n) paste0("V", seq_len(n))

test_that("whatever R does with invented names first, they are V1 to Vn", {
  first <- list(
    whole = identity, one = function(v) v[[9L]], some = function(v) v[c(11, 2)],
    reversed = rev, length = length, pasted = function(v) paste0(v, "_at"),
    changed = function(v) replace(v, 3L, "HLA-A"), sorted = sort,
    found = function(v) match(c("V12", "V13"), v),
    repeated = anyDuplicated, letters = nchar,
    kept = function(v) unserialize(serialize(v, NULL)),
    names = function(v) stats::setNames(seq_along(v), v)["V7"],
    columns = function(v) colnames(matrix(0, 1L, 12L, dimnames = list(NULL, v)))
  )
  for (ask in first) {
    names <- invented(12L)
    expect_identical(ask(names), ask(plain(12L)))
    expect_identical(names, plain(12L)) # and asking changed nothing
  }
  expect_identical(invented(0L), character())
  expect_identical(invented(100001L)[100001L], "V100001")
})

test_that("invented names survive garbage collection between looks", {
  names <- invented(50L)
  gctorture(TRUE)
  on.exit(gctorture(FALSE))
  seen <- c(names[[50L]], names[[1L]])
  for (i in 1:3) seen <- c(seen, names[[i * 10L]])
  gctorture(FALSE)
  expect_identical(seen, paste0("V", c(50, 1, 10, 20, 30)))
})

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
