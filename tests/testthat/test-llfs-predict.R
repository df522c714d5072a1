# The localized classifier against helper-reference-llfs.R.
# SPDX-License-Identifier: GPL-3.0-or-later

#' @param holes Share of the new values that are missing.
compare_with_reference <- function(p, rule, vote = "spheres", holes = 0) {
  n <- length(p$y)
  fit <- suppressWarnings(llfs(p$x, p$y,
    alpha = 3, neighbour = rule, vote = vote, threads = 1,
    weights = if (vote == "evidence" && p$seed %% 2L == 0L) {
      "balanced"
    } else {
      "prior"
    }
  ))
  z <- ref_scale(p$x)
  subsets <- lapply(
    seq_len(n), function(i) unname(which(subsets_of(fit)[, i]))
  )
  evidence <- intercept <- NULL
  if (vote == "evidence") {
    evidence <- lapply(seq_len(n), function(i) {
      ref_evidence(z, p$y, i, subsets[[i]], fit$local$radius[[i]])
    })
    own <- t(vapply(seq_len(n), function(j) {
      ref_evidence_votes(
        z, p$y, z[j, ], subsets, fit$local$radius, evidence, j
      )
    }, numeric(nlevels(p$y))))
    intercept <- ref_intercept(own, p$y, p$seed %% 2L == 0L)
  }
  set.seed(p$seed)
  new <- rbind(p$x[1:3, , drop = FALSE], p$x[sample(n, 4L), , drop = FALSE] +
    round(rnorm(4L * ncol(p$x)), p$seed %% 2L))
  new[runif(length(new)) < holes] <- NA
  scaled <- sweep(sweep(new, 2L, colMeans(p$x)), 2L, {
    s <- apply(p$x, 2L, sd)
    ifelse(s > 0, s, 1)
  }, "/")
  expected <- lapply(seq_len(nrow(new)), function(r) {
    ref_classify(
      z, p$y, scaled[r, ], subsets, fit$local$radius, rule, evidence, intercept
    )
  })
  get <- function(field) t(sapply(expected, `[[`, field))
  ask <- function(...) {
    suppressMessages(muffle(
      predict(
        fit, new, ..., threads = 1, missing = if (holes > 0) "drop" else "error"
      ),
      "hitmiss_warning_scale"
    ))
  }
  similarity <- ask(type = "similarity")
  expect_equal(
    similarity, get("similarity"), tolerance = 1e-12, ignore_attr = TRUE
  )
  expect_equal(
    ask(type = "prob"), get("prob"), tolerance = 1e-12, ignore_attr = TRUE
  )
  class <- ask()
  expect_equal(as.character(class), vapply(expected, `[[`, "", "class"))
  if (holes > 0) {
    expect_equal(attr(class, "left"), vapply(expected, `[[`, 0, "left"))
  }
  sum(!is.na(class))
}

test_that("similarity, probability and class follow the definition", {
  for (p in llfs_problems(some_of(1:60))) {
    compare_with_reference(p, c("none", "half", "full")[[p$seed %% 3L + 1L]])
  }
})

test_that("evidence of cells, by the definition", {
  for (p in llfs_problems(some_of(1:100))) {
    compare_with_reference(p, "none", "evidence")
  }
})

# 12 to 30 samples in up to 12 classes, some of one sample; few values.
evidence_problem <- function(seed) {
  withr::local_seed(seed)
  k <- seed %% 11L + 2L
  n <- sample(seq(k + 6L, 24L), 1L)
  y <- factor(c(seq_len(k), sample(k, n - k, TRUE, k:1)))
  levels <- c(2L, 3L, 100L)[[seed %% 3L + 1L]]
  x <- matrix(sample(levels, n * 4L, TRUE), n) + (as.integer(y) %% 2L)
  colnames(x) <- paste0("f", 1:4)
  list(x = x + 0, y = y, block = sample(1:2, n, TRUE), group = sample(n / 2, n,
    TRUE
  ))
}

test_that("evidence: many classes, 0/1 values, blocks and groups", {
  compared <- 0
  seeds <- some_of(1:150)
  for (seed in seeds) {
    p <- evidence_problem(seed)
    n <- length(p$y)
    design <- list(
      NULL, list(block = p$block), list(group = p$group)
    )[[seed %% 4L %% 3L + 1L]]
    fit <- tryCatch(
      suppressWarnings(do.call(llfs, c(
        list(
          p$x, p$y, alpha = 2, beta = c(0, 0.5, 1), vote = "evidence",
          threads = 1
        ), design
      ))),
      hitmiss_error_input = function(e) NULL # a block without two classes
    )
    if (is.null(fit)) next
    allowed <- matrix(TRUE, n, n)
    if (!is.null(design$block)) allowed <- outer(p$block, p$block, `==`)
    if (!is.null(design$group)) allowed <- outer(p$group, p$group, `!=`)
    z <- ref_scale(p$x)
    subsets <- lapply(seq_len(n), \(i) unname(which(subsets_of(fit)[, i])))
    voting <- which(lengths(subsets) > 0L)
    evidence <- lapply(seq_len(n), function(i) {
      ref_evidence(
        z, p$y, i, subsets[[i]], fit$local$radius[[i]], allowed = allowed
      )
    })
    votes <- function(x, self = 0L) {
      ref_evidence_votes(
        z, p$y, x, subsets, fit$local$radius, evidence, self, voting
      )
    }
    own <- t(vapply(seq_len(n), \(j) votes(z[j, ], j), numeric(nlevels(p$y))))
    intercept <- ref_intercept(own, p$y)
    expect_equal(fit$local$intercept, intercept, tolerance = 1e-12)
    expected <- t(vapply(1:3, \(j) votes(z[j, ]) + intercept, intercept))
    expect_equal(
      predict(fit, p$x[1:3, ], type = "similarity", threads = 1), expected,
      tolerance = 1e-12, ignore_attr = TRUE
    )
    compared <- compared + 1
  }
  # The others leave a class without near hits, and are refused.
  expect_gt(compared, 0.6 * length(seeds))
})

test_that("copies of training samples fall into the cells of training", {
  withr::local_seed(1)
  x <- matrix(sample(0:1, 60 * 8, TRUE), 60)
  colnames(x) <- paste0("f", 1:8)
  y <- factor(ifelse(x[, 1] + x[, 2] + rnorm(60) > 1.5, "a", "b"))
  fit <- llfs(x, y, alpha = 3, threads = 1)
  z <- apply_scaling(x, fit$preprocess, 1:8)
  fallen <- unlist(lapply(1:60, function(i) {
    own <- which(subsets_of(fit)[, i])
    shares <- function(j, others) ref_nearest_share(z, y, z[j, ], own, others)
    trained <- t(vapply(1:60, \(j) shares(j, setdiff(1:60, j)), c(0, 0))) > 0
    copied <- t(vapply(1:60, \(j) shares(j, 1:60), c(0, 0))) > 0
    inside <- ref_distances(z, z[i, ], own) <=
      fit$local$radius[[i]] * (1 + 1e-12)
    filled <- rowsum(trained[-i, ] + 0, inside[-i]) > 0
    vapply((1:60)[-i], function(j) {
      all(filled[as.character(inside[[j]]), copied[j, ]])
    }, NA)
  }))
  expect_gt(mean(fallen), 0.99)
  expect_lt(
    mean(predict(fit, x, threads = 1) != y),
    min(table(y)) / length(y)
  )
})

test_that("missing = \"drop\": the spheres that are whole vote, by class", {
  predicted <- vapply(llfs_problems(some_of(1:36)), function(p) {
    rule <- c("none", "half", "full")[[p$seed %% 3L + 1L]]
    compare_with_reference(p, rule, holes = 0.1) +
      compare_with_reference(p, "none", "evidence", holes = 0.1)
  }, 0)
  expect_gt(sum(predicted), 25)
})

test_that("missing = \"drop\": absent columns are as missing values", {
  withr::local_seed(4)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  rownames(toy$x) <- paste0("s", seq_along(toy$y))
  fit <- llfs(toy$x, toy$y, alpha = 3, threads = 1)
  rare <- fit$selected[[length(fit$selected)]]
  without <- toy$x[, colnames(toy$x) != rare]
  holed <- toy$x
  holed[, rare] <- NA
  for (type in c("class", "prob", "similarity", "spheres", "features")) {
    ask <- function(x) {
      suppressMessages(predict(
        fit, x, type = type, missing = "drop", threads = 1
      ))
    }
    dropped <- ask(without)
    if (type == "features") {
      expect_identical(colnames(dropped), setdiff(fit$selected, rare))
    } else {
      expect_identical(dropped, ask(holed))
    }
    left <- attr(dropped, "left")
    expect_named(left, rownames(toy$x))
    expect_true(all(left >= 0.5 & left < 1))
    whole <- predict(fit, toy$x, type = type, threads = 1)
    expect_silent(same <- ask(toy$x))
    expect_true(all(attr(same, "left") == 1))
    attr(same, "left") <- NULL
    expect_identical(same, whole)
  }
  expect_identical(
    attr(suppressMessages(
      predict(fit, without, missing = "drop", threads = 1)
    ), "left")[["s1"]],
    min(tapply(!as.matrix(subsets_of(fit))[rare, ], toy$y, mean))
  )
  expect_refusal(
    predict(fit, toy$x[, c("noise1", "noise2")], missing = "drop"), "newdata"
  )
})

test_that("a sphere that ends at a sample contains it, however rounded", {
  # One feature, classes apart: the spheres of "a" end at a's farthest sample.
  x <- cbind(v = c(0.1, 0.2, 0.4, 0.7, 9.1, 9.2, 9.4, 9.7))
  y <- factor(rep(c("a", "b"), each = 4))
  for (vote in c("spheres", "evidence")) {
    fit <- llfs(x, y, alpha = 1, gamma = 1e9, vote = vote, threads = 1)
    shorter <- fit
    shorter$local$radius <- fit$local$radius * (1 - 2^-50)
    for (type in c("class", "similarity")) {
      expect_identical(
        predict(shorter, x, type = type, threads = 1),
        predict(fit, x, type = type, threads = 1)
      )
    }
  }
})

test_that("samples in no sphere are named where most of the new ones are", {
  withr::local_seed(4)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  fit <- llfs(toy$x, toy$y, alpha = 2, vote = "spheres", threads = 1)
  none <- rowSums(predict(fit, toy$x, type = "similarity")) == 0
  expect_lt(mean(none), 0.5)
  expect_silent(predict(fit, toy$x))
  # Near the training samples, but spheres without extent.
  far <- toy$x[rep(1:4, 3), ] + 1e-3
  fit$local$radius <- 0 * fit$local$radius
  warning <- expect_warning(
    predict(fit, far, threads = 1),
    "12 of 12 samples lie in no sphere: 1, 2, 3",
    class = "hitmiss_warning_spheres"
  )
  expect_identical(warning$samples, 1:12)
  expect_silent(predict(fit, far[1:9, ], threads = 1))
})

test_that("spheres add up to the similarity and name their features", {
  set.seed(4)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  rownames(toy$x) <- paste0("s", seq_along(toy$y))
  for (rule in c("none", "half", "full")) {
    fit <- llfs(toy$x, toy$y,
      alpha = 2, vote = "spheres", neighbour = rule, threads = 1
    )
    new <- toy$x + rnorm(length(toy$x), sd = 0.5)
    spheres <- predict(fit, new, type = "spheres", threads = 1)
    expect_named(spheres, c(
      "sample", "representative", "class", "distance", "radius", "vote",
      "features"
    ))
    votes <- tapply(
      spheres$vote,
      list(
        factor(spheres$sample, rownames(new)),
        factor(spheres$class, levels(toy$y))
      ),
      sum,
      default = 0
    )
    similarity <- sweep(votes, 2L, table(toy$y), "/")
    expect_equal(
      unname(similarity[]),
      unname(predict(fit, new, type = "similarity", threads = 1)),
      ignore_attr = TRUE
    )
    expect_true(all(spheres$distance <= spheres$radius * (1 + 1e-9)))
    row <- spheres[1L, ]
    expect_equal(
      row$features[[1L]],
      names(which(subsets_of(fit)[, row$representative]))
    )
  }
})

test_that("by evidence, spheres contain the sample and have their evidence", {
  withr::local_seed(4)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  fit <- llfs(toy$x, toy$y, alpha = 2, vote = "evidence", threads = 1)
  new <- toy$x + rnorm(length(toy$x), sd = 0.5)
  spheres <- predict(fit, new, type = "spheres", threads = 1)
  frame <- fit$preprocess
  scaled <- function(x) t((t(x) - frame$center) / frame$scale)
  subsets <- as.matrix(subsets_of(fit))
  contains <- vapply(seq_along(toy$y), function(i) {
    ref_distances(scaled(new), scaled(toy$x)[i, ], subsets[, i]) <=
      fit$local$radius[[i]]
  }, logical(nrow(new)))
  expected <- which(t(contains), arr.ind = TRUE)
  expect_equal(spheres$sample, unname(expected[, 2L]))
  expect_equal(spheres$representative, unname(expected[, 1L]))
  z <- scaled(toy$x)
  for (row in seq_len(min(30L, nrow(spheres)))) {
    i <- spheres$representative[[row]]
    says <- ref_evidence(z, toy$y, i, which(subsets[, i]),
      spheres$radius[[row]])
    near <- ref_nearest_share(
      z, toy$y, scaled(new)[spheres$sample[[row]], ], which(subsets[, i]),
      seq_along(toy$y)
    )
    expected <- as.vector(near %*% says[2L, , ])
    expect_equal(unlist(spheres[row, paste0("for_", levels(toy$y))]), expected,
      tolerance = 1e-12, ignore_attr = TRUE
    )
    expect_equal(spheres$vote[[row]], expected[[as.integer(toy$y[[i]])]])
  }
})

test_that("threads change no bit of spheres; missing values are in none", {
  set.seed(6)
  toy <- simulate_localized(c(8, 8, 12), noise = 6)
  fit <- llfs(toy$x, toy$y, alpha = 2, threads = 1)
  counts <- local_thread_counts()
  for (type in c("similarity", "spheres")) {
    one <- predict(fit, toy$x, type = type, threads = 1)
    for (threads in counts) {
      expect_identical(predict(fit, toy$x, type = type, threads = threads), one)
    }
  }
  holes <- toy$x[1:4, ]
  holes[2L, fit$selected[[1L]]] <- NA
  holes[3L, fit$selected[[1L]]] <- Inf
  spheres <- predict(fit, holes, type = "spheres", threads = 1)
  expect_true(all(spheres$sample %in% c(1, 4)))
})

# A class may be alone in its block, in a part of a cross-validation at least.
test_that("a class without spheres leaves the others their vote", {
  x <- matrix(withr::with_seed(3, rnorm(480)), 60L)
  y <- factor(rep(c("a", "b", "c"), each = 20))
  x[, 1:3] <- x[, 1:3] + 3 * as.integer(y)
  colnames(x) <- paste0("g", 1:8)
  batch <- rep(1:2, 30)
  batch[y == "c"] <- 3
  for (vote in c("frames", "evidence", "spheres")) {
    expect_warning(
      fit <- llfs(x, y, alpha = 2, block = batch, vote = vote, threads = 1),
      "samples may not be compared"
    )
    for (how in c("error", "drop")) {
      class <- predict(fit, x, missing = how, threads = 1)
      expect_false(anyNA(class))
      expect_gt(mean((class == y)[y != "c"]), 0.8)
    }
    # Half of the spheres of a class that has some are still asked for.
    few <- x[, setdiff(colnames(x), selected(fit)[1:2]), drop = FALSE]
    expect_refusal(predict(fit, few, missing = "drop", threads = 1), "newdata")
  }
})
