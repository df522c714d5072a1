# Does memory grow? 200 fits and predictions of each selector in one process;
# resident memory after the last, against that after the 20th, must not have
# grown by 1 %:
#   Rscript tests/bench/growth.R [FITS]
# SPDX-License-Identifier: GPL-3.0-or-later

suppressPackageStartupMessages(library(hitmiss))
fits <- c(as.integer(commandArgs(trailingOnly = TRUE)), 200L)[[1L]]
warm_up <- max(2L, fits %/% 10L)

# Kilobytes, after garbage was collected.
resident <- function() {
  for (i in 1:3) gc(FALSE)
  line <- grep("^VmRSS:", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line))
}

if (!file.exists("/proc/self/status")) {
  cat("Resident memory is read from /proc, which is not here.\n")
  quit(status = 77L)
}

# 30 x 2000 doubles are 0.5 MB: a leaked copy per fit would show as 100 MB.
set.seed(1)
toy <- simulate_microarray(n = c(15, 15), genes = 2000)
few <- toy$x[, 1:200]
select <- list(
  llfs = function() llfs(few, toy$y, alpha = 2, beta = c(0, 0.5, 1)),
  logo = function() logo(toy$x, toy$y),
  relief = function() relief(toy$x, toy$y),
  parzen = function() relief(toy$x, toy$y, method = "parzen"),
  irelief = function() relief(toy$x, toy$y, method = "irelief"),
  kbfs = function() kbfs(toy$x, toy$y, n_features = 10),
  pwfp = function() pwfp(toy$x, toy$y)
)

growth <- function(name) {
  for (i in seq_len(fits)) {
    suppressWarnings({
      fit <- select[[name]]()
      predict(fit, if (name == "llfs") few else toy$x)
    })
    # An error on its way out of the core must not leak either.
    try(predict(fit, toy$x[, 0, drop = FALSE]), silent = TRUE)
    if (i == warm_up) before <- resident()
  }
  after <- resident()
  data.frame(
    selector = name, fits, before_mb = round(before / 1024, 1),
    after_mb = round(after / 1024, 1),
    growth_percent = round(100 * (after / before - 1), 2)
  )
}
table <- do.call(rbind, lapply(names(select), growth))
print(table, row.names = FALSE)
quit(status = as.integer(any(table$growth_percent >= 1)))
