# The vote of the nearest samples, one at a time.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("neighbours vote as defined", {
  for (seed in some_of(1:50)) {
    p <- bayes_problem(seed)
    x <- reference_zscore(p$x)
    for (k in c(1, 3, 4)) {
      found <- estimate(p$x, p$y, method = "knn", k = k)
      wrong <- reference_neighbours(x, p$y, k) != p$y
      expect_equal(found$error, mean(wrong), info = paste(seed, k))
      expect_equal(
        found$per_class$error, as.vector(tapply(wrong, p$y, mean)),
        info = paste(seed, k)
      )
    }
    expect_identical(
      found$nn_error, mean(reference_neighbours(x, p$y, 1) != p$y)
    )
  }
  odd <- vapply(c(4, 9, 16, 60, 62, 63, 64, 65, 200), function(n) {
    estimate(matrix(sin(1:n)), rep(c("a", "b"), length.out = n))$k
  }, 1L)
  expect_identical(odd, c(1L, 3L, 3L, 7L, 7L, 7L, 7L, 9L, 15L))
})
