# What a fit keeps of its call, by which R's update() fits again.
# SPDX-License-Identifier: GPL-3.0-or-later

frame <- data.frame(toy_data()$x, class = toy_data()$y)

test_that("a fit is made again with other arguments", {
  fit <- relief(class ~ ., data = frame, threads = 1)
  expect_identical(
    essence(update(fit, k = 3)),
    essence(relief(class ~ ., data = frame, k = 3, threads = 1))
  )
  expect_identical(
    update(fit, k = 3, evaluate = FALSE),
    quote(relief(formula = class ~ ., data = frame, threads = 1, k = 3))
  )
  x <- as.matrix(frame[1:8])
  y <- frame$class
  fit <- hitmiss::relief(x, y, threads = 1)
  expect_identical(update(fit, x = x[, 1:3])$n_features, 3L)
  # The default again.
  expect_identical(update(update(fit, k = 2), k = NULL)$parameters$k, 10L)
})

test_that("update() works in the frame that calls it", {
  fit_here <- function(ours) {
    again <- function(fit) update(fit, k = 2)
    fit <- relief(class ~ ., ours, threads = 1)
    inner <- function() update(fit, k = 2)
    inner()
  }
  expect_identical(fit_here(frame)$parameters$k, 2L)
  # The formula is kept itself, the data by their name.
  fit <- local({
    chosen <- class ~ g1 + g2
    relief(chosen, frame, threads = 1)
  })
  expect_identical(names(update(fit, method = "map")$scores), c("g1", "g2"))
})

test_that("the call has the formula, and no data that were passed by value", {
  fit <- relief(class ~ g1 + g2, data = frame, threads = 1)
  expect_identical(formula(fit), class ~ g1 + g2, ignore_formula_env = TRUE)
  expect_identical(names(update(fit, formula = class ~ g7)$scores), "g7")
  fit <- do.call(relief, list(as.matrix(frame[1:8]), frame$class, threads = 1))
  expect_identical(fit$call, quote(relief(x = ..., y = ..., threads = 1)))
})

# Environments in a fit: a stored one would carry all that they hold.
environments <- function(part, path = "fit") {
  if (is.environment(part)) {
    return(path)
  }
  inner <- c(if (is.recursive(part)) as.list(part), attributes(part))
  unlist(lapply(seq_along(inner), function(i) {
    if (!identical(inner[[i]], formals(\(x) x)$x)) {
      environments(inner[[i]], paste(path, names(inner)[i] %||% i))
    }
  }))
}

test_that("fits carry no environments, also with formulas and sources", {
  withr::local_options(keep.source = TRUE)
  expect_null(environments(relief(class ~ ., frame, threads = 1)))
  expect_null(environments(
    do.call(relief, list(class ~ ., frame, threads = 1))
  ))
  named <- eval(parse(text = "function(x) { x[, 1:3] }", keep.source = TRUE))
  fit <- eval(bquote(
    relief((.(named))(as.matrix(frame[1:8])), frame$class, threads = 1)
  ))
  expect_null(environments(fit))
  call <- parse(
    text = "error_curve(x, y, list(a = function(x, y) relief(x, y)), 2)",
    keep.source = TRUE
  )[[1L]]
  kept <- short_call(call)
  expect_null(environments(kept))
  expect_identical(
    eval(kept[[4L]])$a,
    eval(quote(function(x, y) relief(x, y))),
    ignore_srcref = TRUE
  )
})

test_that("a call with inline data stays short", {
  error <- tryCatch(
    do.call(llfs, list(matrix(0, 100, 100), 1:100)),
    error = identity
  )
  expect_lt(object.size(error), 20000)
})
