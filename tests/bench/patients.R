# Noise of 30 patients with three samples each and labels drawn at random per
# patient: what error curves and probe_fdr() say of it, with patients split and
# with patients kept whole. The figures of ?error_curve; stops where a grouped
# estimate is more than three standard errors from 50 %, or where two processes
# give other bits than one. A minute on one core.
# Stratified splits need 15 patients of each class for noise to have 50 %.
# Others need labels that are drawn by a coin: with 15 of each, a class that is
# frequent in the test part is rare in training, and noise has more than 50 %.
# Usage: Rscript tests/bench/patients.R [data sets]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
given <- as.integer(commandArgs(trailingOnly = TRUE))
n_sets <- if (length(given) == 0L) 40L else given[[1L]]
patient <- rep(1:30, each = 3)

# In every feature a patient has a level of their own, 1.5 times the noise.
noise <- function(seed, by_coin = FALSE) {
  set.seed(seed)
  level <- matrix(rnorm(30 * 500, sd = 1.5), 30)
  x <- level[patient, ] + rnorm(90 * 500)
  colnames(x) <- paste0("g", 1:500)
  label <- sample(
    if (by_coin) sample(c("a", "b"), 30, TRUE) else rep(c("a", "b"), 15)
  )
  list(x = x, y = factor(label[patient]))
}

curve <- function(data, ...) {
  error_curve(
    data$x, data$y,
    list(relief = \(x, y) relief(x, y, hubs = "none", threads = 1)),
    sizes = c(10, 20, 50), classifier = "knn3", keep = FALSE, ...
  )
}

folds_of_rsample <- function() {
  rsample::group_vfold_cv(data.frame(patient), group = patient, v = 5)
}

protocols <- list(
  "5-fold, patients split" = \(d) curve(d, resampling = kfold(5)),
  "5-fold" = \(d) curve(d, resampling = kfold(5), group = patient),
  "5-fold of rsample" = \(d) {
    curve(d, resampling = folds_of_rsample(), group = patient)
  },
  "5-fold of rsample, no group" = \(d) {
    curve(d, resampling = folds_of_rsample())
  },
  "leave-one-group-out" = \(d) {
    curve(d, resampling = leave_one_out(), group = patient)
  },
  "10 half splits" = \(d) curve(d, resampling = holdout(10), group = patient),
  "5-fold, size nested" = \(d) {
    curve(d, resampling = kfold(5), group = patient, nested = kfold(3))
  }
)

unbiased <- function(curve) {
  if (is.null(curve$chosen_summary)) {
    curve$aggregate$mean
  } else {
    curve$chosen_summary$mean
  }
}

wrong <- character()
for (name in names(protocols)) {
  by_coin <- grepl("rsample|leave", name)
  found <- vapply(seq_len(n_sets), function(seed) {
    unbiased(protocols[[name]](noise(seed, by_coin)))
  }, 0)
  se <- sd(found) / sqrt(n_sets)
  cat(sprintf(
    "%-28s error %4.1f %% (se %.1f), %4.1f standard errors from 50 %%\n",
    name, 100 * mean(found), 100 * se, (mean(found) - 0.5) / se
  ))
  if (!grepl("split$", name) && abs(mean(found) - 0.5) > 3 * se) {
    wrong <- c(wrong, name)
  }
}

discoveries <- vapply(seq_len(min(n_sets, 10L)), function(seed) {
  data <- noise(seed)
  ranks <- function(x, y) relief(x, y, hubs = "none", threads = 1)
  count <- function(...) {
    probe_fdr(data$x, data$y, ranks, ...)$n_at[["0.1"]]
  }
  c(split = count(), whole = count(group = patient))
}, c(split = 0, whole = 0))
cat(sprintf(
  "probe_fdr(), features at q = 0.1 of 200: %.1f without group, %.1f with it\n",
  mean(discoveries["split", ]), mean(discoveries["whole", ])
))

same <- function(BPPARAM) {
  set.seed(1)
  one <- curve(
    noise(1), resampling = kfold(5), group = patient, nested = kfold(3)
  )
  set.seed(1)
  other <- curve(noise(1),
    resampling = kfold(5), group = patient, nested = kfold(3), BPPARAM = BPPARAM
  )
  parts <- c("values", "chosen", "selections", "splits")
  identical(one[parts], other[parts])
}
Sys.setenv(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep))
for (BPPARAM in list(
  BiocParallel::MulticoreParam(2), BiocParallel::SnowParam(2)
)) {
  fine <- same(BPPARAM)
  cat(sprintf(
    "two processes (%s): %s\n", class(BPPARAM),
    if (fine) "same bits" else "OTHER BITS"
  ))
  if (!fine) wrong <- c(wrong, class(BPPARAM))
}
if (length(wrong) > 0L) stop("not as it should be: ", toString(wrong))
