# Hits and misses from equally many candidates: relief() against the plain
# definition, and the expected score of noise.
# SPDX-License-Identifier: GPL-3.0-or-later

balanced <- function(...) suppressWarnings(relief(..., threads = 1))

some_sample_counts <- function(y, block = NULL, group = NULL) {
  allowed <- near_allowed(length(y), block, group) == 1
  same <- outer(y, y, "==")
  any(rowSums(allowed & same) > 0 & rowSums(allowed & !same) > 0)
}

expect_plain <- function(fit, expected, label) {
  expect_lt(max(abs(fit$scores - expected$scores)), 1e-12, label = label)
  if (length(fit$classes) > 2L && fit$parameters$method == "relieff") {
    expect_lt(
      max(abs(fit$class_margins - expected$class_margins)), 1e-12, label = label
    )
  }
}

test_that("scores are those of the plain definition, with all designs", {
  compared <- 0
  seeds <- some_of(1:150)
  for (seed in seeds) {
    p <- margin_problem(seed)
    if (seed %% 4 == 0) p$x <- lose_values(p$x[, 1:3], p$y, seed)
    design <- if (seed %% 3 > 0) near_design(seed, length(p$y), p$y)
    if (!some_sample_counts(p$y, design$block, design$group)) next
    k <- c(1, 2, 3, 10)[seed %/% 3 %% 4 + 1]
    metric <- c("manhattan", "euclidean")[seed %% 2 + 1]
    for (method in c("relieff", "prior", if (!anyNA(p$x)) "relief")) {
      weighting <- if (method == "prior") "prior" else "conditional"
      family <- if (method == "relief") method else "relieff"
      arguments <- list(p$x, p$y, family,
        k = k, metric = metric, block = design$block, group = design$group
      )
      if (method == "prior") arguments$weighting <- "prior"
      expected <- reference_balanced(missing_scale(p$x), p$y, family, k,
        weighting, metric,
        block = design$block, group = design$group
      )
      expect_plain(do.call(balanced, arguments), expected, paste(seed, method))
      compared <- compared + 1
    }
  }
  expect_gt(compared, length(seeds))
})

test_that("so are the times that samples are listed", {
  listed <- NULL
  keep <- function(times) listed <<- times
  core <- asNamespace("hitmiss")
  suppressMessages(trace("inform_hubs", bquote(.(keep)(times)),
    where = core, print = FALSE
  ))
  withr::defer(suppressMessages(untrace("inform_hubs", where = core)))
  seeds <- some_of(1:40)
  compared <- 0
  for (seed in seeds) {
    p <- margin_problem(seed)
    if (seed %% 4 == 0) p$x <- lose_values(p$x[, 1:3], p$y, seed)
    design <- if (seed %% 3 > 0) near_design(seed, length(p$y), p$y)
    if (!some_sample_counts(p$y, design$block, design$group)) next
    for (method in c("relieff", if (!anyNA(p$x)) "relief")) {
      balanced(p$x, p$y, method,
        k = 3, hubs = "centre", block = design$block, group = design$group
      )
      expected <- reference_balanced(missing_scale(p$x), p$y, method, 3,
        hubs = "centre", block = design$block, group = design$group
      )
      off <- max(abs(listed - expected$times_listed))
      expect_lt(off, 1e-12, label = paste(seed, method))
      compared <- compared + 1
    }
  }
  expect_gt(compared, length(seeds) / 2)
})

test_that("so are those of larger problems, whose ranks are in 20 blocks", {
  for (seed in some_of(1:12)) {
    n <- list(c(90, 12), c(60, 9, 50), c(150, 3))[[seed %% 3 + 1]]
    y <- factor(rep(seq_along(n), n))
    x <- withr::with_seed(seed, cbind(
      matrix(rnorm(sum(n) * 4), ncol = 4), rbinom(sum(n), 1, 0.3)
    ))
    if (seed %% 2 == 0) x[, 1:4] <- round(x[, 1:4])
    group <- if (seed %% 4 == 1) {
      paste(withr::with_seed(seed, sample(sum(n) %/% 2, sum(n), TRUE)), y)
    }
    if (seed %% 4 == 3) x[withr::with_seed(seed, runif(length(x))) < 0.1] <- NA
    colnames(x) <- letters[1:5]
    expected <- reference_balanced(missing_scale(x), y, k = 5, group = group)
    fit <- balanced(x, y, k = 5, group = group)
    expect_plain(fit, expected, seed)
    some <- withr::with_seed(seed, balanced(x, y,
      k = 5, group = group, samples = 20
    ))
    expect_false(identical(some$scores, fit$scores))
    expect_identical(
      balanced(x, y, k = 5, group = group, samples = 1000)$scores, fit$scores
    )
    two <- suppressWarnings(relief(x, y, k = 5, group = group, threads = 2))
    expect_identical(two$scores, fit$scores)
    if (!anyNA(x)) {
      sparse <- balanced(Matrix::Matrix(x, sparse = TRUE), y,
        k = 5, group = group
      )
      expect_lt(max(abs(sparse$scores - fit$scores)), 1e-13)
    }
  }
})

test_that("reference samples have the margins that they have among all", {
  x <- toy_data(n = 13L)$x
  y <- rep(c("a", "b"), c(4, 9))
  margins <- reference_balanced(missing_scale(x), factor(y), k = 3)$margins
  # The parts of the score of two of class a, and of four of class b.
  part <- function(rows, m) {
    utils::combn(rows, m, \(i) length(rows) / 13 * colMeans(margins[i, ]))
  }
  a <- part(1:4, 2)
  b <- part(5:13, 4)
  for (seed in 1:5) {
    scores <- withr::with_seed(seed, balanced(x, y, k = 3, samples = 6))$scores
    off <- apply(a, 2L, \(one) min(apply(abs(b + one - scores), 2L, max)))
    expect_lt(min(off), 1e-12)
  }
})

test_that("a class of one sample is compared, but has no margin", {
  p <- toy_data(n = 30L)
  y <- factor(c("c", as.character(p$y[-1L])))
  expect_warning(
    fit <- relief(p$x, y, threads = 1), "no\\s+margin",
    class = "hitmiss_warning_single"
  )
  expect_plain(fit, reference_balanced(missing_scale(p$x), y), "single")
  expect_input_error(relief(p$x[1:2, ], c("a", "b"), threads = 1))
  paper <- suppressWarnings(relief(p$x[1:2, ], c("a", "b"),
    control = list(balance = FALSE), threads = 1
  ))
  expect_identical(
    unname(paper$scores), as.numeric(p$x[1, ] != p$x[2, ])
  )
})

test_that("every labelling of eight samples: the mean score is 0", {
  x <- withr::with_seed(1, cbind(
    rnorm(8), rbinom(8, 1, 0.3), round(rnorm(8)), rexp(8), rnorm(8)
  ))
  x[8, ] <- x[7, ]
  gaps <- x[, c(1, 4, 5)]
  gaps[cbind(c(1, 4, 6, 2), c(1, 1, 2, 2))] <- NA
  mean_score <- function(x, labels, ...) {
    scores <- apply(labels, 2L, \(y) balanced(x, y, ...)$scores)
    expect_gt(mean(abs(scores)), 1e-3)
    max(abs(rowMeans(scores)))
  }
  two <- apply(utils::combn(8, 3), 2L, \(a) ifelse(1:8 %in% a, "a", "b"))
  three <- do.call(cbind, apply(two, 2L, function(y) {
    apply(utils::combn(which(y == "b"), 2), 2L, \(c) replace(y, c, "c"))
  }, simplify = FALSE))
  for (k in 1:2) {
    expect_lt(mean_score(x, two, k = k), 1e-15)
    expect_lt(mean_score(x, two, k = k, metric = "euclidean"), 1e-15)
    expect_lt(mean_score(gaps, two, k = k), 1e-15)
  }
  expect_lt(mean_score(x, three, k = 1), 1e-15)
  expect_lt(mean_score(x, three, k = 2, weighting = "prior"), 1e-15)
  expect_lt(mean_score(x, three, "relief", k = 2), 1e-15)
  # The k nearest: a two-peaked feature has a score of its own.
  expect_gt(
    mean_score(x, two, k = 2, control = list(balance = FALSE)), 0.01
  )
  # Labels of groups of unlike sizes, and labels within blocks.
  group <- rep(1:8, c(1, 2, 3, 1, 2, 3, 2, 2))
  many <- x[group, ] + withr::with_seed(2, matrix(rnorm(80, sd = 0.1), 16))
  expect_lt(mean_score(many, two[group, ], k = 2, group = group), 1e-15)
  within <- do.call(cbind, lapply(1:4, function(i) {
    apply(utils::combn(4, 2), 2L, function(j) {
      ifelse(1:8 %in% c(i, 4 + j), "a", "b")
    })
  }))
  expect_lt(mean_score(x, within, k = 2, block = rep(1:2, each = 4)), 1e-15)
})

test_that("permuted labels: noise of any spread scores 0 on average", {
  in_errors <- function(n, sizes, times, block = NULL, missing = FALSE, ...) {
    of <- c(rep(1, 10), rep(0.3, 10), rep(3, 10))
    x <- withr::with_seed(7, cbind(
      matrix(rnorm(30 * n), n) * rep(of, each = n),
      matrix(rbinom(10 * n, 1, 0.3), n)
    ))
    if (missing) {
      rate <- rep(c(0.1, 0.4), length.out = 40)
      x[withr::with_seed(8, runif(length(x))) < rep(rate, each = n)] <- NA
    }
    y <- rep(seq_along(sizes), sizes)
    scores <- vapply(seq_len(times), function(seed) {
      permuted <- withr::with_seed(seed, if (is.null(block)) {
        sample(y)
      } else {
        ave(rep_len(y, n), block, FUN = sample)
      })
      balanced(x, factor(permuted), block = block, ...)$scores
    }, numeric(40))
    t <- function(v) mean(v) / (sd(v) / sqrt(times))
    c(max(abs(apply(scores, 1L, t))), abs(t(colMeans(scores))))
  }
  cases <- list(
    list(100, c(50, 50)), list(100, c(80, 20)), list(200, c(190, 10)),
    list(200, c(196, 4)), list(120, c(80, 30, 10)),
    list(120, c(25, 5), block = rep(1:4, each = 30)),
    list(150, c(130, 20), missing = TRUE),
    list(100, c(90, 10), metric = "euclidean")
  )
  for (case in cases) {
    off <- do.call(in_errors, append(case, list(times = 150), 2L))
    expect_lt(off[[1L]], 4.5)
    expect_lt(off[[2L]], 3)
  }
})

test_that("control is checked, the preset of the papers has the k nearest", {
  p <- toy_data(n = 30L)
  expect_input_error(relief(p$x, p$y, control = list(balance = 1)))
  expect_input_error(relief(p$x, p$y, control = list(balanced = TRUE)))
  expect_input_error(relief(p$x, p$y, control = TRUE))
  expect_input_error(relief(p$x, p$y, "map", control = list(balance = FALSE)))
  expect_identical(
    relief(p$x, p$y, preset = "paper", threads = 1)$parameters$control,
    list(balance = FALSE)
  )
  expect_null(balanced(p$x, p$y, "map")$parameters$control)
})

test_that("print() says how many neighbours classes of unlike size have", {
  p <- withr::with_seed(1, simulate_microarray(c(180, 20), 30))
  expect_output(
    print(relief(p$x, p$y, threads = 1)),
    "k = 10: 4 for classes of 20 and 180", fixed = TRUE
  )
  expect_output(
    print(relief(p$x, p$y, "relief", k = 5, threads = 1)),
    "k = 5: 2 for classes of 20 and 180", fixed = TRUE
  )
  same <- withr::with_seed(1, simulate_microarray(c(60, 60), 30))
  shown <- utils::capture.output(print(relief(same$x, same$y, threads = 1)))
  expect_no_match(shown, "for classes of")
})
