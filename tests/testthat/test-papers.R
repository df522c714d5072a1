# Quantities of the papers, computed here from their texts alone.
# SPDX-License-Identifier: GPL-3.0-or-later

toy_problem <- function() {
  set.seed(15)
  y <- factor(rep(c("a", "b"), c(8, 16)))
  x <- matrix(stats::rnorm(24 * 5), 24) + (y == "a") * rep(c(2, 0), c(24, 96))
  colnames(x) <- paste0("f", 1:5)
  x <- sweep(x, 2L, apply(x, 2L, min))
  list(x = sweep(x, 2L, apply(x, 2L, max), "/"), y = y)
}

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
  toy <- toy_problem()
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
})

test_that("eleven errors in ten splits of twelve cannot have the sd of 0.1", {
  papers <- utils::read.csv(textConnection(
    checkout_file("inst", "reproduce", "published.csv")
  ))
  colon <- papers[
    papers$item == "Table II" & papers$set == "colon" & papers$method == "LLFS",
  ]
  errors <- round(colon$value / 100 * 12 * colon$n)
  expect_identical(errors, 11)
  even <- rep(errors %/% 10, 10) + (seq_len(10) <= errors %% 10)
  expect_gt(stats::sd(100 * even / 12), 2.6)
  expect_lt(colon$sd, 0.2)
})
