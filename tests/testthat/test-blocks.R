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

# A delayed matrix whose reader fails from some row on.
breaking_matrix <- function(values, from) {
  methods::setClass("BreakingSeed",
    methods::representation(values = "matrix", from = "numeric"),
    where = globalenv()
  )
  methods::setMethod("dim", "BreakingSeed", function(x) dim(x@values),
    where = globalenv()
  )
  methods::setMethod(
    DelayedArray::extract_array, "BreakingSeed", function(x, index) {
      if (any(index[[1L]] >= x@from)) stop("disk on fire")
      DelayedArray::extract_array(x@values, index)
    }, where = globalenv()
  )
  withr::defer(
    methods::removeClass("BreakingSeed", where = globalenv()), parent.frame()
  )
  DelayedArray::DelayedArray(
    methods::new("BreakingSeed", values = unname(values), from = from)
  )
}

core <- asNamespace("hitmiss")

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
})

test_that("a temporary directory that is gone is said as that", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("DelayedArray")
  said <- fit_without_room("unlink(tempdir(), recursive = TRUE)")
  expect_identical(said[[1L]], "hitmiss_error_scratch")
  expect_match(said[[2L]], "this session's temporary directory, is gone")
  expect_match(said[[2L]], "312 KB", fixed = TRUE)
  expect_match(said[[3L]], "tempdir(check = TRUE)", fixed = TRUE)
})

test_that("blocks through a scratch file give the fit of the matrix", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  # Rows in any order, delayed operations, both orientations.
  turned <- se[c(60:31, 1:30), ]
  SummarizedExperiment::assay(turned) <- SummarizedExperiment::assay(turned) * 2
  withr::local_options(hitmiss.realise_memory = 0)
  for (method in names(container_selectors)) {
    select <- container_selectors[[method]]
    expected <- withr::with_seed(1, select(data$x, data$y))
    for (block in c(8 * 24 * 7, if (method == "relieff") 2^25)) {
      withr::local_options(hitmiss.block_memory = block)
      fit <- withr::with_seed(1, select(se, "group"))
      expect_identical(fit$scores, expected$scores, label = method)
      expect_identical(fit$training, expected$training, label = method)
      expect_identical(predict(fit, se), predict(expected, data$x))
      expect_identical(fit$report$passes[["source"]], 1)
      expect_gte(fit$report$passes[["scratch"]], 1)
      expect_identical(
        withr::with_seed(1, select(
          t(SummarizedExperiment::assay(se)), data$y
        ))$scores, fit$scores
      )
    }
    x <- data$x[, c(60:31, 1:30)] * 2
    expect_identical(
      withr::with_seed(1, select(turned, "group"))$scores,
      withr::with_seed(1, select(x, data$y))$scores,
      label = method
    )
  }
  # The file's order of features, seen through a transposition.
  both <- t(SummarizedExperiment::assay(se)[60:1, 24:1])
  expect_identical(
    relief(both, rev(data$y), k = 3, threads = 2)$scores,
    relief(data$x[24:1, 60:1], rev(data$y), k = 3, threads = 2)$scores
  )
  expect_length(list.files(tempdir(), "^hitmiss-"), 0L)
})

test_that("a matrix that just fits is read into memory", {
  skip_without("SummarizedExperiment", "HDF5Array")
  se <- containers(container_data(), withr::local_tempdir())[["SE, HDF5"]]
  stored <- function(limit) {
    withr::local_options(hitmiss.realise_memory = limit)
    as_problem(se, "group")$storage
  }
  expect_identical(stored(8 * 60 * 24), "dense")
  expect_identical(stored(8 * 60 * 24 - 1), "blocks")
})

test_that("a file stored by samples is read by samples, once", {
  withr::local_seed(1)
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  file <- file.path(withr::local_tempdir(), "columns.h5")
  on_disk <- HDF5Array::writeHDF5Array(
    t(data$x), file, "x", chunkdim = c(60, 2)
  )
  se <- as_experiment(on_disk, data)
  rownames(se) <- colnames(data$x)
  withr::local_options(
    hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * 60 * 3
  )
  expect_true(stored_by_sample(on_disk, "rows"))
  expect_false(stored_by_sample(t(on_disk), "rows"))
  for (part in list(se, se[60:1, ])) {
    fit <- relief(part, "group", k = 3, threads = 2)
    expected <- relief(data$x[, rownames(part)], data$y, k = 3, threads = 1)
    expect_identical(fit$scores, expected$scores)
    expect_identical(fit$report$passes[["source"]], 1)
    turned <- relief(
      t(SummarizedExperiment::assay(part)), data$y,
      k = 3, threads = 1
    )
    expect_identical(turned$scores, expected$scores)
  }
  values <- t(data$x)
  values[58, 7] <- Inf
  on_disk <- HDF5Array::writeHDF5Array(values, file, "y", chunkdim = c(60, 2))
  se <- as_experiment(on_disk, data)
  expect_refusal(relief(se, "group", k = 3), "x", row = 58L, column = 7L)
})

test_that("a method's scratch file lies where the data do, if there is room", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  withr::local_options(hitmiss.realise_memory = 0)
  problem <- as_problem(se, "group")
  expect_match(own_scratch(problem, 1000), "hitmiss-", fixed = TRUE)
  expect_message(
    path <- own_scratch(problem, 1e18),
    class = "hitmiss_message_scratch"
  )
  expect_null(path)
  expect_null(own_scratch(as_problem(data$x, data$y), 1000))
  # The graph of semi-BFS holds the data anyway.
  select <- function(x, y) {
    kbfs(x, y, n = 8, manifold = 1, threads = 2)
  }
  expect_identical(select(se, "group")$scores, select(data$x, data$y)$scores)
})

test_that("what goes wrong while blocks are read leaves a usable session", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  withr::local_options(hitmiss.realise_memory = 0)
  dir <- withr::local_tempdir()
  values <- t(data$x)
  values[58, 7] <- Inf
  on_disk <- HDF5Array::writeHDF5Array(values, file.path(dir, "na.h5"), "x")
  se <- as_experiment(on_disk, data)
  dimnames(se) <- dimnames(values)
  se_fine <- containers(data, dir)[["SE, HDF5"]]
  expected <- relief(data$x, data$y, k = 3, threads = 2)$scores
  expect_refusal(
    relief(se, "group", k = 3, threads = 2), "x", row = 58L, column = 7L
  )
  expect_refusal(relief(se[60:1, ], "group", k = 3, threads = 2), "x",
    row = 3L, column = 7L
  )
  # Turned before it goes: newer versions of DelayedArray look for the file.
  gone <- HDF5Array::writeHDF5Array(t(data$x), file.path(dir, "gone.h5"), "x")
  gone <- t(gone)
  unlink(file.path(dir, "gone.h5"))
  expect_error(relief(gone, data$y), class = "hitmiss_error_read")
  # A reader that breaks in the middle, while another thread uses the blocks.
  withr::local_options(hitmiss.block_memory = 8 * 24 * 5)
  broken <- breaking_matrix(t(data$x), 41)
  for (repeats in some_of(1:20)) {
    error <- expect_error(
      relief(t(broken), data$y, k = 3, threads = 2),
      class = "hitmiss_error_read"
    )
    expect_match(conditionMessage(error), "block 9 of 12 .*disk on fire")
  }
  new <- t(broken)
  dimnames(new) <- list(NULL, colnames(data$x))
  error <- expect_error(
    predict(relief(data$x, data$y, k = 3, threads = 1), new),
    class = "hitmiss_error_read"
  )
  expect_match(conditionMessage(error), "newdata.*disk on fire")
  expect_length(list.files(tempdir(), "^hitmiss-"), 0L)
  expect_identical(
    relief(se_fine, "group", k = 3, threads = 2)$scores, expected
  )
})

test_that("interrupts while blocks are read leave a session that works", {
  withr::local_seed(1)
  # R leaves its code, and any allocation that collects garbage, by a jump,
  # which must not pass over the frames of a parallel loop.
  skip_without("SummarizedExperiment", "HDF5Array")
  skip_if_not_installed("callr")
  skip_on_cran()
  skip_on_os("windows")
  session <- callr::r_session$new(
    callr::r_session_options(libpath = .libPaths()),
    wait_timeout = 60000
  )
  withr::defer(session$close())
  session$run(function() {
    y <- factor(rep(c("a", "b"), 20))
    x <- matrix(stats::rnorm(40 * 20000), 40)
    values <- HDF5Array::writeHDF5Array(
      t(x), tempfile(fileext = ".h5"), "x",
      chunkdim = c(100, 40)
    )
    options(hitmiss.realise_memory = 0, hitmiss.block_memory = 8 * 40 * 4096)
    scores <- function(x) hitmiss::relief(x, y, k = 3, threads = 2)$scores
    list2env(list(
      whole = t(values), few = t(values[1:3000, ]), scores = scores,
      expected = scores(x[, 1:3000])
    ), globalenv())
    NULL
  })
  for (wait in some_of(c(0.2, 0.4, 0.1, 0.3, 0.5))) {
    session$call(function() {
      repeat scores(whole)
    })
    Sys.sleep(wait)
    # Under load it may come before the fit: any moment will do.
    expect_true(interrupt_call(session)$heard)
    after <- session$run(function() {
      list(
        same = identical(scores(few), expected),
        left = length(list.files(tempdir(), "^hitmiss-"))
      )
    })
    expect_identical(after, list(same = TRUE, left = 0L))
  }
})

test_that("without a place for the scratch file data are read into memory", {
  skip_without("SummarizedExperiment", "HDF5Array")
  data <- container_data()
  se <- containers(data, withr::local_tempdir())[["SE, HDF5"]]
  expected <- relief(data$x, data$y, k = 3, threads = 1)
  withr::local_options(hitmiss.realise_memory = 0)
  # A directory in memory is no place for what does not fit there.
  skip_if_not(cpp_scratch_obstacle("/dev/shm", 1) != "")
  withr::local_options(hitmiss.scratch_dir = "/dev/shm")
  expect_message(
    fit <- relief(se, "group", k = 3, threads = 1),
    class = "hitmiss_message_scratch"
  )
  expect_identical(fit$scores, expected$scores)
  withr::local_options(hitmiss.max_memory = 1000)
  expect_refusal(relief(se, "group"), "x")
  withr::local_options(hitmiss.scratch_dir = "/nowhere")
  expect_refusal(relief(se, "group"), "options(hitmiss.scratch_dir)")
})

test_that("a scratch directory that is not writable is an obstacle", {
  # The administrator, as whom tests may run, can write anywhere.
  obstacle <- core$scratch_obstacle
  environment(obstacle) <- list2env(
    list(file.access = function(...) -1L),
    parent = core
  )
  directory <- withr::local_tempdir()
  if (core$scratch_obstacle(directory, 8) != "") {
    skip("no scratch file can lie in the temporary directory")
  }
  expect_identical(obstacle(directory, 8), "it is not writable")
})
