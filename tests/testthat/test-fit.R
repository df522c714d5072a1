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
      fit$version <- "0.3.0"
      expect_input_error(verb(fit), "hitmiss 0.3.0")
      fit$version <- NULL
      expect_input_error(verb(fit), "unknown")
      fit$version <- "0.4.1"
      expect_no_error(suppressMessages(utils::capture.output(
        if (is_ranker(fit) && identical(verb, selected)) 1 else verb(fit)
      )))
    }
  }
})

# As an earlier version saved it.
aged <- function(object, version = "0.3.0") {
  if (inherits(object, "hitmiss_result")) {
    attr(object, "info")$version <- version
  } else if (inherits(object, "hitmiss_curve")) {
    object["version"] <- list(version)
  } else if (inherits(object, "hitmiss_tuned")) {
    environment(object)$tuning["version"] <- list(version)
    attr(object, "tuning")["version"] <- list(version)
  } else {
    attr(object, "version") <- version
  }
  object
}

test_that("whatever can be saved is refused by its version", {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  saved <- results()
  for (version in list("0.3.0", NULL, "a", NA_character_)) {
    for (object in saved) {
      old <- aged(object, version)
      for (verb in list(
        print, generics::glance, function(x) x$q, function(x) x$frequency
      )) {
        expect_input_error(verb(old), "a result of hitmiss .*make it again")
      }
    }
    expect_input_error(selected(aged(made$fdr, version)), "make it again")
    expect_input_error(
      selected(aged(made$stability, version)), "make it again"
    )
  }
  # Results were lists once.
  list <- structure(list(feature = "g1", q = 0.01), class = "hitmiss_fdr")
  expect_input_error(selected(list), "unknown")
  curve <- aged(made$curve)
  for (verb in list(
    print, summary, generics::glance, generics::tidy, as.data.frame, best_size,
    compare_selectors, stability, validate,
    function(x) write_report(fits$relief, file = tempfile(), curve = x),
    function(x) {
      print(structure(list(curve = x), class = class(summary(made$curve))))
    }
  )) {
    expect_input_error(verb(curve), "a curve of hitmiss 0.3.0")
  }
  expect_input_error(print(aged(kfold(5))), "a plan of hitmiss 0.3.0")
  expect_input_error(
    error_curve(data$x, data$y, relief, 2, resampling = aged(kfold(5))),
    "a plan of hitmiss 0.3.0"
  )
  expect_input_error(print(aged(prepare_impute())), "a step of hitmiss 0.3.0")
  expect_input_error(
    error_curve(
      data$x, data$y, relief, 2, prepare = list(aged(prepare_filter()))
    ), "a step of hitmiss 0.3.0"
  )
  tune <- aged(tuned(relief, k = 1:2))
  expect_input_error(print(tune), "a selector of hitmiss 0.3.0")
  expect_input_error(tune(data$x, data$y), "a selector of hitmiss 0.3.0")
  old <- fits$llfs
  old$version <- "0.3.0"
  expect_input_error(stability(list(old, fits$llfs)), "a fit of hitmiss 0.3.0")
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    expect_input_error(plot(curve), "a curve of hitmiss 0.3.0")
    expect_input_error(plot(aged(made$fdr)), "a result of hitmiss 0.3.0")
  }
})

# Versions without Surv wrote times and events as a matrix.
test_that("survival times in an old form are refused, in fits and curves", {
  x <- toy$x
  n <- nrow(x)
  y <- survival::Surv(seq_len(n), rep(TRUE, n))
  fit <- relief(x, y, threads = 1)
  fit$training$y <- cbind(time = seq_len(n), event = TRUE)
  for (verb in verbs) expect_input_error(verb(fit), "earlier.* fit it again")
  selector <- list(a = function(x, y) colnames(x)[1:3])
  curve <- withr::with_seed(1, error_curve(
    x, y, selector, 2, resampling = kfold(2), keep = TRUE
  )) |> suppressWarnings()
  expect_s3_class(curve, "hitmiss_curve")
  curve$study$outcomes <- fit$training$y
  for (verb in c(list(
    print, summary, generics::glance, generics::tidy, as.data.frame, best_size,
    compare_selectors, stability, validate
  ), if (requireNamespace("ggplot2", quietly = TRUE)) plot)) {
    expect_input_error(verb(curve), "earlier.* run it again with this version")
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
  broken(f, c("local", "slopes"), first(NaN))
  broken(f, c("local", "slopes"), function(v) v[-1L, ])
  broken(f, c("local", "learners"), first(99L))
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
