# A user's cut-off and predictive values at another prevalence, against counts
# and Bayes' rule in plain R.
# SPDX-License-Identifier: GPL-3.0-or-later

measured <- function(table, measure) {
  row <- as.data.frame(table)[table$measure == measure, ]
  unlist(row[c("estimate", "lower", "upper", "n")])
}
exact <- function(hits) {
  test <- binom.test(sum(hits), length(hits))
  c(
    estimate = test$estimate[[1L]], lower = test$conf.int[[1L]],
    upper = test$conf.int[[2L]], n = length(hits)
  )
}
shares <- c(
  "sensitivity", "specificity", "positive predictive value",
  "negative predictive value"
)

test_that("new samples are called by their probability", {
  v <- validated(effect = 0.6)
  # Some new samples are far from all training samples.
  of <- function(...) {
    suppressWarnings(validate(v$fit, v$new, v$truth, ...))
  }
  probability <- suppressWarnings(predict(v$fit, v$new, type = "prob"))
  for (positive in levels(v$truth)) {
    score <- probability[, positive]
    ill <- v$truth == positive
    # A sample at the cut-off itself is called positive.
    for (threshold in c(0, sort(score)[c(5, 12)], 1)) {
      found <- of(positive = positive, threshold = threshold)
      called <- score >= threshold
      expect_equal(found$estimate[[1L]], mean(called != ill))
      hits <- list(
        called[ill], !called[!ill], ill[called], !ill[!called]
      )
      for (i in which(lengths(hits) > 0)) {
        expect_equal(measured(found, shares[[i]]), exact(hits[[i]]))
      }
      expect_equal(sum(found$confusion[, positive]), sum(called))
      expect_identical(
        measured(found, "AUC"), measured(of(positive = positive), "AUC")
      )
      expect_identical(glance(found)$threshold, threshold)
    }
  }
})

test_that("predictive values at a prevalence are Bayes' rule", {
  v <- validated(effect = 0.6)
  of <- function(...) {
    suppressWarnings(
      validate(v$fit, v$new, v$truth, positive = "class2", ...)
    )
  }
  plain <- of()
  se <- measured(plain, "sensitivity")[1:3]
  sp <- measured(plain, "specificity")[1:3]
  for (p in c(0.001, 0.2, 0.5)) {
    found <- of(prevalence = p)
    positive <- measured(found, "positive predictive value")
    negative <- measured(found, "negative predictive value")
    expect_equal(positive[1:3], p * se / (p * se + (1 - p) * (1 - sp)))
    expect_equal(negative[1:3], (1 - p) * sp / ((1 - p) * sp + p * (1 - se)))
    expect_identical(c(positive[["n"]], negative[["n"]]), c(20, 20))
    other <- !found$measure %in% shares[3:4]
    expect_identical(
      as.data.frame(found)[other, ], as.data.frame(plain)[other, ]
    )
    expect_identical(glance(found)$prevalence, p)
    expect_identical(names(tidy(found)), names(tidy(plain)))
  }
  # Where the share of the samples is the prevalence, nothing changes.
  expect_equal(
    of(prevalence = 0.5)$estimate, plain$estimate, tolerance = 1e-12
  )
  expect_output(
    print(of(threshold = 0.3, prevalence = 0.01)),
    "Called class2: scores of 0.3 or more.*at a prevalence of 0.01"
  )
  # Nobody is called positive: there is no share of them to be right.
  none <- measured(
    of(threshold = 1, prevalence = 0.1), "positive predictive value"
  )
  expect_identical(none[["estimate"]], NA_real_)
  expect_identical(none[["lower"]], 0)
  expect_gt(none[["upper"]], 0.5)
})

test_that("limits at a prevalence cover by enumeration of all counts", {
  p <- 0.1
  ill <- 12
  well <- 9
  limits <- function(n) {
    as.matrix(do.call(rbind, lapply(0:n, exact_interval, n, 0.95)))
  }
  se <- limits(ill)
  sp <- limits(well)
  share <- function(se, sp) p * se / (p * se + (1 - p) * (1 - sp))
  for (truth in list(c(0.9, 0.6), c(0.5, 0.95))) {
    weights <- outer(
      dbinom(0:ill, ill, truth[[1]]), dbinom(0:well, well, truth[[2]])
    )
    value <- share(truth[[1]], truth[[2]])
    inside <- outer(se[, 1], sp[, 1], share) <= value &
      outer(se[, 2], sp[, 2], share) >= value
    expect_gt(sum(weights[inside]), 0.95)
  }
})

test_that("held-out predictions of a curve are called by their scores", {
  data <- withr::with_seed(1, simulate_microarray(c(15, 12), 30,
    relevant = 3, effect = 0.6
  ))
  select <- function(x, y) relief(x, y, k = 3, threads = 1)
  curve_of <- function(...) {
    withr::with_seed(1, error_curve(data$x, data$y, list(r = select), 5,
      resampling = kfold(3, 2), ...
    ))
  }
  curve <- curve_of(classifier = "own")
  kept <- as.data.frame(curve, "predictions")
  found <- validate(curve, positive = "class2", threshold = 0.3,
    prevalence = 0.2
  )
  called <- kept$score_class2 >= 0.3
  ill <- kept$truth == "class2"
  expect_equal(found$estimate[[1L]], mean(called != ill))
  se <- measured(found, "sensitivity")
  sp <- measured(found, "specificity")
  expect_equal(se[["estimate"]], mean(called[ill]))
  expect_equal(se[["n"]], 12)
  expect_equal(
    measured(found, "positive predictive value")[1:3],
    (0.2 * se / (0.2 * se + 0.8 * (1 - sp)))[1:3]
  )
  # A function may give labels alone, and scores of any size.
  labels <- function(x_train, y_train, x_test) {
    factor(rep(levels(y_train)[[1L]], nrow(x_test)), levels(y_train))
  }
  error <- expect_error(
    validate(curve_of(classifier = labels), threshold = 0.3),
    class = "hitmiss_error_scores"
  )
  expect_identical(error$arg, "threshold")
  large <- function(x_train, y_train, x_test) {
    score <- 100 * x_test[, 1]
    matrix(c(score, -score), ncol = 2, dimnames = list(NULL, levels(y_train)))
  }
  curve <- curve_of(classifier = large)
  kept <- as.data.frame(curve, "predictions")
  found <- validate(curve, positive = "class2", threshold = 20)
  expect_equal(
    measured(found, "sensitivity")[["estimate"]],
    mean(kept$score_class2[kept$truth == "class2"] >= 20)
  )
})

test_that("what cannot be a cut-off or a prevalence is refused", {
  v <- validated()
  of <- function(...) {
    suppressWarnings(validate(v$fit, v$new, v$truth, ...))
  }
  for (wrong in list("a", NA_real_, Inf, c(0.1, 0.2), TRUE)) {
    expect_refusal(of(threshold = wrong), "threshold")
    expect_refusal(of(prevalence = wrong), "prevalence")
  }
  for (wrong in list(-0.1, 1.1, 30)) {
    expect_refusal(of(threshold = wrong, positive = "class2"), "threshold")
    expect_refusal(of(prevalence = wrong), "prevalence")
  }
  expect_refusal(of(prevalence = 0), "prevalence")
  expect_refusal(of(prevalence = 1), "prevalence")
  three <- validated(c(16, 14, 12))
  expect_refusal(
    validate(three$fit, three$new, three$truth, threshold = 0.5), "threshold"
  )
  expect_refusal(
    validate(three$fit, three$new, three$truth, prevalence = 0.5), "prevalence"
  )
  pair <- rep(seq_len(10), 2)
  pairs <- relief(v$new, v$truth, pair = pair, k = 3, threads = 1)
  expect_refusal(
    suppressWarnings(
      validate(pairs, v$new, v$truth, pair = pair, prevalence = 0.1)
    ), "prevalence"
  )
  times <- survival::Surv(seq_len(20), rep(1, 20))
  fit <- relief(v$new, times, threads = 1)
  expect_refusal(validate(fit, v$new, times, threshold = 0.5), "threshold")
  curve <- withr::with_seed(1, error_curve(v$new, times,
    list(r = function(x, y) relief(x, y, threads = 1)), 3,
    resampling = holdout(times = 3)
  ))
  expect_refusal(validate(curve, prevalence = 0.5), "prevalence")
})
