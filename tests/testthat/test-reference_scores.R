# Reference scores against their plain definitions.
# SPDX-License-Identifier: GPL-3.0-or-later

score <- function(...) reference_scores(..., threads = 1)

plain <- function(scores) {
  attributes(scores) <- NULL
  scores
}

comparators <- c("spec", "trace_ratio", "lsdf", "inf_fs", "rfs", "simba")

test_that("hand values", {
  x <- cbind(v = c(1, 2, 3, 6, 7, 8))
  y <- factor(c(1, 1, 1, 2, 2, 2))
  expect_equal(plain(score(x, y, "fisher")), 9.375, tolerance = 1e-12)
  expect_equal(
    plain(score(x, y, "fisher", form = "paper")), 5 / sqrt(4 / 3)
  )
  # The table (8 2; 3 7): two bins of ten samples each.
  x <- cbind(v = rep(c(0, 1), each = 10))
  y <- factor(rep(c("a", "b", "a", "b"), c(8, 2, 3, 7)))
  expect_equal(
    plain(score(x, y, "chisq", bins = 2)), 5.050505,
    tolerance = 1e-7
  )
  expect_equal(
    plain(score(x, y, "infogain", bins = 2)), 0.1325055,
    tolerance = 1e-6
  )
})

test_that("scores agree with the plain definitions", {
  for (seed in some_of(1:60)) {
    p <- margin_problem(seed)
    expect_equal(
      plain(score(p$x, p$y)), unname(reference_fisher(p$x, p$y)),
      tolerance = 1e-10, info = seed
    )
    if (nlevels(p$y) == 2L && min(table(p$y)) > 2L) {
      expect_equal(
        plain(score(p$x, p$y, form = "paper")),
        unname(reference_fisher(p$x, p$y, "paper")),
        tolerance = 1e-10, info = seed
      )
    }
    k <- c(1, 3, 5)[seed %% 3 + 1]
    expect_equal(
      plain(score(p$x, p$y, "laplacian", k = k)),
      unname(reference_laplacian(p$x, k)),
      tolerance = 1e-9, info = seed
    )
    for (rule in c("frequency", "mdl", "threesigma")) {
      codes <- apply(p$x, 2, reference_bins, p$y, rule)
      expect_equal(
        plain(score(p$x, p$y, "chisq", discretise = rule)),
        unname(apply(codes, 2, reference_chisq, p$y)),
        tolerance = 1e-12, info = paste(seed, rule)
      )
      expect_equal(
        plain(score(p$x, p$y, "infogain", discretise = rule)),
        unname(apply(codes, 2, reference_information, p$y)),
        tolerance = 1e-11, info = paste(seed, rule)
      )
    }
  }
})

test_that("mRMR picks what the plain search picks", {
  beyond <- 0
  for (seed in some_of(1:36)) {
    p <- margin_problem(seed)
    constant <- apply(p$x, 2, function(v) max(v) == min(v))
    rule <- c("threesigma", "frequency", "mdl")[seed %% 3 + 1]
    codes <- apply(p$x, 2, reference_bins, p$y, rule)
    n <- min(ncol(p$x), 8)
    for (criterion in c("mid", "miq")) {
      expected <- reference_mrmr(codes, p$y, n, criterion, constant)
      found <- score(p$x, p$y, "mrmr",
        discretise = rule, n = n, criterion = criterion
      )
      picked <- length(expected$picked)
      expect_equal(
        plain(found)[expected$picked], ncol(p$x) - seq_len(picked),
        info = paste(seed, criterion)
      )
      # The others by relevance, up to the rounding of either sum.
      rest <- order(-found)[-seq_len(picked)]
      expect_true(
        all(diff(expected$relevance[rest]) < 1e-12),
        info = paste(seed, criterion)
      )
      beyond <- beyond + sum(diff(expected$relevance[rest]) < -1e-6)
    }
  }
  expect_gt(beyond, 0)
  p <- margin_problem(2)
  expect_identical(
    score(p$x, p$y, "mrmr"),
    score(p$x, p$y, "mrmr", discretise = "threesigma")
  )
})

test_that("the supervised Laplacian score is 1 / (1 + Fisher)", {
  for (seed in some_of(1:50)) {
    p <- margin_problem(seed)
    within <- outer(p$y, p$y, "==") / as.vector(table(p$y)[p$y])
    expected <- apply(p$x, 2, function(f) {
      if (max(f) == min(f)) {
        return(1)
      }
      f <- f - mean(f)
      drop(t(f) %*% (diag(length(f)) - within) %*% f) / sum(f^2)
    })
    found <- score(p$x, p$y, "laplacian", supervised = TRUE)
    expect_equal(-plain(found), unname(expected), tolerance = 1e-12)
    expect_equal(
      -plain(found), 1 / (1 + plain(score(p$x, p$y))),
      tolerance = 1e-12
    )
  }
})

test_that("constants are last, and separating features beyond all", {
  y <- factor(rep(c("a", "b", "c"), c(3, 4, 5)))
  x <- cbind(
    fixed = 0.1, clean = c(0.1, 0.7, 0.3)[y], noise = sin(1:12), zero = 0
  )
  fisher <- score(x, y)
  expect_identical(fisher[["clean"]], .Machine$double.xmax)
  expect_identical(fisher[c("fixed", "zero")], c(fixed = 0, zero = 0))
  for (method in c("fisher", "laplacian", "chisq", "infogain", "mrmr")) {
    found <- score(x, y, method)
    expect_true(all(is.finite(found)), info = method)
    expect_identical(found[["fixed"]], min(found), info = method)
    expect_identical(found[["zero"]], min(found), info = method)
  }
  expect_setequal(names(sort(-found))[1:2], c("clean", "noise"))
})

test_that("equal tables score equal to the bit, whatever their order", {
  y <- factor(rep(1:3, c(9, 11, 13)))
  set.seed(7)
  x <- matrix(rnorm(33 * 40), 33)
  for (method in c("chisq", "infogain")) {
    expect_identical(score(x, y, method), score(-x, y, method))
    shuffled <- sample(33)
    expect_identical(
      score(x, y, method), score(x[shuffled, ], y[shuffled], method)
    )
  }
  # Independent of the class: exactly nothing, not rounding noise.
  crossed <- cbind(v = rep(1:3, 33 / 3))
  expect_identical(plain(score(crossed, factor(rep(1:11, each = 3)),
    "infogain",
    bins = 3
  )), 0)
})

test_that("threads and storage do not matter", {
  # The threads of mRMR share blocks of 1024 features.
  array <- withr::with_seed(1, simulate_microarray(genes = 2500))
  for (method in c("fisher", "laplacian", "chisq", "infogain", "mrmr")) {
    expect_identical(
      reference_scores(array$x, array$y, method, threads = 2),
      score(array$x, array$y, method)
    )
  }
  whole <- round(array$x)
  storage.mode(whole) <- "integer"
  expect_identical(
    score(whole, array$y, "mrmr"), score(whole + 0, array$y, "mrmr")
  )
})

test_that("what a method does not use, and bad values, are refused", {
  p <- margin_problem(2)
  refused <- function(arg, ...) expect_refusal(score(p$x, p$y, ...), arg)
  refused("bins", "fisher", bins = 3)
  refused("bins", "chisq", discretise = "mdl", bins = 3)
  refused("bins", "chisq", bins = 1)
  refused("n", "chisq", n = 3)
  refused("k", "mrmr", k = 3)
  refused("method", "gini")
  refused("discretise", "chisq", discretise = "width")
  refused("supervised", "laplacian", supervised = NA)
  refused("neighbours", "laplacian", neighbours = 3)
  three <- margin_problem(3)
  expect_gt(nlevels(three$y), 2)
  expect_refusal(score(three$x, three$y, form = "paper"), "form")
})

test_that("scores have a list and a table", {
  p <- margin_problem(2)
  scores <- score(p$x, p$y, "fisher")
  best <- names(sort(scores, decreasing = TRUE))[1:3]
  expect_identical(selected(scores, 3), best)
  expect_identical(top_features(scores, 3), data.frame(
    rank = 1:3, feature = best, score = unname(scores[best])
  ))
  # What has no score, or shares the lowest one, has no place.
  expect_identical(selected(c(a = 0, b = NA, c = 2, d = 0), Inf), "c")
  expect_refusal(selected(scores), "n")
  expect_refusal(selected(c(1.5, 2), 1), "x")
})

test_that("LSDF takes the unlabelled samples of an error curve", {
  seen <- 0
  array <- withr::with_seed(1,
    simulate_microarray(samples = c(20, 20), genes = 30)
  )
  curve <- withr::with_seed(1, error_curve(array$x, array$y, list(
    lsdf = function(x, y) {
      seen <<- seen + sum(is.na(y))
      reference_scores(x, y, "lsdf", threads = 1)
    }
  ), sizes = 5, resampling = holdout(2, labelled = 0.5)))
  expect_gt(seen, 0)
  expect_false(anyNA(curve$results$value))
})

test_that("a class of one sample has no hit", {
  p <- margin_problem(3)
  y <- factor(rep(c("a", "b"), c(1, nrow(p$x) - 1)))
  expect_warning(
    withr::with_seed(1, score(p$x, y, "simba")),
    class = "hitmiss_warning_single"
  )
  for (method in setdiff(comparators, "simba")) {
    expect_true(all(is.finite(score(p$x, y, method))), info = method)
  }
})

test_that("constants are last, duplicates alike, and all scores finite", {
  y <- factor(rep(c("a", "b", "c"), c(4, 4, 5)))
  x <- cbind(
    fixed = 0.1, clean = c(0.1, 0.7, 0.3)[y], noise = sin(1:13), zero = 0,
    again = sin(1:13), far = 1e6 + cos(1:13)
  )
  for (method in comparators) {
    found <- withr::with_seed(1, score(x, y, method))
    expect_true(all(is.finite(found)), info = method)
    expect_identical(found[["fixed"]], min(found), info = method)
    expect_identical(found[["zero"]], min(found), info = method)
    expect_equal(found[["noise"]], found[["again"]], info = method)
  }
  constant <- withr::with_seed(1, lapply(comparators, function(method) {
    plain(score(x[, c("fixed", "zero")], y, method))
  }))
  for (scores in constant) expect_identical(scores[[1L]], scores[[2L]])
})

test_that("threads, storage and containers do not matter", {
  array <- withr::with_seed(1, simulate_microarray(genes = 120))
  x <- pmax(round(array$x - 8, 1), 0)
  seeded <- function(x, method, threads = 1) {
    y <- array$y
    if (startsWith(method, "cox")) {
      y <- survival::Surv(seq_along(y), y == levels(y)[[1L]])
    }
    withr::with_seed(1, reference_scores(x, y, method, threads = threads))
  }
  others <- list(frame = as.data.frame(x))
  if (requireNamespace("Matrix", quietly = TRUE)) {
    others$sparse <- Matrix::Matrix(x, sparse = TRUE)
  }
  if (requireNamespace("DelayedArray", quietly = TRUE)) {
    withr::local_options(hitmiss.realise_memory = 0)
    others$delayed <- DelayedArray::DelayedArray(x)
  }
  for (method in eval(formals(reference_scores)$method)) {
    one <- seeded(x, method)
    expect_identical(seeded(x, method, threads = 2), one, info = method)
    for (other in names(others)) {
      expect_identical(
        seeded(others[[other]], method), one,
        info = paste(method, other)
      )
    }
  }
})

test_that("what a method does not use is refused", {
  p <- margin_problem(2)
  refused <- function(arg, ...) expect_refusal(score(p$x, p$y, ...), arg)
  refused("gamma", "spec", gamma = 1)
  refused("gamma", "rfs", gamma = 0)
  refused("style", "laplacian", style = "phi1")
  refused("style", "spec", style = "phi4")
  refused("alpha", "rfs", alpha = 1)
  refused("alpha", "inf_fs", alpha = 1.1)
  refused("tol", "simba", tol = 1)
  refused("max_iter", "simba", max_iter = 3)
  refused("passes", "rfs", passes = 3)
  refused("passes", "simba", passes = 0)
  refused("supervised", "lsdf", supervised = TRUE)
  refused("k", "inf_fs", k = 3)
  refused("n", "lsdf", n = 3)
})

test_that("the paper's Fisher criterion is of two classes", {
  toy <- toy_data(classes = c("a", "b", "c"))
  expect_input_error(
    reference_scores(toy$x, toy$y, "fisher", form = "paper"),
    "defined for two classes"
  )
})
