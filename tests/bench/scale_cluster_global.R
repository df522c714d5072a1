# logo(), kbfs() and relief(samples = ) with two workers beside one thread: the
# same fit, and whose time it takes.
#   Rscript tests/bench/scale_cluster_global.R
# The data are sent to the workers, in parts; what a fit over candidates takes
# stays with this process. On a busy machine elapsed time says little: manager
# and busiest worker together are what free cores would need.
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)
param <- BiocParallel::SnowParam(2)
BiocParallel::bpstart(param)
workers_cpu <- function() {
  unlist(BiocParallel::bplapply(1:2, function(i) {
    loadNamespace("hitmiss")
    sum(proc.time()[1:2])
  }, BPPARAM = param))
}
cpu <- function(time) sum(time[1:2])

compare <- function(label, fit) {
  force(fit)
  set.seed(2)
  time <- system.time(alone <- fit(NULL))
  before <- workers_cpu()
  set.seed(2)
  shared_time <- system.time(shared <- fit(param))
  busy <- workers_cpu() - before
  same <- identical(alone$scores, shared$scores) &&
    identical(alone$ranking, shared$ranking)
  cat(sprintf(
    paste(
      "%-33s one thread %6.1f s; manager %5.1f + workers %s CPU s,",
      "%5.1f s elapsed; %.2f times faster on free cores; identical: %s\n"
    ),
    label, cpu(time), cpu(shared_time),
    paste(sprintf("%.1f", busy), collapse = " and "), shared_time[[3]],
    cpu(time) / (cpu(shared_time) + max(busy)), same
  ))
}

array_of <- function(n, genes) {
  set.seed(1)
  simulate_microarray(c(n / 2, n / 2), genes, relevant = 20)
}

compare("relief, 4,000 of 100,000 x 1,000", local({
  d <- array_of(100000, 1000)
  \(b) relief(d$x, d$y, samples = 4000, threads = 1, BPPARAM = b)
}))
compare("kbfs, 200 x 100,000", local({
  d <- array_of(200, 100000)
  \(b) kbfs(d$x, d$y, threads = 1, BPPARAM = b)
}))
for (size in list(c(200, 100000), c(6000, 10000), c(16000, 6000))) {
  compare(sprintf("logo, %d x %d", size[[1]], size[[2]]), local({
    d <- array_of(size[[1]], size[[2]])
    \(b) logo(d$x, d$y, threads = 1, BPPARAM = b)
  }))
}
BiocParallel::bpstop(param)
