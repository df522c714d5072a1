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
    expect_equal(coef(fit), coef(other), tolerance = 1e-12, info = name)
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
  expect_error(relief(d$x, d$y, pair = d$pair, block = d$pair), "`pair` and")
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
  expect_error(
    error_curve(d$x, d$y, list(relief = relief), 3,
      pair = d$pair, prepare = prepare_filter(n = 5)
    ), "`pair` and `prepare`"
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
