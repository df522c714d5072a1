# Relief with missing values (?hitmiss-missing), written as plainly as can be:
# every feature has neighbours of its own.
# SPDX-License-Identifier: GPL-3.0-or-later

# A feature with fewer than two different values is 0.
missing_scale <- function(x) {
  apply(x, 2, function(v) {
    ends <- suppressWarnings(range(v, na.rm = TRUE))
    if (ends[[1]] < ends[[2]]) (v - ends[[1]]) / diff(ends) else rep(0, nrow(x))
  })
}

# The keys of the order of neighbours: where one of two samples lacks a feature,
# its mean difference stands for theirs.
missing_keys <- function(x, metric, hubs, allowed) {
  power <- if (metric == "euclidean") 2 else 1
  n <- nrow(x)
  d <- matrix(0, n, n)
  for (j in seq_len(ncol(x))) {
    apart <- abs(outer(x[, j], x[, j], "-"))^power
    apart[is.na(apart)] <- mean(apart[upper.tri(apart)], na.rm = TRUE)
    d <- d + apart
  }
  diag(d) <- 0
  reference_order(d^(1 / power), metric, hubs, allowed)
}

# Mean |difference| of feature values v from v[n] to the k nearest of `among`
# that have it; NA if none has.
missing_near <- function(v, keys, n, among, k) {
  among <- among[!is.na(v[among])]
  if (length(among) == 0L) {
    return(NA)
  }
  share <- reference_shares(keys[n, among], k)
  sum(share * abs(v[among] - v[n])) / sum(share)
}

#' @param x Scaled.
#' @return list(scores; class_margins: features x classes).
reference_missing <- function(x, y, k, metric = "manhattan", hubs = "centre",
                              allowed = near_allowed(length(y)),
                              weighting = "conditional") {
  keys <- missing_keys(x, metric, hubs, allowed)
  y <- as.integer(y)
  sizes <- tabulate(y)
  counts <- vapply(seq_along(y), function(n) {
    any(allowed[n, ] == 1 & y != y[n])
  }, NA)
  of_class <- tabulate(y[counts], length(sizes)) / sum(counts)
  found <- vapply(seq_len(ncol(x)), function(j) {
    v <- x[, j]
    margin <- rep(NA_real_, length(y))
    gaps <- matrix(NA_real_, length(y), length(sizes))
    for (n in which(counts & !is.na(v))) {
      hits <- which(allowed[n, ] == 1 & y == y[n])
      hit <- if (length(hits) > 0L) missing_near(v, keys, n, hits, k) else 0
      misses <- vapply(seq_along(sizes), function(c) {
        if (c == y[n]) {
          return(NA_real_)
        }
        missing_near(v, keys, n, which(allowed[n, ] == 1 & y == c), k) + 0
      }, 0)
      there <- !is.na(misses)
      if (is.na(hit) || !any(there)) next
      left <- sum(sizes[there]) + sizes[y[n]]
      weights <- sizes / if (weighting == "prior") left else left - sizes[y[n]]
      margin[n] <- sum((weights * misses)[there]) - hit
      gaps[n, ] <- misses - hit
    }
    share <- sum(!is.na(margin)) / sum(counts)
    means <- vapply(seq_along(sizes), function(c) {
      m <- mean(margin[y == c], na.rm = TRUE)
      if (is.nan(m)) 0 else m
    }, 0)
    others <- colMeans(gaps, na.rm = TRUE)
    others[is.nan(others)] <- 0
    c(share * sum(of_class * means), share * (means + others) / 2)
  }, numeric(1L + length(sizes)))
  list(scores = found[1L, ], class_margins = t(found[-1L, , drop = FALSE]))
}

#' Numbers or survival times: `apart` has the distances of two outcomes
#' @param x Scaled.
reference_missing_outcome <- function(x, apart, k, survival,
                                      metric = "manhattan", hubs = "none",
                                      allowed = near_allowed(nrow(x))) {
  keys <- missing_keys(x, metric, hubs, allowed)
  may <- sum(rowSums(allowed) > 0)
  vapply(seq_len(ncol(x)), function(j) {
    v <- x[, j]
    m <- outcome <- feature <- both <- centred <- spread <- 0
    for (n in which(!is.na(v))) {
      among <- which(allowed[n, ] == 1 & !is.na(v))
      if (length(among) == 0L) next
      share <- reference_shares(keys[n, among], k)
      share <- share / sum(share)
      tau <- apart[n, among]
      d <- abs(v[among] - v[n])
      off <- tau - sum(share * tau)
      m <- m + 1
      outcome <- outcome + sum(share * tau)
      feature <- feature + sum(share * d)
      both <- both + sum(share * tau * d)
      centred <- centred + sum(share * off * d)
      spread <- spread + sum(share * pmax(off, 0))
    }
    score <- if (survival) {
      if (spread > 0) centred / spread else 0
    } else {
      (if (outcome > 0) both / outcome else 0) -
        (if (m > outcome) (feature - both) / (m - outcome) else 0)
    }
    score * m / may
  }, 0)
}

# ---- problems ----------------------------------------------------------------

# At random, or by class; some features are missing in a whole class, some in
# all samples but one or in all. Each sample keeps a value.
lose_values <- function(x, y, seed) {
  withr::with_seed(seed, {
    rate <- c(0.05, 0.2, 0.5)[seed %% 3 + 1]
    first <- as.integer(factor(y)) == 1
    by <- if (seed %% 2 == 0) ifelse(first, 1.5, 0.4) else 1
    x[runif(length(x)) < rate * by] <- NA
    if (seed %% 5 == 0) x[y == y[[1]], 1] <- NA
    if (seed %% 7 == 0) x[, 2] <- NA
    if (seed %% 8 == 0) x[-3, 3] <- NA
    x[cbind(seq_len(nrow(x)), ncol(x))] <- x[, ncol(x)] %in% NA + rnorm(nrow(x))
    if (seed %% 4 == 0) x <- round(x)
    x
  })
}

# ---- survival times ----------------------------------------------------------

# u of events, F of censored samples, by Kaplan-Meier from its definition.
reference_positions <- function(time, event) {
  gone <- function(t, strictly) {
    at <- sort(unique(time[event & if (strictly) time < t else time <= t]))
    1 - prod(1 - vapply(at, function(s) {
      sum(event & time == s) / sum(time >= s)
    }, 0))
  }
  vapply(seq_along(time), function(i) {
    if (event[i]) {
      (gone(time[i], TRUE) + gone(time[i], FALSE)) / 2
    } else {
      gone(time[i], FALSE)
    }
  }, 0)
}

reference_tau <- function(a, event_a, b, event_b) {
  if (event_a && event_b) {
    return(abs(a - b))
  }
  if (event_a || event_b) {
    e <- if (event_a) a else b
    c <- if (event_a) b else a
    if (c >= 1) {
      return(abs(e - 1))
    }
    return(if (e <= c) {
      (1 + c) / 2 - e
    } else {
      ((e - c)^2 + (1 - e)^2) / (2 * (1 - c))
    })
  }
  low <- min(a, b)
  high <- max(a, b)
  if (low >= 1) 0 else (high - low) / 2 + (1 - high)^2 / (3 * (1 - low))
}
