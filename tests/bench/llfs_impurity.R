# What `impurity` does to the error of llfs(): shares of the classes, or numbers
# of samples as the paper prints it. 20 random splits of LLFS' Table I, error in
# percent with its standard error, and of the difference with the corrected
# test's interval (?compare_selectors).
# Usage: Rscript llfs_impurity.R [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)

folder <- c(commandArgs(TRUE), "../shared/data")[[1L]]
sets <- list(
  colon = c(train = 50, noise = 0, prune = 300),
  wdbc = c(train = 100, noise = 100, prune = Inf),
  leukemia7070 = c(train = 60, noise = 0, prune = 300)
)
times <- 20L

with_impurity <- function(prune, ...) {
  by <- function(impurity) {
    function(x, y, size) {
      llfs(x, y, ..., impurity = impurity, prune = prune, threads = 1)
    }
  }
  lapply(c(share = "share", count = "count"), by)
}

errors <- function(set, setting, ...) {
  data <- readRDS(file.path(folder, paste0(set, ".rds")))
  how <- sets[[set]]
  set.seed(20)
  noise <- matrix(rnorm(nrow(data$x) * how[["noise"]]), nrow(data$x))
  colnames(noise) <- sprintf("noise%d", seq_len(ncol(noise)))
  curve <- error_curve(cbind(data$x + 0, noise), data$y,
    with_impurity(how[["prune"]], ...), Inf, "own",
    resampling = holdout(times, how[["train"]]), keep = FALSE
  )
  row <- curve$aggregate
  apart <- compare_selectors(curve, adjust = "none")
  cells <- sprintf("%.1f +- %.1f", 100 * row$mean, 100 * row$sd / sqrt(times))
  data.frame(
    set = set, setting = setting, share = cells[[1L]], count = cells[[2L]],
    difference = 100 * apart$difference, lower = 100 * apart$lower,
    upper = 100 * apart$upper
  )
}

table <- do.call(rbind, lapply(names(sets), function(set) {
  rbind(
    errors(set, "alpha = 10, spheres", alpha = 10, vote = "spheres"),
    errors(set, "auto, evidence", alpha = "auto", vote = "evidence")
  )
}))
print(table, digits = 2, row.names = FALSE)
