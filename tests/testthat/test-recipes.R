# The recipe step.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_without_recipes <- function() {
  # A package that recipes loads asks for it, which warns on machines without
  # one.
  withr::local_envvar(TZ = "UTC", .local_envir = parent.frame())
  # recipes 1.0.4 calls tidyselect in a way that newer versions warn of.
  withr::local_options(
    hitmiss.threads = 1L, lifecycle_verbosity = "quiet",
    .local_envir = parent.frame()
  )
  skip_if_not_installed("recipes")
}

array_frame <- function(toy = small_array()) {
  data.frame(
    toy$x, class = toy$y, patient = rep(1:12, 2), batch = rep(c("a", "b"), 12)
  )
}

array_recipe <- function(data, ...) {
  recipes::recipe(class ~ ., data = data) |>
    recipes::update_role("patient", new_role = "id") |>
    recipes::update_role("batch", new_role = "batch") |>
    step_select_hitmiss(recipes::all_predictors(), ...)
}

step_features <- function(trained, role = recipes::all_predictors()) {
  names(recipes::bake(trained, new_data = NULL, role))
}

test_that("the step keeps the direct call's features, and all other columns", {
  skip_without_recipes()
  toy <- small_array()
  data <- array_frame(toy)
  data$weight <- hardhat::importance_weights(1:24)
  trained <- recipes::prep(array_recipe(data, top_p = 4, k = 3))
  fit <- relief(toy$x, toy$y, k = 3)
  expect_setequal(step_features(trained), selected(fit, n = 4))
  expect_setequal(
    names(recipes::bake(trained, new_data = data[1:2, ])),
    c(selected(fit, n = 4), "class", "patient", "batch", "weight")
  )
  # New samples have no labels.
  expect_setequal(
    names(recipes::bake(
      trained, data[1:2, names(data) != "class"], recipes::all_predictors()
    )),
    selected(fit, n = 4)
  )
  expect_identical(trained$steps[[1]]$scores, fit$scores)

  designed <- recipes::prep(array_recipe(data,
    top_p = 4, k = 2, group = "patient", block = "batch",
    options = list(metric = "euclidean")
  ))
  direct <- relief(toy$x, toy$y,
    k = 2, group = data$patient, block = data$batch, metric = "euclidean"
  )
  expect_identical(designed$steps[[1]]$scores, direct$scores)
  expect_setequal(step_features(designed), selected(direct, n = 4))
})

test_that("method and top_p choose", {
  skip_without_recipes()
  toy <- small_array()
  data <- array_frame(toy)
  own <- recipes::prep(array_recipe(data, method = "logo"))
  expect_setequal(step_features(own), selected(logo(toy$x, toy$y)))
  one <- recipes::prep(array_recipe(data, top_p = 1))
  expect_identical(
    step_features(one), names(which.max(coef(relief(toy$x, toy$y))))
  )

  recipe <- array_recipe(data, top_p = 2)
  expect_identical(recipes::prep(recipe)$steps[[1]]$method, "relief")
  refused <- function(...) {
    expect_input_error(array_recipe(data, ...))
  }
  refused()
  refused(top_p = 0)
  refused(method = "other")
  refused(top_p = 2, options = list(2))
  refused(top_p = 2, options = list(k = 2))
  refused(top_p = 2, group = 1)
  expect_error(recipes::prep(array_recipe(data, top_p = 2, group = "nobody")))
  expect_error(recipes::prep(array_recipe(data, top_p = 2, group = "gene1")))
  two <- recipes::recipe(class + gene1 ~ ., data)
  expect_error(recipes::prep(
    step_select_hitmiss(two, recipes::all_predictors(), top_p = 2)
  ), "the recipe has 2 outcomes")
  expect_input_error(step_select_hitmiss(1))
})

test_that("print, tidy, tunable and required_pkgs", {
  skip_without_recipes()
  data <- array_frame()
  recipe <- array_recipe(data, top_p = 4, id = "the_step")
  trained <- recipes::prep(recipe)
  # recipes 1.0.4 writes to the console, later ones as messages.
  said <- function(x) {
    paste(
      capture.output(suppressWarnings(print(x)), type = "output"),
      collapse = " "
    )
  }
  if (utils::packageVersion("recipes") < "1.0.5") {
    expect_match(
      said(recipe), "Selection by relief\\(\\) of recipes::all_predictors"
    )
    expect_match(said(trained), "Selection by relief\\(\\) removed gene")
  }
  before <- tidy(recipe$steps[[1]])
  expect_identical(before$terms, "recipes::all_predictors()")
  expect_identical(before$id, "the_step")
  after <- recipes::tidy(trained, number = 1)
  expect_named(after, c("terms", "score", "selected", "id"))
  expect_identical(sum(after$selected), 4L)
  expect_identical(nrow(after), 20L)
  expect_setequal(after$terms[after$selected], step_features(trained))
  tunable <- recipes::tunable(recipe)
  expect_identical(tunable$name, c("top_p", "k"))
  expect_identical(unique(tunable$component_id), "the_step")
  expect_true("hitmiss" %in% recipes::required_pkgs(recipe))
  # What tune() marks is checked when it has a value.
  marked <- array_recipe(
    data, top_p = quote(tune()), k = quote(tune("neighbours"))
  )
  expect_true(is.call(marked$steps[[1]]$top_p))
})

test_that("resampling learns the features on each analysis part", {
  skip_without_recipes()
  skip_if_not_installed("rsample")
  toy <- small_array()
  data <- array_frame(toy)
  splits <- withr::with_seed(
    1, rsample::group_vfold_cv(data, group = "patient", v = 3)
  )
  for (i in 1:3) {
    rows <- splits$splits[[i]]$in_id
    trained <- recipes::prep(
      array_recipe(data, top_p = 3, k = 2),
      rsample::analysis(splits$splits[[i]])
    )
    fit <- relief(toy$x[rows, ], toy$y[rows], k = 2)
    expect_setequal(step_features(trained), selected(fit, n = 3))
  }
})

test_that("the step selects among predictors, and without terms does nothing", {
  skip_without_recipes()
  data <- array_frame()
  with_terms <- function(...) {
    recipes::recipe(class ~ ., data = data) |>
      recipes::update_role("patient", new_role = "id") |>
      step_select_hitmiss(..., top_p = 2)
  }
  kept <- recipes::prep(with_terms(recipes::all_numeric()))
  expect_true("patient" %in% names(recipes::bake(kept, data)))
  expect_false("patient" %in% tidy(kept$steps[[1]])$terms)
  expect_input_error(
    recipes::prep(with_terms(recipes::all_outcomes())), "an outcome"
  )
  nothing <- recipes::prep(with_terms())
  expect_setequal(names(recipes::bake(nothing, data)), names(data))
})

test_that("a step that another version saved is refused", {
  skip_without_recipes()
  data <- array_frame()
  recipe <- array_recipe(data, top_p = 2)
  trained <- recipes::prep(recipe)
  expect_identical(trained$steps[[1]]$version, package_version_text())
  for (version in list("0.3.0", NULL)) {
    old <- trained
    old$steps[[1]]["version"] <- list(version)
    expect_input_error(recipes::bake(old, data), "a step of hitmiss")
    expect_input_error(tidy(old$steps[[1]]), "a step of hitmiss")
    expect_input_error(
      recipes::prep(old, data, fresh = TRUE), "a step of hitmiss"
    )
  }
})
