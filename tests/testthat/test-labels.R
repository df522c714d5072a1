# Class labels: what is refused, what becomes of the rest.
# SPDX-License-Identifier: GPL-3.0-or-later

x <- matrix(c(1, 4, 2, 7, 3, 9, 5, 8, 6, 0, 2, 5), 6, 2)

toy <- withr::with_seed(4, simulate_localized(noise = 10))

test_that("labels that cannot be used are refused", {
  expect_worded_refusal(llfs(x, c("a", "b", "a", "b", "a")), "y")
  expect_worded_refusal(llfs(x, character()), "y")
  expect_worded_refusal(llfs(x, NULL), "y")
  expect_worded_refusal(llfs(x, c(0, 1, 0, 1, 0, 1)), "y")
  expect_worded_refusal(llfs(x, 1:6), "y")
  expect_worded_refusal(llfs(x, rep("healthy", 6)), "y")
  expect_worded_refusal(llfs(x, c("a", "b", NA, "a", NA, "b")), "y", row = 3L)
  expect_worded_refusal(llfs(x, c("a", NA, "a", "b", "a", "b")), "y", row = 2L)
  expect_worded_refusal(llfs(x, rep(NA, 6)), "y", row = 1L)
  expect_worded_refusal(llfs(x, as.list(letters[1:6])), "y")
  expect_worded_refusal(llfs(x, matrix(letters[1:6])), "y")
  expect_worded_refusal(llfs(x, data.frame(class = letters[1:6])), "y")
  expect_worded_refusal(llfs(x, Sys.Date() + 1:6), "y")
})

test_that("the order of levels is the user's, or byte by byte", {
  y <- factor(rep(c("a", "b"), 3), levels = c("b", "a"))
  expect_identical(levels(as_outcome(y, 6L)), c("b", "a"))
  expect_identical(levels(as_outcome(c("b", "B", "a"), 3L)), c("B", "a", "b"))
  expect_identical(
    as_outcome(c(TRUE, FALSE), 2L), factor(c("TRUE", "FALSE"))
  )
})

test_that("NA marks an unlabelled sample only where that is allowed", {
  y <- c("a", NA, "b")
  expect_identical(as_outcome(y, 3L, outcome = "partly"), factor(y))
})

test_that("an ordered factor is taken, and its order is not", {
  y <- factor(rep(c("low", "high"), 3), c("low", "high"), ordered = TRUE)
  expect_message(
    relief(x, y, threads = 1),
    "ordered factor; the order of its levels is not used",
    class = "hitmiss_message_ordered"
  )
  said <- testthat::capture_messages(
    withr::with_seed(1, error_curve(
      x, y, quick_relief, 1,
      resampling = holdout(times = 3)
    ))
  )
  expect_length(said, 1L)
})

test_that("unused levels are named once, whatever is called", {
  toy <- toy_data()
  y <- factor(toy$y, c("a", "gone", "b"))
  warned <- function(expr) {
    found <- testthat::capture_warnings(expr)
    expect_match(found, "\"gone\"\\.\ni `droplevels\\(y\\)`")
    expect_length(found, 1L)
  }
  for (select in selectors) warned(select(toy$x, y, threads = 1L))
  withr::with_seed(1, {
    warned(error_curve(
      toy$x, y, quick_relief, 2,
      resampling = holdout(times = 2), permuted = 2
    ))
    warned(probe_fdr(toy$x, y, quick_relief, times = 2, n = 2))
  })
  warned(bayes_error(toy$x, y, "g1", threads = 1L))
  warned(reference_scores(toy$x, y, threads = 1L))
})

test_that("labels that carry the samples' names in another order are refused", {
  toy <- toy_data()
  y <- stats::setNames(as.character(toy$y), rownames(toy$x))
  turned <- rev(y)
  expect_worded_refusal(relief(toy$x, turned), "y", row = 1L)
  plain <- relief(toy$x, toy$y, threads = 1)
  # In order, by names of other things, or the remedies.
  for (fine in list(
    y, stats::setNames(y, paste0("chip", seq_along(y))),
    turned[rownames(toy$x)]
  )) {
    expect_identical(
      essence(relief(toy$x, fine, threads = 1)), essence(plain)
    )
  }
  expect_type(
    unname(relief(toy$x, unname(turned), threads = 1)$scores), "double"
  )
  # One name is enough, if it belongs to another sample.
  some <- stats::setNames(
    y, replace(paste0("chip", seq_along(y)), 3, "sample7")
  )
  expect_worded_refusal(relief(toy$x, some), "y", row = 3L)
  # Those of samples and of others: two studies were mixed.
  mixed <- stats::setNames(y, replace(rownames(toy$x), 5, "other"))
  expect_worded_refusal(relief(toy$x, mixed), "y", row = 5L)
  # Some of many samples.
  expect_worded_refusal(relief(toy$x[3:9, ], y), "y")
  few <- relief(toy$x[3:9, ], y[rownames(toy$x)[3:9]], threads = 1)
  expect_identical(few$n_samples, 7L)
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

test_that("whatever is given for each sample is refused in another order", {
  toy <- toy_data(n = 16L)
  x <- toy$x
  named <- function(values) stats::setNames(values, rev(rownames(x)))
  refuses <- function(expr, arg) {
    error <- expect_refusal(expr, arg)
    expect_match(conditionMessage(error), "in another order", fixed = TRUE)
  }
  patient <- named(rep(1:8, each = 2))
  batch <- named(rep(1:2, each = 8))
  pair <- named(rep(1:8, each = 2))
  fit <- relief(x, toy$y, threads = 1)
  tune <- tuned(relief, k = c(1, 3))
  curve <- function(..., resampling = kfold(2)) {
    error_curve(x, toy$y, relief, 2, resampling = resampling, ...)
  }
  calls <- list(
    y = c(lapply(selectors, \(select) \(v) select(x, v, threads = 1)), list(
      function(v) relief(as.data.frame(x), v),
      function(v) relief(Matrix::Matrix(x, sparse = TRUE), v),
      function(v) error_curve(x, v, relief, 2, resampling = kfold(2)),
      function(v) probe_fdr(x, v, relief, times = 2),
      function(v) bayes_error(x, v, "g1"), function(v) reference_scores(x, v)
    )),
    group = list(
      function(v) relief(x, toy$y, group = v),
      function(v) tune(x, toy$y, group = v),
      function(v) llfs(x, toy$y, group = v),
      function(v) kbfs(x, toy$y, group = v),
      function(v) curve(group = v),
      function(v) probe_fdr(x, toy$y, relief, group = v, times = 2),
      function(v) interactions(fit, x, toy$y, times = 9, group = v)
    ),
    block = list(
      function(v) logo(x, toy$y, block = v),
      function(v) pwfp(x, toy$y, block = v),
      function(v) relief(x, x[, 1], method = "rrelieff", block = v),
      function(v) curve(block = v),
      function(v) probe_fdr(x, toy$y, relief, block = v, times = 2)
    ),
    pair = list(
      function(v) relief(x, toy$y, pair = v),
      function(v) curve(pair = v),
      function(v) {
        predict(relief(x, toy$y, pair = unname(v)), x, pair = v)
      }
    ),
    truth = list(function(v) validate(fit, x, v)),
    resampling = list(function(v) curve(resampling = v)),
    covariates = list(
      function(v) {
        error_curve(x, toy$y, list(relief = quick_relief), 2,
          resampling = kfold(2), prepare = prepare_adjust(v)
        )
      },
      function(v) {
        error_curve(x, toy$y, list(relief = quick_relief), 2,
          resampling = kfold(2), prepare = prepare_adjust(data.frame(age = v))
        )
      }
    )
  )
  values <- list(
    y = named(toy$y), group = patient, block = batch, pair = pair,
    truth = named(toy$y), resampling = batch,
    covariates = named(withr::with_seed(1, rnorm(16)))
  )
  for (arg in setdiff(names(calls), "covariates")) {
    for (call in calls[[arg]]) {
      refuses(call(values[[arg]]), arg)
      # Of other names, or of none, nothing is said of them.
      for (fine in list(unname, \(v) stats::setNames(v, LETTERS[1:16]))) {
        expect_no_error(suppressWarnings(suppressMessages(
          with_stream(1, call(fine(values[[arg]])))
        )))
      }
    }
  }
  for (call in calls$covariates) {
    # In every split: as a fit that fails.
    refuses(with_stream(1, call(values$covariates)), "selectors")
    right <- values$covariates[rownames(x)]
    expect_identical(
      with_stream(1, call(right))$values,
      with_stream(1, call(unname(right)))$values
    )
  }
})

test_that("rows of a data.frame that was sorted have names", {
  toy <- toy_data()
  frame <- data.frame(unname(toy$x), class = toy$y)
  y <- stats::setNames(frame$class, rownames(frame))
  sorted <- frame[order(frame$X1), 1:8]
  expect_refusal(relief(sorted, y), "y")
  fit <- relief(sorted, y[rownames(sorted)], threads = 1)
  expect_named(predict(fit, sorted[2:3, ], threads = 1), rownames(sorted)[2:3])
  expect_refusal(validate(fit, sorted, y, n = 2), "truth")
  expect_null(names(predict(fit, frame, threads = 1)))
})

test_that("the rows of rsample's data are those of the samples", {
  skip_if_not_installed("rsample")
  toy <- toy_data()
  splits <- function(rows) {
    with_stream(1, rsample::vfold_cv(data.frame(toy$x[rows, ]), v = 3))
  }
  error <- expect_refusal(
    error_curve(toy$x, toy$y, relief, 2, resampling = splits(14:1)),
    "resampling"
  )
  expect_match(conditionMessage(error), "Split the samples in the order")
  expect_no_error(with_stream(1, error_curve(
    toy$x, toy$y, quick_relief, 2, resampling = splits(1:14)
  )))
})

test_that("a square matrix whose rows are the features is refused", {
  toy <- toy_data(n = 14L, noise = 12L)
  turned <- t(toy$x)
  y <- stats::setNames(toy$y, rownames(toy$x))
  for (bad in list(turned, as.data.frame(turned), Matrix::Matrix(turned))) {
    error <- expect_refusal(relief(bad, y), "x")
    expect_match(conditionMessage(error), "transposed.*t\\(x\\)")
  }
  expect_refusal(relief(turned, toy$y, group = y), "x")
  expect_refusal(error_curve(turned, toy$y, relief, 2, resampling = y), "x")
  # Similarities of samples have the same names twice.
  alike <- toy$x %*% t(toy$x)
  expect_s3_class(relief(alike, y, threads = 1), "hitmiss")
  skip_if_not_installed("Biobase")
  set <- Biobase::ExpressionSet(toy$x)
  expect_refusal(relief(set, y), "x")
})

test_that("tables of a DGEList or EList are in the order of its samples", {
  skip_if_not_installed("edgeR")
  toy <- toy_data()
  counts <- withr::with_seed(1, {
    matrix(rpois(14 * 8, 50), 8, dimnames = rev(dimnames(toy$x)))
  })
  list <- edgeR::DGEList(counts, group = toy$y,
    genes = data.frame(symbol = LETTERS[1:8], row.names = colnames(toy$x)))
  expect_s3_class(relief(list, "group", threads = 1), "hitmiss")
  for (table in c("samples", "genes")) {
    bad <- list
    turned <- rev(seq_len(nrow(bad[[table]])))
    bad[[table]] <- bad[[table]][turned, , drop = FALSE]
    error <- expect_refusal(relief(bad, toy$y), paste0("x$", table))
    rownames(bad[[table]]) <- NULL
    expect_s3_class(relief(bad, toy$y, threads = 1), "hitmiss")
  }
  fit <- relief(list, "group", threads = 1)
  bad <- list
  bad$samples <- bad$samples[14:1, ]
  expect_refusal(predict(fit, bad), "newdata$samples")
})

test_that("names that several samples share are told apart", {
  expect_identical(unique_names(NULL, 2L), c("1", "2"))
  expect_identical(
    unique_names(c("P7", "P1", "P7", "P7 (1)")),
    c("P7 (1)", "P1", "P7 (3)", "P7 (1).1")
  )
  toy <- toy_data()
  x <- toy$x
  rownames(x)[c(2, 5, 9)] <- "P7"
  fit <- with_stream(1, llfs(x, toy$y, alpha = 2, threads = 1))
  bare <- fit
  bare$local["samples"] <- list(NULL)
  new <- x[c(2, 5, 9), ] + 0.01
  named <- predict(fit, new, type = "spheres", threads = 1)
  rownames(new) <- NULL
  number <- predict(bare, new, type = "spheres", threads = 1)
  expect_identical(named$sample, sprintf("P7 (%d)", 1:3)[number$sample])
  expect_identical(
    named$representative, unique_names(rownames(x))[number$representative]
  )
  audit <- audit_labels(fit, threads = 1)
  expect_setequal(audit$sample, unique_names(rownames(x)))
})
