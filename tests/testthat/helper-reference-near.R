# Near hits and near misses among allowed pairs, written as plainly as can be:
# every sample, every class, one after the other.

#' Blocks and groups for margin_problem(): of some, blocks with one class, groups
#' of one, groups that lie in several blocks, samples without any allowed miss.
near_design <- function(seed, n, kind = c("block", "group", "both")[seed %% 3 + 1]) {
  withr::with_seed(1000 + seed, list(
    block = if (kind != "group") {
      sample(c("b1", "b2", "b3")[seq_len(2 + seed %% 2)], n, TRUE)
    },
    group = if (kind != "block") {
      sample(c(seq_len(ceiling(n / 2)), sample(ceiling(n / 3), n, TRUE)), n)
    }
  ))
}

#' 0/1 matrix: may samples n (row) and i (column) be compared?
near_allowed <- function(n, block = NULL, group = NULL) {
  allowed <- matrix(1, n, n)
  for (a in seq_len(n)) {
    for (b in seq_len(n)) {
      if (a == b || !is.null(block) && block[a] != block[b] ||
        !is.null(group) && group[a] == group[b]) {
        allowed[a, b] <- 0
      }
    }
  }
  allowed
}

#' Shares of the classes for a sample: those it has no miss of do not exist.
near_shares <- function(y, n, allowed) {
  y <- as.integer(y)
  sizes <- tabulate(y)
  there <- vapply(seq_along(sizes), function(c) {
    c == y[n] || any(y == c & allowed[n, ] == 1)
  }, NA)
  list(there = there, share = sizes * there / sum(sizes[there]))
}

#' Mean margins of the nearest rules; the scaled x may be given.
reference_near_relief <- function(x, y, method, k, weighting = "conditional",
                                  metric = "manhattan",
                                  allowed = near_allowed(length(y)),
                                  contributions = FALSE) {
  x <- reference_scale(x)
  keys <- reference_key(reference_distances(x, metric = metric))
  counted <- which(vapply(seq_along(y), function(n) {
    any(allowed[n, y != y[n]] == 1)
  }, NA))
  margins <- vapply(counted, function(n) {
    own <- as.integer(y[n])
    with <- near_shares(y, n, allowed)
    near <- function(of) {
      reference_near(x, keys, n, which(of & allowed[n, ] == 1), k)
    }
    hits <- near(y == y[n])
    if (method != "relieff") {
      p <- with$share[own]
      misses <- near(y != y[n])
      return(if (method == "relief") misses - hits else p * misses - (1 - p) * hits)
    }
    rest <- if (weighting == "prior") 1 else 1 - with$share[own]
    total <- -hits
    for (c in setdiff(which(with$there), own)) {
      total <- total + with$share[c] / rest * near(as.integer(y) == c)
    }
    total
  }, x[1, ])
  margins <- matrix(margins, ncol(x))
  if (contributions) {
    return(list(samples = counted, margins = t(margins)))
  }
  rowMeans(margins)
}
