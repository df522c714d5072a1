# Curves against slow definitions; nothing learned outside the training part.
# SPDX-License-Identifier: GPL-3.0-or-later

small <- function(seed = 1L, n = c(14, 13, 9), genes = 40) {
  withr::with_seed(seed, simulate_microarray(n, genes, relevant = 3))
}

curve_of <- function(..., resampling = holdout(10, 0.5), rule = "one_se",
                     seed = 1L) {
  withr::with_seed(
    seed, error_curve(..., resampling = resampling, rule = rule)
  )
}

# No class here has ten neighbours to give.
near <- function(x, y) relief(x, y, k = 3, threads = 1)

test_that("metrics: hand values", {
  m <- matrix(c(4, 1, 0, 1, 2, 0, 0, 1, 3), 3)
  expect_equal(confusion_metric("error", m), 0.25, tolerance = 1e-6)
  expect_equal(
    confusion_metric("balanced_error", m), 0.2333333, tolerance = 1e-6
  )
  expect_equal(confusion_metric("macro_f1", m), 0.742857, tolerance = 1e-6)
  expect_equal(confusion_metric("micro_f1", m), 0.75, tolerance = 1e-6)
  truth <- factor(c(1, 1, 0, 1, 0, 0))
  score <- c(.9, .8, .7, .6, .55, .4)
  expect_equal(auc(truth, cbind(1 - score, score)), 8 / 9, tolerance = 1e-6)
})

test_that("metrics agree with counting one class at a time", {
  for (seed in some_of(1:60)) {
    withr::with_seed(seed, {
      classes <- letters[seq_len(sample(2:5, 1))]
      n <- sample(3:40, 1)
      truth <- factor(sample(classes, n, TRUE), classes)
      predicted <- factor(sample(classes, n, TRUE), classes)
      score <- round(runif(n), 1)
    })
    for (metric in c("error", "balanced_error", "macro_f1", "micro_f1")) {
      expect_equal(
        metric_value(metric, truth, predicted),
        reference_metric(metric, truth, predicted)
      )
    }
    two <- factor(ifelse(truth == "a", "a", "b"), c("a", "b"))
    if (length(unique(two)) == 2L) {
      expect_equal(
        auc(two, cbind(-score, score)), reference_auc(score, two == "b")
      )
    }
  }
})

test_that("AUC of three classes is the mean over ordered pairs", {
  withr::local_seed(4)
  truth <- factor(sample(c("a", "b", "c"), 40, TRUE))
  score <- matrix(round(runif(120), 1), 40)
  slow <- c()
  for (i in 1:3) {
    for (j in setdiff(1:3, i)) {
      rows <- as.integer(truth) %in% c(i, j)
      slow <- c(
        slow, reference_auc(score[rows, i], as.integer(truth)[rows] == i)
      )
    }
  }
  expect_equal(auc(truth, score), mean(slow))
})

test_that("AUC of 400 classes takes no longer than their samples do", {
  withr::local_seed(5)
  truth <- factor(rep(1:400, 2))
  score <- matrix(round(runif(800 * 400), 1), 800)
  seconds <- system.time(found <- auc(truth, score))[["user.self"]]
  expect_lt(seconds, 5)
  few <- as.integer(truth) <= 3
  slow <- mean(unlist(lapply(1:3, function(i) {
    vapply(setdiff(1:3, i), function(j) {
      rows <- as.integer(truth) %in% c(i, j)
      reference_auc(score[rows, i], as.integer(truth)[rows] == i)
    }, 0)
  })))
  expect_equal(auc(droplevels(truth[few]), score[few, 1:3]), slow)
  expect_gt(found, 0.45)
})

test_that("neighbours agree with one query at a time, ties and all", {
  for (seed in some_of(1:60)) {
    withr::with_seed(seed, {
      n <- sample(2:20, 1)
      p <- sample(1:8, 1)
      # Few values: many ties, also duplicated samples.
      train <- matrix(sample(0:2, n * p, TRUE) + 0, n)
      test <- matrix(sample(0:2, 7 * p, TRUE) + 0, 7)
      y <- factor(sample(c("a", "b", "c"), n, TRUE), c("a", "b", "c"))
      sizes <- sort(unique(sample(p, 3, TRUE)))
    })
    k <- matrix(c(1L, 3L, 5L), length(sizes), 3L, byrow = TRUE)
    votes <- nested_vote(list(train = train, test = test), y, sizes, k, TRUE)
    for (s in seq_along(sizes)) {
      use <- seq_len(sizes[[s]])
      for (t in 1:3) {
        expect_identical(
          levels(y)[votes$winner[, t, s]],
          as.character(reference_knn(
            train[, use, drop = FALSE], y, test[, use, drop = FALSE], k[s, t]
          ))
        )
      }
    }
    expect_equal(
      apply(votes$share, c(1, 3, 4), sum), array(1, c(7, 3, length(sizes)))
    )
  }
})

test_that("curves of rankers and sparse selectors are the slow definition's", {
  selectors <- list(
    relief = near,
    logo = function(x, y) logo(x, y, threads = 1)
  )
  for (seed in some_of(1:25)) {
    data <- small(seed, genes = 25)
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
  data <- small()
  curve <- curve_of(data$x, data$y,
    list(relief = near, t = function(x, y) logo(x, y)),
    sizes = c(5, 1, 5, 20, 1000), resampling = holdout(4, 0.5)
  )
  expect_s3_class(curve, c("hitmiss_curve", "hitmiss_evaluation"), exact = TRUE)
  expect_equal(curve$sizes, c(1, 5, 20, 40))
  expect_named(curve$results, c(
    "selector", "size", "split", "repetition", "value", "n_used", "n_train",
    "n_test", "empty"
  ))
  expect_named(curve$summary, c("selector", "size", "mean", "sd", "n_used"))
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
  without <- curve_of(data$x, data$y, near, 3, keep = FALSE)
  expect_null(without$predictions)
})

test_that("the selections are those of the training rows", {
  data <- small()
  curve <- curve_of(data$x, data$y, list(relief = near), c(2, 6))
  for (s in seq_along(curve$splits)) {
    train <- curve$splits[[s]]$train
    fit <- near(data$x[train, ], data$y[train])
    expect_identical(curve$selections$relief[[s]], fit$ranking[1:6])
  }
})

test_that("support vector machines get scaled values and agree with e1071", {
  skip_if_not_installed("e1071")
  data <- small()
  # One column that is constant in training makes e1071's own scaling drop rows.
  data$x[, 1] <- 0
  data$x[1, 1] <- 1
  curve <- curve_of(data$x, data$y, list(all = function(x, y) colnames(x)), 40,
    classifier = "svm_rbf", resampling = holdout(3, 0.5)
  )
  for (s in 1:3) {
    split <- curve$splits[[s]]
    parts <- reference_scaled(data$x[split$train, ], data$x[split$test, ])
    model <- e1071::svm(parts$train, data$y[split$train], scale = FALSE)
    guess <- predict(model, parts$test)
    expect_equal(
      curve$results$value[[s]], mean(as.character(guess) != data$y[split$test])
    )
  }
})

test_that("SVM scores rank as the decision values do, whatever comes first", {
  skip_if_not_installed("e1071")
  data <- withr::with_seed(2, simulate_microarray(c(15, 15), 20, effect = 1))
  for (flip in c(FALSE, TRUE)) {
    x <- data$x
    y <- data$y
    if (flip) {
      x <- x[30:1, ]
      y <- y[30:1]
    }
    curve <- curve_of(x, y, list(relief = near), 5,
      classifier = "svm_linear", metric = "auc", resampling = holdout(5, 0.5)
    )
    expect_gt(curve$aggregate$mean, 0.7)
    p <- curve$predictions
    expect_true(all((p$score[, "class2"] > 0) == (p$predicted == "class2")))
  }
})

test_that("the number of neighbours stands in the name of the classifier", {
  data <- small(n = c(15, 15))
  curve <- curve_of(data$x, data$y, list(relief = near), c(2, 10),
    classifier = "knn1", resampling = holdout(4, 0.6)
  )
  slow <- reference_curve(
    data$x, data$y, near, c(2, 10), curve$splits, k = 1
  )
  expect_equal(unname(curve$values$relief), slow)
  expect_identical(curve$classifier[["relief"]], "1 nearest neighbour")
})

test_that("the size is chosen by the inner curve alone", {
  data <- small(3, n = c(15, 15))
  sizes <- c(1, 3, 10)
  curve <- curve_of(data$x, data$y, list(relief = near), sizes,
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
      data$x[train, ], data$y[train], near, sizes, inner
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
  data <- small(n = c(12, 12))
  rownames(data$x) <- sprintf("s%d", seq_len(24))
  seen <- list()
  spy <- function(x, y) {
    seen[[length(seen) + 1L]] <<- rownames(x)
    expect_length(y, nrow(x))
    near(x, y)
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

test_that("semi-supervised: the unlabelled go as NA, or stay away", {
  data <- small(n = c(20, 20))
  asked <- list()
  takes <- function(x, y) {
    asked[[length(asked) + 1L]] <<- y
    kbfs(x, y, n = 5, threads = 1)
  }
  curve <- curve_of(data$x, data$y, list(takes = takes, refuses = near),
    c(1, 5), resampling = holdout(3, 0.6, labelled = 1 / 3)
  )
  expect_length(asked, 3L)
  for (s in 1:3) {
    split <- curve$splits[[s]]
    expect_identical(
      which(!is.na(asked[[s]])), match(split$labelled, split$train)
    )
    fit <- near(data$x[split$labelled, ], data$y[split$labelled])
    expect_identical(curve$selections$refuses[[s]], fit$ranking[1:5])
  }
  expect_identical(curve$labelled_only, "refuses")
  expect_output(print(curve), "Fitted to the labelled samples only.*refuses")
})

test_that("pooled metrics are formed from a repetition's predictions", {
  data <- small()
  curve <- curve_of(data$x, data$y, list(relief = near), c(2, 5),
    resampling = kfold(4, 2), metric = "macro_f1"
  )
  expect_true(all(is.na(curve$results$value)))
  p <- curve$predictions
  fold <- vapply(curve$splits, `[[`, 0L, "repetition")
  for (r in 1:2) {
    mine <- p[p$size == 5 & fold[p$split] == r, ]
    expect_equal(
      unname(curve$values$relief[r, 2L]),
      reference_metric("macro_f1", mine$truth, mine$predicted)
    )
  }
  loo <- curve_of(data$x, data$y, list(relief = near), 5,
    resampling = leave_one_out(), metric = "balanced_error"
  )
  expect_true(all(loo$results$value %in% 0:1))
  expect_equal(
    loo$aggregate$mean,
    reference_metric(
      "balanced_error", loo$predictions$truth, loo$predictions$predicted
    )
  )
})

test_that("LLFS runs on its alpha, with its own classifier", {
  data <- small(genes = 30)
  curve <- curve_of(data$x, data$y,
    list(
      llfs = function(x, y, size) llfs(x, y, alpha = size, threads = 1),
      relief = near
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

test_that("a ranking made for one size is classified by its best so many", {
  data <- small(n = c(15, 15), genes = 200)
  curve <- curve_of(data$x, data$y,
    list(relief = function(x, y, size) relief(x, y, k = 5, threads = 1)), 5,
    classifier = "own", resampling = holdout(2, 0.6)
  )
  for (s in 1:2) {
    split <- curve$splits[[s]]
    fit <- relief(
      data$x[split$train, ], data$y[split$train], k = 5, threads = 1
    )
    guess <- predict(fit, data$x[split$test, ], n = 5, threads = 1)
    expect_equal(curve$results$value[[s]], mean(guess != data$y[split$test]))
    expect_equal(curve$results$n_used[[s]], 5)
  }
})

test_that("a selector's own classifier is judged by its area, too", {
  data <- small(n = c(12, 12), genes = 20)
  select <- function(x, y) logo(x, y, threads = 1)
  curve <- curve_of(data$x, data$y, list(logo = select), 20,
    classifier = "own", metric = "auc", resampling = holdout(4, 0.6)
  )
  for (s in 1:4) {
    split <- curve$splits[[s]]
    fit <- select(data$x[split$train, ], data$y[split$train])
    chance <- predict(fit, data$x[split$test, ], type = "prob", threads = 1)
    expect_equal(curve$results$value[[s]], auc(data$y[split$test], chance))
  }
})

test_that("a training part of one class predicts it; one class has no area", {
  y <- factor(c("b", "b", "b"), c("a", "b"))
  parts <- list(train = matrix(1:6, 3), test = matrix(1:4, 2))
  guess <- svm_predict(parts, y, "linear", cost = 1)
  expect_equal(guess$class, c(2, 2))
  expect_true(all(guess$score[, 2L] > guess$score[, 1L]))
  expect_identical(auc(y, matrix(0.5, 3, 2)), NA_real_)
})
