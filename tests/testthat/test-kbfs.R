# SPDX-License-Identifier: GPL-3.0-or-later

kernels <- list(
  linear = list(
    args = list(kernel = "linear"), value = function(u, v) u * v
  ),
  square = list(
    args = list(kernel = "polynomial", degree = 2, offset = 1),
    value = function(u, v) (u * v + 1)^2
  ),
  cube = list(
    args = list(kernel = "polynomial", degree = 3, offset = 0.5),
    value = function(u, v) (u * v + 0.5)^3
  ),
  plain_square = list(
    args = list(kernel = "polynomial", degree = 2, offset = 0),
    value = function(u, v) (u * v)^2
  ),
  gaussian = list(
    args = list(kernel = "gaussian", width = 0.8),
    value = function(u, v) exp(-(u - v)^2 / (2 * 0.8^2))
  )
)

fit_quietly <- function(problem, ...) {
  suppressWarnings(
    kbfs(problem$x, problem$y, ..., threads = 1),
    classes = "hitmiss_warning_single"
  )
}

# The fit solves the program that the explicit pairs define.
expect_solves <- function(fit, program, lambda, tolerance = 1e-9) {
  mu <- unname(fit$scores)
  expect_lt(reference_kkt(program, mu, lambda), tolerance)
  expected <- reference_solve(program, lambda)
  scale <- max(reference_objective(program, 0 * mu, lambda), 1)
  expect_lte(
    reference_objective(program, mu, lambda),
    reference_objective(program, expected, lambda) + 1e-10 * scale
  )
  on <- which(expected > 0 | mu > 0)
  unique <- length(on) == 0 ||
    rcond(program$h[on, on, drop = FALSE]) > 1e-9
  if (unique && reference_kkt(program, expected, lambda) < 1e-12) {
    expect_equal(mu, expected, tolerance = tolerance)
  }
}

test_that("solutions agree with explicit pairs", {
  for (seed in some_of(1:75)) {
    problem <- pair_problem(seed)
    kernel <- kernels[[1 + seed %% length(kernels)]]
    redundancy <- if (seed %% 10 < 5) 30 else 0 # each kernel with and without
    program <- reference_program(
      problem$x, problem$y, kernel$value,
      redundancy = redundancy
    )
    top <- 2 * max(program$rho[program$free])
    if (top <= 0) next
    for (share in c(0.5, 0.1, 0.02)) {
      fit <- do.call(fit_quietly, c(
        list(problem, lambda = share * top, redundancy = redundancy),
        kernel$args
      ))
      expect_solves(fit, program, share * top)
      expect_lt(fit$report$kkt, 1e-6)
      expect_lt(fit$report$gap, 1e-6)
      expect_equal(tail(fit$path$objective, 1),
        reference_objective(program, fit$scores, share * top),
        tolerance = 1e-9
      )
    }
  }
})

test_that("without room for Gram columns the solution is the same", {
  for (seed in some_of(1:20)) {
    problem <- pair_problem(seed)
    kernel <- kernels[[1 + seed %% length(kernels)]]
    args <- c(list(problem, n = 8, redundancy = 2), kernel$args)
    kept <- do.call(fit_quietly, args)
    free <- do.call(fit_quietly, c(args, list(control = list(gram_memory = 0))))
    expect_equal(free$scores, kept$scores, tolerance = 1e-9)
    expect_equal(free$path, kept$path, tolerance = 1e-9)
  }
})

test_that("semi-BFS agrees with explicit pairs", {
  for (seed in some_of(1:50)) {
    problem <- pair_problem(seed, unlabelled = TRUE)
    kernel <- kernels[[1 + seed %% length(kernels)]]
    redundancy <- if (seed %% 8 < 4) 10 else 0
    manifold <- c(0, 0.1, 2)[1 + seed %% 3]
    program <- reference_program(
      problem$x, problem$y, kernel$value,
      redundancy = redundancy, manifold = manifold, neighbours = 3
    )
    top <- 2 * max(program$rho[program$free])
    if (top <= 0) next
    args <- c(
      list(problem, redundancy = redundancy), kernel$args,
      if (manifold > 0) list(manifold = manifold, k = 3)
    )
    for (share in c(0.5, 0.1, 0.02)) {
      fit <- do.call(fit_quietly, c(args, lambda = share * top))
      expect_solves(fit, program, share * top, 1e-8)
      expect_lt(fit$report$kkt, 1e-6)
      expect_lt(fit$report$gap, 1e-6)
    }
  }
})

test_that("every point of a path is optimal, also among near copies", {
  toy <- simulate_microarray_for_pairs()
  set.seed(2)
  x <- cbind(toy$x, toy$x + 1e-3 * rnorm(length(toy$x)), toy$x[, 1:20])
  colnames(x) <- NULL
  y <- toy$y
  y[c(1, 11, 21)] <- NA
  for (manifold in c(0, 1)) {
    for (redundancy in c(0, 50)) {
      fit <- kbfs(x, y,
        n = 300, redundancy = redundancy, manifold = manifold,
        threads = 2
      )
      expect_identical(fit$report$status, "converged")
      expect_lt(fit$report$kkt, 1e-6)
      expect_lt(max(fit$path$gap), 1e-6)
      program <- reference_program(x, y,
        redundancy = redundancy, manifold = manifold
      )
      # Solved anew at points of the path, the objective is the same.
      for (at in c(5, nrow(fit$path) %/% 2, nrow(fit$path))) {
        lambda <- fit$path$lambda[[at]]
        there <- kbfs(x, y,
          lambda = lambda, redundancy = redundancy, manifold = manifold,
          threads = 1
        )
        expect_lt(reference_kkt(program, unname(there$scores), lambda), 1e-8)
        expect_equal(fit$path$objective[[at]],
          reference_objective(program, there$scores, lambda),
          tolerance = 1e-9
        )
      }
    }
  }
})

test_that("the path stops at the wanted number, and ranks as promised", {
  withr::local_seed(1)
  toy <- simulate_microarray_for_pairs()
  fit <- kbfs(toy$x, toy$y, n = 15, threads = 1)
  path <- fit$path
  expect_named(path, c("lambda", "active", "objective", "gap"))
  expect_true(all(path$active[-nrow(path)] < 15))
  expect_gte(tail(path$active, 1), 15)
  expect_equal(path$lambda / path$lambda[1],
    10^(-3 * (seq_len(nrow(path)) - 1) / 59),
    tolerance = 1e-12
  )
  expect_equal(sum(fit$scores > 0), tail(path$active, 1))
  expect_false(is.unsorted(-fit$scores[fit$ranking]))
  expect_equal(sort(fit$ranking), seq_along(fit$scores))
  expect_identical(fit$selected, names(fit$scores)[fit$ranking[
    seq_len(tail(path$active, 1))
  ]])
  expect_equal(fit$n_ranked, sum(!is.na(fit$entry)))
  # Off the support the order is that of Z'T.
  program <- reference_program(toy$x, toy$y)
  rest <- fit$ranking[fit$scores[fit$ranking] == 0]
  expect_false(is.unsorted(-signif(program$rho[rest], 10)))

  entry <- kbfs(toy$x, toy$y, n = 15, rank_by = "entry", threads = 1)
  longer <- kbfs(toy$x, toy$y, n = 30, rank_by = "entry", threads = 1)
  expect_identical(entry$scores, fit$scores)
  expect_false(is.unsorted(entry$entry[entry$ranking], na.rm = TRUE))
  same <- seq_len(entry$n_ranked)
  expect_identical(entry$ranking[same], longer$ranking[same])
})

test_that("bits do not depend on threads, nor values on the instruction set", {
  withr::local_seed(1)
  toy <- simulate_microarray_for_pairs(genes = 5000)
  y <- toy$y
  y[c(1, 11, 21)] <- NA
  what <- c("scores", "ranking", "entry", "path")
  for (manifold in c(0, 1)) {
    fits <- lapply(1:3, function(threads) {
      kbfs(toy$x, y, manifold = manifold, redundancy = 1, threads = threads)
    })
    expect_identical(fits[[2]][what], fits[[1]][what])
    expect_identical(fits[[3]][what], fits[[1]][what])
    for (path in cpp_simd_levels()) {
      forced <- local({
        old <- options(hitmiss.simd = path)
        on.exit(options(old))
        kbfs(toy$x, y, manifold = manifold, redundancy = 1, threads = 2)
      })
      expect_equal(forced$scores, fits[[1]]$scores, tolerance = 1e-9)
      expect_identical(forced$selected, fits[[1]]$selected)
    }
  }
})

test_that("a sample of the pairs is drawn from R's stream, and only then", {
  toy <- simulate_microarray_for_pairs(genes = 60)
  set.seed(4)
  before <- .Random.seed
  kbfs(toy$x, toy$y, manifold = 1, max_pairs = 435, threads = 1)
  expect_identical(.Random.seed, before)
  draw <- function(seed) {
    set.seed(seed)
    kbfs(toy$x, toy$y, manifold = 1, max_pairs = 300, threads = 1)$scores
  }
  expect_identical(draw(1), draw(1))
  expect_false(identical(draw(1), draw(2)))
  large <- simulate_microarray_for_pairs(n = c(80, 80), genes = 20)
  expect_input_error(kbfs(large$x, large$y, manifold = 1), "max_pairs")
  fit <- kbfs(large$x, large$y, manifold = 1, max_pairs = 500, threads = 1)
  expect_lt(fit$report$kkt, 1e-6)
})

test_that("the graph of a sample of the pairs is scaled up to all pairs", {
  y <- factor(c("a", "a", "b", "b", "b"))
  samples <- utils::combn(10, 4)
  drawn <- vapply(1:4, function(seed) {
    set.seed(seed)
    x <- matrix(rnorm(5 * 8), 5)
    program <- reference_program(x, y)
    z <- reference_pairs(
      reference_zscore(x), kernels$linear$value, near_allowed(5)
    )$z
    lambda <- 0.04 * max(program$rho)
    fit <- kbfs(x, y,
      lambda = lambda, manifold = 1, k = 2, max_pairs = 4, threads = 1
    )
    # Which 4 of the 10 pairs were drawn is not told: one sample must fit.
    kkt <- apply(samples, 2, function(rows) {
      z <- z[rows, ]
      graph <- crossprod(z, reference_pair_laplacian(z, 2) %*% z)
      scaled_up <- program
      scaled_up$h <- program$h + 10 / 4 * graph
      reference_kkt(scaled_up, fit$scores, lambda)
    })
    expect_lt(min(kkt), 1e-8)
    expect_gt(sort(kkt)[[2L]], 1e-4)
    which.min(kkt)
  }, 0L)
  expect_gt(length(unique(drawn)), 1)
})

test_that("unlabelled samples enter the scaling only, without a graph", {
  problem <- pair_problem(7, unlabelled = TRUE)
  known <- !is.na(problem$y)
  scaled <- reference_zscore(problem$x)
  fit <- kbfs(problem$x, problem$y, threads = 1)
  alone <- kbfs(scaled[known, ], problem$y[known], scale = "none", threads = 1)
  expect_equal(unname(fit$scores), unname(alone$scores), tolerance = 1e-10)
  expect_length(predict(fit, problem$x), nrow(problem$x))
})

test_that("nothing to select is no error", {
  set.seed(1)
  x <- cbind(a = rep(1, 12), b = rep(c(1, -1), 6))
  y <- rep(c("u", "u", "v", "v"), 3)
  fit <- kbfs(x, y, threads = 1)
  expect_identical(fit$selected, character(0))
  expect_identical(fit$report$status, "converged")
  expect_identical(fit$ranking, 2:1)
})

test_that("bad arguments are named", {
  toy <- pair_problem(1)
  wrong <- function(...) {
    tryCatch(kbfs(toy$x, toy$y, ...),
      hitmiss_error_input = function(e) e$arg
    )
  }
  expect_identical(wrong(lambda = -1), "lambda")
  expect_identical(wrong(n = 0), "n")
  expect_identical(wrong(kernel = "sigmoid"), "kernel")
  expect_identical(wrong(degree = 3), "degree")
  expect_identical(wrong(kernel = "gaussian", offset = 3), "offset")
  expect_identical(wrong(kernel = "gaussian", width = 0), "width")
  expect_identical(wrong(kernel = "polynomial", width = 3), "width")
  expect_identical(wrong(k = 3), "k")
  expect_identical(wrong(redundancy = NA), "redundancy")
  expect_identical(wrong(max_pairs = 1, manifold = 1), "max_pairs")
  expect_identical(wrong(control = list(gram = 1)), "control")
})

test_that("a graph of which too many distances tie is refused", {
  x <- matrix(rep_len(0:1, 4200), dimnames = list(NULL, "g"))
  y <- factor(rep_len(c("a", "b", "b"), 4200))
  too_many <- function(code) {
    e <- expect_error(code, class = "hitmiss_error_memory")
    expect_match(conditionMessage(e), "too many distances tie")
    expect_match(conditionMessage(e), "max_pairs")
  }
  some <- 1:150
  # The 8,000 products take three values: 12 million edges join equal ones.
  too_many(kbfs(x[some, , drop = FALSE], y[some], manifold = 1,
                max_pairs = 8000))
  expect_no_error(kbfs(x[some, , drop = FALSE], y[some], manifold = 1,
                       max_pairs = 1000))
  x[] <- rep(c(0, 1), c(4199, 1))
  too_many(reference_scores(x, y, "laplacian", supervised = FALSE))
})

test_that("Gram columns that outgrow the data lie in a file: the same bits", {
  skip_on_cran()
  data <- toy_data(n = 20L, noise = 40000L)
  problem <- as_problem(data$x, data$y)
  gram <- 250 * 8 * length(problem$features)
  expect_type(
    own_scratch(problem, gram, max(data_bytes(problem), 2^26)), "character"
  )
  expect_null(own_scratch(problem, gram))
  filed <- fit_quietly(data, n = 12)
  held <- fit_quietly(data,
    n = 12, control = list(gram_memory = 60)
  )
  same <- setdiff(names(filed), c("parameters", "report", "call"))
  expect_identical(filed[same], held[same])
  expect_identical(filed$report$objective, held$report$objective)
})
