# Numbers at the edge: results do not depend on the unit of the data, on where
# its zero is, or on how far out a single sample lies.
# SPDX-License-Identifier: GPL-3.0-or-later

# Numbers of few digits: an offset of 2^20 rounds none of them.
edge_data <- function(seed) {
  data <- withr::with_seed(
    seed, simulate_microarray(c(11, 13), genes = 40, relevant = 5)
  )
  data$x <- round(data$x * 2^20) / 2^20
  data
}

scores_of <- function(y) {
  unlabelled <- y
  unlabelled[c(2L, 9L, 17L)] <- NA
  fits <- lapply(selectors, function(fit) {
    function(x) fit(x, y, threads = 1)$scores
  })
  references <- lapply(
    list(
      fisher = list("fisher"), paper = list("fisher", form = "paper"),
      laplacian = list("laplacian"),
      supervised = list("laplacian", supervised = TRUE),
      chisq = list("chisq"), mdl = list("infogain", discretise = "mdl"),
      infogain = list("infogain"), mid = list("mrmr", n = 10),
      miq = list("mrmr", n = 10, criterion = "miq"), spec = list("spec"),
      trace_ratio = list("trace_ratio"), lsdf = list("lsdf"),
      graph = list("trace_ratio", supervised = FALSE), inf_fs = list("inf_fs"),
      rfs = list("rfs"), simba = list("simba")
    ),
    function(arguments) {
      function(x) {
        withr::with_seed(1, c(
          do.call(reference_scores, c(list(x, y), arguments, threads = 1))
        ))
      }
    }
  )
  c(fits, references, list(
    redundant = function(x) {
      kbfs(x, y, n = 6, redundancy = 1, threads = 1)$scores
    },
    semi = function(x) {
      kbfs(x, unlabelled, n = 6, manifold = 0.5, threads = 1)$scores
    },
    similarity = function(x) {
      predict(llfs(x, y, alpha = 3, threads = 1), x, type = "similarity")
    },
    votes = function(x) {
      predict(relief(x, y, k = 3, threads = 1), x, type = "prob")
    },
    knn = function(x) {
      bayes_error(x, y, 1:3, method = "knn")$error
    }
  ))
}

test_that("every score is the same for x times a power of two, to the bit", {
  skip_on_cran()
  for (seed in 1:2) {
    data <- edge_data(seed)
    scores <- scores_of(data$y)
    for (name in names(scores)) {
      expected <- suppressWarnings(scores[[name]](data$x))
      for (k in c(-600, -521, -77, 33, 400, 520)) {
        expect_identical(
          suppressWarnings(scores[[name]](data$x * 2^k)), expected,
          info = paste(name, k, seed)
        )
      }
    }
  }
})

test_that("as they are, values from 1e-120 to 1e149 order, predict alike", {
  skip_on_cran()
  data <- edge_data(4)
  y <- data$y
  outcome <- as.numeric(y) + seq_along(y) / 100
  near <- function(...) {
    function(x, unit) relief(x, y, ..., scale = "none", threads = 1)
  }
  fits <- list(
    relieff = near(k = 3), euclidean = near(k = 3, metric = "euclidean"),
    map = near("map"), relief = near("relief", metric = "euclidean"),
    surf = near("surf"), surfstar = near("surfstar", metric = "euclidean"),
    multisurf = near("multisurf", metric = "euclidean"),
    multisurfstar = near("multisurfstar"),
    irelief = function(x, unit) {
      relief(x, y, "irelief", sigma = 2 * unit, scale = "none", threads = 1)
    },
    parzen = function(x, unit) {
      relief(
        x, y, "parzen", bandwidth = 0.1 * unit, scale = "none", threads = 1
      )
    },
    rrelieff = function(x, unit) {
      relief(
        x, outcome, "rrelieff", k = 3, metric = "euclidean", scale = "none",
        threads = 1
      )
    },
    pwfp = function(x, unit) pwfp(x, y, scale = "none", threads = 1)
  )
  for (name in names(fits)) {
    answer <- function(unit) {
      suppressWarnings({
        fit <- fits[[name]](data$x * unit, unit)
        list(fit$ranking, predict(fit, data$x * unit, threads = 1))
      })
    }
    expected <- answer(1)
    for (k in c(-400, -77, 33, 400, 490)) {
      expect_identical(answer(2^k), expected, info = paste(name, k))
    }
  }
})

test_that("as they are, values whose squares no double holds are refused", {
  data <- edge_data(4)
  for (unit in c(2^-498, 2^-996, 2^500)) {
    x <- data$x
    x[, 2L] <- x[, 2L] * unit
    caught <- expect_input_error(
      relief(x, data$y, scale = "none"), "Change its unit"
    )
    expect_identical(caught$arg, "x")
    expect_identical(caught$column, 2L)
    expect_no_error(relief(x, data$y, k = 3))
  }
})

test_that("every score is the same for x plus 2^20, and nearly so far beyond", {
  skip_on_cran()
  data <- edge_data(3)
  scores <- scores_of(data$y)
  for (name in names(scores)) {
    expected <- suppressWarnings(scores[[name]](data$x))
    expect_equal(
      suppressWarnings(scores[[name]](data$x + 2^20)), expected,
      tolerance = 1e-8, info = name
    )
    if (name %in% c("mid", "miq")) next # at mean -+ sd / 2
    whole <- round(data$x * 2^10)
    expect_equal(
      suppressWarnings(scores[[name]](2^42 + whole)),
      suppressWarnings(scores[[name]](whole)),
      tolerance = 1e-5, info = name
    )
  }
})

test_that("milliseconds since 1970 with all their digits are no constants", {
  data <- toy_data(n = 30L)
  late <- 1.7e12 + round(1000 * data$x)
  plain <- round(1000 * data$x)
  for (name in names(selectors)) {
    fit <- suppressWarnings(selectors[[name]](late, data$y, threads = 1))
    expect_false(any(fit$preprocess$constant), info = name)
    expect_identical(
      fit$selected,
      suppressWarnings(selectors[[name]](plain, data$y, threads = 1))$selected,
      info = name
    )
  }
  expect_true("g1" %in% llfs(1e12 + data$x, data$y, alpha = 3)$selected)
})

test_that("rounding error alone is a constant, whatever the scale", {
  data <- toy_data(n = 30L)
  noise <- 0.3 * (1 + .Machine$double.eps * rep(0:2, 10))
  expect_gt(length(unique(noise)), 1L)
  x <- cbind(data$x, noise = noise)
  for (scale in c("zscore", "range", "none")) {
    fit <- relief(x, data$y, k = 3, scale = scale, threads = 1)
    expect_identical(fit$scores[["noise"]], 0, info = scale)
  }
})

test_that("one sample far out does not tie all others", {
  skip_on_cran()
  data <- edge_data(4)
  y <- data$y
  x <- data$x
  far <- rbind(x, out = 1e11)
  # Between the others nothing has changed: neighbours, votes.
  whole <- relief(x, y, k = 1, method = "relief", scale = "none", threads = 1)
  votes <- function(x, y) {
    fit <- relief(x, y, k = 1, method = "relief", scale = "none", threads = 1)
    own <- fit$training$y
    learned <- c("scores", "weights", "ranking", "selected", "training")
    fit[learned] <- whole[learned]
    fit$training$values <- x[, colnames(whole$training$values)]
    fit$training$y <- own
    predict(fit, data$x + 0.01, k = 3)
  }
  expect_identical(votes(far, y[c(seq_along(y), 1L)]), votes(x, y))
  z <- seq_along(y)^2
  lonely <- cbind(a = c(z, 1e11), b = c(rep_len(0:1, length(y)), 0))
  scores <- reference_scores(
    lonely, y[c(seq_along(y), 1L)], "laplacian",
    k = 1, threads = 1
  )
  expect_equal(scores[["b"]], reference_laplacian(lonely, 1)[[2L]])
})
