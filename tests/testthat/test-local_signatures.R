# local_signatures() against its definition.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("frequencies are shares of the refits that contain the sample", {
  data <- toy_data(n = 16L, noise = 4L)
  result <- withr::with_seed(3, local_signatures(data$x, data$y,
    alpha = 2, times = 4, sets = 2, level = 0.7, threads = 1
  ))
  # The same draws, in the same order.
  withr::with_seed(3, {
    orders <- lapply(1:2, \(s) sample(16))
    draws <- lapply(1:4, \(r) {
      sort(c(sample(which(data$y == "a"), 6), sample(which(data$y == "b"), 6)))
    })
    count <- refits <- matrix(0, 16, 6)
    probe <- array(0, c(2, 16, 6))
    for (s in 1:2) {
      for (rows in draws) {
        both <- cbind(data$x, data$x[orders[[s]], ])
        colnames(both) <- NULL
        fit <- llfs(both[rows, ], data$y[rows], alpha = 2, threads = 1)
        subsets <- as.matrix(subsets_of(fit))
        count[rows, ] <- count[rows, ] + t(subsets[1:6, ])
        refits[rows, ] <- refits[rows, ] + 1
        probe[s, rows, ] <- probe[s, rows, ] + t(subsets[7:12, ])
      }
    }
  })
  frequency <- ifelse(refits > 0, count / refits, 0)
  expect_equal(unname(as.matrix(result$frequency)), frequency)
  expect_identical(result$refits, as.integer(refits[, 1]))
  own <- pmax(refits[, 1] / 2, 1)
  expect_equal(unname(result$highest_probe), apply(probe, 2, max) / own)
  expect_identical(nrow(result), sum(frequency >= 0.7 - 1e-9))
  for (class in c("a", "b")) {
    mine <- data$y == class
    called <- sum(colSums(frequency[mine, ] >= 0.7 - 1e-9) > 0)
    chance <- mean(vapply(1:2, \(s) {
      sum(colSums(probe[s, mine, ] / own[mine] >= 0.7 - 1e-9) > 0)
    }, 0))
    row <- result$classes[result$classes$class == class, ]
    expect_identical(row$called, as.integer(called))
    expect_equal(row$probes_called, chance)
    expect_equal(row$false_share, min(1, (1 + chance) / called))
  }
})

test_that("subsamples keep groups whole and every class", {
  problem <- list(
    y = factor(rep(c("a", "b", "c"), c(12, 9, 1))),
    group = c(rep(1:7, each = 3), 8L)
  )
  for (seed in 1:20) {
    rows <- withr::with_seed(seed, draw_subsample(problem, 0.5))
    expect_false(is.unsorted(rows, strictly = TRUE))
    expect_setequal(as.character(problem$y[rows]), c("a", "b", "c"))
    whole <- tapply(
      seq_along(problem$y) %in% rows, problem$group, \(v) all(v) || !any(v)
    )
    expect_true(all(whole))
  }
  problem <- list(y = factor(rep(c("a", "b"), c(10, 5))))
  rows <- withr::with_seed(1, draw_subsample(problem, 0.8))
  expect_identical(as.vector(table(problem$y[rows])), c(8L, 4L))
  expect_identical(draw_subsample(problem, 1), 1:15)
})

test_that("each group of samples is called by its own feature, noise is not", {
  toy <- withr::with_seed(1,
    simulate_localized(samples = c(15, 15, 30), noise = 20)
  )
  result <- withr::with_seed(1, local_signatures(toy$x, toy$y,
    alpha = 2, times = 10, sets = 2, threads = 1
  ))
  expect_gt(mean(result$frequency[toy$group == "A", "x1"]), 0.9)
  expect_gt(mean(result$frequency[toy$group == "B", "x2"]), 0.9)
  one <- result[result$class == "one", ]
  expect_setequal(unique(one$feature), c("x1", "x2"))
})

test_that("designs go to the fits, and columns of containers are found", {
  data <- toy_data(n = 24L, noise = 4L)
  run <- function(x = data$x, y = data$y, ...) {
    withr::with_seed(1, local_signatures(x, y,
      alpha = 2, times = 2, sets = 1, threads = 1, ...
    ))$frequency
  }
  group <- rep(1:12, each = 2)
  expect_identical(run(group = 1:24), run())
  y <- data$y[group]
  expect_false(identical(run(y = y, group = group), run(y = y)))
  expect_identical(dim(run(block = rep(1:2, each = 12))), c(24L, 6L))
})

test_that("print and mistakes", {
  data <- toy_data(n = 20L, noise = 4L)
  result <- withr::with_seed(1, local_signatures(data$x, data$y,
    alpha = 2, times = 4, sets = 2, threads = 1
  ))
  expect_snapshot(print(result))
  expect_refusal(local_signatures(data$x, data$y, times = 0), "times")
  expect_refusal(local_signatures(data$x, data$y, share = 2), "share")
  expect_refusal(local_signatures(data$x, data$y, alpha = 0.5), "alpha")
})
