# Pictures of single features: values by class, effect against score.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_if_not_installed("ggplot2")

test_that("a feature's values stand over their classes, with new samples", {
  toy <- small_array()
  fits <- list(
    relief(toy$x, toy$y, k = 3, threads = 1),
    withr::with_seed(1, llfs(toy$x, toy$y, alpha = 2, threads = 1))
  )
  for (fit in fits) {
    best <- names(fit$scores)[fit$ranking[[1L]]]
    table <- ggplot2::autoplot(fit, "gene", newdata = toy$x[1:2, ])$data
    expect_equal(table$y, unname(c(toy$x[, best], toy$x[1:2, best])))
    expect_identical(
      as.character(table$kind), c(as.character(toy$y), "new", "new")
    )
    expect_lt(max(abs(table$x - as.integer(table$kind))), 0.3)
    two <- rev(names(fit$scores)[fit$ranking[1:2]])
    picture <- ggplot2::autoplot(fit, "gene", feature = two, label = c(
      stats::setNames("a symbol", two[[1L]])
    ))
    expect_identical(levels(picture$data$panel), c("a symbol", two[[2L]]))
    expect_identical(picture_faults(\() picture, 672, 480), NULL)
    volcano <- ggplot2::autoplot(fit, "volcano")
    all <- as.data.frame(fit)
    sign <- ifelse(all$class == "class2", 1, -1)
    at <- match(names(fit$scores), all$feature)
    expect_equal(volcano$data$x, (sign * all$effect)[at])
    expect_equal(volcano$data$y, unname(fit$scores))
    expect_identical(
      volcano$data$label[fit$ranking[[1L]]], cut_names(best)
    )
    expect_identical(picture_faults(\() volcano, 672, 480), NULL)
  }
  refused <- function(...) {
    expect_refusal(ggplot2::autoplot(fits[[1L]], "gene", ...), "feature")
  }
  refused(feature = "x")
  worst <- names(which.min(fits[[1L]]$scores))
  refused(feature = worst)
  number <- relief(toy$x, toy$x[, 1], method = "rrelieff", threads = 1)
  expect_refusal(ggplot2::autoplot(number, "gene"), "type")
  expect_refusal(ggplot2::autoplot(number, "volcano"), "type")
})

test_that("samples of a pair are joined", {
  toy <- small_array()
  pair <- rep(1:12, 2)
  fit <- relief(toy$x, toy$y, pair = pair, k = 3, threads = 1)
  picture <- ggplot2::autoplot(fit, "gene",
    newdata = toy$x[c(1, 13), ], pair = c("p", "p")
  )
  table <- picture$data
  best <- toy$x[, fit$ranking[[1L]]]
  centred <- unname(best - stats::ave(best, pair))
  expect_equal(table$y, centred[c(1:24, 1, 13)])
  expect_identical(
    match(table$line, table$line), match(c(pair, 13, 13), c(pair, 13, 13))
  )
  expect_match(picture$labels$y, "difference from the mean of the pair")
})

test_that("a class may be called new", {
  toy <- small_array()
  y <- factor(ifelse(toy$y == levels(toy$y)[[1L]], "new", "old"))
  fit <- relief(toy$x, y, k = 3, threads = 1)
  picture <- ggplot2::autoplot(fit, "gene", newdata = toy$x[1:2, ])
  expect_setequal(levels(picture$data$kind), c("new", "old", "new.1"))
  expect_identical(sum(picture$data$kind == "new.1"), 2L)
})
