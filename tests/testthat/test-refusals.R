# Refusals that no other file of tests comes by: coverage listed them.
# SPDX-License-Identifier: GPL-3.0-or-later

core <- asNamespace("hitmiss")
toy <- withr::with_seed(4, simulate_localized(noise = 10))
small <- withr::with_seed(4,
  simulate_microarray(samples = c(10, 10), genes = 30)
)

refused <- function(call, what, class = "hitmiss_error_input") {
  expect_error(call, what, class = class)
}

test_that("arguments that are missing are named", {
  skip_if_not_installed("ggplot2")
  refused(relief(Matrix::Matrix(toy$x, sparse = TRUE)), "`y`.* missing")
  refused(relief(as.data.frame(toy$x)), "`y`.* missing")
  refused(best_size(), "`curve`.* missing")
  refused(compare_selectors(), "`curve`.* missing")
  refused(plot_heatmap(toy$x, toy$y), "`features`.* missing")
  refused(selected(), "`x`.* missing")
  refused(plot_heatmap(y = toy$y, features = "x1"), "`x`.* missing")
  refused(relief(y = toy$y), "`x`.* missing")
  refused(probe_fdr(y = toy$y), "`x`.* missing")
  refused(audit_labels(), "`fit`.* missing")
  refused(interactions(), "`fit`.* missing")
  fit <- relief(toy$x, toy$y, threads = 1)
  refused(interactions(fit), "`x`.* missing")
  refused(turf(y = toy$y), "`x`.* missing")
  refused(tuned(relief, k = 1:2)(y = toy$y), "`x`.* missing")
  skip_if_not_installed("limma")
  arrays <- methods::new(
    methods::getClass("EList", where = asNamespace("limma")), list(E = t(toy$x))
  )
  refused(relief(arrays), "`y`.* missing")
})

test_that("what frameworks hand over is refused by name", {
  skip_if_not_installed("recipes")
  recipe <- recipes::recipe(class ~ ., data.frame(toy$x, class = toy$y))
  step <- function(...) {
    step_select_hitmiss(recipe, recipes::all_predictors(), top_p = 2, ...)
  }
  refused(step_select_hitmiss(), "`recipe`.* missing")
  refused(step(id = 1:2), "`id` must be a single string")
  refused(step(role = 1), "`role` must be a single string")
})

test_that("a pair needs two features", {
  one <- toy$x[, 1:2]
  one[, 2] <- 1
  fit <- relief(one, toy$y, threads = 1)
  refused(interactions(fit, one, toy$y), "a pair needs")
})

test_that("the core refuses lengths that do not match", {
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  expect_error(core$cpp_scaled(toy$x, 1, 1), "columns, but the scaling has 1")
  expect_error(
    core$cpp_rank_products(toy$x, 1, "auto", runtime), "1 numbers? for"
  )
  space <- list(center = c(0, 0), scale = c(1, 1), constant = c(FALSE, FALSE))
  two <- toy$x[, 1:2]
  expect_error(
    core$cpp_nearest_mean(
      two, list(values = two, y = c(1, 2)), space, c(1, 1),
      list(k = 1L, metric = "manhattan", simd = "auto"), runtime
    ),
    "2 outcomes for"
  )
})

test_that("containers without labels, features or assay are refused", {
  skip_if_not_installed("SummarizedExperiment")
  skip_if_not_installed("Biobase")
  experiment <- function(assays, ...) {
    SummarizedExperiment::SummarizedExperiment(assays, ...)
  }
  set <- Biobase::ExpressionSet(t(toy$x))
  refused(relief(set), "`y`.* missing")
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

test_that("options that are no number of bytes are refused", {
  skip_if_not_installed("DelayedArray")
  withr::local_options(hitmiss.realise_memory = "much")
  refused(
    relief(DelayedArray::DelayedArray(toy$x), toy$y),
    "hitmiss.realise_memory.* must be a number, at least 0, not \"much\""
  )
})

test_that("a scratch directory that is not writable is an obstacle", {
  # The administrator, as whom tests may run, can write anywhere.
  obstacle <- core$scratch_obstacle
  environment(obstacle) <- list2env(
    list(file.access = function(...) -1L),
    parent = core
  )
  directory <- withr::local_tempdir()
  if (core$scratch_obstacle(directory, 8) != "") {
    skip("no scratch file can lie in the temporary directory")
  }
  expect_identical(obstacle(directory, 8), "it is not writable")
})

test_that("names and labels that are not valid text are refused", {
  x <- toy$x
  colnames(x)[[2L]] <- "caf\xe9"
  refused(relief(x, toy$y), "feature names that are not valid text")
  y <- as.character(toy$y)
  y[y == y[[1L]]] <- "caf\xe9"
  refused(relief(toy$x, y), "`y` has labels that are not valid text")
  y <- toy$y
  levels(y)[[2L]] <- "caf\xe9"
  refused(relief(toy$x, y), "`y` has labels that are not valid text")
})

test_that("curves refuse classifiers that do not fit the selectors", {
  curve <- function(...) {
    error_curve(small$x, small$y,
      sizes = 2, resampling = holdout(times = 2), ...
    )
  }
  two <- list(
    a = function(x, y) relief(x, y, k = 2, threads = 1),
    b = function(x, y) reference_scores(x, y, "fisher")
  )
  refused(
    curve(two, classifier = list(a = "knn")),
    "at most one unnamed element for the rest.*\"b\""
  )
  narrow <- function(x, y, newdata, ...) {
    matrix(1, nrow(newdata), 1L, dimnames = list(NULL, "one"))
  }
  # What a classifier does wrong in every split leaves no curve.
  refused(
    curve(two["a"], classifier = narrow),
    "and a column for each of ", "hitmiss_error_failed"
  )
})

test_that("llfs() refuses to keep only features that do not vary", {
  # The feature that varies has equal means, and so no more of Fisher's score.
  x <- cbind(rep(1, 6), c(0, 1, 2, 0, 1, 2))
  refused(
    llfs(x, rep(c("a", "b"), each = 3), prune = 1),
    "keeps only features that do not vary"
  )
})

test_that("what no memory holds is refused before it is made", {
  withr::local_seed(1)
  error <- tryCatch(simulate_localized(noise = 2e9), error = identity)
  expect_s3_class(error, "hitmiss_error_memory")
  expect_match(conditionMessage(error), "`noise` needs about")
  refused(simulate_localized(noise = 1e12), "from 0 to 2147483647, not 1e\\+12")
})

test_that("whatever was given is named", {
  refused(kfold(NA_character_), "not NA")
  refused(kfold(globalenv()), "an object of class environment")
  refused(kfold(quote(k)), "an object of class name")
})

test_that("selectors and classes that cannot serve are refused", {
  refused(
    probe_fdr(small$x, small$y, function(x) 1),
    "`selector` must take two arguments"
  )
  refused(
    error_curve(small$x[1:3, ], c("a", "b", "c"), function(x, y) 1,
      sizes = 1, resampling = holdout()
    ),
    "every class has a single sample"
  )
})

test_that("stability() refuses a size that was not tried", {
  curve <- error_curve(
    small$x, small$y, function(x, y) reference_scores(x, y, "fisher"),
    sizes = c(2, 5), resampling = holdout(times = 3)
  )
  agreement <- stability(curve)
  refused(
    selected(agreement, size = 3), "name one row of the table.*a size of 2 or 5"
  )
})

test_that("the bindings refuse what the gate would never let through", {
  problem <- core$as_problem(toy$x, toy$y)
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  problem$values <- array("a", dim(toy$x))
  expect_error(core$cpp_scaling(problem, "zscore", runtime), "internal error")
  problem$values <- list(scratch = core$cpp_new_scratch())
  problem$storage <- "blocks"
  expect_error(core$cpp_scaling(problem, "zscore", runtime), "not staged")
})

# Copies of a function of ours, in which another stands for one that it calls.
with_stand_in <- function(name, ...) {
  copy <- core[[name]]
  environment(copy) <- list2env(list(...), parent = core)
  copy
}

test_that("a temporary directory that is gone, or full, is said", {
  withr::local_options(hitmiss.scratch_dir = NULL)
  gone <- with_stand_in("scratch_directory", dir.exists = function(...) FALSE)
  expect_error(gone(8e6), "is gone", class = "hitmiss_error_scratch")
  expect_error(
    core$scratch_errors(stop("the scratch file cannot be written: full"), 8e6),
    "takes 7.63 MB in .* is not set",
    class = "hitmiss_error_scratch"
  )
  expect_error(core$scratch_errors(stop("else"), 8e6), "^else$")
})

test_that("what stops a unit on a worker stops the call", {
  remote <- structure(
    class = c(
      "remote_error", "hitmiss_error_input", "hitmiss_error", "error",
      "condition"
    ),
    list(message = "`k` is odd", call = NULL)
  )
  expect_error(core$stop_as_unit(list(1, remote)), "`k` is odd",
    class = "hitmiss_error_input"
  )
  expect_null(core$stop_as_unit(list(1, 2)))
})

test_that("a selector that is no selector stops its evaluation", {
  fine <- function(x, y) reference_scores(x, y, "fisher")
  # Odd only where probes are appended.
  odd <- function(x, y) if (ncol(x) > 30L) 1:2 else fine(x, y)
  refused(
    probe_fdr(small$x, small$y, odd, times = 2),
    "an integer vector of length 2", "hitmiss_error_selector"
  )
  refused(
    error_curve(small$x, small$y, function(x, y) 1:2, 2),
    "an integer vector of length 2", "hitmiss_error_selector"
  )
})

test_that("the bindings refuse parts of a fit that do not belong together", {
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  model <- list(
    training = diag(2), y = factor(c("a", "b")), features = c(1L, 2L),
    sizes = c(1L, 1L), radius = c(0.5, 0.5), cells = c(0L, 0L),
    cell = integer(), evidence = numeric(), intercept = numeric(),
    neighbour = "none", by_evidence = FALSE
  )
  classify <- function(..., samples = diag(2)) {
    core$cpp_local_classifier(
      utils::modifyList(model, list(...)), samples, FALSE, runtime
    )
  }
  expect_equal(classify()$similarity, diag(2), ignore_attr = TRUE)
  expect_error(
    classify(samples = diag(3)), "samples have 3 features, the fit has 2"
  )
  expect_error(classify(sizes = c(1L, 2L)), "differ in length")
  expect_error(classify(radius = 1), "differ in length")
  expect_error(classify(cells = c(1L, 0L)), "differ in length")
  expect_error(
    classify(cells = c(1L, 0L), cell = c(1L, 3L, 1L), evidence = 1),
    "evidence of a cell that there is not"
  )
  expect_error(classify(intercept = 1), "1 intercepts for 2 classes")
  expect_error(classify(features = c(1L, 3L)), "uses feature 3; there are 2")
  expect_error(classify(y = factor("a")), "1 labels for 2 training samples")
  expect_error(classify(y = factor(c("a", NA))), "has no class")
  expect_error(
    classify(y = structure(c(1L, 7L), levels = c("a", "b"), class = "factor")),
    "label 2 has code 7; there are 2"
  )
  expect_error(
    core$cpp_nearest_vote(
      diag(2), list(values = diag(2), y = factor(c("a", "b"))),
      list(center = c(0, 0), scale = 1, constant = c(FALSE, FALSE)), c(1, 1),
      list(k = 1L, metric = "manhattan", simd = "auto"), runtime
    ), "differ in their number of features"
  )
})
