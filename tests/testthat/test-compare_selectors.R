# Paired tests that know that training parts overlap.
# SPDX-License-Identifier: GPL-3.0-or-later

compared_curve <- function(resampling, metric = "error", seed = 1L, ...) {
  withr::local_seed(seed)
  data <- simulate_microarray(c(14, 14), 40, relevant = 3, effect = 1)
  error_curve(data$x, data$y, list(
    relief = function(x, y) relief(x, y, k = 3),
    variance = function(x, y) apply(x, 2L, var),
    t = t_selector
  ), c(1, 3, 10), resampling = resampling, metric = metric, ...)
}

test_that("the corrected t: hand values", {
  d <- c(.02, .05, -.01, .04, .03)
  row <- corrected_t(d, 1)$row
  expect_equal(row$statistic, 1.03097, tolerance = 1e-5)
  expect_equal(row$p, 0.36081, tolerance = 1e-5)
  # Without the correction: the plain paired test.
  expect_equal(corrected_t(d, 0)$row$p, t.test(d)$p.value)
  expect_equal(corrected_t(d, 0)$row$p, 0.0650, tolerance = 1e-3)
  expect_equal(
    unlist(corrected_t(d, 0)$row[c("lower", "upper")], use.names = FALSE),
    as.vector(t.test(d)$conf.int)
  )
})

test_that("no variance: p = 1 for equal values, none for equal differences", {
  equal <- corrected_t(rep(0, 5), 1)
  expect_identical(equal$row$p, 1)
  constant <- corrected_t(rep(0.1, 5), 1)
  expect_identical(constant$row$p, NA_real_)
  expect_match(constant$note, "same in all splits")
})

test_that("pairs, ratios and corrections come from the curve", {
  columns <- c(
    "first", "second", "difference", "lower", "upper", "statistic", "df", "p",
    "p_adjusted", "test"
  )
  for (case in list(
    list(holdout(8, 0.7), 8 / 20), list(kfold(4, 2), 1 / 3),
    list(leave_one_out(), 1 / 27)
  )) {
    curve <- compared_curve(case[[1L]])
    table <- compare_selectors(curve)
    expect_named(table, columns)
    expect_identical(table$first, c("relief", "relief", "variance"))
    expect_identical(table$second, c("variance", "t", "t"))
    d <- rowMeans(curve$values$relief) - rowMeans(curve$values$t)
    k <- length(d)
    t <- mean(d) / sqrt((1 / k + case[[2L]]) * var(d))
    expect_equal(table$statistic[[2L]], t)
    expect_equal(table$p[[2L]], 2 * pt(-abs(t), k - 1))
    expect_equal(table$p_adjusted, p.adjust(table$p, "holm"))
    at <- compare_selectors(curve, "size", 3, adjust = "none")
    expect_identical(at$p_adjusted, at$p)
    d <- curve$values$relief[, 2] - curve$values$t[, 2]
    expect_equal(at$difference[[2L]], mean(d))
  }
})

test_that("leave-one-out at one size: McNemar's exact test over samples", {
  curve <- compared_curve(leave_one_out())
  row <- compare_selectors(curve, "size", 10)[1L, ]
  a <- curve$values$relief[, 3] == 1
  b <- curve$values$variance[, 3] == 1
  expect_identical(row$test, "exact McNemar")
  expect_equal(row$statistic, sum(a & !b))
  expect_equal(row$p, binom.test(sum(a & !b), sum(a != b))$p.value)
  expect_identical(
    mcnemar_exact(list(a + 0, a + 0), curve_ratio(curve))$row$p, 1
  )
})

test_that("the choice made inside is compared too", {
  curve <- compared_curve(holdout(4, 0.6), nested = kfold(2))
  row <- compare_selectors(curve, "chosen")[2L, ]
  by_split <- function(selector) {
    chosen <- curve$chosen[curve$chosen$selector == selector, ]
    chosen$value[match(1:4, chosen$split)]
  }
  a <- by_split("relief")
  b <- by_split("t")
  test <- t.test(a, b, paired = TRUE)
  expect_equal(row$difference, mean(a - b))
  # 28 samples in shares of .6 and .4 of each class: 16 and 12.
  expect_equal(row$statistic, test$statistic[["t"]] / sqrt(1 + 4 * 12 / 16))
})

test_that("pooled metrics have no p-value", {
  table <- compare_selectors(compared_curve(kfold(4, 2), "macro_f1"))
  expect_true(all(is.na(table$p)))
  expect_match(table$note, "pooled")
})

test_that("what can not be compared is refused", {
  curve <- compared_curve(holdout(3, 0.5))
  expect_refusal(compare_selectors(1), "curve")
  expect_refusal(compare_selectors(curve, "size"), "size")
  expect_refusal(compare_selectors(curve, "size", 2), "size")
  expect_refusal(compare_selectors(curve, "chosen"), "at")
  expect_refusal(compare_selectors(curve, adjust = "none at all"), "adjust")
  toy <- small_array()
  alone <- error_curve(toy$x, toy$y, list(relief = quick_relief), 2,
    resampling = holdout(times = 2)
  )
  expect_refusal(compare_selectors(alone), "curve")
})

# The setting of the level study: two rankers that see one of two exchangeable
# halves of the features each, so that neither is better.
equal_pair <- function(seed, resampling) {
  withr::local_seed(seed)
  x <- matrix(rnorm(80 * 200), 80, dimnames = list(NULL, paste0("g", 1:200)))
  y <- factor(rep(c("a", "b"), 40))
  true <- c(1:10, 101:110)
  x[y == "b", true] <- x[y == "b", true] + 0.7
  half <- function(columns) {
    function(x, y) t_selector(x[, columns], y)
  }
  error_curve(x, y, list(one = half(1:100), two = half(101:200)), 5,
    resampling = resampling, classifier = "knn3", keep = FALSE
  )
}

test_that("two equal selectors: the plain test errs, the corrected does not", {
  skip_on_cran()
  p <- vapply(some_of(1:90), function(seed) {
    curve <- equal_pair(seed, holdout(20, 0.5))
    d <- curve$values$one[, 1] - curve$values$two[, 1]
    c(plain = corrected_t(d, 0)$row$p, corrected = compare_selectors(curve)$p)
  }, c(plain = 0, corrected = 0))
  expect_gt(mean(p["plain", ] < 0.05), 0.3)
  expect_lte(mean(p["corrected", ] < 0.05), 0.07)
})
