# Seconds of the verbs by samples x features, elapsed and CPU. Rows of another
# build that is compared have its name.
# Usage, from the folder of the package:
#   Rscript inst/reproduce/sizes.R [--lib=DIR] [--build=NAME] [--limit=40]
#     [--rows=REGEX] [--threads=1] [--out=inst/reproduce/results/sizes.csv]
# New rows take the place of old ones.
# SPDX-License-Identifier: GPL-3.0-or-later

option <- function(name, default) {
  given <- grep(paste0("^--", name, "="), commandArgs(TRUE), value = TRUE)
  if (length(given) == 0L) default else sub("^[^=]*=", "", given[[1L]])
}
library(hitmiss, lib.loc = option("lib", .libPaths()[[1L]]))
options(hitmiss.threads = as.integer(option("threads", "1")))
limit <- as.numeric(option("limit", "40"))

arrays <- function(n, p) {
  y <- factor(rep(c("a", "b"), length.out = n))
  x <- matrix(rnorm(n * p), n, dimnames = list(NULL, paste0("g", seq_len(p))))
  x[, 1:20] <- x[, 1:20] + as.integer(y)
  list(x = x, y = y)
}
snps <- function(n, p) {
  data <- arrays(n, 20)
  x <- matrix(as.double(rbinom(n * p, 2, rep(runif(p, .05, .5), each = n))), n)
  x[, 1:20] <- (data$x > 0) + (data$x > 1)
  list(x = x, y = data$y)
}
cells <- function(n, p, share = 0.06) {
  y <- factor(rep(c("a", "b"), length.out = n))
  rows <- lapply(seq_len(p), function(j) {
    odds <- if (j <= 20) share * as.integer(y) else share
    which(runif(n) < odds)
  })
  x <- Matrix::sparseMatrix(
    i = unlist(rows), p = c(0L, cumsum(lengths(rows))),
    x = log1p(rpois(sum(lengths(rows)), 2) + 1), dims = c(n, p),
    dimnames = list(NULL, paste0("g", seq_len(p)))
  )
  list(x = x, y = y)
}
selectors <- list(
  relief = relief,
  "relief parzen" = \(x, y) relief(x, y, "parzen"),
  kbfs = \(x, y) kbfs(x, y, n = 50),
  logo = logo,
  pwfp = pwfp,
  llfs = llfs
)
# Each takes the data and gives what is measured.
others <- list(
  "relief multisurf" = \(d) \() relief(d$x, d$y, "multisurf"),
  turf = \(d) \() turf(d$x, d$y, relief),
  "interactions 50" = \(d) {
    fit <- relief(d$x, d$y)
    \() interactions(fit, d$x, d$y, times = 50)
  },
  bayes_error = \(d) \() bayes_error(d$x, d$y),
  "write_report 5" = \(d) {
    fit <- relief(d$x, d$y)
    file <- tempfile(fileext = ".html")
    \() write_report(fit, d$x[1:5, ], file)
  },
  "predict 500" = \(d) {
    fit <- relief(d$x, d$y)
    \() predict(fit, d$x[1:500, ])
  },
  "reference_scores fisher" = \(d) \() reference_scores(d$x, d$y, "fisher"),
  "error_curve relief, 5" = \(d) \() {
    error_curve(d$x, d$y, relief, 1:10, resampling = holdout(5, 0.5))
  },
  "probe_fdr relief, 5" = \(d) \() probe_fdr(d$x, d$y, relief, times = 5)
)
sizes <- list(
  "100 x 100,000" = \() arrays(100, 1e5),
  "1,000 x 26,526 SNPs" = \() snps(1000, 26526),
  "2,000 x 9,015 sparse" = \() cells(2000, 9015),
  "10,000 x 2,000" = \() arrays(10000, 2000),
  "500 x 1,000" = \() arrays(500, 1000),
  "2,000 x 500" = \() arrays(2000, 500),
  "5,000 x 100" = \() arrays(5000, 100),
  "50 x 20,000" = \() arrays(50, 20000) # of README
)
draws <- list("relief, samples = 500" = \(d) {
  \() relief(d$x, d$y, samples = 500)
})

# A run is stopped after `limit` CPU seconds and has no figure then.
measure <- function(run) {
  setTimeLimit(cpu = limit, transient = TRUE)
  on.exit(setTimeLimit())
  taken <- tryCatch(
    suppressMessages(suppressWarnings(system.time(run()))),
    error = function(e) {
      message(conditionMessage(e))
      c(NA_real_, NA, NA)
    }
  )
  data.frame(
    seconds = signif(taken[[3L]], 2),
    cpu = signif(taken[[1L]] + taken[[2L]], 2)
  )
}
out <- option("out", "inst/reproduce/results/sizes.csv")
build <- option("build", system("git rev-parse --short=7 HEAD", TRUE))
key <- \(table) do.call(paste, table[c("verb", "size", "commit")])
keep <- function(row) {
  if (file.exists(out)) {
    old <- read.csv(out, colClasses = c(commit = "character"))
    row <- rbind(old[!key(old) %in% key(row), ], row)
  }
  write.csv(row, out, row.names = FALSE)
}
for (size in c(names(sizes), "100,000 x 2,000 sparse")) {
  work <- if (size == "100,000 x 2,000 sparse") {
    draws
  } else {
    verbs <- lapply(selectors, \(f) \(d) \() f(d$x, d$y))
    if (match(size, names(sizes)) > 4L) c(verbs, others) else verbs
  }
  work <- work[grep(option("rows", ""), paste(names(work), size, sep = ", "))]
  if (length(work) == 0L) next
  set.seed(1)
  data <- if (size %in% names(sizes)) sizes[[size]]() else cells(1e5, 2000)
  for (verb in names(work)) {
    set.seed(2)
    run <- suppressMessages(suppressWarnings(work[[verb]](data)))
    row <- cbind(verb = verb, size = size, measure(run), commit = build)
    cat(sprintf(
      "%-26s %-24s %8s %8s\n", verb, size, row$seconds, row$cpu
    ))
    keep(row)
  }
}
