# Every container gives the fit and the predictions of the matrix in it.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_without <- function(...) {
  for (package in c(...)) skip_if_not_installed(package)
}

container_selectors <- list(
  relieff = function(x, y, ...) relief(x, y, k = 3, ..., threads = 2),
  parzen = function(x, y, ...) {
    relief(x, y, method = "parzen", bandwidth = 0.1, ..., threads = 2)
  },
  irelief = function(x, y, ...) {
    relief(x, y, method = "irelief", ..., threads = 2)
  },
  logo = function(x, y, ...) logo(x, y, lambda = 0.2, ..., threads = 2),
  kbfs = function(x, y, ...) kbfs(x, y, n = 8, ..., threads = 2),
  pwfp = function(x, y, ...) pwfp(x, y, ..., threads = 2),
  llfs = function(x, y, ...) llfs(x, y, alpha = 3, ..., threads = 2)
)

# 24 samples of 60 features; a third of them counts with many zeros.
container_data <- function() {
  withr::with_seed(5, {
    y <- factor(rep(c("case", "control", "other"), 8))
    x <- matrix(abs(rnorm(24 * 60)), 24) + outer(as.integer(y), 1:60 <= 6)
    x[, 41:60] <- rpois(24 * 20, 0.3)
  })
  dimnames(x) <- list(paste0("patient-", 1:24), paste0(1:60, "_at/x"))
  list(x = x, y = y)
}

as_experiment <- function(values, data) {
  SummarizedExperiment::SummarizedExperiment(
    list(first = values),
    colData = S4Vectors::DataFrame(group = data$y),
    rowData = S4Vectors::DataFrame(symbol = paste0("G", 1:60))
  )
}

containers <- function(data, dir) {
  wide <- t(data$x)
  on_disk <- HDF5Array::writeHDF5Array(wide, file.path(dir, "x.h5"), "x",
    chunkdim = c(7, 5)
  )
  dimnames(on_disk) <- dimnames(wide)
  logged <- on_disk
  list(
    data.frame = data.frame(data$x, check.names = FALSE),
    dgCMatrix = Matrix::Matrix(data$x, sparse = TRUE),
    RsparseMatrix = methods::as(
      Matrix::Matrix(data$x, sparse = TRUE), "RsparseMatrix"
    ),
    DataFrame = S4Vectors::DataFrame(data$x, check.names = FALSE),
    DelayedMatrix = t(on_disk),
    ExpressionSet = Biobase::ExpressionSet(wide,
      phenoData = Biobase::AnnotatedDataFrame(
        data.frame(group = data$y, row.names = colnames(wide))
      )
    ),
    `SE, matrix` = as_experiment(wide, data),
    `SE, sparse` = as_experiment(Matrix::Matrix(wide, sparse = TRUE), data),
    `SE, delayed sparse` = as_experiment(
      DelayedArray::DelayedArray(Matrix::Matrix(wide, sparse = TRUE)), data
    ),
    `SE, HDF5` = as_experiment(on_disk, data)
  )
}

same_fit <- function(fit, expected, tolerance = 0) {
  if (tolerance == 0) {
    expect_identical(fit$scores, expected$scores)
  } else {
    expect_equal(fit$scores, expected$scores, tolerance = tolerance)
  }
  expect_identical(fit$ranking, expected$ranking)
  expect_identical(fit$selected, expected$selected)
  expect_identical(fit$classes, expected$classes)
}

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
    for (kind in names(each)) {
      whole <- each[[kind]]
      part <- function(i) if (kind %in% by_rows) whole[i, ] else whole[, i]
      y <- if (kind %in% by_rows) train$y else "group"
      label <- paste(method, kind)
      fit <- withr::with_seed(1, select(part(1:18), y))
      expect_identical(fit$scores, expected$scores, label = label)
      expect_identical(fit$selected, expected$selected, label = label)
      expect_identical(predict(fit, part(19:24)), classes, label = label)
      expect_identical(
        predict(fit, part(19:24), type = "features"),
        predict(expected, data$x[19:24, ], type = "features"),
        label = label
      )
      # Any container predicts for any other.
      expect_identical(predict(expected, part(19:24)), classes, label = label)
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
    expect_identical(fit$assay, assay)
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
  expect_identical(curve$assay, "turned")
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
    same_fit(fit, expected)
    expect_identical(predict(fit, container), predict(expected, data$x))
  }
  fit <- relief(arrays, data$y, k = 3, threads = 1)
  expect_identical(top_features(fit, 1)$symbol, paste0("G", fit$ranking[[1L]]))
  expect_refusal(relief(arrays, "grade"), "y")
  expect_refusal(relief(arrays, "Group"), "y")
  expect_refusal(relief(arrays, "group", assay = 1), "assay")
  expect_refusal(relief(list_of(R = 1), "group"), "x")
  expect_refusal(relief(list_of(E = t(data$x)), "group"), "y")
})

test_that("labels that a container does not have are asked for by name", {
  skip_without("Biobase")
  data <- container_data()
  set <- Biobase::ExpressionSet(t(data$x))
  expect_refusal(relief(set, "group"), "y")
  expect_refusal(relief(group ~ ., data = set), "data")
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
  expect_refusal(relief(se), "y")
  expect_refusal(relief(data$x, data$y, assay = 2), "assay")
  unnamed <- se
  rownames(unnamed) <- rep("a", 60)
  expect_refusal(relief(unnamed, "group"), "x")
  values <- t(data$x)
  values[3, 4] <- NA
  expect_refusal(relief(as_experiment(values, data), "group"), "x",
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
  skip_without(
    "SummarizedExperiment", "Biobase", "SingleCellExperiment", "limma"
  )
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
    SummarizedExperiment::SummarizedExperiment(
      list(a = DelayedArray::DelayedArray(wide)), colData = columns
    ),
    SingleCellExperiment::SingleCellExperiment(
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

test_that("a MultiAssayExperiment is refused with advice", {
  many <- structure(list(), class = "MultiAssayExperiment")
  expect_refusal(logo(many, "group"), "x")
  data <- container_data()
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  expect_refusal(predict(fit, many), "newdata")
})

test_that("blocks through a scratch file give the fit of the matrix", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  # Rows in any order, delayed operations, both orientations.
  turned <- se[c(60:31, 1:30), ]
  SummarizedExperiment::assay(turned) <- SummarizedExperiment::assay(turned) * 2
  withr::local_options(hitmiss.realise_memory = 0)
  for (method in names(container_selectors)) {
    select <- container_selectors[[method]]
    expected <- withr::with_seed(1, select(data$x, data$y))
    for (block in c(8 * 24 * 7, 2^25)) {
      withr::local_options(hitmiss.block_memory = block)
      fit <- withr::with_seed(1, select(se, "group"))
      expect_identical(fit$scores, expected$scores, label = method)
      expect_identical(fit$training, expected$training, label = method)
      expect_identical(predict(fit, se), predict(expected, data$x))
      expect_identical(fit$report$passes[["source"]], 1)
      expect_gte(fit$report$passes[["scratch"]], 1)
      expect_identical(
        withr::with_seed(1, select(
          t(SummarizedExperiment::assay(se)), data$y
        ))$scores, fit$scores
      )
    }
    x <- data$x[, c(60:31, 1:30)] * 2
    expect_identical(
      withr::with_seed(1, select(turned, "group"))$scores,
      withr::with_seed(1, select(x, data$y))$scores,
      label = method
    )
  }
  expect_length(list.files(tempdir(), "^hitmiss-"), 0L)
})

test_that("a file stored by samples is read by samples, once", {
  withr::local_seed(1)
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  file <- file.path(withr::local_tempdir(), "columns.h5")
  on_disk <- HDF5Array::writeHDF5Array(
    t(data$x), file, "x", chunkdim = c(60, 2)
  )
  se <- as_experiment(on_disk, data)
  rownames(se) <- colnames(data$x)
  withr::local_options(
    hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * 60 * 3
  )
  expect_true(stored_by_sample(on_disk, "rows"))
  expect_false(stored_by_sample(t(on_disk), "rows"))
  for (part in list(se, se[60:1, ])) {
    fit <- relief(part, "group", k = 3, threads = 2)
    expected <- relief(data$x[, rownames(part)], data$y, k = 3, threads = 1)
    expect_identical(fit$scores, expected$scores)
    expect_identical(fit$report$passes[["source"]], 1)
    turned <- relief(
      t(SummarizedExperiment::assay(part)), data$y,
      k = 3, threads = 1
    )
    expect_identical(turned$scores, expected$scores)
  }
  values <- t(data$x)
  values[58, 7] <- Inf
  on_disk <- HDF5Array::writeHDF5Array(values, file, "y", chunkdim = c(60, 2))
  se <- as_experiment(on_disk, data)
  expect_refusal(relief(se, "group", k = 3), "x", row = 58L, column = 7L)
})

test_that("a method's scratch file lies where the data do, if there is room", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  withr::local_options(hitmiss.realise_memory = 0)
  problem <- as_problem(se, "group")
  expect_match(own_scratch(problem, 1000), "hitmiss-", fixed = TRUE)
  expect_message(
    path <- own_scratch(problem, 1e18),
    class = "hitmiss_message_scratch"
  )
  expect_null(path)
  expect_null(own_scratch(as_problem(data$x, data$y), 1000))
  # The graph of semi-BFS holds the data anyway.
  select <- function(x, y) {
    kbfs(x, y, n = 8, manifold = 1, threads = 2)
  }
  expect_identical(select(se, "group")$scores, select(data$x, data$y)$scores)
})

# A delayed matrix whose reader fails from some row on.
breaking_matrix <- function(values, from) {
  methods::setClass("BreakingSeed",
    methods::representation(values = "matrix", from = "numeric"),
    where = globalenv()
  )
  methods::setMethod("dim", "BreakingSeed", function(x) dim(x@values),
    where = globalenv()
  )
  methods::setMethod(
    DelayedArray::extract_array, "BreakingSeed", function(x, index) {
      if (any(index[[1L]] >= x@from)) stop("disk on fire")
      DelayedArray::extract_array(x@values, index)
    }, where = globalenv()
  )
  withr::defer(
    methods::removeClass("BreakingSeed", where = globalenv()), parent.frame()
  )
  DelayedArray::DelayedArray(
    methods::new("BreakingSeed", values = unname(values), from = from)
  )
}

test_that("what goes wrong while blocks are read leaves a usable session", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  withr::local_options(hitmiss.realise_memory = 0)
  dir <- withr::local_tempdir()
  values <- t(data$x)
  values[58, 7] <- NA
  on_disk <- HDF5Array::writeHDF5Array(values, file.path(dir, "na.h5"), "x")
  se <- as_experiment(on_disk, data)
  dimnames(se) <- dimnames(values)
  se_fine <- containers(data, dir)[["SE, HDF5"]]
  expected <- relief(data$x, data$y, k = 3, threads = 2)$scores
  expect_refusal(
    relief(se, "group", k = 3, threads = 2), "x", row = 58L, column = 7L
  )
  expect_refusal(relief(se[60:1, ], "group", k = 3, threads = 2), "x",
    row = 3L, column = 7L
  )
  # Turned before it goes: newer versions of DelayedArray look for the file.
  gone <- HDF5Array::writeHDF5Array(t(data$x), file.path(dir, "gone.h5"), "x")
  gone <- t(gone)
  unlink(file.path(dir, "gone.h5"))
  expect_error(relief(gone, data$y), class = "hitmiss_error_read")
  # A reader that breaks in the middle, while another thread uses the blocks.
  withr::local_options(hitmiss.block_memory = 8 * 24 * 5)
  broken <- breaking_matrix(t(data$x), 41)
  for (repeats in some_of(1:20)) {
    error <- expect_error(
      relief(t(broken), data$y, k = 3, threads = 2),
      class = "hitmiss_error_read"
    )
    expect_match(conditionMessage(error), "block 9 of 12 .*disk on fire")
  }
  new <- t(broken)
  dimnames(new) <- list(NULL, colnames(data$x))
  error <- expect_error(
    predict(relief(data$x, data$y, k = 3, threads = 1), new),
    class = "hitmiss_error_read"
  )
  expect_match(conditionMessage(error), "newdata.*disk on fire")
  expect_length(list.files(tempdir(), "^hitmiss-"), 0L)
  expect_identical(
    relief(se_fine, "group", k = 3, threads = 2)$scores, expected
  )
})

test_that("interrupts while blocks are read leave a session that works", {
  withr::local_seed(1)
  # R leaves its code, and any allocation that collects garbage, by a jump,
  # which must not pass over the frames of a parallel loop.
  skip_without("SummarizedExperiment", "HDF5Array")
  skip_if_not_installed("callr")
  skip_on_cran()
  skip_on_os("windows")
  session <- callr::r_session$new(
    callr::r_session_options(libpath = .libPaths())
  )
  withr::defer(session$close())
  session$run(function() {
    y <- factor(rep(c("a", "b"), 20))
    x <- matrix(stats::rnorm(40 * 60000), 40)
    values <- HDF5Array::writeHDF5Array(
      t(x), tempfile(fileext = ".h5"), "x",
      chunkdim = c(100, 40)
    )
    options(hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * 40 * 4096)
    scores <- function(x) hitmiss::relief(x, y, k = 3, threads = 2)$scores
    list2env(list(
      whole = t(values), few = t(values[1:3000, ]), scores = scores,
      expected = scores(x[, 1:3000])
    ), globalenv())
    NULL
  })
  for (wait in some_of(c(0.2, 0.4, 0.1, 0.3, 0.5))) {
    session$call(function() {
      repeat scores(whole)
    })
    Sys.sleep(wait)
    # Under load it may come before the fit: any moment will do.
    expect_true(interrupt_call(session)$heard)
    after <- session$run(function() {
      list(
        same = identical(scores(few), expected),
        left = length(list.files(tempdir(), "^hitmiss-"))
      )
    })
    expect_identical(after, list(same = TRUE, left = 0L))
  }
})

test_that("without a place for the scratch file data are read into memory", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  expected <- relief(data$x, data$y, k = 3, threads = 1)
  withr::local_options(hitmiss.realise_memory = 0)
  # A directory in memory is no place for what does not fit there.
  skip_if_not(cpp_scratch_obstacle("/dev/shm", 1) != "")
  withr::local_options(hitmiss.scratch_dir = "/dev/shm")
  expect_message(
    fit <- relief(se, "group", k = 3, threads = 1),
    class = "hitmiss_message_scratch"
  )
  expect_identical(fit$scores, expected$scores)
  withr::local_options(hitmiss.max_memory = 1000)
  expect_refusal(relief(se, "group"), "x")
  withr::local_options(hitmiss.scratch_dir = "/nowhere")
  expect_refusal(relief(se, "group"), "options(hitmiss.scratch_dir)")
})
