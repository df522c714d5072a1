# Quantities of the papers, computed here from their texts alone.
# SPDX-License-Identifier: GPL-3.0-or-later

# Two to six classes of unequal sizes.
many_sizes <- list(c(8, 16), c(5, 9, 4), c(3, 8, 6, 5), c(2, 7, 4, 6, 3, 5))

# Mean over the samples of miss |x - M(x)| - hit |x - H(x)|, both weights
# functions of the share of the sample's class.
nearest_margins <- function(toy, miss, hit) {
  distance <- as.matrix(stats::dist(toy$x, "manhattan"))
  diag(distance) <- Inf
  share <- table(toy$y) / length(toy$y)
  margins <- vapply(seq_along(toy$y), function(n) {
    nearest <- function(allowed) {
      abs(toy$x[n, ] - toy$x[which(allowed)[which.min(distance[n, allowed])], ])
    }
    same <- toy$y == toy$y[[n]]
    p <- share[[toy$y[[n]]]]
    miss(p) * nearest(!same) - hit(p) * nearest(same)
  }, numeric(5L))
  rowMeans(margins)
}

test_that("M-Relief has the weights of (16), or exchanged those of (15)", {
  for (toy in lapply(many_sizes, toy_problem)) {
    expect_equal(
      relief(toy$x, toy$y, "map")$scores,
      nearest_margins(toy, identity, function(p) 1 - p),
      tolerance = 1e-12
    )
    expect_equal(
      relief(toy$x, toy$y, "map15")$scores,
      nearest_margins(toy, function(p) 1 - p, identity),
      tolerance = 1e-12
    )
  }
})

test_that("noise turns its sign with the classes, as ?relief says", {
  for (p in list(c(0.9, 0.1), c(0.4, 0.3, 0.3), rep(1 / 6, 6))) {
    set.seed(1)
    y <- factor(rep(seq_along(p), round(240 * p)))
    x <- matrix(stats::rnorm(length(y) * 30), length(y))
    share <- table(y) / length(y)
    for (method in c("map", "map15")) {
      mean <- mean(relief(x, y, method, threads = 1)$scores)
      side <- sign(2 * sum(share^2) - 1) * if (method == "map") 1 else -1
      expect_gt(side * mean, 0.01)
    }
  }
})

# The expected margins of (2.5), a row per sample, for weights w.
expected_margins <- function(toy, w, sigma) {
  chances <- function(distance) {
    p <- exp(-(distance - min(distance)) / sigma)
    p / sum(p)
  }
  t(vapply(seq_along(toy$y), function(n) {
    apart <- abs(t(toy$x) - toy$x[n, ])
    distance <- colSums(w * apart)
    same <- which(toy$y == toy$y[[n]])
    hits <- setdiff(same, n)
    as.vector(apart[, -same] %*% chances(distance[-same]) -
      apart[, hits] %*% chances(distance[hits]))
  }, numeric(5L)))
}

# Weights after w of an undamped iteration with lambda = 0.5: the least (2.6)
# for the neighbours that w implies.
weights_after <- function(toy, w, sigma = 5) {
  margins <- expected_margins(toy, w, sigma)
  stats::optim(w,
    \(v) sum(log1p(exp(-margins %*% v))) + 0.5 * sum(v),
    \(v) 0.5 - colSums(margins / (1 + exp(as.vector(margins %*% v)))),
    method = "L-BFGS-B", lower = 0, control = list(factr = 10)
  )$par
}

test_that("for a large sigma 20 starts reach one fixed point (Theorem 2.2)", {
  toy <- toy_problem()
  set.seed(22)
  ends <- replicate(20, {
    w <- 20 * stats::rexp(5L)
    for (step in 1:25) w <- weights_after(toy, w)
    w
  })
  fit <- logo(toy$x, toy$y, sigma = 5, lambda = 0.5, tol = 1e-8)
  expect_lt(max(abs(ends - fit$scores)) / max(fit$scores), 1e-4)
})

test_that("descent on squared weights ends at LOGO's fixed point (2.8, 2.9)", {
  for (toy in lapply(many_sizes[1:3], toy_problem)) {
    fit <- logo(toy$x, toy$y, sigma = 0.5, lambda = 0.5, tol = 1e-9)
    # (2.11): the misses are all samples of other classes.
    margins <- expected_margins(toy, fit$scores, 0.5)
    objective <- function(w) sum(log1p(exp(-margins %*% w))) + 0.5 * sum(w)
    found <- stats::optim(rep(1, 5L), function(v) objective(v^2), function(v) {
      lost <- 1 / (1 + exp(as.vector(margins %*% v^2)))
      2 * v * (0.5 - colSums(lost * margins))
    }, method = "BFGS", control = list(reltol = 1e-15, maxit = 5000))
    expect_equal(found$value, objective(fit$scores), tolerance = 1e-7)
    expect_lt(
      max(abs(found$par^2 - fit$scores)), 1e-3 * max(1, fit$scores)
    )
    # What the fit reports of its last inner problem.
    expect_lt(fit$report$gap, 1e-6)
    expect_lt(fit$report$kkt, 1e-6)
  }
})

test_that("an undamped iteration keeps the second bound of (2.10)", {
  toy <- toy_problem()
  steps <- list(rep(1, 5L))
  for (t in 1:12) steps[[t + 1L]] <- weights_after(toy, steps[[t]])
  end <- logo(toy$x, toy$y, sigma = 5, lambda = 0.5, tol = 1e-9)$scores
  size <- function(v) sqrt(sum(v^2))
  moved <- mapply(\(a, b) size(a - b), steps[-1L], steps[-length(steps)])
  away <- vapply(steps[-1L], \(w) size(w - end), 0)
  use <- which(moved > 1e-5)
  q <- max(moved[use[-1L]] / moved[use[-length(use)]])
  expect_gt(length(use), 3L)
  expect_lt(q, 1)
  expect_true(all(away[use] <= q / (1 - q) * moved[use] + 1e-5))
})

test_that("the bound (15) of LLFS says nothing at the sizes of its tables", {
  bound <- function(n, clusters, gamma = 0.2, xi = 0.05) {
    h <- clusters * (ceiling(1 / gamma) - 1)
    sqrt((h * (log(2 * n / h) + 1) - log(xi / 4)) / n)
  }
  # Added to the training risk; 0.5 is the risk of guessing one of two classes.
  expect_gt(bound(100, 2), 0.5)
  expect_gt(bound(60, 2), 0.5)
})

test_that("(8) by class is another rule than the vote of the k nearest", {
  apart <- vapply(1:30, function(seed) {
    set.seed(seed)
    y <- factor(sample(rep(1:3, c(6, 8, 10))))
    x <- matrix(stats::rnorm(48), 24) + as.integer(y) / 2
    distance <- as.matrix(stats::dist(scale(x)))
    diag(distance) <- Inf
    # p(x | c) = (k / N_c) / V_c, with the volume to the k-th of class c.
    density <- vapply(levels(y), function(c) {
      radius <- apply(distance[, y == c], 1L, \(d) sort(d)[[3L]])
      3 / sum(y == c) / radius^2 * mean(y == c)
    }, numeric(24L))
    by_class <- mean(levels(y)[max.col(density, "first")] != y)
    abs(bayes_error(x, y, method = "knn", k = 3)$error - by_class)
  }, 0)
  expect_lt(sum(apart < 1e-9), 10L)
  expect_gt(max(apart), 0.1)
})

test_that("the scores (10), (11) find fewer true features than Relief", {
  found <- rowMeans(vapply(1:10, function(seed) {
    set.seed(seed)
    y <- factor(rep(1:2, each = 20))
    x <- matrix(stats::rnorm(40 * 30), 40)
    x[, 1:5] <- x[, 1:5] + as.integer(y)
    printed <- apply(x, 2L, function(v) {
      d <- as.matrix(stats::dist(v))
      diag(d) <- Inf
      least <- function(allowed) apply(ifelse(allowed, d, Inf), 1L, min)
      mean(1 / least(outer(y, y, "==")) - 1 / least(outer(y, y, "!=")))
    })
    margins <- relief(x, y, "relief", threads = 1)$scores
    c(mean(order(-printed)[1:5] <= 5), mean(order(-margins)[1:5] <= 5))
  }, numeric(2L)))
  expect_lt(found[[1L]], 0.5)
  expect_gt(found[[2L]], found[[1L]] + 0.2)
})

test_that("Fisher's score (1) is the Laplacian (2) by the graph of classes", {
  toy <- toy_problem(c(5, 9, 4))
  graph <- outer(toy$y, toy$y, "==") / as.vector(table(toy$y)[toy$y])
  laplacian <- apply(toy$x, 2L, function(v) {
    sum(outer(v, v, "-")^2 * graph) / (2 * sum((v - mean(v))^2))
  })
  fisher <- reference_scores(toy$x, toy$y, "fisher")
  expect_equal(1 / (1 + fisher), laplacian, tolerance = 1e-10)
})

# The functions that a script of inst/reproduce defines, without running it.
script_functions <- function(file) {
  place <- new.env()
  code <- parse(text = checkout_file("inst", "reproduce", file))
  for (part in as.list(code)) {
    if (is.call(part) && identical(part[[1L]], as.name("<-")) &&
      is.call(part[[3L]]) && identical(part[[3L]][[1L]], as.name("function"))) {
      eval(part, place)
    }
  }
  place
}

test_that("the threshold (4) and the selection area are those of the papers", {
  by_threshold <- script_functions("pwfp.R")$by_threshold
  area <- script_functions("relief.R")$area
  toy <- toy_problem(c(4, 5))
  z <- scale(toy$x)
  all <- unlist(lapply(1:8, \(a) abs(t(z[(a + 1):9, ]) - z[a, ])))
  within <- between <- numeric(5L)
  for (a in 1:8) {
    for (b in (a + 1):9) {
      near <- abs(z[a, ] - z[b, ]) < stats::median(all)
      if (toy$y[[a]] == toy$y[[b]]) {
        within <- within + near
      } else {
        between <- between + !near
      }
    }
  }
  expect_equal(
    by_threshold(toy$x, toy$y), log(within + 0.5) + log(between + 0.5),
    ignore_attr = TRUE
  )
  # Of all pairs of a real feature and a probe, the share in the right order.
  colnames(toy$x) <- c("f1", "f2", "probe1", "probe2", "probe3")
  toy$x[, "probe3"] <- toy$x[, "f2"]
  fit <- relief(toy$x, toy$y, threads = 1)
  order <- outer(fit$scores[1:2], fit$scores[3:5], "-")
  expect_equal(area(fit), mean((order > 0) + (order == 0) / 2))
})

test_that("BFS' accuracy is the mean over the sizes, split by split", {
  skip_if_not_installed("e1071")
  accuracy_table <- script_functions("common.R")$accuracy_table
  toy <- toy_problem(c(12, 15))
  order_of <- function(x, y) colnames(x)[kbfs(x, y, n = 5, threads = 1)$ranking]
  set.seed(10)
  curve <- error_curve(toy$x, toy$y, list(BFS = order_of),
    sizes = c(1, 3, 5), classifier = "svm_linear", keep = FALSE,
    resampling = holdout(4, train = 0.5, stratified = FALSE)
  )
  by_hand <- vapply(curve$splits, function(split) {
    x <- toy$x[split$train, ]
    y <- toy$y[split$train]
    order <- order_of(x, y)
    z <- scale(toy$x, colMeans(x), apply(x, 2L, stats::sd))
    mean(vapply(c(1, 3, 5), function(k) {
      some <- z[, order[seq_len(k)], drop = FALSE]
      machine <- e1071::svm(
        some[split$train, , drop = FALSE], y,
        kernel = "linear", cost = 1, scale = FALSE
      )
      guess <- stats::predict(machine, some[split$test, , drop = FALSE])
      100 * mean(guess == toy$y[split$test])
    }, 0))
  }, 0)
  found <- accuracy_table(curve, "toy", 1)
  found <- found[found$selector == "BFS", ]
  expect_equal(found$accuracy, mean(by_hand))
  expect_equal(found$sd, stats::sd(by_hand))
})

printed_figures <- function() {
  utils::read.csv(textConnection(
    checkout_file("inst", "reproduce", "published.csv")
  ))
}

test_that("printed averages are those of their columns", {
  papers <- printed_figures()
  key <- do.call(paste, papers[c("paper", "item", "method", "measure")])
  averages <- papers[papers$set == "average", ]
  keys <- key[papers$set == "average"]
  columns <- papers$set != "average"
  # Seconds are rounded more than once; the paper cuts 13.86 to 13.8.
  off <- averages$value - vapply(keys, function(name) {
    mean(papers$value[columns & key == name])
  }, 0)
  unit <- ifelse(averages$measure == "seconds", 1, 0.1)
  expect_gt(length(off), 30L)
  expect_identical(keys[abs(off) > unit], character())
})

test_that("eleven errors in ten splits of twelve cannot have the sd of 0.1", {
  papers <- printed_figures()
  colon <- papers[
    papers$item == "Table II" & papers$set == "colon" & papers$method == "LLFS",
  ]
  errors <- round(colon$value / 100 * 12 * colon$n)
  expect_identical(errors, 11)
  even <- rep(errors %/% 10, 10) + (seq_len(10) <= errors %% 10)
  expect_gt(stats::sd(100 * even / 12), 2.6)
  expect_lt(colon$sd, 0.2)
})
