# Arguments that there are, and what becomes of those that there are not.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- toy_data()

test_that("unknown arguments are named, with those that there are", {
  expect_input_error(
    relief(toy$x, toy$y, K = 5, labels = 1),
    "`K` and `labels` are not arguments of `relief()`", fixed = TRUE
  )
  expect_input_error(logo(toy$x, toy$y, lamda = 1), "arguments are .*`lambda`")
  frame <- data.frame(toy$x, class = toy$y)
  expect_refusal(relief(class ~ ., frame, K = 3), "K")
  expect_refusal(do.call(kbfs, list(toy$x, toy$y, times = 3)), "times")
  expect_refusal(probe_fdr(toy$x, toy$y, relief, replicates = 3), "replicates")
  expect_refusal(turf(toy$x, toy$y, block = 1), "block")
  # What verbs give to as_problem().
  through <- function(...) pwfp(toy$x, toy$y, ...)
  expect_refusal(through(outcome = "numeric"), "outcome")
  expect_refusal(logo(class ~ ., frame, complete = FALSE), "complete")
  fit <- relief(toy$x, toy$y, threads = 1)
  expect_refusal(interactions(fit, toy$x, toy$y, n = 3), "n")
  expect_input_error(
    print(fit, colour = 3), "`colour` is not an argument of `print()`",
    fixed = TRUE
  )
  expect_refusal(
    predict(fit, toy$x, "class", 2, 3, "prior", 4), "(unnamed)"
  )
})

test_that("the function that the user called is named, with its arguments", {
  fit <- relief(toy$x, toy$y, threads = 1)
  frame <- data.frame(toy$x, class = toy$y)
  named <- function(code, verb, arguments) {
    said <- tryCatch(code, error = conditionMessage)
    said <- gsub("\\s+", " ", said)
    expect_match(said, sprintf("not an argument of `%s()`", verb), fixed = TRUE)
    expect_match(said, paste("arguments are", arguments), fixed = TRUE)
  }
  named(validate(fit, toy$x, toy$y, foo = 1), "validate", "`x`, `new`, `truth`")
  named(head(fit, foo = 1), "head", "`x`, `n`")
  named(
    relief(class ~ ., data = frame, lamda = 1), "relief",
    "`formula`, `data`, `method`"
  )
  skip_if_not_installed("ggplot2")
  named(plot(fit, foo = 1), "plot", "`x`, `type`, `n`")
})

test_that("what is left out or left empty is named; other errors are kept", {
  toy <- toy_data()
  fit <- relief(toy$x, toy$y)
  # As do.call() may hand it on.
  empty <- formals(\(x) x)
  calls <- list(
    x = \() relief(), x = \() relief(y = toy$y), x = \() validate(),
    x = \() selector_power(), covariates = \() prepare_adjust(),
    x = \() do.call(relief, c(empty, list(toy$y)), quote = TRUE),
    y = \() do.call(relief, c(list(toy$x), unname(empty))),
    y = \() relief(toy$x, formals(\(x) x)$x),
    curve = \() best_size(), curve = \() compare_selectors(),
    fit = \() interactions(), x = \() interactions(fit),
    x = \() probe_fdr(y = toy$y), x = \() turf(y = toy$y),
    x = \() tuned(relief, k = 1:2)(y = toy$y), new = \() validate(fit),
    y = \() relief(Matrix::Matrix(toy$x, sparse = TRUE)),
    truth = \() do.call(validate, c(list(fit, toy$x), unname(empty)))
  )
  for (i in seq_along(calls)) {
    expect_input_error(
      calls[[i]](), paste0("`", names(calls)[[i]], "` is missing"), fixed = TRUE
    )
  }
  expect_error(relief(toy$x, stop("lost")), "^lost$")
  expect_error(validate(fit, toy$x, stop("lost")), "^lost$")
})
