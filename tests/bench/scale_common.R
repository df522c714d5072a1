# What the scale benchmarks share: the selectors, and time and memory of a fit.
# SPDX-License-Identifier: GPL-3.0-or-later

# A function of x and y by the name it has on the command line.
global_selector <- function(method, threads = 1L) {
  switch(method,
    relieff = function(x, y) relief(x, y, threads = threads),
    irelief = function(x, y) {
      relief(x, y, method = "irelief", threads = threads)
    },
    parzen = function(x, y) {
      relief(x, y, method = "parzen", bandwidth = 0.1, threads = threads)
    },
    logo = function(x, y) logo(x, y, threads = threads),
    kbfs = function(x, y) kbfs(x, y, n = 50, threads = threads),
    pwfp = function(x, y) pwfp(x, y, threads = threads),
    stop("no such method: ", method)
  )
}

# A field of this process's memory, in MB.
resident <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

# The value of an expression, its seconds, and its peak: VmHWM, which starts
# anew, minus VmRSS before.
measure <- function(expr) {
  invisible(gc(reset = TRUE))
  writeLines("5", "/proc/self/clear_refs")
  before <- resident("VmRSS")
  time <- system.time(value <- expr)
  list(
    value = value, cpu = sum(time[1:2]), elapsed = time[[3]],
    peak = resident("VmHWM") - before
  )
}
