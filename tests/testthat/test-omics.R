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
  same(d$omics)
  same(list(RNA = d$omics[[1]], protein = as.data.frame(d$omics[[2]])))
  same(list(
    RNA = Matrix::Matrix(d$omics[[1]], sparse = TRUE), protein = d$omics[[2]]
  ))
  expect_identical(
    predict(fit, d$omics, threads = 1), predict(fit, joined, threads = 1)
  )
  # New samples need those omics only whose features predict.
  one <- relief(d$omics, d$y, k = 3, threads = 1)
  best <- sub(":.*", "", selected(one, 1))
  expect_identical(
    predict(one, d$omics[best], n = 1)[rownames(d$x)],
    predict(one, d$omics, n = 1)
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
  same(many)
  expect_identical(relief(many, "class", k = 3, threads = 1)$scores, wanted)
  part <- many[, 1:20]
  few <- suppressMessages(MultiAssayExperiment::MultiAssayExperiment(
    list(RNA = t(d$omics[[1]]), protein = t(d$omics[[2]][-1, ])),
    colData = MultiAssayExperiment::colData(many)
  ))
  error <- expect_refusal(relief(few, "class"), "x")
  expect_match(conditionMessage(error), "no protein: s24")
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
  expect_match(said(short), "no protein: s01, s24", fixed = TRUE)
  expect_match(said(unname(d$omics)), "a name of its own")
  expect_match(said(stats::setNames(d$omics, c("a", "a"))), "a name of its own")
  plain <- d$omics
  rownames(plain$RNA) <- NULL
  expect_match(said(plain), "each sample of \"RNA\"", fixed = TRUE)
  rownames(plain$RNA) <- rep("s", 24)
  expect_match(said(plain), "each sample of \"RNA\"", fixed = TRUE)
  text <- d$omics
  text$RNA <- data.frame(text$RNA, kind = letters[rep(1:2, 12)])
  expect_match(said(text), "no numbers")
  expect_refusal(relief(d$omics, d$y, assay = 1), "assay")
  holes <- d$omics
  holes$RNA[3, 2] <- Inf
  expect_match(said(holes), "RNA:b", fixed = TRUE)
  fit <- relief(d$omics, d$y, k = 3, threads = 1)
  expect_error(predict(fit, d$omics["protein"]), "RNA:")
  # The cure for incomplete samples.
  keep <- Reduce(intersect, lapply(short, rownames))
  fit <- relief(lapply(short, \(m) m[keep, ]), d$y[match(keep, rownames(d$x))],
    k = 3, threads = 1
  )
  expect_identical(fit$n_samples, 22L)
})

# Two or three omics of very different sizes, and the weights of their features
# in a distance: each omics the same in all, constant features none.
weighed_problem <- function(seed) {
  p <- margin_problem(seed)
  j <- ncol(p$x)
  omics <- sample(rep(c("a", "b:1", "c"), c(1, 2, j))[seq_len(j)])
  colnames(p$x) <- paste0(omics, ":", colnames(p$x))
  omics <- sub(":.*", "", omics)
  varies <- apply(p$x, 2, max) > apply(p$x, 2, min)
  p$w <- numeric(j)
  for (o in unique(omics[varies])) {
    own <- omics == o & varies
    p$w[own] <- 1 / sum(own)
  }
  p$w <- p$w * sum(varies) / sum(p$w)
  p
}

test_that("omics = \"equal\" is the plain definition with weighted distances", {
  for (seed in 1:30) {
    p <- weighed_problem(seed)
    method <- c("relieff", "relief", "map")[[seed %% 3 + 1]]
    for (metric in c("manhattan", "euclidean")) {
      fit <- nearest_relief(
        p$x, p$y, method, k = 2, metric = metric, omics = "equal"
      )
      expect_equal(
        unname(fit$scores), unname(reference_relief(p$x, p$y, method, 2,
          metric = metric, w = p$w
        )),
        tolerance = 1e-9
      )
      expect_identical(fit$parameters$omics, "equal")
    }
  }
})

test_that("radii and other outcomes weigh by omics, and margins keep units", {
  skip_if_not_installed("survival")
  for (seed in 31:36) {
    p <- weighed_problem(seed)
    n <- nrow(p$x)
    event <- rep_len(c(1, 1, 0), n)
    methods <- c("surf", "multisurf", "rrelieff", "srelieff")
    suppressWarnings(for (method in methods) {
      y <- switch(method,
        rrelieff = rnorm(n), srelieff = survival::Surv(rexp(n), event), p$y
      )
      for (metric in c("manhattan", "euclidean")) {
        factor <- if (metric == "euclidean") sqrt(p$w) else p$w
        bare <- relief(t(t(reference_scale(p$x)) * factor), y, method,
          metric = metric, scale = "none", threads = 1
        )
        fit <- relief(p$x, y, method,
          metric = metric, omics = "equal", threads = 1
        )
        expect_equal(
          unname(fit$scores), ifelse(p$w > 0, bare$scores / factor, 0),
          tolerance = 1e-9
        )
      }
    })
  }
})

test_that("evaluations, turf() and probes keep the omics of a feature", {
  d <- omics_data()
  equal <- function(x, y) relief(x, y, k = 3, omics = "equal", threads = 1)
  fit <- equal(d$omics, d$y)
  expect_output(print(fit), "omics = equal")
  expect_false(identical(
    fit$scores, relief(d$omics, d$y, k = 3, threads = 1)$scores
  ))
  curve <- withr::with_seed(1, error_curve(d$omics, d$y, list(equal = equal), 3,
    resampling = kfold(3)
  ))
  expect_identical(nrow(curve$failures), 0L)
  found <- withr::with_seed(1, probe_fdr(d$omics, d$y, equal, times = 2))
  expect_identical(found$times, 2L)
  expect_identical(turf(d$omics, d$y, equal)$n_features, 13L)
  # A factor of two levels is a feature of 0 and 1.
  kind <- rep_len(c(0, 0, 1), 24)
  plain <- data.frame(d$omics$RNA, "protein:kind" = kind, check.names = FALSE)
  names(plain)[1:8] <- paste0("RNA:", names(plain)[1:8])
  coded <- plain
  coded[[9]] <- factor(kind)
  expect_equal(equal(coded, d$y)$scores, equal(plain, d$y)$scores)
})

test_that("omics = \"equal\" is refused where no distance heeds it", {
  d <- omics_data()
  for (method in c("irelief", "parzen")) {
    expect_refusal(relief(d$omics, d$y, method, omics = "equal"), "omics")
  }
  expect_refusal(logo(d$omics, d$y, omics = "equal"), "omics")
  colnames(d$x) <- paste0("g", 1:13)
  error <- expect_refusal(relief(d$x, d$y, omics = "equal"), "omics")
  expect_match(conditionMessage(error), "13 features")
})
