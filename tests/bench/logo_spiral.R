# LOGO on the spiral for growing numbers of irrelevant features, and whether it
# converges on real data. Usage: Rscript tests/bench/logo_spiral.R [data folder]
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
folder <- c(commandArgs(TRUE), "../shared/data")[[1L]]
for (noise in c(50, 500, 5000, 30000, 100000)) {
  for (seed in 1:3) {
    set.seed(seed)
    spiral <- simulate_spiral(noise = noise)
    s <- system.time(fit <- logo(spiral$x, spiral$y, threads = 1))
    cat(sprintf(
      "J %6d seed %d: %s, w %.2f %.2f, %d iterations, %s, %.2f CPU s\n",
      noise, seed, paste(sort(selected(fit)), collapse = " "),
      fit$scores[[1]], fit$scores[[2]], fit$report$iterations,
      fit$report$status, sum(s[1:2])
    ))
  }
}
for (name in c(
  "colon", "srbct", "tox171", "sonar", "orl10p", "ionosphere",
  "prostate_ge", "leukemia"
)) {
  data <- readRDS(file.path(folder, paste0(name, ".rds")))
  s <- system.time(fit <- suppressWarnings(logo(data$x, data$y, threads = 1)))
  cat(sprintf(
    "%-11s %s after %d iterations, %d features, kkt %.1e, gap %.1e, %.2f CPU s\n",
    name, fit$report$status, fit$report$iterations, length(fit$selected),
    fit$report$kkt, fit$report$gap, sum(s[1:2])
  ))
}
