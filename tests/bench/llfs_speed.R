# CPU seconds of LLFS beside Table IV of the paper (MATLAB, one core), peak
# memory, and what a second core gives.
# Usage: Rscript llfs_speed.R [data folder] [small|large]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
arguments <- commandArgs(TRUE)
folder <- if (length(arguments) > 0L) arguments[[1L]] else "../shared/data"
parts <- if (length(arguments) > 1L) arguments[-1L] else c("small", "large")

problem <- function(name, train = NULL, noise = 0) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  set.seed(1)
  keep <- if (is.null(train)) seq_along(data$y) else sample(nrow(data$x), train)
  x <- data$x[keep, ]
  storage.mode(x) <- "double"
  if (noise > 0) {
    extra <- matrix(rnorm(length(keep) * noise), length(keep))
    colnames(extra) <- paste0("noise", seq_len(noise))
    x <- cbind(x, extra)
  }
  list(x = x, y = droplevels(data$y[keep]))
}

cpu <- function(data, ..., threads = 1) {
  set.seed(1)
  time <- system.time(fit <- llfs(data$x, data$y,
    alpha = 10, vote = "spheres", ..., threads = threads
  ))
  list(
    cpu = time[["user.self"]] + time[["sys.self"]], elapsed = time[["elapsed"]],
    fit = fit
  )
}

report <- function(label, data, goal, paper = NA, ..., repeats = 3) {
  # Not replicate(): it hides the dots.
  seconds <- min(vapply(seq_len(repeats), function(i) cpu(data, ...)$cpu, 0))
  cat(sprintf(
    "%-22s %7.2f s  goal %5.2f  %s%s\n", label, seconds, goal,
    if (seconds <= goal) "met" else "MISSED",
    if (is.na(paper)) "" else sprintf("  paper %.1f s: %.0f times faster",
      paper, paper / seconds
    )
  ))
}

# Resident memory in MB: now, or the highest since the mark was cleared.
resident <- function(field) {
  line <- grep(field, readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

small_sets <- function() {
  small <- problem("sonar", 100, 100)
  invisible(llfs(small$x, small$y, threads = 1)) # R compiles its own code once
  report("sonar + 100", small, 0.2, 59.40)
  report("dna + 100", problem("dna", 100, 100), Inf, 165.62)
  report("wdbc + 100", problem("wdbc", 100, 100), Inf, 47.31)
  report("prostate, 300", problem("prostate_ge", 90), Inf, 172.42, prune = 300)
  report("leukemia7070, 300", problem("leukemia7070", 60), Inf, 101.83,
    prune = 300
  )
  report("colon, 300", problem("colon", 50), 0.12, 106.12, prune = 300)
  report("colon, 2000", problem("colon"), 0.6)
  report("leukemia, 7129", problem("leukemia"), 3.5)
}

large_set <- function() {
  large <- problem("dna", 100, 1e5)
  invisible(gc())
  mark <- file.exists("/proc/self/clear_refs")
  if (mark) {
    writeLines("5", "/proc/self/clear_refs")
    before <- resident("VmRSS")
  }
  one <- cpu(large)
  if (mark) {
    above <- resident("VmHWM") - before
    cat(sprintf("peak above the data: %.0f MB, goal 400\n", above))
  }
  cat(sprintf("%-22s %7.2f s  goal 25.00  %s\n", "dna + 100,000", one$cpu,
    if (one$cpu <= 25) "met" else "MISSED"
  ))
  two <- cpu(large, threads = 2)
  cat(sprintf(
    "two threads: elapsed %.1f s against %.1f s, %.2f times faster (goal 1.8)\n",
    two$elapsed, one$elapsed, one$elapsed / two$elapsed
  ))
  same <- identical(one$fit$local, two$fit$local)
  cat("same result with one and two threads:", same, "\n")
}

if ("small" %in% parts) small_sets()
if ("large" %in% parts) large_set()
