# What summary() of a curve says for a methods section: that it says all, and of
# this curve.
# SPDX-License-Identifier: GPL-3.0-or-later

text_of <- function(n = c(10, 12), ...,
                    selectors = list(v = \(x, y) apply(x, 2L, var)),
                    sizes = c(2, 5)) {
  withr::local_seed(1)
  data <- simulate_microarray(n, 40, relevant = 3)
  curve <- error_curve(data$x, data$y, selectors, sizes, ...)
  list(curve = curve, text = format(summary(curve)))
}

says <- function(text, ...) {
  for (words in c(...)) expect_match(text, words, fixed = TRUE)
}

test_that("the text has samples, splits, selectors, classifier, versions", {
  made <- text_of(resampling = holdout(6, 0.6))
  text <- made$text
  expect_named(text, c(
    "data", "validation", "selection", "classifier", "result", "software"
  ))
  expect_identical(as.character(summary(made$curve)), unname(text))
  says(text[["data"]], "22 samples", "10 class1", "12 class2", "40 features")
  says(text[["validation"]], "6 random splits", "60 %", "stratified", "scaling")
  says(
    text[["selection"]], "2 or 5 features", "v (`apply(x, 2L, var)`)",
    "not nested"
  )
  says(text[["classifier"]], "nearest neighbours", "k = 5", "standardized")
  row <- glance(made$curve)
  says(
    text[["result"]],
    sprintf("v %.3f (SE %.3f)", row$aggregate, row$aggregate_se),
    sprintf("all features %.3f", row$all_features), "averaged", "corrected",
    sprintf("largest class %.3f", row$largest_class)
  )
  says(
    text[["software"]], paste("R", getRversion()),
    paste("hitmiss", utils::packageDescription("hitmiss")$Version)
  )
  expect_false(grepl("e1071", text[["software"]]))
})

test_that("a number chosen inside is what is reported, and how it was chosen", {
  made <- text_of(nested = kfold(3), resampling = kfold(4, 2))
  says(made$text[["validation"]], "2 times 4-fold cross-validation")
  says(
    made$text[["selection"]], "nested 3-fold cross-validation",
    "within each training part", "one-standard-error"
  )
  row <- glance(made$curve)
  says(
    made$text[["result"]],
    sprintf("v %.3f (SE %.3f)", row$chosen, row$chosen_se),
    sprintf("with %g features (median)", made$curve$chosen_summary$size)
  )
  expect_false(grepl("averaged", made$text[["result"]]))
})

test_that("a metric of splits together has no standard error in the text", {
  made <- text_of(metric = "auc", resampling = leave_one_out(), sizes = 3)
  says(
    made$text[["result"]], "The AUC was",
    sprintf("v %.3f;", made$curve$summary$mean)
  )
  expect_false(grepl("SE", made$text[["result"]]))
  says(made$text[["validation"]], "leave-one-out cross-validation")
  says(made$text[["selection"]], "fixed beforehand")
})

test_that("several classifiers, their tuning and the packages used are told", {
  skip_if_not_installed("e1071")
  variance <- function(x, y) apply(x, 2L, var)
  made <- text_of(
    selectors = list(a = variance, b = variance),
    classifier = list(a = "svm_rbf", "knn"), scale = "range",
    tune = list(k = c(3, 1), cost = c(0.5, 2), folds = 3)
  )
  says(
    made$text[["classifier"]],
    "cost chosen from 0.5, 2, gamma = 1/number of features",
    "k chosen from 1, 3", "by 3-fold cross-validation", "(a); nearest", "(b)",
    "scaled to their range"
  )
  says(made$text[["validation"]], "tuning")
  says(
    made$text[["software"]],
    paste("e1071", utils::packageDescription("e1071")$Version)
  )
  # Each classifier has parameters of its own.
  expect_named(made$curve$tuned, c(
    "selector", "split", "size", "error", "cost", "k"
  ))
  expect_identical(is.na(made$curve$tuned$k), made$curve$tuned$selector == "a")
  own <- text_of(
    selectors = list(r = \(x, y) relief(x, y, k = 3, threads = 1)),
    classifier = "own"
  )
  says(own$text[["classifier"]], "the selector's own classifier")
  expect_false(grepl("scal|standardized", own$text[["validation"]]))
})

test_that("groups and preparation are told where there are any", {
  plain <- text_of()$text
  expect_false(any(grepl("group|preparation", plain)))
  made <- text_of(
    group = rep(1:11, each = 2), resampling = kfold(3), nested = kfold(2),
    prepare = list(prepare_impute(), prepare_filter(n = 30))
  )
  says(made$text[["data"]], "22 samples", "11 groups")
  says(
    made$text[["validation"]],
    "3-fold cross-validation, stratified by class, groups kept whole",
    "preparation (median imputation; the 30 features"
  )
  says(made$text[["selection"]], "2-fold cross-validation")
  left_out <- text_of(group = rep(1:11, each = 2), resampling = leave_one_out())
  says(left_out$text[["validation"]], "leave-one-group-out cross-validation;")
})

test_that("a selector's code is as it was given, without data", {
  data <- stats::rnorm(5)
  cases <- list(
    relief, function(x, y) relief(x, y, k = 1), function(x, y) {
      y <- rev(y)
      apply(x, 2L, var)
    }, eval(bquote(function(x, y) x[, 1] + .(data))), function(x, y) NULL
  )
  expect_identical(vapply(cases, selector_text, ""), c(
    "relief(x, y)", "relief(x, y, k = 1)", "y <- rev(y); apply(x, 2L, var)",
    "x[, 1] + ...", ""
  ))
  expect_identical(
    selector_texts(list(a = relief), quote(list(a = make(relief, k = 1:3)))),
    c(a = "make(relief, k = 1:3)")
  )
  long <- function(x, y) NULL
  body(long) <- parse(text = paste(rep("x", 300), collapse = " + "))[[1L]]
  expect_lte(nchar(selector_text(long)), 200L)
})

test_that("the print is wrapped, begins with the text, and has the tables", {
  curve <- text_of()$curve
  for (width in c(60L, 80L)) {
    withr::local_options(width = width)
    lines <- capture.output(print(summary(curve)))
    expect_lte(max(nchar(lines)), width)
    text <- lines[seq_len(which(lines == "")[[1L]] - 1L)]
    expect_identical(
      gsub(" +", " ", paste(text, collapse = " ")),
      paste(format(summary(curve)), collapse = " ")
    )
    expect_match(lines, "By size", all = FALSE)
  }
})
