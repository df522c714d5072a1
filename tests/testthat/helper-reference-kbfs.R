# BFS, semi-BFS and PWFP as they are defined: every pair is a row of Z.
# SPDX-License-Identifier: GPL-3.0-or-later

# Small problems with everything that is awkward: ties, repeated samples, a
# constant feature, classes of one sample, N > J and J >> N.
pair_problem <- function(seed, unlabelled = FALSE) {
  set.seed(seed)
  n <- sample(6:16, 1)
  j <- sample(c(3:8, 20, 60), 1)
  classes <- sample(2:4, 1)
  y <- sample(c(seq_len(classes), 1L, sample(classes, n - classes - 1L, TRUE)))
  x <- matrix(rnorm(n * j), n)
  x[, 1] <- x[, 1] + 2 * (y == 1)
  if (seed %% 3 == 0) x <- round(x)
  if (seed %% 4 == 0) x[, 2] <- 7
  if (seed %% 4 == 1) x[2, ] <- x[1, ]
  if (seed %% 6 == 0) y[y == 2][-1] <- 1
  if (unlabelled) y[sample(which(duplicated(y)), 2)] <- NA
  colnames(x) <- paste0("f", seq_len(j))
  list(x = x, y = factor(y))
}

reference_zscore <- function(x) {
  unname(apply(x, 2, function(v) {
    if (max(v) == min(v)) v * 0 else as.vector(scale(v))
  }))
}

# One row per allowed pair a < b: kernel(x_a, x_b), feature by feature.
reference_pairs <- function(x, kernel, allowed) {
  at <- t(utils::combn(nrow(x), 2))
  at <- at[allowed[at] == 1, , drop = FALSE]
  z <- kernel(x[at[, 1], , drop = FALSE], x[at[, 2], , drop = FALSE])
  list(at = at, z = z)
}

# L = I - D^-1/2 S D^-1/2 of the graph over all pairs.
reference_pair_laplacian <- function(z, neighbours) {
  d <- as.matrix(dist(z))
  keys <- reference_key(d)
  n <- nrow(d)
  near <- matrix(0, n, n)
  for (p in seq_len(n)) {
    near[p, -p] <- reference_shares(keys[p, -p], neighbours)
  }
  s <- exp(-d^2 / stats::weighted.mean(d^2, near)) * (near + t(near) > 0)
  diag(n) - s / sqrt(outer(rowSums(s), rowSums(s)))
}

# Eqs (7) to (9): the alignment of each two features' centred kernel matrices.
reference_alignment <- function(x, kernel) {
  n <- nrow(x)
  centre <- diag(n) - 1 / n
  centred <- apply(x, 2, function(v) {
    centre %*% outer(v, v, kernel) %*% centre
  })
  size <- sqrt(colSums(centred^2))
  flat <- size < 1e-9
  centred[, flat] <- 0
  crossprod(centred) / outer(size + flat, size + flat)
}

# The quadratic program of BFS: mu'H mu - 2 rho'mu + P + lambda 1'mu.
reference_program <- function(x, y, kernel = function(u, v) u * v,
                              redundancy = 0, manifold = 0, neighbours = 5,
                              allowed = near_allowed(nrow(x))) {
  constant <- apply(x, 2, function(v) max(v) == min(v))
  x <- reference_zscore(x)
  pairs <- reference_pairs(x, kernel, allowed)
  a <- as.character(y)[pairs$at[, 1]]
  b <- as.character(y)[pairs$at[, 2]]
  known <- !is.na(a) & !is.na(b)
  z <- pairs$z[known, , drop = FALSE]
  target <- ifelse(a == b, 1, -1)[known]
  h <- crossprod(z)
  if (redundancy > 0) h <- h + redundancy * reference_alignment(x, kernel)
  if (manifold > 0) {
    l <- reference_pair_laplacian(pairs$z, neighbours)
    h <- h + manifold * crossprod(pairs$z, l %*% pairs$z)
  }
  list(
    h = h, rho = as.vector(crossprod(z, target)), p = length(target),
    free = which(!constant)
  )
}

# Coordinate descent finds the support, then the support's equations are
# solved, until the conditions of optimality hold.
reference_solve <- function(program, lambda) {
  h <- program$h
  q <- program$rho - lambda / 2
  mu <- numeric(length(q))
  for (sweep in 1:5000) {
    before <- mu
    for (k in program$free) {
      slope <- q[k] - sum(h[k, ] * mu)
      mu[k] <- max(0, mu[k] + slope / max(h[k, k], 1e-12))
    }
    if (max(abs(mu - before)) < 1e-13 * max(1, mu)) break
  }
  on <- which(mu > 0)
  exact <- tryCatch(solve(h[on, on], q[on]), error = function(e) NULL)
  if (length(on) > 0 && !is.null(exact) && all(exact > 0)) mu[on] <- exact
  mu
}

reference_objective <- function(program, mu, lambda) {
  sum(mu * (program$h %*% mu)) - 2 * sum(program$rho * mu) + program$p +
    lambda * sum(mu)
}

# Largest violation of the optimality conditions, relative to the first lambda.
reference_kkt <- function(program, mu, lambda) {
  c <- program$rho - as.vector(program$h %*% mu)
  off <- setdiff(program$free, which(mu > 0))
  max(
    abs(c - lambda / 2)[mu > 0], c[off] - lambda / 2, 0
  ) / max(program$rho[program$free])
}

# Counts of eqs (5) and (6); ties at the last place share what is left. Scaled
# differences tie if they agree to 2^-36.
reference_pwfp <- function(x, y, fraction, scaled = TRUE,
                           allowed = near_allowed(nrow(x))) {
  if (scaled) x <- reference_zscore(x)
  k <- max(1, round(fraction * ncol(x)))
  counts <- list(within = numeric(ncol(x)), between = numeric(ncol(x)))
  pairs <- c(within = 0, between = 0)
  for (a in seq_len(nrow(x) - 1)) {
    for (b in (a + 1):nrow(x)) {
      if (allowed[a, b] == 0) next
      same <- y[a] == y[b]
      kind <- if (same) "within" else "between"
      d <- abs(x[a, ] - x[b, ])
      if (scaled) d <- round(d * 2^36)
      if (!same) d <- -d
      last <- sort(d)[k]
      share <- (k - sum(d < last)) / sum(d == last)
      counts[[kind]] <- counts[[kind]] + (d < last) + share * (d == last)
      pairs[[kind]] <- pairs[[kind]] + 1
    }
  }
  c(counts, list(pairs = pairs))
}

# Three classes with ten raised genes each, drawn with a seed of its own.
simulate_microarray_for_pairs <- function(n = c(10, 10, 10), genes = 300) {
  set.seed(11)
  simulate_microarray(
    samples = n, genes = genes, relevant = min(10, genes %/% length(n))
  )
}
