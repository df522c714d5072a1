# The definitions of SPEC, trace ratio, LSDF, Inf-FS, RFS and Simba, with all
# their matrices, written as plainly as can be.
# SPDX-License-Identifier: GPL-3.0-or-later

does_not_vary <- function(f) max(f) == min(f)

# Which samples are among the k nearest of the other: 0, 1, or a part of 1 where
# they share a place.
reference_joins <- function(d, k) {
  keys <- reference_key(d)
  n <- nrow(d)
  near <- matrix(0, n, n)
  for (i in seq_len(n)) {
    near[i, -i] <- reference_shares(keys[i, -i], k)
  }
  near
}

reference_spec <- function(x, y, style, supervised) {
  n <- nrow(x)
  s <- if (supervised) {
    outer(y, y, "==") / as.vector(table(y)[y])
  } else {
    d <- reference_distances(x, metric = "euclidean")
    exp(-d^2 / mean(d[upper.tri(d)]^2))
  }
  degree <- diag(rowSums(s))
  root <- sqrt(degree)
  e <- eigen(solve(root) %*% (degree - s) %*% solve(root), symmetric = TRUE)
  lambda <- rev(e$values)
  xi <- e$vectors[, n:1]
  # The first eigenvector by its formula: where 0 is a multiple eigenvalue, any
  # of its vectors could come first.
  first <- diag(root) / sqrt(sum(degree))
  zero <- which(lambda < 1e-9)
  xi[, zero] <- qr.Q(qr(cbind(first, xi[, zero])))[, seq_along(zero)]
  apply(x, 2, function(f) {
    if (does_not_vary(f)) {
      return(if (style == "phi3") 0 else -2)
    }
    a <- drop(t(xi) %*% (root %*% f)) / sqrt(sum((root %*% f)^2))
    switch(style,
      phi1 = -sum(lambda * a^2),
      phi2 = -sum(lambda[-1] * a[-1]^2) / sum(a[-1]^2),
      phi3 = sum(((2 - lambda) * a^2)[2:nlevels(y)])
    )
  })
}

# The best of all subsets of n features, one by one.
reference_trace_ratio <- function(x, y, n, supervised, k) {
  one <- rep(1, nrow(x))
  if (supervised) {
    s <- outer(y, y, "==") / as.vector(table(y)[y])
    within <- diag(one) - s
    between <- s - one %*% t(one) / length(one)
  } else {
    d <- reference_distances(x, metric = "euclidean")
    near <- reference_joins(d, k)
    t <- stats::weighted.mean(d^2, near)
    s <- ifelse(near + t(near) > 0, exp(-d^2 / t), 0)
    degree <- diag(rowSums(s))
    within <- degree - s
    between <- degree - degree %*% one %*% t(one) %*% degree / sum(degree)
  }
  b <- apply(x, 2, function(f) drop(t(f) %*% between %*% f))
  w <- apply(x, 2, function(f) drop(t(f) %*% within %*% f))
  b[apply(x, 2, does_not_vary)] <- 0
  w[apply(x, 2, does_not_vary)] <- 0
  subsets <- utils::combn(ncol(x), min(n, ncol(x)))
  lambda <- max(
    apply(subsets, 2, function(at) sum(b[at]) / sum(w[at])), na.rm = TRUE
  )
  ifelse(
    apply(x, 2, does_not_vary), -lambda, (b - lambda * w) / max(b + w)
  )
}

reference_lsdf <- function(x, y, k, gamma) {
  n <- nrow(x)
  near <- reference_joins(reference_distances(x, metric = "euclidean"), k)
  within <- between <- matrix(0, n, n)
  for (i in seq_len(n)) {
    for (j in seq_len(n)) {
      if (is.na(y[i]) || is.na(y[j])) {
        within[i, j] <- near[i, j] + near[j, i] > 0
      } else if (y[i] == y[j]) {
        within[i, j] <- gamma
      } else {
        between[i, j] <- 1
      }
    }
  }
  laplacian <- function(s) diag(rowSums(s)) - s
  apply(x, 2, function(f) {
    f <- f - mean(f)
    above <- drop(t(f) %*% laplacian(between) %*% f)
    below <- drop(t(f) %*% laplacian(within) %*% f)
    if (below > 1e-9 * sum(f^2)) above / below else if (above > 0) Inf else 0
  })
}

reference_inf_fs <- function(x, alpha) {
  scores <- numeric(ncol(x))
  varies <- !apply(x, 2, does_not_vary)
  x <- x[, varies, drop = FALSE]
  sigma <- apply(x, 2, sd)
  larger <- outer(sigma, sigma, pmax)
  larger <- larger - min(larger)
  if (max(larger) > 0) larger <- larger / max(larger)
  a <- alpha * larger + (1 - alpha) * (1 - abs(cor(x, method = "spearman")))
  radius <- max(abs(eigen(a, symmetric = TRUE, only.values = TRUE)$values))
  one <- diag(ncol(x))
  if (radius > 1e-12) {
    scores[varies] <- rowSums(solve(one - 0.9 / radius * a) - one)
  }
  scores
}

# Algorithm 1 of Nie et al. with A = (X 1 gamma I) and the matrices D.
reference_rfs <- function(x, y, gamma, tol, max_iter) {
  z <- apply(
    x, 2, function(f) if (does_not_vary(f)) 0 * f else (f - mean(f)) / sd(f)
  )
  a <- cbind(z, 1, gamma * diag(nrow(x)))
  d <- diag(ncol(a))
  target <- outer(y, levels(y), "==") + 0
  before <- NULL
  for (iteration in seq_len(max_iter)) {
    # Of u = 1/2, as at the start, 1 / (2 sqrt(u^2 + 1e-12)) is 1.
    if (iteration == 1L) diag(d) <- 1 / (2 * sqrt(0.25 + 1e-12))
    inverse <- solve(d)
    u <- inverse %*% t(a) %*% solve(a %*% inverse %*% t(a)) %*% target
    size <- sqrt(rowSums(u^2))
    diag(d) <- 1 / (2 * sqrt(size^2 + 1e-12))
    weights <- u[seq_len(ncol(x) + 1), , drop = FALSE]
    now <- sum(sqrt(rowSums((cbind(z, 1) %*% weights - target)^2))) +
      gamma * sum(sqrt(rowSums(weights^2)))
    if (!is.null(before) && abs(now / before - 1) <= tol) break
    before <- now
  }
  list(scores = size[seq_len(ncol(x))], iterations = iteration, objective = now)
}

# `visited`: the samples of the steps, in order.
reference_simba <- function(x, y, visited) {
  z <- reference_scale(x)
  w <- rep(1, ncol(x))
  norm <- function(v) sqrt(sum(w^2 * v^2))
  term <- function(v) if (length(v) == 0L || norm(v) == 0) 0 else v^2 / norm(v)
  for (i in visited) {
    distance <- apply(z, 1, function(other) norm(z[i, ] - other))
    key <- reference_key(rbind(distance))[1, ]
    nearest <- function(among) {
      among <- setdiff(which(among), i)
      z[i, ] - z[head(among[order(key[among], among)], 1), ]
    }
    w <- w + (term(nearest(y != y[i])) - term(nearest(y == y[i]))) / 2 * w
  }
  scores <- ifelse(apply(x, 2, does_not_vary), 0, w^2)
  scores / max(scores)
}
