# The definitions of the reference scores, written as plainly as can be.
# SPDX-License-Identifier: GPL-3.0-or-later

reference_fisher <- function(x, y, form = "duda") {
  apply(x, 2, function(v) {
    if (max(v) == min(v)) {
      return(0)
    }
    n <- tapply(v, y, length)
    m <- tapply(v, y, mean)
    s <- tapply(v, y, function(u) mean((u - mean(u))^2))
    score <- if (form == "duda") {
      sum(n * (m - mean(v))^2) / sum(n * s)
    } else {
      abs(m[[1]] - m[[2]]) / sqrt(s[[1]] + s[[2]])
    }
    min(score, .Machine$double.xmax)
  })
}

reference_laplacian <- function(x, neighbours) {
  d <- reference_distances(x, metric = "euclidean")
  n <- nrow(x)
  near <- reference_joins(d, neighbours)
  s <- (near + t(near) > 0) * exp(-d^2 / stats::weighted.mean(d^2, near))
  degree <- diag(rowSums(s))
  apply(x, 2, function(f) {
    if (max(f) == min(f)) {
      return(-2)
    }
    one <- rep(1, n)
    f <- f - sum(f * diag(degree)) / sum(degree) * one
    -drop(t(f) %*% (degree - s) %*% f / (t(f) %*% degree %*% f))
  })
}

reference_frequency <- function(v, bins) {
  b <- min(bins, max(2, length(v) %/% 5))
  pmin(b, floor((rank(v) - 1 / 2) / length(v) * b + 1e-9) + 1)
}

reference_threesigma <- function(v) {
  (v > mean(v) + sd(v) / 2) - (v < mean(v) - sd(v) / 2)
}

reference_entropy <- function(y) {
  p <- tabulate(match(y, unique(y))) / length(y)
  -sum(p * log2(p))
}

# Bins by recursive cuts (Fayyad, Irani 1993).
reference_mdl <- function(v, y) {
  bins <- rep(1, length(v))
  n <- length(v)
  distinct <- sort(unique(v))
  cuts <- (head(distinct, -1) + tail(distinct, -1)) / 2
  h <- reference_entropy(y)
  k <- length(unique(y))
  gains <- vapply(cuts, function(cut) {
    l <- v < cut
    h - (sum(l) * reference_entropy(y[l]) +
      sum(!l) * reference_entropy(y[!l])) / n
  }, 0)
  if (length(cuts) == 0L || k == 1L) {
    return(bins)
  }
  best <- which(gains > max(gains) - 1e-12)[[1L]]
  l <- v < cuts[[best]]
  delta <- log2(3^k - 2) - (k * h -
    length(unique(y[l])) * reference_entropy(y[l]) -
    length(unique(y[!l])) * reference_entropy(y[!l]))
  if (gains[[best]] <= (log2(n - 1) + delta) / n) {
    return(bins)
  }
  left <- reference_mdl(v[l], y[l])
  bins[l] <- left
  bins[!l] <- max(left) + reference_mdl(v[!l], y[!l])
  bins
}

reference_bins <- function(v, y, rule, bins = 5) {
  if (max(v) == min(v)) {
    return(rep(1, length(v)))
  }
  switch(rule,
    frequency = reference_frequency(v, bins),
    threesigma = reference_threesigma(v), mdl = reference_mdl(v, y)
  )
}

# table(a, b), which alone would take about a third of these tests' time.
reference_counts <- function(a, b) {
  rows <- sort(unique(a))
  columns <- sort(unique(b))
  cell <- match(a, rows) + length(rows) * (match(b, columns) - 1L)
  matrix(tabulate(cell, length(rows) * length(columns)), length(rows))
}

reference_chisq <- function(a, b) {
  o <- reference_counts(a, b)
  e <- outer(rowSums(o), colSums(o)) / sum(o)
  sum(((o - e)^2 / e)[e > 0])
}

reference_information <- function(a, b) {
  o <- reference_counts(a, b)
  n <- sum(o)
  terms <- o / n * log(o * n / outer(rowSums(o), colSums(o)))
  sum(terms[o > 0])
}

# The order in which features are picked; comparisons with a little tolerance,
# ties to the lower index.
reference_mrmr <- function(codes, y, n, criterion, constant) {
  relevance <- apply(codes, 2, reference_information, y)
  picked <- NULL
  redundancy <- 0 * relevance
  while (length(picked) < min(n, sum(!constant))) {
    value <- if (length(picked) == 0L) {
      relevance
    } else if (criterion == "mid") {
      relevance - redundancy / length(picked)
    } else {
      # Below the rounding of the sum, information is none.
      pmax(relevance, 0) / (redundancy / length(picked) + 1e-12)
    }
    value[constant | seq_along(value) %in% picked] <- -Inf
    slack <- 1e-13 * max(1, abs(max(value)))
    best <- which(value > max(value) - slack)[[1L]]
    picked <- c(picked, best)
    more <- apply(codes, 2, reference_information, codes[, best])
    redundancy <- redundancy + ifelse(more < 1e-12, 0, more)
  }
  list(picked = picked, relevance = relevance)
}
