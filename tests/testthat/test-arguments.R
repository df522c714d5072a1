# Arguments that there are, and what becomes of those that there are not.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- toy_data()

meant <- function(...) {
  error <- expect_input_error(...)
  sub(".*Did you mean (.*)[?]", "\\1", conditionMessage(error))
}

test_that("what was meant is asked: case, typos, old and foreign names", {
  expect_refusal(relief(toy$x, toy$y, K = 5), "K")
  expect_identical(meant(logo(toy$x, toy$y, lamda = 1)), "`lambda`")
  expect_identical(meant(relief(toy$x, toy$y, Method = "map")), "`method`")
  expect_identical(meant(relief(toy$x, labels = toy$y)), "`y`")
  # Names of 0.1.0.
  expect_identical(meant(kbfs(toy$x, toy$y, neighbours = 3)), "`k`")
  expect_identical(
    meant(reference_scores(toy$x, toy$y, "laplacian", neighbours = 3)), "`k`"
  )
  expect_identical(
    meant(logo(toy$x, toy$y, control = list(max_iter = 3))), "`max_iter`"
  )
  frame <- data.frame(toy$x, class = toy$y)
  expect_identical(meant(relief(class ~ ., frame, K = 3)), "`k`")
  fit <- relief(toy$x, toy$y, threads = 1)
  expect_identical(meant(predict(fit, toy$x, Type = "prob")), "`type`")
})

test_that("what resembles nothing is answered by the arguments there are", {
  expect_refusal(relief(toy$x, toy$y, colour = "red", shape = 2), "colour")
  expect_refusal(logo(toy$x, toy$y, n_features = 10), "n_features")
  expect_refusal(logo(toy$x, toy$y, data = 1), "data")
  fit <- relief(toy$x, toy$y, threads = 1)
  expect_refusal(print(fit, colour = 3), "colour")
  expect_refusal(
    predict(fit, toy$x, "class", 2, 3, "prior", 4), "(unnamed)"
  )
})

test_that("similar names", {
  expect_identical(similar_name("sigm", c("x", "sigma")), "sigma")
  expect_identical(similar_name("GENE1", c("gene2", "gene1")), "gene1")
  expect_null(similar_name("q", c("x", "y")))
  expect_null(similar_name("nosuch", character()))
  expect_null(similar_name("\xff\xfe", c("x", "y")))
})

test_that("one thing has one name in all exports", {
  space <- asNamespace("hitmiss")
  targets <- setdiff(callable_targets(), c("tidy", "glance"))
  arguments <- unique(unlist(lapply(targets, function(target) {
    names(formals(get(target, envir = space)))
  })))
  # `n` of features shown or of samples simulated, `class` whose features are
  # shown, `size` of a curve, `label` of features in pictures; `control` of
  # llfs() and kbfs() holds other things.
  expect_setequal(
    intersect(arguments, unlist(other_names)),
    c("n", "n_features", "class", "size", "label", "control")
  )
})

test_that("what looks for an assay takes one, and that of the fit by default", {
  for (verb in c(
    "llfs.default", "logo.default", "relief.default", "kbfs.default",
    "pwfp.default", "error_curve", "probe_fdr", "bayes_error",
    "reference_scores", "plot_heatmap"
  )) {
    expect_true(
      "assay" %in% names(formals(get(verb, asNamespace("hitmiss")))),
      info = verb
    )
  }
})

test_that("arguments that another one needs are named with it", {
  expect_refusal(kbfs(toy$x, toy$y, degree = 3), "degree")
  expect_refusal(kbfs(toy$x, toy$y, k = 3, max_pairs = 9), "k")
  expect_refusal(stability(list("a", c("a", "b"))), "n_features")
})

test_that("arguments that are missing are named", {
  skip_if_not_installed("ggplot2")
  refused(relief(Matrix::Matrix(toy$x, sparse = TRUE)), "`y`.* missing")
  refused(relief(as.data.frame(toy$x)), "`y`.* missing")
  refused(best_size(), "`curve`.* missing")
  refused(compare_selectors(), "`curve`.* missing")
  refused(plot_heatmap(toy$x, toy$y), "`features`.* missing")
  refused(selected(), "`x`.* missing")
  refused(plot_heatmap(y = toy$y, features = "x1"), "`x`.* missing")
  refused(relief(y = toy$y), "`x`.* missing")
  refused(probe_fdr(y = toy$y), "`x`.* missing")
  refused(audit_labels(), "`fit`.* missing")
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

test_that("what verbs set themselves cannot be handed on by their dots", {
  refused <- function(call, argument) {
    expect_input_error(call, paste0("`", argument, "` is not an argument of"))
  }
  through <- function(...) pwfp(toy$x, toy$y, ...)
  refused(llfs(toy$x, toy$y, missing = TRUE), "missing")
  refused(relief(toy$x, toy$y, missing = TRUE), "missing")
  refused(kbfs(toy$x, toy$y, complete = FALSE), "complete")
  refused(through(outcome = "numeric"), "outcome")
  data <- data.frame(toy$x, class = toy$y)
  refused(logo(class ~ ., data, complete = FALSE), "complete")
})

test_that("calls in an environment that is no function's end", {
  skip_if_not_installed("rlang")
  setTimeLimit(elapsed = 60)
  withr::defer(setTimeLimit())
  data <- rlang::new_data_mask(rlang::env(x = toy$x, y = toy$y))
  masked <- function(call) rlang::eval_tidy(call, data)
  for (call in list(quote(relief(x, y)), quote(hitmiss::llfs(x, y)))) {
    expect_s3_class(masked(call), "hitmiss")
  }
  expect_input_error(masked(quote(relief(x, y, missing = TRUE))), "`missing`")
  expect_input_error(masked(quote(relief(x, y, colour = 1))), "`colour`")
  skip_if_not_installed("dplyr")
  frame <- data.frame(class = toy$y)
  fits <- dplyr::summarise(frame, fit = list(relief(toy$x, class)))
  expect_s3_class(fits$fit[[1L]], "hitmiss")
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
