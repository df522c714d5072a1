# llfs() on several processes: the same fit, and how fast.
#   Rscript tests/bench/scale_cluster.R [DATA = ../shared/data]
#   [representatives = 1000]
# LLFS on so many samples of dna, serial with one thread and with SnowParam(2)
# that is warm. On a busy machine elapsed time says little: the processor time
# of the worker that had most to do is what two free cores would need.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
if (!length(args) || !dir.exists(args[1])) args <- c("../shared/data", args)
n <- if (length(args) > 1) as.integer(args[2]) else 1000L
library(hitmiss)
data <- readRDS(file.path(args[1], "dna.rds"))
set.seed(1)
rows <- sample(nrow(data$x), n)
x <- data$x[rows, ]
y <- data$y[rows]

fit_with <- function(BPPARAM, ...) {
  set.seed(2)
  llfs(x, y, alpha = 10, threads = 1, BPPARAM = BPPARAM, ...)
}
param <- BiocParallel::SnowParam(2)
BiocParallel::bpstart(param)
# Process and processor time of each worker.
workers <- function() {
  each <- BiocParallel::bplapply(1:2, function(i) {
    loadNamespace("hitmiss")
    c(pid = Sys.getpid(), cpu = sum(proc.time()[1:2]))
  }, BPPARAM = param)
  each <- do.call(rbind, each)
  stats::setNames(each[, "cpu"], each[, "pid"])
}
before <- workers()
serial_time <- system.time(serial <- fit_with(NULL))
snow_time <- system.time(snow <- fit_with(param))
busy <- workers()[names(before)] - before
cat(sprintf(
  paste(
    "%d representatives of dna: serial %.1f s elapsed (%.1f CPU),",
    "SnowParam(2) %.1f s elapsed, %.2f times faster; manager CPU %.2f s,",
    "workers %s CPU s = %.2f times less than serial; identical: %s\n"
  ),
  n, serial_time[3], sum(serial_time[1:2]), snow_time[3],
  serial_time[3] / snow_time[3], sum(snow_time[1:2]),
  paste(format(busy, digits = 3), collapse = " and "),
  sum(serial_time[1:2]) / (max(busy) + sum(snow_time[1:2])),
  identical(serial$local, snow$local) &&
    identical(serial$scores, snow$scores) &&
    identical(serial$report$iterations, snow$report$iterations)
))
try(BiocParallel::bpstop(param), silent = TRUE)
