# Slow definitions of what error_curve() does, straight from the text.
# SPDX-License-Identifier: GPL-3.0-or-later

# Majority of the k nearest, of whom those at the k-th distance share places.
# One query at a time.
reference_knn <- function(train, y, test, k) {
  winners <- vapply(seq_len(nrow(test)), function(q) {
    d <- sqrt(colSums((t(train) - test[q, ])^2))
    key <- reference_key(d)
    reference_winner(reference_shares(key, k), key, y)
  }, "")
  factor(winners, levels(y))
}

# Training mean and sd; a column that is constant in training becomes 0.
reference_scaled <- function(train, test) {
  for (j in seq_len(ncol(train))) {
    m <- mean(train[, j])
    s <- sd(train[, j])
    constant <- max(train[, j]) == min(train[, j])
    train[, j] <- if (constant) 0 else (train[, j] - m) / s
    test[, j] <- if (constant) 0 else (test[, j] - m) / s
  }
  list(train = train, test = test)
}

# The whole curve of one ranker by neighbours: matrix splits x sizes of errors.
reference_curve <- function(x, y, selector, sizes, splits, k = 5) {
  t(vapply(splits, function(split) {
    train <- x[split$train, , drop = FALSE]
    fit <- selector(train, droplevels(y[split$train]))
    order <- reference_list(fit)
    vapply(sizes, function(n) {
      use <- order[seq_len(min(n, length(order)))]
      truth <- y[split$test]
      if (length(use) == 0L) {
        guess <- names(which.max(table(y[split$train])))
        return(mean(truth != guess))
      }
      parts <- reference_scaled(
        train[, use, drop = FALSE], x[split$test, use, drop = FALSE]
      )
      mean(truth != reference_knn(parts$train, y[split$train], parts$test, k))
    }, 0)
  }, numeric(length(sizes))))
}

# The corrected standard error of one size, written out: `values` by split, NA
# where a split has none; the splits with their training and test samples.
reference_se <- function(values, splits, folds = NULL) {
  known <- 0
  total <- 0
  share <- 0
  for (s in seq_along(splits)) {
    share <- share + length(
      splits[[s]]$test
    ) / length(splits[[s]]$train) / length(splits)
    if (is.na(values[[s]])) next
    known <- known + 1
    total <- total + values[[s]]
  }
  if (!is.null(folds)) share <- 1 / (folds - 1)
  squares <- 0
  for (v in values) if (!is.na(v)) squares <- squares + (v - total / known)^2
  if (known < 2) {
    return(NA_real_)
  }
  sqrt(squares / (known - 1) / known + share * squares / (known - 1))
}

# Half the distance of a share to the farther end of its Wilson interval of two
# standard errors: the shares p with (share - p)^2 = 4 p (1 - p) / n.
reference_floor <- function(share, n) {
  vapply(share, function(share) {
    roots <- Re(polyroot(c(share^2, -2 * share - 4 / n, 1 + 4 / n)))
    max(abs(roots - share)) / 2
  }, 0)
}

# One class at a time, counting.
reference_metric <- function(metric, truth, predicted) {
  classes <- levels(truth)
  counts <- t(vapply(classes, function(c) {
    c(
      tp = sum(truth == c & predicted == c),
      fp = sum(truth != c & predicted == c),
      fn = sum(truth == c & predicted != c)
    )
  }, c(tp = 0, fp = 0, fn = 0)))
  here <- counts[, "tp"] + counts[, "fn"] > 0
  f1 <- apply(counts, 1L, function(n) {
    if (n[["tp"]] == 0) {
      return(0)
    }
    precision <- n[["tp"]] / (n[["tp"]] + n[["fp"]])
    recall <- n[["tp"]] / (n[["tp"]] + n[["fn"]])
    2 * precision * recall / (precision + recall)
  })
  switch(metric,
    error = mean(truth != predicted),
    balanced_error = {
      recall <- counts[here, "tp"] / (counts[here, "tp"] + counts[here, "fn"])
      1 - sum(recall) / sum(here)
    },
    macro_f1 = mean(f1[here]),
    micro_f1 = {
      all <- colSums(counts)
      2 * all[["tp"]] / (2 * all[["tp"]] + all[["fp"]] + all[["fn"]])
    }
  )
}

# The share of pairs that are in the right order, ties 1/2.
reference_auc <- function(score, positive) {
  better <- outer(score[positive], score[!positive], function(a, b) {
    (a > b) + (a == b) / 2
  })
  mean(better)
}

# A selector that a test can foresee: by the absolute t statistic.
t_selector <- function(x, y) {
  first <- y == levels(y)[[1L]]
  a <- x[first, , drop = FALSE]
  b <- x[!first, , drop = FALSE]
  pooled <- (colSums(sweep(a, 2L, colMeans(a))^2) +
    colSums(sweep(b, 2L, colMeans(b))^2)) / (nrow(x) - 2)
  se <- sqrt(pooled * (1 / nrow(a) + 1 / nrow(b)))
  score <- abs(colMeans(a) - colMeans(b)) / se
  score[is.nan(score)] <- 0
  score
}

# Noise without any relation to the labels.
noise_data <- function(n = 40L, features = 5000L, seed = 1L) {
  withr::with_seed(seed, {
    x <- matrix(rnorm(n * features), n)
    dimnames(x) <- list(
      sprintf("s%d", seq_len(n)), sprintf("g%d", seq_len(features))
    )
    list(x = x, y = factor(rep_len(c("a", "b"), n)))
  })
}

# The order of a fit's list: rankings of relief() of three or more classes take
# turns, one feature of each class after the other; scores of at most 0 last. A
# class of n < 10 samples waits in some rounds: its feature j comes in round
# floor(10 (j - 1) / n) + 1; one of n < 3 has no turn.
reference_list <- function(fit) {
  order <- fit$ranking[seq_len(fit$n_ranked)]
  if (!inherits(fit, "hitmiss_relief") || length(fit$classes) < 3L ||
    fit$parameters$method == "irelief") {
    return(order)
  }
  size <- pmin(10, table(fit$training$y))
  margins <- fit$class_margins[order, , drop = FALSE]
  if (!is.null(margins)) {
    list <- integer()
    margins[, size < 3] <- 0
    round <- 0
    repeat {
      round <- round + 1
      left <- replace(margins, margins <= 0, NA)
      left[list, ] <- NA
      if (all(is.na(left))) break
      rounds <- lapply(size, \(n) floor(10 * 0:999 / n) + 1)
      left[, !vapply(rounds, \(own) round %in% own, NA)] <- NA
      best <- unlist(apply(left, 2L, which.max, simplify = FALSE))
      own <- apply(left, 2L, function(v) max(-Inf, v, na.rm = TRUE))
      list <- c(list, unique(best[order(-own[is.finite(own)])]))
    }
    return(order[c(list, setdiff(seq_along(order), list))])
  }
  table <- as.data.frame(fit)
  class <- table$class
  class[class %in% c(NA, names(size)[size < 3])] <- "none"
  turn <- stats::ave(seq_along(order), class, FUN = seq_along)
  turn <- floor(10 * (turn - 1) / c(size, none = 10)[class]) + 1
  turn[table$score <= 0] <- Inf
  order[order(turn, table$rank)]
}
