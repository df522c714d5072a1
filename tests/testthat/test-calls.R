# Every function that users can call is in the table of valid calls, and leaves
# no trace in the session.
# SPDX-License-Identifier: GPL-3.0-or-later

test_that("the table of valid calls covers every export and method", {
  skip_if_not_installed("ggplot2")
  tested <- vapply(valid_calls(), `[[`, "", "target")
  expect_identical(setdiff(callable_targets(), tested), character())
  expect_identical(setdiff(tested, callable_targets()), character())
})

# All that a call could leave behind, but the random stream.
session_state <- function() {
  list(
    options = options(), kind = RNGkind(), locale = Sys.getlocale(),
    folder = getwd(), files = list.files(all.files = TRUE),
    devices = grDevices::dev.list(), device = grDevices::dev.cur(),
    variables = Sys.getenv(), search = search(),
    globals = setdiff(ls(globalenv(), all.names = TRUE), ".Random.seed"),
    # Not showConnections(), which collects garbage each time.
    connections = getAllConnections(), digits = getOption("digits")
  )
}

test_that("no call changes the session", {
  withr::local_dir(withr::local_tempdir())
  # Where plots may be drawn.
  grDevices::pdf(NULL)
  withr::defer(grDevices::dev.off())
  withr::local_seed(1)
  for (call in valid_calls()) {
    perform_once <- function() {
      before <- session_state()
      stream <- .Random.seed
      try(suppressWarnings(capture.output(perform(call))), silent = TRUE)
      list(
        before = before, after = session_state(),
        moved = !identical(.Random.seed, stream)
      )
    }
    seen <- perform_once()
    # What loading packages sets is not the call's doing: the second time counts.
    if (!identical(seen$before, seen$after)) seen <- perform_once()
    for (part in names(seen$before)) {
      expect_identical(
        seen$after[[part]], seen$before[[part]],
        info = paste(call$target, "changed", part)
      )
    }
    expect_identical(
      seen$moved, call$random,
      info = paste(call$target, "and R's random stream")
    )
  }
})
