# Every function that users can call is in the table of valid calls, and leaves
# no trace in the session.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the table of valid calls covers every export and method", {
  skip_if_not_installed("ggplot2")
  # A package that recipes loads asks for it, which warns on machines without
  # one.
  withr::local_envvar(TZ = "UTC")
  tested <- vapply(valid_calls(), `[[`, "", "target")
  expect_identical(setdiff(callable_targets(), tested), character())
  expect_identical(setdiff(tested, callable_targets()), character())
})

test_that("no call changes the session", {
  skip_if_not_installed("callr")
  seen <- elsewhere(function(folder) {
    helpers <- testthat::test_env("hitmiss")
    testthat::source_test_helpers(folder, helpers)
    helpers$session_traces()
  }, list(normalizePath(".")))
  expect_identical(seen$fits$changed, character())
  expect_false(seen$fits$moved, label = "the fits move R's random stream")
  for (trace in seen$calls) {
    target <- trace$call$target
    expect_identical(trace$refused, trace$call$refused, info = target)
    expect_identical(trace$changed, character(), info = target)
    expect_identical(
      trace$moved, trace$call$random,
      info = paste(target, "and R's random stream")
    )
  }
})
