# probe_fdr(): estimate against truth on simulated sets (EVALUATION E8), and
# its cost. Usage: Rscript probe_fdr.R [setting] [selector] [sets] [first seed]
# setting S1 to S7, B0 B5 B8 N0 N5 or time; selector t relief logo.
# B0, B5, B8 (80 x 1,000, correlation 0, .5, .8) and N0, N5 (no true feature)
# are those of ?probe_fdr, t at 200 sets, relief at 100. For rankers the
# estimate is compared with others of the same counts: the median over runs, the
# mean of shares capped at 1 in each run, q values formed in each run (a
# threshold per run) and averaged.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
args <- commandArgs(TRUE)
setting <- if (length(args) > 0) args[[1]] else "S2"
name <- if (length(args) > 1) args[[2]] else "t"
sets <- if (length(args) > 2) as.integer(args[[3]]) else 40L
first <- if (length(args) > 3) as.integer(args[[4]]) else 1L

selectors <- list(
  t = function(x, y) reference_scores(x, y, threads = 1),
  relief = function(x, y) relief(x, y, hubs = "none", threads = 1),
  logo = function(x, y) logo(x, y, threads = 1)
)

settings <- list(
  S1 = list(rho = 0), S2 = list(), S3 = list(together = TRUE),
  S4 = list(relevant = 0),
  S5 = list(n = c(30, 30), genes = 5000, block = 100, rho = 0.8, delta = 1.2),
  S6 = list(n = c(20, 60), delta = 1), S7 = list(delta = 2),
  B0 = list(genes = 1000, rho = 0), B5 = list(genes = 1000),
  B8 = list(genes = 1000, rho = 0.8),
  N0 = list(genes = 1000, rho = 0, relevant = 0),
  N5 = list(genes = 1000, relevant = 0)
)

simulate <- function(n = c(40, 40), genes = 2000, delta = 0.9, rho = 0.5,
                     relevant = 20, block = 50, together = FALSE) {
  array <- simulate_microarray(
    samples = n, genes = genes, relevant = 0, block = block, correlation = rho
  )
  true <- if (together) seq_len(relevant) else sample(genes, relevant)
  second <- array$y == "class2"
  array$x[second, true] <- array$x[second, true] + delta
  list(x = array$x, y = array$y, true = colnames(array$x)[true])
}

if (setting == "time") {
  for (size in list(c(80, 2000), c(100, 10000))) {
    set.seed(1)
    data <- simulate(n = rep(size[[1]] / 2, 2), genes = size[[2]])
    spent <- system.time(probe_fdr(data$x, data$y, selectors$relief))
    cat(sprintf("%d x %d, B = 10, relief: %.2f s\n", size[[1]], size[[2]],
      spent[["elapsed"]]
    ))
  }
  quit()
}

at <- c(10, 20, 30, 50, 100)

# Estimates for lists of each length from the counts, runs x length.
smallest_after <- function(fdr) rev(cummin(rev(pmin(1, fdr))))
estimates <- function(counts) {
  runs <- nrow(counts)
  n <- seq_len(ncol(counts))
  extra <- 1 / (runs * n)
  list(
    mean = colMeans(counts) / n + extra,
    median = apply(counts, 2, median) / n + extra,
    capped = colMeans(pmin(sweep(counts, 2, n, "/"), 1)) + extra,
    per_run = colMeans(t(apply(
      sweep(counts + 1 / runs, 2, n, "/"), 1, smallest_after
    )))
  )
}
rows <- lapply(first - 1L + seq_len(sets), function(seed) {
  set.seed(seed)
  data <- do.call(simulate, settings[[setting]])
  found <- probe_fdr(data$x, data$y, selectors[[name]])
  false <- !found$table$feature %in% data$true
  # No list: NA, of a selector that is not sparse.
  share <- function(n) {
    if (is.na(n)) NA else if (n > 0) mean(false[seq_len(n)]) else 0
  }
  n_at <- found$n_at
  list(
    true = (cumsum(false) / seq_along(false))[at], fdr = found$table$fdr[at],
    reached = vapply(n_at, share, 0), n_at = n_at,
    shares = cumsum(false) / seq_along(false),
    estimates = estimates(found$probe_counts),
    list = c(
      n = found$list_size, false = share(found$list_size),
      estimate = found$list_fdr
    )
  )
})
mean_of <- function(field) {
  values <- do.call(rbind, lapply(rows, `[[`, field))
  colMeans(values, na.rm = TRUE)
}
se_of <- function(field) {
  values <- do.call(rbind, lapply(rows, `[[`, field))
  apply(values, 2, sd, na.rm = TRUE) / sqrt(nrow(values))
}
cat(sprintf("%s, %s, %d sets from seed %d\n", setting, name, sets, first))
if (name == "logo") {
  cat("list: size, true share of false, estimate\n")
  print(signif(rbind(mean = mean_of("list"), se = se_of("list")), 3))
} else {
  cat("true share of false | estimate, at n =", at, "\n")
  print(signif(rbind(
    true = mean_of("true"), se = se_of("true"), estimate = mean_of("fdr"),
    se = se_of("fdr")
  ), 3))
}
cat("q cut: share of false reached, list length, share of sets with any\n")
any <- colMeans(do.call(rbind, lapply(rows, `[[`, "n_at")) > 0)
print(signif(rbind(
  reached = mean_of("reached"), se = se_of("reached"), n = mean_of("n_at"),
  any = any
), 3))

if (name != "logo") {
  cat(
    "by rule: estimate at n, false in the list cut at q = .1, sets with any\n"
  )
  rules <- names(rows[[1]]$estimates)
  print(signif(t(vapply(rules, function(rule) {
    fdr <- vapply(rows, function(r) pmin(1, r$estimates[[rule]][at]), at)
    cut <- vapply(rows, function(r) {
      n <- max(0, which(smallest_after(r$estimates[[rule]]) <= 0.1))
      c(if (n > 0) r$shares[[n]] else 0, n > 0)
    }, c(0, 0))
    stats::setNames(
      c(rowMeans(fdr), rowMeans(cut)), c(at, "false at q = .1", "any")
    )
  }, numeric(length(at) + 2))), 3))
}
