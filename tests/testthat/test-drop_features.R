# Features taken out of a fit: what is left predicts as slow definitions do.
# SPDX-License-Identifier: GPL-3.0-or-later

data <- toy_data(n = 20L, noise = 10L, classes = c("a", "b", "c"))
global <- selectors[names(selectors) != "llfs"]

# The k nearest in the weighted sum of distances, feature by feature.
slow_vote <- function(fit, x, k) {
  used <- colnames(fit$training$values)
  weights <- if (inherits(fit, "hitmiss_relief")) {
    fit$weights[used]
  } else if (inherits(fit, "hitmiss_pwfp")) {
    rep(1, length(used))
  } else {
    fit$scores[used]
  }
  scale <- stats::setNames(fit$preprocess$scale, names(fit$scores))[used]
  vapply(seq_len(nrow(x)), function(i) {
    distance <- apply(fit$training$values, 1L, function(v) {
      sum(weights * abs(v - x[i, used]) / scale)
    })
    near <- order(distance)[seq_len(k)]
    votes <- table(fit$training$y[near])
    tied <- names(votes)[votes == max(votes)]
    as.character(fit$training$y[near][fit$training$y[near] %in% tied][[1L]])
  }, "")
}

test_that("of a global fit the others vote, as in missing = \"drop\"", {
  for (name in names(global)) {
    fit <- muffle(fit_seeded(global[[name]], data$x, data$y), small_data)
    gone <- names(fit$scores)[fit$ranking[[2L]]]
    fewer <- drop_features(fit, gone)
    expect_silent(check_whole(fewer))
    expect_identical(fewer$n_features, fit$n_features - 1L, info = name)
    expect_identical(fewer$dropped, gone)
    expect_identical(fewer$selected, setdiff(fit$selected, gone), info = name)
    left <- data$x[, setdiff(colnames(data$x), gone)]
    class <- stats::predict(fewer, left, k = 3, threads = 1)
    expect_identical(
      as.character(class), slow_vote(fewer, left, 3L), info = name
    )
    by_weight <- suppressMessages(
      stats::predict(fit, left, k = 3, missing = "drop", threads = 1)
    )
    expect_identical(as.vector(class), as.vector(by_weight), info = name)
  }
})

test_that("of llfs() the spheres that used a feature vote no more", {
  fit <- fit_seeded(selectors$llfs, data$x, data$y)
  subsets <- as.matrix(fit$local$subsets)
  # The feature of fewest representatives: every class keeps a sphere.
  gone <- rev(selected(fit))[[1L]]
  fewer <- drop_features(fit, gone)
  expect_silent(check_whole(fewer))
  slow <- subsets[rownames(subsets) != gone, ]
  slow[, subsets[gone, ]] <- FALSE
  expect_identical(as.matrix(fewer$local$subsets), slow)
  expect_equal(fewer$scores, rowSums(slow) / sum(colSums(slow) > 0))
  left <- data$x[, setdiff(colnames(data$x), gone)]
  for (type in c("class", "prob", "similarity", "spheres")) {
    expect_equal(
      stats::predict(fewer, left, type = type, threads = 1),
      suppressMessages(stats::predict(fit, left,
        type = type, missing = "drop", threads = 1
      )),
      ignore_attr = "left", info = type
    )
  }
  expect_output(print(fewer), paste("taken out after the fit:", gone))
})

test_that("something must be left to vote, and the names must be features", {
  for (verb in c("llfs", "logo", "pwfp")) {
    fit <- fit_seeded(selectors[[verb]], data$x, data$y)
    expect_error(
      drop_features(fit, names(fit$scores)), class = "hitmiss_error_input"
    )
    expect_error(
      drop_features(fit, fit$selected), class = "hitmiss_error_input"
    )
    expect_error(
      drop_features(fit, "no such"), "no such", class = "hitmiss_error_input"
    )
  }
  expect_error(drop_features(1, "g1"), class = "hitmiss_error_input")
  expect_error(drop_features(fit), "names", class = "hitmiss_error_input")
})

test_that("fits of 0.1.0 lose features, and fits twice", {
  saved <- readRDS(test_path("fixtures", "fits-0.1.0.rds"))
  for (fit in saved$fits) {
    once <- drop_features(fit, "g5")
    twice <- drop_features(once, "g8")
    expect_identical(twice$dropped, c("g5", "g8"))
    expect_length(stats::predict(twice, saved$x, threads = 1), nrow(saved$x))
  }
})
