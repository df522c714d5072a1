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

# Two curves of the toy data: one for each of some ways to split.
loss_curve <- function(metric, resampling, n = c(14, 10), group = NULL,
                       classes = 2L, ...) {
  data <- simulate_microarray(
    if (classes == 2L) n else rep(8, classes), 30, relevant = 3, effect = 1
  )
  error_curve(data$x, data$y, list(
    one = function(x, y) t_selector(x[, 1:15], y),
    two = function(x, y) apply(x, 2L, var)
  ), c(1, 3), resampling = resampling, metric = metric, group = group, ...)
}

test_that("the test by sample is that of its definition", {
  set.seed(3)
  plans <- list(
    kfold(5, 2), kfold(10), kfold(2, 3), holdout(6, 0.5), holdout(4, 0.85),
    leave_one_out()
  )
  factor_of <- c(2.5, 3, 4, 4, 3, 3)
  for (round in some_of(1:36)) {
    at <- (round - 1L) %% length(plans) + 1L
    metric <- c("error", "balanced_error", "micro_f1")[[round %% 3L + 1L]]
    group <- if (round %in% c(4L, 6L) || round %% 8L == 0L) rep(1:12, each = 2)
    curve <- suppressMessages(suppressWarnings(loss_curve(
      metric, plans[[at]], c(12, 12), group, 2L + round %% 2L
    )))
    for (size in list(c(1, 3), 3)) {
      found <- if (length(size) > 1L) {
        compare_selectors(curve)
      } else {
        compare_selectors(curve, "size", 3)
      }
      wanted <- reference_comparison(curve, "one", "two", size)
      # Splits of samples in groups, or of few, may hold other shares.
      if (is.null(group)) {
        expect_equal(wanted[["factor"]], factor_of[[at]], tolerance = 0.1)
      }
      columns <- c("difference", "lower", "upper", "statistic", "df", "p")
      expect_equal(unlist(found[1L, columns]), wanted[columns])
      expect_identical(found$test, paste(
        "t-test of losses by", if (is.null(group)) "sample" else "group"
      ))
    }
  }
})

test_that("areas are compared by the places of samples", {
  # What each sample or group adds: its mean place among the other class less
  # the area, by the pairs of the two classes.
  places <- function(rows, unit) {
    first <- rows$truth == levels(rows$truth)[[1L]]
    score <- rows$score[, 1L]
    wins <- outer(score[first], score[!first], function(a, b) {
      (a > b) + (a == b) / 2
    })
    of <- numeric(nrow(rows))
    for (class in c(TRUE, FALSE)) {
      at <- which(first == class)
      place <- if (class) rowMeans(wins) else colMeans(wins)
      g <- length(unique(unit[at]))
      of[at] <- (place - mean(wins)) / length(at) * sqrt(g / (g - 1))
    }
    nrow(rows) * of
  }
  set.seed(7)
  plans <- list(kfold(4, 2), holdout(5, 0.6), leave_one_out())
  for (grouped in c(FALSE, TRUE)) for (plan in plans) {
    group <- if (grouped) rep(1:12, each = 2)
    curve <- suppressMessages(suppressWarnings(
      loss_curve("auc", plan, c(12, 12), group)
    ))
    unit <- group %||% 1:24
    repetition <- vapply(curve$splits, `[[`, 0L, "repetition")
    part <- seq_along(repetition)
    if (plan$method != "holdout") part <- repetition
    added <- lapply(c("one", "two"), function(selector) {
      table <- curve$predictions[curve$predictions$selector == selector &
        curve$predictions$size == 3, ]
      all <- unlist(lapply(split(table, part[table$split]), function(rows) {
        both <- length(unique(rows$truth)) == 2L
        stats::setNames(
          if (both) places(rows, unit[rows$sample]) else rep(NA, nrow(rows)),
          rows$sample
        )
      }))
      tapply(all, sub(".*[.]", "", names(all)), mean, na.rm = TRUE)
    })
    d <- added[[1L]] - added[[2L]]
    sums <- tapply(as.vector(d - mean(d)), unit[as.integer(names(d))], sum)
    n <- length(sums)
    share <- mean(lengths(lapply(curve$splits, `[[`, "train"))) / 24
    f <- if (share > 0.8 + 1e-9) 3 else 2 / share
    row <- compare_selectors(curve, "size", 3)
    m <- mean(curve$values$one[, 2] - curve$values$two[, 2], na.rm = TRUE)
    expect_equal(row$difference, m)
    expect_equal(
      row$statistic, m / sqrt(f * n / (n - 1) * sum(sums^2) / length(d)^2)
    )
    expect_identical(row$df, n - 1)
  }
  # A part that lacks a class has no area, and its samples have no place.
  parts <- list(c(1:4, 9:12), c(4:8, 12:20))
  three <- suppressMessages(suppressWarnings(loss_curve(
    "auc", lapply(parts, \(test) list(train = (1:24)[-test], test = test)),
    classes = 3L
  )))
  expect_identical(unname(is.na(three$values$one[, 1L])), c(TRUE, FALSE))
  for (losses in sample_losses(three, three$predictions)) {
    expect_identical(
      is.na(losses), three$predictions$split[seq_along(losses)] == 1L
    )
  }
})

test_that("no variance: p = 1 for equal losses, none for equal differences", {
  found <- function(mean) {
    paired_t(mean, list(variance = 0, df = 9, test = "t"))
  }
  expect_identical(found(0)$row$p, 1)
  expect_identical(found(0.1)$row$p, NA_real_)
  expect_match(found(0.1)$note, "always the same")
  curve <- compared_curve(kfold(4))
  curve$predictions$predicted <- curve$predictions$truth
  curve$values[] <- lapply(curve$values, `*`, 0)
  expect_identical(compare_selectors(curve)$p, rep(1, 3))
})

test_that("metrics without losses: by splits, also where they are pooled", {
  by_split <- function(curve, metric, size) {
    rows <- curve$predictions[curve$predictions$size == size, ]
    d <- vapply(seq_along(curve$splits), function(s) {
      value <- function(selector) {
        at <- rows[rows$split == s & rows$selector == selector, ]
        metric(at)
      }
      value("relief") - value("t")
    }, 0)
    tested <- mean(lengths(lapply(curve$splits, `[[`, "test"))) / 28
    c(2.25 * tested * var(d), length(d))
  }
  f1 <- function(at) {
    mean(vapply(levels(at$truth), function(class) {
      2 * sum(at$truth == class & at$predicted == class) /
        (sum(at$truth == class) + sum(at$predicted == class))
    }, 0))
  }
  for (plan in list(kfold(4, 2), holdout(5, 0.6))) {
    # In the first draw both selectors give the same lists.
    curve <- suppressMessages(compared_curve(plan, "macro_f1", 2L))
    row <- compare_selectors(curve, "size", 3)[2L, ]
    wanted <- by_split(curve, f1, 3)
    m <- mean(curve$values$relief[, 2] - curve$values$t[, 2])
    expect_equal(row$difference, m)
    expect_equal(row$statistic, m / sqrt(wanted[[1L]]))
    expect_equal(row$df, wanted[[2L]] - 1)
    expect_identical(row$test, "t-test of splits")
  }
  # Without predictions the error is compared by splits too.
  curve <- compared_curve(kfold(4, 2), keep = FALSE)
  d <- rowMeans(curve$values$relief) - rowMeans(curve$values$t)
  row <- compare_selectors(curve)[2L, ]
  expect_equal(row$statistic, mean(d) / sqrt(2.25 / 4 * var(d)))
  none <- compare_selectors(compared_curve(leave_one_out(), "macro_f1"))
  expect_true(all(is.na(none$p)))
  expect_match(none$note, "several splits together")
  own <- compare_selectors(compared_curve(kfold(4), list(
    fun = function(truth, predicted) mean(truth != predicted), name = "error"
  )))
  expect_identical(own$test, rep("t-test of splits", 3))
})

test_that("pairs of selectors and corrections", {
  curve <- compared_curve(kfold(4, 2))
  table <- compare_selectors(curve)
  expect_named(table, c(
    "first", "second", "difference", "lower", "upper", "statistic", "df", "p",
    "p_adjusted", "test"
  ))
  expect_identical(table$first, c("relief", "relief", "variance"))
  expect_identical(table$second, c("variance", "t", "t"))
  expect_equal(table$p_adjusted, p.adjust(table$p, "holm"))
  at <- compare_selectors(curve, "size", 3, adjust = "none")
  expect_identical(at$p_adjusted, at$p)
  expect_output(print(table), "second difference +lower +upper +p +p_adjusted")
  expect_output(print(table), "found in\\s+one study of seven")
})

test_that("the choice made inside is compared too", {
  curve <- compared_curve(holdout(4, 0.6), nested = kfold(2))
  row <- compare_selectors(curve, "chosen")[2L, ]
  sizes <- split(curve$chosen$size, curve$chosen$selector)
  for (name in curve$selectors) {
    at <- curve$predictions$selector == name
    keep <- curve$predictions$size == sizes[[name]][curve$predictions$split]
    curve$predictions <- curve$predictions[!at | keep, ]
  }
  values <- split(curve$chosen$value, curve$chosen$selector)
  curve$values <- lapply(values, cbind)
  curve$predictions$size <- 1
  curve$sizes <- 1
  wanted <- reference_comparison(curve, "relief", "t", 1)
  expect_equal(row$statistic, wanted[["statistic"]])
  pooled <- compare_selectors(
    compared_curve(kfold(3), "macro_f1", nested = kfold(2)), "chosen"
  )
  expect_false(anyNA(pooled$difference))
})

test_that("survival: scores by sample, concordance by split", {
  set.seed(8)
  x <- matrix(rnorm(60 * 20), 60, dimnames = list(NULL, paste0("g", 1:20)))
  y <- survival::Surv(rexp(60, exp(x[, 1])), rbinom(60, 1, 0.8))
  curve <- error_curve(x, y, list(
    one = function(x, y) relief(x, y, threads = 1),
    two = function(x, y) apply(x, 2L, var)
  ), c(2, 5), resampling = kfold(3), metric = "ibs")
  losses <- sample_losses(curve, curve$predictions)
  # The mean of the samples' scores is the metric of each split.
  rows <- curve$predictions[curve$predictions$selector == "one", ]
  expect_equal(
    unname(tapply(losses$one, list(rows$split, rows$size), mean)),
    unname(curve$values$one), ignore_attr = TRUE
  )
  expect_identical(
    compare_selectors(curve)$test, "t-test of losses by sample"
  )
})

test_that("splits that failed are left out and told", {
  calls <- 0
  toy <- small_array()
  curve <- suppressWarnings(error_curve(toy$x, toy$y, list(
    a = function(x, y) {
      calls <<- calls + 1
      if (calls == 2) stop("no luck")
      t_selector(x, y)
    },
    b = function(x, y) apply(x, 2L, var)
  ), 2, resampling = kfold(4)))
  found <- compare_selectors(curve)
  expect_match(found$note, "1 of 4 splits have no value")
  expect_equal(found$p, reference_comparison(curve, "a", "b", 2)[["p"]])
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

test_that("TRUE is positive, as in the curve", {
  data <- edge_data(c(12, 12), seed = 2L)
  yes <- data$y == levels(data$y)[[2L]]
  # Scores of the second class alone.
  scored <- function(x, y, new) cbind(0, stats::plogis(new[, 1L]))
  of <- function(y, ...) {
    curve <- edge_curve(list(x = data$x, y = y),
      list(a = relief, b = by_variance), c(1, 3), metric = "auc",
      classifier = scored, resampling = kfold(3), ...
    )
    as.data.frame(compare_selectors(curve))[-(1:2)]
  }
  named <- factor(ifelse(yes, "yes", "no"))
  expect_identical(of(yes), of(named, positive = "yes"))
})
