# What every selector and score comes to on small problems and on two real
# microarrays, as numbers: written by one build, compared with another's.
#   Rscript tests/builds/results.R LIBRARY FILE
# SPDX-License-Identifier: GPL-3.0-or-later

arguments <- commandArgs(TRUE)
library(hitmiss, lib.loc = arguments[[1L]])
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "..", "testthat", "helper-contract.R"))

# Every third has whole numbers, in which distances and gains tie.
small_problem <- function(seed) {
  set.seed(seed)
  n <- sample(12:40, 1L)
  classes <- sample(2:4, 1L)
  y <- factor(rep_len(letters[seq_len(classes)], n))
  x <- matrix(rnorm(n * sample(5:120, 1L)), n)
  x[, 1:3] <- x[, 1:3] + as.integer(y)
  if (seed %% 3L == 0L) x <- round(x)
  colnames(x) <- paste0("g", seq_len(ncol(x)))
  list(x = x, y = y)
}

microarray <- function(x, y) {
  kept <- y %in% names(which(table(y) >= 3L))
  colnames(x) <- paste0("g", seq_len(ncol(x)))
  list(x = x[kept, ], y = factor(y[kept]))
}

problems <- lapply(stats::setNames(1:20, paste("small", 1:20)), small_problem)
if (requireNamespace("ISLR2", quietly = TRUE)) {
  khan <- ISLR2::Khan
  problems$Khan <- microarray(
    rbind(khan$xtrain, khan$xtest), paste0("c", c(khan$ytrain, khan$ytest))
  )
  problems$NCI60 <- microarray(ISLR2::NCI60$data, ISLR2::NCI60$labs)
}

# NULL for a fit that did not settle: where it was when its iterations were over
# depends on the last bit.
as_numbers <- function(select, problem) {
  fit <- fit_seeded(select, problem$x, problem$y)
  if (identical(fit$report$status, "max_iter")) return(NULL)
  list(
    scores = fit$scores, selected = fit$selected,
    class = predict(fit, problem$x, threads = 1L),
    prob = predict(fit, problem$x, type = "prob", threads = 1L),
    subsets = if (inherits(fit, "hitmiss_llfs")) {
      as.matrix(hitmiss:::subset_matrix(fit))
    },
    found = if (inherits(fit, "hitmiss_llfs")) mean(fit$local$score)
  )
}

score_methods <- eval(formals(reference_scores)$method)
# What a method takes: times for those of Cox's model.
outcome_for <- function(method, problem) {
  if (!startsWith(method, "cox")) return(problem$y)
  values <- problem$x[, 1L]
  survival::Surv(exp(values / max(abs(values))), rep_len(1:0, length(values)))
}
results <- lapply(problems, function(problem) {
  suppressWarnings(c(
    Filter(length, lapply(selectors, as_numbers, problem)),
    lapply(stats::setNames(nm = score_methods), function(method) {
      set.seed(1)
      list(scores = as.numeric(
        reference_scores(
          problem$x, outcome_for(method, problem), method,
          threads = 1L
        )
      ))
    }),
    list(`Bayes error` = list(scores = unlist(unclass(bayes_error(
      problem$x, problem$y,
      features = 1:3, bandwidth = 0.5, threads = 1L
    ))[c("error", "plugin", "criterion", "nn_error")])))
  ))
})
saveRDS(results, arguments[[2L]])
