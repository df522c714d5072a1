# The classifiers of a curve, against definitions and other packages.
# SPDX-License-Identifier: GPL-3.0-or-later

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

test_that("support vector machines get scaled values and agree with e1071", {
  skip_if_not_installed("e1071")
  data <- three_classes()
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
    curve <- curve_of(x, y, list(relief = relief_3), 5,
      classifier = "svm_linear", metric = "auc", resampling = holdout(5, 0.5)
    )
    expect_gt(curve$aggregate$mean, 0.7)
    p <- curve$predictions
    expect_true(all((p$score[, "class2"] > 0) == (p$predicted == "class2")))
  }
})

test_that("the number of neighbours stands in the name of the classifier", {
  data <- three_classes(n = c(15, 15))
  curve <- curve_of(data$x, data$y, list(relief = relief_3), c(2, 10),
    classifier = "knn1", resampling = holdout(4, 0.6)
  )
  slow <- reference_curve(
    data$x, data$y, relief_3, c(2, 10), curve$splits, k = 1
  )
  expect_equal(unname(curve$values$relief), slow)
  expect_identical(curve$classifier[["relief"]], "1 nearest neighbour")
})

test_that("a selector's own classifier is judged by its area, too", {
  data <- three_classes(n = c(12, 12), genes = 20)
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

test_that("user's classifiers: factor or scores, and refusals", {
  data <- edge_data(c(10, 10, 10))
  centroid <- function(x_train, y_train, x_test) {
    m <- vapply(levels(y_train), function(c) {
      colMeans(x_train[y_train == c, , drop = FALSE])
    }, numeric(ncol(x_train)))
    m <- matrix(m, ncol(x_train), dimnames = list(NULL, levels(y_train)))
    -apply(m, 2L, function(centre) colSums((t(x_test) - centre)^2))
  }
  curve <- edge_curve(data, list(v = by_variance), c(2, 20),
    classifier = centroid, metric = "auc"
  )
  expect_true(all(curve$results$value >= 0 & curve$results$value <= 1))
  expect_identical(colnames(curve$predictions$score), levels(data$y))
  as_class <- function(x_train, y_train, x_test) {
    score <- centroid(x_train, y_train, x_test)
    factor(colnames(score)[max.col(score, "first")], levels(y_train))
  }
  classes <- edge_curve(
    data, list(v = by_variance), c(2, 20), classifier = as_class
  )
  expect_identical(classes$predictions$predicted, curve$predictions$predicted)
  # No split is left: an error, where a split alone would be a warning.
  expect_error(
    edge_curve(
      data, list(v = by_variance), 2, classifier = function(a, b, c) 1
    ),
    "must return a factor",
    class = "hitmiss_error_failed"
  )
})

test_that("a metric of scores refuses labels, by name and at once", {
  data <- edge_data()
  calls <- 0
  labels_only <- function(x_train, y_train, x_test) {
    calls <<- calls + 1
    factor(rep(levels(y_train)[[1L]], nrow(x_test)), levels(y_train))
  }
  error <- expect_input_error(
    edge_curve(data, list(v = by_variance), c(2, 5),
      classifier = labels_only, metric = "auc"
    ),
    "metric = \"auc\".*`classifier` for \"v\" returns none"
  )
  expect_identical(error$arg, "metric")
  # One split was tried.
  expect_lte(calls, 2)
  skip_if_not_installed("BiocParallel")
  expect_error(
    edge_curve(data, list(v = by_variance), 2,
      classifier = labels_only, metric = "auc",
      BPPARAM = BiocParallel::SerialParam()
    ),
    class = "hitmiss_error_scores"
  )
})

test_that("what a classifier returns is compared with what it got", {
  data <- edge_data()
  rownames(data$x) <- sprintf("s%d", 1:24)
  run <- function(classifier, metric = "error") {
    edge_curve(data, list(v = by_variance), 5,
      classifier = classifier, metric = metric
    )
  }
  guess <- function(x_train, y_train, x_test) {
    score <- cbind(class1 = x_test[, 1], class2 = -x_test[, 1])
    rownames(score) <- rownames(x_test)
    score
  }
  plain <- run(guess)
  named <- function(...) {
    score <- guess(...)
    setNames(factor(colnames(score)[max.col(score, "first")]), rownames(score))
  }
  expect_identical(run(named)$values, plain$values)
  for (bad in list(
    function(...) rev(named(...)),
    function(...) guess(...)[12:1, ]
  )) {
    expect_error(
      run(bad), "in another order than the test samples",
      class = "hitmiss_error_classifier"
    )
  }
  for (metric in c("error", "auc")) {
    expect_error(
      run(function(...) replace(guess(...), 14, NaN), metric),
      "scores that are NaN; the first is that of class \"class2\" in row 2",
      class = "hitmiss_error_classifier"
    )
  }
})

test_that("a classifier that is unknown is told that a function will do", {
  expect_input_error(
    edge_curve(
      edge_data(), list(v = by_variance), 2, classifier = "randomForest"
    ),
    "must be a function or.*function\\(x_train, y_train, x_test\\)"
  )
})

test_that("every classifier of a curve has its baseline of all features", {
  skip_if_not_installed("e1071")
  curve <- edge_curve(edge_data(), list(a = by_variance, b = by_variance),
    c(2, 5), classifier = list(a = "knn", "svm_linear")
  )
  expect_identical(curve$baseline$name[1:2], paste0(
    "(all features, ", c("nearest neighbours", "linear SVM"), ")"
  ))
})

test_that("curves refuse classifiers that do not fit the selectors", {
  small <- withr::with_seed(4,
    simulate_microarray(samples = c(10, 10), genes = 30)
  )
  curve <- function(...) {
    error_curve(small$x, small$y,
      sizes = 2, resampling = holdout(times = 2), ...
    )
  }
  two <- list(
    a = function(x, y) relief(x, y, k = 2, threads = 1),
    b = function(x, y) reference_scores(x, y, "fisher")
  )
  refused(
    curve(two, classifier = list(a = "knn")),
    "at most one unnamed element for the rest.*\"b\""
  )
  narrow <- function(x, y, newdata, ...) {
    matrix(1, nrow(newdata), 1L, dimnames = list(NULL, "one"))
  }
  # What a classifier does wrong in every split leaves no curve.
  refused(
    curve(two["a"], classifier = narrow),
    "and a column for each of ", "hitmiss_error_failed"
  )
})

test_that("a vote of the fit's own gives no warning where all is known", {
  toy <- withr::with_seed(3, simulate_localized(c(8, 8, 16), noise = 5))
  selectors <- list(
    relief = function(x, y) relief(x, y),
    llfs = function(x, y, size) llfs(x, y, alpha = size)
  )
  expect_no_warning(error_curve(
    toy$x, toy$y, selectors, 2, classifier = "own", resampling = holdout(2)
  ))
})

test_that("a user's classifier gets columns of unlike names", {
  x <- data.frame(
    a = gl(3, 4, 36, labels = c("x", "y", "z")), b = rep(1:6, 6) + 0.5,
    ax = 36:1
  )
  seen <- list()
  spy <- function(x_train, y_train, x_test) {
    seen <<- c(seen, list(colnames(x_train)), list(colnames(x_test)))
    rep(y_train[[1L]], nrow(x_test))
  }
  withr::with_seed(1, error_curve(x, gl(2, 18),
    list(all = \(x, y) c("b", "a", "ax")), 3,
    classifier = spy, resampling = kfold(2)
  ))
  # The second is the baseline of all features.
  expect_identical(unique(seen), list(
    c("b", "ax", "ay", "az", "ax.1"), c("ax", "ay", "az", "b", "ax.1")
  ))
})
