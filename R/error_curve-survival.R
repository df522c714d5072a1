# Layer: evaluate. The classifiers of error_curve() for survival times: they
# give each test sample a risk, and a survival curve at the times of the grid.
# SPDX-License-Identifier: GPL-3.0-or-later

#' Predictions of the neighbours with the first columns of scaled parts
#'
#' @param data list(y: training times, grid: NULL in tuned(), which needs no
#'   curves).
#' @return As classify_first() gives: the risk takes the place of the class, and
#'   the curve, test x times of the grid, that of the scores.
#' @noRd
nearest_survival <- function(scaled, data, columns, k) {
  n <- nrow(scaled$train)
  votes <- cpp_nested_survival(
    scaled$test, scaled$train, survival_voters(data$y, data$grid), columns,
    min(n, k %||% half_of(n)), core_runtime()
  )
  n <- nrow(scaled$test)
  risk <- matrix(votes$risk, n)
  curve <- array(votes$curve, c(n, length(data$grid), length(columns)))
  lapply(seq_along(columns), function(s) {
    list(class = risk[, s], score = matrix(curve[, , s], n))
  })
}

# Fits Cox's model with a ridge penalty, which inner folds choose, and Breslow's
# hazard. The model reads the order of the times alone, so it gets their ranks:
# glmnet refuses a time of 0.
ridge_survival <- function(parts, data) {
  y <- times_of(data$y)
  rank <- match(y$time, sort(unique(y$time)))
  varies <- any(apply(parts$train, 2L, \(values) min(values) < max(values)))
  at <- if (varies) {
    # glmnet needs two columns, and one that varies in the training part of each
    # inner fold: this one varies too little to change anything.
    slight <- seq(0, 1e-9, length.out = length(rank))
    fit <- glmnet::cv.glmnet(
      cbind(parts$train, slight), cbind(time = rank, status = y$event),
      family = "cox", alpha = 0, nfolds = 5L, standardize = FALSE
    )
    lapply(parts, function(x) {
      drop(stats::predict(fit, cbind(x, 0), s = "lambda.min"))
    })
  } else {
    # All hazards are equal.
    lapply(parts, function(x) numeric(nrow(x)))
  }
  centre <- mean(at$train)
  hazard <- exp(at$train - centre)
  events <- sort(unique(y$time[y$event]))
  steps <- vapply(events, function(t) {
    sum(y$time == t & y$event) / sum(hazard[y$time >= t])
  }, 0)
  total <- c(0, cumsum(steps))[findInterval(data$grid, events) + 1L]
  list(
    class = unname(at$test),
    score = unname(exp(-outer(exp(at$test - centre), total)))
  )
}

#' Predictions of the user's function: risks, or a matrix of S(t)
#'
#' A matrix has the times as column names; between them S is constant. Its risk
#' is minus the mean survival up to the horizon, or to its last time where there
#' is none.
#' @noRd
custom_survival <- function(parts, data, fun) {
  result <- fun(parts$train, data$y, parts$test)
  n <- nrow(parts$test)
  curves <- is.matrix(result) && is.numeric(result) && nrow(result) == n
  times <- if (curves) {
    suppressWarnings(as.numeric(sub(",", ".", colnames(result), fixed = TRUE)))
  }
  fine <- if (curves) {
    length(times) == ncol(result) && !anyNA(times) && !is.unsorted(times) &&
      !anyNA(result) && all(result >= 0 & result <= 1)
  } else {
    is.numeric(result) && is.null(dim(result)) && length(result) == n &&
      !anyNA(result)
  }
  if (!fine) {
    abort_user(
      "{.arg classifier} must return {n} risks, larger for earlier events, or a
       matrix of survival probabilities with {n} rows and increasing times as
       column names; none may be missing; not {describe(result)}.", "classifier"
    )
  }
  check_prediction_names(
    if (curves) rownames(result) else names(result), rownames(parts$test)
  )
  if (!curves) {
    return(list(class = as.double(result)))
  }
  grid <- data$grid %||% times
  curve <- unname(cbind(1, result)[, findInterval(grid, times) + 1L,
    drop = FALSE
  ])
  widths <- diff(c(0, grid))
  alive <- cbind(1, curve)[, seq_along(widths), drop = FALSE]
  list(class = -drop(alive %*% widths) / sum(widths), score = curve)
}

own_survival <- function(ask, fit, data, want_score) {
  # Other parts may hold later times; there the curve stays where it ends.
  until <- pmin(data$grid, last_time(fit))
  curve <- if (want_score) unname(ask("survival", times = unique(until)))
  list(
    class = as.vector(ask("risk")),
    score = if (want_score) curve[, match(until, unique(until)), drop = FALSE]
  )
}

# Each split predicts the survival of its training part. The risk is the same in
# all splits, because a difference between the risks of two splits must not tell
# samples apart.
without_features <- function(table, runs, y, grid) {
  for (s in seq_along(runs)) {
    rows <- which(table$split == s)
    all <- constant_survival(y[runs[[s]]$train], length(rows), grid)
    table$score[rows, ] <- all$score
  }
  table$predicted[] <- 0
  table
}
