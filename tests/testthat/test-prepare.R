# What is done to samples inside the training parts: steps, and curves with
# them.
# SPDX-License-Identifier: GPL-3.0-or-later

holed <- function(seed = 1, share = 0.1, genes = 25) {
  data <- withr::with_seed(
    seed, simulate_microarray(samples = c(15, 15), genes = genes, relevant = 5)
  )
  rownames(data$x) <- sprintf("s%d", seq_len(30))
  data$x[withr::with_seed(
    seed, sample(length(data$x), share * length(data$x))
  )] <- NA
  data
}

near <- function(x, y) relief(x, y, threads = 1)

prepared_curve <- function(data, ..., selectors = list(relief = near),
                           sizes = c(2, 5), resampling = kfold(3), seed = 1) {
  withr::with_seed(seed, error_curve(data$x, data$y, selectors, sizes,
    resampling = resampling, ...
  ))
}

# ---- steps ------------------------------------------------------------------

test_that("what is missing is filled in by what was learned", {
  for (seed in 1:10) {
    data <- holed(seed, 0.3)
    at <- 1:18
    for (method in c("median", "mean")) {
      prep <- prepare_impute(method)(data$x[at, ], data$y[at])
      slow <- data$x
      for (j in seq_len(ncol(slow))) {
        value <- get(method)(data$x[at, j], na.rm = TRUE)
        for (i in seq_len(nrow(slow))) {
          if (is.na(slow[i, j])) slow[i, j] <- value
        }
      }
      expect_identical(prep(data$x), slow)
      expect_equal(as.matrix(prep(as.data.frame(data$x))), slow)
      expect_identical(
        prep(data$x[25, , drop = FALSE]), slow[25, , drop = FALSE]
      )
    }
  }
  # Whole numbers and flags; a feature without any value is left out.
  x <- cbind(a = c(1L, 2L, NA, 4L), b = NA_integer_, c = 4:1)
  expect_identical(
    prepare_impute()(x, NULL)(x), cbind(a = c(1, 2, 2, 4), c = c(4, 3, 2, 1))
  )
})

test_that("a missing category becomes the most frequent, of ties the first", {
  frame <- data.frame(
    f = factor(c("b", "a", NA, "b", "a"), c("b", "a", "c")),
    t = c("z", NA, "y", "z", "y"), l = c(TRUE, NA, TRUE, FALSE, FALSE),
    n = c(1, 2, 3, NA, 10), whole = c(1L, NA, 3L, 4L, 5L)
  )
  prep <- prepare_impute()(frame, NULL)
  filled <- prep(frame)
  expect_identical(
    filled$f, factor(c("b", "a", "b", "b", "a"), c("b", "a", "c"))
  )
  expect_identical(filled$t, c("z", "y", "y", "z", "y"))
  expect_identical(filled$l, c(TRUE, FALSE, TRUE, FALSE, FALSE))
  expect_identical(filled$n, c(1, 2, 3, 2.5, 10))
  expect_identical(filled$whole, c(1, 3.5, 3, 4, 5))
})

test_that("the filter keeps what varies in the training samples", {
  data <- withr::with_seed(3,
    simulate_microarray(samples = c(10, 10), genes = 30)
  )
  x <- data$x
  x[1:12, 4] <- 7
  x[, 5] <- x[, 6] * 3
  learn <- x[1:12, ]
  variance <- apply(learn, 2, var)
  kept <- function(...) colnames(prepare_filter(...)(learn, data$y[1:12])(x))
  expect_identical(kept(), setdiff(colnames(x), colnames(x)[[4]]))
  expect_identical(kept(1), names(variance)[variance > 1])
  best <- names(sort(-variance))[1:7]
  expect_identical(kept(n = 7), intersect(colnames(x), best))
  expect_identical(kept(variance = 1, n = 100), kept(1))
  # Of ties, the first.
  expect_identical(
    colnames(
      prepare_filter(n = 1)(cbind(a = 1:3, b = 3:1), NULL)(cbind(a = 1, b = 2))
    ), "a"
  )
  # Missing values do not count, nor do columns without or that are no numbers.
  learn[, 9] <- NA
  variance[[9]] <- 0
  expect_identical(kept(1), names(variance)[variance > 1])
  learn[3, 8] <- NA
  variance[[8]] <- var(learn[-3, 8])
  expect_identical(
    kept(variance[[8]] - 1e-9), names(variance)[variance > variance[[8]] - 1e-9]
  )
  frame <- data.frame(text = "a", x)
  expect_identical(
    names(prepare_filter(n = 7)(frame[1:12, ], NULL)(frame)),
    c(
      "text", intersect(
        colnames(x), names(sort(-apply(x[1:12, ], 2, var)))[1:7]
      )
    )
  )
  sparse <- Matrix::Matrix(replace(x, x < 1, 0), sparse = TRUE)
  expect_identical(
    colnames(prepare_filter(n = 5)(sparse, NULL)(sparse)),
    colnames(prepare_filter(n = 5)(as.matrix(sparse), NULL)(as.matrix(sparse)))
  )
})

test_that("steps refuse what they cannot prepare, and say so in print", {
  expect_output(print(prepare_impute()), "median imputation")
  expect_output(print(prepare_filter(0.5)), "variance above 0.5")
  expect_output(
    print(prepare_filter(n = 20)), "the 20 features of largest variance"
  )
  expect_refusal(prepare_impute("mode"), "method")
  expect_refusal(prepare_filter(-1), "variance")
  expect_refusal(prepare_filter(n = 0), "n")
  x <- matrix(1:4, 2, dimnames = list(NULL, c("a", "b")))
  expect_refusal(prepare_impute()(Matrix::Matrix(x, sparse = TRUE), NULL), "x")
  expect_refusal(prepare_impute()(unname(x), NULL), "x")
  expect_refusal(prepare_impute()("a", NULL), "x")
  expect_refusal(prepare_impute()(x, NULL)(x[, 1, drop = FALSE]), "x")
  expect_refusal(prepare_filter()(x, NULL)(x[, 2, drop = FALSE]), "x")
})

test_that("covariates are taken out as the least squares of the training say", {
  data <- withr::with_seed(1, simulate_microarray(
    samples = c(15, 15), genes = 12, relevant = 3
  ))
  people <- data.frame(
    age = withr::with_seed(2, rnorm(30, 50, 10)),
    sex = factor(rep(c("f", "m", "m"), 10))
  )
  data$x <- data$x + people$age / 10
  train <- c(1:11, 16:27)
  curve <- withr::with_seed(1, error_curve(data$x, data$y, list(relief = near),
    c(2, 5), resampling = list(list(train = train, test = setdiff(1:30,
      train))),
    prepare = prepare_adjust(people)
  ))
  expect_identical(curve$prepare, "adjustment for age, sex")
  adjusted <- data$x
  for (j in seq_len(ncol(data$x))) {
    rows <- cbind(v = data$x[, j], people)
    fit <- lm(v ~ class + age + sex, cbind(rows, class = data$y),
      subset = train)
    part <- coef(fit)[["age"]] * people$age +
      coef(fit)[["sexm"]] * (people$sex == "m")
    adjusted[, j] <- data$x[, j] - part + mean(part[train])
  }
  slow <- reference_curve(
    adjusted, data$y, near, c(2, 5), curve$splits
  )
  expect_equal(unname(curve$values$relief), slow)
  # Directly: in order, or by name.
  prep <- prepare_adjust(people[train, ])(data$x[train, ], data$y[train])
  expect_equal(prep(data$x[train, ]), adjusted[train, ])
  rownames(data$x) <- rownames(people) <- sprintf("s%d", 1:30)
  rownames(adjusted) <- rownames(people)
  prep <- prepare_adjust(people)(data$x[train, ], data$y[train])
  expect_equal(prep(data$x[3:5, ]), adjusted[3:5, ])
  # Labels are what a selector takes.
  step <- prepare_adjust(people$age)
  y <- replace(data$y, 1, NA)
  expect_identical(
    step(data$x, as.character(y))(data$x), step(data$x, y)(data$x)
  )
  for (y in list(y[-1], rep("a", 30), 1:30)) {
    expect_refusal(step(data$x, y), "y")
  }
  expect_refusal(step(data$x), "y")
  expect_refusal(prepare_adjust(replace(people$age, 3, NA)), "covariates")
  expect_refusal(prepare_adjust(1:3)(data$x, data$y), "covariates")
  # Nothing is left of the class.
  expect_refusal(
    prepare_adjust(as.integer(data$y))(data$x, data$y), "covariates"
  )
})

# ---- curves -----------------------------------------------------------------

# The same by hand: parts prepared outside, then the slow definition's
# classifier.
reference_prepared <- function(data, splits, learn, sizes) {
  t(vapply(splits, function(split) {
    prep <- learn(data$x[split$train, ], data$y[split$train])
    train <- prep(data$x[split$train, , drop = FALSE])
    test <- prep(data$x[split$test, , drop = FALSE])
    both <- rbind(train, test)
    at <- seq_along(split$train)
    own <- list(list(train = at, test = length(at) + seq_along(split$test)))
    drop(reference_curve(
      both, data$y[c(split$train, split$test)], near, sizes, own
    ))
  }, numeric(length(sizes))))
}

test_that("a curve is what preparing every split by hand gives", {
  both <- function(x, y) {
    impute <- prepare_impute()(x, y)
    filter <- prepare_filter(n = 12)(impute(x), y)
    function(x) filter(impute(x))
  }
  for (seed in 1:5) {
    data <- holed(seed)
    curve <- prepared_curve(data,
      prepare = list(prepare_impute(), prepare_filter(n = 12)),
      sizes = c(2, 12, 25), seed = seed
    )
    slow <- reference_prepared(data, curve$splits, both, c(2, 12, 12))
    expect_equal(unname(curve$values$relief), slow)
    expect_identical(max(curve$results$n_used), 12)
    # Selections are told by the names of x.
    for (s in seq_along(curve$splits)) {
      rows <- curve$splits[[s]]$train
      prep <- both(data$x[rows, ], data$y[rows])
      expect_identical(
        curve$features[curve$selections$relief[[s]]],
        top_features(near(prep(data$x[rows, ]), data$y[rows]), 12)$feature
      )
    }
    same <- prepared_curve(
      data, prepare = both, sizes = c(2, 12, 25), seed = seed
    )
    expect_identical(same$results, curve$results)
    expect_identical(same$baseline, curve$baseline)
  }
  expect_identical(
    curve$prepare, c("median imputation", "the 12 features of largest variance")
  )
  expect_output(
    print(curve), "Prepared inside each training part: median imputation"
  )
  expect_identical(same$prepare, "user's function")
})

test_that("doing nothing changes nothing, whatever the container", {
  data <- withr::with_seed(2,
    simulate_microarray(samples = c(12, 12), genes = 30)
  )
  nothing <- function(x, y) function(x) x
  fields <- c(
    "results", "baseline", "chosen", "predictions", "selections"
  )
  ways <- list(
    list(), list(nested = kfold(2)), list(classifier = "own"),
    list(resampling = holdout(2, 0.6, labelled = 0.6))
  )
  for (way in ways) {
    plain <- do.call(prepared_curve, c(list(data), way))
    inside <- do.call(prepared_curve, c(list(data, prepare = nothing), way))
    expect_identical(inside[fields], plain[fields])
    frame <- list(x = as.data.frame(data$x), y = data$y)
    inside <- do.call(prepared_curve, c(list(frame, prepare = nothing), way))
    expect_identical(inside[fields], plain[fields])
  }
  sparse <- list(
    x = Matrix::Matrix(replace(data$x, data$x < 0, 0), sparse = TRUE),
    y = data$y
  )
  expect_identical(
    prepared_curve(sparse, prepare = nothing)[fields],
    prepared_curve(sparse)[fields]
  )
})

test_that("inner splits are prepared by their own training samples", {
  data <- holed()
  seen <- list()
  spy <- function(x, y) {
    seen[[length(seen) + 1L]] <<- rownames(x)
    expect_identical(
      as.character(y),
      as.character(data$y[match(rownames(x), rownames(data$x))])
    )
    prepare_impute()(x, y)
  }
  curve <- prepared_curve(data, prepare = spy, nested = kfold(3))
  # Of each split: the selector's part, 3 inner parts, the two baselines' part.
  expect_length(seen, 3 * (1 + 3 + 2))
  for (s in 1:3) {
    part <- rownames(data$x)[curve$splits[[s]]$train]
    calls <- seen[(s - 1) * 6 + 1:4]
    expect_identical(calls[[1L]], part)
    for (inner in calls[-1L]) {
      expect_true(all(inner %in% part))
      expect_lt(length(inner), length(part))
    }
    expect_identical(seen[[s * 6]], part)
  }
})

test_that("random steps: one preparation for all selectors, any back end", {
  data <- holed()
  noisy <- function(x, y) {
    shift <- stats::rnorm(1)
    function(x) replace(x + shift, is.na(x), stats::rnorm(sum(is.na(x))))
  }
  same <- list(a = near, b = near)
  curve <- prepared_curve(
    data, selectors = same, prepare = noisy, nested = kfold(2)
  )
  expect_identical(curve$values$a, curve$values$b)
  expect_identical(
    curve$chosen$size[curve$chosen$selector == "a"],
    curve$chosen$size[curve$chosen$selector == "b"]
  )
  skip_if_not_installed("BiocParallel")
  for (back in list(
    BiocParallel::SerialParam(), BiocParallel::MulticoreParam(2)
  )) {
    again <- prepared_curve(data,
      selectors = same, prepare = noisy, nested = kfold(2), BPPARAM = back
    )
    fields <- c("results", "chosen", "predictions", "selections", "baseline")
    expect_identical(again[fields], curve[fields])
  }
})

test_that("categories stay so for selectors, are indicators for classifiers", {
  toy <- withr::with_seed(1, simulate_epistasis(samples = c(60, 60), noise = 6))
  snps <- data.frame(lapply(as.data.frame(toy$x), factor))
  snps$locus1[withr::with_seed(2, sample(120, 12))] <- NA
  kinds <- NULL
  watch <- function(x, y) {
    kinds <<- unique(vapply(x, class, ""))
    relief(x, y, "multisurf", threads = 1)
  }
  indicator_knn <- function(x_train, y_train, x_test) {
    kinds <<- c(kinds, "indicators"[all(x_train %in% 0:1)])
    class::knn(x_train, x_test, y_train, 5)
  }
  curve <- prepared_curve(list(x = snps, y = toy$y),
    selectors = list(watch = watch), prepare = prepare_impute(),
    classifier = indicator_knn, scale = "none", sizes = c(1, 8)
  )
  expect_true(all(c("factor", "indicators") %in% kinds))
  expect_identical(curve$failures$message, character())
  own <- prepared_curve(list(x = snps, y = toy$y),
    selectors = list(watch = watch), prepare = prepare_impute(),
    classifier = "own", sizes = 2
  )
  expect_false(anyNA(own$values$watch))
  # As with indicators from the start.
  x <- snps[-1]
  indicators <- do.call(cbind, lapply(names(x), function(name) {
    levels <- levels(x[[name]])
    made <- outer(as.character(x[[name]]), levels, "==") + 0
    colnames(made) <- paste0(name, levels)
    made
  }))
  all <- function(x, y) colnames(x)
  coded <- prepared_curve(list(x = x, y = toy$y),
    selectors = list(all = all), prepare = prepare_impute(), sizes = Inf
  )
  plain <- prepared_curve(list(x = indicators, y = toy$y),
    selectors = list(all = all), sizes = Inf
  )
  expect_identical(unname(coded$values$all), unname(plain$values$all))
})

test_that("selections with permuted labels are prepared as the curve is", {
  curve <- prepared_curve(holed(), prepare = prepare_impute(), permuted = 3)
  expect_false(anyNA(stability(curve)$table$baseline))
})

test_that("what preparation returns is checked, and named", {
  data <- holed()
  refused <- function(prepare, ...) {
    expect_refusal(prepared_curve(data, prepare = prepare, ...), "prepare")
  }
  applied <- function(fun) function(x, y) fun
  refused("median")
  refused(list())
  refused(list(prepare_impute(), 3))
  refused(function(x) x)
  refused(function(x, y) x)
  refused(applied(function(x) x / 0))
  refused(applied(function(x) "a"))
  refused(applied(function(x) matrix("a", nrow(x), 1)))
  refused(applied(function(x) x[-1, ]))
  refused(applied(function(x) x[rev(seq_len(nrow(x))), ]))
  refused(applied(function(x) unname(x)))
  refused(applied(function(x) x[, 0]))
  refused(applied(function(x) cbind(x, new = 1)))
  refused(applied(function(x) x[, c(1, 1)]))
  refused(applied(function(x) x[, colSums(is.na(x)) == 0]))
  refused(applied(function(x) data.frame(gene1 = I(as.list(x[, 1])))))
  # An error of the step itself is that of a fit.
  expect_refusal(
    prepared_curve(data, prepare = function(x, y) stop("no step")), "selectors"
  )
  # relief() takes what a step leaves missing.
  left <- suppressWarnings(
    prepared_curve(data, prepare = applied(function(x) x))
  )
  expect_false(anyNA(left$summary$mean))
})

test_that("data that are read in blocks are not prepared", {
  skip_if_not_installed("HDF5Array")
  data <- withr::with_seed(2,
    simulate_microarray(samples = c(12, 12), genes = 30)
  )
  withr::local_options(hitmiss.realise_memory = 0)
  data$x <- methods::as(data$x, "HDF5Array")
  expect_refusal(prepared_curve(data, prepare = prepare_impute()), "prepare")
})

test_that("containers with missing values are prepared, samples in rows", {
  skip_if_not_installed("SummarizedExperiment")
  data <- holed()
  se <- SummarizedExperiment::SummarizedExperiment(
    list(exprs = t(data$x)),
    colData = S4Vectors::DataFrame(class = data$y)
  )
  whole <- prepared_curve(list(x = se, y = "class"), prepare = prepare_impute())
  plain <- prepared_curve(data, prepare = prepare_impute())
  expect_identical(whole$results, plain$results)
})

# ---- recipes and habits -----------------------------------------------------

test_that("a recipe is prepared on the training part and baked on both", {
  # A package that recipes loads asks for it, which warns on machines without
  # one.
  withr::local_envvar(TZ = Sys.getenv("TZ", "UTC"))
  skip_if_not_installed("recipes")
  data <- holed(genes = 12)
  frame <- data.frame(data$x, class = data$y)
  recipe <- recipes::recipe(class ~ ., data = frame) |>
    recipes::step_impute_knn(recipes::all_predictors(), neighbors = 3) |>
    recipes::step_normalize(recipes::all_predictors())
  by_hand <- function(x, y) {
    trained <- recipes::prep(recipe, data.frame(x, class = y), fresh = TRUE)
    function(x) {
      as.data.frame(recipes::bake(
        trained, data.frame(x), recipes::all_predictors()
      ))
    }
  }
  curve <- prepared_curve(data, prepare = by_hand, resampling = kfold(2))
  expect_false(anyNA(curve$results$value))
  # The message of a bare recipe says how to write that function.
  expect_error(prepared_curve(data, prepare = recipe), "recipes::bake")
})

test_that("caret's habits: a tibble is fine, a numeric outcome gets advice", {
  skip_if_not_installed("tibble")
  data <- holed(genes = 12)
  tibble <- list(x = tibble::as_tibble(data$x), y = as.character(data$y))
  curve <- prepared_curve(tibble, prepare = prepare_impute())
  expect_identical(
    curve$results, prepared_curve(data, prepare = prepare_impute())$results
  )
  numeric <- list(x = tibble$x, y = as.integer(data$y) - 1L)
  expect_refusal(prepared_curve(numeric, prepare = prepare_impute()), "y")
  numeric$y <- factor(numeric$y)
  expect_identical(
    prepared_curve(numeric, prepare = prepare_impute())$results, curve$results
  )
})

test_that("covariates without names are in the order of the samples", {
  data <- withr::with_seed(4, simulate_microarray(c(12, 12), 5, relevant = 2))
  batch <- rep(0:1, 12)
  frame <- data.frame(data$x + 10 * batch)
  order <- withr::with_seed(1, sample(24))
  # The frame keeps its row numbers.
  step <- prepare_adjust(batch[order])(frame[order, ], data$y[order])
  slope <- stats::lm(as.matrix(step(frame[order, ])) ~ batch[order] +
    data$y[order])$coefficients[2L, ]
  expect_lt(max(abs(slope)), 1e-9)
  # A part of the samples is found by these numbers.
  part <- prepare_adjust(batch)(frame[1:20, ], data$y[1:20])
  expect_equal(part(frame[21:24, ]), part(frame)[21:24, ],
    ignore_attr = TRUE
  )
})

test_that("a step keeps what it learned, not the samples", {
  data <- holed()
  full <- replace(data$x, is.na(data$x), 0)
  batch <- rep(0:1, 15)
  steps <- list(prepare_impute(), prepare_filter(), prepare_adjust(batch))
  for (step in steps) {
    with <- length(serialize(step(full, data$y), NULL))
    more <- cbind(full, matrix(0.5, 30, 2000,
      dimnames = list(NULL, paste0("more", 1:2000))
    ))
    expect_lt(length(serialize(step(more, data$y), NULL)) - with, 2e5)
  }
})

test_that("whole numbers of a tibble are filled in", {
  skip_if_not_installed("tibble")
  frame <- data.frame(a = c(1L, 4L, NA, 2L), b = c(NA, 3L, 4L, 9L))
  filled <- prepare_impute("mean")(frame)(frame)
  table <- tibble::as_tibble(frame)
  expect_equal(as.data.frame(prepare_impute("mean")(table)(table)), filled)
})
