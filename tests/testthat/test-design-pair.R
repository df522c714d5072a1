# Matched pairs: values less the mean of their pair.

paired_data <- function(pairs = 12L, features = 30L) {
  withr::local_seed(5)
  patient <- rep(sprintf("P%02d", seq_len(pairs)), each = 2L)
  x <- matrix(rnorm(2 * pairs * features), ncol = features) +
    3 * matrix(rnorm(pairs * features), pairs)[rep(seq_len(pairs), each = 2L), ]
  colnames(x) <- paste0("g", seq_len(features))
  y <- factor(rep(c("normal", "tumour"), pairs))
  x[y == "tumour", 1:3] <- x[y == "tumour", 1:3] + 1.5
  order <- sample(2L * pairs)
  list(x = x[order, ], y = y[order], pair = patient[order])
}

# The slow definition: one pair after the other.
centred <- function(x, pair) {
  for (p in unique(pair)) {
    rows <- pair == p
    x[rows, ] <- sweep(x[rows, , drop = FALSE], 2L, colMeans(x[rows, ]))
  }
  x
}

selectors <- list(
  relief = relief, logo = logo, kbfs = kbfs, pwfp = pwfp, llfs = llfs
)

test_that("a fit with pairs is one of differences, between pairs", {
  d <- paired_data()
  # One of four samples.
  d$pair[d$pair == "P02"] <- "P01"
  z <- centred(d$x, d$pair)
  new <- paired_data(pairs = 5L)
  for (name in names(selectors)) {
    fit <- selectors[[name]](d$x, d$y, pair = d$pair, threads = 1)
    other <- selectors[[name]](z, d$y, group = d$pair, threads = 1)
    # Of relief() see below: it compares all samples of another pair.
    if (name != "relief") {
      expect_equal(coef(fit), coef(other), tolerance = 1e-12, info = name)
    }
    expect_identical(
      predict(fit, new$x, pair = new$pair) |>
        suppressWarnings(classes = "hitmiss_warning_pairs") |>
        as.character(),
      as.character(predict(other, centred(new$x, new$pair))),
      info = name
    )
  }
})

test_that("hubs are centred by the mean distances between pairs", {
  d <- paired_data()
  fit <- relief(d$x, d$y, k = 3, pair = d$pair, threads = 1)
  for (hubs in c("centre", "none")) {
    expected <- reference_balanced(
      reference_scale(centred(d$x, d$pair)), d$y, k = 3, hubs = hubs,
      group = d$pair
    )
    same <- max(abs(coef(fit) - expected$scores)) < 1e-12
    expect_identical(same, hubs == "centre")
  }
})

test_that("assays and sparse matrices give the same differences", {
  d <- paired_data()
  skip_if_not_installed("SummarizedExperiment")
  set <- SummarizedExperiment::SummarizedExperiment(
    t(d$x), colData = data.frame(class = d$y, patient = d$pair)
  )
  fit <- relief(set, "class", pair = "patient", threads = 1)
  expect_output(print(fit), "12 pairs")
  expect_identical(
    coef(fit), coef(relief(d$x, d$y, pair = d$pair, threads = 1))
  )
  expect_identical(
    coef(relief(Matrix::Matrix(d$x, sparse = TRUE), d$y, pair = d$pair)),
    coef(fit)
  )
  expect_identical(
    predict(fit, set, pair = "patient"), predict(fit, d$x, pair = d$pair)
  )
})

test_that("error curves keep pairs whole and centre them by themselves", {
  d <- paired_data()
  z <- centred(d$x, d$pair)
  curve <- function(...) {
    withr::with_seed(1, error_curve(..., d$y, list(relief = relief), 3,
      resampling = kfold(3), classifier = "knn"
    ))
  }
  paired <- curve(d$x, pair = d$pair)
  grouped <- curve(z, group = d$pair)
  expect_equal(paired$results, grouped$results, tolerance = 1e-12)
  expect_equal(paired$baseline, grouped$baseline, tolerance = 1e-12)
  expect_false(anyNA(paired$baseline$mean))
  expect_output(print(paired), "which of two samples of one pair is which")
  expect_match(format(summary(paired)), "pair = given")
  for (split in paired$splits) {
    expect_length(intersect(d$pair[split$train], d$pair[split$test]), 0L)
  }
})

test_that("what cannot be paired is refused by name", {
  d <- paired_data()
  expect_error(
    relief(d$x, d$y, pair = d$pair, block = d$pair), "same for all samples"
  )
  expect_error(
    relief(d$x, d$y, pair = d$pair, block = d$y), "cannot be told"
  )
  expect_error(logo(d$x, d$y, pair = d$pair, group = d$pair), "`pair` and")
  expect_error(kbfs(d$x, d$y, pair = rep(1:12, 2)[-1]), "length 23")
  broken <- d$y
  broken[d$pair == "P03"] <- "tumour"
  expect_error(relief(d$x, broken, pair = d$pair), "\"P03\"")
  expect_error(relief(d$x, seq_len(24) / 7, "rrelieff", pair = d$pair), "pair")
  fit <- relief(d$x, d$y, pair = d$pair, threads = 1)
  expect_error(predict(fit, d$x), "whole pairs only")
  expect_error(predict(fit, d$x[1, , drop = FALSE], pair = "P1"), "only one")
  plain <- suppressMessages(relief(d$x, d$y, threads = 1))
  expect_error(predict(plain, d$x, pair = d$pair), "made without `pair`")
  prepared <- tuned(relief, prepare = prepare_filter(n = 5))
  expect_error(
    error_curve(d$x, d$y, list(a = prepared), 3, pair = d$pair), "`prepare`"
  )
  expect_error(relief(d$x, d$y, block = d$pair), "give `pair`")
})

test_that("tuned() keeps pairs whole and takes their differences once", {
  d <- paired_data()
  choose <- tuned(relief, k = c(1, 3), resampling = kfold(3))
  set.seed(3)
  fit <- choose(d$x, d$y, pair = d$pair, threads = 1)
  set.seed(3)
  other <- choose(centred(d$x, d$pair), d$y, group = d$pair, threads = 1)
  expect_equal(fit$tuned, other$tuned)
  expect_equal(coef(fit), coef(other), tolerance = 1e-12)
  expect_identical(fit$parameters$pair, 12L)
  plain <- tuned(function(x, y, k) relief(x, y, k = k), k = 1:2)
  expect_error(plain(d$x, d$y, pair = d$pair), "no argument `pair`")
})

test_that("a step selects by pairs, turf does not", {
  d <- paired_data()
  fit <- relief(d$x, d$y, pair = d$pair, threads = 1)
  expect_error(
    turf(d$x, d$y, \(x, y) relief(x, y, pair = d$pair)), "does not take"
  )
  skip_if_not_installed("recipes")
  data <- data.frame(d$x, class = d$y, patient = d$pair)
  step <- recipes::recipe(class ~ ., data = data) |>
    recipes::update_role("patient", new_role = "id") |>
    step_select_hitmiss(
      recipes::all_predictors(), top_p = 4, pair = "patient"
    ) |>
    recipes::prep()
  expect_setequal(
    setdiff(names(recipes::bake(step, NULL)), c("class", "patient")),
    names(fit$scores)[fit$ranking[1:4]]
  )
})

test_that("pairs need numbers, classes, and more than one pair", {
  toy <- toy_data(n = 12L)
  pair <- rep(1:6, each = 2)
  expect_input_error(relief(toy$x, toy$y, pair = rep(1, 12)), "same for all")
  kinds <- data.frame(kind = factor(rep(1:2, 6)), toy$x)
  expect_input_error(
    suppressMessages(relief(kinds, toy$y, pair = pair)), "has categories"
  )
})

test_that("all controls of another pair are compared, not only the nearest", {
  for (seed in 1:6) {
    withr::local_seed(seed)
    controls <- 1L + seed %% 3L
    pair <- rep(1:9, each = 1L + controls)
    y <- factor(rep(c("case", rep("control", controls)), 9))
    x <- matrix(rnorm(length(y) * 8), length(y))
    colnames(x) <- paste0("g", 1:8)
    if (seed %% 2 == 0 && seed %% 3 > 0) x[sample(length(x), 4)] <- NA
    method <- if (seed %% 3 == 0) "relief" else "relieff"
    fit <- relief(x, y, method,
      k = 4, pair = pair, scale = "none", threads = 1
    ) |> suppressWarnings()
    z <- centred(x, pair)
    expected <- reference_balanced(z, y, method, k = 4, group = pair,
      matched = TRUE
    )
    expect_equal(unname(coef(fit)), unname(expected$scores), tolerance = 1e-10)
  }
})

test_that("noise scores 0 with several controls", {
  scores <- withr::with_seed(1, replicate(40, {
    x <- matrix(rnorm(48 * 60), 48, dimnames = list(NULL, paste0("g", 1:60)))
    y <- rep(c("case", "control", "control"), 16)
    mean(coef(relief(x, y, pair = rep(1:16, each = 3), threads = 1)))
  }))
  expect_lt(abs(mean(scores)), 0.005)
})

# A batch that a tumour is in more often than its normal sample.
crossed_data <- function(pairs = 16L) {
  d <- paired_data(pairs)
  d$batch <- withr::with_seed(2, ifelse(
    runif(2 * pairs) < ifelse(d$y == "tumour", 0.7, 0.3), "first", "second"
  ))
  d$x[d$batch == "first", 11:20] <- d$x[d$batch == "first", 11:20] + 4
  d
}

test_that("a batch that crosses pairs is taken out by least squares", {
  d <- crossed_data()
  d$x[3, 5] <- NA
  fit <- relief(d$x, d$y, pair = d$pair, block = d$batch, threads = 1)
  for (j in c(1, 5, 12)) {
    # Of a pair in which one sample lacks the feature, both lack it.
    whole <- !d$pair %in% d$pair[is.na(d$x[, j])]
    slope <- coef(lm(x ~ pair + y + batch, data.frame(
      x = d$x[, j], d[c("pair", "y", "batch")]
    )[whole, ]))[["batchsecond"]]
    effects <- fit$effects_of_blocks[, j]
    expect_equal(effects[["second"]] - effects[["first"]], slope)
  }
  moved <- d$x - fit$effects_of_blocks[d$batch, ]
  plain <- relief(moved, d$y, pair = d$pair, threads = 1)
  expect_equal(coef(fit), coef(plain))
  expect_equal(as.data.frame(fit), as.data.frame(plain))
  new <- crossed_data(6L)
  quietly <- function(...) suppressWarnings(predict(..., threads = 1))
  expect_identical(
    quietly(fit, new$x, pair = new$pair, block = new$batch),
    quietly(plain, new$x - fit$effects_of_blocks[new$batch, ], pair = new$pair)
  )
  expect_error(quietly(fit, new$x, pair = new$pair), "block")
  new$batch[[1L]] <- "third"
  expect_error(
    quietly(fit, new$x, pair = new$pair, block = new$batch), "block"
  )
  expect_output(print(fit), "effects of 2 blocks are taken out")
})

test_that("curves learn the effects of a batch on training pairs", {
  d <- crossed_data()
  seen <- list()
  spy <- function(x, y, pair) {
    seen[[length(seen) + 1L]] <<- x
    relief(x, y, pair = pair, k = 3, threads = 1)
  }
  curve <- withr::with_seed(1, error_curve(d$x, d$y, list(
    spy = spy, relief = relief
  ), 5, pair = d$pair, block = d$batch, resampling = kfold(3)))
  for (s in 1:3) {
    rows <- curve$splits[[s]]$train
    fit <- relief(d$x[rows, ], d$y[rows],
      pair = d$pair[rows], block = d$batch[rows], threads = 1
    )
    moved <- d$x[rows, ] - fit$effects_of_blocks[d$batch[rows], ]
    expect_equal(unname(seen[[s]]), unname(centred(moved, d$pair[rows])))
  }
  fdr <- withr::with_seed(1, probe_fdr(d$x, d$y, relief,
    times = 2, pair = d$pair, block = d$batch
  ))
  whole <- relief(d$x, d$y, pair = d$pair, block = d$batch, threads = 1)
  expect_equal(fdr$score, unname(sort(coef(whole), decreasing = TRUE)))
})

test_that("a preparation is learned from values as they are, before pairs", {
  d <- paired_data()
  d$x[cbind(1:4, 5)] <- NA
  learned <- list()
  mine <- function(x, y) {
    learned[[length(learned) + 1L]] <<- x
    function(x) prepare_impute()(x)(x) * 2
  }
  curve <- function(...) {
    withr::with_seed(1, error_curve(..., resampling = kfold(3)))
  }
  found <- curve(d$x, d$y, list(relief = relief), 5,
    pair = d$pair, prepare = mine
  )
  rows <- found$splits[[1L]]$train
  expect_equal(unname(learned[[1L]]), unname(d$x[rows, ]))
  # What needs no other sample may be done before.
  log_first <- curve(2^d$x[, -5], d$y, list(relief = relief), 5,
    pair = d$pair, prepare = function(x, y) log2
  )
  before <- curve(d$x[, -5], d$y, list(relief = relief), 5, pair = d$pair)
  expect_equal(log_first$results$value, before$results$value)
})
