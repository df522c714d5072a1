# print() and summary() of fits.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("print takes n and digits, and shows what was selected only", {
  toy <- toy_data()
  fit <- logo(toy$x, toy$y, threads = 1)
  lines <- function(...) utils::capture.output(print(fit, ...))
  of_table <- function(lines) sum(grepl("^ *[0-9]+ +g[0-9]", lines))
  n <- length(selected(fit))
  expect_identical(of_table(lines(n = 100)), n)
  expect_identical(of_table(lines(n = 1)), 1L)
  if (n > 1L) {
    expect_match(lines(n = 1), sprintf("and %d more", n - 1L), all = FALSE)
  }
  expect_match(lines(n = 1, digits = 2),
    format(signif(top_features(fit, 1)$score, 2)), all = FALSE
  )
  expect_refusal(print(fit, n = 0), "n")
})

test_that("n = Inf takes all, wherever a number of the best is asked for", {
  toy <- toy_data(n = 20L)
  chosen <- logo(toy$x, toy$y, threads = 1)
  ranking <- relief(toy$x, toy$y, k = 3, threads = 1)
  of_table <- function(fit) {
    sum(grepl("^ *[0-9]+ +g[0-9]", utils::capture.output(print(fit, n = Inf))))
  }
  expect_identical(of_table(chosen), length(selected(chosen)))
  expect_identical(of_table(ranking), 8L)
  for (fit in list(chosen, ranking)) {
    expect_identical(top_features(fit, Inf), as.data.frame(fit))
    expect_identical(utils::head(fit, Inf), as.data.frame(fit))
    n <- length(selected(fit, Inf))
    expect_identical(selected(fit, Inf), selected(fit, 8))
    expect_identical(predict(fit, toy$x, n = Inf), predict(fit, toy$x, n = n))
    expect_identical(
      knowingly(validate(fit, toy$x, toy$y, n = Inf))$table,
      knowingly(validate(fit, toy$x, toy$y, n = n))$table
    )
    expect_identical(
      ncol(predict(fit, toy$x, type = "features", n = Inf)), n
    )
  }
  for (wrong in list(-Inf, NaN, NA, c(Inf, Inf), "Inf")) {
    expect_refusal(print(ranking, n = wrong), "n")
    expect_refusal(top_features(ranking, wrong), "n")
    expect_refusal(predict(ranking, toy$x, n = wrong), "n")
  }
})

test_that("print() names the method as the field does, and its setting", {
  toy <- toy_data(n = 20L)
  first_line <- function(...) utils::capture.output(print(...))[[1L]]
  expected <- list(
    "ReliefF, k = 3" = relief(toy$x, toy$y, k = 3, threads = 1),
    "Relief, k = 1" = relief(toy$x, toy$y, "relief", threads = 1),
    "M-Relief, k = 2" = relief(toy$x, toy$y, "map", k = 2, threads = 1),
    "I-Relief, sigma = 2" = relief(toy$x, toy$y, "irelief", threads = 1),
    "P-Relief, bandwidth = 0.1" =
      relief(toy$x, toy$y, "parzen", bandwidth = 0.1, threads = 1),
    "LOGO, sigma = 2, lambda = 0.5" =
      logo(toy$x, toy$y, lambda = 0.5, threads = 1),
    "BFS, n = 5" = kbfs(toy$x, toy$y, n = 5, threads = 1),
    "BFS, lambda = 3" = kbfs(toy$x, toy$y, lambda = 3, threads = 1),
    "semi-BFS, n = 5" =
      kbfs(toy$x, toy$y, n = 5, manifold = 0.1, threads = 1),
    "PWFP, fraction = 0.25" = pwfp(toy$x, toy$y, fraction = 0.25, threads = 1),
    "PWFP, fraction = 0.1, by ratio" = pwfp(toy$x, toy$y, preset = "paper"),
    "LLFS, alpha = 2, vote by spheres" =
      llfs(toy$x, toy$y, alpha = 2, vote = "spheres", threads = 1),
    "LLFS, alpha = 1 to 3, vote by spheres" =
      llfs(toy$x, toy$y, alpha = 1:3, vote = "spheres", threads = 1)
  )
  for (start in names(expected)) {
    expect_identical(first_line(expected[[start]]), start)
  }
})

test_that("nothing that a fit prints is wider than the page", {
  toy <- toy_data(n = 20L, classes = c("a long name of a class", "another one"))
  withr::local_options(width = 60)
  for (name in names(selectors)) {
    fit <- muffle(fit_seeded(selectors[[name]], toy$x, toy$y), small_data)
    expect_lte(max(nchar(utils::capture.output(print(summary(fit))))), 60)
  }
})

test_that("summary() names a solver only where there is one", {
  toy <- toy_data(n = 20L)
  for (name in names(selectors)) {
    fit <- muffle(fit_seeded(selectors[[name]], toy$x, toy$y), small_data)
    said <- any(grepl("^Solver:", utils::capture.output(summary(fit))))
    direct <- name %in% c(
      "relief relieff", "relief relief", "relief map", "relief parzen",
      "relief multisurf", "pwfp"
    )
    expect_identical(said, !direct, info = name)
  }
})

test_that("a class of one or two samples has none of the best features", {
  x <- matrix(withr::with_seed(1, rnorm(600)), 30)
  colnames(x) <- paste0("g", 1:20)
  y <- rep(c("a", "b", "c", "rare"), c(10, 10, 8, 2))
  fit <- muffle(relief(x, y, threads = 1), small_data)
  expect_output(print(fit), "by class: a [0-9]+, b [0-9]+, c [0-9]+, rare 0")
})
