# SPDX-License-Identifier: GPL-3.0-or-later

fits <- function(x, y) {
  suppressWarnings(c(
    list(logo = logo(x, y, threads = 2)),
    lapply(
      c(
        relieff = "relieff", relief = "relief", irelief = "irelief",
        map = "map", parzen = "parzen"
      ),
      function(method) relief(x, y, method, threads = 2)
    )
  ))
}

array <- local({
  set.seed(5)
  simulate_microarray(samples = c(15, 22, 30), genes = 600)
})

test_that("every instruction set gives the same answer but for rounding", {
  old <- options(hitmiss.simd = "baseline")
  on.exit(options(old))
  expected <- fits(array$x, array$y)
  for (path in setdiff(cpp_simd_levels(), "baseline")) {
    options(hitmiss.simd = path)
    found <- fits(array$x, array$y)
    for (method in names(expected)) {
      expect_equal(coef(found[[method]]), coef(expected[[method]]),
        tolerance = 1e-10, info = paste(path, method)
      )
      expect_setequal(found[[method]]$selected, expected[[method]]$selected)
    }
  }
  options(hitmiss.simd = "mmx")
  expect_input_error(relief(array$x, array$y))
})
