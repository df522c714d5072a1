# Filters and the learner of mlr3: the features of the direct call, within
# pipelines, resampling and tuning.
# SPDX-License-Identifier: GPL-3.0-or-later

quiet_mlr3 <- function(env = parent.frame()) {
  for (package in c("mlr3", "mlr3filters", "mlr3pipelines", "paradox")) {
    skip_if_not_installed(package)
  }
  withr::local_options(hitmiss.threads = 1L, .local_envir = env)
  logger <- lgr::get_logger("mlr3")
  before <- logger$threshold
  logger$set_threshold("warn")
  withr::defer(logger$set_threshold(before), env)
}

toy_task <- function(toy, ...) {
  mlr3::as_task_classif(data.frame(toy$x, class = toy$y, ...), target = "class")
}

test_that("filters have the features and the scores of the direct call", {
  quiet_mlr3()
  toy <- small_array()
  task <- toy_task(toy)
  settings <- list(
    relief = list(k = 3), logo = list(lambda = 0.1),
    kbfs = list(n = 6),
    pwfp = list(fraction = 0.2), llfs = list(alpha = 3)
  )
  for (method in names(settings)) {
    filter <- mlr3filters::flt(paste0("hitmiss_", method))
    filter$param_set$set_values(.values = settings[[method]])
    withr::with_seed(1, filter$calculate(task))
    fit <- withr::with_seed(1, do.call(
      method, c(list(toy$x[, task$feature_names], toy$y), settings[[method]])
    ))
    # All of them in the fit's order: no tie is left to chance.
    expect_identical(
      names(filter$scores), top_features(fit, 20)$feature, info = method
    )
    expect_equal(filter$scores, fit$scores[names(filter$scores)],
      tolerance = 1e-12, info = method
    )
    expect_identical(anyDuplicated(filter$scores), 0L)
  }
})

test_that("parameters are those of the selectors, with their defaults", {
  quiet_mlr3()
  for (method in verbs) {
    set <- mlr3filters::flt(paste0("hitmiss_", method))$param_set
    arguments <- selector_formals(method)
    expect_in_formals <- setdiff(set$ids(), names(arguments))
    expect_identical(expect_in_formals, character(), info = method)
    for (name in setdiff(set$ids(), c("threads", "scale"))) {
      expect_identical(
        set$default[[name]],
        eval(arguments[[name]])[seq_along(set$default[[name]])],
        info = paste(method, name)
      )
    }
    tried <- set$default
    tried <- tried[!vapply(tried, is.null, NA)]
    expect_true(set$test(tried), info = method)
  }
  expect_error(mlr3filters::flt("hitmiss_relief", k = 0))
  expect_error(mlr3filters::flt("hitmiss_relief", method = "other"))
})

test_that("groups and blocks of a task are passed on", {
  quiet_mlr3()
  toy <- small_array()
  patient <- rep(1:12, 2)
  batch <- rep(c("a", "b"), 12)
  task <- toy_task(toy, patient = patient, batch = batch)
  task$set_col_roles("patient", roles = "group")
  task$set_col_roles("batch", roles = "stratum")
  x <- toy$x[, task$feature_names]
  filter <- mlr3filters::flt(
    "hitmiss_relief", k = 2, block = "batch"
  )$calculate(task)
  both <- relief(x, toy$y, k = 2, group = patient, block = batch)
  expect_equal(
    filter$scores, both$scores[names(filter$scores)], tolerance = 1e-12
  )
  grouped <- mlr3filters::flt("hitmiss_relief", k = 2)$calculate(task)
  alone <- relief(x, toy$y, k = 2, group = patient)
  expect_equal(
    grouped$scores, alone$scores[names(grouped$scores)], tolerance = 1e-12
  )
  expect_false(isTRUE(all.equal(both$scores, alone$scores)))
  filter$param_set$set_values(block = "gene1")
  expect_input_error(filter$calculate(task))
  filter$param_set$set_values(block = 1)
  expect_input_error(filter$calculate(task))
})

test_that("the relief filter takes a numeric outcome, and factors", {
  quiet_mlr3()
  filter <- mlr3filters::flt("hitmiss_relief")$calculate(mlr3::tsk("mtcars"))
  cars <- datasets::mtcars
  fit <- relief(cars[names(cars) != "mpg"], cars$mpg, method = "rrelieff")
  expect_identical(names(filter$scores), top_features(fit, 10)$feature)
  expect_error(
    mlr3filters::flt("hitmiss_logo")$calculate(mlr3::tsk("mtcars")), "regr"
  )

  frame <- data.frame(
    g = c(1, 2, 1, 5, 6, 5), f = factor(c("a", "a", "b", "b", "b", "a"))
  )
  y <- factor(rep(c("u", "v"), each = 3))
  task <- mlr3::as_task_classif(cbind(frame, y), target = "y")
  filter <- mlr3filters::flt("hitmiss_relief", k = 1)$calculate(task)
  expect_equal(filter$scores[c("g", "f")], relief(frame, y, k = 1)$scores)
})

test_that("a pipeline keeps the direct call's features of its training part", {
  quiet_mlr3()
  toy <- small_array()
  task <- toy_task(toy)
  train <- seq(1, 24, by = 2)
  graph <- mlr3::as_learner(mlr3pipelines::`%>>%`(
    mlr3pipelines::po("filter", mlr3filters::flt("hitmiss_relief", k = 3),
      filter.nfeat = 4
    ), mlr3::lrn("classif.hitmiss_llfs", alpha = 2)
  ))
  withr::with_seed(1, graph$train(task, train))
  x <- toy$x[train, task$feature_names]
  kept <- top_features(relief(x, toy$y[train], k = 3), 4)$feature
  expect_setequal(graph$model$hitmiss_relief$features, kept)
  model <- graph$model$classif.hitmiss_llfs$model
  expect_setequal(names(model$scores), kept)
  direct <- withr::with_seed(
    1, llfs(x[, names(model$scores)], toy$y[train], alpha = 2)
  )
  expect_identical(model$scores, direct$scores)
  expect_identical(
    graph$predict(task, 2:6)$response,
    unname(predict(direct, toy$x[2:6, names(model$scores)]))
  )
})

test_that("the learner predicts classes and shares, and names its features", {
  quiet_mlr3()
  task <- mlr3::tsk("iris")
  learner <- mlr3::lrn("classif.hitmiss_llfs", alpha = 2, predict_type = "prob")
  expect_input_error(learner$importance())
  # The third class has no sample here.
  withr::with_seed(1, learner$train(task, 1:100))
  x <- as.data.frame(task$data(cols = task$feature_names))
  fit <- withr::with_seed(
    1, llfs(x[1:100, ], droplevels(iris$Species[1:100]), alpha = 2)
  )
  found <- learner$predict(task, 1:100)
  expect_equal(found$prob[, 1:2],
    unname(predict(fit, x[1:100, ], type = "prob")), ignore_attr = TRUE
  )
  expect_identical(unname(found$prob[, "virginica"]), rep(0, 100))
  expect_identical(learner$selected_features(), selected(fit))
  expect_identical(learner$importance(), sort(coef(fit), decreasing = TRUE))
  learner$predict_type <- "response"
  expect_identical(
    as.character(learner$predict(task, 1:100)$response),
    as.character(predict(fit, x[1:100, ]))
  )
})

test_that("k is tuned within a nested resampling", {
  quiet_mlr3()
  task <- mlr3::tsk("iris")
  graph <- function(k) {
    mlr3::as_learner(mlr3pipelines::`%>>%`(
      mlr3pipelines::po("filter", mlr3filters::flt("hitmiss_relief", k = k),
        filter.nfeat = 2
      ), mlr3::lrn("classif.rpart")
    ))
  }
  plain <- withr::with_seed(
    1, mlr3::resample(task, graph(3), mlr3::rsmp("cv", folds = 2))
  )
  expect_lt(plain$aggregate(), 0.2)

  skip_if_not_installed("mlr3tuning")
  lgr::get_logger("bbotk")$set_threshold("warn")
  learner <- graph(paradox::to_tune(1, 5))
  tuner <- mlr3tuning::auto_tuner(
    mlr3tuning::tnr("grid_search", resolution = 3), learner,
    mlr3::rsmp("cv", folds = 2), mlr3::msr("classif.ce")
  )
  result <- withr::with_seed(1, mlr3::resample(
    task, tuner, mlr3::rsmp("cv", folds = 2),
    store_models = TRUE
  ))
  chosen <- mlr3tuning::extract_inner_tuning_results(result)$hitmiss_relief.k
  expect_true(all(chosen %in% 1:5))
})
