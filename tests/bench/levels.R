# What compare_selectors(), stability() and calibrated probabilities say, beside
# the truth of many data sets of the kinds of studies.R, and of 54 + 6 samples.
# Rscript tests/bench/levels.R part [data sets] [study ...]; writes
# inst/reproduce/results/levels-<part>.csv. Parts:
# compare, compare-halves, compare-tenths, compare-one: how often two equal
#   selectors differ at p < .05 (4 x 5 folds, 20 half splits, 2 x 10 folds,
#   leave-one-out): each ranks one of two halves of the features, drawn alike,
#   by Fisher's score, or by kbfs() (compare-kbfs, 4 x 5 folds).
# weaker: how often they differ if the second half's effects are smaller by .12.
# stability: how often the interval holds the agreement of studies of half size.
# probabilities: log loss and calibration error of relief() and kbfs() on new
#   samples, by the votes and calibrated; also of real sets, half against half.
# power: selector_power() beside the share found in fresh studies, of four kinds
#   of values, and of one half of real values beside the other.
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
for (n in c(8, 12, 20)) {
  studies[[paste(n, "+", n)]] <- own$study(c(n, n), 1)
}
studies[["10 + 10, no signal"]] <- own$study(c(10, 10), 0)

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
  curve$values <- lapply(
    split(curve$predictions, curve$predictions$selector), hitmiss:::size_values,
    c(hitmiss:::metric_of(curve), name = metric), curve
  )
  curve
}

compare <- function(name, resampling, weaker = 0, ranker = fisher) {
  s <- studies[[name]]
  metrics <- c("error", if (part == "compare") {
    c("balanced_error", "macro_f1", "auc")
  })
  found <- simplify2array(lapply(seq_len(draws), function(seed) {
    set.seed(7000 + seed)
    one <- draw(s)
    other <- draw(utils::modifyList(s, list(effect = s$effect - weaker)))
    x <- cbind(one$x, other$x)
    colnames(x) <- paste0("g", seq_len(ncol(x)))
    half <- function(at) {
      force(at)
      function(x, y) ranker(x[, at], y)
    }
    curve <- quiet(error_curve(x, one$y, list(
      one = half(seq_len(ncol(one$x))), two = half(ncol(one$x) +
        seq_len(ncol(one$x)))
    ), c(5, 10, 20), resampling = resampling, group = one$group))
    vapply(metrics, function(metric) {
      curve <- by_metric(curve, metric)
      unlist(lapply(list("aggregate", list("size", 10)), function(at) {
        table <- quiet(do.call(compare_selectors, c(list(curve), at)))
        c(table$p, table$difference)
      }))
    }, numeric(4))
  }))
  for (metric in metrics) for (way in 1:2) {
    of <- found[2 * way - 1:0, metric, ]
    row <- share_row(
      name, paste(metric, c("aggregate", "size 10")[[way]]), of[1, ] < 0.05
    )
    if (weaker > 0) row$difference <- mean(of[2, ])
    store(row)
  }
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

# ---- probabilities -----------------------------------------------------------

real <- function(name) load_set(name, list(data = "../shared/data"))

# Log loss, confidence, and whether the most probable class is right.
judged <- function(prob, y) {
  of <- prob[cbind(seq_along(y), as.integer(y))]
  data.frame(
    loss = -log(pmax(of, 1e-12)), confidence = apply(prob, 1L, max),
    right = max.col(prob, "first") == as.integer(y)
  )
}

calibration_error <- function(table) {
  bin <- cut(table$confidence, seq(0, 1, 0.1), include.lowest = TRUE)
  gap <- tapply(table$confidence - table$right, bin, sum)
  sum(abs(gap), na.rm = TRUE) / nrow(table)
}

halves_of <- function(set) {
  rows <- unlist(lapply(levels(set$y), function(class) {
    all <- which(set$y == class)
    all[sample.int(length(all), ceiling(length(all) / 2))]
  }))
  list(
    train = list(x = set$x[rows, ], y = set$y[rows]),
    test = list(x = set$x[-rows, ], y = set$y[-rows])
  )
}

probable <- function(name) {
  s <- studies[[name]]
  set <- if (is.null(s)) real(name)
  selectors <- list(relief = relief, kbfs = kbfs)
  ways <- list(c(20, 5), c(10, 3))
  found <- lapply(seq_len(draws), function(seed) {
    set.seed(5000 + seed)
    data <- if (!is.null(s)) {
      list(train = draw(s), test = draw(s, ceiling(800 / sum(s$sizes))))
    } else {
      halves_of(set)
    }
    train <- data$train
    lapply(selectors, function(selector) {
      arguments <- list(train$x, train$y)
      if (!is.null(train$group)) arguments$group <- train$group
      plain_time <- system.time(quiet(do.call(selector, arguments)))[[1L]]
      time <- system.time(fit <- quiet(
        do.call(tuned(selector, calibrate = TRUE), arguments)
      ))[[1L]]
      plain <- fit
      plain$calibration <- NULL
      of <- lapply(ways, function(way) {
        lapply(list(votes = plain, calibrated = fit), function(fit) {
          prob <- quiet(predict(
            fit, data$test$x, "prob", n = way[[1L]], k = way[[2L]]
          ))
          judged(prob, data$test$y)
        })
      })
      list(
        of = of, time = c(plain_time, time), b = fit$calibration$usual$b
      )
    })
  })
  for (selector in names(selectors)) for (way in 1:2) {
    tables <- function(which) {
      lapply(found, \(one) one[[selector]]$of[[way]][[which]])
    }
    votes <- tables("votes")
    sure <- tables("calibrated")
    loss <- function(tables) vapply(tables, \(table) mean(table$loss), 0)
    gap <- function(tables) {
      all <- do.call(rbind, tables)
      mean(all$confidence) - mean(all$right)
    }
    times <- rowMeans(vapply(found, \(one) one[[selector]]$time, c(0, 0)))
    store(data.frame(
      study = name, statistic = sprintf(
        "%s, n = %d, k = %d", selector, ways[[way]][[1L]], ways[[way]][[2L]]
      ), draws = draws, loss_votes = mean(loss(votes)),
      loss = mean(loss(sure)),
      se = sd(loss(sure) - loss(votes)) / sqrt(draws),
      error_votes = calibration_error(do.call(rbind, votes)),
      error = calibration_error(do.call(rbind, sure)),
      too_sure_votes = gap(votes), too_sure = gap(sure),
      b = mean(vapply(found, \(one) one[[selector]]$b, 0)),
      told_useless = mean(vapply(found, \(one) one[[selector]]$b < 0.35, NA)),
      seconds_plain = times[[1L]], seconds = times[[2L]]
    ))
  }
}

# ---- planted features --------------------------------------------------------

seven <- list(
  relief = relief, multisurf = function(x, y) relief(x, y, "multisurf"),
  parzen = function(x, y) relief(x, y, "parzen"), logo = logo, kbfs = kbfs,
  pwfp = pwfp, fisher = fisher
)

kinds <- list(
  normal = function(n, j) matrix(rnorm(n * j), n),
  blocks = function(n, j) {
    common <- matrix(rnorm(n * j / 10), n)
    sqrt(0.4) * matrix(rnorm(n * j), n) +
      sqrt(0.6) * common[, rep(seq_len(j / 10), each = 10)]
  },
  "t(3)" = function(n, j) matrix(rt(n * j, 3), n),
  counts = function(n, j) {
    matrix(rpois(n * j, rep(exp(rnorm(j, 0, 1.5)), each = n)), n)
  }
)

# The share of features that differ by `effect` which each selector finds, by
# plain code.
truly_found <- function(x, y, n_true, effect) {
  at <- sample(which(apply(x, 2L, sd) > 0), n_true)
  one <- y == levels(y)[[2L]]
  for (j in at) {
    x[one, j] <- x[one, j] + effect * sd(x[, j]) * sample(c(-1, 1), 1L)
  }
  vapply(seven, function(selector) {
    found <- quiet(selector(x, y))
    order <- if (inherits(found, "hitmiss")) {
      names(found$scores)[found$ranking]
    } else {
      names(sort(found, decreasing = TRUE))
    }
    mean(order[seq_len(n_true)] %in% colnames(x)[at])
  }, 0)
}

named <- function(x) {
  dimnames(x) <- list(NULL, paste0("g", seq_len(ncol(x))))
  x
}

planted <- function(name) {
  effects <- c(0.6, 0.9, 1.2)
  shares <- function(x, y, times = 10) {
    table <- quiet(selector_power(x, y, seven, 20, effects, "shift", times))
    matrix(table$found, length(effects), dimnames = list(NULL, names(seven)))
  }
  set.seed(31 + match(name, c(names(kinds), "tox171", "arcene")))
  if (name %in% names(kinds)) {
    y <- factor(rep(1:2, if (name == "counts") c(45, 15) else c(30, 30)))
    truth <- t(vapply(effects, function(effect) {
      rowMeans(replicate(draws, truly_found(
        named(kinds[[name]](60, 500)), y, 20, effect
      )))
    }, numeric(7)))
    # A user's study has true features of its own.
    said <- replicate(6L, {
      x <- named(kinds[[name]](60, 500))
      at <- sample(500, 20)
      x[y == 2, at] <- x[y == 2, at] + 0.9 * rep(apply(x[, at], 2L, sd),
        each = sum(y == 2)
      )
      shares(x, y)
    })
  } else {
    set <- real(name)
    columns <- sample(ncol(set$x), min(2000, ncol(set$x)))
    set <- list(x = named(set$x[, columns]), y = factor(set$y))
    found <- lapply(seq_len(6L), function(half) {
      data <- halves_of(set)
      list(
        said = shares(data$train$x, data$train$y),
        truth = shares(data$test$x, data$test$y, draws)
      )
    })
    said <- simplify2array(lapply(found, `[[`, "said"))
    truth <- Reduce(`+`, lapply(found, `[[`, "truth")) / 6
  }
  for (e in seq_along(effects)) {
    each <- said[e, , ] - truth[e, ]
    row <- data.frame(
      study = name, statistic = sprintf("%g sd", effects[[e]]), draws = draws,
      difference = mean(abs(rowMeans(each))), bias = mean(each),
      difference_one = mean(abs(each)), rank_correlation = mean(
        apply(said[e, , ], 2L, cor, truth[e, ], method = "spearman")
      ),
      least = min(apply(said[e, , ], 2L, cor, truth[e, ], method = "spearman"))
    )
    for (s in names(seven)) {
      row[[s]] <- sprintf("%.2f/%.2f", truth[e, s], mean(said[e, s, ]))
    }
    store(row)
  }
}

wanted <- if (length(arguments) > 2L) arguments[-(1:2)] else names(studies)
for (name in wanted) {
  switch(part,
    compare = compare(name, kfold(5, 4)),
    `compare-halves` = compare(name, holdout(20, 0.5)),
    `compare-tenths` = compare(name, kfold(10, 2)),
    `compare-one` = compare(name, leave_one_out()),
    `compare-kbfs` = compare(name, kfold(5, 4), ranker = function(x, y) {
      kbfs(x, y, n = 20)
    }),
    weaker = compare(name, kfold(5, 4), weaker = 0.12),
    stability = stable(name), probabilities = probable(name),
    power = planted(name)
  )
}
