# probe_fdr(): estimate against truth on simulated sets (EVALUATION E8), and
# its cost. Usage: Rscript probe_fdr.R [setting] [selector] [sets] [first seed]
# setting S1 S2 S3 S4 S5 S6 S7 or time; selector t relief logo.
# SPDX-License-Identifier: GPL-3.0-or-later
library(hitmiss)
args <- commandArgs(TRUE)
setting <- if (length(args) > 0) args[[1]] else "S2"
name <- if (length(args) > 1) args[[2]] else "t"
sets <- if (length(args) > 2) as.integer(args[[3]]) else 40L
first <- if (length(args) > 3) as.integer(args[[4]]) else 1L

selectors <- list(
  t = function(x, y) reference_scores(x, y, threads = 1),
  relief = function(x, y) relief(x, y, threads = 1),
  logo = function(x, y) logo(x, y, threads = 1)
)

settings <- list(
  S1 = list(rho = 0), S2 = list(), S3 = list(together = TRUE),
  S4 = list(relevant = 0),
  S5 = list(n = c(30, 30), genes = 5000, block = 100, rho = 0.8, delta = 1.2),
  S6 = list(n = c(20, 60), delta = 1), S7 = list(delta = 2)
)

simulate <- function(n = c(40, 40), genes = 2000, delta = 0.9, rho = 0.5,
                     relevant = 20, block = 50, together = FALSE) {
  array <- simulate_microarray(
    n = n, genes = genes, relevant = 0, block = block, correlation = rho
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
