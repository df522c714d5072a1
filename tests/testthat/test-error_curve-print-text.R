# What summary() of a curve says for a methods section: that it says all, and of
# this curve.
# SPDX-License-Identifier: GPL-3.0-or-later

text_of <- function(n = c(10, 12), ...,
                    selectors = list(v = \(x, y) apply(x, 2L, var)),
                    sizes = c(2, 5), resampling = holdout(10, 0.5)) {
  withr::local_seed(1)
  data <- simulate_microarray(n, 40, relevant = 3)
  curve <- error_curve(data$x, data$y, selectors, sizes, ...,
    resampling = resampling)
  list(curve = curve, text = format(summary(curve)))
}

says <- function(text, ...) {
  for (words in c(...)) expect_match(text, words, fixed = TRUE)
}

test_that("the text has samples, splits, selectors, classifier, version", {
  made <- text_of(resampling = holdout(6, 0.6))
  text <- made$text
  expect_named(text, c("data", "validation", "result"))
  says(text[["data"]], "22 samples", "10 class1", "12 class2", "40 features")
  says(
    text[["validation"]], "6 random splits", "60 %", "stratified", "scaling",
    "v (hitmiss", "2, 5 features", "nearest neighbours",
    as.character(packageVersion("hitmiss"))
  )
  row <- glance(made$curve)
  says(
    text[["result"]],
    sprintf(
      "v %.3f [%.2f, %.2f]", row$aggregate, row$aggregate_lower,
      row$aggregate_upper
    ),
    sprintf("all features %.3f", row$all_features), "averaged", "corrected",
    sprintf("largest class %.3f", row$largest_class)
  )
})

test_that("a number chosen inside is what is reported, and how it was chosen", {
  made <- text_of(nested = kfold(3), resampling = kfold(4, 2))
  says(
    made$text[["validation"]], "2 times 4-fold", "nested 3-fold",
    "within each training part"
  )
  row <- glance(made$curve)
  says(
    made$text[["result"]],
    sprintf(
      "v %.3f [%.2f, %.2f]", row$chosen, row$chosen_lower, row$chosen_upper
    )
  )
  expect_false(grepl("averaged", made$text[["result"]]))
})

test_that("a metric of splits together has an interval in the text", {
  made <- text_of(metric = "auc", resampling = leave_one_out(), sizes = 3)
  says(
    made$text[["result"]], "The AUC",
    sprintf("v %.3f [%.2f", made$curve$summary$mean, made$curve$summary$lower),
    "DeLong's on the logit scale"
  )
  says(made$text[["validation"]], "leave-one-out")
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
    made$text[["validation"]], "3-fold cross-validation, stratified, groups",
    "preparation (median imputation; the 30 features"
  )
  left_out <- text_of(group = rep(1:11, each = 2), resampling = leave_one_out())
  says(left_out$text[["validation"]], "leave-one-group-out")
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
