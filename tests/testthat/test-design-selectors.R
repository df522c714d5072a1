# block and group in the selectors other than relief()'s nearest rules: the
# plain definition with a 0/1 matrix of allowed pairs.
# SPDX-License-Identifier: GPL-3.0-or-later

quietly <- function(fit) {
  suppressWarnings(fit,
    classes = c("hitmiss_warning_alone", "hitmiss_warning_single")
  )
}

# Problems of `make`, with a design and its 0/1 matrix, in which some samples of
# different classes may be compared. Every third has blocks, groups, both.
designed <- function(make, seeds) {
  problems <- lapply(seeds, function(seed) {
    p <- make(seed)
    n <- length(p$y)
    c(p, near_design(seed, n, p$y), list(n = n, seed = seed)) |>
      (\(p) c(p, list(allowed = near_allowed(n, p$block, p$group))))()
  })
  fit <- Filter(function(p) {
    any(outer(p$y, p$y, "!=") & p$allowed == 1, na.rm = TRUE) &&
      leaves_hits(p$y, p$block, p$group)
  }, problems)
  expect_gt(length(fit), length(seeds) / 2)
  fit
}

fit_designed <- function(p, selector, ...) {
  quietly(selector(
    p$x, p$y, ..., block = p$block, group = p$group, threads = 1
  ))
}

test_that("P-Relief counts allowed pairs", {
  problems <- designed(margin_problem, some_of(1:60))
  for (p in problems) {
    self <- p$seed %% 2 == 0
    fit <- fit_designed(p, relief, "parzen", bandwidth = 0.1, self = self)
    expected <- reference_parzen(p$x, p$y, 0.1, self, p$allowed)
    expect_equal(unname(fit$scores), unname(expected),
      tolerance = 1e-12, info = p$seed
    )
  }
})

test_that("P-Relief counts allowed pairs of many samples, many of them equal", {
  p <- withr::with_seed(1, list(
    x = cbind(runif(300), rnorm(300), sample(0:9, 300, TRUE)),
    y = factor(sample(3, 300, TRUE)),
    block = sample(2, 300, TRUE), group = NULL
  ))
  allowed <- 1 * outer(p$block, p$block, "==")
  diag(allowed) <- 0
  for (self in c(FALSE, TRUE)) {
    fit <- fit_designed(p, relief, "parzen", bandwidth = 0.1, self = self)
    expect_equal(unname(fit$scores),
      reference_parzen(p$x, p$y, 0.1, self, allowed),
      tolerance = 1e-12
    )
  }
})

test_that("I-Relief and LOGO end where the plain step does not move", {
  problems <- designed(margin_problem, some_of(1:55))
  ended <- vapply(problems, function(p) {
    soft <- suppressWarnings(fit_designed(p, relief, "irelief"))
    if (soft$report$status == "converged") {
      w <- unname(coef(soft))
      step <- reference_irelief(p$x, p$y, w, 2, p$allowed)
      expect_lt(sqrt(sum((step - w)^2)), 2e-6)
    }
    lambda <- c(0.3, 1)[p$seed %% 2 + 1]
    fit <- suppressWarnings(
      fit_designed(p, logo, lambda = lambda, tol = 1e-6, max_iter = 300)
    )
    expect_lt(fit$report$kkt, 1e-9)
    if (fit$report$status == "converged") {
      w <- unname(coef(fit))
      step <- reference_logo_step(p$x, p$y, w, 2, lambda, p$allowed)$weights
      x <- reference_scale(p$x)
      expect_lt(
        max(abs(reference_distances(x, step) - reference_distances(x, w))),
        2e-6 * max(1, sqrt(sum(w^2))) * ncol(x),
        label = paste("seed", p$seed)
      )
    }
    c(soft$report$status, fit$report$status)
  }, character(2))
  expect_gte(mean(ended == "converged"), 0.9)
})

test_that("PWFP counts allowed pairs", {
  problems <- designed(pair_problem, some_of(1:70))
  compared <- vapply(problems, function(p) {
    hits <- outer(p$y, p$y, "==") & p$allowed == 1
    if (!any(hits)) {
      expect_input_error(fit_designed(p, pwfp))
      return(FALSE)
    }
    fit <- fit_designed(p, pwfp, fraction = 0.3)
    expected <- reference_pwfp(p$x, p$y, 0.3, allowed = p$allowed)
    expect_equal(unname(fit$within), expected$within, tolerance = 1e-12)
    expect_equal(unname(fit$between), expected$between, tolerance = 1e-12)
    expect_equal(fit$pairs, expected$pairs)
    TRUE
  }, NA)
  expect_gt(mean(compared), 0.5)
})

test_that("BFS and semi-BFS sum over allowed pairs", {
  square <- function(u, v) (u * v + 1)^2
  for (manifold in c(0, 2)) {
    problems <- designed(function(seed) {
      pair_problem(seed, unlabelled = manifold > 0)
    }, some_of(1:70))
      for (p in problems) {
      program <- reference_program(p$x, p$y, square,
        redundancy = 3 * (p$seed %% 2), manifold = manifold,
        allowed = p$allowed
      )
      top <- 2 * max(program$rho[program$free])
      if (top <= 0) next
      fit <- fit_designed(p, kbfs,
        kernel = "polynomial", degree = 2, offset = 1, lambda = 0.1 * top,
        redundancy = 3 * (p$seed %% 2), manifold = manifold
      )
      mu <- unname(fit$scores)
      expect_lt(reference_kkt(program, mu, 0.1 * top), 1e-9)
    }
  }
})

test_that("a representative of LLFS sees the samples it may be compared with", {
  beta <- seq(0, 1, by = 0.05)
  problems <- designed(llfs_problem, some_of(1:80))
  idle <- 0
  for (p in problems) {
    alpha <- c(2, 3, 10)[[p$seed %% 3L + 1L]]
    set.seed(p$seed)
    fit <- suppressWarnings(fit_designed(p, llfs, alpha = alpha))
    subsets <- apply(as.matrix(subsets_of(fit)), 2L, which, simplify = FALSE)
    z <- ref_scale(p$x)
    varies <- apply(z, 2L, function(v) any(v != 0))
    for (i in some_of(seq_along(p$y))) {
      seen <- sort(c(i, which(p$allowed[i, ] == 1)))
      label <- as.integer(p$y)[seen]
      place <- match(i, seen)
      if (all(label == label[[place]])) {
        idle <- idle + 1
        expect_length(subsets[[i]], 0)
        next
      }
      path <- solved_path(p$x, p$y, i, alpha, block = p$block, group = p$group)
      program <- ref_program(
        z[seen, , drop = FALSE], label, place, alpha, varies
      )
      expect_equal(path$sigma, program$sigma, tolerance = 1e-10)
      bounds <- ref_eps_max(program)
      expect_gte(path$eps_max, bounds[[1L]] * (1 - 1e-6))
      expect_lte(path$eps_max, bounds[[2L]] * (1 + 1e-6))
      some <- which(lengths(path$sets) > 0L)
      sets <- lapply(path$sets[some], as.integer)
      f <- vapply(sets, function(s) as.numeric(seq_len(ncol(z)) %in% s), z[1, ])
      f <- matrix(f, ncol(z))
      expect_true(all(
        apply(f, 2L, ref_u2, p = program) >= beta[some] * path$eps_max - 2e-9
      ))
      expect_equal(path$objective[some], apply(f, 2L, ref_u1, p = program),
        tolerance = 1e-10
      )
      kept <- ref_choice(z[seen, , drop = FALSE], label, place, sets, 0.2,
        allowed = p$allowed[seen, seen]
      )
      expect_identical(unname(subsets[[i]]), sets[[kept]])
      radius <- ref_radius(
        z[seen, , drop = FALSE], label, place, sets[[kept]], 0.2
      )
      expect_equal(fit$local$radius[[i]], radius, tolerance = 1e-9)
      expect_equal(fit$local$score[[i]],
        ref_score(z[seen, , drop = FALSE], label, place, sets[[kept]], radius,
          allowed = p$allowed[seen, seen]
        ),
        tolerance = 1e-12
      )
    }
  }
  expect_gt(idle, 0)
})

selectors_with_designs <- list(
  parzen = function(...) relief(..., method = "parzen"),
  irelief = function(...) relief(..., method = "irelief"),
  logo = logo, pwfp = pwfp, kbfs = kbfs,
  semi = function(...) kbfs(..., manifold = 1),
  llfs = function(...) withr::with_seed(1, llfs(..., alpha = 3))
)

test_that("a design that restricts nothing gives the bits of a fit with none", {
  for (seed in some_of(1:12)) {
    p <- margin_problem(seed)
    n <- length(p$y)
    for (name in names(selectors_with_designs)) {
      fit <- function(...) {
        suppressWarnings(
          selectors_with_designs[[name]](p$x, p$y, ..., threads = 1)
        )
      }
      plain <- fit()
      free <- fit(block = rep("all", n), group = sample(n))
      expect_identical(free$scores, plain$scores, label = name)
      expect_identical(free$local, plain$local, label = name)
    }
  }
})

test_that("no allowed pair of two classes is refused; threads change no bit", {
  data <- toy_data(n = 30L, noise = 40L)
  group <- rep(1:15, 2)
  block <- rep(c("a", "a", "b"), 10)
  for (name in names(selectors_with_designs)) {
    selector <- selectors_with_designs[[name]]
    expect_input_error(selector(data$x, data$y, block = data$y, threads = 1))
    fit <- function(threads) {
      suppressWarnings(selector(data$x, data$y,
        block = block, group = group, threads = threads
      ))
    }
    one <- fit(1)
    two <- fit(2)
    expect_identical(one$scores, two$scores, label = name)
    expect_identical(
      one$parameters[c("block", "group")], list(block = 2L, group = 15L)
    )
  }
  expect_refusal(
    reference_scores(data$x, data$y, block = block), "block"
  )
})
