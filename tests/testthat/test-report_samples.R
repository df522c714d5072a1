# The parts of a report on new samples.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the nearest samples are those of the definition", {
  withr::local_options(hitmiss.threads = 1L)
  toy <- small_array()
  new <- toy$x[1:3, ] + 0.1
  for (fit in list(
    logo(toy$x, toy$y), relief(toy$x, toy$y), llfs(toy$x, toy$y, alpha = 2)
  )) {
    weights <- if (inherits(fit, "hitmiss_llfs")) {
      fit$scores
    } else {
      replace(
        fit$scores * 0, names(fit$scores) %in% names(vote_weights(fit)),
        vote_weights(fit)
      )
    }
    scaled <- function(x) {
      t((t(x) - fit$preprocess$center) / fit$preprocess$scale)
    }
    distance <- function(a, b) sum(weights * abs(a - b)) / sum(weights)
    slow <- outer(
      1:3, 1:24,
      Vectorize(function(i, j) distance(scaled(new)[i, ], scaled(toy$x)[j, ]))
    )
    found <- sample_space(fit, new)
    nearest <- apply(slow, 1, \(d) as.character(toy$y)[order(d)[1:5]])
    expect_identical(found$near, nearest)
    expect_equal(found$training, toy$x[, colnames(found$training)],
      ignore_attr = TRUE
    )
    own <- outer(1:24, 1:24, Vectorize(function(i, j) {
      if (i == j) Inf else distance(scaled(toy$x)[i, ], scaled(toy$x)[j, ])
    }))
    reach <- max(apply(own, 1, min))
    expect_identical(found$far, unname(apply(slow, 1, min) > reach))
    # As far as any, and a little farther; a sample that is incomplete.
    away <- toy$x[rep(1, 4), ]
    one <- colnames(found$training)[[1]]
    known <- toy$x[, one]
    weight <- weights[[one]] / sum(weights)
    step <- reach / weight * fit$preprocess$scale[[match(one, colnames(away))]]
    away[, one] <- max(known) + c(0.999, 1.001, 1000, NA) * step
    beyond <- apply(scaled(away)[1:3, ], 1, function(a) {
      min(apply(scaled(toy$x), 1, \(b) distance(a, b)))
    })
    found <- sample_space(fit, away)
    expect_identical(found$far, c(unname(beyond > reach), FALSE))
    expect_true(all(is.na(found$near[, 4])))
    expect_identical(found$classes, toy$y, ignore_attr = TRUE)
  }
})

test_that("all fits have reports, also of a single, far or incomplete sample", {
  skip_without_report()
  toy <- small_array()
  fits <- list(
    relief(toy$x, toy$y), logo(toy$x, toy$y),
    kbfs(toy$x, toy$y, n = 5),
    pwfp(toy$x, toy$y), turf(toy$x, toy$y, relief)
  )
  for (fit in fits) {
    page <- suppressWarnings(written(fit, toy$x[1, , drop = FALSE]))
    expect_has(page, "<h3>")
  }
  far <- toy$x[1:4, ] + 100
  far[2, ] <- NA
  expect_has(written(fits[[1]], far), "Farther from the training samples")
  expect_has(
    written(fits[[1]], far), "A feature used for prediction is missing"
  )
  expect_has(written(fits[[1]], toy$x[0, ]), "There are no new samples")
  numeric <- relief(toy$x, toy$x[, 1], method = "rrelieff")
  expect_has(written(numeric, toy$x[1:2, ]), "<h3>sample 1: ")
  frame <- data.frame(g = toy$x[, 1], f = factor(rep(c("u", "v"), 12)))
  expect_has(written(relief(frame, toy$y), frame[1:2, ]), "<h3>")
})
