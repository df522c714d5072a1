# relief(method = "srelieff"): survival times, against the plain definition.
# SPDX-License-Identifier: GPL-3.0-or-later

Surv <- survival::Surv

# Ties in time, heavy censoring, one censored or all events, by seed.
survival_problem <- function(seed) {
  p <- margin_problem(seed)
  n <- nrow(p$x)
  withr::with_seed(seed, {
    time <- rexp(n) * exp(p$x[, 1] / (1 + max(abs(p$x[, 1]))))
    if (seed %% 2 == 0) time <- ceiling(4 * time)
    event <- runif(n) < c(0.3, 0.7, 1)[seed %% 3 + 1]
    event[sample(n, 2)] <- c(TRUE, seed %% 5 == 0)
  })
  p$y <- Surv(time, event)
  p
}

fit_survival <- function(...) suppressWarnings(relief(..., threads = 1))

reference_srelieff <- function(x, y, k, metric = "manhattan", group = NULL,
                               block = rep(1, nrow(x)), hubs = "none") {
  n <- nrow(x)
  time <- unclass(y)[, 1]
  event <- unclass(y)[, 2] == 1
  u <- numeric(n)
  for (b in unique(block)) {
    rows <- which(block == b)
    u[rows] <- reference_positions(time[rows], event[rows])
    if (length(rows) < n) {
      x[rows, ] <- scale(x[rows, ], scale = FALSE)
    }
  }
  if (length(unique(block)) > 1L) x[abs(x) < 1e-12] <- 0
  apart <- outer(seq_len(n), seq_len(n), Vectorize(function(i, j) {
    reference_tau(u[i], event[i], u[j], event[j])
  }))
  reference_missing_outcome(reference_scale(x), apart, k, TRUE, metric, hubs,
    near_allowed(n, NULL, group)
  )
}

test_that("the survival score is the plain definition", {
  compared <- 0
  for (seed in some_of(1:120)) {
    p <- survival_problem(seed)
    k <- list(1, 4, NULL)[[seed %% 3 + 1]]
    metric <- c("manhattan", "euclidean")[seed %% 2 + 1]
    hubs <- c("none", "centre")[seed %% 4 %/% 3 + 1]
    group <- if (seed %% 4 == 0) near_design(seed, nrow(p$x))$group
    n <- nrow(p$x)
    expected <- reference_srelieff(p$x, p$y,
      k %||% min(n - 1, max(10, round(n / 2))), metric, group,
      hubs = hubs
    )
    # No sample differs from its neighbours in its outcome.
    if (all(expected == 0)) {
      expect_error(
        fit_survival(p$x, p$y, k = k, metric = metric, hubs = hubs,
          group = group), class = "hitmiss_error_input"
      )
      next
    }
    fit <- fit_survival(p$x, p$y,
      k = k, metric = metric, hubs = hubs, group = group
    )
    compared <- compared + 1
    expect_lt(max(abs(fit$scores - expected)), 1e-12)
  }
  expect_gt(compared, 0)
})

test_that("with blocks, values are centred and curves are those of blocks", {
  for (seed in some_of(1:30)) {
    p <- withr::with_seed(seed, {
      n <- 36
      block <- rep_len(c("x", "y", "z"), n)[sample(n)]
      x <- matrix(rnorm(n * 5), n) + match(block, letters)
      x[, 5] <- match(block, letters) / 10
      colnames(x) <- paste0("V", 1:5)
      list(
        x = x, block = block, group = rep(1:18, 2),
        y = Surv(ceiling(5 * rexp(n)), runif(n) < 0.7)
      )
    })
    fit <- fit_survival(p$x, p$y, k = 6, block = p$block, group = p$group)
    expected <- reference_srelieff(p$x, p$y, 6,
      group = p$group, block = p$block
    )
    expect_lt(max(abs(fit$scores - expected)), 1e-12)
    expect_identical(fit$scores[["V5"]], 0)
    # The fit keeps raw values, and new samples have no block.
    kept <- fit$training$values
    expect_equal(kept, p$x[, colnames(kept), drop = FALSE])
    expect_length(suppressWarnings(predict(fit, p$x[1:3, ], n = 4)), 3L)
  }
})

test_that("tau is the expected distance of two positions", {
  withr::local_seed(1)
  for (kind in 1:20) {
    a <- runif(1)
    b <- runif(1)
    event <- runif(2) < 0.5
    draw <- function(at, event) if (event) at else runif(2e5, at, 1)
    mean <- mean(abs(draw(a, event[1]) - draw(b, event[2])))
    expect_lt(abs(mean - reference_tau(a, event[1], b, event[2])), 4e-3)
  }
})

test_that("units of time and the order of samples change nothing", {
  p <- survival_problem(7)
  y <- unclass(p$y)
  fit <- fit_survival(p$x, p$y)
  for (unit in list(function(t) 365.25 * t, function(t) log1p(t), sqrt)) {
    other <- fit_survival(p$x, Surv(unit(y[, 1]), y[, 2]))
    expect_identical(other$scores, fit$scores)
    expect_identical(other$hazard, fit$hazard)
  }
  order <- withr::with_seed(1, sample(nrow(p$x)))
  other <- fit_survival(p$x[order, ], p$y[order])
  expect_equal(other$scores, fit$scores, tolerance = 1e-12)
  two <- suppressWarnings(relief(p$x, p$y, threads = 2))
  expect_identical(two$scores, fit$scores)
  expect_identical(two$hazard, fit$hazard)
})

test_that("a draw of reference samples estimates the score of all", {
  withr::local_seed(3)
  x <- matrix(rnorm(400 * 6), 400)
  y <- Surv(rexp(400, exp(x[, 1])), runif(400) < 0.8)
  all <- relief(x, y, threads = 1)$scores
  drawn <- replicate(20, relief(x, y, samples = 100, threads = 1)$scores)
  expect_lt(max(abs(rowMeans(drawn) - all)), 0.01)
  expect_gt(min(apply(drawn, 1, sd)), 0)
  expect_identical(relief(x, y, samples = 400, threads = 1)$scores, all)
})

test_that("z and effect are those of survival's score test", {
  for (seed in some_of(1:30)) {
    p <- survival_problem(seed)
    fit <- fit_survival(p$x, p$y)
    z <- vapply(seq_len(ncol(p$x)), function(j) {
      v <- p$x[, j]
      if (length(unique(v)) == 1L) {
        return(0)
      }
      fit <- survival::coxph(p$y ~ v,
        ties = "breslow", init = 0, iter.max = 0,
        control = survival::coxph.control(timefix = FALSE)
      )
      sqrt(max(0, fit$score))
    }, 0)
    expect_equal(abs(fit$hazard$z), z, tolerance = 1e-9)
    expect_equal(
      unname(reference_scores(p$x, p$y, "cox", threads = 1)), abs(fit$hazard$z)
    )
    squares <- scale(p$x)^2
    squares[is.nan(squares)] <- 0
    expect_equal(
      unname(reference_scores(p$x, p$y, "cox2", threads = 1)),
      pmax(z, unname(reference_scores(squares, p$y, "cox", threads = 1))),
      tolerance = 1e-9
    )
  }
})

test_that("formulas, tibbles and containers give the same fit", {
  p <- survival_problem(2)
  y <- unclass(p$y)
  fit <- fit_survival(p$x, p$y)
  frame <- data.frame(t = y[, 1], s = ifelse(y[, 2] == 1, "dead", "alive"), p$x)
  by_formula <- suppressWarnings(
    relief(Surv(t, s == "dead") ~ ., data = frame, threads = 1)
  )
  expect_identical(by_formula$scores, fit$scores)
  expect_identical(
    fit_survival(survival::Surv(t, s == "dead") ~ f1 + f2, frame)$n_features, 2L
  )
  expect_identical(
    suppressWarnings(update(by_formula, k = 3))$scores,
    fit_survival(p$x, p$y, k = 3)$scores
  )
  frame$y <- p$y
  expect_identical(
    fit_survival(y ~ . - t - s, frame)$scores, fit$scores
  )
  expect_refusal(relief(Surv(tt, s) ~ ., frame), "formula")
  if (requireNamespace("tibble", quietly = TRUE)) {
    tbl <- tibble::as_tibble(frame)
    expect_identical(fit_survival(tbl[colnames(p$x)], tbl$y)$scores, fit$scores)
  }
  if (requireNamespace("DelayedArray", quietly = TRUE)) {
    withr::local_options(hitmiss.realise_memory = 0)
    delayed <- DelayedArray::DelayedArray(p$x)
    expect_identical(fit_survival(delayed, p$y)$scores, fit$scores)
    expect_identical(
      relief(delayed, y[, 1], "rrelieff", threads = 1)$scores,
      relief(p$x, y[, 1], "rrelieff", threads = 1)$scores
    )
    expect_refusal(
      relief(delayed, p$y, block = rep(1, nrow(p$x))), "block"
    )
  }
  skip_if_not_installed("SummarizedExperiment")
  set <- SummarizedExperiment::SummarizedExperiment(
    list(a = t(p$x)), colData = S4Vectors::DataFrame(id = seq_len(nrow(p$x)))
  )
  set$y <- p$y
  expect_identical(fit_survival(set, "y")$scores, fit$scores)
  expect_identical(fit_survival(set, p$y)$scores, fit$scores)
})

test_that("tables, print and direction say which way a feature goes", {
  withr::local_seed(5)
  x <- matrix(rnorm(120 * 4), 120, dimnames = list(NULL, letters[1:4]))
  y <- Surv(rexp(120, exp(x[, 1] - x[, 2])), rep_len(c(1, 1, 0), 120))
  fit <- relief(x, y, threads = 1)
  table <- as.data.frame(fit)
  expect_identical(
    names(table),
    c("rank", "feature", "score", "selected", "direction", "effect", "z",
      "effect_raw")
  )
  expect_identical(table$direction[match(c("a", "b"), table$feature)],
    c("up", "down"))
  expect_identical(selected(fit, 1, direction = "up"), "a")
  expect_identical(selected(fit, 1, direction = "down"), "b")
  signed <- coef(fit, signed = TRUE)
  expect_gt(signed[["a"]], 0)
  expect_lt(signed[["b"]], 0)
  expect_identical(glance(fit)$n_events, 80L)
  expect_identical(glance(fit)$n_classes, NA_integer_)
  text <- capture.output(print(fit))
  expect_match(text[[2]], "survival times: 80 events, 33.3 % censored")
  expect_match(text, "censored samples carry [0-9]+ % of", all = FALSE)
  turfed <- turf(x, y, n_stop = 2)
  expect_setequal(top_features(turfed, 2)$feature, c("a", "b"))
})

# Kaplan-Meier of neighbours that weigh 1 / (1 + times a neighbour).
reference_curves <- function(known, y, new, w, k, times) {
  time <- unclass(y)[, 1]
  event <- unclass(y)[, 2] == 1
  n <- nrow(known)
  shares <- function(d) {
    share <- reference_shares(signif(d, 9), k)
    share / sum(share)
  }
  served <- numeric(n)
  for (i in seq_len(n)) {
    d <- colSums(w * abs(t(known[-i, , drop = FALSE]) - known[i, ]))
    served[-i] <- served[-i] + min(k, n - 1) * shares(d)
  }
  u <- reference_positions(time, event)
  e <- ifelse(event, u, (1 + u) / 2)
  found <- lapply(seq_len(nrow(new)), function(q) {
    share <- shares(colSums(w * abs(t(known) - new[q, ])))
    weight <- share / (1 + served)
    curve <- vapply(times, function(t) {
      at <- sort(unique(time[event & time <= t & weight > 0]))
      prod(1 - vapply(at, function(s) {
        sum(weight[event & time == s]) / sum(weight[time >= s])
      }, 0))
    }, 0)
    list(risk = 1 - sum(share * e), curve = curve)
  })
  list(
    risk = vapply(found, `[[`, 0, "risk"),
    curve = do.call(rbind, lapply(found, `[[`, "curve"))
  )
}

test_that("risks and curves are those of the neighbours", {
  for (seed in some_of(1:60)) {
    p <- survival_problem(seed)
    fit <- tryCatch(fit_survival(p$x, p$y), error = function(e) NULL)
    if (is.null(fit) || length(fit$selected) == 0L) next
    n <- min(6, length(fit$selected))
    best <- selected(fit, n)
    best <- best[fit$scores[best] > 0]
    at <- match(best, names(fit$scores))
    scaled <- function(x) {
      t((t(x[, at, drop = FALSE]) - fit$preprocess$center[at]) /
        fit$preprocess$scale[at])
    }
    withr::local_seed(seed)
    new <- p$x[sample(nrow(p$x), 5), ] + rnorm(5, sd = 0.1)
    time <- unclass(p$y)[, 1]
    times <- c(max(time), 0, sort(unique(time))[-length(unique(time))])
    k <- list(NULL, 3)[[seed %% 2 + 1]]
    risk <- suppressWarnings(predict(fit, new, n = n, k = k, threads = 1))
    curve <- suppressWarnings(predict(fit, new, "survival",
      n = n, k = k, times = times, threads = 2
    ))
    half <- max(10, round(nrow(p$x) / 2))
    expected <- reference_curves(
      scaled(p$x), p$y, scaled(new), fit$weights[at], min(k %||% half,
        nrow(p$x)), times
    )
    expect_equal(unname(risk), expected$risk, tolerance = 1e-12)
    expect_equal(unname(curve), expected$curve, tolerance = 1e-12)
    expect_identical(colnames(curve), as.character(times))
  }
})

test_that("samples that lack features are predicted from the others", {
  withr::local_seed(6)
  x <- matrix(rnorm(80 * 5), 80, dimnames = list(NULL, letters[1:5]))
  y <- Surv(rexp(80, exp(2 * x[, 1] + x[, 2])), rep_len(c(1, 1, 0), 80))
  fit <- relief(x, y, threads = 1)
  new <- x[1:4, ]
  new[2, "b"] <- NA
  expect_true(is.na(predict(fit, new)[[2]]))
  expect_true(all(is.na(predict(fit, new, "survival")[2, ])))
  left <- suppressMessages(predict(fit, new, missing = "drop"))
  expect_false(anyNA(left))
  expect_equal(unname(predict(fit, new)[-2]), as.vector(left)[-2])
  empty <- fit
  empty$training <- hitmiss:::vote_memory(
    hitmiss:::as_problem(x, y, outcome = "Surv"), numeric(5), 1L
  )
  expect_warning(
    found <- predict(empty, new, "survival", times = c(0, 1)),
    class = "hitmiss_warning_empty"
  )
  all <- survival::survfit(y ~ 1)
  expect_equal(found[3, ], summary(all, c(0, 1))$surv, ignore_attr = TRUE)
})

test_that("times beyond the last one of training are refused", {
  p <- withr::with_seed(2, {
    time <- rexp(40)
    x <- matrix(rnorm(160), 40, dimnames = list(NULL, letters[1:4]))
    list(x = x, y = survival::Surv(time, rep(1, 40)), time = time)
  })
  last <- max(p$time)
  train <- p$time < last
  fit <- relief(p$x[train, ], p$y[train], threads = 1)
  known <- max(p$time[train])
  for (times in list(last, Inf, c(known / 2, last))) {
    expect_refusal(
      predict(fit, p$x, type = "survival", times = times), "times"
    )
  }
  expect_silent(predict(fit, p$x, type = "survival", times = known))
  expect_refusal(validate(fit, p$x, p$y, horizon = last), "horizon")
  # The limit as messages round it, which is larger here.
  shown <- known * (1 + 1e-12)
  expect_identical(
    unname(predict(fit, p$x, type = "survival", times = shown)),
    unname(predict(fit, p$x, type = "survival", times = known))
  )
  found <- validate(fit, p$x + 0.01, p$y, horizon = shown)
  expect_identical(found$horizon, known)
  late <- survival::Surv(p$time + 0.9 * known, rep(1, 40))
  found <- suppressWarnings(validate(fit, p$x, late))
  expect_identical(found$horizon, known)
  # A training part of a curve may end before its horizon.
  curve <- curve_of(p$x, p$y, list(relief = relief), 2,
    classifier = "own", resampling = kfold(5), horizon = last
  )
  expect_length(unlist(curve$failures), 0L)
  expect_false(anyNA(curve$values$relief))
})
