# Selectors that choose their parameters inside what they are given.
# SPDX-License-Identifier: GPL-3.0-or-later

array_data <- function(seed = 1, n = c(12, 12), genes = 30) {
  withr::with_seed(
    seed, simulate_microarray(samples = n, genes = genes, relevant = 5)
  )
}

seeded <- function(selector, data, ..., seed = 1) {
  withr::with_seed(seed, selector(data$x, data$y, ...))
}

# Wrong predictions of every combination, one after the other. Of selectors
# without randomness.
reference_errors <- function(data, splits, grid, fit, predict_by) {
  vapply(seq_len(nrow(grid)), function(row) {
    wrong <- 0
    tested <- 0
    for (split in splits) {
      made <- fit(data$x[split$train, ], data$y[split$train], grid[row, ])
      guess <- predict_by(made, data$x[split$test, , drop = FALSE])
      wrong <- wrong + sum(
        as.character(guess) != as.character(data$y[split$test])
      )
      tested <- tested + length(split$test)
    }
    wrong / tested
  }, 0)
}

# The splits that a tuned selector draws.
inner_splits <- function(y, resampling, seed = 1, group = NULL) {
  design <- if (is.null(group)) new_design(length(y)) else groups_of(group)
  withr::with_seed(seed, {
    stream <- hitmiss:::draw_stream()
    hitmiss:::with_stream(
      stream, hitmiss:::draw_splits(y, resampling, "resampling", design)
    )
  })
}

test_that("of values that err equally the first is chosen", {
  data <- array_data(1)
  fit <- seeded(tuned(relief, k = c(3, 3), resampling = kfold(3)), data)
  expect_identical(fit$tuned$error[[1L]], fit$tuned$error[[2L]])
  expect_identical(fit$tuned$chosen, c(TRUE, FALSE))
})

test_that("the choice is that of the plain definition", {
  grid <- expand.grid(lambda = c(0.5, 1, 2), sigma = c(2, 5))
  choose <- tuned(
    logo, lambda = c(0.5, 1, 2), sigma = c(2, 5), resampling = kfold(3)
  )
  for (seed in 1:4) {
    data <- array_data(seed)
    fit <- seeded(choose, data, seed = seed, threads = 1)
    splits <- inner_splits(data$y, kfold(3), seed)
    # Where nothing is selected, predict() warns.
    slow <- reference_errors(data, splits, grid, function(x, y, p) {
      logo(x, y, lambda = p$lambda, sigma = p$sigma, threads = 1)
    }, function(fit, x) suppressWarnings(predict(fit, x)))
    expect_identical(fit$tuned[c("lambda", "sigma")], grid, ignore_attr = TRUE)
    expect_equal(fit$tuned$error, slow)
    expect_identical(which(fit$tuned$chosen), which.min(slow))
    best <- grid[which.min(slow), ]
    plain <- logo(
      data$x, data$y, lambda = best$lambda, sigma = best$sigma, threads = 1
    )
    expect_identical(fit$scores, plain$scores)
    expect_identical(fit$selected, plain$selected)
    expect_identical(predict(fit, data$x), predict(plain, data$x))
  }
})

test_that("a number of features and another classifier are as said", {
  data <- array_data()
  splits <- inner_splits(data$y, kfold(3))
  grid <- data.frame(k = c(1, 3, 10))
  by_k <- function(x, y, p) suppressWarnings(relief(x, y, k = p, threads = 1))
  few <- seeded(tuned(relief, k = grid$k, n = 3, resampling = kfold(3)), data)
  expect_equal(few$tuned$error, reference_errors(
    data, splits, grid, by_k, function(fit, x) {
      predict(fit, x, n = 3)
    }
  ))
  skip_if_not_installed("e1071")
  machine <- seeded(
    tuned(
      relief, k = grid$k, n = 3, classifier = "svm_linear",
      resampling = kfold(3)
    ), data
  )
  slow <- vapply(grid$k, function(k) {
    error_of <- vapply(splits, function(split) {
      best <- top_features(by_k(
        data$x[split$train, ], data$y[split$train], k
      ), 3)$feature
      train <- scale(data$x[split$train, best])
      test <- scale(
        data$x[split$test, best], attr(train, "scaled:center"),
        attr(train, "scaled:scale")
      )
      model <- e1071::svm(
        train, data$y[split$train], kernel = "linear", scale = FALSE
      )
      sum(predict(model, test) != data$y[split$test])
    }, 0)
    sum(error_of) / length(data$y)
  }, 0)
  expect_equal(machine$tuned$error, slow)
})

test_that("another metric is that of all held-out predictions", {
  data <- array_data(n = c(7, 17))
  loss <- function(truth, predicted, p) {
    -mean(log(p[cbind(seq_along(truth), truth)]))
  }
  held_out <- function(k) {
    do.call(rbind, lapply(inner_splits(data$y, kfold(3)), function(s) {
      fit <- suppressWarnings(relief(data$x[s$train, ], data$y[s$train], k = k))
      p <- predict(fit, data$x[s$test, ], type = "prob")
      data.frame(y = data$y[s$test], p = I(p))
    }))
  }
  log_loss <- list(fun = loss, name = "log loss")
  for (metric in list("auc", log_loss)) {
    choose <- tuned(relief, k = c(1, 4), resampling = kfold(3), metric = metric)
    fit <- seeded(choose, data)
    slow <- vapply(c(1, 4), function(k) {
      test <- held_out(k)
      if (is.list(metric)) {
        return(loss(test$y, NULL, test$p))
      }
      above <- outer(test$p[, 1], test$p[, 1], "-")[test$y == "class1", ]
      1 - mean((sign(above[, test$y != "class1"]) + 1) / 2)
    }, 0)
    expect_equal(fit$tuned$error, slow)
    expect_identical(which(fit$tuned$chosen), which.min(slow))
    expect_output(print(fit), "[(](1 - AUC|log loss) 0")
    expect_output(print(choose), "metric: (AUC|log loss)")
  }
  expect_refusal(tuned(relief, k = 1, metric = c("manhattan", "x")), "metric")
  expect_refusal(seeded(tuned(relief, k = 1, metric = "uno"), data), "metric")
  always <- tuned(relief,
    k = 1, metric = "auc",
    classifier = \(x, y, x_test) rep("class1", nrow(x_test))
  )
  expect_refusal(seeded(always, data), "metric")
})

test_that("LLFS chooses alpha, neighbour and vote by its own predictions", {
  data <- array_data(genes = 15)
  # Evidence has no use for half of a neighbour: two combinations are not taken.
  expect_warning(
    fit <- seeded(
      tuned(llfs,
        alpha = list("auto", 2), neighbour = c("none", "half"),
        vote = c("spheres", "evidence"), resampling = kfold(2)
      ), data,
      threads = 1
    ), "2 of 8 combinations"
  )
  refused <- fit$tuned$vote == "evidence" & fit$tuned$neighbour == "half"
  expect_identical(is.na(fit$tuned$error), refused)
  expect_s3_class(fit, c("hitmiss_llfs", "hitmiss"), exact = TRUE)
  expect_identical(nrow(fit$tuned), 8L)
  expect_identical(fit$tuned$alpha[1:2], c("auto", "2"))
  chosen <- fit$tuned[fit$tuned$chosen, ]
  expect_identical(fit$parameters$vote, chosen$vote)
  expect_identical(fit$parameters$neighbour, chosen$neighbour)
})

test_that("groups stay whole in the inner splits, and go on to the selector", {
  data <- array_data()
  patient <- rep(sprintf("p%d", 1:12), each = 2)
  rownames(data$x) <- patient_rows <- sprintf("%s_%d", patient, 1:2)
  given <- list()
  spy <- function(x, y, k, group) {
    given[[length(given) + 1L]] <<- rownames(x)
    expect_length(group, nrow(x))
    relief(x, y, k = k, group = group, threads = 1)
  }
  fit <- seeded(
    tuned(spy, k = c(1, 2), resampling = kfold(3)), data, group = patient
  )
  expect_identical(fit$parameters$group, 12L)
  expect_length(given, 7L)
  for (rows in given) {
    of <- patient[match(rows, patient_rows)]
    expect_true(all(table(of) == 2))
  }
  # Within a curve the values come from it.
  curve <- withr::with_seed(1, error_curve(data$x, data$y,
    list(spy = tuned(spy, k = 1:2, resampling = kfold(2))), 3,
    group = patient, resampling = kfold(3)
  ))
  expect_false(anyNA(curve$values$spy))
})

test_that("n counts without parameters to try, too", {
  data <- array_data()
  fit <- seeded(tuned(relief, prepare = prepare_filter(n = 60), n = 3), data)
  expect_identical(
    predict(fit, data$x + 0.3, type = "prob"),
    predict(fit, data$x + 0.3, type = "prob", n = 3)
  )
})

test_that("a metric without a finite value chooses nothing", {
  data <- array_data()
  none <- function(truth, predicted) Inf
  expect_error(
    seeded(tuned(relief, k = c(1, 3), metric = none), data), "no finite value",
    class = "hitmiss_error"
  )
})

test_that("print() of a tuned fit names what was tried", {
  data <- array_data()
  choose <- tuned(relief, k = c(1, 3), threads = 1, resampling = kfold(2))
  out <- utils::capture.output(print(seeded(choose, data)))
  expect_match(out, "chosen among 2 .*: k = \\d+ \\(error", all = FALSE)
})

test_that("a tuned selector works wherever a selector does, gives whole fits", {
  data <- array_data()
  choose <- tuned(relief, k = c(1, 3), resampling = kfold(2), n = 5)
  fit <- seeded(choose, data)
  expect_output(print(fit), "chosen among 2 by cross-validation: k = \\d+ \\(")
  # It predicts by as many features as its errors are of.
  expect_identical(predict(fit, data$x), predict(fit, data$x, n = 5))
  expect_false(identical(
    predict(fit, data$x, type = "prob"),
    predict(fit, data$x, type = "prob", n = 50)
  ))
  k <- fit$tuned$k[fit$tuned$chosen]
  expect_identical(fit$call, as.call(list(
    quote(relief), x = quote(data$x), y = quote(data$y), k = k
  )))
  curve <- withr::with_seed(
    1, error_curve(data$x, data$y, choose, c(2, 5),
      resampling = kfold(3), permuted = 2
    )
  )
  expect_false(anyNA(curve$results$value))
  expect_false(anyNA(stability(curve)$table$baseline))
  found <- withr::with_seed(
    1, probe_fdr(data$x, data$y, choose, times = 2, n = 10)
  )
  expect_identical(
    found$fit$tuned,
    withr::with_seed(1, probe_fdr(
      data$x, data$y, choose, times = 2, n = 10
    ))$fit$tuned
  )
  expect_s3_class(
    withr::with_seed(1, turf(data$x, data$y, choose, drop = 0.5)),
    "hitmiss_turf"
  )
  kept <- unserialize(serialize(fit, NULL))
  expect_identical(kept$tuned, fit$tuned)
  # Categories are data like others.
  snps <- data.frame(lapply(as.data.frame(data$x > 0), factor))
  expect_identical(nrow(seeded(choose, list(x = snps, y = data$y))$tuned), 2L)
})

test_that("the seed governs, the back end does not", {
  data <- array_data(genes = 15)
  random <- function(x, y, k) {
    x[, 1] <- stats::rnorm(nrow(x))
    relief(x, y, k = k, threads = 1)
  }
  fit <- seeded(tuned(random, k = c(1, 3)), data)
  fields <- c("tuned", "scores", "ranking")
  expect_identical(
    seeded(tuned(random, k = c(1, 3)), data)[fields], fit[fields]
  )
  expect_false(identical(
    seeded(tuned(random, k = c(1, 3)), data, seed = 2)$scores, fit$scores
  ))
  after <- withr::with_seed(1, {
    tuned(random, k = c(1, 3))(data$x, data$y)
    runif(1)
  })
  expect_identical(after, withr::with_seed(1, {
    tuned(random, k = 1:4, resampling = kfold(2))(data$x, data$y)
    runif(1)
  }))
  skip_if_not_installed("BiocParallel")
  two <- BiocParallel::MulticoreParam(2)
  curve <- function(back) {
    withr::with_seed(1,
      error_curve(data$x, data$y, list(r = tuned(random, k = c(1, 3))), 3,
      resampling = kfold(2), BPPARAM = back
    ))[c("results", "selections")]
  }
  expect_identical(curve(two), curve(NULL))
})

test_that("what fails is named", {
  data <- array_data()
  expect_refusal(tuned(), "selector")
  expect_refusal(tuned(relief(data$x, data$y, threads = 1), k = 1), "selector")
  expect_refusal(tuned(function(x) 1, k = 1), "selector")
  expect_refusal(tuned(relief), "...")
  expect_refusal(tuned(relief, 1:3), "...")
  expect_refusal(tuned(relief, k = NULL), "...")
  expect_refusal(tuned(relief, group = 1:3), "group")
  expect_refusal(tuned(relief, k = 1, resampling = 5), "resampling")
  expect_refusal(tuned(relief, k = 1, classifier = "lda"), "classifier")
  expect_refusal(tuned(relief, k = 1, n = 0), "n")
  choose <- tuned(logo, lambda = c(1, -1), resampling = kfold(2))
  expect_warning(fit <- seeded(choose, data), class = "hitmiss_warning_failed")
  expect_identical(is.na(fit$tuned$error), c(FALSE, TRUE))
  expect_refusal(tuned(logo, lamda = 1:2), "lamda")
  expect_refusal(
    tuned(function(x, y, k) c(gene1 = 1), k = 1)(data$x, data$y), "selectors"
  )
  expect_refusal(tuned(relief, k = 1)(data$x), "y")
  expect_refusal(tuned(relief, k = 1)(data$x, as.integer(data$y)), "y")
  expect_output(print(choose), "lambda: 1, -1")
})

test_that("the end of memory ends the search, and a large estimate does not", {
  data <- array_data()
  calls <- 0
  greedy <- function(x, y, k) {
    calls <<- calls + 1
    if (k == 2) numeric(2^50)
    relief(x, y, k = k, threads = 1)
  }
  choose <- tuned(greedy, k = 1:3, resampling = kfold(2))
  error <- expect_error(seeded(choose, data), class = "hitmiss_error_memory")
  expect_match(conditionMessage(error), "memory ran out")
  expect_identical(calls, 2)
  limited <- function(x, y, k) {
    if (k == 2) withr::local_options(hitmiss.max_memory = 1)
    relief(x, y, k = k, threads = 1)
  }
  choose <- tuned(limited, k = 1:3, resampling = kfold(2))
  expect_warning(fit <- seeded(choose, data), class = "hitmiss_warning_failed")
  expect_identical(is.na(fit$tuned$error), c(FALSE, TRUE, FALSE))
})

test_that("parameters that the selector does not take are refused at once", {
  ignoring <- function(x, y, ...) relief(x, y)
  refused <- list(
    relief, llfs, turf, ignoring, function(x, y, k) relief(x, y, k = k)
  )
  for (selector in refused) {
    expect_refusal(tuned(selector, always = "g1"), "always")
  }
  taking <- list(
    function(x, y, ...) relief(x, y, ...), function(x, y, always) relief(x, y),
    tuned(relief, k = 1:2), reference_scores
  )
  for (selector in taking) {
    expect_s3_class(tuned(selector, always = "g1"), "hitmiss_tuned")
  }
})
