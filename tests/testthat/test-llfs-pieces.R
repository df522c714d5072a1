# llfs() through BiocParallel: the same fit, whatever happens to the workers.
# SPDX-License-Identifier: GPL-3.0-or-later

pieces_fit <- function(data, BPPARAM = NULL, ...) {
  withr::with_seed(3, llfs(data$x, data$y,
    alpha = 3, threads = 1, BPPARAM = BPPARAM, ...
  ))
}

test_that("any back end gives the serial fit, to the last bit", {
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 23L, noise = 30L, classes = c("a", "b", "c"))
  expected <- essence(pieces_fit(data))
  params <- list(
    serial = BiocParallel::SerialParam(),
    snow = BiocParallel::SnowParam(2),
    tasks = BiocParallel::SnowParam(2, tasks = 7)
  )
  if (.Platform$OS.type == "unix") {
    params$multicore <- BiocParallel::MulticoreParam(2)
  }
  for (kind in names(params)) {
    fit <- essence(pieces_fit(data, params[[kind]]))
    expect_identical(fit, expected, label = kind)
  }
  sparse <- list(x = Matrix::Matrix(data$x, sparse = TRUE), y = data$y)
  expect_identical(
    pieces_fit(sparse, params$serial)$scores, expected$scores
  )
  # R's own stream ends where it does without a back end.
  after <- function(BPPARAM) {
    withr::with_seed(1, {
      llfs(data$x, data$y, alpha = 3, BPPARAM = BPPARAM, threads = 1)
      runif(1)
    })
  }
  expect_identical(after(params$serial), after(NULL))
})

# Rewrites a piece's file, with sums that are right.
edit_piece <- function(file, edit) {
  numbers <- readBin(file, "double", file.size(file) / 8, endian = "little")
  head <- numbers[1:5]
  lengths <- numbers[6:15]
  fields <- split(
    numbers[-c(1:15, length(numbers))], rep(factor(1:10), lengths)
  )
  names(fields) <- c(piece_fields, "centres", "report")
  fields <- edit(fields)
  numbers <- as.double(c(head, lengths(fields), unlist(fields)))
  writeBin(c(numbers, piece_sum(numbers)), file, endian = "little")
}

test_that("a piece that cannot be one of this fit is said and made again", {
  skip_on_os("windows")
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 16L)
  dir <- withr::local_tempdir()
  control <- list(checkpoint = dir)
  param <- BiocParallel::SerialParam()
  fit <- function() pieces_fit(data, param, control = control)
  first <- fit()
  files <- list.files(dir, full.names = TRUE)
  expect_identical(as.character(file.mode(files)), rep("600", 4L))
  # A second fit leaves what is there alone.
  expect_silent(fit())

  whole <- readBin(files[[1L]], "raw", 1e6)
  edits <- list(
    empty = function(f) file.create(f),
    short = function(f) writeBin(whole[seq_len(length(whole) - 8L)], f),
    odd = function(f) writeBin(whole[seq_len(length(whole) - 3L)], f),
    bit = function(f) {
      whole[[200L]] <- xor(whole[[200L]], as.raw(1L))
      writeBin(whole, f)
    },
    other = function(f) file.copy(files[[2L]], f, overwrite = TRUE),
    # What reads R objects would run or make something of it.
    serialized = function(f) saveRDS(first, f),
    text = function(f) writeLines("1 2 3", f),
    long = function(f) writeBin(rep(whole, 500), f)
  )
  ranges <- list(
    features = 0, features = 9, features = 1.5, features = NA, sizes = -1,
    radius = -1, radius = NaN, alpha = 7, beta = 2, score = 3, log_odds = Inf,
    centres = 2, report = -1
  )
  for (at in seq_along(ranges)) {
    edits[[paste("range", at)]] <- local({
      field <- names(ranges)[[at]]
      value <- ranges[[at]]
      function(f) {
        writeBin(whole, f)
        edit_piece(f, function(fields) {
          fields[[field]][[1L]] <- value
          fields
        })
      }
    })
  }
  edits$lengths <- function(f) {
    writeBin(whole, f)
    edit_piece(f, function(fields) {
      fields$radius <- fields$radius[-1L]
      fields
    })
  }
  for (name in names(edits)) {
    edits[[name]](files[[1L]])
    said <- expect_message(
      again <- fit(), basename(files[[1L]]),
      class = "hitmiss_message_checkpoint", info = name
    )
    expect_identical(essence(again), essence(first), info = name)
    expect_identical(readBin(files[[1L]], "raw", 1e6), whole, info = name)
  }
})

test_that("a checkpoint serves the same fit only", {
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 16L)
  dir <- withr::local_tempdir()
  control <- list(checkpoint = dir)
  param <- BiocParallel::SerialParam()
  first <- pieces_fit(data, param, control = control)
  files <- list.files(dir, full.names = TRUE)
  expect_length(files, 4L)
  # A piece that is there is not computed again: its marked result comes back.
  edit_piece(files[[1L]], function(fields) {
    fields$radius <- fields$radius + 1000
    fields
  })
  again <- pieces_fit(data, param, control = control)
  expect_gt(max(again$local$radius), 1000)
  # Other data, another seed: nothing of it is used.
  other <- withr::with_seed(4, llfs(data$x, data$y,
    alpha = 3, threads = 1, BPPARAM = param, control = control
  ))
  expect_lt(max(other$local$radius), 1000)
  expect_length(list.files(dir), 8L)
  unlink(files[[1L]])
  once <- pieces_fit(data, param, control = control)
  expect_identical(once$local$radius, first$local$radius)
})

test_that("pieces that fail are tried again, then the fit stops", {
  skip_if_not_installed("BiocParallel")
  data <- toy_data(n = 16L)
  param <- BiocParallel::SerialParam()
  problem <- as_problem(data$x, data$y)
  runtime <- list(threads = 1L, progress = NULL, key = c(1L, 2L))
  usable <- prepare_scaling(problem, "zscore", runtime)
  options <- llfs_core_options(
    llfs(data$x, data$y, alpha = 3, threads = 1)$parameters
  )
  options$alpha <- "not a number"
  messages <- 0L
  withCallingHandlers(
    expect_error(
      llfs_by_pieces(problem, usable, options, c(1L, 2L), param, NULL),
      class = "hitmiss_error_workers"
    ),
    hitmiss_message_retry = function(m) {
      messages <<- messages + 1L
      invokeRestart("muffleMessage")
    }
  )
  expect_identical(messages, 2L)
  expect_refusal(llfs(data$x, data$y, BPPARAM = 2), "BPPARAM")
  expect_refusal(
    llfs(data$x, data$y, control = list(checkpoint = "/nowhere")),
    "control$checkpoint"
  )
})

test_that("what a worker says itself is the reason given", {
  skip_if_not_installed("BiocParallel")
  # Centres that are no numbers: the piece fails before the core is asked.
  piece <- list(centres = "a", file = "piece.rds")
  returned <- ask_workers(list(piece), list(), BiocParallel::SerialParam())
  expect_null(returned[[1L]])
  expect_match(attr(returned, "reason"), "non-numeric")
})

test_that("killing a worker in the middle loses nothing", {
  skip_on_cran()
  skip_on_os("windows")
  skip_if_not_installed("BiocParallel")
  # A second or so for two workers: a first piece is there long before the end.
  data <- withr::with_seed(2, {
    y <- factor(rep(c("a", "b"), 120))
    list(x = matrix(rnorm(240 * 500), 240), y = y)
  })
  expected <- essence(pieces_fit(data))
  param <- BiocParallel::SnowParam(2, exportglobals = FALSE)
  BiocParallel::bpstart(param)
  withr::defer(try(BiocParallel::bpstop(param), silent = TRUE))
  # The one that is left will have nobody to answer: it ends without a word.
  pids <- unlist(BiocParallel::bplapply(1:2, function(i) {
    options(show.error.messages = FALSE, error = quote(quit("no")))
    Sys.getpid()
  }, BPPARAM = param))
  dir <- withr::local_tempdir()
  # As soon as a first piece is there, one of the workers is killed; where none
  # comes, the watcher ends with the worker.
  system(sprintf(
    paste(
      "(while kill -0 %2$d && [ -z \"$(ls %1$s)\" ]; do sleep 0.02; done;",
      "kill -9 %2$d) >/dev/null 2>&1 &"
    ),
    dir, pids[[1L]]
  ))
  tried <- 0L
  fit <- withCallingHandlers(
    pieces_fit(data, param, control = list(checkpoint = dir)),
    hitmiss_message_retry = function(m) {
      tried <<- tried + 1L
      invokeRestart("muffleMessage")
    }
  )
  fit$parameters$control["checkpoint"] <- list(NULL)
  expect_identical(tried, 1L)
  expect_identical(essence(fit), expected)
})

test_that("what is too large for memory goes to the workers, too", {
  skip_if_not_installed("BiocParallel")
  skip_if_not_installed("DelayedArray")
  data <- toy_data()
  blocks <- list(x = DelayedArray::DelayedArray(data$x), y = data$y)
  expected <- pieces_fit(data)
  withr::local_options(hitmiss.realise_memory = 1)
  expect_identical(as_problem(blocks$x, blocks$y)$storage, "blocks")
  for (param in list(BiocParallel::SerialParam(), BiocParallel::SnowParam(2))) {
    fit <- pieces_fit(blocks, param)
    expect_identical(fit$scores, expected$scores)
    expect_identical(fit$local, expected$local)
  }
})
