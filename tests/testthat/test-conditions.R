# Conditions: classes, fields, calls, wording.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("an error carries its class, argument, place and call", {
  error <- tryCatch(
    llfs(matrix(c(1, NA), 2), c("a", "b")),
    error = identity
  )
  expect_s3_class(
    error, c("hitmiss_error_input", "hitmiss_error", "error", "condition"),
    exact = TRUE
  )
  expect_identical(error$arg, "x")
  expect_identical(conditionCall(error), quote(llfs()))
  qualified <- tryCatch(hitmiss::llfs(1), error = identity)
  expect_identical(conditionCall(qualified), quote(llfs()))
})

test_that("braces and percent signs in data do no harm", {
  x <- matrix(1:4, 2, dimnames = list(NULL, c("{x}", "50%")))
  error <- expect_input_error(llfs(cbind(x, x), c("a", "b")))
  expect_match(conditionMessage(error), "{x}", fixed = TRUE)
  expect_match(conditionMessage(error), "50%", fixed = TRUE)
  error <- expect_input_error(
    llfs(x, c("{stop('evaluated')}", "{stop('evaluated')}"))
  )
  expect_match(conditionMessage(error), "{stop('evaluated')}", fixed = TRUE)
})

test_that("warnings have a class of the package", {
  warning <- expect_warning(warn("a {.val word}", "hitmiss_warning_single"))
  expect_s3_class(warning, "hitmiss_warning")
  expect_identical(conditionMessage(warning), "a \"word\"")
})
