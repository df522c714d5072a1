# What error_curve() costs beyond selecting and classifying, and how much memory
# its result takes: 100 x 10,000, 10 splits, 10 sizes. CPU seconds, beside those
# of a bare loop that selects, scales and votes on the same splits. Who comes
# first alternates: a slow minute of the machine must not fall on one of them.
# Usage: Rscript curve_overhead.R [rounds]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
rounds <- as.integer(c(commandArgs(TRUE), "20")[[1L]])
internal <- function(name) get(name, asNamespace("hitmiss"))
scaled_parts <- internal("scaled_parts")
nested_vote <- internal("nested_vote")
set.seed(1)
data <- simulate_microarray(n = c(50, 50), genes = 10000)
sizes <- c(1L, 2L, 5L, 10L, 20L, 50L, 100L, 200L, 500L, 1000L)
select <- function(x, y) relief(x, y, threads = 1)
options(hitmiss.threads = 1)

curve_of <- function(keep) {
  set.seed(2)
  error_curve(data$x, data$y, list(relief = select), sizes,
    resampling = holdout(10, 0.5), keep = keep
  )
}

bare <- function(splits) {
  vote <- function(split, columns, sizes) {
    parts <- scaled_parts(
      data$x[split$train, columns], data$x[split$test, columns], "zscore"
    )
    nested_vote(parts, data$y[split$train], sizes,
      matrix(5L, length(sizes)),
      share = TRUE
    )
  }
  for (split in splits) {
    fit <- select(data$x[split$train, ], data$y[split$train])
    vote(split, fit$ranking[1:1000], sizes)
    vote(split, seq_len(ncol(data$x)), ncol(data$x))
  }
}

cpu <- function(run) sum(system.time(run())[c("user.self", "sys.self")])
splits <- curve_of(FALSE)$splits
programs <- list(whole = function() curve_of(TRUE), loop = function() bare(splits))
seconds <- vapply(seq_len(rounds), function(round) {
  order <- if (round %% 2L == 0L) names(programs) else rev(names(programs))
  vapply(programs[order], cpu, 0)[names(programs)]
}, c(whole = 0, loop = 0))
total <- rowMeans(seconds)
ratio <- seconds["whole", ] / seconds["loop", ]
cat(sprintf(
  "error_curve %.3f s, bare loop %.3f s: overhead %.1f %% (se %.1f, median %.1f)\n",
  total[["whole"]], total[["loop"]], 100 * (total[["whole"]] / total[["loop"]] - 1),
  100 * sd(ratio) / sqrt(rounds), 100 * (median(ratio) - 1)
))
for (keep in c(TRUE, FALSE)) {
  cat(sprintf(
    "keep = %s: the result takes %.2f MB\n", keep,
    as.numeric(object.size(curve_of(keep))) / 2^20
  ))
}
