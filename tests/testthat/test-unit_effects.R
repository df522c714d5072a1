# Effects by units: each patient counts once.
# SPDX-License-Identifier: GPL-3.0-or-later

# One feature and one class, by loops over blocks and units: difference,
# variance, df. `typical` gives the spread that stands for none.
slow_unit_effect <- function(v, y, unit, block, class) {
  known <- !is.na(v)
  parts <- list()
  for (b in sort(unique(block))) {
    own <- rest <- c()
    for (u in unique(unit[block == b])) {
      mean_of <- function(k) {
        mean(v[known & block == b & unit == u & y == k])
      }
      own[u] <- mean_of(class)
      rest[u] <- mean(
        vapply(setdiff(levels(y), class), mean_of, 0), na.rm = TRUE
      )
    }
    both <- which(!is.na(own) & !is.na(rest))
    if (length(both) < 2L) both <- integer()
    if (length(both) > 0L) {
      d <- own[both] - rest[both]
      parts <- c(parts, list(list(
        mean = mean(d), variance = var(d) / length(d), df = length(d) - 1
      )))
    }
    one <- na.omit(own[setdiff(seq_along(own), both)])
    two <- na.omit(rest[setdiff(seq_along(rest), both)])
    df <- length(one) + length(two) - 2
    if (length(one) > 0L && length(two) > 0L && df > 0) {
      pooled <- (sum((one - mean(one))^2) + sum((two - mean(two))^2)) / df
      parts <- c(parts, list(list(
        mean = mean(one) - mean(two), df = df,
        variance = pooled * (1 / length(one) + 1 / length(two))
      )))
    }
  }
  of <- function(field) vapply(parts, `[[`, 0, field)
  weight <- 1 / of("variance")
  if (length(parts) == 0L) {
    return(c(NA, NA, NA))
  }
  c(
    sum(weight * of("mean")) / sum(weight), 1 / sum(weight),
    sum(weight)^2 / sum(weight^2 / of("df"))
  )
}

units_problem <- function(seed) {
  withr::with_seed(seed, {
    n_units <- sample(8:14, 1)
    size <- sample(1:5, n_units, replace = TRUE)
    unit <- rep(seq_len(n_units), size)
    classes <- 2L + seed %% 2L
    own <- rep_len(seq_len(classes), n_units)
    varies <- switch(seed %% 3L + 1L, 0, 1, 0.5)
    y <- ifelse(runif(length(unit)) < varies,
      sample(classes, length(unit), TRUE), own[unit]
    )
    y[seq_len(classes)] <- seq_len(classes)
    block <- if (seed %% 4L == 0L) 1 + unit %% 2 else rep(1, length(unit))
    x <- matrix(rnorm(length(unit) * 12), length(unit)) +
      matrix(rnorm(n_units * 12), n_units)[unit, ]
    if (seed %% 5L == 0L) x[sample(length(x), length(x) / 8)] <- NA
    dimnames(x) <- list(NULL, paste0("g", 1:12))
    list(x = x, y = factor(letters[y]), unit = unit, block = block)
  })
}

test_that("differences by units are those of the definition", {
  for (seed in some_of(1:60)) {
    p <- units_problem(seed)
    problem <- as_problem_coded(p$x, p$y, missing = TRUE)
    codes <- list(group = p$unit)
    if (max(p$block) > 1) codes$block <- p$block
    problem$design <- new_design(length(p$y), codes)
    spread <- seq_len(12) / 3
    found <- unit_differences(problem, spread, 1L)
    for (j in 1:12) for (k in seq_along(levels(p$y))) {
      class <- levels(p$y)[[k]]
      slow <- slow_unit_effect(p$x[, j], p$y, p$unit, p$block, class)
      expect_equal(
        c(found$difference[j, k], found$variance[j, k] * spread[[j]]^2,
          found$df[j, k]) + 0 * slow, slow
      )
      has <- unique(p$unit[p$y == class & !is.na(p$x[, j])])
      expect_equal(found$n[j, k], length(has))
    }
  }
})

test_that("units of one sample each change nothing but words", {
  toy <- simulate_microarray(samples = c(12, 10), genes = 60)
  plain <- relief(toy$x, toy$y, threads = 1)
  own <- relief(toy$x, toy$y, group = seq_along(toy$y), threads = 1)
  expect_identical(as.data.frame(own), as.data.frame(plain))
})

test_that("a copied sample says nothing new", {
  toy <- simulate_microarray(samples = c(12, 10), genes = 60)
  plain <- relief(toy$x, toy$y, threads = 1)
  twice <- rep(seq_along(toy$y), 2)
  fit <- relief(toy$x[twice, ], toy$y[twice], group = twice, threads = 1)
  expect_equal(fit$contrasts$df[, 1], rep(20, 60))
  t <- function(fit) {
    difference <- class_contrasts(fit, 1:60)[, 1]
    abs(difference / fit$class_spread) / sqrt(fit$contrasts$variance[, 1])
  }
  expect_equal(unname(t(fit)), unname(t(plain)))
})

test_that("nothing is expected of noise in donors; one donor shows nothing", {
  p <- withr::with_seed(1, {
    donor <- rep(1:12, each = 6)
    list(
      x = matrix(rnorm(72 * 300), 72) + matrix(rnorm(12 * 300), 12)[donor, ],
      donor = donor
    )
  })
  y <- rep(c("a", "b"), each = 36)
  fit <- relief(p$x, y, group = p$donor, threads = 1)
  expect_lt(mean(abs(head(as.data.frame(fit)$effect, 20))), 0.1)
  some <- p$donor %in% c(1:6, 7, 8)
  fit <- relief(p$x[some, ], y[some], group = p$donor[some], threads = 1)
  expect_true(all(is.na(as.data.frame(fit)$effect)))
  expect_output(print(fit), "effect is NA where one or two groups do not show")
})

test_that("units without spread take the mean spread of their kind", {
  own <- cbind(c(1, 2, 3), c(1, 1, 1))
  rest <- cbind(c(0, 0, 2), c(0, 0, 0))
  found <- two_kinds(own, rest)[[1L]]
  expect_equal(found$difference, c(4 / 3, 1))
  # The mean over both features, of which the second has none.
  expect_equal(found$variance, var(c(1, 2, 1)) / c(3, 6))
})

test_that("z of survival times is the robust one of a Cox model", {
  for (seed in 1:6) {
    p <- withr::with_seed(seed, {
      unit <- rep(1:9, sample(1:4, 9, replace = TRUE))
      n <- length(unit)
      list(
        x = matrix(rnorm(n * 5, 3), n) * 10^seed, unit = unit,
        y = survival::Surv(round(rexp(n), 1 + seed %% 2) + 0.1, runif(n) < 0.7),
        block = if (seed %% 3 == 0) seq_len(n) %% 2 + 1
      )
    })
    if (seed %% 2) p$x[2:3, 1] <- NA
    problem <- as_problem_coded(
      p$x, p$y, outcome = "Surv", missing = TRUE
    )
    codes <- list(group = p$unit, block = p$block)
    problem$design <- new_design(length(p$unit), Filter(length, codes))
    found <- unit_hazards(problem, core_runtime(1L))
    for (j in 1:5) {
      data <- data.frame(v = p$x[, j], unit = p$unit, b = p$block %||% 1)
      data$y <- p$y
      data <- data[!is.na(data$v), ]
      strata <- survival::strata # coxph() knows it by this name alone
      terms <- if (is.null(p$block)) y ~ v else y ~ v + strata(b)
      model <- survival::coxph(terms, data, ties = "breslow", iter.max = 0)
      sums <- rowsum(stats::residuals(model, "score"), data$unit)
      expect_equal(found$z[[j]], sum(sums) / sqrt(sum(sums^2)))
      expect_equal(found$df[[j]], length(unique(data$unit)) - 1)
    }
  }
})
