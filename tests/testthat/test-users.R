# Functions that users give: how they are called and what is said if they fail.
# SPDX-License-Identifier: GPL-3.0-or-later

small <- withr::with_seed(4,
  simulate_microarray(samples = c(10, 10), genes = 30)
)

test_that("objects missing on other processes: how to hand them over", {
  said <- "object 'thr' not found"
  words <- handing_over(said, elsewhere = TRUE)
  expect_match(words, "{.fn force}", fixed = TRUE, all = FALSE)
  expect_null(handing_over(said, elsewhere = FALSE))
  expect_null(handing_over("no convergence", elsewhere = TRUE))
  skip_on_cran()
  skip_if_not_installed("BiocParallel")
  withr::local_envvar(
    R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
  )
  data <- edge_data()
  # As written at the prompt: its environment stays behind.
  bare <- function(x, y) abs(colMeans(x)) * not_sent_along
  environment(bare) <- globalenv()
  run <- function(selector) {
    edge_curve(data, list(a = selector), 2,
      resampling = holdout(2), BPPARAM = BiocParallel::SnowParam(2)
    )
  }
  expect_error(run(bare),
    "'not_sent_along' not found.*BPPARAM.*`force\\(\\)`",
    class = "hitmiss_error_failed"
  )
  make <- function(cutoff) {
    force(cutoff)
    function(x, y) abs(colMeans(x)) * cutoff
  }
  expect_false(anyNA(run(make(3))$results$value))
})

test_that("a fit in place of a selector is told apart", {
  data <- edge_data()
  fit <- relief(data$x, data$y, k = 3, threads = 1)
  for (selectors in list(fit, list(relief = fit))) {
    expect_input_error(
      edge_curve(data, selectors, 2), "give the selector function"
    )
  }
})

test_that("a single selector is named as it was written", {
  expect_identical(written_name(quote(relief)), "relief")
  expect_identical(written_name(quote(hitmiss::relief)), "relief")
  expect_identical(written_name(quote(mine$relief)), "relief")
  expect_identical(written_name(quote(tuned(relief, k = 3))), "tuned")
  expect_identical(written_name(quote(hitmiss::tuned(relief))), "tuned")
  expect_identical(written_name(quote(function(x, y) 1)), "selector")
  expect_identical(written_name(sum), "selector")
})

test_that("a selector that is no selector stops its evaluation", {
  fine <- function(x, y) reference_scores(x, y, "fisher")
  # Odd only where probes are appended.
  odd <- function(x, y) if (ncol(x) > 30L) 1:2 else fine(x, y)
  refused(
    probe_fdr(small$x, small$y, odd, times = 2),
    "an integer vector of length 2", "hitmiss_error_selector"
  )
  refused(
    error_curve(small$x, small$y, function(x, y) 1:2, 2),
    "an integer vector of length 2", "hitmiss_error_selector"
  )
})

test_that("a selector's own error has a class and names the argument", {
  toy <- withr::with_seed(2, simulate_microarray(c(8, 8), 20, relevant = 3))
  broken <- function(x, y) stop("no convergence {x}")
  for (call in list(
    function() probe_fdr(toy$x, toy$y, broken, times = 2),
    function() turf(toy$x, toy$y, broken)
  )) {
    error <- expect_error(call(), class = "hitmiss_error_failed")
    expect_identical(error$arg, "selector")
    expect_match(conditionMessage(error), "`selector` failed: no convergence")
    expect_s3_class(error$parent, "simpleError")
  }
})

test_that("the end of memory ends an evaluation, and is no bad combination", {
  toy <- withr::with_seed(2, simulate_microarray(c(8, 8), 20, relevant = 3))
  full <- function(x, y, k = 1) stop("cannot allocate vector of size 9.0 Gb")
  best <- tuned(full, k = 1:2)
  expect_error(best(toy$x, toy$y), class = "hitmiss_error_memory")
})

test_that("a selector's own refusal by this package stays as it is", {
  toy <- toy_data()
  expect_input_error(turf(toy$x, toy$y, \(x, y) relief(x, y, k = -1)), "`k`")
})

test_that("no evaluation of pairs takes a selector with a preparation", {
  data <- toy_data(n = 24L)
  pair <- rep(1:12, 2)
  prepared <- tuned(relief, prepare = prepare_impute())
  expect_refusal(probe_fdr(data$x, data$y, prepared, pair = pair), "pair")
  ask <- \(verb) verb(data$x, data$y, list(p = prepared), pair = pair)
  expect_refusal(ask(error_curve), "pair")
  expect_refusal(ask(selector_power), "pair")
  expect_refusal(error_curve(
    data$x, data$y, relief, pair = pair, prepare = prepare_impute()
  ), "pair")
})
