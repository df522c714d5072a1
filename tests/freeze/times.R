# CPU time with a new build over that with an old one, on one thread:
#   Rscript tests/freeze/times.R OLD_LIBRARY NEW_LIBRARY [ROUNDS]
# Each round (of 5) starts a process for each library. They take turns, three
# times for each row, and the least time of each counts: other work on the
# machine only adds. The table has medians over the rounds, and the range of
# new / old of a round.
# SPDX-License-Identifier: GPL-3.0-or-later

given <- commandArgs(TRUE)
libraries <- normalizePath(given[1:2], mustWork = TRUE)
rounds <- if (length(given) > 2L) as.integer(given[[3L]]) else 5L
rows <- expand.grid(call = c("relief", "error_curve"), n = c(40L, 100L))
rows$p <- ifelse(rows$n == 40L, 10000L, 20000L)

#' CPU seconds of one call, from as many calls as take 0.3 seconds
cpu_seconds <- function(library, call, n, p) {
  library("hitmiss", lib.loc = library, character.only = TRUE)
  options(hitmiss.threads = 1L)
  set.seed(1)
  y <- factor(rep(c("a", "b"), length.out = n))
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  x[, 1:20] <- x[, 1:20] + as.integer(y)
  run <- switch(call, relief = function() relief(x, y), function() {
    error_curve(x, y, list(relief = relief), c(5, 50), "own", holdout(3))
  })
  run() # loads code
  calls <- 0L
  start <- sum(proc.time()[-3L])
  while ((spent <- sum(proc.time()[-3L]) - start) < 0.3) {
    run()
    calls <- calls + 1L
  }
  spent / calls
}

# Returns seconds, rows x libraries.
one_round <- function(round) {
  workers <- parallel::makePSOCKcluster(2L)
  on.exit(parallel::stopCluster(workers))
  t(mapply(function(call, n, p) {
    turns <- replicate(3L, vapply(1:2, function(i) {
      parallel::clusterCall(
        workers[i], cpu_seconds, libraries[[i]], call, n, p
      )[[1L]]
    }, 0))
    apply(turns, 1L, min)
  }, as.character(rows$call), rows$n, rows$p))
}

seconds <- simplify2array(lapply(seq_len(rounds), one_round))
ratio <- seconds[, 2L, , drop = FALSE] / seconds[, 1L, , drop = FALSE]
middle <- apply(seconds, 1:2, stats::median)
print(cbind(rows, round(data.frame(
  old = middle[, 1L], new = middle[, 2L],
  ratio = apply(ratio, 1L, stats::median),
  least = apply(ratio, 1L, min), most = apply(ratio, 1L, max)
), 3L)), row.names = FALSE)
