# Do all instruction sets and numbers of threads give one answer? relief() and
# logo() on real data. Usage: Rscript tests/bench/simd_levels.R [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
folder <- c(commandArgs(TRUE), "../shared/data")[[1L]]
fits <- function(x, y, threads) {
  suppressWarnings(c(
    list(logo = logo(x, y, threads = threads)),
    lapply(
      stats::setNames(nm = c("relieff", "relief", "map", "irelief", "parzen")),
      function(method) relief(x, y, method, threads = threads)
    )
  ))
}
bits <- function(fit) {
  fit$report[c("seconds", "threads")] <- NULL
  fit$call <- NULL
  fit
}
paths <- setdiff(hitmiss:::cpp_simd_levels(), "baseline")
cat(
  "largest difference of a score from the baseline's, relative to the largest",
  "score (to reach 1e-10); same selection; same bits with one and two threads\n"
)
for (name in c(
  "colon", "srbct", "tox171", "sonar", "orl10p", "ionosphere",
  "prostate_ge", "leukemia"
)) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  options(hitmiss.simd = "auto")
  one <- fits(data$x, data$y, 1)
  same_bits <- identical(
    lapply(one, bits), lapply(fits(data$x, data$y, 2), bits)
  )
  options(hitmiss.simd = "baseline")
  baseline <- fits(data$x, data$y, 1)
  for (path in paths) {
    options(hitmiss.simd = path)
    found <- fits(data$x, data$y, 1)
    off <- vapply(names(found), function(m) {
      a <- coef(found[[m]])
      b <- coef(baseline[[m]])
      max(abs(a - b)) / max(abs(b))
    }, 0)
    same <- vapply(names(found), function(m) {
      setequal(selected(found[[m]]), selected(baseline[[m]]))
    }, NA)
    cat(sprintf(
      "%-11s %-7s %s; selection %s; bits %s\n", name, path,
      paste(sprintf("%s %.0e", names(off), off), collapse = " "),
      if (all(same)) {
        "same"
      } else {
        paste("differs:", toString(names(same)[!same]))
      },
      if (same_bits) "same" else "DIFFER"
    ))
  }
}
