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

test_that("arguments that another one needs are named with it", {
  expect_refusal(kbfs(toy$x, toy$y, degree = 3), "degree")
  expect_refusal(kbfs(toy$x, toy$y, k = 3, max_pairs = 9), "k")
  expect_refusal(stability(list("a", c("a", "b"))), "n_features")
})

test_that("arguments that are missing are named", {
  skip_if_not_installed("ggplot2")
  refused(relief(Matrix::Matrix(toy$x, sparse = TRUE)), "`y`.* missing")
  refused(best_size(), "`curve`.* missing")
  refused(compare_selectors(), "`curve`.* missing")
  refused(plot_heatmap(toy$x, toy$y), "`features`.* missing")
  refused(plot_heatmap(y = toy$y, features = "x1"), "`x`.* missing")
  refused(probe_fdr(y = toy$y), "`x`.* missing")
  refused(interactions(), "`fit`.* missing")
  fit <- relief(toy$x, toy$y, threads = 1)
  refused(interactions(fit), "`x`.* missing")
  refused(turf(y = toy$y), "`x`.* missing")
  refused(tuned(relief, k = 1:2)(y = toy$y), "`x`.* missing")
  skip_if_not_installed("limma")
  arrays <- methods::new(
    methods::getClass("EList", where = asNamespace("limma")), list(E = t(toy$x))
  )
  refused(relief(arrays), "`y`.* missing")
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
    new = \() validate(fit),
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
