# What a curve gives to selectors, and takes from them.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the selections are those of the training rows", {
  data <- three_classes()
  curve <- curve_of(data$x, data$y, list(relief = relief_3), c(2, 6))
  for (s in seq_along(curve$splits)) {
    train <- curve$splits[[s]]$train
    fit <- relief_3(data$x[train, ], data$y[train])
    expect_identical(
      curve$selections$relief[[s]],
      match(selected(fit, 6, by = "class"), names(fit$scores))
    )
  }
})

test_that("semi-supervised: the unlabelled go as NA, or stay away", {
  data <- three_classes(n = c(20, 20))
  asked <- list()
  takes <- function(x, y) {
    asked[[length(asked) + 1L]] <<- y
    kbfs(x, y, n = 5, threads = 1)
  }
  curve <- curve_of(data$x, data$y, list(takes = takes, refuses = relief_3),
    c(1, 5), resampling = holdout(3, 0.6, labelled = 1 / 3)
  )
  expect_length(asked, 3L)
  for (s in 1:3) {
    split <- curve$splits[[s]]
    expect_identical(
      which(!is.na(asked[[s]])), match(split$labelled, split$train)
    )
    fit <- relief_3(data$x[split$labelled, ], data$y[split$labelled])
    expect_identical(curve$selections$refuses[[s]], fit$ranking[1:5])
  }
  expect_identical(curve$labelled_only, "refuses")
  expect_output(print(curve), "Fitted to the labelled samples only.*refuses")
})

test_that("a ranking made for one size is classified by its best so many", {
  data <- three_classes(n = c(15, 15), genes = 200)
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

test_that("a selector that returns nonsense stops the curve", {
  data <- edge_data()
  bad <- list(
    unknown = function(x, y) "gene99",
    first = function(x, y) c("gene99", colnames(x)[1:7]),
    twice = function(x, y) c("gene1", "gene1"),
    bare = function(x, y) 1:20,
    nothing = function(x, y) NULL
  )
  for (name in names(bad)) {
    expect_error(
      edge_curve(data, bad[name], 1), class = "hitmiss_error_selector"
    )
  }
  expect_input_error(
    edge_curve(data, list(v = by_variance), 1, classifier = "own")
  )
})

test_that("a feature that stands in front is in every list", {
  data <- edge_data()
  curve <- edge_curve(data, function(x, y) {
    unique(c("gene9", selected(relief(x, y, threads = 1), 50)))
  }, c(1, 3))
  expect_identical(unique(stability(curve)$frequency["gene9", ]), 1)
})

test_that("positions, ranks, flags and text are no scores", {
  data <- edge_data()
  p <- function(x, y) apply(x, 2, \(v) stats::t.test(v ~ y)$p.value)
  for (selector in list(
    which = function(x, y) which(p(x, y) < 0.9),
    two = function(x, y) c(gene7 = 7, gene8 = 8),
    ranks = function(x, y) rank(-p(x, y)),
    ties = function(x, y) rank(round(p(x, y), 1)),
    some = function(x, y) rank(sort(p(x, y))[1:5]),
    unnamed = function(x, y) unname(p(x, y)),
    text = function(x, y) format(p(x, y)),
    flags = function(x, y) p(x, y) < 0.1,
    factor = function(x, y) factor(names(sort(p(x, y))))
  )) {
    for (call in list(
      function() edge_curve(data, list(own = selector), 1),
      function() probe_fdr(data$x, data$y, selector, times = 1)
    )) {
      expect_error(call(), class = "hitmiss_error_selector")
    }
  }
  # Two scores may be 1 and 2, and all may be equal.
  for (fine in list(c(gene3 = 1, gene4 = 2), c(gene1 = 2, gene2 = 2))) {
    expect_no_warning(edge_curve(data, list(own = function(x, y) fine), 1))
  }
})

test_that("scores that look like p-values are warned of", {
  data <- edge_data()
  p <- function(x, y) apply(x, 2, \(v) stats::t.test(v ~ y)$p.value)
  data$x[, 3] <- data$x[, 3] + 3 * as.integer(data$y)
  told <- "hitmiss_warning_scores"
  expect_warning(edge_curve(data, list(p = p), 1), "look like p-values")
  expect_warning(probe_fdr(data$x, data$y, p, times = 1), class = told)
  # A constant, a copy of the class, and a feature that one class lacks.
  x <- cbind(data$x[, 1:3],
    a = 0.1, b = as.integer(data$y), c = ifelse(data$y == "class1", NA, 1)
  )
  score <- suppressWarnings(abs(stats::cor(x, as.integer(data$y)))[, 1])
  lacks <- colMeans(is.na(x[data$y == "class1", ]))
  noise <- stats::setNames(seq(1, 0, length.out = 6), colnames(x))
  for (fine in list(replace(score, is.na(score), 0), lacks, noise)) {
    expect_silent(warn_p_values(fine, x, data$y))
  }
})

test_that("a fit of other samples and one list for all splits are found", {
  data <- edge_data()
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  for (selector in list(
    function(x, y) fit,
    function(...) relief(data$x, data$y, k = 3, threads = 1)
  )) {
    expect_error(
      edge_curve(data, list(made = selector), c(2, 5)),
      "was given 12 samples and returned a fit of 24",
      class = "hitmiss_error_selector"
    )
  }
  refused <- function(selector, what) {
    expect_input_error(edge_curve(data, list(made = selector), 2), what)
  }
  refused(function(x, y) {
    made <- relief(x, y, k = 1, threads = 1)
    made["scores"] <- list(NULL)
    made
  }, "not a complete fit")
  refused(
    function(x, y) structure(by_variance(x, y), class = "integer64"),
    "named numeric scores.* an object of class integer64"
  )
  before <- selected(fit, 10)
  expect_warning(
    edge_curve(data, list(before = function(x, y) before), c(2, 10)),
    "\"before\" chose the same features",
    class = "hitmiss_warning_equal_lists"
  )
  # A list that is given as such is fixed in advance.
  curve <- expect_no_warning(edge_curve(
    data, list(published = c("absent", before, before[[1]])), c(2, 10)
  ))
  same <- suppressWarnings(
    edge_curve(data, list(published = function(x, y) before), c(2, 10))
  )
  expect_identical(curve$results, same$results)
  expect_identical(curve$selections, same$selections)
  says <- "published.*fixed in advance, 10 of 11 are in `x`, not absent"
  expect_output(print(curve), says)
  expect_match(format(summary(curve)), says)
  for (list in list("absent", character(), c(before, NA))) {
    expect_refusal(edge_curve(data, list(published = list), 2), "selectors")
  }
  # All features in their order are no selection, and few may agree.
  expect_no_warning(edge_curve(data, list(all = function(x, y) colnames(x)),
    20))
  expect_no_warning(
    edge_curve(data, list(few = function(x, y) c("gene1", "gene2")), 2)
  )
})

test_that("an empty selection predicts the largest training class", {
  data <- edge_data(c(10, 14))
  curve <- edge_curve(data, list(
    none = function(x, y) character(),
    equal = function(x, y) setNames(rep(1, ncol(x)), colnames(x))
  ), c(1, 5))
  expect_true(all(curve$results$empty))
  expect_true(all(curve$results$n_used == 0))
  expect_true(all(curve$predictions$predicted == "class2"))
  expect_equal(
    curve$aggregate$mean,
    rep(curve$baseline$mean[curve$baseline$name == "(largest class)"], 2)
  )
  expect_output(print(curve), "40 empty selections")
  for (classifier in c("svm_linear", "own")) {
    if (classifier == "own") {
      # So strict that nothing is selected.
      empty <- list(none = function(x, y) logo(x, y, lambda = 1e6, threads = 1))
    } else {
      skip_if_not_installed("e1071")
      empty <- list(none = function(x, y) character())
    }
    curve <- edge_curve(data, empty, c(1, 5), classifier = classifier)
    expect_true(all(curve$predictions$predicted == "class2"))
  }
})

test_that("LLFS works as it is: its own classifier, one size", {
  data <- edge_data(genes = 15)
  curve <- edge_curve(data, list(llfs = llfs), NULL, resampling = kfold(2))
  expect_identical(curve$sizes, 15)
  expect_identical(
    unname(curve$classifier), "the selector's own classifier"
  )
  few <- function(x, y) {
    withr::with_seed(1, llfs(x, y, alpha = 2, threads = 1))
  }
  curve <- edge_curve(data, list(llfs = few, v = by_variance), c(2, 5),
    resampling = kfold(2)
  )
  expect_identical(curve$values$llfs[, 1], curve$values$llfs[, 2])
  expect_identical(
    unname(curve$classifier),
    c("the selector's own classifier", "nearest neighbours")
  )
  split <- curve$splits[[1L]]
  fit <- few(data$x[split$train, ], data$y[split$train])
  guess <- predict(fit, data$x[split$test, ])
  expect_equal(curve$values$llfs[[1L]], mean(guess != data$y[split$test]))
  # With another classifier it is a ranking like others.
  ranked <- edge_curve(data, list(llfs = few), c(1, 5),
    classifier = "knn", resampling = kfold(2)
  )
  expect_identical(
    curve$features[ranked$selections$llfs[[1L]]],
    head(names(fit$scores)[fit$ranking], min(5, fit$n_ranked))
  )
})

test_that("features that share the lowest score have no order", {
  expect_identical(score_order(c(5, 3, 3), 1:3), 1L)
  expect_identical(score_order(c(5, 3, 2), 1:3), 1:3)
  expect_identical(score_order(c(2, 5, 5, 2, 4), 1:5), c(2L, 3L, 5L))
  expect_identical(score_order(c(1, NA, NaN, 3), 4:1), c(1L, 4L))
  expect_identical(score_order(c(1, 1), 1:2), integer())
})

test_that("a feature that is constant in a training part enters no list", {
  p <- withr::with_seed(1, list(
    x = matrix(rpois(30 * 80, 0.06), 30, dimnames = list(NULL, 1:80)),
    y = factor(rep(c("a", "b", "c"), 10)), times = rexp(30)
  ))
  outcomes <- list(
    two = factor(p$y == "a"), three = p$y,
    survival = survival::Surv(p$times, rep(1, 30))
  )
  for (y in outcomes) {
    curve <- curve_of(p$x, y, list(
      relief = relief, size = function(x, y, size) relief(x, y),
      turf = function(x, y) turf(x, y, drop = 0.5)
    ), c(5, 80), resampling = kfold(3))
    expect_equal(curve$values$relief, curve$values$size)
    for (i in seq_along(curve$splits)) {
      train <- p$x[curve$splits[[i]]$train, ]
      varies <- apply(train, 2L, function(v) length(unique(v)) > 1L)
      for (name in c("relief", "turf")) {
        list <- curve$selections[[name]][[i]]
        expect_setequal(list, which(varies))
      }
    }
  }
  y <- outcomes$two
  fit <- relief(p$x, y, threads = 1)
  constant <- colnames(p$x)[fit$preprocess$constant]
  last <- sort(untied_scores(fit), decreasing = TRUE)
  expect_setequal(tail(names(last), length(constant)), constant)
  found <- withr::with_seed(1, probe_fdr(p$x, y, relief, times = 2))
  expect_identical(found$feature, selected(fit, 80))
})
