# Floored and discrete features, many of which do not vary within a class.

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
  # Features without spread suffice for some representatives: the first of the
  # best sets, not the last.
  first <- llfs(p$x, p$y, alpha = 10, parsimony = 1e-6, threads = 1)
  expect_lt(mean(first$local$objective), 0.08)
  expect_lt(mean(first$local$beta), mean(fit$local$beta))
  expect_equal(first$local$score, fit$local$score)
})

test_that("such fits are the same for any number of threads", {
  p <- floored_data(2, 24, 200)
  local_thread_counts()
  fits <- lapply(1:3, function(threads) {
    withr::with_seed(1, llfs(p$x, p$y, alpha = "auto", threads = threads))
  })
  expect_identical(fits[[2]]$local, fits[[1]]$local)
  expect_identical(fits[[3]]$local, fits[[1]]$local)
})

test_that("the best single feature without spread is the one that separates", {
  x <- cbind(
    spread = c(0, 1, 2, 5, 6, 7), little = c(0, 0, 0, 0, 0, 1),
    much = c(0, 0, 0, 2, 3, 2)
  )
  y <- factor(rep(c("a", "b"), each = 3))
  fit <- llfs(x, y, alpha = 1, parsimony = 1e-6, threads = 1)
  expect_true(all(fit$local$subsets["much", y == "a"]))
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
