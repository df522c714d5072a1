# What is no fit, and what was stored by another version, is refused; what was
# edited by hand does not end R.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- withr::with_seed(4, simulate_localized(samples = c(6, 6, 8), noise = 8))
fits <- list(
  llfs = suppressWarnings(llfs(toy$x, toy$y, alpha = 2)),
  relief = relief(toy$x, toy$y, k = 3)
)

verbs <- list(
  function(x) print(x), summary, stats::coef, selected, top_features,
  as.data.frame, generics::tidy, generics::glance,
  function(x) stats::predict(x, toy$x)
)

test_that("a fit of another version is refused by its version", {
  for (fit in fits) {
    expect_identical(check_fit(fit), fit)
    for (verb in verbs) {
      fit$version <- "0.2.0"
      expect_input_error(verb(fit), "hitmiss 0.2.0")
      fit$version <- NULL
      expect_input_error(verb(fit), "unknown")
      fit$version <- "0.3.1"
      expect_no_error(suppressMessages(utils::capture.output(
        if (is_ranker(fit) && identical(verb, selected)) 1 else verb(fit)
      )))
    }
  }
})

test_that("what lacks the fields of a fit is refused, by their names", {
  for (fit in fits) {
    for (field in c("scores", "ranking", "preprocess")) {
      damaged <- fit
      damaged[[field]] <- NULL
      error <- expect_input_error(print(damaged))
      expect_identical(error$fields, field)
    }
  }
  for (part in list(list(), 1, "a fit", list(scores = c(a = 1)))) {
    fake <- structure(part, class = class(fits$relief))
    for (verb in verbs) expect_input_error(verb(fake))
  }
})

test_that("labels, lengths and numbers that the core cannot use are errors", {
  data <- toy_data(n = 20L, noise = 10L)
  x <- data$x
  f <- suppressWarnings(llfs(x, data$y, alpha = 3, threads = 1))
  r <- relief(x, data$y, k = 3, threads = 1)
  numeric <- relief(x, x[, 1], "rrelieff", k = 3, threads = 1)
  broken <- function(fit, path, edit) {
    fit[[path]] <- edit(fit[[path]])
    expect_error(suppressWarnings(stats::predict(fit, x, threads = 1)))
  }
  first <- function(value) function(v) replace(v, 1L, value)
  broken(f, c("local", "class"), first(NA))
  broken(f, c("local", "radius"), first(NaN))
  broken(f, c("local", "evidence"), first(NaN))
  broken(f, c("local", "evidence"), function(v) v[-1L])
  broken(f, c("local", "cell"), first(2L))
  broken(f, c("local", "intercept"), function(v) v[-1L])
  broken(f, c("local", "training"), first(NaN))
  broken(f, c("local", "features"), first(99L))
  broken(f, c("local", "offsets"), first(5L))
  broken(r, c("training", "y"), first(NA))
  broken(r, c("training", "values"), function(v) v[0L, , drop = FALSE])
  broken(r, c("training", "values"), first(NaN))
  broken(r, c("training", "values"), as.vector)
  broken(r, c("preprocess", "scale"), function(v) v * 0)
  broken(r, c("preprocess", "center"), function(v) v * NA)
  broken(numeric, c("training", "y"), first(NaN))
})
