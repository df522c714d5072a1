# ROC curves of error curves, the table of predictions, and scores: against
# plain definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

by_t <- function(x, y) t_selector(x, factor(y == levels(y)[[1L]]))

roc_curve <- function(n = c(12, 15), ..., selectors = list(t = by_t),
                      sizes = c(1, 4), resampling = holdout(10, 0.5)) {
  withr::local_seed(3)
  data <- simulate_microarray(n, 30, relevant = 3, effect = 0.7)
  error_curve(data$x, data$y, selectors, sizes, ..., resampling = resampling)
}

# By thresholds, one at a time; of the points the mean of each jump's upper end
# or, between the ends of a tie, of the line that joins them.
slow_rates <- function(score, positive, rates) {
  corners <- rbind(c(0, 0), t(vapply(
    sort(unique(score), decreasing = TRUE),
    function(threshold) {
      taken <- score >= threshold
      c(mean(taken[!positive]), mean(taken[positive]))
    }, c(0, 0)
  )))
  vapply(rates, function(rate) {
    before <- max(which(corners[, 1L] <= rate))
    if (before == nrow(corners)) {
      return(corners[before, 2L])
    }
    from <- corners[before, ]
    to <- corners[before + 1L, ]
    from[[2L]] +
      (to[[2L]] - from[[2L]]) * (rate - from[[1L]]) / (to[[1L]] - from[[1L]])
  }, 0)
}

# A column for each test part of a table of predictions.
slow_parts <- function(table, class, part = table$split) {
  vapply(split(table, part), function(rows) {
    slow_rates(
      rows[[paste0("score_", class)]], rows$truth == class, false_rates
    )
  }, false_rates)
}

test_that("a curve is as high as by the definition by thresholds, with ties", {
  withr::local_seed(1)
  for (digits in c(0, 1, 6)) {
    for (n in c(3, 20)) {
      score <- round(stats::rnorm(2 * n), digits)
      positive <- rep(c(TRUE, FALSE), n)
      points <- roc_points(score, positive)
      expect_equal(
        rate_at(points, false_rates), slow_rates(score, positive, false_rates)
      )
    }
  }
  # All tied: the diagonal. All apart: the corner.
  expect_equal(
    rate_at(roc_points(c(1, 1), c(TRUE, FALSE)), false_rates), false_rates
  )
  expect_equal(
    rate_at(roc_points(2:1, c(TRUE, FALSE)), false_rates), rep(1, 101)
  )
})

test_that("splits are averaged vertically", {
  skip_if_not_installed("ggplot2")
  for (n in list(c(12, 15), c(10, 12, 11))) {
    curve <- roc_curve(n, resampling = holdout(5, 0.6))
    chosen <- if (length(n) == 2L) "class2"
    lines <- curve_roc(curve, roc_sizes(curve, 4), chosen)$lines
    drawn <- ggplot2::autoplot(curve, "roc", size = 4, positive = chosen)$data
    expect_equal(drawn$x, lines$false_rate)
    expect_equal(drawn$y, lines$true_rate)
    table <- as.data.frame(curve, "predictions")
    table <- table[table$size == 4, ]
    shown <- chosen %||% curve$classes
    expect_identical(levels(lines$class), shown)
    for (class in shown) {
      rates <- slow_parts(table, class)
      drawn <- lines[lines$class == class, ]
      expect_equal(drawn$false_rate, c(0, false_rates))
      expect_equal(drawn$true_rate, c(0, unname(rowMeans(rates))))
    }
  }
})

test_that("where AUC pools predictions, a repetition is one plain curve", {
  skip_if_not_installed("ggplot2")
  for (resampling in list(kfold(3, 2), leave_one_out())) {
    curve <- roc_curve(resampling = resampling)
    picture <- ggplot2::autoplot(
      curve, "roc", size = 1, positive = "class2"
    )
    table <- as.data.frame(curve, "predictions")
    table <- table[table$size == 1, ]
    rates <- slow_parts(table, "class2", table$repetition)
    expect_equal(picture$data$y[-1L], unname(rowMeans(rates)))
    expect_match(picture$labels$subtitle, "predictions of all splits")
  }
})

test_that("the area is the metric; of many classes the mean is drawn", {
  for (n in list(c(12, 15), c(10, 12, 11))) {
    curve <- roc_curve(n, metric = "auc", resampling = holdout(4, 0.6))
    chosen <- if (length(n) == 2L) "class1"
    roc <- curve_roc(curve, roc_sizes(curve, 4), chosen)
    expect_equal(roc$auc$mean, curve$summary$mean[[2L]])
    expect_equal(roc$auc$lower, curve$summary$lower[[2L]])
  }
  curve <- roc_curve(rep(4, 10), resampling = holdout(4, 0.6))
  lines <- curve_roc(curve, roc_sizes(curve, 4))$lines
  table <- as.data.frame(curve, "predictions")
  table <- table[table$size == 4, ]
  rates <- vapply(
    curve$classes, \(class) rowMeans(slow_parts(table, class)), false_rates
  )
  expect_equal(lines$true_rate[-1L], unname(rowMeans(rates)))
})

test_that("the size: as asked, chosen in each training part, or of best mean", {
  skip_if_not_installed("ggplot2")
  selectors <- list(t = by_t, v = function(x, y) apply(x, 2L, var))
  plain <- roc_curve(selectors = selectors, sizes = c(1, 4, 9))
  subtitle <- function(curve, ...) {
    ggplot2::autoplot(curve, "roc", ...)$labels$subtitle
  }
  expect_match(subtitle(plain), "best mean error (optimistic)", fixed = TRUE)
  expect_identical(roc_sizes(plain, NULL)$drawn, plain$best$size)
  expect_match(subtitle(plain, size = 9), "as given in `size`")
  expect_refusal(ggplot2::autoplot(plain, "roc", size = 3), "size")
  nested <- roc_curve(
    selectors = selectors, sizes = c(1, 4, 9), nested = kfold(3), metric = "auc"
  )
  expect_gt(length(unique(nested$chosen$size)), 1L)
  expect_match(subtitle(nested), "chosen in each training part")
  roc <- curve_roc(nested, roc_sizes(nested, NULL))
  expect_equal(roc$auc$mean, nested$chosen_summary$mean)
  expect_equal(roc$auc$upper, glance(nested)$chosen_upper)
})

test_that("the legend has each selector's area; colours are of all selectors", {
  skip_if_not_installed("ggplot2")
  selectors <- list(t = by_t, v = function(x, y) apply(x, 2L, var))
  curve <- roc_curve(selectors = selectors, metric = "auc")
  labels <- levels(ggplot2::autoplot(curve, "roc", size = 4)$data$group)
  mean <- tidy(curve)[c(2L, 4L), ]
  expect_identical(
    labels, sprintf(
      "%s (n = 4): AUC %.3f [%.2f, %.2f]", c("t", "v"), mean$mean, mean$lower,
      mean$upper
    )
  )
})

test_that("what is undefined in a split is left out, and what failed", {
  calls <- 0
  sometimes <- list(v = function(x, y) {
    calls <<- calls + 1
    if (calls == 2) stop("not now")
    apply(x, 2L, var)
  }, never = function(x, y) stop("never"))
  curve <- suppressWarnings(roc_curve(
    selectors = sometimes, metric = "auc", resampling = holdout(4, 0.6)
  ))
  roc <- curve_roc(curve, roc_sizes(curve, 4))
  expect_equal(roc$auc$mean, c(curve$summary$mean[[2L]], NA))
  expect_identical(unique(as.character(roc$lines$selector)), "v")
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(curve, "roc", size = 4)
  expect_match(levels(picture$data$group)[[2L]], "never: no scores")
  # Of three classes, one that is absent from some test parts.
  withr::local_seed(2)
  data <- simulate_microarray(c(10, 10, 2), 20, relevant = 3)
  rare <- error_curve(data$x, data$y,
    list(v = function(x, y) apply(x, 2L, var)), 3,
    resampling = holdout(8, 0.6, stratified = FALSE)
  )
  here <- vapply(rare$splits, function(s) "class3" %in% data$y[s$test], NA)
  expect_true(any(here) && !all(here))
  lines <- curve_roc(rare, roc_sizes(rare, NULL))$lines
  table <- as.data.frame(rare, "predictions")
  rates <- slow_parts(table[here[table$split], ], "class3")
  expect_equal(
    lines$true_rate[lines$class == "class3"][-1L], unname(rowMeans(rates))
  )
})

test_that("scores of a fit's own classifier are kept with any metric", {
  for (selector in list(
    function(x, y) relief(x, y, k = 3, threads = 1),
    function(x, y, size) {
      withr::with_seed(1, llfs(x, y, alpha = size, threads = 1))
    }
  )) {
    both <- lapply(c("error", "auc"), function(metric) {
      roc_curve(
        selectors = list(own = selector), classifier = "own", metric = metric,
        resampling = holdout(2, 0.6)
      )
    })
    expect_identical(both[[1L]]$predictions, both[[2L]]$predictions)
    expect_false(anyNA(both[[1L]]$predictions$score))
    expect_equal(rowSums(both[[1L]]$predictions$score), rep(1, 44))
  }
})

test_that("what there is not is refused, with the reason and the remedy", {
  labels_only <- function(x_train, y_train, x_test) {
    factor(rep(levels(y_train)[[1L]], nrow(x_test)), levels(y_train))
  }
  none <- roc_curve(classifier = labels_only)
  expect_identical(
    names(as.data.frame(none, "predictions")),
    c("selector", "size", "split", "repetition", "sample", "truth", "predicted")
  )
  dropped <- roc_curve(keep = FALSE)
  expect_error(
    as.data.frame(dropped, "predictions"), "keep = TRUE",
    class = "hitmiss_error_predictions"
  )
  # AUC of a selection that is no fit with classes, judged by its own
  # classifier.
  expect_input_error(
    roc_curve(classifier = "own", metric = "auc"), "return a fit of this"
  )
  skip_if_not_installed("ggplot2")
  expect_error(
    ggplot2::autoplot(none, "roc"), "user's function.*matrix of class scores",
    class = "hitmiss_error_scores"
  )
  expect_error(
    ggplot2::autoplot(dropped, "roc"), "keep = TRUE",
    class = "hitmiss_error_predictions"
  )
  # One of two: drawn are those that have scores.
  some <- roc_curve(
    selectors = list(a = by_t, b = by_t),
    classifier = list(a = labels_only, "knn")
  )
  picture <- ggplot2::autoplot(some, "roc")
  expect_match(unique(as.character(picture$data$group)), "^b")
  expect_match(levels(picture$data$group)[[1L]], "a: no scores")
})

test_that("as.data.frame() takes `what` by place or name, row.names as ever", {
  curve <- roc_curve()
  expect_identical(as.data.frame(curve), curve$results)
  expect_identical(as.data.frame(curve, "results"), curve$results)
  expect_identical(
    as.data.frame(curve, "predictions"),
    as.data.frame(curve, what = "predictions")
  )
  expect_identical(as.data.frame(curve, row.names = 1:3), curve$results)
  expect_refusal(as.data.frame(curve, "prediction"), "what")
  expect_refusal(as.data.frame(curve, what = NA), "what")
})
