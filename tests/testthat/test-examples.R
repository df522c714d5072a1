# The C++ programs of inst/examples, built from the installed package, say what
# R says.
# SPDX-License-Identifier: GPL-3.0-or-later

skip_on_cran()
skip_if(Sys.which("cmake") == "", "there is no cmake")
skip_if(Sys.which("c++") == "", "there is no C++ compiler")

# All programs, in a folder that goes with `frame`.
build_examples <- function(frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  source <- system.file("examples", package = "hitmiss")
  cmake <- function(...) {
    # The package that is tested, also where another one is installed.
    said <- withr::with_envvar(
      c(R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)),
      suppressWarnings(system2(
        "cmake", shQuote(c(...)), stdout = TRUE, stderr = TRUE
      ))
    )
    if (!is.null(attr(said, "status"))) stop(paste(said, collapse = "\n"))
  }
  cmake("-S", source, "-B", folder)
  cmake("--build", folder)
  folder
}

run_example <- function(folder, program, ...) {
  given <- if (...length() > 0L) shQuote(c(...)) else character()
  suppressWarnings(
    system2(file.path(folder, program), given, stdout = TRUE, stderr = TRUE)
  )
}

write_samples <- function(x, y, file) {
  lines <- apply(
    x, 1, \(row) paste(format(row, digits = 17, trim = TRUE), collapse = " ")
  )
  writeLines(paste(as.integer(y) - 1L, lines), file)
}

test_that("the programs print the same selection as R, and say what is wrong", {
  folder <- build_examples()
  data <- toy_data(n = 40L, noise = 60L)
  file <- withr::local_tempfile()
  write_samples(data$x, data$y, file)

  fit <- relief(data$x, data$y, k = 10, threads = 1)
  said <- utils::read.table(text = run_example(folder, "relieff", file))
  expect_identical(said[[1L]], fit$ranking)
  expect_identical(said[[2L]], unname(fit$scores[fit$ranking]))

  fit <- withr::with_seed(7, llfs(data$x, data$y, alpha = 3, threads = 1))
  key <- withr::with_seed(7, hitmiss:::draw_key())
  said <- run_example(
    folder, "llfs", file, sprintf("%08x%08x", key[[1L]], key[[2L]])
  )
  expected <- lapply(seq_along(data$y), \(n) which(subsets_of(fit)[, n] != 0))
  said <- lapply(strsplit(trimws(said), " "), as.integer)
  expect_identical(lapply(said, sort), lapply(expected, unname))

  writeLines(c("0 1 2", "0 3 4"), file)
  expect_match(run_example(folder, "relieff", file), "relieff: no pair of")
  expect_match(run_example(folder, "llfs"), "llfs: the name of a file")
})
