# How many random problems a method is compared on with its definition.
# SPDX-License-Identifier: GPL-3.0-or-later

# What compiles for long: with test.R --current, and wherever else tests run.
skip_if_quick <- function() {
  skip_if(nzchar(Sys.getenv("HITMISS_QUICK")), "only with --current")
}

all_problems <- function() nzchar(Sys.getenv("HITMISS_ALL_PROBLEMS"))

#' The first of the seeds; all of them with test.R --long.
some_of <- function(seeds, share = 1 / 6) {
  few <- max(2, ceiling(share * length(seeds)))
  if (all_problems()) seeds else utils::head(seeds, few)
}

# Noise in blocks of 50 with correlation rho, the first 20 features of random
# places shifted by delta in the second class (setting S2 of the evaluation).
block_data <- function(seed, n = c(40, 40), genes = 2000, delta = 0.9,
                       rho = 0.5, relevant = 20, size = 50) {
  set.seed(seed)
  array <- simulate_microarray(
    samples = n, genes = genes, relevant = 0, block = size, correlation = rho
  )
  true <- sample(genes, relevant)
  second <- array$y == "class2"
  array$x[second, true] <- array$x[second, true] + delta
  list(x = array$x, y = array$y, true = colnames(array$x)[true])
}

t_scores <- function(x, y) sqrt(reference_scores(x, y, threads = 1))

bayes_problem <- function(seed) {
  p <- margin_problem(seed)
  keep <- seq_len(min(ncol(p$x), 4))
  list(x = p$x[, keep], y = p$y)
}

# Noise: 20 patients of 3 samples, whom each feature tells apart.
patients <- function(seed = 1L) {
  withr::with_seed(seed, {
    patient <- rep(1:20, each = 3)
    x <- matrix(rnorm(20 * 60, sd = 3), 20)[patient, ] + rnorm(60 * 60)
    y <- factor(sample(rep(c("a", "b"), 10))[patient])
  })
  dimnames(x) <- list(paste0("p", patient), paste0("g", 1:60))
  list(x = x, y = y, patient = patient)
}

# ---- groups that are not given ----------------------------------------------

said_groups <- function(expr) {
  said <- list()
  withCallingHandlers(expr, hitmiss_message_group = function(m) {
    said[[length(said) + 1L]] <<- m
    invokeRestart("muffleMessage")
  })
  said
}

refused <- function(call, what, class = "hitmiss_error_input") {
  expect_error(call, what, class = class)
}

# A fit, and new samples with their classes.
validated <- function(n = c(20, 20), seed = 1, effect = 1) {
  data <- withr::with_seed(seed, simulate_microarray(
    n, 30, relevant = 3, effect = effect
  ))
  old <- rep(c(TRUE, FALSE), length.out = length(data$y))
  list(
    fit = relief(data$x[old, ], data$y[old], k = 3, threads = 1),
    new = data$x[!old, ], truth = data$y[!old]
  )
}

# Counts of genes, and a few samples in which hardly any is seen.
sparse_problem <- function(n = 600, j = 500, empty = 5) {
  withr::with_seed(5, {
    depth <- replace(runif(n, 0.5, 1.5), seq_len(empty), 0.01)
    x <- matrix(rpois(n * j, outer(depth, rexp(j) / 6)), n)
    y <- factor(sample(c("a", "b"), n, TRUE))
    x[, 1:5] <- x[, 1:5] + (y == "a") * rpois(5 * n, 2)
    dimnames(x) <- list(paste0("s", seq_len(n)), paste0("g", seq_len(j)))
    list(x = log2(x + 1), y = y)
  })
}

# The design of samples of which only the groups are given.
groups_of <- function(group) {
  new_design(length(group), list(group = match(group, unique(group))))
}

# Units that have three samples of each of two classes.
grouped_cells <- function(units) {
  n <- 6L * units
  x <- withr::with_seed(1, matrix(stats::rnorm(n * 20), n))
  colnames(x) <- paste0("g", seq_len(20L))
  unit <- rep(seq_len(units), each = 6L)
  list(x = x, y = rep_len(c("a", "b"), n), unit = unit)
}
