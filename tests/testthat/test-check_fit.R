# What merely has the class of a fit, and what was edited by hand, is refused by
# every method, by the names of the fields at fault.
# SPDX-License-Identifier: GPL-3.0-or-later

toy <- withr::with_seed(4, simulate_localized(n = c(6, 6, 8), noise = 8))
whole <- list(
  llfs = suppressWarnings(llfs(toy$x, toy$y, alpha = 2)),
  relief = relief(toy$x, toy$y, k = 3)
)

refused_fields <- function(object, verb = check_whole) {
  expect_error(verb(object), class = "hitmiss_error_input")$fields
}

test_that("whole fits pass as they are, whatever the arguments and the data", {
  for (fit in whole) expect_identical(check_whole(fit), fit)
  data <- toy_data(n = 21L, noise = 10L, classes = c("a", "b", "c"))
  y <- data$y
  partly <- replace(y, c(3, 8), NA)
  constant <- data$x
  constant[, 3:4] <- 1
  xs <- list(
    plain = data$x, ties = round(data$x), binary = (data$x > 0) + 0L,
    sparse = Matrix::Matrix(data$x * (data$x > 1), sparse = TRUE),
    constant = constant, large = data$x * 2^400
  )
  settings <- list(
    \(x) llfs(x, y, alpha = 2.5, gamma = 3, parsimony = 0.2, polish = TRUE),
    \(x) llfs(x, y, alpha = "auto", vote = "evidence", scale = "range"),
    \(x) llfs(x, y, alpha = 40, beta = c(0, 1), prune = 5),
    \(x) logo(x, y, sigma = 0.5, lambda = 10, init = "one"),
    \(x) logo(x, y, lambda = 1e4),
    \(x) relief(x, y, k = 1, weighting = "prior", scale = "zscore"),
    \(x) relief(x, y, method = "map", metric = "euclidean"),
    \(x) relief(x, y, method = "irelief"),
    \(x) relief(
      x, y, method = "multisurf", block = rep(1:2, length.out = length(y))
    ),
    \(x) relief(x, y, method = "surfstar", samples = 6),
    \(x) relief(x, y, method = "parzen", self = TRUE, bandwidth = 2),
    \(x) kbfs(x, y, n_features = 3, rank_by = "entry"),
    \(x) kbfs(x, y, lambda = 1e9),
    \(x) kbfs(x, y, kernel = "polynomial", redundancy = 0.3),
    \(x) kbfs(x, partly, manifold = 0.1), \(x) kbfs(x, partly),
    \(x) pwfp(x, y), \(x) pwfp(x, y, fraction = 1)
  )
  for (x in xs) {
    for (setting in settings) expect_silent(check_whole(
      suppressWarnings(setting(x))
    ))
  }
})

test_that("what fits stored by 0.1.0 hold is whole", {
  saved <- readRDS(test_path("fixtures", "fits-0.1.0.rds"))
  for (fit in saved$fits) expect_silent(check_whole(fit))
})

test_that("every field that is missing or of the wrong kind is named", {
  may_lack <- c("class_means", "annotation", "dropped", "assay", "call")
  for (fit in whole) {
    for (field in setdiff(names(fit), may_lack)) {
      for (wrong in list(NULL, NA, 1 + 2i, quote(one))) {
        damaged <- fit
        damaged[[field]] <- wrong
        expect_true(
          any(startsWith(refused_fields(damaged), field)), info = field
        )
      }
    }
    for (field in may_lack) {
      damaged <- fit
      damaged[[field]] <- 1 + 2i
      expect_identical(refused_fields(damaged), field)
    }
  }
})

test_that("fields that do not fit each other are found", {
  fit <- whole$relief
  damaged <- function(field, value) {
    fit[[field]] <- value
    refused_fields(fit)
  }
  expect_identical(damaged("ranking", rev(fit$ranking)[-1L]), "ranking")
  expect_identical(damaged("ranking", fit$ranking + 1L), "ranking")
  expect_true("ranking" %in% damaged("ranking", rev(fit$ranking)))
  expect_true("n_features" %in% damaged("n_features", 3L))
  expect_true("classes" %in% damaged("classes", rev(fit$classes)))
  expect_true("weights" %in% damaged("weights", rev(fit$weights)))
  expect_true("selected" %in% damaged("selected", fit$selected[-1L]))
  expect_true(all(
    c("scores", "ranking") %in% damaged("scores", replace(fit$scores, 1L, -9))
  ))
})

test_that("a score set to 0 by hand is refused, and says what is supported", {
  for (fit in whole) {
    fit$scores[names(fit$scores)[fit$ranking[[1L]]]] <- 0
    for (verb in list(
      \(f) stats::predict(f, toy$x), print, summary, generics::tidy,
      top_features
    )) {
      expect_true("scores" %in% refused_fields(fit, verb))
      expect_error(verb(fit), "drop_features", class = "hitmiss_error_input")
    }
  }
})

test_that("a row of subsets that is set by hand is refused", {
  fit <- whole$llfs
  unused <- which(fit$scores == 0)[[1L]]
  fit$local$subsets[unused, ] <- TRUE
  expect_true(
    "local$subsets" %in% refused_fields(fit, \(f) stats::predict(f, toy$x))
  )
})

test_that("edited results of evaluations are refused by every verb of theirs", {
  data <- toy_data()
  made <- evaluation_objects(data$x, data$y)
  # Scores have attributes, see test-scores.R.
  others <- c("selectors", "summary", "size", "comparison", "scores")
  for (name in setdiff(names(made), others)) {
    object <- made[[name]]
    may_lack <- c(
      "call", "chosen", "chosen_summary", "predictions", "tuned", "tune",
      "nested", "resampling", "assay", "fit", "k", "train"
    )
    for (field in setdiff(names(object), may_lack)) {
      damaged <- object
      damaged[[field]] <- quote(one)
      expect_true(
        field %in% refused_fields(damaged, print), info = paste(name, field)
      )
      expect_error(generics::glance(damaged), class = "hitmiss_error_input")
    }
  }
  curve <- made$curve
  curve$summary$mean[[1L]] <- 0.99
  for (verb in list(print, summary, generics::tidy, best_size, stability)) {
    expect_true("summary" %in% refused_fields(curve, verb))
  }
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

test_that("labels, lengths that the core cannot use are errors, not R's end", {
  data <- toy_data(n = 20L, noise = 10L)
  x <- data$x
  f <- suppressWarnings(llfs(x, data$y, alpha = 3, threads = 1))
  r <- relief(x, data$y, k = 3, threads = 1)
  broken <- function(fit, edit) {
    fit <- edit(fit)
    expect_error(
      suppressWarnings(stats::predict(fit, x, threads = 1)),
      class = "hitmiss_error_input"
    )
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
