# Ways that users take seldom and no other file of tests takes: coverage listed
# them.
# SPDX-License-Identifier: GPL-3.0-or-later

seldom <- withr::with_seed(1, simulate_microarray(c(12, 12), 20, relevant = 3))

seldom_curve <- function(selectors, sizes, data = seldom, ...) {
  withr::with_seed(2, error_curve(data$x, data$y, selectors, sizes, ...))
}

by_variance <- function(x, y) apply(x, 2L, var)

test_that("a tuned support vector machine takes the cost that is offered", {
  skip_if_not_installed("e1071")
  curve <- function(...) {
    seldom_curve(list(v = by_variance), c(2, 5), classifier = "svm_linear", ...)
  }
  one <- curve(tune = list(cost = 1))
  many <- curve(tune = list(cost = c(1, 1e-6)))
  # So small a cost predicts one class only: it never wins.
  expect_identical(many$tuned$cost, rep(1, 20L))
  expect_identical(many$results, one$results)
})

test_that("a selector's own classifier is judged by its area, too", {
  curve <- seldom_curve(list(logo = logo), 20, classifier = "own", metric = "auc")
  expect_true(all(curve$values$logo >= 0 & curve$values$logo <= 1))
  expect_gt(mean(curve$values$logo), 0.5)
})

test_that("every classifier of a curve has its baseline of all features", {
  skip_if_not_installed("e1071")
  curve <- seldom_curve(list(a = by_variance, b = by_variance), c(2, 5),
    classifier = list(a = "knn", "svm_linear")
  )
  expect_identical(curve$baseline$name[1:2], paste0(
    "(all features, ", c("nearest neighbours", "linear SVM"), ")"
  ))
})

test_that("whole numbers give the curve of the same numbers as doubles", {
  counts <- seldom
  counts$x <- round(10 * counts$x)
  whole <- counts
  storage.mode(whole$x) <- "integer"
  for (scale in c("zscore", "none")) {
    a <- seldom_curve(list(v = by_variance), c(1, 5), counts, scale = scale)
    b <- seldom_curve(list(v = by_variance), c(1, 5), whole, scale = scale)
    expect_identical(b$results, a$results)
  }
})

test_that("splits that are not stratified have the size asked for", {
  y <- factor(rep(c("a", "b"), c(20, 10)))
  halves <- withr::with_seed(1, draw_splits(y, holdout(5, 0.5, stratified = FALSE)))
  expect_identical(unique(lengths(lapply(halves, `[[`, "train"))), 15L)
  folds <- withr::with_seed(1, draw_splits(y, kfold(3, stratified = FALSE)))
  expect_setequal(unlist(lapply(folds, `[[`, "test")), seq_along(y))
})

test_that("a curve with a size chosen inside marks that size", {
  skip_if_not_installed("ggplot2")
  curve <- seldom_curve(list(v = by_variance), c(2, 5), nested = kfold(2))
  picture <- ggplot2::ggplot_build(plot(curve))
  expect_match(
    toString(picture$plot$scales$get_scales("shape")$get_labels()),
    "chosen inside each training part"
  )
})

test_that("the stability of a localized selection is that of its sets", {
  local <- function(x, y, size) llfs(x, y, alpha = size, threads = 1)
  curve <- seldom_curve(list(local = local), c(2, 5), classifier = "own")
  # Each sample's own features together: more than were asked of each.
  expect_true(all(stability(curve)$table$mean_k > c(2, 5)))
})

test_that("several alphas: the fit says which was taken how often", {
  fit <- llfs(seldom$x, seldom$y, alpha = c(2, 5), threads = 1)
  expect_output(print(fit), "alpha taken by representatives: 2 x ")
  expect_output(print(fit), "and 10 more features")
})

test_that("LLFS by pieces takes blocks", {
  skip_if_not_installed("BiocParallel")
  skip_if_not_installed("DelayedArray")
  x <- DelayedArray::DelayedArray(seldom$x)
  fit <- function(x, ...) {
    withr::with_seed(1, llfs(x, seldom$y, alpha = 2, threads = 1, ...))
  }
  expect_identical(
    essence(fit(x, BPPARAM = BiocParallel::SerialParam()))$scores,
    essence(fit(seldom$x))$scores
  )
})

test_that("a dense Matrix is read as the matrix", {
  dense <- Matrix::Matrix(seldom$x, sparse = FALSE)
  expect_identical(
    essence(relief(dense, seldom$y, threads = 1)),
    essence(relief(seldom$x, seldom$y, threads = 1))
  )
})

test_that("a fit keeps at most 64 MB of the features of largest score", {
  skip_on_cran()
  n_features <- 2^20 / 8 + 10
  x <- matrix(seq_len(64 * n_features) %% 1000 / 1000, 64)
  problem <- as_problem(x, rep(c("a", "b"), 32))
  score <- c(rep(0, 10), rep(1, n_features - 10))
  memory <- vote_memory(problem, rep(1, n_features), 1L, score)
  expect_identical(dim(memory$values), c(64L, as.integer(n_features - 10)))
  expect_identical(memory$values[, 1], x[, 11])
})

test_that("probe_fdr() by permuted labels says so, and keeps annotation", {
  skip_if_not_installed("Biobase")
  genes <- data.frame(symbol = paste0("S", 1:20), row.names = colnames(seldom$x))
  set <- Biobase::ExpressionSet(
    t(seldom$x),
    phenoData = Biobase::AnnotatedDataFrame(
      data.frame(class = seldom$y, row.names = rownames(seldom$x))
    ),
    featureData = Biobase::AnnotatedDataFrame(genes)
  )
  fdr <- withr::with_seed(1, probe_fdr(set, "class",
    function(x, y) relief(x, y, threads = 1),
    type = "permute", times = 5
  ))
  expect_output(print(fdr), "permuted labels")
  table <- as.data.frame(fdr)
  expect_identical(table$symbol, genes[table$feature, "symbol"])
})

test_that("a heatmap takes the features from a fit", {
  skip_if_not_installed("ggplot2")
  fit <- logo(seldom$x, seldom$y, threads = 1)
  expect_identical(
    plot_heatmap(seldom$x, seldom$y, fit)$data,
    plot_heatmap(seldom$x, seldom$y, selected(fit))$data
  )
})

test_that("LOGO from ones ends where LOGO from its own start does", {
  one <- logo(seldom$x, seldom$y, threads = 1, init = "one")
  own <- logo(seldom$x, seldom$y, threads = 1)
  expect_setequal(selected(one), selected(own))
})

test_that("a session without .Random.seed stays without", {
  withr::local_preserve_seed()
  stream <- withr::with_seed(1, .Random.seed)
  rm(".Random.seed", envir = globalenv())
  with_stream(stream, stats::runif(1))
  expect_false(exists(".Random.seed", globalenv(), inherits = FALSE))
})

test_that("a vote by squared differences knows samples that hardly moved", {
  fit <- relief(seldom$x, seldom$y, metric = "euclidean", threads = 1)
  new <- seldom$x[1:4, ] + 0.01
  expect_identical(predict(fit, new, threads = 1), seldom$y[1:4])
})

test_that("samples without names are called by their numbers", {
  skip_if_not_installed("ggplot2")
  fit <- llfs(unname(seldom$x), seldom$y, alpha = 2, threads = 1)
  picture <- plot(fit, type = "distances", representative = 3)
  expect_match(picture$labels$title, "representative 3 (", fixed = TRUE)
})

test_that("a sparse matrix is the same read in one block or in many", {
  skip_if_not_installed("DelayedArray")
  sparse <- Matrix::Matrix(round(abs(seldom$x)), sparse = TRUE)
  fit <- function() {
    relief(DelayedArray::DelayedArray(sparse), seldom$y, threads = 1)$scores
  }
  whole <- fit()
  old <- DelayedArray::getAutoBlockSize()
  withr::defer(suppressMessages(DelayedArray::setAutoBlockSize(old)))
  suppressMessages(DelayedArray::setAutoBlockSize(1000))
  expect_identical(fit(), whole)
})

test_that("stability() prints nine rows and says where the others are", {
  curve <- seldom_curve(list(v = by_variance), 1:15)
  expect_output(print(stability(curve)), "more rows: as.data.frame\\(\\)")
})

test_that("I-Relief without a feature of positive margin says that it stalled", {
  # The other sample of the class is always the farthest.
  x <- cbind(g1 = c(0, 10, 1, 11), g2 = c(0, 20, 2.1, 22))
  expect_warning(
    fit <- relief(x, c("a", "a", "b", "b"), method = "irelief", threads = 1),
    "stalled.*No feature has a positive margin",
    class = "hitmiss_warning_unconverged"
  )
  expect_identical(fit$report$status, "stalled")
  expect_identical(unname(fit$scores), c(0, 0))
})
