# The vote by frames: the mean of evidence and of a regression on similarities,
# against its definition in helper-reference-llfs.R.
# SPDX-License-Identifier: GPL-3.0-or-later

# 14 to 35 samples in 2 to 7 classes; few values, some features constant.
frames_problem <- function(seed) {
  withr::local_seed(seed)
  k <- seed %% 6L + 2L
  n <- sample(14:28, 1L) + k
  y <- factor(c(rep(seq_len(k), 2L), sample(k, n - 2L * k, TRUE)))
  levels <- c(2L, 3L, 100L)[[seed %% 3L + 1L]]
  x <- matrix(sample(levels, n * 6L, TRUE), n) + (as.integer(y) %% 3L)
  x[, 5] <- 1
  colnames(x) <- paste0("f", 1:6)
  list(
    x = x + 0, y = y, group = sample(n / 2, n, TRUE),
    block = sample(1:2, n, TRUE)
  )
}

frames_fit <- function(p, seed) {
  arguments <- list(
    p$x, p$y, alpha = 3, beta = c(0, 0.5, 1), threads = 1,
    weights = if (seed %% 2L == 0L) "balanced" else "prior"
  )
  if (seed %% 5L == 0L) arguments$group <- p$group
  if (seed %% 5L == 1L) arguments$block <- p$block
  if (seed %% 4L == 2L) {
    arguments$control <- list(intercept_samples = 2L * nlevels(p$y))
  }
  tryCatch(
    suppressWarnings(do.call(llfs, arguments)),
    hitmiss_error_input = function(e) NULL # a block without two classes
  )
}

# Learners of a block, or of a group of several classes, share an intercept.
ref_shared <- function(p, seed, learners) {
  y <- p$y[learners]
  code <- rep(NA, length(y))
  if (seed %% 5L == 1L) code <- p$block[learners]
  if (seed %% 5L == 0L) {
    code <- p$group[learners]
    classes <- tapply(as.integer(y), code, \(labels) length(unique(labels)))
    code[classes[as.character(code)] < 2L] <- NA
  }
  shared <- outer(code, code, `==`)
  replace(shared, is.na(shared), FALSE)
}

# A fit of the same vote without the regression.
by_evidence_alone <- function(fit) {
  fit$parameters$vote <- "evidence"
  fit
}

similarity_of <- function(fit, x, ...) {
  suppressMessages(muffle(
    predict(fit, x, type = "similarity", threads = 1, ...),
    "hitmiss_warning_scale"
  ))
}

test_that("the similarity follows the definition", {
  compared <- 0
  seeds <- some_of(1:300)
  for (seed in seeds) {
    p <- frames_problem(seed)
    fit <- frames_fit(p, seed)
    if (is.null(fit)) next
    z <- ref_scale(p$x)
    subsets <- lapply(seq_along(p$y), \(i) unname(which(subsets_of(fit)[, i])))
    consensus <- ref_consensus(subsets, 6L)
    subsets <- subsets[lengths(subsets) > 0L]
    learners <- fit$local$learners
    y <- p$y[learners]
    n <- as.vector(table(p$y))
    of_class <- if (seed %% 2L == 0L) sum(n) / nlevels(y) else n
    weight <- (of_class / as.vector(table(y)))[as.integer(y)]
    known <- z[learners, , drop = FALSE]
    slopes <- ref_slopes(
      ref_similarities(known, known, subsets, consensus) +
        ref_shared(p, seed, learners), y, weight
    )
    new <- rbind(p$x[1:3, ], p$x[4:6, ] + matrix(rnorm(18), 3))
    scaled <- sweep(sweep(new, 2L, fit$preprocess$center), 2L,
      fit$preprocess$scale, "/")
    learned <- ref_similarities(scaled, known, subsets, consensus) %*% slopes
    evidence <- similarity_of(by_evidence_alone(fit), new)
    expect_equal(
      similarity_of(fit, new), (evidence + learned) / 2,
      tolerance = 1e-9, ignore_attr = TRUE
    )
    compared <- compared + 1
  }
  expect_gt(compared, 0.8 * length(seeds))
})

test_that("the regression learns from all samples, or from those drawn", {
  p <- frames_problem(2L)
  expect_identical(frames_fit(p, 1L)$local$learners, seq_along(p$y))
  few <- frames_fit(p, 2L)$local$learners
  expect_equal(as.vector(table(p$y[few])), c(2, 2, 2, 2))
})

test_that("evidence is what it is without the regression", {
  p <- frames_problem(4L)
  both <- frames_fit(p, 4L)
  alone <- withr::with_seed(1, suppressWarnings(llfs(p$x, p$y,
    alpha = 3, beta = c(0, 0.5, 1), vote = "evidence", weights = "balanced",
    threads = 1
  )))
  expect_null(alone$local$slopes)
  for (type in c("similarity", "prob", "spheres")) {
    expect_identical(
      predict(by_evidence_alone(both), p$x, type = type, threads = 1),
      predict(alone, p$x, type = type, threads = 1)
    )
  }
})

test_that("missing = \"drop\": frames leave, slopes stay", {
  for (seed in c(3L, 5L, 9L, 15L)) {
    p <- frames_problem(seed)
    fit <- frames_fit(p, 4L)
    used <- which(fit$scores > 0)
    rare <- used[[which.min(fit$scores[used])]]
    subsets <- lapply(seq_along(p$y), \(i) unname(which(subsets_of(fit)[, i])))
    whole <- !vapply(subsets, \(s) rare %in% s, NA)
    consensus <- ref_consensus(subsets[whole], 6L)
    if (min(tapply(whole, p$y, mean)) < 0.5) next
    z <- ref_scale(p$x)
    learned <- ref_similarities(z, z, subsets[whole], consensus) %*%
      fit$local$slopes
    without <- p$x[, -rare]
    expect_equal(
      similarity_of(fit, without, missing = "drop"),
      (similarity_of(by_evidence_alone(fit), without, missing = "drop") +
        learned) / 2,
      tolerance = 1e-9, ignore_attr = TRUE
    )
  }
})

local_fit <- function(...) {
  toy <- withr::with_seed(4, simulate_localized(c(8, 8, 12), noise = 6))
  rownames(toy$x) <- paste0("s", seq_along(toy$y))
  fit <- withr::with_seed(1, llfs(toy$x, toy$y, alpha = 2, threads = 1, ...))
  list(fit = fit, x = toy$x + withr::with_seed(2, rnorm(length(toy$x))),
    y = toy$y)
}

# Noise takes some of the samples far from those of the fit.
quiet_predict <- function(...) {
  suppressWarnings(predict(...), classes = "hitmiss_warning_scale")
}

test_that("parts add up to the similarity, a row for each", {
  local <- local_fit()
  fit <- local$fit
  said <- quiet_predict(fit, local$x, type = "spheres", threads = 1)
  expect_named(said, c(
    "sample", "representative", "part", "class", "distance", "radius", "vote",
    "features", "for_one", "for_two"
  ))
  n <- length(local$y)
  expect_equal(as.vector(table(said$sample)), rep(n + 2L, n))
  for (class in c("one", "two")) {
    added <- tapply(said[[paste0("for_", class)]], said$sample, sum)
    expect_equal(
      added[rownames(local$x)],
      similarity_of(fit, local$x)[, class],
      tolerance = 1e-12, ignore_attr = TRUE
    )
  }
  own <- !is.na(said$representative)
  expect_identical(
    said$part[own],
    ifelse(said$distance <= said$radius * (1 + 1e-12), "sphere",
      "outside")[own]
  )
  expect_equal(
    said$vote[own],
    ifelse(said$class == "one", said$for_one, said$for_two)[own]
  )
  expect_setequal(said$part[!own], c("consensus", "intercept"))
  # Those that contain a sample are the spheres of the other votes.
  inside <- quiet_predict(by_evidence_alone(fit), local$x, type = "spheres")
  expect_equal(
    said[said$part == "sphere", c("sample", "representative", "distance")],
    inside[c("sample", "representative", "distance")], ignore_attr = TRUE
  )
})

test_that("print(), plot() and the report tell the parts", {
  local <- local_fit()
  fit <- local$fit
  expect_output(print(fit), "a regression on 28\\s+samples in their frames")
  expect_no_match(
    capture.output(print(by_evidence_alone(fit))), "regression"
  )
  skip_if_not_installed("ggplot2")
  picture <- ggplot2::autoplot(fit, "votes", n = 5, newdata = local$x[2:3, ])
  said <- predict(fit, local$x[2, , drop = FALSE], type = "spheres")
  size <- pmax(abs(said$for_one), abs(said$for_two))
  best <- order(-size)[1:5]
  expect_equal(picture$data$value, c(said$for_one[best], said$for_two[best]))
  expect_equal(as.character(picture$data$kind[1:5]), said$part[best])
  trained <- ggplot2::autoplot(fit, "votes", n = 5)
  expect_match(trained$labels$subtitle, "sample s1: the largest 5 of 30 parts")
  # The first sample is meant, also where only others are classified.
  lacks <- local$x[2:3, ]
  lacks[1L, ] <- NA
  expect_refusal(suppressMessages(plot(fit, "votes", newdata = lacks)),
    "newdata")
  expect_refusal(plot(fit, "votes", newdata = lacks[0L, ]), "newdata")
  expect_refusal(plot(by_evidence_alone(fit), "votes"), "type")
  parts <- part_words(said, "s2", "one")
  expect_match(parts, sprintf(
    "'one', %.2f, has .* %.2f from their features together", sum(said$for_one),
    said$for_one[said$part == "consensus"]
  ))
})

test_that("the memory of the similarities is announced", {
  p <- frames_problem(1L)
  of <- function(...) {
    withr::local_options(hitmiss.max_memory = 1)
    tryCatch(
      llfs(p$x[rep(1:20, 100), ], rep(p$y[1:20], 100), ..., threads = 1),
      hitmiss_error_memory = \(e) e$needed
    )
  }
  expect_gt(of() - of(vote = "evidence"), 7 * 2000^2)
})
