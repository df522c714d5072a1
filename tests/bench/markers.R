# Markers of simulated cells, beside scran's findMarkers(): share of true ones
# among the first 10, 20 and 40 of each cluster, CPU seconds, peak memory.
#   Rscript tests/bench/markers.R CELLS GENES
# Clusters have 30, 20, 15, 12, 10, 7, 4 and 2 % of the cells and 40 genes each
# whose mean is 2 to 6 times as large. Every method runs in its own process.
# SPDX-License-Identifier: GPL-3.0-or-later

suppressPackageStartupMessages(library(Matrix))

simulate_cells <- function(cells, genes, seed = 1) {
  set.seed(seed)
  share <- c(0.3, 0.2, 0.15, 0.12, 0.1, 0.07, 0.04, 0.02)
  cluster <- factor(paste0("c", sample(8L, cells, TRUE, share)))
  base <- exp(rnorm(genes, -2.2, 1.3))
  depth <- exp(rnorm(cells, 0, 0.4))
  truth <- split(sample(genes, 320L), rep(seq_len(8L), each = 40L))
  fold <- matrix(1, genes, 8L)
  for (k in seq_len(8L)) fold[truth[[k]], k] <- exp(runif(40L, log(2), log(6)))
  parts <- lapply(split(seq_len(genes), ceiling(seq_len(genes) / 200)), \(g) {
    mean <- base[g] * fold[g, as.integer(cluster), drop = FALSE] *
      rep(depth, each = length(g))
    Matrix(
      matrix(as.double(rnbinom(length(mean), mu = mean, size = 2)), length(g)),
      sparse = TRUE
    )
  })
  counts <- do.call(rbind, parts)
  size <- colSums(counts) / mean(colSums(counts))
  counts@x <- log2(counts@x / rep.int(size, diff(counts@p)) + 1)
  rownames(counts) <- paste0("g", seq_len(genes))
  list(
    x = counts, y = cluster, truth = lapply(truth, \(at) paste0("g", at))
  )
}

methods <- list(
  "markers()" = \(d) {
    found <- hitmiss::markers(t(d$x), d$y, n = 40, threads = 1)
    split(found$feature, found$class)
  },
  "scran, t" = \(d) scran_lists(d, "t"),
  "scran, Wilcoxon" = \(d) scran_lists(d, "wilcox")
)

scran_lists <- function(d, test) {
  tables <- scran::findMarkers(
    d$x, d$y, test.type = test, direction = "up", pval.type = "some"
  )
  lapply(as.list(tables), rownames)
}

peak <- function() {
  line <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
  as.numeric(gsub("[^0-9]", "", line)) / 1024
}

args <- commandArgs(TRUE)
if (length(args) == 3L) {
  d <- readRDS(args[[1L]])
  run <- methods[[args[[2L]]]]
  loadNamespace(if (args[[2L]] == "markers()") "hitmiss" else "scran")
  before <- peak()
  spent <- sum(system.time(lists <- run(d))[1:2])
  held <- peak() - before
  among <- function(n) mapply(\(l, t) mean(head(l, n) %in% t), lists, d$truth)
  rarest <- names(which.min(table(d$y)))
  cat(sprintf(
    "%-16s %s  rarest, of 20: %.2f  worst, of 20: %.2f  %6.1f s  +%.0f MB\n",
    args[[2L]],
    paste(sprintf("%.3f", vapply(c(10, 20, 40), \(n) mean(among(n)), 0)),
      collapse = " "
    ), among(20)[[rarest]], min(among(20)), spent, held
  ))
} else {
  file <- tempfile(fileext = ".rds")
  d <- simulate_cells(as.integer(args[[1L]]), as.integer(args[[2L]]))
  cat(sprintf(
    "%s cells x %s genes, %.0f %% nonzero\n", args[[1L]], args[[2L]],
    100 * nnzero(d$x) / length(d$x)
  ))
  saveRDS(d, file, compress = FALSE)
  script <- sub("--file=", "", grep("--file=", commandArgs(), value = TRUE))
  for (method in names(methods)) {
    system2("Rscript", shQuote(c(script, file, method, "run")))
  }
}
