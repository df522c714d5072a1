# Splits of the user's own, and those of package rsample.
# SPDX-License-Identifier: GPL-3.0-or-later

given_data <- function() {
  withr::with_seed(1, {
    group <- rep(1:20, each = 2)
    x <- matrix(rnorm(40 * 8), 40)
    colnames(x) <- paste0("g", 1:8)
  })
  list(
    x = x, y = factor(rep(c("a", "b"), each = 2, length.out = 40)),
    group = group
  )
}

given_relief <- function(x, y) relief(x, y, k = 3, threads = 1L)

given_curve <- function(resampling, ..., sizes = c(1, 4)) {
  d <- given_data()
  withr::with_seed(2, error_curve(d$x, d$y, list(relief = given_relief), sizes,
    resampling = resampling, ...
  ))
}

test_that("a curve's own splits give the curve again, by every metric", {
  for (plan in list(holdout(4, 0.6), kfold(4), kfold(4, 2))) {
    for (metric in names(class_metrics)) {
      first <- given_curve(plan, metric = metric)
      pairs <- lapply(first$splits, `[`, c("train", "test", "repetition"))
      again <- given_curve(pairs, metric = metric)
      for (part in c("values", "results", "summary", "splits", "predictions")) {
        expect_identical(
          again[[part]], first[[part]], label = paste(metric, part)
        )
      }
      expect_equal(tidy(again)$se, tidy(first)$se, tolerance = 1e-2)
      expect_output(print(again), "splits given by the user")
    }
  }
})

test_that("splits that test no sample twice are folds", {
  bare <- function(splits) lapply(splits, `[`, c("train", "test"))
  folds <- given_curve(kfold(4), metric = "macro_f1")
  again <- given_curve(bare(folds$splits), metric = "macro_f1")
  expect_identical(again$values, folds$values)
  expect_true(again$resampling$folds)
  loose <- given_curve(holdout(3, 0.5), metric = "macro_f1")
  again <- given_curve(bare(loose$splits), metric = "macro_f1")
  expect_identical(again$values, loose$values)
  expect_false(again$resampling$folds)
  expect_identical(again$resampling$times, 3L)
})

test_that("the order of row numbers does not matter, nor if they are doubles", {
  first <- given_curve(list(list(train = 1:30, test = 31:40)))
  again <- given_curve(list(
    x = list(test = as.numeric(40:31), train = sample(30))
  ))
  expect_identical(again$values, first$values)
  expect_output(print(again), "1 split given by the user")
})

test_that("given splits keep groups whole, or are refused", {
  d <- given_data()
  curve <- given_curve(kfold(4), group = d$group)
  again <- given_curve(curve$splits, group = d$group)
  expect_identical(again$values, curve$values)
  expect_equal(tidy(again)$se, tidy(curve)$se, tolerance = 1e-9)
  expect_output(print(again), "given by the user, groups kept whole")
  expect_refusal(
    given_curve(list(list(train = 1:31, test = 32:40)), group = d$group),
    "resampling"
  )
})

test_that("given splits go through nested, stability and comparison", {
  d <- given_data()
  selectors <- list(
    relief = given_relief, fisher = \(x, y) reference_scores(x, y)
  )
  splits <- withr::with_seed(
    1, draw_splits(d$y, kfold(4), design = groups_of(d$group))
  )
  run <- function(resampling) {
    withr::with_seed(2, error_curve(d$x, d$y, selectors, c(1, 4),
      resampling = resampling, nested = kfold(3), group = d$group, permuted = 2
    ))
  }
  curve <- run(lapply(splits, `[`, c("train", "test")))
  expect_identical(
    compare_selectors(curve)$test, "t-test of losses by group"
  )
  expect_s3_class(best_size(curve), "hitmiss_size")
  found <- stability(curve)
  expect_false(anyNA(found$table$baseline))
  expect_output(print(found), "4 splits given by the user")
})

test_that("splits that cannot be used are refused, with what is wrong", {
  refused <- function(train = 1:30, test = 31:40, ...) {
    expect_refusal(
      given_curve(list(
        list(train = 5:40, test = 1:4), list(train = train, test = test, ...)
      )),
      "resampling"
    )
  }
  refused(train = 1:31)
  refused(test = c(31:40, 40))
  refused(test = 31:41)
  refused(train = 0:30)
  refused(train = c(1:29, 29.5))
  refused(train = c(1:29, NA))
  refused(test = integer())
  refused(train = rep(c(TRUE, FALSE), c(30, 10)))
  refused(train = which(given_data()$y == "a"), test = 3)
  refused(labelled = 1:3)
  expect_refusal(given_curve(list()), "resampling")
  expect_refusal(given_curve(list(list(1:30, 31:40))), "resampling")
  expect_refusal(given_curve(data.frame(train = 1)), "resampling")
  expect_refusal(
    given_curve(kfold(3), nested = list(list(train = 1:20, test = 21:26))),
    "nested"
  )
})

test_that("sets of rsample give their splits", {
  skip_if_not_installed("rsample")
  d <- given_data()
  frame <- data.frame(group = d$group, y = d$y)
  withr::local_seed(4)
  sets <- list(
    "Group 4-fold cross-validation (rsample)" = rsample::group_vfold_cv(
      frame, group, v = 4
    ),
    "4-fold cross-validation repeated 2 times" = rsample::vfold_cv(
      frame, 4, repeats = 2
    ),
    "Monte Carlo cross-validation" = rsample::mc_cv(frame, 0.6, times = 3),
    "Leave-one-out cross-validation" = rsample::loo_cv(frame)
  )
  for (label in names(sets)) {
    rset <- sets[[label]]
    for (metric in c("error", "macro_f1")) {
      curve <- given_curve(rset, metric = metric)
      expect_match(curve$resampling$label, label, fixed = TRUE)
      rows <- function(part) {
        lapply(rset$splits, function(s) sort(as.integer(s, data = part)))
      }
      expect_identical(lapply(curve$splits, `[[`, "train"), rows("analysis"))
      expect_identical(lapply(curve$splits, `[[`, "test"), rows("assessment"))
      bare <- Map(function(train, test) {
        list(train = train, test = test)
      }, rows("analysis"), rows("assessment"))
      if (!grepl("repeated", label)) {
        expect_identical(
          given_curve(bare, metric = metric)$values, curve$values
        )
      }
    }
  }
  expect_identical(
    vapply(given_curve(sets[[2L]])$splits, `[[`, 0L, "repetition"),
    rep(1:2, each = 4)
  )
  expect_identical(
    nrow(given_curve(sets[[2L]], metric = "macro_f1")$values$relief), 2L
  )
  grouped <- given_curve(sets[[1L]], group = d$group)
  expect_equal(grouped$values, given_curve(sets[[1L]])$values)
  expect_refusal(given_curve(sets[[2L]], group = d$group), "resampling")
  boot <- rsample::bootstraps(frame, 2)
  curve <- given_curve(boot)
  expect_identical(
    lapply(curve$splits, `[[`, "train"),
    lapply(boot$splits, function(s) sort(unique(s$in_id)))
  )
  expect_output(print(curve), "a repeated sample counts once")
  nested <- rsample::nested_cv(
    frame, outside = rsample::vfold_cv(v = 3), inside = rsample::vfold_cv(v = 3)
  )
  expect_refusal(given_curve(nested), "resampling")
  first <- rsample::initial_split(frame, 0.7)
  expect_identical(
    given_curve(first)$splits[[1L]]$train, sort(as.integer(first))
  )
  some <- rsample::vfold_cv(frame, 4)
  expect_identical(
    given_curve(some[1:2, ])$values$relief,
      given_curve(some)$values$relief[1:2, ]
  )
  expect_refusal(given_curve(rsample::apparent(frame)), "resampling")
  expect_refusal(given_curve(rsample::vfold_cv(frame[-1, ], 4)), "resampling")
  broken <- sets[[3L]]
  broken$splits[[2L]] <- 1:3
  expect_refusal(given_curve(broken), "resampling")
})

test_that("folds of samples and lists of rows are splits", {
  d <- given_data()
  fold <- rep(1:4, 10)
  plain <- lapply(1:4, function(f) {
    list(train = which(fold != f), test = which(fold == f))
  })
  values <- given_curve(plain)$values
  expect_identical(given_curve(fold)$values, values)
  lettered <- factor(fold, labels = letters[1:4])
  expect_identical(given_curve(lettered)$values, values)
  # caret: rows to test on, each sample once; or rows to train on.
  expect_identical(given_curve(split(seq_along(fold), fold))$values, values)
  expect_identical(given_curve(lapply(plain, `[[`, "train"))$values, values)
  # A repeated sample counts once.
  again <- lapply(plain, function(s) {
    list(train = rep(s$train, 2), test = s$test)
  })
  expect_identical(given_curve(again)$values, values)
  expect_refusal(given_curve(fold[-1L]), "resampling")
  expect_refusal(given_curve(replace(fold, 3, NA)), "resampling")
  expect_refusal(given_curve(10), "resampling")
})

test_that("folds may have levels that no sample has", {
  data <- edge_data()
  fold <- rep(1:4, 6)
  of <- function(fold) {
    edge_curve(data, list(relief = relief), 2, resampling = fold)$values
  }
  expect_identical(of(factor(fold, levels = 1:6)), of(fold))
})
