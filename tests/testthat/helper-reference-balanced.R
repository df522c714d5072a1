# relief() with hits and misses from equally many candidates, written as plainly
# as can be: weights of ranks as chances, every sample, class and feature.
# SPDX-License-Identifier: GPL-3.0-or-later

# The chance that the r-th nearest of n is among the k nearest of a random m.
rank_chances <- function(n, m, k) {
  r <- seq_len(n)
  if (m >= n) as.numeric(r <= k) else m / n * phyper(k - 1, r - 1, n - r, m - 1)
}

# The same in 20 blocks of about equal weight, each at its mean rank.
rank_blocks <- function(w, k) {
  block <- pmin(20, floor((cumsum(w) - w / 2) / k * 20 + 1e-9) + 1)
  joined <- numeric(length(w) + 1L)
  for (rows in split(seq_along(w), block)) {
    weight <- sum(w[rows])
    rank <- sum(w[rows] * rows) / weight
    low <- floor(rank)
    joined[low] <- joined[low] + weight * (1 - rank + low)
    joined[low + 1] <- joined[low + 1] + weight * (rank - low)
  }
  joined[seq_along(w)]
}

balanced_number <- function(k, h, q) {
  m <- min(h, q)
  max(1, ceiling(min(k, m) * sqrt(m / max(h, q)) - 1e-9))
}

#' Weights with sum 1 of candidates with these keys, against `other` candidates
#' of the other kind. Of each group only the nearest is a candidate.
balanced_shares <- function(keys, group, other, k) {
  n <- length(unique(group))
  kept <- balanced_number(k, n, other)
  w <- rank_chances(n, min(n, other), kept)
  if (n > max(40, other)) w <- rank_blocks(w, kept)
  nearest <- keys == ave(keys, group, FUN = min)
  part <- nearest / ave(as.numeric(nearest), group, FUN = sum)
  share <- 0 * keys
  before <- 0
  for (key in sort(unique(keys[nearest]))) {
    tied <- nearest & keys == key
    ranks <- before + seq_len(round(sum(part[tied])))
    share[tied] <- part[tied] * mean(w[ranks])
    before <- max(ranks)
  }
  share / kept
}

#' @param x Scaled, may have missing values. @param drawn Reference samples.
#' @param matched Are groups pairs, of which each sample is a candidate?
#' @return list(scores, class_margins: features x classes, margins: samples x
#'   features, NA without one; times_listed).
reference_balanced <- function(x, y, method = "relieff", k = 10,
                               weighting = "conditional", metric = "manhattan",
                               hubs = usual_hubs(method), block = NULL,
                               group = NULL, drawn = seq_along(y),
                               matched = FALSE) {
  n <- length(y)
  y <- as.integer(y)
  sizes <- tabulate(y)
  allowed <- near_allowed(n, block, group) == 1
  keys <- missing_keys(x, metric, hubs, allowed)
  group <- if (matched) seq_len(n) else group %||% seq_len(n)
  # The margins of sample i against each class, as weights of the samples.
  against <- function(i, has) {
    of <- function(these, others) {
      w <- numeric(n)
      other <- length(unique(group[others]))
      w[these] <- balanced_shares(keys[i, these], group[these], other, k)
      w
    }
    hits <- which(allowed[i, ] & has & y == y[i])
    kinds <- if (method == "relief") {
      list(which(y != y[i]))
    } else {
      lapply(seq_along(sizes), \(c) if (c != y[i]) which(y == c))
    }
    lapply(kinds, function(misses) {
      misses <- misses[allowed[i, misses] & has[misses]]
      if (length(misses) > 0L && length(hits) > 0L) {
        few <- lengths(lapply(list(group[hits], group[misses]), unique))
        list(
          misses = of(misses, hits), hits = of(hits, misses),
          k = balanced_number(k, few[[1L]], few[[2L]])
        )
      }
    })
  }
  counts <- vapply(seq_len(n), function(i) {
    any(allowed[i, y == y[i]]) && any(allowed[i, y != y[i]])
  }, NA)
  used <- intersect(which(counts), drawn)
  # In how many lists is each sample, if no value were missing?
  times <- numeric(n)
  for (i in used) {
    pairs <- against(i, rep(TRUE, n))
    there <- which(lengths(pairs) > 0L)
    u <- if (method == "relief") 1 else sizes[there] / sum(sizes[there])
    for (at in seq_along(there)) {
      pair <- pairs[[there[[at]]]]
      times <- times + pair$k * (pair$misses + u[[at]] * pair$hits)
    }
  }
  margins <- matrix(NA_real_, n, ncol(x))
  gaps <- array(NA_real_, c(n, ncol(x), length(sizes)))
  pattern <- apply(is.na(x), 2, paste, collapse = "")
  for (columns in split(seq_len(ncol(x)), pattern)) {
    has <- !is.na(x[, columns[[1L]]])
    for (i in used[has[used]]) {
      pairs <- against(i, has)
      apart <- abs(x[, columns, drop = FALSE] - rep(x[i, columns], each = n))
      apart[is.na(apart)] <- 0
      there <- which(lengths(pairs) > 0L)
      gap <- vapply(pairs[there], function(pair) {
        colSums((pair$misses - pair$hits) * apart)
      }, numeric(length(columns))) |> matrix(length(columns))
      u <- if (method == "relief") 1 else sizes[there]
      left <- if (weighting == "prior") sizes[y[i]] else 0
      if (length(there) > 0L) {
        margins[i, columns] <- gap %*% u / (sum(u) + left)
      }
      if (method != "relief") gaps[i, columns, there] <- gap
    }
  }
  # A drawn sample stands for as many of its class.
  of <- seq_along(sizes)
  of_class <- tabulate(y[counts], length(of))
  each <- (of_class / tabulate(y[used], length(of)))[y]
  mean_of <- function(v, rows) {
    rows <- rows[!is.na(v[rows])]
    if (length(rows) == 0L) 0 else weighted.mean(v[rows], each[rows])
  }
  found <- vapply(seq_len(ncol(x)), function(j) {
    means <- vapply(of, \(c) mean_of(margins[, j], used[y[used] == c]), 0)
    others <- vapply(of, \(c) mean_of(gaps[, j, c], used[y[used] != c]), 0)
    share <- sum((each * !is.na(margins[, j]))[used]) / sum(counts)
    share * c(sum(means * of_class) / sum(counts), (means + others) / 2)
  }, numeric(1L + length(sizes)))
  list(
    scores = found[1L, ], class_margins = t(found[-1L, , drop = FALSE]),
    margins = margins, times_listed = times
  )
}
