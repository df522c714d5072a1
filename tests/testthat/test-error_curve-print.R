# What is printed, tabled and drawn.
# SPDX-License-Identifier: GPL-3.0-or-later

lines_of <- function(object) {
  withr::local_options(width = 80)
  capture.output(print(object))
}

test_that("print takes at most 15 lines and calls a minimum optimistic", {
  many <- stats::setNames(
    rep(list(function(x, y) apply(x, 2L, var)), 12), paste0("selector", 1:12)
  )
  for (lines in list(
    lines_of(shown_curve()$curve),
    lines_of(shown_curve(nested = kfold(2), metric = "balanced_error")$curve),
    lines_of(shown_curve(resampling = leave_one_out())$curve),
    lines_of(shown_curve(selectors = many, metric = "auc")$curve)
  )) {
    expect_lte(length(lines), 15L)
    expect_match(lines, "best \\(optimistic\\)", all = FALSE)
    expect_match(paste(lines, collapse = ""), "[0-9] +at (10|30)")
  }
  expect_match(lines, "6 more selectors", all = FALSE)
})

test_that("tidy and glance are the tables", {
  curve <- shown_curve(nested = kfold(2))$curve
  table <- tidy(curve)
  expect_named(table, c(
    "selector", "size", "mean", "sd", "lower", "upper", "n_used", "se"
  ))
  row <- glance(curve)
  expect_equal(nrow(row), 2L)
  expect_equal(row$chosen, curve$chosen_summary$mean)
  expect_true("best_optimistic" %in% names(row))
})

test_that("standard errors know that training parts overlap, in every table", {
  for (case in list(
    list(holdout(6, 0.7)), list(kfold(4), 4), list(kfold(3, 2), 3),
    list(leave_one_out())
  )) {
    nested <- if (case[[1L]]$method == "holdout") kfold(2)
    curve <- shown_curve(resampling = case[[1L]], nested = nested)$curve
    slow <- function(values) {
      max(
        reference_se(values, curve$splits, if (length(case) > 1L) case[[2L]]),
        reference_floor(mean(values), 36)
      )
    }
    se <- unlist(lapply(curve$values, function(v) apply(v, 2L, slow)))
    expect_equal(tidy(curve)$se, unname(se))
    expect_equal(
      glance(curve)$aggregate_se,
      unname(vapply(curve$values, function(v) slow(rowMeans(v)), 0))
    )
    if (!is.null(nested)) {
      chosen <- split(curve$chosen$value, curve$chosen$selector)
      expect_equal(
        glance(curve)$chosen_se, unname(vapply(chosen, slow, 0))
      )
    }
    expect_false(anyNA(curve$baseline$sd))
    printed <- sprintf("%.3f [%.2f, %.2f]", curve$aggregate$mean,
      curve$aggregate$lower, curve$aggregate$upper
    )
    lines <- lines_of(curve)
    for (text in printed) expect_match(lines, text, fixed = TRUE, all = FALSE)
    expect_match(lines, "In brackets: 95 % interval", all = FALSE)
  }
})

test_that("splits without a value are left out of a standard error", {
  calls <- 0
  sometimes <- list(v = function(x, y) {
    calls <<- calls + 1
    if (calls %in% c(2, 5)) stop("not now")
    apply(x, 2L, var)
  })
  curve <- suppressWarnings(
    shown_curve(selectors = sometimes, resampling = holdout(6, 0.6))$curve
  )
  expect_equal(sum(is.na(curve$values$v[, 1L])), 2L)
  expect_equal(tidy(curve)$se, unname(apply(curve$values$v, 2L, function(v) {
    max(
      reference_se(v, curve$splits), reference_floor(mean(v, na.rm = TRUE), 36)
    )
  })))
  # One value has none.
  expect_identical(
    tidy(shown_curve(resampling = holdout(1))$curve)$se, rep(NA_real_, 8L)
  )
  expect_identical(corrected_se(c(NA, 0.2, NA), 1), NA_real_)
})

test_that("a metric of splits taken together has an interval, no se", {
  skip_if_not_installed("ggplot2")
  for (resampling in list(kfold(3, 3), leave_one_out())) {
    curve <- shown_curve(resampling = resampling, metric = "macro_f1")$curve
    expect_true(all(is.na(tidy(curve)$se)))
    expect_true(all(is.na(glance(curve)$aggregate_se)))
    lines <- lines_of(curve)
    expect_match(lines, "In brackets: 95 % interval", all = FALSE)
    expect_match(
      ggplot2::autoplot(curve)$labels$subtitle,
      "^mean macro F1 and its 95 % interval; "
    )
  }
  # The rule still has its plain one, over repetitions.
  curve <- shown_curve(resampling = kfold(3, 3), metric = "macro_f1")$curve
  best <- best_size(curve)[1L, ]
  at <- match(best$best_size, curve$sizes)
  expect_equal(best$plain_se, sd(curve$values$relief[, at]) / sqrt(3))
})

test_that("print says which parts lacked a class", {
  data <- withr::with_seed(1, simulate_microarray(c(12, 3), 20, relevant = 3))
  curve <- withr::with_seed(1, error_curve(data$x, data$y,
    list(v = function(x, y) apply(x, 2L, var)), c(2, 5),
    metric = "balanced_error", resampling = holdout(20, 0.5, stratified = FALSE)
  ))
  lacking <- sum(vapply(curve$splits, function(split) {
    length(unique(data$y[split$test])) < 2L
  }, NA))
  expect_gt(lacking, 0L)
  expect_output(print(curve), paste(
    lacking, "test parts lack a class and have no balanced error"
  ))
})

test_that("print says how many samples the models were fitted to", {
  curve <- edge_curve(edge_data(), list(v = by_variance), 5,
    resampling = kfold(5)
  )
  n <- paste(unique(range(curve$results$n_train)), collapse = " to ")
  expect_match(
    gsub(" +", " ", paste(capture.output(print(curve)), collapse = " ")),
    paste(
      "trained on", n, "of 24 samples \\(a model of all should err less\\)"
    )
  )
})

test_that("no value is said in words", {
  data <- edge_data()
  curve <- suppressWarnings(edge_curve(
    data, list(never = function(x, y) stop("no"), v = by_variance), c(1, 5)
  ))
  printed <- capture.output(print(curve))
  expect_match(printed, "never +no value +no value", all = FALSE)
  expect_no_match(printed, "NaN|NA at NA", all = TRUE)
  compared <- compare_selectors(curve)
  expect_identical(compared$p, NA_real_)
  expect_false(is.nan(compared$difference))
  expect_output(print(compared), "note: no split has a value of both selectors")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    for (type in c("curve", "roc")) {
      expect_silent(ggplot2::ggplotGrob(suppressMessages(
        ggplot2::autoplot(curve, type), "hitmiss_message_positive"
      )))
    }
  }
})

test_that("all features are judged by the classifier of the selector", {
  data <- edge_data()
  curve <- edge_curve(data, list(a = relief, b = relief, c = llfs), 2,
    classifier = list(a = "knn", b = "svm_linear", c = "own"),
    resampling = kfold(3)
  )
  mean_of <- function(label) {
    curve$baseline$mean[grepl(label, curve$baseline$name)]
  }
  expect_identical(glance(curve)$all_features, c(
    mean_of("neighbours"), mean_of("SVM"), mean_of("neighbours")
  ))
})
