# Where the scratch file cannot be: the error names directory, size and option.
# SPDX-License-Identifier: GPL-3.0-or-later

# What the fit says to 320 KB of blocks in a session that may not write files of
# 100 KB; `before` runs first there.
fit_without_room <- function(before) {
  script <- withr::local_tempfile(fileext = ".R", lines = c(
    "suppressPackageStartupMessages(library(DelayedArray))",
    "options(hitmiss.realise_memory = 0, width = 1000)",
    "y <- rep(c('a', 'b'), 10)",
    "x <- DelayedArray(matrix(as.double(1:40000 %% 97), 20))",
    before,
    "e <- tryCatch(hitmiss::relief(x, y, k = 3), error = identity)",
    "cat(class(e)[[1]], conditionMessage(e), sep = '\\n')"
  ))
  withr::local_envvar(
    R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
  )
  rscript <- shQuote(file.path(R.home("bin"), "Rscript"))
  # Beyond the limit a write fails as on a full disk, where the signal is off.
  limit <- "trap '' XFSZ; ulimit -f 200;"
  system2("sh", c("-c", shQuote(paste(limit, rscript, shQuote(script)))),
    stdout = TRUE, stderr = FALSE
  )
}

test_that("a scratch file without room is said with directory, size, option", {
  skip_on_cran()
  skip_on_os(c("windows", "mac"))
  skip_if_not_installed("DelayedArray")
  skip_if_not(cpp_scratch_obstacle(tempdir(), 1e6) == "")
  here <- withr::local_tempdir()
  said <- fit_without_room(
    sprintf("options(hitmiss.scratch_dir = '%s')", here)
  )
  expect_identical(said[[1L]], "hitmiss_error_scratch")
  expect_match(said[[2L]], "the scratch file cannot be used: ")
  expect_match(said[[3L]], "312 KB", fixed = TRUE)
  expect_match(said[[3L]], here, fixed = TRUE)
  expect_match(
    said[[3L]], "chosen by `options(hitmiss.scratch_dir)`",
    fixed = TRUE
  )
})

test_that("a temporary directory that is gone is said as that", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("DelayedArray")
  said <- fit_without_room("unlink(tempdir(), recursive = TRUE)")
  expect_identical(said[[1L]], "hitmiss_error_scratch")
  expect_match(said[[2L]], "this session's temporary directory, is gone")
  expect_match(said[[2L]], "312 KB", fixed = TRUE)
  expect_match(said[[3L]], "options(hitmiss.scratch_dir = )", fixed = TRUE)
})
