# Which of two classes is positive, and what says so.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the first class is positive unless the user says otherwise", {
  v <- validated(seed = 2, effect = 0.6)
  told <- function(code) {
    texts <- character()
    value <- withCallingHandlers(code, hitmiss_message_positive = function(m) {
      texts <<- c(texts, conditionMessage(m))
      invokeRestart("muffleMessage")
    })
    list(value = value, texts = texts)
  }
  one <- told(validate(v$fit, v$new, v$truth))
  found <- one$value$confusion
  counts <- sprintf("%d of %d found", found[1L, 1L], sum(found[1L, ]))
  expect_length(one$texts, 1L)
  expect_match(one$texts, "\"class1\"", fixed = TRUE)
  expect_match(one$texts, counts, fixed = TRUE)
  expect_output(print(one$value), counts, fixed = TRUE)
  given <- told(validate(v$fit, v$new, v$truth, positive = "class1"))
  expect_identical(given$texts, character())
  expect_identical(as.data.frame(given$value), as.data.frame(one$value))
  # What is found of one class is specificity for the other.
  other <- validate(v$fit, v$new, v$truth, positive = "class2")
  swap <- c(
    error = "error", sensitivity = "specificity", specificity = "sensitivity",
    "positive predictive value" = "negative predictive value",
    "negative predictive value" = "positive predictive value", AUC = "AUC"
  )
  expect_equal(
    other$table$estimate[match(swap, other$measure)], one$value$estimate
  )
  expect_identical(other$positive, "class2")
  for (bad in list("class3", 3, NA, c("class1", "class2"), factor("class1"))) {
    expect_refusal(
      validate(v$fit, v$new, v$truth, positive = bad), "positive"
    )
  }
  expect_refusal(coef(v$fit, positive = "class1"), "positive")
  signs <- told(coef(v$fit, signed = TRUE))
  expect_length(signs$texts, 1L)
  expect_equal(-signs$value, coef(v$fit, signed = TRUE, positive = "class2"))
  # TRUE and 1 are labels as well.
  yes <- relief(v$new, v$truth == "class1", k = 3, threads = 1)
  yes <- suppressWarnings(validate(yes, v$new, v$truth == "class1"))
  expect_identical(yes$positive, "TRUE")
  expect_identical(positive_class(TRUE, c("FALSE", "TRUE")), "TRUE")
  expect_identical(positive_class(1, c("0", "1")), "1")
  three <- validated(c(16, 14, 12))
  expect_refusal(
    validate(three$fit, three$new, three$truth, positive = "class1"), "positive"
  )
})

test_that("a curve keeps its positive class, whose scores give the area", {
  data <- withr::with_seed(1, simulate_microarray(c(15, 12), 20, relevant = 3))
  # Scores of the classes that do not add up: the areas differ.
  own <- function(x_train, y_train, x_test) {
    cbind(class1 = x_test[, 1L], class2 = x_test[, 2L]^2)
  }
  area <- function(...) {
    withr::with_seed(1, error_curve(data$x, data$y,
      list(all = function(x, y) colnames(x)), 20, classifier = own,
      resampling = holdout(3), metric = "auc", ...
    ))
  }
  for (class in c("class1", "class2")) {
    curve <- suppressWarnings(area(positive = class))
    kept <- as.data.frame(curve, "predictions")
    wanted <- vapply(split(kept, kept$split), function(part) {
      reference_auc(part[[paste0("score_", class)]], part$truth == class)
    }, 0)
    expect_equal(curve$results$value, unname(wanted))
    expect_no_message(found <- validate(curve))
    expect_identical(found$positive, class)
    skip_if_not_installed("ggplot2")
    expect_no_message(picture <- ggplot2::autoplot(curve, "roc"))
    expect_match(picture$labels$subtitle, paste("ROC:", class))
  }
  expect_refusal(area(positive = "class3"), "positive")
  expect_message(
    ggplot2::autoplot(suppressWarnings(area()), "roc"), "15 of 27 samples",
    class = "hitmiss_message_positive"
  )
})
