# Checkers return the normalised value or stop with the argument's name.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("numbers and counts", {
  gamma <- 2L
  expect_identical(check_number(gamma), 2)
  expect_identical(check_count(3), 3L)
  expect_identical(check_count(0, min = 0), 0L)
  gamma <- 0
  expect_refusal(check_number(gamma, above = 0), "gamma")
  expect_refusal(check_number(gamma, min = 1, max = 2), "gamma")
  expect_refusal(check_number(gamma, min = 1), "gamma")
  expect_refusal(check_number(TRUE, "flag"), "flag")
  expect_refusal(check_number(NA_real_, "number"), "number")
  expect_refusal(check_count(1e10, "count"), "count")
  expect_refusal(check_count(1.5, "count"), "count")
  expect_refusal(check_count(factor(1), "count"), "count")
  expect_refusal(check_count(21, "count", max = 20), "count")
})

test_that("flags, choices and control lists", {
  expect_true(check_flag(c(a = TRUE)))
  expect_refusal(check_flag(1, "flag"), "flag")
  expect_refusal(check_flag(c(TRUE, FALSE), "flag"), "flag")
  choices <- c("one", "two")
  expect_identical(check_choice(choices, choices), "one")
  expect_identical(check_choice("two", choices), "two")
  expect_refusal(check_choice("tw", choices, "choice"), "choice")
  expect_refusal(check_choice(NULL, choices, "choice"), "choice")
  defaults <- list(tol = 1, draws = 2)
  expect_identical(check_control(list(), defaults), defaults)
  expect_identical(
    check_control(list(draws = 5), defaults), list(tol = 1, draws = 5)
  )
  expect_refusal(check_control(list(tol = 1, tol = 2), defaults), "control")
})

test_that("whatever was given is named", {
  refused(kfold(NA_character_), "not NA")
  refused(kfold(globalenv()), "an object of class environment")
  refused(kfold(quote(k)), "an object of class name")
})
