# caret's sbf(), rfe() and train(), nestedcv's filters, ClassifyR's functions.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_without_caret <- function() {
  withr::local_envvar(TZ = "UTC", .local_envir = parent.frame())
  withr::local_options(hitmiss.threads = 1L, .local_envir = parent.frame())
  skip_if_not_installed("caret")
}

three_folds <- function() {
  list(a = c(1:8, 13:20), b = c(5:12, 17:24), c = c(1:4, 9:16, 21:24))
}

test_that("sbf keeps the features of the direct call in every fold", {
  skip_without_caret()
  toy <- small_array()
  x <- as.data.frame(toy$x)
  run <- function(...) {
    withr::with_seed(1, caret::sbf(x, toy$y, sbfControl = caret::sbfControl(
      functions = hitmiss_sbf(...), method = "cv", multivariate = TRUE,
      index = three_folds()
    )))
  }
  result <- run(relief, n = 4, k = 3)
  expect_setequal(result$optVariables, selected(relief(x, toy$y, k = 3), n = 4))
  folds <- lapply(three_folds(), function(rows) {
    selected(relief(x[rows, ], toy$y[rows], k = 3), n = 4)
  })
  expect_identical(
    lapply(unname(result$variables), sort), lapply(unname(folds), sort)
  )
  again <- relief(x[result$optVariables], toy$y, k = 3)
  found <- predict(result, x)
  expect_identical(found$pred, unname(predict(again, x)))
  expect_equal(as.matrix(found[levels(toy$y)]),
    predict(again, x, type = "prob"), ignore_attr = TRUE
  )
  expect_setequal(run(logo, n = NULL)$optVariables, selected(logo(x, toy$y)))
  expect_error(run(relief, n = NULL))
  expect_error(hitmiss_sbf("relief"), class = "hitmiss_error_input")
  expect_error(hitmiss_sbf(relief, 20, 5), class = "hitmiss_error_input")
  # No feature is left: the largest class.
  functions <- hitmiss_sbf(logo)
  none <- functions$fit(x[, 0], toy$y)
  expect_named(functions$pred(none, x[1:2, 0]), c("pred", levels(toy$y)))
})

test_that("rfe ranks by the selector", {
  skip_without_caret()
  toy <- small_array()
  x <- as.data.frame(toy$x)
  result <- withr::with_seed(1, caret::rfe(x, toy$y,
    sizes = c(2, 4),
    rfeControl = caret::rfeControl(
      functions = hitmiss_rfe(relief, k = 3), method = "cv",
      index = three_folds()
    )
  ))
  expect_true(all(result$results$Accuracy >= 0 & result$results$Accuracy <= 1))
  fit <- relief(x, toy$y, k = 3)
  ranks <- hitmiss_rfe(relief)$rank(fit, x, toy$y)
  expect_identical(ranks$var, top_features(fit, 20)$feature)
  expect_false(is.unsorted(-ranks$Overall))
})

test_that("train tunes each selector, k among them, and predicts", {
  skip_without_caret()
  toy <- small_array()
  x <- as.data.frame(toy$x)
  for (method in verbs) {
    model <- hitmiss_train(method)
    trained <- withr::with_seed(1, suppressWarnings(caret::train(x, toy$y,
      method = model, tuneLength = 2,
      trControl = caret::trainControl(
        method = "cv", index = three_folds(), classProbs = TRUE
      )
    )))
    expect_named(trained$bestTune, model$parameters$parameter)
    fit <- trained$finalModel
    n <- trained$bestTune$n
    arguments <- c(list(fit, x), if (!is.null(n)) list(n = n))
    expect_identical(predict(trained, x), unname(do.call(predict, arguments)))
    expect_equal(as.matrix(predict(trained, x, type = "prob")),
      do.call(predict, c(arguments, type = "prob")),
      ignore_attr = TRUE
    )
    expect_identical(
      caret::varImp(
        trained, scale = FALSE
      )$importance[names(fit$scores), "Overall"],
      unname(fit$scores)
    )
    expect_identical(
      caret::predictors(trained), selected(fit, n = n),
      info = method
    )
  }
  expect_error(hitmiss_train("other"), class = "hitmiss_error_input")
})

test_that("k is tuned within an outer cross-validation", {
  skip_without_caret()
  toy <- small_array()
  x <- as.data.frame(toy$x)
  wrong <- vapply(three_folds(), function(rows) {
    tuned <- withr::with_seed(1, caret::train(x[rows, ], toy$y[rows],
      method = hitmiss_train("relief"), tuneGrid = expand.grid(k = 1:3, n = 4),
      trControl = caret::trainControl(method = "cv", number = 2)
    ))
    expect_true(tuned$bestTune$k %in% 1:3)
    expect_identical(
      tuned$finalModel$parameters$k, as.integer(tuned$bestTune$k)
    )
    mean(predict(tuned, x[-rows, ]) != toy$y[-rows])
  }, 0)
  expect_true(all(wrong < 0.5))
})

test_that("the filter for nestedcv returns positions", {
  toy <- small_array()
  fit <- relief(toy$x, toy$y, k = 3, threads = 1L)
  filter <- function(...) hitmiss_filter(toy$y, toy$x, ..., threads = 1L)
  expect_identical(filter(nfilter = 4, k = 3), head(fit$ranking, 4))
  expect_identical(
    filter(nfilter = 4, k = 3, type = "names"), selected(fit, n = 4)
  )
  expect_identical(filter(k = 3, type = "full"), fit$scores)
  sparse <- logo(toy$x, toy$y, threads = 1L)
  expect_identical(filter(logo), match(selected(sparse), colnames(toy$x)))
  expect_identical(filter(logo, nfilter = 20), filter(logo))
  # Without names, too.
  expect_identical(
    hitmiss_filter(toy$y, unname(toy$x), nfilter = 4, k = 3, threads = 1L),
    head(fit$ranking, 4)
  )
  expect_error(filter(), class = "hitmiss_error_input")
  expect_error(hitmiss_filter(toy$y), class = "hitmiss_error_input")
})

test_that("nestedcv runs with the filter", {
  skip_if_not_installed("nestedcv")
  skip_without_caret()
  # Fewer in the inner folds are dangerous ground for glmnet, which warns.
  toy <- withr::with_seed(1, simulate_microarray(c(20, 20), 20, relevant = 3))
  rownames(toy$x) <- paste0("s", 1:40)
  result <- withr::with_seed(1, nestedcv::nestcv.glmnet(toy$y, toy$x,
    family = "binomial", filterFUN = hitmiss_filter, n_outer_folds = 3,
    n_inner_folds = 3, filter_options = list(nfilter = 5, k = 2, threads = 1L)
  ))
  expect_identical(nrow(result$output), 40L)
  for (fold in result$outer_result) {
    train <- !rownames(toy$x) %in% rownames(fold$preds)
    best <- hitmiss_filter(toy$y[train], toy$x[train, ],
      nfilter = 5, k = 2, type = "names", threads = 1L
    )
    expect_identical(fold$nfilter, 5L)
    expect_true(all(names(fold$coef)[-1] %in% best))
  }
})

test_that("the functions for ClassifyR keep its contract", {
  toy <- small_array()
  for (case in list(list(logo, NULL), list(relief, 4))) {
    hm <- hitmiss_classifyr(case[[1]], n = case[[2]], threads = 1L)
    model <- hm$train(toy$x, toy$y, verbose = 0)
    expect_identical(attr(hm$train, "name"), "hitmiss_train")
    both <- hm$predict(model, toy$x[1:3, ], verbose = 0)
    expect_named(both, c("class", levels(toy$y)))
    expect_identical(
      hm$predict(model, toy$x[1:3, ], returnType = "class"),
      predict(model, toy$x[1:3, ])
    )
    expect_identical(
      hm$predict(model, toy$x[1:3, ], returnType = "score"),
      predict(model, toy$x[1:3, ], type = "prob")
    )
    features <- hm$features(model)
    expect_identical(sort(features[[1]]), 1:20)
    expect_identical(
      features[[2]], match(selected(model, n = case[[2]]), colnames(toy$x))
    )
  }
  skip_if_not_installed("S4Vectors")
  frame <- S4Vectors::DataFrame(toy$x)
  hm <- hitmiss_classifyr(relief, threads = 1L)
  expect_identical(
    hm$train(frame, toy$y)$scores, relief(toy$x, toy$y, threads = 1L)$scores
  )
  expect_identical(hm$predict(
    hm$train(frame, toy$y), frame, returnType = "class"
  ),
    predict(hm$train(toy$x, toy$y), toy$x))
})
