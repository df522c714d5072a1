# LLFS on one split of real data, from its definition alone: the reference of
# the tests, with (7) by linear programs of lpSolve. Are the package's feature
# sets, spheres and classes the same? Minutes for one alpha.
# Usage: Rscript llfs_definition.R [data folder] [set] [seed] [alpha] [samples]
# `set`: sonar, dna or wdbc, with 100 noise features; `seed` draws the split,
# stratified. `samples`: test samples to classify.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
if (!requireNamespace("lpSolve", quietly = TRUE)) stop("needs lpSolve")
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(
  dirname(script[[1L]]), "..", "testthat", "helper-reference-llfs.R"
))
arguments <- commandArgs(TRUE)
argument <- function(i, default) {
  if (length(arguments) >= i) arguments[[i]] else default
}
folder <- argument(1L, "../shared/data")
set <- argument(2L, "wdbc")
seed <- as.integer(argument(3L, 1L))
alpha <- as.numeric(argument(4L, 5))
samples <- as.integer(argument(5L, 200L))
beta <- seq(0, 1, by = 0.05)
gamma <- 0.2

# ---- (6) and (7) -------------------------------------------------------------

# Columns that vary, and the two means with their gradients.
functions_of <- function(p) {
  slope <- function(d) {
    s <- 1 / (1 + exp(-p$sigma * d))
    p$sigma * s * (1 - s) + p$lambda
  }
  side <- function(a) {
    list(
      a = a, value = function(f) mean(p$gain(a %*% f)),
      gradient = function(f) as.vector(crossprod(a, slope(a %*% f))) / nrow(a)
    )
  }
  list(
    near = side(p$near[, p$varies, drop = FALSE]),
    far = side(p$far[, p$varies, drop = FALSE]), budget = p$budget
  )
}

# Mass moves from the least to the most useful feature until none gains.
most_separated <- function(q) {
  f <- ref_corner(colSums(q$far$a), q$budget)
  for (step in 1:2000) {
    g <- q$far$gradient(f)
    up <- which(f < 1)
    down <- which(f > 0)
    if (length(up) == 0L) break
    up <- up[which.max(g[up])]
    down <- down[which.min(g[down])]
    if ((g[[up]] - g[[down]]) * q$budget <= 1e-7 * q$far$value(f)) break
    moved <- function(t) replace(f, c(up, down), f[c(up, down)] + c(t, -t))
    all_of_it <- min(1 - f[[up]], f[[down]])
    value <- function(t) q$far$value(moved(t))
    t <- optimize(value, c(0, all_of_it), maximum = TRUE, tol = 1e-9)$maximum
    if (value(all_of_it) >= value(t)) t <- all_of_it
    f <- moved(t)
    f[abs(f) < 1e-9] <- 0
    f[abs(f - 1) < 1e-9] <- 1
  }
  f
}

# min cost'f subject to U2(f) >= kappa, by cuts where the way to the largest
# separation leaves the feasible set. One pool of cuts serves all kappa.
linear_programs <- function(q, largest) {
  m <- length(largest)
  cuts <- offsets <- NULL # cuts f >= kappa - offsets
  add_cut <- function(f) {
    g <- q$far$gradient(f)
    cuts <<- rbind(cuts, g)
    offsets <<- c(offsets, q$far$value(f) - sum(g * f))
  }
  add_cut(largest)
  slip <- 1e-3 * q$far$value(largest)
  function(cost, kappa) {
    repeat {
      program <- lpSolve::lp(
        "min", cost / max(cost), rbind(rep(1, m), 1, cuts, diag(m)),
        c(">=", "<=", rep(">=", nrow(cuts)), rep("<=", m)),
        c(1, q$budget, kappa - offsets, rep(1, m))
      )
      if (program$status != 0) return(largest)
      f <- program$solution
      if (q$far$value(f) >= kappa - slip) return(f)
      way <- function(t) q$far$value(f + t * (largest - f)) - kappa
      add_cut(f + uniroot(way, c(0, 1), tol = 1e-10)$root * (largest - f))
    }
  }
}

# Convex-concave steps, each a linear program, from `f`.
least_spread <- function(q, f, kappa, program) {
  best <- NULL
  for (step in 1:25) {
    f <- program(q$near$gradient(f), kappa)
    if (!is.null(best) && q$near$value(f) >= q$near$value(best) * (1 - 1e-7)) {
      break
    }
    best <- f
  }
  best
}

# Subsets of the fractional entries: all, or 1000 draws where they are many.
subsets_of <- function(open, f) {
  if (length(open) > 10L) {
    return(lapply(1:1000, function(draw) open[runif(length(open)) < f[open]]))
  }
  lapply(seq_len(2^length(open)) - 1L, function(mask) {
    open[bitwAnd(mask, 2^(seq_along(open) - 1)) > 0]
  })
}

# The best feasible rounding; none: integer(0).
rounded <- function(q, f, kappa, eps_max) {
  base <- which(f > 1 - 1e-6)
  open <- which(f > 1e-6 & f <= 1 - 1e-6)
  best <- integer()
  least <- Inf
  for (some in subsets_of(open, f)) {
    set <- sort(c(base, some))
    if (length(set) < 1L || length(set) > alpha) next
    indicator <- as.numeric(seq_along(f) %in% set)
    if (q$far$value(indicator) < kappa - 1e-9 * eps_max) next
    if (q$near$value(indicator) >= least - 1e-12) next
    least <- q$near$value(indicator)
    best <- set
  }
  best
}

# The sets of one representative, one per beta, as columns of z.
sets_of <- function(z, y, i) {
  p <- ref_program(z, y, i, alpha)
  q <- functions_of(p)
  largest <- most_separated(q)
  eps_max <- q$far$value(largest)
  program <- linear_programs(q, largest)
  single <- colMeans(p$gain(q$near$a))
  f <- numeric(length(single))
  f[[which(single <= min(single) + 1e-12)[[1L]]]] <- 1
  lapply(seq_along(beta), function(b) {
    kappa <- beta[[b]] * eps_max
    if (b == length(beta)) {
      f <<- largest
    } else if (b > 1L) {
      f <<- least_spread(q, f, kappa, program)
    }
    p$varies[rounded(q, f, kappa, eps_max)]
  })
}

# ---- one split ---------------------------------------------------------------

data <- readRDS(file.path(folder, paste0(set, ".rds")))
set.seed(seed)
x <- data$x + 0
x <- cbind(x, matrix(rnorm(nrow(x) * 100), nrow(x)))
colnames(x) <- seq_len(ncol(x))
train <- sample(nrow(x), 100L)
y <- data$y[train]
new <- head(setdiff(seq_len(nrow(x)), train), samples)

fit <- llfs(x[train, ], y, alpha = alpha, vote = "spheres", threads = 1)
centre <- colMeans(x[train, ])
spread <- apply(x[train, ], 2L, sd)
spread[spread == 0] <- 1
z <- ref_scale(x[train, ])
z_new <- scale(x[new, ], centre, spread)

mine <- lapply(seq_along(y), function(i) {
  sets <- Filter(length, sets_of(z, y, i))
  sets[[ref_choice(z, y, i, sets, gamma)]]
})
same <- vapply(seq_along(y), function(i) {
  identical(mine[[i]], hitmiss:::subset_of(fit, i))
}, NA)
radius <- vapply(seq_along(y), function(i) {
  ref_radius(z, y, i, mine[[i]], gamma)
}, 0)
cat(sprintf(
  "%s, seed %d, alpha %g: %d samples, %d features; same set for %d of %d\n",
  set, seed, alpha, length(y), ncol(x), sum(same), length(same)
))
cat(sprintf(
  "largest relative difference of the radius where the set is the same: %.1e\n",
  max(abs(fit$local$radius - radius)[same] / pmax(radius[same], 1e-300))
))
for (rule in c("none", "half", "full")) {
  fit$parameters$neighbour <- rule
  predicted <- as.character(predict(fit, x[new, ], threads = 1))
  reference <- apply(z_new, 1L, function(sample) {
    ref_classify(z, y, sample, mine, radius, rule)$class
  })
  truth <- as.character(data$y[new])
  cat(sprintf(
    "neighbour = %s: error %.2f %% by definition, %.2f %% package; %s\n", rule,
    100 * mean(reference != truth), 100 * mean(predicted != truth),
    sprintf("%d of %d classes differ", sum(reference != predicted), length(new))
  ))
}
