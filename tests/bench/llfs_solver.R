# The relaxed problem (7) of LLFS beside a general solver: SLSQP of nloptr,
# exact gradients, from the same start f0 = alpha/M.
# Usage: Rscript llfs_solver.R [data folder] [problems]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
if (!requireNamespace("nloptr", quietly = TRUE)) stop("needs nloptr")
arguments <- commandArgs(TRUE)
folder <- if (length(arguments) > 0L) arguments[[1L]] else "../shared/data"
count <- if (length(arguments) > 1L) as.integer(arguments[[2L]]) else 200L
core <- asNamespace("hitmiss")
runtime <- list(threads = 1L, progress = NULL, key = c(1L, 2L))
beta <- seq(0, 1, by = 0.05)

fisher <- function(x, y) {
  n <- as.vector(table(y))
  means <- rowsum(x, y) / n
  within <- colSums((x - means[as.integer(y), ])^2)
  colSums(n * sweep(means, 2L, colMeans(x))^2) / within
}

load_set <- function(name) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  keep <- sample(nrow(data$x), min(nrow(data$x), 100L))
  x <- data$x[keep, ] + 0
  y <- droplevels(data$y[keep])
  if (ncol(x) > 300) x <- x[, sort(order(-fisher(x, y))[1:300])]
  list(x = x, y = y)
}

# Ours for all betas, and the functions of the problem.
one_problem <- function(data, i, alpha, starts) {
  problem <- core$as_problem(data$x, data$y)
  parameters <- core$llfs_parameters(
    alpha, 0.2, beta, "none", "spheres", FALSE, 0, Inf, "zscore",
    list(tol = 1e-4, starts = starts), problem
  )
  pre <- core$prepare_scaling(problem, "zscore", runtime)
  path <- core$cpp_llfs_path(
    problem, pre, core$llfs_core_options(parameters), i, runtime
  )
  z <- core$apply_scaling(problem$values, pre, seq_len(ncol(data$x)))
  a <- abs(sweep(z, 2L, z[i, ]))
  near <- a[setdiff(which(data$y == data$y[[i]]), i), , drop = FALSE]
  far <- a[data$y != data$y[[i]], , drop = FALSE]
  mean_gain <- function(a, f) {
    d <- as.vector(a %*% f)
    mean(1 / (1 + exp(-path$sigma * d)) - 0.5 + path$lambda * d)
  }
  slope <- function(a, f) {
    s <- 1 / (1 + exp(-path$sigma * as.vector(a %*% f)))
    as.vector(crossprod(a, path$sigma * s * (1 - s) + path$lambda)) / nrow(a)
  }
  list(
    path = path, near = near, far = far, gain = mean_gain, slope = slope,
    budget = min(alpha, ncol(data$x))
  )
}

# Moves towards a point with room to spare until U2 >= kappa holds.
restore <- function(p, f, kappa, inside) {
  if (p$gain(p$far, f) >= kappa) return(f)
  way <- function(t) p$gain(p$far, f + t * (inside - f)) - kappa
  t <- stats::uniroot(way, c(0, 1), tol = 1e-12)$root
  f + min(1, t + 1e-10) * (inside - f)
}

slsqp <- function(p, start, kappa) {
  m <- length(start)
  nloptr::nloptr(start,
    eval_f = function(f) {
      list(objective = p$gain(p$near, f), gradient = p$slope(p$near, f))
    },
    lb = rep(0, m), ub = rep(1, m),
    eval_g_ineq = function(f) {
      list(
        constraints = c(
          kappa - p$gain(p$far, f), sum(f) - p$budget, 1 - sum(f)
        ),
        jacobian = rbind(-p$slope(p$far, f), rep(1, m), rep(-1, m))
      )
    },
    opts = list(algorithm = "NLOPT_LD_SLSQP", xtol_rel = 1e-9, maxeval = 400)
  )$solution
}

compare <- function(data, i, alpha, b, starts) {
  p <- one_problem(data, i, alpha, starts)
  m <- ncol(data$x)
  kappa <- beta[[b]] * p$path$eps_max
  top <- as.numeric(seq_len(m) %in% p$path$sets[[length(beta)]])
  if (sum(top) == 0 || p$gain(p$far, top) < kappa) return(NULL)
  ours <- restore(p, p$path$f[, b - 1L], kappa, top)
  start <- rep(min(1, alpha / m), m)
  other <- pmin(pmax(slsqp(p, start, kappa), 0), 1)
  if (sum(other) > p$budget) other <- other * p$budget / sum(other)
  if (p$gain(p$far, other) < kappa * (1 - 1e-6)) {
    other <- restore(p, other, kappa, top)
  }
  sets <- lapply(seq_along(beta), function(k) {
    set <- p$path$sets[[k]]
    f <- as.numeric(seq_len(m) %in% set)
    length(set) == 0L || length(set) <= alpha &&
      p$gain(p$far, f) >= (beta[[k]] - 1e-8) * p$path$eps_max
  })
  singles <- apply(p$near, 2L, function(a) {
    mean(1 / (1 + exp(-p$path$sigma * a)) - 0.5 + p$path$lambda * a)
  })
  singles[apply(data$x, 2L, sd) == 0] <- Inf
  c(
    excess = p$gain(p$near, ours) / p$gain(p$near, other) - 1,
    feasible = all(unlist(sets)),
    beta0 = abs(p$path$objective[[1L]] - min(singles)) < 1e-10
  )
}

set.seed(1)
sets <- lapply(c(sonar = "sonar", wdbc = "wdbc", colon = "colon"), load_set)
for (starts in c("warm", "cold")) {
  set.seed(2)
  result <- lapply(seq_len(count), function(k) {
    data <- sets[[(k - 1L) %% 3L + 1L]]
    compare(
      data, sample(nrow(data$x), 1L), c(3, 10)[[(k - 1L) %/% 3L %% 2L + 1L]],
      sample(2:20, 1L), starts
    )
  })
  result <- do.call(rbind, result)
  cat(sprintf(
    paste0(
      "starts = %s: %d problems; U1 at most 0.1 %% above SLSQP in %.1f %%",
      " (goal 95), below it by 0.1 %% in %.1f %%; excess: median %.2e,",
      " 95 %% %.2e, largest %.2e\n  sets feasible: %s; beta = 0 exact: %s\n"
    ),
    starts, nrow(result), 100 * mean(result[, "excess"] <= 1e-3),
    100 * mean(result[, "excess"] < -1e-3), median(result[, "excess"]),
    quantile(result[, "excess"], 0.95), max(result[, "excess"]),
    all(result[, "feasible"] == 1), all(result[, "beta0"] == 1)
  ))
}
