# SPDX-License-Identifier: GPL-3.0-or-later

fits <- function(x, y, threads) {
  suppressWarnings(c(
    list(logo = logo(x, y, threads = threads)),
    lapply(
      c(
        relieff = "relieff", relief = "relief", irelief = "irelief",
        map = "map", parzen = "parzen"
      ),
      function(method) relief(x, y, method, threads = threads)
    )
  ))
}
comparable <- function(fit) {
  fit$report[c("seconds", "threads")] <- NULL
  fit$call <- NULL
  fit
}
array <- local({
  set.seed(5)
  simulate_microarray(samples = c(15, 22, 30), genes = 600)
})

test_that("any number of threads gives the same bits", {
  one <- lapply(fits(array$x, array$y, 1), comparable)
  for (threads in local_thread_counts()) {
    several <- fits(array$x, array$y, threads)
    for (fit in several) expect_identical(fit$report$threads, threads)
    expect_identical(lapply(several, comparable), one)
  }
})

test_that("every instruction set gives the same answer but for rounding", {
  old <- options(hitmiss.simd = "baseline")
  on.exit(options(old))
  expected <- fits(array$x, array$y, 1)
  for (path in setdiff(cpp_simd_levels(), "baseline")) {
    options(hitmiss.simd = path)
    found <- fits(array$x, array$y, 1)
    for (method in names(expected)) {
      expect_equal(coef(found[[method]]), coef(expected[[method]]),
        tolerance = 1e-10, info = paste(path, method)
      )
      expect_setequal(found[[method]]$selected, expected[[method]]$selected)
    }
  }
  options(hitmiss.simd = "mmx")
  expect_error(relief(array$x, array$y), class = "hitmiss_error_input")
})

test_that("permuting features permutes the scores, samples change nothing", {
  set.seed(6)
  x <- round(array$x[, 1:80])
  by_feature <- sample(ncol(x))
  for (method in c("relieff", "parzen")) {
    plain <- coef(relief(x, array$y, method, threads = 1))
    expect_equal(
      coef(relief(x[, by_feature], array$y, method, threads = 1)),
      plain[by_feature],
      tolerance = 1e-12
    )
  }
  plain <- coef(logo(array$x, array$y, threads = 1))
  by_sample <- sample(nrow(array$x))
  expect_equal(
    coef(logo(array$x[by_sample, ], array$y[by_sample], threads = 1)), plain,
    tolerance = 1e-8
  )
})

test_that("no random number is used up", {
  set.seed(1)
  before <- .Random.seed
  fits(array$x[, 1:30], array$y, 1)
  expect_identical(.Random.seed, before)
})
