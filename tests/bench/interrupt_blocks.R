# Fits that read blocks from an HDF5 file are interrupted at random moments; the
# time until R has the interrupt, whether a scratch file stays, and whether the
# next fit of the same session is right:
#   Rscript tests/bench/interrupt_blocks.R [TIMES]
# SPDX-License-Identifier: GPL-3.0-or-later

needed <- c("callr", "SummarizedExperiment", "HDF5Array")
missing <- needed[!vapply(needed, requireNamespace, NA, quietly = TRUE)]
if (.Platform$OS.type == "windows" || length(missing) > 0L) {
  cat("Needs signals and these R packages:", toString(needed), "\n")
  quit(status = 77L)
}
script <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(script), "..", "testthat", "helper-interrupts.R"))
arguments <- commandArgs(trailingOnly = TRUE)
times <- if (length(arguments) > 0L) as.integer(arguments[[1L]]) else 100L

# What a task finds in its session; a file of 58 MB, read in 30 blocks.
prepare <- function() {
  loadNamespace("hitmiss")
  set.seed(1)
  n_samples <- 60L
  group <- factor(rep(c("a", "b"), n_samples / 2))
  x <- matrix(rnorm(n_samples * 120000), n_samples)
  colnames(x) <- paste0("g", seq_len(ncol(x)))
  values <- HDF5Array::writeHDF5Array(t(x), tempfile(fileext = ".h5"), "x",
    chunkdim = c(100, n_samples)
  )
  rownames(values) <- colnames(x)
  se <- SummarizedExperiment::SummarizedExperiment(
    list(values = values),
    colData = S4Vectors::DataFrame(group = group)
  )
  options(
    hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * n_samples * 4096
  )
  few <- 1:5000
  list2env(list(
    se = se, few = se[few, ],
    expected = hitmiss::relief(x[, few], group, k = 3, threads = 2)$scores
  ), globalenv())
  NULL
}

tasks <- list(
  logo = function() hitmiss::logo(se, "group", threads = 2),
  irelief = function() hitmiss::relief(se, "group", "irelief", threads = 2),
  relieff = function() hitmiss::relief(se, "group", threads = 2),
  kbfs = function() hitmiss::kbfs(se, "group", n = 50, threads = 2)
)

# The session's own seconds for a fit that nobody interrupts.
whole_fit <- function(session, task) {
  session$run(function(task) {
    environment(task) <- globalenv()
    system.time(task())[["elapsed"]]
  }, list(task))
}

interrupt_once <- function(session, task, wait) {
  session$call(function(task) {
    environment(task) <- globalenv()
    repeat task()
  }, list(task))
  Sys.sleep(wait)
  ended <- interrupt_call(session)
  after <- session$run(function() {
    c(
      left = length(list.files(tempdir(), "^hitmiss-")),
      right = identical(
        hitmiss::relief(few, "group", k = 3, threads = 2)$scores, expected
      )
    )
  })
  c(seconds = ended$seconds, heard = ended$heard, after)
}

session <- callr::r_session$new(callr::r_session_options(libpath = .libPaths()))
invisible(session$run(prepare))
lengths <- vapply(tasks, whole_fit, 0, session = session)
set.seed(2)
turns <- rep_len(names(tasks), times)
runs <- vapply(turns, function(name) {
  # At any moment of a fit, and a little into the next.
  wait <- stats::runif(1, 0.05, 1.2 * lengths[[name]])
  interrupt_once(session, tasks[[name]], wait)
}, numeric(4))
session$close()
cat(sprintf(
  "%d interrupts: %d heard, within %.3f s (median %.3f)\n",
  times, sum(runs["heard", ]), max(runs["seconds", ]),
  stats::median(runs["seconds", ])
))
cat(sprintf(
  "next fit right %d; scratch left %d\n",
  sum(runs["right", ]), sum(runs["left", ])
))
fine <- runs["heard", ] == 1 & runs["right", ] == 1 & runs["left", ] == 0 &
  runs["seconds", ] < 1
quit(status = as.integer(!all(fine)))
