# What evaluation promises, measured: no leakage on noise, stability and its
# baseline, Bayes error, and the cost of reference scores.
# Usage: Rscript evaluation_evidence.R [data folder] [part ...]
# Parts: leakage stability coverage bayes scores
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
args <- commandArgs(TRUE)
folder <- c(args, "../shared/data")[[1L]]
all_parts <- c("leakage", "stability", "coverage", "bayes", "scores")
parts <- if (length(args) > 1L) {
  match.arg(args[-1L], all_parts, TRUE)
} else {
  all_parts
}

# 40 x 5000 of noise: ten features by t or ReliefF and 3-NN. The twin chooses
# the ten on all samples, before the splits.
noise_errors <- function(seed) {
  set.seed(seed)
  x <- matrix(rnorm(40 * 5000), 40, dimnames = list(NULL, paste0("g", 1:5000)))
  y <- factor(rep(c("a", "b"), 20))
  selectors <- list(
    t = function(x, y) reference_scores(x, y, threads = 1),
    relieff = function(x, y) relief(x, y, "relieff", k = 9, threads = 1)$scores
  )
  at_ten <- function(x, selectors) {
    set.seed(seed)
    error_curve(x, y, selectors, 10,
      resampling = holdout(10, 0.5), classifier = "knn3", keep = FALSE
    )$summary$mean
  }
  leaky <- vapply(selectors, function(select) {
    best <- order(-select(x, y))[1:10]
    at_ten(x[, best], list(leaky = select))
  }, 0)
  c(honest = at_ten(x, selectors), leaky = leaky)
}

if ("leakage" %in% parts) {
  errors <- vapply(1:20, noise_errors, numeric(4L))
  rownames(errors) <- c("t", "relieff", "t, leaky", "relieff, leaky")
  cat("error on noise, 20 seeds:\n")
  se <- apply(errors, 1L, sd) / sqrt(20)
  print(round(cbind(mean = rowMeans(errors), se), 3))
}

if ("stability" %in% parts) {
  colon <- readRDS(file.path(folder, "colon.rds"))
  selectors <- list(t = function(x, y) reference_scores(x, y, threads = 1))
  set.seed(1)
  curve <- error_curve(colon$x, colon$y, selectors,
    sizes = c(5, 20, 100), resampling = holdout(20, 0.5), permuted = 100
  )
  print(as.data.frame(stability(curve)), digits = 3)
  set.seed(3)
  random <- lapply(c(5, 20, 100), function(n) {
    mean(replicate(300, as.data.frame(stability(
      lapply(1:20, function(i) sample(2000, n)), 2000
    ))$nogueira))
  })
  cat("random sets:", signif(unlist(random), 2), "\n")
}

if ("coverage" %in% parts) {
  p <- rep(c(0.9, 0.5, 0.02), c(5, 10, 185))
  truth <- 1 - mean(p * (1 - p)) / (mean(p) * (1 - mean(p)))
  for (m in c(3, 5, 10, 20)) {
    set.seed(m)
    inside <- mean(replicate(600, {
      found <- as.data.frame(stability(
        lapply(seq_len(m), function(i) which(runif(200) < p)), 200
      ))
      found$lower <= truth && truth <= found$upper
    }))
    cat("coverage, M =", m, ":", signif(inside, 3), "\n")
  }
  set.seed(9)
  for (sizes in list(10, c(0, 3, 10, 50))) {
    phi <- replicate(300, as.data.frame(stability(
      lapply(sizes[sample.int(length(sizes), 10, TRUE)], function(k) {
        sample(200, k)
      }), 200
    ))$nogueira)
    cat(
      "random sets of", sizes, ": mean",
      signif(mean(phi, na.rm = TRUE), 2), "\n"
    )
  }
}

if ("bayes" %in% parts) {
  for (truth in c(0.05, 0.2)) {
    for (d in c(1, 2, 5)) {
      for (n in c(60, 200)) {
        error <- vapply(seq_len(if (n == 60) 60 else 25), function(seed) {
          set.seed(seed)
          y <- factor(rep(c("a", "b"), each = n / 2))
          x <- matrix(rnorm(n * d), n)
          x[, 1] <- x[, 1] - 2 * qnorm(truth) * (y == "b")
          found <- bayes_error(x, y, threads = 1)
          c(found$nn_error, found$table$error[2:1], found$lower)
        }, numeric(4))
        cat(sprintf(
          "truth %.2f d %d N %3d: 1-NN %.3f, kNN %.3f, Parzen %.3f, C-H %.3f\n",
          truth, d, n, mean(error[1, ]), mean(error[2, ]), mean(error[3, ]),
          mean(error[4, ])
        ))
      }
    }
  }
}

if ("scores" %in% parts) {
  set.seed(1)
  x <- matrix(rnorm(50 * 20000), 50)
  y <- factor(rep(c("a", "b"), 25))
  for (method in c("fisher", "laplacian", "chisq", "infogain", "mrmr")) {
    spent <- min(vapply(1:3, function(i) {
      system.time(reference_scores(x, y, method, threads = 1))[["elapsed"]]
    }, 0))
    cat(sprintf("50 x 20000, one thread, %s: %.3f s\n", method, spent))
  }
  spent <- system.time(
    reference_scores(x, y, "infogain", discretise = "mdl", threads = 1)
  )[["elapsed"]]
  cat(sprintf("50 x 20000, one thread, infogain by mdl: %.3f s\n", spent))
}
