# What compare_selectors(), stability() and calibrated probabilities say, beside
# the truth of many data sets of the kinds of studies.R, and of 54 + 6 samples.
# Rscript tests/bench/levels.R part [data sets] [study ...]; writes
# inst/reproduce/results/levels-<part>.csv. Parts:
# compare, compare-halves, compare-tenths, compare-one: how often two equal
#   selectors differ at p < .05 (4 x 5 folds, 20 half splits, 2 x 10 folds,
#   leave-one-out): each ranks one of two halves of the features, drawn alike.
# power: how often they differ if the second half's effects are smaller by .25.
# stability: how often the interval holds the agreement of studies of half size.
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)
options(hitmiss.threads = 1)
arguments <- commandArgs(TRUE)
source(file.path("inst", "reproduce", "common.R"))
part <- arguments[[1L]]
draws <- as.integer(c(arguments[-1L], 100)[[1L]])

sys.source(file.path("tests", "bench", "studies.R"), own <- new.env())
draw <- own$draw
studies <- own$studies
studies[["54 + 6"]] <- own$study(c(54, 6), 1)

store <- function(row, key = c("study", "statistic")) {
  update_table(
    row, list(output = file.path("inst", "reproduce", "results")),
    paste0("levels-", part), key, 4
  )
}

quiet <- function(code) suppressMessages(suppressWarnings(code))
fisher <- function(x, y) reference_scores(x, y, "fisher")
share_row <- function(study, statistic, hits) {
  hits <- hits[!is.na(hits)]
  data.frame(
    study = study, statistic = statistic, draws = length(hits),
    share = mean(hits), se = sqrt(mean(hits) * mean(!hits) / length(hits))
  )
}

# The same curve by another metric.
by_metric <- function(curve, metric) {
  curve$metric <- metric
  repetition <- vapply(curve$splits, `[[`, 0L, "repetition")
  curve$values <- lapply(
    split(curve$predictions, curve$predictions$selector), hitmiss:::size_values,
    c(hitmiss:::metric_of(curve), name = metric), curve$resampling, repetition
  )
  curve
}

compare <- function(name, resampling, weaker = 0) {
  s <- studies[[name]]
  metrics <- c("error", "balanced_error", "macro_f1", "auc")
  found <- simplify2array(lapply(seq_len(draws), function(seed) {
    set.seed(7000 + seed)
    one <- draw(s)
    other <- draw(utils::modifyList(s, list(effect = s$effect - weaker)))
    x <- cbind(one$x, other$x)
    colnames(x) <- paste0("g", seq_len(ncol(x)))
    half <- function(at) {
      force(at)
      function(x, y) fisher(x[, at], y)
    }
    curve <- quiet(error_curve(x, one$y, list(
      one = half(seq_len(ncol(one$x))), two = half(ncol(one$x) +
        seq_len(ncol(one$x)))
    ), c(5, 10, 20), resampling = resampling, group = one$group))
    p <- unlist(lapply(metrics, function(metric) {
      curve <- by_metric(curve, metric)
      c(
        quiet(compare_selectors(curve))$p,
        quiet(compare_selectors(curve, "size", 10))$p
      )
    }))
    c(p, quiet(compare_selectors(curve))$difference)
  }))
  names <- paste(rep(metrics, each = 2L), c("aggregate", "size 10"))
  for (i in seq_along(names)) {
    store(share_row(name, names[[i]], found[i, ] < 0.05))
  }
  if (weaker > 0) cat(name, "difference", mean(found[nrow(found), ]), "\n")
}

agreement <- function(a, b, n_features) {
  hitmiss:::nogueira(list(a, b), n_features)
}

stable <- function(name) {
  s <- studies[[name]]
  selectors <- list(fisher = fisher, kbfs = function(x, y) kbfs(x, y, n = 30))
  sizes <- c(10, 20)
  found <- lapply(seq_len(draws), function(seed) {
    set.seed(9000 + seed)
    data <- draw(s)
    curve <- quiet(error_curve(data$x, data$y, selectors, sizes,
      resampling = kfold(2, 10), group = data$group, keep = FALSE
    ))
    list(table = as.data.frame(stability(curve)), sets = curve$selections)
  })
  for (row in seq_len(nrow(found[[1L]]$table))) {
    at <- found[[1L]]$table[row, ]
    sets <- lapply(found, function(one) {
      lapply(one$sets[[at$selector]][1:2], utils::head, at$size)
    })
    # Lists of halves of different data sets are those of independent studies.
    truth <- mean(unlist(lapply(seq_along(sets)[-1L], function(i) {
      vapply(seq_len(i - 1L), function(j) {
        agreement(sets[[i]][[1L]], sets[[j]][[2L]], s$genes)
      }, 0)
    })))
    of <- function(column) vapply(found, \(one) one$table[[column]][[row]], 0)
    holds <- of("lower") <= truth & of("upper") >= truth
    statistic <- sprintf("%s, %d features", at$selector, at$size)
    store(cbind(
      share_row(name, statistic, holds), truth = truth,
      index = mean(of("nogueira"), na.rm = TRUE),
      width = mean(of("upper") - of("lower"), na.rm = TRUE)
    ))
  }
}

wanted <- if (length(arguments) > 2L) arguments[-(1:2)] else names(studies)
for (name in wanted) {
  switch(part,
    compare = compare(name, kfold(5, 4)),
    `compare-halves` = compare(name, holdout(20, 0.5)),
    `compare-tenths` = compare(name, kfold(10, 2)),
    `compare-one` = compare(name, leave_one_out()),
    power = compare(name, kfold(5, 4), weaker = 0.25),
    stability = stable(name)
  )
}
