# LLFS written from its definitions, slow and obvious. Nothing here calls the
# package, but for the labels and numbers it is handed.
# SPDX-License-Identifier: GPL-3.0-or-later

ref_scale <- function(x) {
  z <- apply(x, 2L, function(v) {
    noise <- 8 * .Machine$double.eps * max(abs(v))
    if (diff(range(v)) <= noise) 0 * v else (v - mean(v)) / sd(v)
  })
  matrix(z, nrow(x))
}

# One representative: near and far distances, sigma, lambda, budget.
ref_program <- function(z, y, i, alpha,
                        varies = apply(z, 2L, function(v) any(v != v[[1L]]))) {
  a <- abs(sweep(z, 2L, z[i, ]))
  near <- setdiff(which(y == y[[i]]), i)
  far <- which(y != y[[i]])
  n_features <- sum(varies)
  phi <- min(1, alpha / n_features) * max(rowSums(a[-i, varies, drop = FALSE]))
  sigma <- if (phi > 0) log(0.97 / 0.03) / phi else 1
  lambda <- 0.01 / alpha
  gain <- function(d) 1 / (1 + exp(-sigma * d)) - 0.5 + lambda * d
  list(
    near = a[near, , drop = FALSE], far = a[far, , drop = FALSE],
    gain = gain, varies = which(varies), sigma = sigma, lambda = lambda,
    budget = min(alpha, n_features)
  )
}

ref_u1 <- function(p, f) {
  if (nrow(p$near) > 0L) mean(p$gain(p$near %*% f)) else 0
}
ref_u2 <- function(p, f) mean(p$gain(p$far %*% f))

# Eq. (6) by projected gradient ascent with a shrinking step, an upper bound
# from the gradient beside it: the maximum lies between the two.
ref_eps_max <- function(p, steps = 400L) {
  far <- p$far[, p$varies, drop = FALSE]
  m <- ncol(far)
  f <- rep(p$budget / m, m)
  upper <- Inf
  lower <- -Inf
  for (k in seq_len(steps)) {
    d <- as.vector(far %*% f)
    s <- 1 / (1 + exp(-p$sigma * d))
    g <- as.vector(crossprod(far, p$sigma * s * (1 - s) + p$lambda)) / nrow(far)
    value <- mean(p$gain(d))
    corner <- ref_corner(g, p$budget)
    lower <- max(lower, value)
    upper <- min(upper, value + sum(g * (corner - f)))
    if (upper - lower <= 1e-9 * lower) break
    line <- function(t) mean(p$gain(far %*% (f + t * (corner - f))))
    t <- stats::optimize(line, c(0, 1), maximum = TRUE, tol = 1e-10)$maximum
    if (line(1) >= line(t)) t <- 1
    f <- f + t * (corner - f)
  }
  c(lower, upper)
}

ref_corner <- function(g, budget) {
  f <- numeric(length(g))
  order <- order(-g)
  whole <- floor(budget)
  f[order[seq_len(whole)]] <- 1
  if (budget > whole) f[order[[whole + 1L]]] <- budget - whole
  f
}

# All binary vectors with 1 to alpha features: rows of 0/1.
ref_all_sets <- function(p, n_features, alpha) {
  v <- p$varies
  grid <- as.matrix(expand.grid(rep(list(0:1), length(v))))
  size <- rowSums(grid)
  grid <- grid[size >= 1 & size <= alpha, , drop = FALSE]
  sets <- matrix(0, nrow(grid), n_features)
  sets[, v] <- grid
  sets
}

ref_distances <- function(z, from, features) {
  difference <- t(z[, features, drop = FALSE]) - from[features]
  sqrt(colSums(difference^2))
}

ref_radius <- function(z, y, i, features, gamma, impurity = "share") {
  d <- ref_distances(z, z[i, ], features)
  key <- reference_key(d)
  same <- y == y[[i]]
  same[[i]] <- FALSE
  other <- y != y[[i]]
  good <- 0
  for (level in sort(unique(key[-i]))) {
    inside <- key <= level
    inside[[i]] <- FALSE
    broken <- if (impurity == "count") {
      sum(inside & other) > gamma * sum(inside & same)
    } else {
      sum(inside & other) / sum(other) >
        gamma * sum(inside & same) / max(1, sum(same))
    }
    if (broken) {
      if (level == 0) {
        return(0)
      }
      return((good + min(d[-i][key[-i] == level])) / 2)
    }
    good <- max(d[-i][key[-i] == level])
  }
  good
}

# Do more of j's nearest samples, of those it is compared with, have class
# `label` than not?
ref_agrees <- function(z, y, j, features, label,
                       allowed = near_allowed(length(y))) {
  others <- which(allowed[j, ] == 1)
  key <- reference_key(ref_distances(z, z[j, ], features)[others])
  nearest <- y[others][key == min(key, Inf)]
  sum(nearest == label) > sum(nearest != label)
}

# For how many samples each stands, 0 where it is not asked. `draw` takes the
# samples of i's class and of the others on one side of the sphere, and TRUE for
# those inside; NULL: all are asked.
ref_stands_for <- function(y, i, inside, draw = NULL) {
  weight <- rep(1, length(y))
  weight[[i]] <- 0
  for (side in if (!is.null(draw)) c(FALSE, TRUE)) {
    here <- setdiff(which(inside == side), i)
    parts <- list(here[y[here] == y[[i]]], here[y[here] != y[[i]]])
    asked <- draw(parts, side)
    for (part in parts) {
      weight[part] <- ifelse(
        part %in% asked, length(part) / sum(part %in% asked), 0
      )
    }
  }
  weight
}

ref_score <- function(z, y, i, features, radius, ..., draw = NULL) {
  d <- ref_distances(z, z[i, ], features)
  inside <- d <= radius * (1 + 1e-12)
  weight <- ref_stands_for(y, i, inside, draw)
  detected <- alarms <- 0
  for (j in which(inside & weight > 0)) {
    if (ref_agrees(z, y, j, features, y[[i]], ...)) {
      if (y[[j]] == y[[i]]) {
        detected <- detected + weight[[j]]
      } else {
        alarms <- alarms + weight[[j]]
      }
    }
  }
  detected / max(1, sum(y == y[[i]]) - 1) - alarms / sum(y != y[[i]])
}

# Which of the candidate sets (by increasing beta) the representative keeps: the
# best score less the share of features that do not vary within the class; of
# ties the first, and the last where the first has no spread.
ref_choice <- function(z, y, i, sets, gamma, parsimony = 0,
                       impurity = "share", ...) {
  if (sum(y == y[[i]]) == 1L) {
    return(length(sets))
  }
  constant <- apply(z[y == y[[i]], , drop = FALSE], 2L, function(v) {
    all(v == v[[1L]])
  })
  score <- vapply(sets, function(s) {
    ref_score(
      z, y, i, s, ref_radius(z, y, i, s, gamma, impurity), ...
    ) - mean(constant[s])
  }, 0)
  tolerance <- parsimony / (sum(y == y[[i]]) - 1) + 1e-12
  ties <- which(score >= max(score) - tolerance)
  same <- setdiff(which(y == y[[i]]), i)
  spread <- ref_distances(z[same, , drop = FALSE], z[i, ], sets[[ties[[1L]]]])
  if (parsimony == 0 && all(spread == 0)) ties[[length(ties)]] else ties[[1L]]
}

# The evidence of representative i: an array of side (outside, inside), class of
# the nearest, and class. `allowed`: which pairs may be compared.
ref_evidence <- function(z, y, i, features, radius, draw = NULL,
                         allowed = NULL) {
  n <- length(y)
  k <- nlevels(y)
  if (is.null(allowed)) allowed <- matrix(TRUE, n, n)
  inside <- ref_distances(z, z[i, ], features) <= radius * (1 + 1e-12)
  weight <- ref_stands_for(y, i, inside, draw) * allowed[i, ]
  count <- array(0, c(2L, k, k))
  for (j in which(weight > 0)) {
    others <- setdiff(which(allowed[j, ] & allowed[i, ]), j)
    if (i != j && allowed[j, i]) others <- union(others, i)
    share <- ref_nearest_share(z, y, z[j, ], features, others)
    side <- 1L + inside[[j]]
    count[side, , y[[j]]] <- count[side, , y[[j]]] + weight[[j]] * share
  }
  of_class <- vapply(seq_len(k), \(c) sum(weight[as.integer(y) == c]), 0)
  q <- 8 / k
  part <- q * of_class / sum(of_class)
  evidence <- array(0, dim(count))
  present <- which(of_class > 0)
  for (side in 1:2) {
    for (near in seq_len(k)) {
      p <- log((count[side, near, ] + part) / (of_class + 2 * k * part))
      evidence[side, near, present] <- p[present] - mean(p[present])
    }
  }
  evidence
}

# The evidence that a fit has for its k-th representative, as ref_evidence().
fit_evidence <- function(fit, k) {
  classes <- length(fit$classes)
  at <- sum(fit$local$cells[seq_len(k - 1L)]) + seq_len(fit$local$cells[[k]])
  cell <- matrix(fit$local$cell, 3L)[, at, drop = FALSE]
  evidence <- array(0, c(2L, classes, classes))
  evidence[cbind(cell[1L, ] + 1L, cell[2L, ], cell[3L, ])] <-
    fit$local$evidence[at]
  evidence - as.vector(apply(evidence, 1:2, mean))
}

# kappa between rows of `a` and of `b` (scaled, all features), for the frames of
# `subsets` and the consensus frame with these weights of the features.
ref_similarities <- function(a, b, subsets, consensus) {
  ratio <- function(features, w = rep(1, length(features))) {
    squares <- matrix(0, nrow(a), nrow(b))
    for (m in seq_along(features)) {
      apart <- outer(a[, features[[m]]], b[, features[[m]]], `-`)
      squares <- squares + w[[m]] * apart^2 / sum(w)
    }
    1 / (1 + squares)
  }
  mean_of_frames <- Reduce(`+`, lapply(subsets, ratio)) / length(subsets)
  kept <- which(consensus > 0)
  1 + (mean_of_frames + ratio(kept, consensus[kept])) / 2
}

# The consensus frame's weights: roots of the shares of subsets.
ref_consensus <- function(subsets, n_features) {
  sqrt(tabulate(unlist(subsets), n_features) / sum(lengths(subsets) > 0L))
}

# The slopes of the regression, by its steps. `weight`: of each sample.
ref_slopes <- function(kappa, y, weight = rep(1, length(y))) {
  hit <- outer(as.integer(y), seq_len(nlevels(y)), `==`)
  inverse <- solve(kappa + diag(2 / (64 * weight), length(y)))
  working <- function(f) {
    p <- exp(f - apply(f, 1L, max))
    f + 2 * (hit - p / rowSums(p))
  }
  f <- 0 * hit
  for (step in 1:400) {
    old <- f
    f <- kappa %*% (inverse %*% working(f))
    if (max(abs(f - old)) < 1e-3) break
  }
  inverse %*% working(f)
}

# What each class has of the nearest, all that tie.
ref_nearest_share <- function(z, y, x, features, among) {
  if (length(among) == 0L) return(numeric(nlevels(y)))
  d <- reference_key(ref_distances(z[among, , drop = FALSE], x, features))
  as.vector(table(y[among[d == min(d)]])) / sum(d == min(d))
}

# The similarity of x to each class. `self`: the training sample that x is.
ref_evidence_votes <- function(z, y, x, subsets, radius, evidence, self = 0L,
                               voting = seq_along(y)) {
  k <- nlevels(y)
  among <- setdiff(seq_along(y), self)
  voting <- setdiff(voting, self)
  total <- numeric(k)
  for (class in levels(y)) {
    mine <- voting[y[voting] == class]
    for (i in mine) {
      d <- sqrt(sum((z[i, subsets[[i]]] - x[subsets[[i]]])^2))
      share <- ref_nearest_share(z, y, x, subsets[[i]], among)
      says <- evidence[[i]][1L + (d <= radius[[i]] * (1 + 1e-12)), , ]
      total <- total + as.vector(share %*% says) / length(mine)
    }
  }
  sqrt(2 / k) * total
}

# The intercepts, by Newton steps; that nothing is left of the gradient says
# that they are the minimum, as the problem is convex.
ref_intercept <- function(similarity, y, balanced = FALSE, weight = NULL) {
  k <- nlevels(y)
  n <- length(y)
  weight <- weight %||%
    if (balanced) n / (k * as.vector(table(y)))[y] else rep(1, n)
  hit <- outer(as.integer(y), seq_len(k), `==`)
  beta <- numeric(k)
  for (step in 1:60) {
    p <- exp(sweep(similarity, 2L, beta, `+`))
    p <- p / rowSums(p)
    gradient <- colSums(weight * (p - hit)) + beta
    curvature <- diag(1 + colSums(weight * p), k) - crossprod(p, weight * p)
    move <- solve(curvature, gradient)
    beta <- beta - move / max(1, abs(move))
  }
  stopifnot(abs(gradient) < 1e-9 * n)
  beta
}

# The classifier for one new sample (scaled, all features). Lists of subsets
# (positions), radius; `evidence` and `intercept` of a vote by evidence. A
# sphere of which x lacks a feature is left out of everything; where a class
# loses more than half, nobody votes.
ref_classify <- function(z, y, x, subsets, radius, rule, evidence = NULL,
                         intercept = 0) {
  classes <- levels(y)
  votes <- !vapply(subsets, function(s) anyNA(x[s]), NA)
  left <- min(tapply(votes, y, mean))
  if (left < 0.5) {
    none <- rep(NA_real_, length(classes))
    return(list(
      similarity = none, class = NA_character_, prob = none, left = left
    ))
  }
  if (!is.null(evidence)) {
    similarity <- intercept + ref_evidence_votes(
      z, y, x, subsets, radius, evidence, voting = which(votes)
    )
    best <- which(similarity >= max(similarity) - 1e-12)[[1L]]
    prob <- exp(similarity - max(similarity))
    return(list(
      similarity = similarity, class = classes[[best]], prob = prob / sum(prob),
      left = left
    ))
  }
  nearest <- lapply(which(votes), function(i) {
    ref_nearest_share(z, y, x, subsets[[i]], seq_along(y))
  })
  vote <- vapply(seq_along(nearest), function(v) {
    i <- which(votes)[[v]]
    d <- sqrt(sum((z[i, subsets[[i]]] - x[subsets[[i]]])^2))
    inside <- d <= radius[[i]] * (1 + 1e-12)
    agrees <- nearest[[v]][[as.integer(y[[i]])]] > 0.5
    inside * if (agrees) 1 else c(none = 1, half = 0.5, full = 0)[[rule]]
  }, 0)
  similarity <- as.vector(tapply(vote, y[votes], mean))
  nearest_votes <- Reduce(`+`, nearest) / as.vector(table(y))
  best <- which(similarity >= max(similarity) - 1e-12)
  if (length(best) > 1L) {
    best <- best[nearest_votes[best] >= max(nearest_votes[best]) - 1e-12]
  }
  prob <- if (sum(similarity) > 0) similarity else nearest_votes
  list(
    similarity = similarity, class = classes[[best[[1L]]]],
    prob = prob / sum(prob), left = left
  )
}

# Small problems with everything that has ever gone wrong: ties, repeated rows
# with clashing labels, constant and repeated features, a class of one sample,
# several classes, more features than samples.
llfs_problems <- function(seeds) lapply(seeds, llfs_problem)

llfs_problem <- function(seed) {
  set.seed(seed)
  n <- sample(5:16, 1L)
  m <- sample(c(1L, 2L, 3L, 6L, 9L, 25L), 1L)
  k <- sample(2:3, 1L)
  x <- matrix(stats::rnorm(n * m), n)
  if (seed %% 2L == 0L) x <- round(x)
  if (seed %% 3L == 0L && m > 2L) x[, 2L] <- x[, 1L]
  if (seed %% 5L == 0L && m > 1L) x[, m] <- 7
  if (seed %% 7L == 0L) x[n, ] <- x[1L, ]
  if (all(apply(x, 2L, sd) == 0)) x[1L, 1L] <- x[1L, 1L] + 1
  y <- c(seq_len(k), if (seed %% 4L == 0L) {
    rep(seq_len(k)[-k], length.out = n - k)
  } else {
    sample(k, n - k, TRUE)
  })
  colnames(x) <- paste0("g", seq_len(m))
  list(x = x, y = factor(letters[y]), seed = seed)
}
