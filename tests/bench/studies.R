# Eleven studies: does `chosen` of error_curve(nested = ) tell the error, on
# fresh samples, of the fit to all samples? Bias, and how often mean +- 2
# standard errors holds the truth.
# Rscript tests/bench/studies.R [data sets] [study]
# SPDX-License-Identifier: GPL-3.0-or-later

library(hitmiss)
options(hitmiss.threads = 1)
arguments <- commandArgs(TRUE)
draws <- as.integer(c(arguments, 50)[[1L]])
ranker <- function(x, y, ...) relief(x, y, ..., hubs = "none")

# Normal noise in blocks of 10 correlated features (.5); the first `relevant`
# features are shifted by `effect` in one class each. `patients`: samples of
# each patient, with an effect of the patient; the class is the patient's
# ("constant") or the sample's ("varying").
study <- function(sizes, effect, relevant = 20, patients = NULL,
                  genes = 200) {
  list(
    sizes = sizes, effect = effect, relevant = relevant, patients = patients,
    genes = genes
  )
}

studies <- list(
  "15 + 15" = study(c(15, 15), 1), "30 + 30" = study(c(30, 30), 0.8),
  "50 + 50 weak" = study(c(50, 50), 0.4), "48 + 12" = study(c(48, 12), 0.8),
  "4 x 15" = study(rep(15, 4), 1), "strong" = study(c(30, 30), 2),
  "no signal" = study(c(30, 30), 0), "10 + 10" = study(c(10, 10), 1),
  "100 + 100" = study(c(100, 100), 0.6),
  "patients constant" = study(c(45, 45), 0.8, patients = "constant"),
  "patients varying" = study(c(45, 45), 0.8, patients = "varying")
)

draw <- function(s, times = 1) {
  y <- factor(rep(seq_along(s$sizes), s$sizes * times))
  n <- length(y)
  common <- matrix(stats::rnorm(n * s$genes / 10), n)
  x <- sqrt(0.5) * common[, rep(seq_len(s$genes / 10), each = 10)] +
    sqrt(0.5) * matrix(stats::rnorm(n * s$genes), n)
  # The relevant features lie in different blocks.
  at <- (seq_len(s$relevant) - 1L) %% (s$genes / 10) * 10 + 1L
  of <- rep_len(seq_along(s$sizes), s$relevant)
  for (i in seq_along(at)) {
    rows <- as.integer(y) == of[[i]]
    x[rows, at[[i]]] <- x[rows, at[[i]]] + s$effect
  }
  group <- NULL
  if (!is.null(s$patients)) {
    group <- if (s$patients == "constant") {
      (seq_len(n) - 1L) %/% 3L
    } else {
      rep_len(seq_len(n / 3), n)
    }
    effects <- matrix(stats::rnorm((max(group) + 1L) * s$genes), ncol = s$genes)
    x <- x + 0.7 * effects[group + 1L, ]
  }
  colnames(x) <- sprintf("g%d", seq_len(s$genes))
  list(x = x, y = y, group = group)
}

one <- function(s, seed) {
  set.seed(seed)
  data <- draw(s)
  curve <- suppressWarnings(error_curve(data$x, data$y,
    list(relief = ranker), c(5, 10, 20, 50), nested = kfold(3),
    group = data$group, keep = FALSE
  ))
  # The fit to all samples, its size chosen as in each training part.
  inner <- suppressWarnings(error_curve(data$x, data$y,
    list(relief = ranker), c(5, 10, 20, 50), resampling = kfold(3),
    group = data$group, keep = FALSE
  ))
  n <- best_size(inner, "min")$size
  args <- list(data$x, data$y)
  if (!is.null(data$group)) args$group <- data$group
  best <- top_features(suppressWarnings(do.call(ranker, args)), n)$feature
  fresh <- draw(s, ceiling(2000 / sum(s$sizes)))
  train <- scale(data$x[, best])
  test <- scale(
    fresh$x[, best], attr(train, "scaled:center"), attr(train, "scaled:scale")
  )
  guess <- class::knn(train, test, data$y, 5)
  row <- glance(curve)
  c(
    chosen = row$chosen, se = row$chosen_se, truth = mean(guess != fresh$y),
    smallest = row$best_optimistic
  )
}

# Other scripts take the studies from this file.
if (sys.nframe() == 0L) {
  wanted <- if (length(arguments) > 1L) arguments[[2L]] else names(studies)
  for (name in wanted) {
    found <- vapply(seq_len(draws), function(seed) {
      one(studies[[name]], seed)
    }, numeric(4))
    gap <- found["chosen", ] - found["truth", ]
    least <- found["smallest", ] - found["truth", ]
    cat(sprintf(
      paste(
        "%-18s true %5.1f  chosen - true %+5.1f (%.1f)  holds %.2f",
        " se %.1f to %.1f  smallest - true %+5.1f (%.1f)\n"
      ), name, 100 * mean(found["truth", ]), 100 * mean(gap),
      100 * stats::sd(gap) / sqrt(draws),
      mean(abs(gap) <= 2 * found["se", ]), 100 * min(found["se", ]),
      100 * max(found["se", ]),
      100 * mean(least), 100 * stats::sd(least) / sqrt(draws)
    ))
  }
}
