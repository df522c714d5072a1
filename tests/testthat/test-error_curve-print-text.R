# The sentence of summary() of a curve for a methods section: that it says all,
# and of this curve.
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

test_that("the sentence has selectors, samples, design, splits and version", {
  made <- text_of(
    c(12, 12), group = rep(1:12, each = 2), resampling = kfold(3, 2),
    nested = kfold(2), prepare = prepare_filter(n = 30), selectors = list(
      r = relief, g = \(x, y) kbfs(x, y, n = 4, threads = 1),
      v = \(x, y) apply(x, 2L, var)
    )
  )
  expect_length(made$text, 1L)
  says(
    made$text, "error of nearest neighbours",
    "r (ReliefF, k = 10, scale = range, group = given)",
    "g (KBFS, n = 4, scale = zscore), v (sizes: 2, 5)",
    "24 samples of 12 groups",
    "40 features", "class1 12, class2 12", "2 times 3-fold cross-validation",
    "groups kept whole", "chosen on each training part by 2-fold",
    "preparation (the 30 features", "random seed: as set",
    paste("hitmiss", packageVersion("hitmiss"))
  )
  plain <- text_of(metric = "auc", resampling = holdout(6, 0.6))$text
  says(plain, "The AUC of", "6 random splits, 60 %", "scaling (zscore)")
  expect_false(grepl("group|preparation|horizon", plain))
  by_size <- text_of(selectors = list(
    s = \(x, y, size) kbfs(x, y, n = size, threads = 1)
  ))$text
  says(by_size, "s (KBFS, scale = zscore) (sizes: 2, 5)")
})

test_that("the print is wrapped, begins with the sentence, has the tables", {
  curve <- text_of()$curve
  for (width in c(60L, 80L)) {
    withr::local_options(width = width)
    lines <- capture.output(print(summary(curve)))
    expect_lte(max(nchar(lines)), width)
    text <- lines[seq_len(which(lines == "")[[1L]] - 1L)]
    expect_identical(
      gsub(" +", " ", paste(text, collapse = " ")), format(summary(curve))
    )
    expect_match(lines, "By size", all = FALSE)
  }
})
