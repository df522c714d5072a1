# Every class has plot(), autoplot(), tidy() and glance(), or says what it has.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

verb <- function(name) {
  if (name == "autoplot") ggplot2::autoplot else get(name)
}

test_that("each class has the four verbs, or an error that lists its verbs", {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  made$comparison <- compare_selectors(made$curve)
  made$fit <- quick_relief(data$x, data$y)
  made <- made[setdiff(names(made), c("selectors", "summary"))]
  for (name in names(made)) {
    object <- made[[name]]
    drawn <- !name %in% c("bayes", "size", "resampling")
    for (picture in c("plot", "autoplot")) {
      if (drawn) {
        result <- on_device(600, 400, verb(picture)(object))
        expect_true(inherits(result, "ggplot"), label = paste(name, picture))
      } else {
        error <- expect_error(
          verb(picture)(object), class = "hitmiss_error_input"
        )
        expect_match(conditionMessage(error), "glance")
        expect_match(conditionMessage(error), class(object)[[1L]], fixed = TRUE)
        expect_no_match(conditionMessage(error), "has .*plot\\(\\)")
      }
    }
    expect_s3_class(tidy(object), "data.frame", exact = TRUE)
    row <- glance(object)
    expect_s3_class(row, "data.frame", exact = TRUE)
    # One row, and of a curve one per selector.
    expect_identical(nrow(row), if (name == "curve") 2L else 1L, label = name)
  }
})

test_that("tables are those that the objects hold", {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  expect_identical(tidy(made$roc), as.data.frame(made$roc))
  expect_identical(tidy(made$redundancy), as.data.frame(made$redundancy))
  expect_identical(tidy(made$bayes), as.data.frame(made$bayes))
  expect_identical(glance(made$bayes)$error, made$bayes$error)
  expect_identical(glance(made$roc)$auc, made$roc$auc)
  expect_identical(tidy(kfold(5, times = 2))$k, 5L)
  expect_identical(glance(holdout(3))$times, 3L)
  expect_identical(glance(made$size)$smallest, min(made$size$size))
  compared <- compare_selectors(made$curve)
  expect_identical(glance(compared)$pairs, 1L)
  picture <- ggplot2::autoplot(compared)
  expect_equal(ggplot2::layer_data(picture, 3L)$x, compared$difference)
})
