# Curves against slow definitions; nothing learned outside the training part.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("curves of rankers and sparse selectors are the slow definition's", {
  selectors <- list(
    relief = relief_3,
    logo = function(x, y) logo(x, y, threads = 1)
  )
  for (seed in some_of(1:25)) {
    data <- three_classes(seed, genes = 25)
    data$x[, 7] <- 1
    data$x[, 9] <- data$x[, 8]
    sizes <- c(1, 2, 5, 25)
    curve <- curve_of(data$x, data$y, selectors, sizes,
      resampling = holdout(3, 0.6), seed = seed
    )
    for (name in names(selectors)) {
      slow <- reference_curve(
        data$x, data$y, selectors[[name]], sizes, curve$splits
      )
      expect_equal(unname(curve$values[[name]]), slow)
    }
  }
})

test_that("the tables say what the splits give", {
  data <- three_classes()
  curve <- curve_of(data$x, data$y,
    list(relief = relief_3, t = function(x, y) logo(x, y)),
    sizes = c(5, 1, 5, 20, 1000), resampling = holdout(4, 0.5)
  )
  expect_s3_class(curve, c("hitmiss_curve", "hitmiss_evaluation"), exact = TRUE)
  expect_equal(curve$sizes, c(1, 5, 20, 40))
  expect_named(curve$results, c(
    "selector", "size", "split", "repetition", "value", "n_used", "n_train",
    "n_test", "empty"
  ))
  expect_named(curve$summary, c(
    "selector", "size", "mean", "sd", "lower", "upper", "n_used"
  ))
  expect_named(curve$predictions, c(
    "selector", "size", "split", "sample", "truth", "predicted", "score"
  ))
  for (selector in curve$selectors) {
    mine <- curve$results[curve$results$selector == selector, ]
    wide <- matrix(mine$value, ncol = 4L)
    expect_equal(t(wide), unname(curve$values[[selector]]))
    table <- curve$summary[curve$summary$selector == selector, ]
    expect_equal(table$mean, rowMeans(wide))
    expect_equal(table$sd, apply(wide, 1L, sd))
    at <- match(selector, curve$selectors)
    expect_equal(curve$aggregate$mean[[at]], mean(colMeans(wide)))
    expect_equal(curve$aggregate$sd[[at]], sd(colMeans(wide)))
    expect_equal(curve$best$mean[[at]], min(rowMeans(wide)))
    first <- which(rowMeans(wide) <= min(rowMeans(wide)) + 1e-12)[[1L]]
    expect_equal(curve$best$size[[at]], curve$sizes[[first]])
  }
  p <- curve$predictions
  by <- aggregate(
    p$truth != p$predicted, p[c("size", "split", "selector")], mean
  )
  expect_equal(by$x, curve$results$value[order(
    as.integer(curve$results$selector), curve$results$split, curve$results$size
  )])
  expect_identical(as.data.frame(curve), curve$results)
  without <- curve_of(data$x, data$y, relief_3, 3, keep = FALSE)
  expect_null(without$predictions)
})

test_that("the size is chosen by the inner curve alone", {
  data <- three_classes(3, n = c(15, 15))
  sizes <- c(1, 3, 10)
  curve <- curve_of(data$x, data$y, list(relief = relief_3), sizes,
    resampling = holdout(3, 0.6), nested = kfold(3)
  )
  expect_named(
    curve$chosen, c("selector", "split", "repetition", "size", "value")
  )
  withr::local_seed(1)
  splits <- draw_splits(data$y, holdout(3, 0.6))
  stream <- draw_stream()
  for (s in 1:3) {
    stream <- parallel::nextRNGStream(stream)
    train <- splits[[s]]$train
    inner <- hitmiss:::with_stream(stream, draw_splits(data$y[train], kfold(3)))
    slow <- reference_curve(
      data$x[train, ], data$y[train], relief_3, sizes, inner
    )
    m <- colMeans(slow)
    best <- which.min(m)
    se <- sd(slow[, best]) / sqrt(3)
    expected <- sizes[[which(m <= m[[best]] + se + 1e-12)[[1L]]]]
    expect_equal(curve$chosen$size[[s]], expected)
    here <- curve$results$split == s & curve$results$size == expected
    expect_equal(curve$chosen$value[[s]], curve$results$value[here])
  }
})

test_that("test samples never reach a selector, a classifier or a choice", {
  data <- three_classes(n = c(12, 12))
  rownames(data$x) <- sprintf("s%d", seq_len(24))
  seen <- list()
  spy <- function(x, y) {
    seen[[length(seen) + 1L]] <<- rownames(x)
    expect_length(y, nrow(x))
    relief_3(x, y)
  }
  trained <- list()
  watcher <- function(x_train, y_train, x_test) {
    trained[[length(trained) + 1L]] <<- list(
      rownames(x_train), rownames(x_test)
    )
    factor(rep(levels(y_train)[[1L]], nrow(x_test)), levels(y_train))
  }
  curve <- curve_of(data$x, data$y, list(spy = spy), c(2, 5),
    classifier = watcher, resampling = kfold(4), nested = kfold(3)
  )
  # Every call is within one training part: a whole one, then its inner ones.
  parts <- lapply(curve$splits, function(s) rownames(data$x)[s$train])
  expect_length(seen, 4 * (1 + 3))
  for (s in 1:4) {
    calls <- seen[(s - 1) * 4 + 1:4]
    expect_identical(calls[[1L]], parts[[s]])
    for (inner in calls[-1L]) expect_true(all(inner %in% parts[[s]]))
  }
  # A classifier learns from a whole training part, or stays within one.
  for (pair in trained) {
    expect_length(intersect(pair[[1L]], pair[[2L]]), 0L)
    expect_true(any(vapply(parts, function(part) {
      setequal(pair[[1L]], part) || all(unlist(pair) %in% part)
    }, NA)))
  }
})

test_that("LLFS runs on its alpha, with its own classifier", {
  data <- three_classes(genes = 30)
  curve <- curve_of(data$x, data$y,
    list(
      llfs = function(x, y, size) llfs(x, y, alpha = size, threads = 1),
      relief = relief_3
    ),
    c(1, 3),
    classifier = list(llfs = "own", "knn"), resampling = holdout(2, 0.6)
  )
  split <- curve$splits[[1L]]
  withr::local_seed(9)
  fit <- llfs(data$x[split$train, ], data$y[split$train], alpha = 3)
  here <- curve$results$selector == "llfs" & curve$results$split == 1 &
    curve$results$size == 3
  expect_equal(
    curve$results$n_used[here], mean(Matrix::colSums(subsets_of(fit)))
  )
  expect_equal(
    curve$results$value[here],
    mean(predict(fit, data$x[split$test, ]) != data$y[split$test])
  )
  expect_length(curve$selections$llfs[[1L]], 2L)
  expect_setequal(
    colnames(data$x)[curve$selections$llfs[[1L]][[2L]]], fit$selected
  )
})

test_that("names in parentheses are those of baselines", {
  data <- edge_data()
  for (name in c("(largest class)", "(all features)", "(mine)")) {
    expect_refusal(
      edge_curve(data, stats::setNames(list(relief), name), 2), "selectors"
    )
  }
})
