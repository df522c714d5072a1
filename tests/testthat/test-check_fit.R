# What merely has the class of a fit is refused by every method, by the name of
# what it lacks.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- simulate_localized(n = c(6, 6, 8), noise = 4)
whole <- list(
  llfs = suppressWarnings(llfs(toy$x, toy$y, alpha = 2)),
  relief = relief(toy$x, toy$y, k = 3)
)

test_that("whole fits pass as they are", {
  for (fit in whole) expect_identical(check_fit(fit), fit)
})

test_that("every field that is missing or of the wrong kind is named", {
  for (fit in whole) {
    for (field in names(fit_fields)) {
      # LLFS keeps its samples in `local`, the others theirs in `training`.
      if (field == if (inherits(fit, "hitmiss_llfs")) "training" else "local") next
      for (wrong in list(NULL, NA, 1 + 2i, quote(one))) {
        # Fits of 0.1.0 have no class means.
        if (field == "class_means" && is.null(wrong)) next
        damaged <- fit
        damaged[[field]] <- wrong
        error <- expect_error(check_fit(damaged), class = "hitmiss_error_input")
        expect_true(field %in% error$fields)
        expect_match(conditionMessage(error), field)
      }
    }
  }
})

test_that("fields that do not fit each other are found", {
  fit <- whole$relief
  damaged <- function(field, value) {
    fit[[field]] <- value
    expect_error(check_fit(fit), class = "hitmiss_error_input")$fields
  }
  expect_identical(damaged("ranking", rev(fit$ranking)[-1L]), "ranking")
  expect_identical(damaged("ranking", fit$ranking + 1L), "ranking")
  expect_identical(damaged("n_features", 3L), "n_features")
  expect_identical(damaged("classes", "one"), c("classes", "class_means"))
  expect_identical(
    damaged("preprocess", lapply(fit$preprocess, utils::head, 1L)), "preprocess"
  )
})

test_that("methods refuse what only has the class", {
  for (part in list(list(), 1, "a fit", list(scores = c(a = 1)))) {
    fake <- structure(part, class = class(whole$relief))
    for (method in list(
      function(x) print(x), summary, stats::coef, selected, top_features,
      as.data.frame, generics::tidy, generics::glance,
      function(x) stats::predict(x, toy$x)
    )) {
      expect_error(method(fake), class = "hitmiss_error_input")
    }
  }
})

test_that("labels and lengths that the core cannot use are errors, and do not end R", {
  data <- toy_data(n = 20L, noise = 10L)
  x <- data$x
  f <- suppressWarnings(llfs(x, data$y, alpha = 3, threads = 1))
  r <- relief(x, data$y, k = 3, threads = 1)
  broken <- function(fit, edit) {
    fit <- edit(fit)
    expect_error(suppressWarnings(stats::predict(fit, x, threads = 1)))
  }
  broken(f, function(f) {
    f$local$class[1L] <- NA
    f
  })
  broken(f, function(f) {
    f$local$radius <- f$local$radius[-1L]
    f
  })
  broken(r, function(r) {
    r$training$y[1L] <- NA
    r
  })
  broken(r, function(r) {
    r$training$values <- r$training$values[0L, , drop = FALSE]
    r
  })
})
