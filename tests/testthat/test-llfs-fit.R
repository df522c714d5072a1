# Floored and discrete features, many of which do not vary within a class.
# SPDX-License-Identifier: GPL-3.0-or-later

# Levels -1, 0, 1, most values 0; the first half is lower in class a.
floored_data <- function(seed, n, genes) {
  withr::with_seed(seed, x <- matrix(rnorm(n * genes), n))
  y <- factor(rep(c("a", "b"), n / 2))
  lower <- seq_len(genes / 2)
  x[y == "a", lower] <- x[y == "a", lower] - 1
  x <- (x > 1.5) - (x < -1.5)
  colnames(x) <- paste0("g", seq_len(genes))
  list(x = x, y = y)
}

test_that("problems settle where many features have no spread", {
  # Before: .69 of these ended at a limit, at 100 times the cost.
  p <- floored_data(1, 24, 300)
  expect_silent(fit <- llfs(p$x, p$y, alpha = 10, threads = 1))
  expect_identical(fit$report$residual, 0)
  expect_identical(fit$report$status, "converged")
  expect_identical(glance(fit)$residual, 0)
})

test_that("a feature at its floor does not pass for a perfect one", {
  x <- cbind(
    floor = c(rep(0, 6), 1, 2, 3, 1, 2, 3),
    varies = c(seq(0, 1, by = 0.2), seq(5, 6.5, by = 0.3))
  )
  y <- factor(rep(c("a", "b"), each = 6))
  fit <- llfs(x, y, alpha = 1, threads = 1)
  # Alone either is perfect: the floor, which has no spread, at beta = 0.
  expect_equal(fit$local$score[y == "a"], rep(1, 6), ignore_attr = TRUE)
  expect_true(all(subsets_of(fit)["varies", y == "a"]))
  # Where there is nothing else, it serves.
  fit <- llfs(x[, "floor", drop = FALSE], y, alpha = 1, threads = 1)
  expect_true(all(subsets_of(fit)["floor", ]))
})

test_that("the best single feature without spread is the one that separates", {
  x <- cbind(
    little = c(0, 0, 0, 0, 0, 1), much = c(0, 0, 0, 2, 3, 2)
  )
  y <- factor(rep(c("a", "b"), each = 3))
  fit <- llfs(x, y, alpha = 1, parsimony = 1e-6, threads = 1)
  expect_true(all(subsets_of(fit)["much", y == "a"]))
})

test_that("problems that do not settle are told of once, with their share", {
  toy <- small_array()
  warnings <- list()
  fit <- withCallingHandlers(
    # A tolerance that rounding does not allow to be met.
    withr::with_seed(1, llfs(toy$x, toy$y,
      alpha = 3, threads = 1, control = list(tol = 1e-15)
    )),
    warning = function(w) {
      warnings <<- c(warnings, list(w))
      invokeRestart("muffleWarning")
    }
  )
  expect_length(warnings, 1L)
  expect_s3_class(warnings[[1L]], "hitmiss_warning_unconverged")
  share <- fit$report$residual
  expect_gt(share, 0.05)
  expect_match(
    conditionMessage(warnings[[1L]]), fixed = TRUE,
    paste(signif(100 * share, 2), "% of the 456 problems that `llfs()` solved")
  )
  expect_identical(glance(fit)$residual, share)
  expect_identical(fit$report$status, "max_iter")
})
