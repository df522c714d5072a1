# Small checks of what containers cost.
#   Rscript tests/bench/scale_checks.R gate|ties|subset|tasks|interrupt [DIR of
#   scale_hdf5.R]
# gate: peak memory of the gate for 80 MB as matrix, SummarizedExperiment,
#   ExpressionSet. ties: rankings of integer data under permuted columns.
# subset: reading a random half of the rows of an HDF5 matrix. tasks: overhead
#   of a task on two warm processes with 16 MB of data. interrupt: seconds from
#   SIGINT to a session that answers, while blocks are read and used.
# SPDX-License-Identifier: GPL-3.0-or-later

args <- commandArgs(TRUE)
suppressMessages(library(hitmiss))
core <- asNamespace("hitmiss")
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script[[1L]]), "scale_common.R"))

gate <- function() {
  suppressMessages(library(SummarizedExperiment))
  y <- factor(rep(c("a", "b"), 50))
  x <- matrix(rnorm(1e7), 100, dimnames = list(NULL, paste0("g", 1:1e5)))
  wide <- t(x)
  se <- SummarizedExperiment(list(wide), colData = DataFrame(y = y))
  set <- Biobase::ExpressionSet(wide)
  invisible(core$as_problem(se[1:10, ], "y"))
  invisible(core$as_problem(set[1:10, ], y))
  cat(sprintf(
    paste(
      "gate, 80 MB: matrix %.1f MB, SummarizedExperiment %.1f MB,",
      "ExpressionSet %.1f MB\n"
    ),
    measure(core$as_problem(x, y))$peak, measure(core$as_problem(se, "y"))$peak,
    measure(core$as_problem(set, y))$peak))
}

ties <- function() {
  differ <- 0
  for (density in c(0.01, 0.1, 0.5)) for (seed in 1:3) {
    set.seed(seed)
    x <- matrix(rpois(400 * 256, 2) * (runif(400 * 256) < density), 400)
    colnames(x) <- paste0("g", 1:256)
    y <- factor(rep(c("a", "b"), 200))
    columns <- sample(256)
    for (container in list(
      identity, function(m) Matrix::Matrix(m, sparse = TRUE)
    )) {
      a <- relief(container(x), y, threads = 1)
      b <- relief(container(x[, columns]), y, threads = 1)
      same <- isTRUE(all.equal(
        b$scores[colnames(x)], a$scores, tolerance = 1e-12
      ))
      differ <- differ + !same
    }
  }
  cat(
    "ties: scores that differ under permuted columns in", differ,
    "of 18 cases\n"
  )
}

subset_rows <- function(dir) {
  suppressMessages(library(SummarizedExperiment))
  se <- readRDS(file.path(dir, "rows.rds"))[1:100000, ]
  old <- options(hitmiss.realise_memory = 0)
  set.seed(1)
  half <- sample(nrow(se), nrow(se) / 2)
  stage <- function(se) {
    problem <- core$as_problem(se, "group")
    sum(system.time(core$stage_blocks(
      problem, list(threads = 1L, progress = NULL, key = NULL)
    ))[1:2])
  }
  invisible(stage(se[1:10, ]))
  cat(sprintf(
    paste(
      "subset: CPU s of reading 100000 x 200: %.2f; a sorted half %.2f;",
      "the half unsorted %.2f\n"
    ),
    stage(se), stage(se[sort(half), ]), stage(se[half, ])
  ))
  options(old)
}

tasks <- function() {
  param <- BiocParallel::SnowParam(2, tasks = 4)
  BiocParallel::bpstart(param)
  x <- matrix(rnorm(2e6), 200)
  run <- function(shared) {
    system.time(BiocParallel::bplapply(1:4, function(i, shared) dim(shared),
      shared,
      BPPARAM = param
    ))[[3]]
  }
  invisible(run(x))
  with_x <- min(vapply(1:5, function(i) run(x), 0))
  without <- min(vapply(1:5, function(i) run(0), 0))
  one <- system.time(unserialize(serialize(x, NULL)))[[3]]
  cat(sprintf(
    paste(
      "tasks: 4 tasks, 2 warm processes, elapsed: without data %.0f ms a task,",
      "with 16 MB %.0f ms a task; one copy of the data %.0f ms\n"
    ),
    1000 * without / 4, 1000 * with_x / 4, 1000 * one
  ))
  BiocParallel::bpstop(param)
}

interrupt <- function(dir) {
  # The fit lasts about nine seconds where nothing else runs.
  for (wait in c(2, 4, 6)) {
    session <- callr::r_session$new(callr::r_session_options(
      libpath = .libPaths()
    ))
    session$run(function(dir) {
      suppressMessages(library(SummarizedExperiment))
      se <<- readRDS(file.path(dir, "rows.rds"))
      loadNamespace("hitmiss")
      1
    }, list(normalizePath(dir)))
    session$call(function() hitmiss::logo(se, "group", threads = 2))
    Sys.sleep(wait)
    started <- proc.time()[[3]]
    session$interrupt()
    session$poll_process(20000)
    took <- proc.time()[[3]] - started
    answer <- session$read()
    works <- session$run(function() {
      x <- matrix(rnorm(400), 20)
      length(hitmiss::relief(x, factor(rep(c("a", "b"), 10)), k = 3)$scores)
    })
    cat(sprintf(
      paste(
        "interrupt after %g s: %.2f s, %s; next call: %d scores;",
        "scratch files left: %d\n"
      ),
      wait, took, class(answer$error)[1], works,
      session$run(function() length(list.files(tempdir(), "^hitmiss-")))
    ))
    session$close()
  }
}

switch(args[1],
  gate = gate(), ties = ties(), subset = subset_rows(args[2]),
  tasks = tasks(), interrupt = interrupt(args[2])
)
