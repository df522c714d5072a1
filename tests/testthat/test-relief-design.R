# block and group in relief(): the nearest rules against the plain definition.
# SPDX-License-Identifier: GPL-3.0-or-later

quietly_near <- function(...) suppressWarnings(relief(..., threads = 1))

test_that("nearest neighbours are looked for among allowed samples", {
  compared <- by_class <- 0
  for (seed in some_of(1:75)) {
    p <- margin_problem(seed)
    design <- near_design(seed, length(p$y), p$y)
    allowed <- near_allowed(length(p$y), design$block, design$group)
    if (!any(allowed[outer(p$y, p$y, "!=")] == 1)) next
    k <- c(1, 3)[seed %% 2 + 1]
    metric <- c("manhattan", "euclidean")[seed %% 4 %/% 2 + 1]
    for (method in c("relief", "map", "relieff", "prior")) {
      weighting <- if (method == "prior") "prior" else "conditional"
      family <- if (method == "prior") "relieff" else method
      arguments <- list(p$x, p$y, family,
        k = k, metric = metric, block = design$block, group = design$group
      )
      if (method == "prior") arguments$weighting <- "prior"
      fit <- do.call(nearest_relief, arguments)
      expected <- reference_near_relief(
        p$x, p$y, family, k, weighting, metric, allowed
      )
      expect_lt(max(abs(fit$scores - expected)), 1e-12)
      if (family == "relieff" && nlevels(p$y) > 2L) {
        expect_lt(max(abs(fit$class_margins - reference_class_margins(
          p$x, p$y, k, weighting,
          metric = metric, allowed = allowed
        ))), 1e-12)
        by_class <- by_class + 1
      } else {
        expect_null(fit$class_margins)
      }
      expect_identical(fit$parameters$block, if (!is.null(design$block)) {
        length(unique(design$block))
      })
      compared <- compared + 1
    }
  }
  expect_gt(compared, 35)
  expect_gt(by_class, 10)
})

test_that("a design that restricts nothing gives the bits of a fit with none", {
  for (seed in some_of(1:12)) {
    p <- margin_problem(seed)
    n <- length(p$y)
    for (method in c("relief", "map", "relieff")) {
      plain <- quietly_near(p$x, p$y, method, k = 2)
      one <- quietly_near(p$x, p$y, method,
        k = 2, block = rep("all", n), group = sample(n)
      )
      expect_identical(one$scores, plain$scores)
      expect_identical(one$weights, plain$weights)
    }
  }
})

test_that("no allowed pair is refused; samples that do not count are named", {
  p <- toy_data(n = 30L)
  expect_refusal(relief(p$x, p$y, block = p$y, threads = 1), "block")
  block <- ifelse(
    seq_along(p$y) %in% which(p$y == p$y[1])[1:2], "alone", "rest"
  )
  expect_warning(
    relief(p$x, p$y, k = 2, block = block, threads = 1),
    class = "hitmiss_warning_alone"
  )
})

test_that("the number of threads changes nothing with a design", {
  p <- withr::with_seed(1, simulate_microarray(c(20, 30), 50))
  group <- rep(1:25, 2)
  one <- relief(p$x, p$y, k = 3, group = group, threads = 1)
  two <- relief(p$x, p$y, k = 3, group = group, threads = 2)
  expect_identical(one$scores, two$scores)
  y <- factor(rep(1:3, length.out = 50))
  one <- relief(p$x, y, k = 3, group = group, threads = 1)
  two <- relief(p$x, y, k = 3, group = group, threads = 2)
  expect_identical(one$class_margins, two$class_margins)
})
