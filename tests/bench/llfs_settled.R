# Do the programs of LLFS settle, at what cost? One line per set, alpha and
# draw: the share of problems (7) that ended at a limit, and CPU milliseconds
# per representative.
# Usage: Rscript llfs_settled.R [data folder] [library] [what] [alphas] [most
#   representatives] [set ...]
# `what`: share (all samples, and half of them in five draws) or time (all
# samples, three times, the shortest). `alphas`: such as 2,10.
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(TRUE)
argument <- function(i, default) {
  if (length(arguments) >= i) arguments[[i]] else default
}
folder <- argument(1L, "../shared/data")
library(hitmiss, lib.loc = argument(2L, .libPaths()[[1L]]))
what <- match.arg(argument(3L, "share"), c("share", "time"))
alphas <- as.numeric(strsplit(argument(4L, "2,3,5,10,20"), ",")[[1L]])
most <- as.integer(argument(5L, 10000L))
sets <- if (length(arguments) > 5L) {
  arguments[-(1:5)]
} else {
  c(sub("[.]rds$", "", list.files(folder, "[.]rds$")), "floored", "binary")
}
core <- asNamespace("hitmiss")
runtime <- list(threads = 1L, progress = NULL, key = c(1L, 2L))

# 80 samples, 3,000 features, two thirds of the values at the floor.
floored <- function() {
  set.seed(2)
  x <- matrix(rnorm(80 * 3000), 80)
  y <- factor(rep(c("a", "b"), 40))
  x[y == "a", 1:20] <- x[y == "a", 1:20] + 1.5
  list(x = pmax(x, quantile(x, 2 / 3)), y = y)
}

# 1,000 samples, 110 features of 0 and 1 with rates from .02 to .5; ten differ
# between the classes.
binary <- function() {
  set.seed(1)
  rate <- matrix(runif(110, 0.02, 0.5), 1000, 110, byrow = TRUE)
  y <- factor(rep(c("a", "b"), 500))
  rate[y == "a", 1:10] <- pmin(0.9, 2 * rate[y == "a", 1:10])
  list(x = matrix(rbinom(110000, 1, rate), 1000) + 0, y = y)
}

load_set <- function(name) {
  switch(name,
    floored = floored(), binary = binary(),
    readRDS(file.path(folder, paste0(name, ".rds")))
  )
}

prepared <- function(x, y, alpha) {
  colnames(x) <- NULL
  storage.mode(x) <- "double"
  problem <- core$as_problem(x, droplevels(y))
  parameters <- core$llfs_parameters(
    alpha, 0.2, seq(0, 1, by = 0.05), "spheres", "none", "share", FALSE,
    0, Inf, "zscore", list(), problem
  )
  options <- core$llfs_core_options(parameters)
  options$centres <- unique(round(seq(
    1, length(y), length.out = min(most, length(y))
  ))) - 1L
  storage.mode(options$centres) <- "integer"
  list(
    problem = problem, options = options,
    scaling = core$prepare_scaling(problem, "zscore", runtime)
  )
}

fit <- function(p) {
  seconds <- system.time(
    result <- core$cpp_llfs(p$problem, p$scaling, p$options, runtime)
  )
  list(
    share = result$report$residual, programs = result$report$iterations,
    ms = 1000 * seconds[["user.self"]] / length(p$options$centres)
  )
}

half <- function(y, seed) {
  set.seed(seed)
  sort(unlist(lapply(split(seq_along(y), y), function(rows) {
    rows[sample.int(length(rows), ceiling(length(rows) / 2))]
  }), use.names = FALSE))
}

for (name in sets) {
  data <- load_set(name)
  data$x <- as.matrix(data$x) # pcmac is sparse
  for (alpha in alphas) {
    p <- prepared(data$x, data$y, alpha)
    times <- lapply(seq_len(if (what == "time") 3L else 1L), function(i) fit(p))
    cat(sprintf(
      "%-13s alpha %-3g unsettled %.4f of %6d; %.2f ms a representative\n",
      name, alpha, times[[1L]]$share, times[[1L]]$programs,
      min(vapply(times, `[[`, 0, "ms"))
    ))
    if (what == "time") next
    shares <- vapply(1:5, function(seed) {
      rows <- half(data$y, seed)
      fit(prepared(data$x[rows, ], data$y[rows], alpha))$share
    }, 0)
    cat(sprintf(
      "%-13s alpha %-3g halves: largest share %.4f\n", name, alpha, max(shares)
    ))
  }
}
