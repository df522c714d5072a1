# Factors among the features of relief(): against the definition, in which two
# samples that differ in a factor are 1 apart.
# SPDX-License-Identifier: GPL-3.0-or-later

# Factors, text, flags and numbers, with a level that does not occur.
mixed_problem <- function(seed) {
  p <- margin_problem(seed)
  n <- nrow(p$x)
  withr::with_seed(seed, {
    frame <- data.frame(
      a = factor(sample(c("u", "v", "w"), n, TRUE), c("w", "none", "u", "v")),
      n1 = p$x[, 1], b = sample(c("yes", "no"), n, TRUE),
      flag = sample(c(TRUE, FALSE), n, TRUE), n2 = p$x[, 3],
      c = factor(rep("only", n)),
      d = factor(sample(5, n, TRUE))
    )
  })
  list(x = frame, y = p$y)
}

# Distances by feature, all in [0, 1].
mixed_differences <- function(x) {
  lapply(x, function(v) {
    if (is.factor(v) || is.character(v)) {
      return(1 * outer(as.character(v), as.character(v), "!="))
    }
    v <- as.numeric(v)
    width <- max(max(v) - min(v), .Machine$double.xmin)
    abs(outer(v, v, "-")) / width
  })
}

mixed_distance <- function(apart, metric, weights = rep(1, length(apart))) {
  power <- if (metric == "euclidean") 2 else 1
  Reduce(`+`, Map(\(d, w) w * d^power, apart, weights))^(1 / power)
}

mixed_relieff <- function(x, y, k, metric) {
  apart <- mixed_differences(x)
  keys <- reference_order(mixed_distance(apart, metric), metric, "centre")
  label <- as.integer(y)
  size <- tabulate(label)
  # Mean of `d` over the k nearest of a class; 0 if there is none.
  near <- function(d, n, c) {
    among <- setdiff(which(label == c), n)
    share <- reference_shares(keys[n, among], k)
    sum(share * d[n, among]) / max(1, sum(share))
  }
  vapply(apart, function(d) {
    mean(vapply(seq_along(y), function(n) {
      miss <- vapply(setdiff(seq_along(size), label[n]), function(c) {
        size[c] / (length(y) - size[label[n]]) * near(d, n, c)
      }, 0)
      sum(miss) - near(d, n, label[n])
    }, 0))
  }, 0)
}

quiet <- function(...) suppressWarnings(relief(..., threads = 1))
metrics <- c("manhattan", "euclidean")

test_that("scores are those of distances in which categories are 1 apart", {
  for (seed in some_of(1:50)) {
    p <- mixed_problem(seed)
    for (metric in metrics) {
      fit <- nearest_relief(p$x, p$y, k = 3, metric = metric)
      expect_equal(
        fit$scores, mixed_relieff(p$x, p$y, 3, metric), tolerance = 1e-12
      )
    }
    expect_identical(
      fit$levels$a, intersect(c("w", "u", "v"), as.character(p$x$a))
    )
    expect_true(all(is.na(fit$class_means[c("a", "b", "c", "d"), ])))
  }
})

test_that("all rules of neighbours take categories", {
  p <- mixed_problem(7)
  # Of two levels an indicator is enough: the bits of 0 and 1.
  two <- data.frame(b = factor(p$x$b), n1 = p$x$n1, n2 = p$x$n2)
  plain <- two
  plain$b <- as.numeric(two$b == "yes")
  number <- as.numeric(p$y) + p$x$n2
  time <- survival::Surv(rank(number, ties.method = "first"), p$y != "1")
  outcomes <- list(
    relieff = p$y, relief = p$y, map = p$y, surf = p$y, multisurfstar = p$y,
    rrelieff = number, srelieff = time
  )
  for (metric in metrics) {
    for (method in names(outcomes)) {
      y <- outcomes[[method]]
      some <- quiet(two, y, method, metric = metric)
      same <- quiet(plain, y, method, metric = metric)
      fields <- c("scores", "weights", "class_margins")
      expect_equal(some[fields], same[fields], tolerance = 1e-12)
      ask <- function(fit, x) suppressWarnings(predict(fit, x, threads = 1))
      expect_equal(ask(some, two), ask(same, plain), tolerance = 1e-12)
    }
    drawn <- function(x) quiet(x, p$y, samples = 15, metric = metric)
    some <- withr::with_seed(1, drawn(two))
    same <- withr::with_seed(1, drawn(plain))
    expect_equal(some$score_se, same$score_se, tolerance = 1e-12)
  }
  nested <- lapply(list(two, plain), function(x) {
    turf(x, p$y, \(x, y) quiet(x, y, metric = "euclidean"), n_stop = 1)
  })
  expect_equal(nested[[1]]$scores, nested[[2]]$scores, tolerance = 1e-12)
})

test_that("predict() finds neighbours in the same distances", {
  for (seed in some_of(1:20)) {
    p <- mixed_problem(seed)
    metric <- metrics[[seed %% 2 + 1]]
    fit <- quiet(p$x, p$y, k = 2, metric = metric)
    used <- intersect(
      names(which(fit$weights > 0)), colnames(fit$training$values)
    )
    if (length(used) == 0L) next
    apart <- mixed_differences(p$x)[used]
    d <- mixed_distance(apart, metric, fit$weights[used])
    # One neighbour: the sample itself, or all that are like it.
    expected <- apply(d, 1, function(v) {
      keys <- ifelse(v <= max(v) * 2^-31, 0, v)
      reference_winner(reference_shares(keys, 1), keys, p$y)
    })
    got <- predict(fit, p$x, k = 1, threads = 1)
    expect_identical(as.character(got), unname(expected))
  }
  back <- predict(fit, p$x[c("d", "a", "b", "n2", "n1", "flag", "c")],
    "features", n = 4
  )
  expect_identical(
    as.character(back$a), as.character(p$x$a)[seq_len(nrow(back))]
  )
})

test_that("what categories cannot be is refused by name", {
  p <- mixed_problem(3)
  fit <- quiet(p$x, p$y)
  expect_refusal(relief(p$x, p$y, "parzen"), "x")
  expect_refusal(logo(p$x, p$y), "x")
  new <- p$x
  new$a <- as.character(new$a)
  new$a[2] <- "other"
  # One sample's new category is missing there, and the others are predicted.
  unseen <- expect_warning(
    got <- predict(fit, new, threads = 1, missing = "drop"),
    class = "hitmiss_warning_unseen"
  ) |> suppressMessages()
  expect_identical(unseen$features, "a")
  expect_match(
    conditionMessage(unseen), "\"other\". It counts as missing, in 1 sample"
  )
  new$a[2] <- NA
  expect_identical(
    got, suppressMessages(predict(fit, new, threads = 1, missing = "drop"))
  )
  expect_refusal(predict(fit, data.matrix(p$x)), "newdata")
  expect_identical(which(is.na(predict(fit, new, threads = 1))), 2L,
    ignore_attr = TRUE
  )
  p$x$a[4] <- NA
  expect_refusal(relief(p$x, p$y, "surf"), "x")
  expect_identical(sum(quiet(p$x, p$y)$present["a", ]), nrow(p$x) - 1L)
})

test_that("formulas keep categories", {
  p <- mixed_problem(5)
  fit <- quiet(class ~ a + n1 + b, data = cbind(p$x, class = p$y))
  expect_named(fit$levels, c("a", "b"))
  expect_output(print(fit), "categor|a ")
})

test_that("probes of categories are categories", {
  p <- mixed_problem(2)
  seen <- list()
  selector <- function(x, y) {
    seen <<- c(seen, list(vapply(x, \(v) class(v)[[1L]], "")))
    quiet(x, y, k = 3)
  }
  found <- suppressMessages(withr::with_seed(
    1, probe_fdr(p$x, p$y, selector, probes = 2, times = 2)
  ))
  varies <- vapply(p$x, \(v) length(unique(v)) > 1L, NA)
  expect_setequal(found$feature, names(p$x)[varies])
  plain <- table(vapply(
    p$x, \(v) if (is.numeric(v) || is.logical(v)) "numeric" else "factor", ""
  ))
  expect_identical(table(unname(seen[[1]])), plain)
  expect_identical(unname(c(table(seen[[2]]))), unname(3L * c(plain)))
  expect_true(all(is.na(found$effect[found$feature %in% c("a", "b", "d")])))
  labels <- suppressMessages(withr::with_seed(
    1, probe_fdr(p$x, p$y, selector, times = 2, type = "permute")
  ))
  expect_identical(labels$score, found$score)
  curve <- suppressMessages(withr::with_seed(1, error_curve(
    p$x, p$y, list(relief = \(x, y) quiet(x, y, k = 1)), c(1, 3),
    resampling = holdout(0.5, times = 3)
  )))
  expect_identical(rownames(stability(curve)$frequency), names(p$x))
})

test_that("a preparation fills in a category that training lacks", {
  withr::local_seed(4)
  y <- gl(2, 15, labels = c("a", "b"))
  x <- data.frame(
    kind = factor(rep(c("n", "f", "f"), 10)), one = 3 * (y == "b") + rnorm(30),
    two = rnorm(30)
  )
  fit <- tuned(relief, prepare = prepare_impute())(x, y)
  unseen <- gap <- transform(x[1:4, ], kind = as.character(kind))
  unseen$kind[[2L]] <- "new"
  gap$kind[[2L]] <- NA
  expect_warning(
    found <- predict(fit, unseen, type = "prob"),
    class = "hitmiss_warning_unseen"
  )
  expect_identical(found, predict(fit, gap, type = "prob"))
  expect_false(anyNA(found))
})
