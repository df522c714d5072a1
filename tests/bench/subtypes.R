# The first example of README over 20 draws: ten genes of 1,000 are high in one
# half of a class and low in the other. How many of them are in the best ten,
# and how long does each method take? Its table is subtypes.csv, among the
# stored results.
#   Rscript tests/bench/subtypes.R
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
sys.source("inst/reproduce/common.R", common <- new.env())

methods <- list(
  limma = function(x, y) {
    t <- limma::eBayes(limma::lmFit(t(x), model.matrix(~y)))$t[, 2]
    selected(abs(t), 10)
  },
  "ratio of variances" = function(x, y) {
    v <- vapply(split(seq_along(y), y), function(i) apply(x[i, ], 2, var),
      numeric(ncol(x))
    )
    selected(abs(log(v[, 1] / v[, 2])), 10)
  },
  "random forest (ranger, 500 trees)" = function(x, y) {
    forest <- ranger::ranger(
      x = x, y = factor(y), importance = "permutation", num.threads = 1
    )
    selected(forest$variable.importance, 10)
  },
  relief = function(x, y) selected(relief(x, y, threads = 1), 10),
  kbfs = function(x, y) selected(kbfs(x, y, n = 10, threads = 1), 10),
  logo = function(x, y) head(selected(logo(x, y, threads = 1)), 10)
)
found <- lapply(1:20, function(seed) {
  set.seed(seed)
  names <- paste0("gene", 1:1000)
  x <- matrix(rnorm(80 * 1000), 80, dimnames = list(NULL, names))
  y <- rep(c("well", "ill"), each = 40)
  x[41:80, 1:10] <- x[41:80, 1:10] + rep(c(2, -2), each = 20)
  vapply(methods, function(best) {
    seconds <- sum(system.time(list <- best(x, y))[1:2])
    c(found = sum(list %in% names[1:10]), seconds = seconds)
  }, c(found = 0, seconds = 0))
})
found <- simplify2array(found)
table <- data.frame(
  method = names(methods),
  found = rowMeans(found["found", , ]),
  standard_error = apply(found["found", , ], 1, sd) / sqrt(20),
  seconds = apply(found["seconds", , ], 1, median)
)
common$save_table(
  table, list(output = file.path("inst", "reproduce", "results")), "subtypes"
)
