# Near hits and near misses among allowed pairs, written as plainly as can be:
# every sample, every class, one after the other.
# SPDX-License-Identifier: GPL-3.0-or-later

# relief() with the k nearest of each class, whatever the sizes of the classes.
nearest_relief <- function(x, y, method = "relieff", ...) {
  control <- if (method %in% c("relieff", "relief")) list(balance = FALSE)
  suppressWarnings(
    relief(x, y, method, ..., control = as.list(control), threads = 1)
  )
}

#' Blocks and groups for margin_problem(): of some, blocks with one class,
#' groups of one, groups that lie in several blocks, samples without any allowed
#' miss.
#' @param y With labels, designs are drawn until one leaves every class its near
#'   hits, as the gate asks.
near_design <- function(seed, n, y = NULL,
                        kind = c("block", "group", "both")[seed %% 3 + 1]) {
  withr::with_seed(1000 + seed, {
    for (draw in 1:200) {
      design <- list(
        block = if (kind != "group") {
          sample(c("b1", "b2", "b3")[seq_len(2 + seed %% 2)], n, TRUE)
        },
        group = if (kind != "block") {
          sample(c(seq_len(ceiling(n / 2)), sample(ceiling(n / 3), n, TRUE)), n)
        }
      )
      if (is.null(y) || leaves_hits(y, design$block, design$group)) break
    }
    design
  })
}

# Some sample of each class has a hit in another group, and half of them have
# one in their block.
leaves_hits <- function(y, block, group) {
  all(vapply(split(seq_along(y), y), function(mine) {
    hit <- function(may) {
      vapply(mine, function(i) any(may(i, setdiff(mine, i))), NA)
    }
    length(mine) < 2L ||
      (is.null(group) || any(hit(\(i, j) group[i] != group[j]))) &&
        (is.null(block) || mean(hit(\(i, j) block[i] == block[j])) >= 0.5)
  }, NA))
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
                                  contributions = FALSE,
                                  hubs = usual_hubs(method)) {
  x <- reference_scale(x)
  keys <- reference_order(
    reference_distances(x, metric = metric), metric, hubs, allowed
  )
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
      return(
        if (method == "relief") misses - hits else p * misses - (1 - p) * hits
      )
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

# Without a design.
reference_relief <- reference_near_relief

#' Margins of every class against the rest, features x classes.
#' @param drawn The reference samples; of each class they stand for all of it.
reference_class_margins <- function(x, y, k, ..., metric = "manhattan",
                                    allowed = near_allowed(length(y)),
                                    drawn = seq_along(y)) {
  own <- reference_near_relief(x, y, "relieff", k, ..., metric = metric,
    allowed = allowed, contributions = TRUE
  )
  x <- reference_scale(x)
  keys <- reference_order(
    reference_distances(x, metric = metric), metric, "centre", allowed
  )
  used <- intersect(own$samples, drawn)
  margins <- own$margins[match(used, own$samples), , drop = FALSE]
  weight <- (table(y[own$samples]) / table(y[used]))[as.character(y)]
  near <- function(n, class) {
    reference_near(x, keys, n, which(y == class & allowed[n, ] == 1), k)
  }
  mean_of <- function(rows, weight) {
    if (length(rows) == 0L) {
      return(0 * x[1, ])
    }
    Reduce(`+`, Map(`*`, rows, weight)) / sum(weight)
  }
  sapply(levels(y), function(class) {
    mine <- which(y[used] == class)
    there <- Filter(function(n) {
      y[n] != class && any(y == class & allowed[n, ] == 1)
    }, used)
    mean_of(lapply(mine, function(i) margins[i, ]), rep(1, length(mine))) / 2 +
      mean_of(lapply(there, function(n) {
        near(n, class) - near(n, as.character(y[n]))
      }), weight[there]) / 2
  })
}

#' Contributions of the samples that count under the rules by radius
#' @param shrink Times the mean distance.
reference_radius <- function(x, y, method, weighting = "conditional",
                             metric = "manhattan",
                             allowed = near_allowed(length(y)), shrink = 1) {
  x <- reference_scale(x)
  d <- reference_distances(x, metric = metric)
  keys <- reference_key(d)
  global <- shrink * mean(d[upper.tri(d) & allowed == 1])
  own_class <- as.integer(y)
  sizes <- tabulate(own_class)
  one_side <- function(n, near) {
    found <- vapply(seq_along(sizes), function(c) {
      any(near & own_class == c)
    }, NA)
    own <- own_class[n]
    if (!found[own] || !any(found[-own])) {
      return(rep(0, ncol(x)))
    }
    there <- found
    share <- sizes * there / sum(sizes[there])
    rest <- if (weighting == "prior") 1 else 1 - share[own]
    mean_of <- function(c) {
      near <- which(near & own_class == c)
      colMeans(abs(x[near, , drop = FALSE] - rep(x[n, ], each = length(near))))
    }
    total <- -mean_of(own)
    for (c in setdiff(which(there), own)) {
      total <- total + share[c] / rest * mean_of(c)
    }
    total
  }
  counted <- which(vapply(seq_along(y), function(n) {
    any(allowed[n, y != y[n]] == 1)
  }, NA))
  margins <- vapply(counted, function(n) {
    mine <- d[n, allowed[n, ] == 1]
    half <- sqrt(mean((mine - mean(mine))^2)) / 2
    own <- startsWith(method, "multi")
    low <- reference_key(max(0, if (own) mean(mine) - half else global))
    high <- reference_key(if (own) mean(mine) + half else global)
    near <- allowed[n, ] == 1 & keys[n, ] < low
    far <- allowed[n, ] == 1 & keys[n, ] > high
    one_side(n, near) - if (endsWith(method, "star")) one_side(n, far) else 0
  }, x[1, ])
  list(samples = counted, margins = t(matrix(margins, ncol(x))))
}

#' Score and standard error from the margins of drawn samples
reference_sampled <- function(drawn, y, counted) {
  sizes <- table(y[counted])
  class <- y[drawn$samples]
  parts <- lapply(levels(y), function(c) {
    m <- sum(class == c)
    z <- drawn$margins[class == c, , drop = FALSE]
    share <- sizes[[c]] / sum(sizes)
    s <- if (m > 1) apply(z, 2, var) else 0
    list(
      mean = if (m > 0) share * colMeans(z) else 0,
      variance = if (m > 1) share^2 * s / m * (1 - m / sizes[[c]]) else 0
    )
  })
  list(
    score = Reduce(`+`, lapply(parts, `[[`, "mean")),
    se = sqrt(Reduce(`+`, lapply(parts, `[[`, "variance")))
  )
}
