# turf() and simulate_epistasis().
# SPDX-License-Identifier: GPL-3.0-or-later

multisurf <- function(x, y) {
  suppressWarnings(relief(x, y, "multisurf", threads = 1))
}

# One round after the other, on data without the features that were dropped:
# constant ones first, then those of the lowest scores.
slow_turf <- function(x, y, drop, n_stop, selector) {
  left <- colnames(x)
  below <- character()
  repeat {
    scores <- coef(selector(x[, left, drop = FALSE], y))
    order <- left[order(-scores, match(left, colnames(x)))]
    if (length(left) <= n_stop) {
      return(c(order, below))
    }
    gone <- min(length(left) - n_stop, max(1, floor(drop * length(left))))
    varies <- apply(x[, order, drop = FALSE], 2L, \(v) length(unique(v)) > 1L)
    order <- c(order[varies], order[!varies])
    below <- c(utils::tail(order, gone), below)
    left <- colnames(x)[colnames(x) %in% utils::head(order, -gone)]
  }
}

test_that("the ranking is that of rounds one by one", {
  for (seed in some_of(1:20)) {
    p <- margin_problem(seed)
    drop <- c(0.1, 0.3, 0.9)[seed %% 3 + 1]
    n_stop <- c(1, 4)[seed %% 2 + 1]
    fit <- turf(p$x, p$y, multisurf, drop = drop, n_stop = n_stop)
    expect_identical(
      names(fit$scores)[fit$ranking],
      slow_turf(p$x, p$y, drop, n_stop, multisurf)
    )
  }
})

test_that("of scores equal but for rounding the last feature goes", {
  scores <- c(a = 0.1 + 0.2, b = 0, c = 0.5, d = 0.3, e = -1, f = 0.3)
  fit <- list(
    scores = scores, ranking = order(-scores),
    preprocess = list(constant = names(scores) == "b")
  )
  kept <- c("c", "a", "d", "f", "e", "b")
  expect_identical(names(scores)[turf_order(fit)], kept)
  fit$scores[["d"]] <- 0.1 + 0.2
  fit$ranking <- order(-fit$scores)
  expect_identical(names(scores)[turf_order(fit)], kept)
})

test_that("no round drops nothing, or more than asked for", {
  expect_identical(turf_sizes(10, 0.1, 8), c(10, 9, 8))
  expect_identical(turf_sizes(1000, 0.5, 100), c(1000, 500, 250, 125, 100))
  expect_identical(turf_sizes(5, 0.1, 5), 5)
})

test_that("a fit of turf() is a fit", {
  data <- toy_data(n = 30L, noise = 30L)
  fit <- turf(data$x, data$y, multisurf)
  expect_s3_class(fit, c("hitmiss_turf", "hitmiss"), exact = TRUE)
  expect_true(is_ranker(fit))
  expect_output(print(fit), "TuRF over MultiSURF")
  expect_true("last_round" %in% names(as.data.frame(fit)))
  expect_identical(
    mean(predict(fit, data$x, n = 2, threads = 1) == data$y) > 0.8, TRUE
  )
  frame <- data.frame(data$x[, 1:10], f = factor(rep(letters[1:3], 10)))
  with_factor <- turf(frame, data$y, multisurf, n_stop = 3)
  expect_named(with_factor$levels, "f")
  expect_length(predict(with_factor, frame, threads = 1), 30L)
  outcome <- turf(
    data$x, data$x[, 1], \(x, y) relief(x, y, "rrelieff", threads = 1)
  )
  expect_identical(selected(outcome, 1), colnames(data$x)[[1L]])
  expect_type(predict(outcome, data$x, threads = 1), "double")
  sparse <- turf(Matrix::Matrix(data$x, sparse = TRUE), data$y, multisurf)
  expect_identical(sparse$ranking, fit$ranking)
})

test_that("warnings of all rounds come once, and mistakes are refused", {
  data <- toy_data(n = 20L)
  count <- 0
  withCallingHandlers(
    turf(data$x, data$y, \(x, y) relief(x, y, k = 15, threads = 1), n_stop = 2),
    hitmiss_warning_k = function(w) {
      count <<- count + 1
      invokeRestart("muffleWarning")
    }
  )
  expect_identical(count, 1)
  expect_refusal(turf(data$x, data$y, "relief"), "selector")
  expect_refusal(turf(data$x, data$y, function(x) x), "selector")
  expect_refusal(turf(data$x, data$y, function(x, y) colnames(x)), "selector")
  expect_refusal(turf(data$x, data$y, drop = 1), "drop")
  expect_refusal(turf(data$x, data$y, drop = 0), "drop")
})

test_that("epistasis: no locus has an effect of its own, both have", {
  toy <- withr::with_seed(4, simulate_epistasis(c(6000, 6000), 3, 0.2, 0.3))
  share <- dbinom(0:2, 2, 0.3)
  expect_equal(drop(toy$risk %*% share), rep(0.5, 3), ignore_attr = TRUE)
  expect_equal(drop(share %*% toy$risk), rep(0.5, 3), ignore_attr = TRUE)
  weight <- outer(share, share)
  expect_equal(sum(weight * (toy$risk - 0.5)^2) / 0.25, 0.2)
  expect_identical(dim(toy$x), c(12000L, 5L))
  for (locus in toy$relevant) {
    expect_gt(chisq.test(table(toy$x[, locus], toy$y))$p.value, 1e-4)
  }
  joint <- interaction(toy$x[, 1], toy$x[, 2])
  seen <- tapply(toy$y == "case", joint, mean)
  expect_lt(max(abs(seen - as.vector(toy$risk))[table(joint) > 500]), 0.05)
  expect_lt(chisq.test(table(joint, toy$y))$p.value, 1e-100)
  expect_refusal(
    simulate_epistasis(heritability = 1, maf = 0.01), "heritability"
  )
  expect_refusal(simulate_epistasis(samples = 5), "samples")
  expect_refusal(simulate_epistasis(maf = 0.6), "maf")
})

test_that("differences are those of the first fit, within its blocks", {
  data <- toy_data(n = 40L, noise = 10L)
  block <- rep(1:4, each = 10)
  within <- \(x, y) relief(x, y, block = block, threads = 1)
  of <- c("class", "direction", "difference", "effect_raw")
  by_name <- \(fit) as.data.frame(fit)[order(as.data.frame(fit)$feature), of]
  expect_equal(
    by_name(turf(data$x, data$y, within)), by_name(within(data$x, data$y)),
    ignore_attr = "row.names"
  )
  prepared <- tuned(relief, prepare = function(x, y) function(x) exp(x))
  expect_refusal(turf(data$x, data$y, prepared), "selector")
  expect_refusal(
    interactions(prepared(data$x, data$y), data$x, data$y), "fit"
  )
})
