# What functions of the package cost, beside other programs and beside an older
# build of it: CPU seconds on one thread, highest resident memory above the
# data.
# Usage, from the folder of the package:
#   Rscript tests/bench/speed.R [--lib=DIR] [--old=DIR] [--rounds=3]
#   [--rows=REGEX]
#     [--threads=1] [--seed=1] [--data=../shared/data]
# `lib` and `old`: libraries with a build. Every figure comes from a process of
# its own, and builds alternate: a slow minute of the machine falls on both.
# With `--threads=2`, elapsed seconds beside those of one thread. `--seed` is
# that of the spirals. What is not installed is left out; scipy is that of
# $PYTHON.
# SPDX-License-Identifier: GPL-3.0-or-later

`%or%` <- function(a, b) if (length(a) == 0L) b else a
option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), commandArgs(TRUE), value = TRUE)
  sub("^[^=]*=", "", given) %or% default
}
lib <- option("lib", .libPaths()[[1L]])
threads <- as.integer(option("threads", "1"))
folder <- option("data", "../shared/data")
real <- function(name, keep) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  storage.mode(data$x) <- "double"
  list(x = data$x[keep(data), ], y = droplevels(factor(data$y[keep(data)])))
}
noise <- function(n, p, classes = 2L, signal = 20L) {
  y <- factor(rep(letters[seq_len(classes)], length.out = n))
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  x[, seq_len(signal)] <- x[, seq_len(signal)] + as.integer(y)
  list(x = x, y = y)
}
spiral <- function(seed, p) {
  set.seed(as.integer(option("seed", seed)))
  simulate_spiral(noise = p - 2)
}
flags <- function(n, p) {
  x <- matrix(as.double(rbinom(n * p, 1, rep(runif(p, .02, .5), each = n))), n)
  list(x = x, y = factor(rowSums(x[, 1:10]) > median(rowSums(x[, 1:10]))))
}
on <- function(data, fun, ...) {
  force(data)
  function() suppressWarnings(fun(data$x, data$y, ...))
}
curve_of <- function(data, selector, sizes, ...) {
  function() {
    set.seed(2)
    suppressWarnings(error_curve(
      data$x, data$y, list(s = selector), sizes, ...
    ))
  }
}
inner <- c(1, 2, 5, 10, 20, 50, 100)
one_sample <- function(data, fun) {
  fit <- suppressWarnings(fun(data$x, data$y))
  new <- data$x[1L, , drop = FALSE]
  function() predict(fit, new)
}
# Each makes its data and gives what is measured.
rows <- list(
  "llfs 1,000 x 50" = \() on(noise(1000, 50), llfs),
  "llfs 1,000 x 110, 0/1" = \() on(flags(1000, 110), llfs),
  "llfs 3,000 x 50" = \() on(noise(3000, 50), llfs),
  "llfs 10,000 x 50" = \() on(noise(10000, 50), llfs),
  "llfs dna + 100,000, alpha 10" = \() {
    data <- real("dna", \(d) seq_len(100))
    data$x <- unname(cbind(data$x, matrix(rnorm(1e7), 100)))
    on(data, llfs, alpha = 10)
  },
  "logo spiral 460 x 30,000" = \() on(spiral(1, 30000), logo),
  "logo spiral 460 x 100,000" = \() on(spiral(1, 1e5), logo),
  "logo 3,000 x 1,000" = \() on(noise(3000, 1000), logo),
  "logo 10,000 x 200" = \() on(noise(10000, 200), logo),
  "logo orl10p" = \() on(real("orl10p", \(d) TRUE), logo),
  "logo tox171" = \() on(real("tox171", \(d) TRUE), logo),
  "logo 200 x 100,000" = \() on(noise(200, 1e5), logo),
  "relief 460 x 30,000" = \() on(spiral(1, 30000), relief),
  "relief 200 x 100,000" = \() on(noise(200, 1e5), relief),
  "parzen 460 x 30,000" = \() on(spiral(1, 30000), relief, "parzen"),
  "kbfs 460 x 30,000" = \() on(spiral(1, 30000), kbfs),
  "kbfs 200 x 100,000, to 200" = \() on(noise(200, 1e5), kbfs, n = 200),
  "kbfs 100 x 300,000" = \() on(noise(100, 3e5), kbfs),
  "pwfp 460 x 30,000" = \() on(spiral(1, 30000), pwfp),
  "pwfp 200 x 100,000" = \() on(noise(200, 1e5), pwfp),
  "curve of relief, nested, 100 x 10,000" = \() {
    curve_of(
      noise(100, 10000), relief, inner, resampling = holdout(10, 0.5),
      nested = kfold(5)
    )
  },
  "curve of logo, nested, 100 x 10,000" = \() {
    curve_of(
      noise(100, 10000), logo, inner, resampling = holdout(10, 0.5),
      nested = kfold(5)
    )
  },
  "curve of llfs, three sizes, 60 x 2,000" = \() {
    curve_of(
      noise(60, 2000), \(x, y, size) llfs(x, y, alpha = size), c(2, 5, 10),
      resampling = holdout(10, 0.5), classifier = "own"
    )
  },
  "predict one sample, relief, 100 x 100,000" = \() {
    one_sample(noise(100, 1e5), relief)
  },
  "predict one sample, logo, 100 x 100,000" = \() {
    one_sample(noise(100, 1e5), logo)
  },
  "as_problem 100 x 1,000,000, no names" = \() {
    x <- matrix(rnorm(1e6), 100)[, rep(seq_len(10000), 100)]
    function() hitmiss:::as_problem(x, rep(c("a", "b"), 50))
  },
  "(praznik JMI) spiral 460 x 30,000" = \() {
    data <- spiral(1, 30000)
    function() praznik::JMI(as.data.frame(data$x), data$y, k = 2, threads = 1)
  },
  "(ranger) 460 x 30,000" = \() {
    data <- spiral(1, 30000)
    function() ranger::ranger(x = data$x, y = data$y, num.threads = 1)
  },
  "(CORElearn ReliefF) 460 x 2,000" = \() {
    data <- with(spiral(1, 2000), data.frame(x, y = y))
    function() {
      CORElearn::attrEval(
        y ~ ., data, estimator = "ReliefFequalK", kNearestEqual = 10
      )
    }
  }
)
resident <- function(field) {
  as.numeric(gsub(
    "[^0-9]", "", grep(field, readLines("/proc/self/status"), value = TRUE)
  )) / 1024
}
measure <- function(name) {
  library(hitmiss, lib.loc = lib)
  options(hitmiss.threads = threads)
  set.seed(1)
  run <- rows[[name]]()
  if (startsWith(name, "predict")) run() # R compiles its code once
  invisible(gc())
  mark <- file.access("/proc/self/clear_refs", 2L) == 0L
  if (mark) writeLines("5", "/proc/self/clear_refs")
  before <- resident("VmRSS")
  took <- system.time(run())
  cat(
    "cost", if (is.na(option("elapsed", NA))) sum(took[1:2]) else took[[3L]],
    if (mark) resident("VmHWM") - before else NA, "\n"
  )
  0
}
if (length(option("row", NULL)) > 0L) quit("no", measure(option("row", NULL)))
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
cost <- function(name, setting) {
  said <- suppressWarnings(system2(
    file.path(R.home("bin"), "Rscript"), shQuote(c(
      script, paste0("--row=", name), paste0("--data=", folder),
      paste0("--seed=", option("seed", "1")), setting
    )), stdout = TRUE, stderr = FALSE
  ))
  line <- grep("^cost", said, value = TRUE)
  if (length(line) == 1L) {
    as.numeric(strsplit(line, " ")[[1L]][2:3])
  } else {
    c(NA, NA)
  }
}
settings <- if (threads > 1L) {
  lapply(
    c(threads, 1),
    \(n) c(paste0("--lib=", lib), paste0("--threads=", n), "--elapsed=1")
  )
} else {
  as.list(paste0("--lib=", c(lib, option("old", NULL))))
}
heads <- if (threads > 1L) {
  c("elapsed s", threads, 1)
} else {
  c("CPU s, one thread", "new", "old")
}
cat(sprintf(
  "%-44s %8s %8s %6s %9s\n", heads[[1L]], heads[[2L]], heads[[3L]], "ratio",
  "peak MB"
))
for (name in grep(option("rows", ""), names(rows), value = TRUE)) {
  rounds <- seq_len(as.integer(option("rounds", "3")))
  which <- if (startsWith(name, "(")) settings[1L] else settings
  all <- vapply(
    rounds, \(i) vapply(which, cost, c(0, 0), name = name),
    matrix(0, 2, length(which))
  )
  best <- apply(all, 1:2, min)
  old <- if (length(which) > 1L) best[1, 2] else NA
  cat(sprintf(
    "%-44s %8.3f %8.3f %6.2f %9.0f\n", name, best[1, 1], old, old / best[1, 1],
    best[2, 1]
  ))
}
.libPaths(c(lib, .libPaths()))
