# How many threads, random streams, interrupts.
# SPDX-License-Identifier: GPL-3.0-or-later

free_threads <- function(env = parent.frame()) {
  withr::local_options(hitmiss.threads = NULL, .local_envir = env)
  withr::local_envvar(
    HITMISS_NUM_THREADS = NA, OMP_THREAD_LIMIT = NA,
    RCPP_PARALLEL_NUM_THREADS = NA,
    .local_envir = env
  )
}

cores <- cpp_hardware_threads()

test_that("argument, option, variable, default: the first one counts", {
  free_threads()
  expect_identical(resolve_threads(), min(2L, cores))
  withr::local_envvar(HITMISS_NUM_THREADS = "1")
  expect_identical(resolve_threads(), 1L)
  withr::local_envvar(HITMISS_NUM_THREADS = "many")
  expect_identical(resolve_threads(), min(2L, cores))
  withr::local_envvar(HITMISS_NUM_THREADS = "2")
  withr::local_options(hitmiss.threads = 1)
  expect_identical(resolve_threads(), 1L)
  expect_identical(resolve_threads(2), min(2L, cores))
})

test_that("limits of the place cap any wish", {
  free_threads()
  expect_identical(resolve_threads(1000L), cores)
  withr::with_envvar(c(OMP_THREAD_LIMIT = "1"), {
    expect_identical(resolve_threads(2L), 1L)
  })
  withr::with_envvar(c(RCPP_PARALLEL_NUM_THREADS = "1"), {
    expect_identical(resolve_threads(2L), 1L)
  })
  withr::with_envvar(c(OMP_THREAD_LIMIT = "0"), {
    expect_identical(resolve_threads(2L), min(2L, cores))
  })
})

test_that("nonsense in argument and option is refused by name", {
  free_threads()
  expect_refusal(resolve_threads(-1), "threads")
  withr::local_options(hitmiss.threads = "all")
  expect_refusal(resolve_threads(), "options(hitmiss.threads)")
})

test_that("cores that the process may not use do not count", {
  skip_on_cran()
  taskset <- Sys.which("taskset")
  skip_if(taskset == "" || cores == 1L)
  script <- withr::local_tempfile(
    lines = "cat(hitmiss:::cpp_hardware_threads())", fileext = ".R"
  )
  withr::local_envvar(
    R_LIBS = paste(.libPaths(), collapse = .Platform$path.sep)
  )
  rscript <- file.path(R.home("bin"), "Rscript")
  expect_identical(
    system2(taskset, c("-c", "0", shQuote(rscript), shQuote(script)),
      stdout = TRUE
    ), "1"
  )
})
