# Splits: shares, totals, randomness.
# SPDX-License-Identifier: GPL-3.0-or-later

labels <- function(...) {
  sizes <- c(...)
  factor(rep(letters[seq_along(sizes)], sizes))
}

counts <- function(y, rows) tabulate(y[rows], nlevels(y))

# The shares between, also of groups, are those of test-design-groups.R.
test_that("of few samples one stays for the test, and one for training", {
  y <- labels(3, 20)
  train <- function(share) draw_splits(y, holdout(1, share))[[1L]]$train
  expect_identical(counts(y, train(0.9)), c(2L, 18L))
  expect_identical(counts(y, train(0.1)), c(1L, 2L))
})

test_that("a count gives exactly that total, by largest remainder", {
  for (seed in some_of(1:60)) {
    withr::with_seed(seed, {
      y <- labels(sample(2:30, sample(2:5, 1), replace = TRUE))
      total <- sample(max(2, nlevels(y)):(length(y) - nlevels(y)), 1)
      split <- draw_splits(y, holdout(1, total))[[1L]]
    })
    expect_length(split$train, total)
    ideal <- total * tabulate(y) / length(y)
    quota <- counts(y, split$train)
    free <- floor(ideal) >= 1 & ceiling(ideal) <= tabulate(y) - 1
    if (all(free)) {
      expect_true(all(
        quota %in% c(floor(ideal), ceiling(ideal)) | abs(quota - ideal) < 1
      ))
      up <- quota > ideal
      down <- quota < ideal
      if (any(up) && any(down)) {
        remainder <- ideal - floor(ideal)
        expect_gte(min(remainder[up]), max(remainder[down]) - 1e-12)
      }
    }
    expect_true(all(quota >= 1 & quota <= tabulate(y) - 1))
  }
  # LLFS' table: colon 50 of 62 (22 normal, 40 tumor).
  expect_equal(apportion(50 * c(22, 40) / 62, 50, c(21, 39)), c(18, 32))
})

test_that("folds deal each class evenly", {
  for (seed in some_of(1:60)) {
    withr::with_seed(seed, {
      y <- labels(sample(3:30, sample(2:5, 1), replace = TRUE))
      k <- sample(2:min(10, length(y)), 1)
      splits <- suppressWarnings(draw_splits(y, kfold(k, 2)))
    })
    expect_length(splits, 2 * k)
    for (repetition in 1:2) {
      mine <- Filter(function(s) s$repetition == repetition, splits)
      tests <- lapply(mine, `[[`, "test")
      expect_setequal(unlist(tests), seq_along(y))
      expect_length(unlist(tests), length(y))
      per_class <- vapply(tests, function(t) counts(y, t), numeric(nlevels(y)))
      expect_true(all(apply(per_class, 1L, function(n) diff(range(n))) <= 1))
      # A class begins at the fold after the last one of the class before it.
      expect_lte(diff(range(lengths(tests))), 1)
    }
  }
})

test_that("leave-one-out leaves each sample out once, without randomness", {
  set.seed(3)
  before <- .Random.seed
  splits <- draw_splits(labels(3, 4), leave_one_out())
  expect_identical(.Random.seed, before)
  expect_equal(vapply(splits, `[[`, 0L, "test"), 1:7)
  expect_true(all(lengths(lapply(splits, `[[`, "train")) == 6L))
})

test_that("only a share is labelled, at least one of each class", {
  y <- labels(30, 12, 4)
  withr::local_seed(1)
  for (split in draw_splits(y, holdout(20, 0.6, labelled = 1 / 3))) {
    expect_true(all(split$labelled %in% split$train))
    expect_equal(
      counts(y, split$labelled), pmax(1, round(counts(y, split$train) / 3))
    )
  }
})

test_that("a class of one sample goes to training, with one warning", {
  y <- labels(6, 1)
  warned <- capture_warnings(splits <- draw_splits(y, holdout(5, 0.5)))
  expect_length(warned, 1L)
  expect_match(warned, "single")
  for (split in splits) expect_true(7L %in% split$train)
})

test_that("draws without strata that lack a class are drawn again", {
  y <- labels(20, 2)
  withr::local_seed(1)
  splits <- draw_splits(y, holdout(40, 4, stratified = FALSE))
  for (split in splits) expect_true(all(counts(y, split$train) > 0))
  expect_true(all(lengths(lapply(splits, `[[`, "train")) == 4L))
})

test_that("splits that are not stratified have the size asked for", {
  y <- factor(rep(c("a", "b"), c(20, 10)))
  halves <- withr::with_seed(
    1, draw_splits(y, holdout(5, 0.5, stratified = FALSE))
  )
  expect_identical(unique(lengths(lapply(halves, `[[`, "train"))), 15L)
  folds <- withr::with_seed(1, draw_splits(y, kfold(3, stratified = FALSE)))
  expect_setequal(unlist(lapply(folds, `[[`, "test")), seq_along(y))
})

test_that("more folds than members: allowed, with a warning", {
  y <- labels(9, 2)
  expect_warning(draw_splits(y, kfold(5)), class = "hitmiss_warning_folds")
})

test_that("nonsense is refused by name", {
  expect_refusal(holdout(times = 0), "times")
  expect_refusal(holdout(train = 1), "train")
  expect_refusal(holdout(train = 2.5), "train")
  expect_refusal(holdout(labelled = 0), "labelled")
  expect_refusal(kfold(1), "k")
  expect_refusal(draw_splits(labels(3, 3), holdout(1, 6)), "resampling")
  expect_refusal(draw_splits(labels(3, 3), holdout(1, 5)), "resampling")
  expect_refusal(draw_splits(labels(3, 3), kfold(7)), "resampling")
  expect_refusal(check_resampling("cv"), "resampling")
})

test_that("resamplings print in words", {
  expect_output(
    print(holdout(20, 0.5)), "20 random splits, 50 % for training, stratified"
  )
  expect_output(
    print(kfold(10, 3)), "3 times 10-fold cross-validation, stratified"
  )
  expect_output(print(leave_one_out()), "leave-one-out")
})
