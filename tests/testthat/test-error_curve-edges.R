# Small, odd and failing cases, each with what is said about it.
# SPDX-License-Identifier: GPL-3.0-or-later

edge_data <- function(n = c(12, 12), genes = 20, seed = 1L) {
  withr::with_seed(seed, simulate_microarray(n, genes, relevant = 3))
}

by_variance <- function(x, y) apply(x, 2L, var)

edge_curve <- function(data, selectors, sizes, ...,
                       resampling = holdout(10, 0.5)) {
  withr::with_seed(1, error_curve(data$x, data$y, selectors, sizes, ...,
    resampling = resampling
  ))
}

test_that("fewer features than asked: all there are, and it says so", {
  data <- edge_data()
  two <- function(x, y) {
    score <- by_variance(x, y)
    score[order(-score)[-(1:2)]] <- 0
    score
  }
  curve <- edge_curve(data, list(sparse = two), c(1, 2, 5, 10))
  expect_equal(curve$summary$n_used, c(1, 2, 2, 2))
  expect_identical(curve$values$sparse[, 2], curve$values$sparse[, 4])
  expect_true(all(lengths(curve$selections$sparse) == 2L))
  expect_output(print(curve), "fewer than requested")
  # Only the lowest score, shared, is unordered; an unshared lowest one counts.
  expect_length(score_order(c(3, 2, 1, 1), 1:4), 2L)
  expect_length(score_order(c(3, 2, 1, 0), 1:4), 4L)
  expect_identical(
    score_order(c(1, NA, 5, 5), c(4L, 2L, 9L, 3L)), c(3L, 9L, 4L)
  )
})

test_that("an empty selection predicts the largest training class", {
  data <- edge_data(c(10, 14))
  curve <- edge_curve(data, list(
    none = function(x, y) character(),
    equal = function(x, y) setNames(rep(1, ncol(x)), colnames(x))
  ), c(1, 5))
  expect_true(all(curve$results$empty))
  expect_true(all(curve$results$n_used == 0))
  expect_true(all(curve$predictions$predicted == "class2"))
  expect_equal(
    curve$aggregate$mean,
    rep(curve$baseline$mean[curve$baseline$name == "(largest class)"], 2)
  )
  expect_output(print(curve), "40 empty selections")
  for (classifier in c("svm_linear", "own")) {
    if (classifier == "own") {
      # So strict that nothing is selected.
      empty <- list(none = function(x, y) logo(x, y, lambda = 1e6, threads = 1))
    } else {
      skip_if_not_installed("e1071")
      empty <- list(none = function(x, y) character())
    }
    curve <- edge_curve(data, empty, c(1, 5), classifier = classifier)
    expect_true(all(curve$predictions$predicted == "class2"))
  }
})

test_that("sizes above the number of features become that number", {
  data <- edge_data()
  curve <- edge_curve(data, list(v = by_variance), c(5, 50, Inf, 5))
  expect_identical(curve$sizes, c(5, 20))
  all <- curve$baseline$mean[curve$baseline$name == "(all features)"]
  expect_equal(curve$summary$mean[[2L]], all)
})

test_that("a class of one sample, folds above a class, constant columns", {
  data <- edge_data(c(9, 1, 12))
  data$x[, 4] <- 7
  expect_warning(
    curve <- edge_curve(data, list(v = by_variance), c(1, 5)),
    class = "hitmiss_warning_single"
  )
  expect_false(anyNA(curve$results$value))
  expect_false("class2" %in% curve$predictions$truth)
  expect_warning(
    edge_curve(data, list(v = by_variance), 5, resampling = kfold(5)),
    class = "hitmiss_warning_folds"
  )
  data <- edge_data(c(8, 8))
  data$x[, 1:20] <- 1
  curve <- edge_curve(data, list(all = function(x, y) colnames(x)), 20)
  expect_false(anyNA(curve$results$value))
})

test_that("one feature, two samples per class", {
  data <- edge_data(c(2, 2))
  data$x <- data$x[, 1, drop = FALSE]
  curve <- edge_curve(
    data, list(v = by_variance), 1, resampling = holdout(3, 0.5)
  )
  expect_false(anyNA(curve$results$value))
  expect_identical(curve$sizes, 1)
  loo <- edge_curve(
    data, list(v = by_variance), 1, resampling = leave_one_out()
  )
  expect_equal(nrow(loo$results), 4L)
})

test_that("a selector that fails in one split is NA there, with a warning", {
  data <- edge_data()
  calls <- 0
  sometimes <- function(x, y) {
    calls <<- calls + 1
    if (calls == 2) stop("no convergence today")
    by_variance(x, y)
  }
  expect_warning(
    curve <- edge_curve(data, list(v = by_variance, odd = sometimes), c(1, 5)),
    class = "hitmiss_warning_failed", "odd in 1 of 10 splits"
  )
  odd <- curve$results[curve$results$selector == "odd", ]
  expect_identical(which(is.na(odd$value)), 3:4)
  expect_identical(curve$failures$split, 2L)
  expect_match(curve$failures$message, "no convergence today")
  expect_false(anyNA(curve$summary$mean))
  expect_output(print(curve), "1 fits? failed")
  compared <- compare_selectors(curve)
  expect_identical(compared$df, 8)
  expect_output(print(compared), "1 of 10")
})

test_that("a selector that always fails has NA everywhere, and no NaN", {
  data <- edge_data()
  never <- function(x, y) stop("not today")
  expect_warning(
    curve <- edge_curve(data, list(v = by_variance, never = never), c(1, 5)),
    class = "hitmiss_warning_failed", "never in 10 of 10 splits"
  )
  for (table in list(curve$summary, curve$aggregate)) {
    numbers <- table[table$selector == "never", c("mean", "sd")]
    expect_true(all(is.na(numbers)))
    expect_false(any(vapply(numbers, function(v) any(is.nan(v)), NA)))
    expect_false(anyNA(table$mean[table$selector == "v"]))
  }
  expect_false(any(is.nan(curve$summary$n_used)))
  expect_output(print(curve), "never")
})

test_that("a selector that returns nonsense stops the curve", {
  data <- edge_data()
  bad <- list(
    unknown = function(x, y) "gene99",
    twice = function(x, y) c("gene1", "gene1"),
    bare = function(x, y) 1:20,
    nothing = function(x, y) NULL
  )
  for (name in names(bad)) {
    expect_refusal(edge_curve(data, bad[name], 1), "selectors")
  }
  expect_input_error(
    edge_curve(data, list(v = by_variance), 1, classifier = "own")
  )
})

test_that("warnings of selectors are gathered, not repeated", {
  data <- edge_data()
  noisy <- function(x, y) {
    warning("look here")
    by_variance(x, y)
  }
  warned <- capture_warnings(curve <- edge_curve(data, list(v = noisy), 1))
  expect_length(warned, 1L)
  expect_match(warned, "look here")
  expect_equal(nrow(curve$warnings), 10L)
})

test_that("user's classifiers: factor or scores, and refusals", {
  data <- edge_data(c(10, 10, 10))
  centroid <- function(x_train, y_train, x_test) {
    m <- vapply(levels(y_train), function(c) {
      colMeans(x_train[y_train == c, , drop = FALSE])
    }, numeric(ncol(x_train)))
    m <- matrix(m, ncol(x_train), dimnames = list(NULL, levels(y_train)))
    -apply(m, 2L, function(centre) colSums((t(x_test) - centre)^2))
  }
  curve <- edge_curve(data, list(v = by_variance), c(2, 20),
    classifier = centroid, metric = "auc"
  )
  expect_true(all(curve$results$value >= 0 & curve$results$value <= 1))
  expect_identical(colnames(curve$predictions$score), levels(data$y))
  as_class <- function(x_train, y_train, x_test) {
    score <- centroid(x_train, y_train, x_test)
    factor(colnames(score)[max.col(score, "first")], levels(y_train))
  }
  classes <- edge_curve(
    data, list(v = by_variance), c(2, 20), classifier = as_class
  )
  expect_identical(classes$predictions$predicted, curve$predictions$predicted)
  # No split is left: an error, where a split alone would be a warning.
  expect_error(
    edge_curve(
      data, list(v = by_variance), 2, classifier = function(a, b, c) 1
    ),
    "must return a factor",
    class = "hitmiss_error_failed"
  )
})

test_that("a metric of scores refuses labels, by name and at once", {
  data <- edge_data()
  calls <- 0
  labels_only <- function(x_train, y_train, x_test) {
    calls <<- calls + 1
    factor(rep(levels(y_train)[[1L]], nrow(x_test)), levels(y_train))
  }
  error <- expect_input_error(
    edge_curve(data, list(v = by_variance), c(2, 5),
      classifier = labels_only, metric = "auc"
    ),
    "metric = \"auc\".*`classifier` for \"v\" returns class labels only"
  )
  expect_identical(error$arg, "metric")
  # One split was tried.
  expect_lte(calls, 2)
  skip_if_not_installed("BiocParallel")
  expect_error(
    edge_curve(data, list(v = by_variance), 2,
      classifier = labels_only, metric = "auc",
      BPPARAM = BiocParallel::SerialParam()
    ),
    class = "hitmiss_error_scores"
  )
})

test_that("a fit of other samples and one list for all splits are found", {
  data <- edge_data()
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  for (selector in list(
    function(x, y) fit,
    function(...) relief(data$x, data$y, k = 3, threads = 1)
  )) {
    expect_error(
      edge_curve(data, list(made = selector), c(2, 5)),
      "was given 12 samples and returned a fit of 24",
      class = "hitmiss_error_selector"
    )
  }
  refused <- function(selector, what) {
    expect_input_error(edge_curve(data, list(made = selector), 2), what)
  }
  refused(function(x, y) {
    made <- relief(x, y, k = 1, threads = 1)
    made["scores"] <- list(NULL)
    made
  }, "not a complete fit")
  refused(
    function(x, y) structure(by_variance(x, y), class = "integer64"),
    "class <integer64>, which\\s+are not plain numbers"
  )
  before <- selected(fit, 10)
  expect_warning(
    edge_curve(data, list(before = function(x, y) before), c(2, 10)),
    "\"before\" chose the same features",
    class = "hitmiss_warning_equal_lists"
  )
  # All features in their order are no selection, and few may agree.
  expect_no_warning(edge_curve(data, list(all = function(x, y) colnames(x)),
    20))
  expect_no_warning(
    edge_curve(data, list(few = function(x, y) c("gene1", "gene2")), 2)
  )
})

test_that("what a classifier returns is compared with what it got", {
  data <- edge_data()
  rownames(data$x) <- sprintf("s%d", 1:24)
  run <- function(classifier, metric = "error") {
    edge_curve(data, list(v = by_variance), 5,
      classifier = classifier, metric = metric
    )
  }
  guess <- function(x_train, y_train, x_test) {
    score <- cbind(class1 = x_test[, 1], class2 = -x_test[, 1])
    rownames(score) <- rownames(x_test)
    score
  }
  plain <- run(guess)
  named <- function(...) {
    score <- guess(...)
    setNames(factor(colnames(score)[max.col(score, "first")]), rownames(score))
  }
  expect_identical(run(named)$values, plain$values)
  for (bad in list(
    function(...) rev(named(...)),
    function(...) guess(...)[12:1, ]
  )) {
    expect_error(
      run(bad), "in another order than the test samples",
      class = "hitmiss_error_classifier"
    )
  }
  for (metric in c("error", "auc")) {
    expect_error(
      run(function(...) replace(guess(...), 14, NaN), metric),
      "scores that are NaN; the first is that of class \"class2\" in row 2",
      class = "hitmiss_error_classifier"
    )
  }
})

test_that("LLFS works as it is: its own classifier, one size", {
  data <- edge_data(genes = 15)
  curve <- edge_curve(data, list(llfs = llfs), NULL, resampling = kfold(2))
  expect_identical(curve$sizes, 15)
  expect_identical(
    unname(curve$classifier), "the selector's own classifier"
  )
  few <- function(x, y) {
    withr::with_seed(1, llfs(x, y, alpha = 2, threads = 1))
  }
  curve <- edge_curve(data, list(llfs = few, v = by_variance), c(2, 5),
    resampling = kfold(2)
  )
  expect_identical(curve$values$llfs[, 1], curve$values$llfs[, 2])
  expect_identical(
    unname(curve$classifier),
    c("the selector's own classifier", "nearest neighbours")
  )
  split <- curve$splits[[1L]]
  fit <- few(data$x[split$train, ], data$y[split$train])
  guess <- predict(fit, data$x[split$test, ])
  expect_equal(curve$values$llfs[[1L]], mean(guess != data$y[split$test]))
  # With another classifier it is a ranking like others.
  ranked <- edge_curve(data, list(llfs = few), c(1, 5),
    classifier = "knn", resampling = kfold(2)
  )
  expect_identical(
    curve$features[ranked$selections$llfs[[1L]]],
    head(names(fit$scores)[fit$ranking], min(5, fit$n_ranked))
  )
})

test_that("random features are a baseline at every size", {
  data <- edge_data(genes = 200)
  curve <- edge_curve(data, list(v = by_variance), c(2, 50))
  expect_identical(curve$random$size, c(2, 50))
  at <- match("(random features)", curve$baseline$name)
  expect_equal(curve$baseline$mean[[at]], mean(curve$random$mean))
  again <- edge_curve(data, list(v = by_variance), c(2, 50))
  expect_identical(again$random, curve$random)
  expect_output(print(curve), "random features 0[.][0-9]+")
  expect_equal(glance(curve)$random_features, mean(curve$random$mean))
})

test_that("categories are taken as relief() takes them", {
  data <- edge_data()
  data$x <- data.frame(data$x, sex = factor(rep(c("f", "m"), 12)))
  near <- function(x, y) {
    expect_s3_class(x$sex, "factor")
    relief(x, y, k = 3, threads = 1)
  }
  curve <- edge_curve(data, list(near = near), c(2, 21))
  expect_false(anyNA(curve$results$value))
})

test_that("print says how many samples the models were fitted to", {
  curve <- edge_curve(edge_data(), list(v = by_variance), 5,
    resampling = kfold(5)
  )
  n <- paste(unique(range(curve$results$n_train)), collapse = " to ")
  expect_match(
    gsub(" +", " ", paste(capture.output(print(curve)), collapse = " ")),
    paste("models of", n, "of 24 samples \\(the fit on all errs less\\)")
  )
})

test_that("a classifier that is unknown is told that a function will do", {
  expect_input_error(
    edge_curve(
      edge_data(), list(v = by_variance), 2, classifier = "randomForest"
    ),
    "must be a function or.*function\\(x_train, y_train, x_test\\)"
  )
})

test_that("a curve whose every fit failed is an error with its first message", {
  data <- edge_data()
  never <- function(x, y) stop("not {today}")
  error <- expect_error(
    edge_curve(data, list(a = never, b = never), c(1, 5)), "not \\{today\\}",
    class = "hitmiss_error_failed"
  )
  expect_s3_class(error, "hitmiss_error")
  expect_match(conditionMessage(error), "all 20 fits failed.*first error: ")
  expect_no_match(conditionMessage(error), "BPPARAM")
})

test_that("objects missing on other processes: how to hand them over", {
  said <- "object 'thr' not found"
  words <- handing_over(said, elsewhere = TRUE)
  expect_match(words, "force(cutoff)", fixed = TRUE, all = FALSE)
  expect_null(handing_over(said, elsewhere = FALSE))
  expect_null(handing_over("no convergence", elsewhere = TRUE))
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  withr::local_envvar(
    R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
  )
  data <- edge_data()
  # As written at the prompt: its environment stays behind.
  bare <- function(x, y) abs(colMeans(x)) * not_sent_along
  environment(bare) <- globalenv()
  run <- function(selector) {
    edge_curve(data, list(a = selector), 2,
      resampling = holdout(2), BPPARAM = BiocParallel::SnowParam(2)
    )
  }
  expect_error(run(bare),
    "'not_sent_along' not found.*BPPARAM.*force\\(cutoff\\)",
    class = "hitmiss_error_failed"
  )
  make <- function(cutoff) {
    force(cutoff)
    function(x, y) abs(colMeans(x)) * cutoff
  }
  expect_false(anyNA(run(make(3))$results$value))
})

test_that("p-values as scores are warned of, turned round they are not", {
  data <- edge_data()
  p_values <- function(x, y) apply(x, 2L, function(v) t.test(v ~ y)$p.value)
  warned <- capture_warnings(edge_curve(data, list(t = p_values), 2))
  expect_match(warned, "look like p-values \\(\"p.value\"\\)", all = FALSE)
  for (good in list(
    function(x, y) -log10(apply(x, 2L, function(v) t.test(v ~ y)$p.value)),
    function(x, y) 1 - apply(x, 2L, function(v) t.test(v ~ y)$p.value)
  )) {
    expect_no_warning(edge_curve(data, list(t = good), 2))
  }
})

test_that("a fit in place of a selector is told apart", {
  data <- edge_data()
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  for (selectors in list(fit, list(relief = fit))) {
    expect_input_error(
      edge_curve(data, selectors, 2), "give the selector function"
    )
  }
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
      expect_silent(ggplot2::ggplotGrob(ggplot2::autoplot(curve, type)))
    }
  }
  # Test parts of a single sample have no AUC.
  one <- suppressWarnings(edge_curve(edge_data(c(20, 2)),
    list(v = by_variance), 2,
    resampling = holdout(4, 20, stratified = FALSE), metric = "auc"
  ))
  lost <- sum(is.na(one$results$value))
  expect_gt(lost, 0L)
  expect_output(print(one), sprintf("%d test parts? ha(s|ve) no AUC", lost))
})

test_that("bad arguments are refused by name", {
  data <- edge_data()
  curve <- function(...) error_curve(data$x, data$y, ...)
  v <- list(v = by_variance)
  expect_refusal(error_curve(), "x")
  expect_refusal(curve(), "selectors")
  expect_refusal(curve(list(by_variance), 1), "selectors")
  expect_refusal(curve(list(a = by_variance, a = by_variance), 1), "selectors")
  expect_refusal(curve(list(a = "relief"), 1), "selectors")
  expect_refusal(curve(v, 0), "sizes")
  expect_refusal(curve(v, c(1, 2.5)), "sizes")
  expect_refusal(curve(v, "all"), "sizes")
  expect_refusal(curve(v, 1, classifier = "tree"), "classifier")
  expect_refusal(curve(v, 1, classifier = list(w = "knn")), "classifier")
  expect_refusal(curve(v, 1, classifier = list("knn", "own")), "classifier")
  expect_refusal(curve(v, 1, resampling = 10), "resampling")
  expect_refusal(curve(v, 1, metric = "accuracy"), "metric")
  expect_refusal(curve(v, 1, classifier = "knn0"), "classifier")
  expect_refusal(curve(v, 1, nested = kfold(2), rule = "max"), "rule")
  expect_refusal(curve(v, 1, permuted = -1), "permuted")
  expect_refusal(curve(v, 1, scale = "rank"), "scale")
  expect_refusal(curve(v, 1, nested = 5), "nested")
  expect_refusal(curve(v, 1, keep = NA), "keep")
  skip_if_not_installed("BiocParallel")
  expect_refusal(curve(v, 1, BPPARAM = 2), "BPPARAM")
})

test_that("a selector's mistake stops the curve also when a worker made it", {
  skip_if_not_installed("BiocParallel")
  data <- edge_data()
  odd <- function(x, y) "no scores"
  backends <- list(NULL, BiocParallel::SerialParam())
  # Windows cannot fork the worker that makes the condition.
  if (.Platform$OS.type == "unix") {
    backends <- c(backends, BiocParallel::MulticoreParam(2))
  }
  for (backend in backends) {
    expect_error(
      edge_curve(data, list(odd = odd), 1:2, BPPARAM = backend),
      "\"no scores\"",
      class = "hitmiss_error_selector"
    )
  }
})

test_that("every classifier of a curve has its baseline of all features", {
  skip_if_not_installed("e1071")
  curve <- edge_curve(edge_data(), list(a = by_variance, b = by_variance),
    c(2, 5), classifier = list(a = "knn", "svm_linear")
  )
  expect_identical(curve$baseline$name[1:2], paste0(
    "(all features, ", c("nearest neighbours", "linear SVM"), ")"
  ))
})

test_that("whole numbers give the curve of the same numbers as doubles", {
  counts <- edge_data()
  counts$x <- round(10 * counts$x)
  whole <- counts
  storage.mode(whole$x) <- "integer"
  for (scale in c("zscore", "none")) {
    a <- edge_curve(counts, list(v = by_variance), c(1, 5), scale = scale)
    b <- edge_curve(whole, list(v = by_variance), c(1, 5), scale = scale)
    expect_identical(b$results, a$results)
  }
})

test_that("a single selector is named as it was written", {
  expect_identical(written_name(quote(relief)), "relief")
  expect_identical(written_name(quote(hitmiss::relief)), "relief")
  expect_identical(written_name(quote(mine$relief)), "relief")
  expect_identical(written_name(quote(tuned(relief, k = 3))), "tuned")
  expect_identical(written_name(quote(hitmiss::tuned(relief))), "tuned")
  expect_identical(written_name(quote(function(x, y) 1)), "selector")
  expect_identical(written_name(sum), "selector")
})
