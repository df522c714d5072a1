# Every container gives the fit and the predictions of the matrix in it.
# SPDX-License-Identifier: GPL-3.0-or-later

core <- asNamespace("hitmiss")

toy <- withr::with_seed(4, simulate_localized(noise = 10))

# What a selector gets of a container is a matrix, a sparse one, or blocks, for
# all the same; how it is opened, one global selector and llfs() show.
test_that("every container gives the scores and predictions of the matrix", {
  skip_without("Biobase", "SummarizedExperiment", "HDF5Array", "Matrix")
  data <- container_data()
  train <- list(x = data$x[1:18, ], y = data$y[1:18])
  each <- containers(data, withr::local_tempdir())
  by_rows <- c(
    "data.frame", "dgCMatrix", "RsparseMatrix", "DataFrame", "DelayedMatrix"
  )
  for (method in names(container_selectors)) {
    select <- container_selectors[[method]]
    expected <- withr::with_seed(1, select(train$x, train$y))
    classes <- predict(expected, data$x[19:24, ])
    every <- method %in% c("relieff", "llfs") || all_problems()
    for (kind in if (every) names(each) else c("dgCMatrix", "SE, HDF5")) {
      whole <- each[[kind]]
      part <- function(i) if (kind %in% by_rows) whole[i, ] else whole[, i]
      y <- if (kind %in% by_rows) train$y else "group"
      label <- paste(method, kind)
      fit <- withr::with_seed(1, select(part(1:18), y))
      expect_identical(fit$scores, expected$scores, label = label)
      expect_identical(fit$selected, expected$selected, label = label)
      # Any container predicts for any other.
      expect_identical(predict(fit, part(19:24)), classes, label = label)
      expect_identical(predict(expected, part(19:24)), classes, label = label)
      expect_identical(
        predict(fit, part(19:24), type = "features"),
        predict(expected, data$x[19:24, ], type = "features"),
        label = label
      )
    }
  }
})

test_that("large sparse matrices give the matrix's fit, but for rounding", {
  skip_without("Matrix")
  data <- withr::with_seed(6, {
    y <- factor(rep(c("a", "b"), 200))
    x <- matrix(rpois(400 * 1800, 0.1), 400)
    x[y == "b", 1:20] <- x[y == "b", 1:20] + rpois(200 * 20, 1)
    colnames(x) <- paste0("word", 1:1800)
    list(x = x, y = y)
  })
  sparse <- Matrix::Matrix(data$x, sparse = TRUE)
  for (select in list(
    function(x, y) relief(x, y, threads = 2),
    function(x, y) relief(x, y, method = "irelief", threads = 2),
    function(x, y) logo(x, y, sigma = 20, threads = 2)
  )) {
    fit <- select(sparse, data$y)
    expected <- select(data$x, data$y)
    # Sums over nonzero values alone are rounded in another way.
    expect_equal(fit$scores, expected$scores, tolerance = 1e-10)
    expect_identical(fit$selected, expected$selected)
  }
  # These have no sparse sums.
  for (select in list(
    function(x, y) kbfs(x, y, n = 20, threads = 2),
    function(x, y) pwfp(x[1:60, ], y[1:60], threads = 2)
  )) {
    expect_identical(
      select(sparse, data$y)$scores, select(data$x, data$y)$scores
    )
  }
})

test_that("a dense Matrix is read as the matrix", {
  toy <- small_array()
  dense <- Matrix::Matrix(toy$x, sparse = FALSE)
  expect_identical(
    essence(relief(dense, toy$y, threads = 1)),
    essence(relief(toy$x, toy$y, threads = 1))
  )
})

test_that("a sparse matrix is the same read in one block or in many", {
  skip_if_not_installed("DelayedArray")
  toy <- small_array()
  sparse <- Matrix::Matrix(round(abs(toy$x)), sparse = TRUE)
  for (features_in in c("columns", "rows")) {
    stored <- if (features_in == "rows") Matrix::t(sparse) else sparse
    delayed <- DelayedArray::DelayedArray(stored)
    expect_length(feature_grid(delayed, features_in), 1L)
    whole <- realise_sparse(delayed, features_in)
    withr::with_options(list(hitmiss.block_memory = 1000), {
      expect_gt(length(feature_grid(delayed, features_in)), 1L)
      expect_identical(realise_sparse(delayed, features_in), whole)
    })
    expect_equal(as.matrix(whole), as.matrix(sparse), ignore_attr = TRUE)
  }
})

test_that("delayed operations are carried out", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  SummarizedExperiment::assay(se, "scaled") <-
    log2(SummarizedExperiment::assay(se, "first") + 1) / 3
  x <- log2(data$x + 1) / 3
  expected <- relief(x, data$y, k = 3, threads = 1)
  for (assay in list("scaled", 2L)) {
    fit <- relief(se, "group", k = 3, assay = assay, threads = 1)
    expect_equal(fit$scores, expected$scores, tolerance = 1e-12)
    expect_identical(unname(fit$assay), assay)
    # The assay that was fitted is the one that predictions use.
    expect_equal(
      predict(fit, se, type = "features"),
      predict(expected, x, type = "features")
    )
    expect_identical(predict(fit, se), predict(expected, x))
  }
  expect_refusal(relief(se, "group", assay = "logcounts"), "assay")
  expect_refusal(relief(se, "group", assay = 3), "assay")
})

test_that("what draws or evaluates takes the assay, or that of the fit", {
  skip_without("SummarizedExperiment", "ggplot2")
  data <- container_data()
  se <- as_experiment(t(data$x), data)
  second <- data$x[, 60:1]
  dimnames(second) <- dimnames(data$x)
  SummarizedExperiment::assay(se, "turned", withDimnames = FALSE) <- t(second)
  dimnames(se) <- rev(dimnames(data$x))
  y <- data$y
  select <- function(x, y) relief(x, y, k = 3, threads = 1)
  seeded <- function(expr) withr::with_seed(1, expr)
  same <- function(from_container, plain) {
    for (part in c("call", "assay", "seconds")) {
      from_container[[part]] <- plain[[part]] <- NULL
    }
    expect_equal(from_container, plain)
  }
  curve_of <- function(x, y, ...) {
    seeded(error_curve(x, y, select, c(2, 5), resampling = holdout(2), ...))
  }
  curve <- curve_of(se, "group", assay = "turned")
  expected <- curve_of(second, y)
  same(curve, expected)
  expect_identical(curve$assay, c(turned = "turned"))
  same(
    bayes_error(se, "group", 1:2, assay = "turned"),
    bayes_error(second, y, 1:2)
  )
  expect_equal(
    reference_scores(se, "group", assay = 2), reference_scores(second, y)
  )
  fdr <- function(...) seeded(probe_fdr(..., selector = select, times = 2))
  expect_equal(fdr(se, "group", assay = 2)$table$q, fdr(second, y)$table$q)
  drawn <- function(picture) lapply(picture$data, as.vector)
  fit <- relief(se, "group", k = 3, assay = 2, threads = 1)
  best <- top_features(fit, 5)$feature
  expect_equal(
    drawn(plot_heatmap(se, "group", fit, n = 5)),
    drawn(plot_heatmap(second, y, fit, n = 5))
  )
  expect_equal(
    drawn(plot_heatmap(se, "group", fit, n = 5, assay = 1)),
    drawn(plot_heatmap(data$x, y, fit, n = 5))
  )
  expect_refusal(plot_heatmap(se, "group", best, assay = "third"), "assay")
})

test_that("an EList of limma and a SingleCellExperiment are read", {
  skip_without("limma", "SingleCellExperiment")
  data <- container_data()
  expected <- relief(data$x, data$y, k = 3, threads = 1)
  list_of <- function(...) {
    methods::new(
      methods::getClass("EList", where = asNamespace("limma")), list(...)
    )
  }
  arrays <- list_of(
    E = t(data$x), targets = data.frame(group = data$y),
    genes = data.frame(symbol = paste0("G", 1:60))
  )
  cells <- SingleCellExperiment::SingleCellExperiment(
    list(counts = t(data$x)),
    colData = S4Vectors::DataFrame(group = data$y)
  )
  for (container in list(arrays, cells)) {
    fit <- relief(container, "group", k = 3, threads = 1)
    for (part in c("scores", "ranking", "selected", "classes")) {
      expect_identical(fit[[part]], expected[[part]])
    }
    expect_identical(predict(fit, container), predict(expected, data$x))
  }
  fit <- relief(arrays, data$y, k = 3, threads = 1)
  expect_identical(top_features(fit, 1)$symbol, paste0("G", fit$ranking[[1L]]))
  expect_refusal(relief(arrays, "Group"), "y")
  expect_refusal(relief(list_of(R = 1), data$y), "x")
  expect_refusal(relief(list_of(E = t(data$x)), "group"), "y")
})

test_that("annotation reaches the tables, whatever its column names", {
  skip_without("Biobase", "SummarizedExperiment")
  data <- container_data()
  se <- as_experiment(t(data$x), data)
  rows <- SummarizedExperiment::rowData(se)
  rows$score <- 60:1
  rows$nested <- as.list(1:60)
  SummarizedExperiment::rowData(se) <- rows
  expect_message(
    fit <- relief(se, "group", k = 3, threads = 1),
    class = "hitmiss_message_annotation"
  )
  table <- top_features(fit, 5)
  at <- match(table$feature, colnames(data$x))
  expect_identical(table$symbol, paste0("G", at))
  expect_identical(table$score.1, (60:1)[at])
  expect_identical(table$score, unname(fit$scores[at]))
  expect_null(table$nested)

  set <- Biobase::ExpressionSet(
    t(data$x), featureData = Biobase::AnnotatedDataFrame(
      data.frame(symbol = paste0("G", 1:60), row.names = colnames(data$x))
    )
  )
  fit <- logo(set, data$y, lambda = 0.2, threads = 1)
  expect_identical(top_features(fit, 5)$symbol, paste0("G", match(
    top_features(fit, 5)$feature, colnames(data$x)
  )))
})

test_that("mistakes with containers are refused", {
  skip_without("SummarizedExperiment")
  data <- container_data()
  se <- as_experiment(t(data$x), data)
  expect_refusal(relief(se, "grade"), "y")
  expect_refusal(relief(se, rep(data$y, length.out = 60)), "x")
  expect_refusal(relief(data$x, data$y, assay = 2), "assay")
  unnamed <- se
  rownames(unnamed) <- rep("a", 60)
  expect_refusal(relief(unnamed, "group"), "x")
  values <- t(data$x)
  values[3, 4] <- NA
  expect_refusal(logo(as_experiment(values, data), "group"), "x",
    row = 3L, column = 4L
  )
  sparse <- Matrix::Matrix(data$x, sparse = TRUE)
  sparse[5, 2] <- Inf
  expect_refusal(relief(sparse, data$y), "x", row = 5L, column = 2L)
  expect_refusal(
    relief(as_experiment(Matrix::t(sparse), data), "group"), "x",
    row = 2L, column = 5L
  )
})

test_that("two columns of the label's name are refused, as in a formula", {
  skip_without("SummarizedExperiment", "Biobase", "limma")
  data <- container_data()
  wide <- t(data$x)
  twice <- data.frame(data$y, rev(data$y), seq_along(data$y))
  names(twice) <- c("group", "group", "age")
  columns <- S4Vectors::DataFrame(twice, check.names = FALSE)
  # Biobase makes none, but takes an old file that has one.
  array <- Biobase::ExpressionSet(wide, phenoData = Biobase::AnnotatedDataFrame(
    data.frame(twice, row.names = colnames(wide))
  ))
  names(array@phenoData@data) <- names(twice)
  for (x in list(
    SummarizedExperiment::SummarizedExperiment(
      list(a = wide), colData = columns
    ),
    array,
    methods::new(methods::getClass("EList", where = asNamespace("limma")), list(
      E = wide, targets = twice
    ))
  )) {
    expect_refusal(relief(x, "group"), "y")
    # Another column, and labels given as they are, are no matter of doubt.
    fit <- relief(x, data$y, k = 3, threads = 1)
    expect_identical(
      fit$ranking, relief(data$x, data$y, k = 3, threads = 1)$ranking
    )
  }
  expect_refusal(error_curve(x, "group", relief, 5), "y")
  expect_refusal(probe_fdr(x, "group", relief), "y")
  frame <- data.frame(twice, data$x, check.names = FALSE)
  expect_refusal(relief(group ~ ., frame), "data")
})

test_that("containers without labels, features or assay are refused", {
  skip_if_not_installed("SummarizedExperiment")
  skip_if_not_installed("Biobase")
  experiment <- function(assays, ...) {
    SummarizedExperiment::SummarizedExperiment(assays, ...)
  }
  set <- Biobase::ExpressionSet(t(toy$x))
  refused(relief(set), "`y`.* missing")
  expect_refusal(relief(set, "group"), "y")
  expect_refusal(relief(group ~ ., data = set), "data")
  refused(relief(experiment(t(toy$x))), "`y`.* missing")
  refused(relief(DelayedArray::DelayedArray(toy$x)), "`y`.* missing")
  refused(relief(S4Vectors::DataFrame(toy$x)), "`y`.* missing")
  refused(relief(experiment(t(toy$x)[0L, ]), toy$y), "and 0 features")
  refused(
    relief(experiment(list(), colData = S4Vectors::DataFrame(y = toy$y)), "y"),
    "`x` has no assay"
  )
  layers <- array(0, c(5L, length(toy$y), 2L))
  refused(relief(experiment(list(layers)), toy$y), "must hold a numeric matrix")
  text <- DelayedArray::DelayedArray(matrix("a", 3, length(toy$y)))
  refused(relief(experiment(text), toy$y), "not values of type <?character")
})

test_that("a container is read whatever holds its numbers and annotation", {
  skip_if_not_installed("SummarizedExperiment")
  plain <- relief(toy$x, toy$y, threads = 1)
  values <- t(toy$x)
  dimnames(values) <- list(colnames(toy$x), NULL)
  annotation <- S4Vectors::DataFrame(
    kind = S4Vectors::Rle(rep("gene", ncol(toy$x)))
  )
  # An assay without a name.
  se <- SummarizedExperiment::SummarizedExperiment(
    list(values),
    rowData = annotation
  )
  fit <- relief(se, toy$y, threads = 1)
  expect_identical(fit$scores, plain$scores)
  expect_identical(unique(top_features(fit)$kind), "gene")
})

test_that("a container's package that is not installed is named", {
  error <- tryCatch(
    core$require_container_package("noSuchPackage", toy),
    error = identity
  )
  expect_s3_class(error, "hitmiss_error_package")
  expect_match(conditionMessage(error), "noSuchPackage")
  expect_match(conditionMessage(error), "BiocManager::install")
})

test_that("a DGEList made by hand is taken, and one that is wrong refused", {
  skip_if_not_installed("edgeR")
  y <- rep(c("u", "v"), 5)
  list <- edgeR::DGEList(withr::with_seed(1, matrix(rpois(80, 50), 8)))
  scores <- function(list) relief(list, y, k = 2, threads = 1)$scores
  for (column in c("lib.size", "norm.factors")) {
    bare <- list
    bare$samples[[column]] <- NULL
    expect_identical(scores(bare), scores(list))
  }
  bare <- list
  bare$samples <- NULL
  expect_identical(scores(bare), scores(list))
  fit <- relief(list, y, k = 2, threads = 1)
  refused <- function(bad, words) {
    for (call in expression(relief(bad, y), predict(fit, bad))) {
      error <- tryCatch(eval(call), error = identity)
      expect_s3_class(error, "hitmiss_error_input")
      expect_match(conditionMessage(error), words)
    }
  }
  for (size in list(0, -1, NA, Inf, "a")) {
    bad <- list
    bad$samples$lib.size[2] <- size
    refused(bad, "`lib.size` times `norm.factors`")
  }
  for (count in c(NA, -1, Inf)) {
    bad <- list
    bad$counts[3] <- count
    refused(bad, "counts` must have no")
  }
})
