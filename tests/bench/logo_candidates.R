# LOGO of two installed versions, alternated in one run: CPU seconds of one
# thread and their ratios, peak memory beyond the data, praznik's JMI beside
# them where it is installed; whether the spiral's answer is {1, 2}.
# Usage, from the folder of the package: Rscript tests/bench/logo_candidates.R
#   <library with the old version> <library with the new one> [data folder]
# HITMISS_SIMD=baseline chooses the SIMD level.
# SPDX-License-Identifier: GPL-3.0-or-later
arguments <- commandArgs(TRUE)
script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
simd <- Sys.getenv("HITMISS_SIMD", "auto")

problem <- function(case, folder) {
  size <- as.integer(strsplit(case, "x|/")[[1L]])
  if (anyNA(size)) {
    return(readRDS(file.path(folder, paste0(case, ".rds"))))
  }
  set.seed(size[[3L]])
  hitmiss::simulate_spiral(samples = size[c(1, 1)] / 2, noise = size[[2L]] - 2L)
}

# One fit in a process of its own: seconds, peak, selection.
if (arguments[[1L]] == "--fit") {
  library(hitmiss, lib.loc = arguments[[2L]])
  source("tests/bench/scale_common.R")
  options(hitmiss.simd = simd)
  p <- suppressWarnings(problem(arguments[[3L]], arguments[[4L]]))
  peak <- measure(fit <- suppressWarnings(logo(p$x, p$y, threads = 1)))$peak
  once <- function() {
    sum(system.time(suppressWarnings(logo(p$x, p$y, threads = 1)))[1:2])
  }
  first <- once()
  seconds <- min(first, if (first < 2) replicate(3, once()))
  jmi <- NA
  if (requireNamespace("praznik", quietly = TRUE) &&
    is.null(p$relevant) == FALSE) {
    frame <- as.data.frame(p$x)
    jmi <- min(replicate(2, sum(
      system.time(praznik::JMI(frame, p$y, 2, threads = 1))[1:2]
    )))
  }
  cat(
    seconds, peak, jmi, paste(sort(which(coef(fit) > 0)), collapse = ","), "\n"
  )
  quit()
}

folder <- c(arguments[-(1:2)], "../shared/data")[[1L]]
fit_with <- function(library, case) {
  line <- system2("Rscript", c(script, "--fit", library, case, folder),
    stdout = TRUE
  )
  parts <- strsplit(trimws(utils::tail(line, 1L)), " ")[[1L]]
  list(
    seconds = as.numeric(parts[[1L]]), peak = as.numeric(parts[[2L]]),
    jmi = as.numeric(parts[[3L]]), selected = c(parts[-(1:3)], "none")[[1L]]
  )
}
cases <- c(
  paste0("460x30000/", 1:3), paste0("460x100000/", 1:3), "orl10p", "tox171",
  "3000x1000/1", "10000x200/1"
)
cat(
  "case: old CPU s, new, ratio; new peak MB; JMI s; selected by the new one\n"
)
for (case in cases) {
  rounds <- if (startsWith(case, "10000")) 1L else 2L
  runs <- lapply(seq_len(rounds), function(i) {
    list(
      old = fit_with(arguments[[1L]], case),
      new = fit_with(arguments[[2L]], case)
    )
  })
  least <- function(which, what) {
    min(vapply(runs, function(r) r[[which]][[what]], 0))
  }
  selected <- runs[[1L]]$new$selected
  cat(sprintf(
    "%-13s %7.3f %7.3f  %4.2f; %4.0f MB (was %4.0f); JMI %5.2f; %s\n", case,
    least("old", "seconds"), least("new", "seconds"),
    least("old", "seconds") / least("new", "seconds"), least("new", "peak"),
    least("old", "peak"), least("new", "jmi"),
    if (nchar(selected) > 20) {
      paste(lengths(strsplit(selected, ",")), "features")
    } else {
      selected
    }
  ))
}
