# The definitions of LOGO and the Relief family, written as plainly as can be.
# SPDX-License-Identifier: GPL-3.0-or-later

# Small problems with everything that is awkward: ties, repeated samples and
# features, a constant feature, classes of one sample, N > J and J >> N.
margin_problem <- function(seed) {
  set.seed(seed)
  n <- sample(8:30, 1)
  j <- sample(c(3:8, 40, 120), 1)
  classes <- sample(2:5, 1)
  y <- sample(c(seq_len(classes), sample(classes, n - classes, TRUE)))
  x <- matrix(rnorm(n * j), n)
  if (seed %% 3 == 0) x <- round(x)
  if (seed %% 4 == 0) x[, 2] <- 7
  if (seed %% 5 == 0) x[, 3] <- x[, 1]
  if (seed %% 4 == 1) x[2, ] <- x[1, ]
  x[, 1] <- x[, 1] + y
  if (seed %% 6 == 0) y[y == 1][-1] <- 2
  colnames(x) <- paste0("f", seq_len(j))
  list(x = x, y = factor(y))
}

reference_scale <- function(x) {
  apply(x, 2, function(v) {
    if (max(v) == min(v)) v * 0 else (v - min(v)) / (max(v) - min(v))
  })
}

reference_distances <- function(x, w = rep(1, ncol(x)), metric = "manhattan") {
  n <- nrow(x)
  d <- matrix(0, n, n)
  for (a in seq_len(n)) {
    for (b in seq_len(n)) {
      d[a, b] <- if (metric == "manhattan") {
        sum(w * abs(x[a, ] - x[b, ]))
      } else {
        sqrt(sum(w * (x[a, ] - x[b, ])^2))
      }
    }
  }
  d
}

# Distances to 30 binary digits: rounding noise does not break ties.
reference_key <- function(d) {
  digits <- floor(log2(d))
  ifelse(d > 0, round(d / 2^digits * 2^30) * 2^(digits - 30), 0)
}

# Keys of the order of each row's neighbours, by distance less the mean distance
# (or its square) of the column's sample to those that it may be compared with.
reference_order <- function(d, metric, hubs, allowed = near_allowed(nrow(d))) {
  if (hubs == "none") {
    return(reference_key(d))
  }
  if (metric == "euclidean") d <- d^2
  means <- vapply(seq_len(nrow(d)), function(i) {
    others <- allowed[i, ] == 1
    if (any(others)) mean(d[i, others]) else 0
  }, 0)
  reference_key(d + 2 * max(means) - rep(means, each = nrow(d)))
}

usual_hubs <- function(method) if (method == "relieff") "centre" else "none"

# Of the k nearest, the part of a place that each has: 1 for those nearer than
# the k-th; those that are as near as it share the places that are left.
reference_shares <- function(keys, k) {
  places <- min(k, length(keys))
  if (places == 0L) {
    return(keys)
  }
  last <- sort(keys)[[places]]
  left <- (places - sum(keys < last)) / sum(keys == last)
  (keys < last) + left * (keys == last)
}

# The class with most votes: of equal ones that of the nearest, and of equally
# near ones the first.
reference_winner <- function(share, keys, y) {
  votes <- tapply(share, y, sum, default = 0)
  tied <- names(votes)[votes > max(votes) - 1e-9]
  nearest <- tapply(ifelse(share > 0, keys, Inf), y, min, default = Inf)
  tied[[which.min(nearest[tied])]]
}

# Mean |difference| to the k nearest of `among`; zeros if there is none.
reference_near <- function(x, keys, n, among, k) {
  if (length(among) == 0L) {
    return(rep(0, ncol(x)))
  }
  share <- reference_shares(keys[n, among], k)
  apart <- abs(x[among, , drop = FALSE] - rep(x[n, ], each = length(among)))
  colSums(share * apart) / sum(share)
}

reference_parzen <- function(x, y, bandwidth, self,
                             allowed = near_allowed(length(y))) {
  x <- reference_scale(x)
  y <- as.integer(y) # comparing factors would take half of the tests' time
  apply(x, 2, function(v) {
    if (all(v == 0)) {
      return(0)
    }
    k <- exp(-outer(v, v, "-")^2 / (2 * bandwidth^2))
    mean(vapply(seq_along(v), function(n) {
      hits <- c(which(y == y[n] & allowed[n, ] == 1), if (self) n)
      misses <- which(y != y[n] & allowed[n, ] == 1)
      hit <- if (length(hits) > 0L) mean(k[n, hits]) else 0
      if (length(misses) > 0L) hit - mean(k[n, misses]) else NA
    }, 0), na.rm = TRUE)
  })
}

# Expected margins z (samples x features) under weights w; 0 for a sample
# without an allowed miss, which does not count.
reference_soft <- function(x, y, w, sigma, allowed = near_allowed(length(y))) {
  d <- reference_distances(x, w)
  z <- matrix(0, nrow(x), ncol(x))
  gamma <- numeric(nrow(x))
  for (n in seq_along(y)) {
    mean_of <- function(kind) {
      if (length(kind) == 0L) {
        return(rep(0, ncol(x)))
      }
      p <- exp(-(d[n, kind] - min(d[n, kind])) / sigma)
      colSums(p / sum(p) *
        abs(x[kind, , drop = FALSE] - rep(x[n, ], each = length(kind))))
    }
    others <- which(allowed[n, ] == 1)
    hits <- intersect(others, which(y == y[n]))
    if (length(hits) == length(others)) next
    z[n, ] <- mean_of(setdiff(others, hits)) - mean_of(hits)
    f <- exp(-(d[n, ] - min(d[n, others])) / sigma)
    gamma[n] <- sum(f[hits]) / sum(f[others])
  }
  list(z = z, gamma = gamma)
}

# One step of I-Relief.
reference_irelief <- function(x, y, w, sigma, ...) {
  soft <- reference_soft(reference_scale(x), y, w, sigma, ...)
  margin <- pmax(colMeans(soft$gamma * soft$z), 0)
  margin / sqrt(sum(margin^2))
}

# T(w) of LOGO: the minimiser of (2.6), by coordinate-wise Newton steps.
reference_logo_step <- function(x, y, w, sigma, lambda, ...) {
  z <- reference_soft(reference_scale(x), y, w, sigma, ...)$z
  v <- rep(0, ncol(z))
  margin <- drop(z %*% v)
  # Coordinate descent on the majoriser with curvature 1/4 cannot overshoot.
  curvature <- pmax(colSums(z^2) / 4, 1e-300)
  for (sweep in seq_len(200000)) {
    worst <- 0
    for (j in which(v > 0 | drop(crossprod(z, plogis(-margin))) > lambda)) {
      pull <- sum(z[, j] * plogis(-margin)) - lambda
      step <- max(pull / curvature[j], -v[j])
      v[j] <- v[j] + step
      margin <- margin + step * z[, j]
      worst <- max(worst, abs(step) * curvature[j])
    }
    if (worst < 1e-12) break
  }
  list(weights = v, z = z)
}

# Farther from the nearest training sample, or by the mean signed difference
# from the five nearest (by a quarter), than any training sample is from the
# others.
reference_far <- function(values, training, weights) {
  measure <- function(x, among) {
    d <- apply(among, 1, function(other) sum(weights * abs(x - other)))
    near <- among[d <= sort(d)[[min(5, length(d))]], , drop = FALSE]
    side <- apply(near, 1, function(other) sum(weights * (x - other)))
    c(min(d), abs(mean(side)))
  }
  own <- vapply(seq_len(nrow(training)), function(i) {
    measure(training[i, ], training[-i, , drop = FALSE])
  }, c(0, 0))
  new <- apply(values, 1, measure, training)
  unname(new[1, ] > max(own[1, ]) | new[2, ] > 1.25 * max(own[2, ]))
}
