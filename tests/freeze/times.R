# CPU time with a new build over that with an old one, on one thread:
#   Rscript tests/freeze/times.R OLD_LIBRARY NEW_LIBRARY [ROUNDS]
# In each round (5) a process of each library measures all rows; who is first
# alternates. The table has medians over rounds: seconds of one call, and new /
# old of the same round with its range.
# SPDX-License-Identifier: GPL-3.0-or-later

given <- commandArgs(TRUE)
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))

# ---- one process -------------------------------------------------------------

sizes <- list("40 x 10,000" = c(40L, 1e4L), "100 x 20,000" = c(100L, 2e4L))

#' CPU seconds of one call, from as many calls as take half a second
cpu_seconds <- function(run) {
  calls <- 0L
  start <- sum(proc.time()[-3L])
  repeat {
    run()
    calls <- calls + 1L
    spent <- sum(proc.time()[-3L]) - start
    if (spent > 0.5) return(spent / calls)
  }
}

measure <- function(library) {
  .libPaths(c(library, .libPaths()))
  library("hitmiss", lib.loc = library, character.only = TRUE)
  options(hitmiss.threads = 1L)
  unlist(lapply(sizes, function(size) {
    set.seed(1)
    x <- matrix(rnorm(prod(size)), size[[1L]])
    dimnames(x) <- list(NULL, paste0("g", seq_len(size[[2L]])))
    y <- factor(rep(c("a", "b"), length.out = size[[1L]]))
    x[, 1:20] <- x[, 1:20] + as.integer(y)
    fit <- function() relief(x, y)
    curve <- function() {
      set.seed(1)
      error_curve(x, y, list(relief = relief), c(5, 50), "own", holdout(3))
    }
    # The first calls load code.
    fit()
    curve()
    c(relief = cpu_seconds(fit), error_curve = cpu_seconds(curve))
  }))
}

if (given[[1L]] == "--measure") {
  saveRDS(measure(given[[2L]]), given[[3L]])
  quit()
}

# ---- all rounds --------------------------------------------------------------

libraries <- normalizePath(given[1:2], mustWork = TRUE)
rounds <- if (length(given) > 2L) as.integer(given[[3L]]) else 5L
seconds <- lapply(seq_len(rounds), function(round) {
  taken <- vector("list", 2L)
  for (i in if (round %% 2L == 1L) 1:2 else 2:1) {
    file <- tempfile(fileext = ".rds")
    status <- system2(file.path(R.home("bin"), "Rscript"), shQuote(c(
      "--vanilla", script, "--measure", libraries[[i]], file
    )))
    stopifnot("a library cannot be measured" = status == 0L)
    taken[[i]] <- readRDS(file)
  }
  taken
})
old <- do.call(rbind, lapply(seconds, `[[`, 1L))
new <- do.call(rbind, lapply(seconds, `[[`, 2L))
over <- new / old
middle <- function(x) apply(x, 2L, stats::median)
print(round(cbind(
  old = middle(old), new = middle(new), "new/old" = middle(over),
  least = apply(over, 2L, min), most = apply(over, 2L, max)
), 3L))
