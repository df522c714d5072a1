# logo(), kbfs() and relief() of some samples through BiocParallel: the same
# fit, to the last bit.
# SPDX-License-Identifier: GPL-3.0-or-later

# How `work` fits without and with a back end, warnings included.
expect_same_fit <- function(work, BPPARAM, label) {
  run <- function(BPPARAM) {
    warned <- character()
    fit <- withr::with_seed(5, withCallingHandlers(
      work(BPPARAM),
      warning = function(w) {
        warned <<- c(warned, conditionMessage(w))
        invokeRestart("muffleWarning")
      }
    ))
    list(essence(fit), warned)
  }
  expect_identical(run(BPPARAM), run(NULL), label = label)
}

# Correlated features, ties, duplicates, a constant one.
many_features <- function(seed, n_features = 1200L) {
  withr::with_seed(seed, {
    data <- simulate_microarray(c(9, 7, 8), n_features)
    x <- data$x
    if (seed %% 2 == 0) x <- round(2 * x)
    x[, 5] <- x[, 4]
    x[, 6] <- 3
    list(
      x = x, y = data$y, block = rep_len(1:2, 24), group = rep(1:12, each = 2)
    )
  })
}

test_that("LOGO with workers: ties, scalings, designs", {
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  for (seed in 1:5) {
    d <- many_features(seed)
    expect_same_fit(BPPARAM = serial, label = paste("many", seed), \(b) {
      logo(d$x, d$y,
        lambda = c(1, 0.05)[seed %% 2 + 1],
        init = c("sqrt", "one")[1 + seed %/% 4],
        scale = c("range", "zscore", "none")[seed %% 3 + 1], threads = 1,
        BPPARAM = b
      )
    })
    expect_same_fit(BPPARAM = serial, label = paste("design", seed), \(b) {
      logo(d$x, d$y,
        block = if (seed < 4) d$block, group = if (seed > 2) d$group,
        lambda = 0.2, threads = 1, BPPARAM = b
      )
    })
  }
})

test_that("LOGO with workers: the first look by counts, and a whole spiral", {
  skip_if_not_installed("BiocParallel")
  spiral <- withr::with_seed(2, simulate_spiral(noise = 1500))
  expect_same_fit(
    \(b) logo(spiral$x, spiral$y, threads = 1, BPPARAM = b),
    BiocParallel::SnowParam(2), "spiral"
  )
})

test_that("BFS with workers: kernels, designs, Gram columns or none", {
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  for (seed in 1:6) {
    d <- many_features(seed)
    if (seed > 3) d$y[seed] <- NA
    fit <- function(...) kbfs(d$x, d$y, ..., threads = 1)
    kernel <- c("linear", "polynomial", "gaussian")[seed %% 3 + 1]
    expect_same_fit(BPPARAM = serial, label = paste(kernel, seed), \(b) {
      fit(
        kernel = kernel, redundancy = c(0, 20)[seed %% 2 + 1],
        rank_by = c("weight", "entry")[seed %/% 4 + 1], BPPARAM = b
      )
    })
    # 30 columns of 1,200 features have room, and then none.
    expect_same_fit(BPPARAM = serial, label = paste("few columns", seed), \(b) {
      fit(
        n_features = 60, control = list(gram_memory = 30 * 1200 * 8 / 2^20),
        BPPARAM = b
      )
    })
    expect_same_fit(BPPARAM = serial, label = paste("lambda", seed), \(b) {
      fit(
        lambda = 4, BPPARAM = b, block = if (seed < 4) d$block,
        group = if (seed > 2) d$group
      )
    })
  }
})

test_that("Relief of some samples with workers", {
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  for (seed in 1:6) {
    d <- many_features(seed, 40L)
    for (method in c("relieff", "relief", "map")) {
      expect_same_fit(BPPARAM = serial, label = paste(method, seed), \(b) {
        relief(d$x, d$y, method,
          k = 2, samples = c(10, 24)[1 + (seed == 6)],
          metric = c("manhattan", "euclidean")[seed %% 2 + 1],
          block = if (seed == 3) d$block, group = if (seed > 3) d$group,
          threads = 1, BPPARAM = b
        )
      })
    }
  }
  frame <- data.frame(d$x, kind = factor(rep(c("u", "v", "w"), 8)))
  expect_same_fit(BPPARAM = serial, label = "categories", \(b) {
    relief(frame, d$y, samples = 9, threads = 1, BPPARAM = b)
  })
})

test_that("every kind of back end and of storage gives the same bits", {
  skip_if_not_installed("BiocParallel")
  backends <- list(
    serial = BiocParallel::SerialParam(), snow = BiocParallel::SnowParam(2)
  )
  if (.Platform$OS.type == "unix") {
    backends$multicore <- BiocParallel::MulticoreParam(2)
  }
  lapply(backends, \(b) with_libraries(BiocParallel::bpstart(b)))
  withr::defer(lapply(backends, BiocParallel::bpstop))
  d <- many_features(2)
  x <- d$x * (d$x > stats::median(d$x))
  counts <- x
  storage.mode(counts) <- "integer"
  stored <- list(
    integer = counts, sparse = Matrix::Matrix(x, sparse = TRUE)
  )
  if (requireNamespace("SummarizedExperiment", quietly = TRUE)) {
    stored$assay <- SummarizedExperiment::SummarizedExperiment(t(x))
  }
  fits <- list(
    logo = \(x, b) logo(x, d$y, threads = 1, BPPARAM = b),
    kbfs = \(x, b) kbfs(x, d$y, n_features = 10, threads = 1, BPPARAM = b),
    relief = \(x, b) relief(x, d$y, samples = 8, threads = 1, BPPARAM = b)
  )
  for (kind in names(fits)) {
    for (back in names(backends)) {
      expect_same_fit(
        \(b) fits[[kind]](x, b), backends[[back]], paste(kind, back)
      )
    }
    for (storage in names(stored)) {
      expect_same_fit(
        \(b) fits[[kind]](stored[[storage]], b), backends$serial,
        paste(kind, storage)
      )
    }
  }
})

test_that("values in blocks, and sparse ones whose zeros pay", {
  skip_if_not_installed("BiocParallel")
  skip_if_not_installed("DelayedArray")
  serial <- BiocParallel::SerialParam()
  d <- many_features(2)
  withr::local_options(hitmiss.realise_memory = 0)
  delayed <- DelayedArray::DelayedArray(d$x)
  for (b in list(NULL, serial)) {
    streamed <- logo(delayed, d$y, threads = 1, BPPARAM = b)
    plain <- logo(d$x, d$y, threads = 1)
    expect_identical(streamed$scores, plain$scores)
    expect_identical(
      kbfs(delayed, d$y, threads = 1, BPPARAM = b)$scores,
      kbfs(d$x, d$y, threads = 1)$scores
    )
    drawn <- function(x, ...) {
      withr::with_seed(3, relief(x, d$y, samples = 8, threads = 1, ...))$scores
    }
    expect_identical(drawn(delayed, BPPARAM = b), drawn(d$x))
  }
  # So many pairs and features that nonzero values alone are read.
  n <- 500L
  sparse <- withr::with_seed(7, {
    y <- factor(rep(c("a", "b"), n / 2))
    x <- Matrix::rsparsematrix(n, 1200L, 0.02)
    x[, 1] <- as.integer(y)
    x[, 2] <- stats::rnorm(n)
    list(x = x, y = y)
  })
  expect_same_fit(BPPARAM = serial, label = "nonzeros", \(b) {
    logo(sparse$x, sparse$y, threads = 1, BPPARAM = b)
  })
})

test_that("what cannot be shared out is refused; the stream is left alone", {
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  d <- toy_data()
  expect_refusal(logo(d$x, d$y, BPPARAM = 2), "BPPARAM")
  expect_refusal(kbfs(d$x, d$y, BPPARAM = 2), "BPPARAM")
  expect_refusal(relief(d$x, d$y, BPPARAM = 2), "BPPARAM")
  expect_refusal(kbfs(d$x, d$y, manifold = 1, BPPARAM = serial), "BPPARAM")
  expect_refusal(relief(d$x, d$y, BPPARAM = serial), "BPPARAM")
  expect_refusal(
    relief(d$x, d$y, "multisurf", samples = 6, BPPARAM = serial), "BPPARAM"
  )
  after <- function(BPPARAM) {
    withr::with_seed(1, {
      logo(d$x, d$y, threads = 1, BPPARAM = BPPARAM)
      relief(d$x, d$y, k = 2, samples = 6, threads = 1, BPPARAM = BPPARAM)
      stats::runif(1)
    })
  }
  expect_identical(after(serial), after(NULL))
  # A session that has not drawn anything yet, and data that are shared out.
  d <- many_features(1)
  expect_false(elsewhere(function(x, y) {
    b <- BiocParallel::SerialParam()
    rm(list = ".Random.seed", envir = globalenv())
    hitmiss::logo(x, y, threads = 1, BPPARAM = b)
    exists(".Random.seed", globalenv())
  }, list(d$x, d$y)))
})

test_that("parts of few features lead to the same fits", {
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  runtime <- list(threads = 1L, progress = NULL, key = NULL)
  options <- list(
    sigma = 2, tol = 1e-4, max_iter = 20L, init = "sqrt", n_features = 20L,
    rank_by = "weight", kernel = "linear", manifold = 0, k = 5L,
    max_pairs = Inf, simd = resolve_simd(), columns = NULL
  )
  for (seed in 1:30) {
    p <- margin_problem(seed)
    if (ncol(p$x) < 8) next # a quarter of them is the first part
    problem <- as_problem(p$x, p$y)
    scale <- c("range", "zscore")[seed %% 2 + 1]
    scaled <- prepare_scaling(problem, scale, runtime)
    options$lambda <- c(0.05, 0.5, 1)[seed %% 3 + 1]
    alone <- cpp_logo(problem, scaled, options, runtime)
    shared <- logo_by_looks(problem, scaled, options, runtime, serial)
    expect_identical(shared, alone[names(shared)], info = paste("LOGO", seed))

    options["lambda"] <- list(if (seed %% 4 == 0) 2)
    options$redundancy <- c(0, 10)[seed %% 2 + 1]
    options$gram_memory <- c(0, 8 * 10 * ncol(p$x), 1e9)[seed %% 3 + 1]
    alone <- cpp_kbfs(problem, scaled, options, runtime)
    shared <- kbfs_by_looks(problem, scaled, options, runtime, serial)
    fields <- c("scores", "ranking", "entry", "path", "report")
    expect_identical(shared[fields], alone[fields], info = paste("BFS", seed))
  }
})

test_that("nothing is selected, or all: the same", {
  skip_if_not_installed("BiocParallel")
  serial <- BiocParallel::SerialParam()
  d <- withr::with_seed(1, list(
    x = matrix(stats::rnorm(20 * 1300), 20), y = factor(rep(c("a", "b"), 10))
  ))
  flat <- matrix(1, 20, 1300)
  flat[, 1] <- as.integer(d$y)
  for (lambda in c(1e6, 1e-6)) {
    expect_same_fit(BPPARAM = serial, label = paste("LOGO", lambda), \(b) {
      logo(d$x, d$y, lambda = lambda, threads = 1, BPPARAM = b)
    })
    expect_same_fit(BPPARAM = serial, label = paste("BFS", lambda), \(b) {
      kbfs(d$x, d$y, lambda = lambda, threads = 1, BPPARAM = b)
    })
  }
  for (fit in c(logo, kbfs)) {
    expect_same_fit(BPPARAM = serial, label = "one feature varies", \(b) {
      fit(flat, d$y, threads = 1, BPPARAM = b)
    })
  }
})
