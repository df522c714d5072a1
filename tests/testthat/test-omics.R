# Several omics of the same samples: joined by name, in any order of samples.
# SPDX-License-Identifier: GPL-3.0-or-later

omics_data <- function() {
  withr::local_seed(7)
  made <- matrix(rnorm(24 * 13), 24,
    dimnames = list(sprintf("s%02d", 1:24), letters[1:13])
  )
  y <- factor(rep(c("u", "v"), 12))
  made[y == "v", c(1, 10)] <- made[y == "v", c(1, 10)] + 3
  # The same name stands in two omics, and the units differ.
  colnames(made)[[13]] <- "a"
  list(
    omics = list(RNA = made[, 1:8], protein = 1000 * made[24:1, 9:13]),
    x = cbind(made[, 1:8], 1000 * made[, 9:13]), y = y
  )
}

test_that("a list of omics is the joined matrix, for all that reads data", {
  d <- omics_data()
  joined <- d$x
  colnames(joined) <- c(
    paste0("RNA:", colnames(d$x)[1:8]), paste0("protein:", colnames(d$x)[9:13])
  )
  same <- function(x) {
    expect_identical(relief(x, d$y, k = 3, threads = 1)$scores, wanted)
  }
  fit <- relief(d$omics, d$y, k = 3, threads = 1)
  wanted <- relief(joined, d$y, k = 3, threads = 1)$scores
  same(list(RNA = d$omics[[1]], protein = as.data.frame(d$omics[[2]])))
  same(list(
    RNA = Matrix::Matrix(d$omics[[1]], sparse = TRUE), protein = d$omics[[2]]
  ))
  expect_identical(
    predict(fit, d$omics, threads = 1), predict(fit, joined, threads = 1)
  )
  # New samples need those omics only whose features predict.
  best <- sub(":.*", "", selected(fit, 1))
  expect_identical(
    predict(fit, d$omics[best], n = 1)[rownames(d$x)],
    predict(fit, d$omics, n = 1)
  )
  count <- table(sub(":.*", "", names(sort(-wanted))[1:13]))
  expect_output(print(fit), sprintf("by omics: .*RNA %d", count[["RNA"]]))
  expect_setequal(as.data.frame(fit)$omics, c("RNA", "protein"))
  curve <- function(x) {
    withr::with_seed(1, error_curve(x, d$y, list(relief = relief), 3,
      resampling = kfold(3)
    ))
  }
  expect_identical(curve(d$omics)$results, curve(joined)$results)
  skip_if_not_installed("SummarizedExperiment")
  same(list(RNA = SummarizedExperiment::SummarizedExperiment(
    list(t(d$omics[[1]]))
  ), protein = d$omics[[2]]))
  skip_if_not_installed("MultiAssayExperiment")
  many <- MultiAssayExperiment::MultiAssayExperiment(
    list(
      RNA = SummarizedExperiment::SummarizedExperiment(list(t(d$omics[[1]]))),
      protein = t(d$omics[[2]])
    ),
    colData = S4Vectors::DataFrame(class = d$y, row.names = rownames(d$x))
  )
  expect_identical(relief(many, "class", k = 3, threads = 1)$scores, wanted)
  part <- many[, 1:20]
  few <- suppressMessages(MultiAssayExperiment::MultiAssayExperiment(
    list(RNA = t(d$omics[[1]]), protein = t(d$omics[[2]][-1, ])),
    colData = MultiAssayExperiment::colData(many)
  ))
  error <- expect_refusal(relief(few, "class"), "x")
  expect_match(conditionMessage(error), "\"protein\" lacks s24", fixed = TRUE)
  expect_identical(nlevels(predict(fit, part)), 2L)
})

test_that("missing blocks and names are refused by name", {
  d <- omics_data()
  said <- function(x) {
    error <- tryCatch(relief(x, d$y), hitmiss_error_input = identity)
    expect_s3_class(error, "hitmiss_error_input")
    conditionMessage(error)
  }
  short <- d$omics
  short$protein <- short$protein[-c(1, 24), ]
  expect_match(said(short), "\"protein\" lacks s01, s24", fixed = TRUE)
  expect_match(said(unname(d$omics)), "a name of its own")
  expect_match(said(stats::setNames(d$omics, c("a", "a"))), "a name of its own")
  plain <- d$omics
  rownames(plain$RNA) <- NULL
  expect_match(said(plain), "sample of \"RNA\"", fixed = TRUE)
  rownames(plain$RNA) <- rep("s", 24)
  expect_match(said(plain), "sample of \"RNA\"", fixed = TRUE)
  text <- d$omics
  text$RNA <- data.frame(text$RNA, kind = letters[rep(1:2, 12)])
  expect_match(said(text), "not numeric: \"kind\"", fixed = TRUE)
  expect_refusal(relief(d$omics, d$y, assay = 1), "assay")
  holes <- d$omics
  holes$RNA[3, 2] <- Inf
  expect_match(said(holes), "RNA:b", fixed = TRUE)
  fit <- relief(d$omics, d$y, k = 3, threads = 1)
  expect_error(predict(fit, d$omics["protein"]), "RNA:")
})
