# New data: what is read of them and what is refused.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("new data are refused by name, place and remedy", {
  data <- toy_data()
  fit <- fit_seeded(selectors$llfs, data$x, data$y)
  expect_setequal(intersect(selected(fit), c("g1", "g2")), c("g1", "g2"))
  expect_worded_refusal(
    predict(fit, data$x[, -(1:2)]), "newdata",
    features = names(fit$scores)[1:2]
  )
  expect_worded_refusal(predict(fit), "newdata")
  expect_worded_refusal(predict(fit, "file.csv"), "newdata")
  expect_worded_refusal(predict(fit, 1:8), "newdata")
  expect_worded_refusal(predict(fit, NULL), "newdata")
  expect_worded_refusal(predict(fit, unname(data$x)[, -1]), "newdata")
  expect_worded_refusal(
    predict(fit, cbind(data$x, g1 = 1)), "newdata",
    features = "g1"
  )
  words <- as.data.frame(data$x)
  words$g1 <- "high"
  expect_worded_refusal(predict(fit, words), "newdata")
  words <- data$x
  storage.mode(words) <- "character"
  expect_worded_refusal(predict(fit, words), "newdata")
})

# Samples in the containers that this machine can read: each a function of rows.
containers_by_rows <- function(x, y) {
  frame <- data.frame(x, check.names = FALSE)
  made <- list(
    matrix = function(i) x[i, , drop = FALSE],
    frame = function(i) frame[i, ],
    sparse = function(i) Matrix::Matrix(x, sparse = TRUE)[i, , drop = FALSE]
  )
  has <- function(...) all(vapply(c(...), requireNamespace, NA, quietly = TRUE))
  samples <- data.frame(class = y, row.names = rownames(x))
  if (has("tibble")) made$tibble <- function(i) tibble::as_tibble(frame)[i, ]
  if (has("data.table")) {
    made$data.table <- function(i) data.table::as.data.table(frame)[i, ]
  }
  if (has("S4Vectors")) {
    made$DataFrame <- function(i) S4Vectors::DataFrame(frame)[i, ]
  }
  if (has("SummarizedExperiment")) {
    experiment <- function(values) {
      force(values)
      function(i) {
        SummarizedExperiment::SummarizedExperiment(
          list(values), colData = samples
        )[, i]
      }
    }
    made$experiment <- experiment(t(x))
    made$frame_assay <- experiment(as.data.frame(t(x)))
    made$DataFrame_assay <- experiment(S4Vectors::DataFrame(t(x)))
  }
  if (has("Biobase")) {
    made$ExpressionSet <- function(i) {
      Biobase::ExpressionSet(t(x), Biobase::AnnotatedDataFrame(samples))[, i]
    }
  }
  if (has("DelayedArray")) {
    made$delayed <- function(i) DelayedArray::DelayedArray(x)[i, , drop = FALSE]
  }
  if (has("limma")) {
    made$EList <- function(i) {
      methods::new(
        methods::getClass("EList", where = asNamespace("limma")),
        list(E = t(x), targets = samples)
      )[, i]
    }
  }
  if (has("edgeR")) {
    counts <- withr::with_seed(1, matrix(
      rpois(length(x), exp(t(x - min(x)) / 2 + 1)), ncol(x),
      dimnames = rev(dimnames(x))
    ))
    counts <- t(t(counts) * rep_len(c(1, 4, 9), nrow(x)))
    made$DGEList <- function(i) {
      edgeR::calcNormFactors(edgeR::DGEList(counts, group = y))[, i]
    }
  }
  made
}

test_that("samples are predicted one by one as they are together", {
  data <- toy_data(n = 24L)
  train <- 1:14
  new <- 15:18
  containers <- containers_by_rows(data$x, data$y)
  for (of in containers) {
    # How samples are read does not depend on the selector.
    first <- identical(of, containers[[1L]])
    for (select in c(quick_relief, if (first) selectors[c("llfs", "logo")])) {
      fit <- with_stream(1, suppressMessages(select(of(train), data$y[train])))
      ask <- function(rows, type) {
        suppressWarnings(predict(fit, of(rows), type = type))
      }
      for (type in c("class", "prob")) {
        alone <- lapply(new, ask, type)
        bind <- if (type == "prob") rbind else function(...) unlist(list(...))
        expect_identical(
          unname(do.call(bind, alone)), unname(ask(new, type)),
          ignore_attr = "dimnames"
        )
      }
    }
  }
})

test_that("what a preparation learned does not change with the new samples", {
  data <- toy_data(n = 24L)
  x <- data$x
  x[cbind(c(3, 9, 16, 20), 1:4)] <- NA
  age <- stats::setNames(withr::with_seed(1, rnorm(24)), rownames(x))
  train <- 1:14
  new <- 15:24
  steps <- list(
    prepare_impute(), prepare_impute("mean"), prepare_filter(0.5),
    prepare_filter(n = 3)
  )
  for (values in list(x, data.frame(x))) {
    for (step in steps) {
      apply <- step(values[train, ], data$y[train])
      alone <- lapply(new, function(i) apply(values[i, , drop = FALSE]))
      expect_identical(do.call(rbind, alone), apply(values[new, ]))
    }
  }
  apply <- prepare_adjust(age)(data$x[train, ], data$y[train])
  alone <- lapply(new, function(i) apply(data$x[i, , drop = FALSE]))
  expect_equal(do.call(rbind, alone), apply(data$x[new, ]))
  # Samples without covariates are refused, however many they are.
  others <- data$x
  rownames(others) <- paste0("new", 1:24)
  expect_refusal(apply(others), "covariates")
})

test_that("a feature that a preparation needs may be a column of NA", {
  data <- toy_data(n = 24L)
  data$x[cbind(c(3, 9, 16, 20), 1:4)] <- NA
  fit <- tuned(relief, prepare = prepare_impute(), k = 3)(data$x, data$y)
  for (missing in c("error", "drop")) {
    ask <- function(new) {
      suppressMessages(predict(fit, new, missing = missing, threads = 1))
    }
    error <- expect_refusal(ask(data$x[, -1]), "newdata", features = "g1")
    expect_match(error$message, "preparation of the fit needs it; .* of NA")
    expect_length(ask(cbind(data$x[, -1], g1 = NA)), 24L)
  }
})

test_that("a DGEList is log2(cpm + 1) of each sample by itself", {
  skip_if_not_installed("edgeR")
  data <- toy_data(n = 24L)
  of <- containers_by_rows(data$x, data$y)$DGEList
  values <- log2(t(edgeR::cpm(of(1:24))) + 1)
  fit <- relief(of(1:14), "group", k = 3, threads = 1)
  outside <- relief(values[1:14, ], data$y[1:14], k = 3, threads = 1)
  expect_equal(fit$scores, outside$scores)
  expect_equal(
    predict(fit, of(15:24), type = "features", n = 2),
    values[15:24, selected(fit, 2)]
  )
  error <- expect_refusal(predict(outside, of(15:24)), "newdata")
  expect_match(conditionMessage(error), "not made of one")
  # So it is for one of several omics.
  rows <- function(i) `rownames<-`(values[i, ], paste0("s", i))
  named <- function(i) {
    list <- of(i)
    colnames(list$counts) <- rownames(list$samples) <- paste0("s", i)
    list
  }
  several <- function(r, i) list(r = r, p = rows(i))
  fit <- relief(several(rows(1:14), 1:14), data$y[1:14], k = 3, threads = 1)
  expect_refusal(predict(fit, several(named(15:24), 15:24)), "newdata")
  fit <- relief(several(named(1:14), 1:14), data$y[1:14], k = 3, threads = 1)
  expect_identical(fit$counts, "r")
  expect_length(predict(fit, several(named(15:24), 15:24)), 10L)
})
