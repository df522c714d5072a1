# SPDX-License-Identifier: GPL-3.0-or-later

selectors <- list(
  relief = function(x, y) relief(x, y, k = 3, threads = 1),
  parzen = function(x, y) relief(x, y, "parzen", threads = 1),
  irelief = function(x, y) relief(x, y, "irelief", threads = 1),
  logo = function(x, y) logo(x, y, threads = 1),
  llfs = function(x, y) llfs(x, y, threads = 1),
  kbfs = function(x, y) kbfs(x, y, threads = 1),
  pwfp = function(x, y) pwfp(x, y, threads = 1)
)

toy <- local({
  set.seed(1)
  simulate_microarray(samples = c(8, 8), genes = 50)
})

# Of two classes; with files, of data in a file.
estimate <- function(method, n, j, files = FALSE) {
  size <- list(
    n_samples = n, n_features = j, class_sizes = c(n, n) / 2, threads = 1,
    tiles = files, nonzeros = 0, files = files, missing = FALSE
  )
  cpp_bytes_needed(method, size, list(gram_memory = 2^29))
}

test_that("a fit above hitmiss.max_memory is refused with the estimate", {
  old <- options(hitmiss.max_memory = 10)
  on.exit(options(old))
  for (name in names(selectors)) {
    error <- expect_error(
      selectors[[name]](toy$x, toy$y),
      class = "hitmiss_error_memory", info = name
    )
    expect_s3_class(error, "hitmiss_error")
    expect_identical(error$limit, 10)
    expect_gte(error$needed, estimate(name, 16, 50))
    expect_match(conditionMessage(error), "KB|MB")
  }
  for (limit in list("1 GB", -1, 0, NA_real_)) {
    options(hitmiss.max_memory = limit)
    error <- expect_refusal(logo(toy$x, toy$y), "options(hitmiss.max_memory)")
    expect_match(conditionMessage(error), "must be a number above 0")
    # Other questions of the same limit.
    expect_refusal(simulate_localized(noise = 5), "options(hitmiss.max_memory)")
  }
})

test_that("the estimate of ReliefF counts its pairs", {
  x <- matrix(seq_len(600) %% 7, 300)
  y <- rep(c("a", "b"), 150)
  withr::local_options(hitmiss.max_memory = 4e6)
  expect_s3_class(relief(x, y, k = 10, threads = 1), "hitmiss")
  expect_error(
    relief(x, y, k = 149, threads = 1), class = "hitmiss_error_memory"
  )
})

test_that("by default small fits pass, and so does any below Inf", {
  old <- options(hitmiss.max_memory = NULL)
  on.exit(options(old))
  expect_s3_class(logo(toy$x, toy$y, threads = 1), "hitmiss")
  options(hitmiss.max_memory = Inf)
  expect_s3_class(logo(toy$x, toy$y, threads = 1), "hitmiss")
})

test_that("what is free is more than nothing, and on Linux not more than all", {
  expect_gt(free_memory(), 2^20)
  skip_on_os(c("mac", "windows", "solaris"))
  total <- grep("^MemTotal:", readLines("/proc/meminfo"), value = TRUE)
  expect_lte(free_memory(), 1024 * as.numeric(gsub("[^0-9]", "", total)))
})

test_that("estimates grow with pairs of samples and with the data", {
  # Nearest neighbours are found block by block.
  expect_lt(estimate("relief", 1e5, 10), 2e8)
  # LOGO holds all distances of up to 4,096 samples, then measures them again.
  expect_gte(estimate("logo", 4000, 10), 8 * 4000^2)
  expect_lt(estimate("logo", 10000, 200), 3e8)
  expect_lt(estimate("logo", 1e5, 10), 6e8)
  for (method in c("irelief", "kbfs")) {
    grown <- estimate(method, 16000, 10) /
      estimate(method, 8000, 10)
    expect_gt(grown, 3.5)
    expect_gte(estimate(method, 4000, 10), 8 * 4000^2)
  }
  for (method in c("llfs", "pwfp")) {
    expect_gte(estimate(method, 100, 1e6), 8 * 100 * 1e6)
  }
  # Where the data lie in a file nothing is copied.
  for (method in c("kbfs", "pwfp")) {
    expect_lt(estimate(method, 1000, 1e6, files = TRUE), 0.1 * 8e9)
  }
  # LOGO and Relief copy no data: 1e6 features of 100 samples are 800 MB.
  expect_lt(estimate("logo", 100, 1e6), 0.4 * 8e8)
})

test_that("of what predictions need 16 MB are kept, and count", {
  size <- function(n) {
    kept_bytes(list(y = factor(rep(1:2, 50)), features = character(n)))
  }
  expect_identical(size(1000), 1000 * (136 + 8 * 100))
  expect_identical(size(1e6), 1e6 * 136 + 2^24)
})

test_that("a fit keeps at most 64 MB of the features of largest score", {
  skip_on_cran()
  n_features <- 2^20 / 8 + 10
  x <- matrix(seq_len(64 * n_features) %% 1000 / 1000, 64)
  problem <- as_problem(x, rep(c("a", "b"), 32))
  score <- c(rep(0, 10), rep(1, n_features - 10))
  memory <- vote_memory(problem, rep(1, n_features), 1L, score)
  expect_identical(dim(memory$values), c(64L, as.integer(n_features - 10)))
  expect_identical(memory$values[, 1], x[, 11])
})

test_that("what is free heeds every control group around the process", {
  # A machine as files: `...` are their contents by path.
  machine <- function(...) {
    root <- withr::local_tempdir(.local_envir = parent.frame())
    files <- list(...)
    for (path in names(files)) {
      at <- file.path(root, path)
      dir.create(dirname(at), recursive = TRUE, showWarnings = FALSE)
      writeLines(files[[path]], at)
    }
    root
  }
  info <- c("MemTotal: 99 kB", "MemAvailable:    1000 kB")
  expect_identical(free_memory(machine(`proc/meminfo` = info)), 1024000)
  expect_identical(free_memory(machine()), Inf)
  # Version 2: the job's limit lies above the step's group, which has none.
  job <- "sys/fs/cgroup/slurm/job_1"
  v2 <- list(
    `proc/meminfo` = info, `proc/self/cgroup` = "0::/slurm/job_1/step_0",
    "max", "100", "5000", "3000", c("anon 900", "inactive_file 700")
  )
  names(v2)[3:7] <- c(
    file.path(job, "step_0", c("memory.max", "memory.current")),
    file.path(job, c("memory.max", "memory.current", "memory.stat"))
  )
  expect_identical(free_memory(do.call(machine, v2)), 5000 - 3000 + 700)
  # Version 1; a container shows its own group at the top only.
  v1 <- list(
    `proc/meminfo` = info,
    `proc/self/cgroup` = c("5:cpu,cpuacct:/", "4:memory:/docker/abc"),
    `sys/fs/cgroup/memory/memory.limit_in_bytes` = "8000",
    `sys/fs/cgroup/memory/memory.usage_in_bytes` = "6000"
  )
  expect_identical(free_memory(do.call(machine, v1)), 2000)
  # ulimit -v
  expect_identical(free_memory(machine(
    `proc/meminfo` = info,
    `proc/self/limits` = c(
      "Limit                     Soft Limit           Hard Limit   Units",
      "Max address space         204800               unlimited    bytes"
    ),
    `proc/self/status` = c("VmPeak:\t     120 kB", "VmSize:\t     100 kB")
  )), 204800 - 102400)
})

test_that("a bad value is counted and named without a second array", {
  bad <- matrix(0, 2000, 2000)
  bad[c(3, 1234567, 2e6)] <- c(NA, Inf, NaN)
  whole <- matrix(0L, 2000, 2000)
  whole[1234567] <- NA
  # The first messages load and compile code.
  y <- rep(c("u", "v"), 1000)
  for (i in 1:3) try(as_problem(bad, y), silent = TRUE)
  for (x in list(bad, whole, whole > 0L)) {
    before <- sum(gc(reset = TRUE)[, 2L])
    error <- tryCatch(as_problem(x, y), error = identity)
    taken <- sum(gc()[, 6L]) - before
    expect_s3_class(error, "hitmiss_error_input")
    expect_match(
      conditionMessage(error),
      if (is.double(x)) "has 3 values that are.*NA in row 3, column 1"
      else "has 1 value that is.*NA in row 567, column 618"
    )
    # A logical for each cell would be 16 MB; the message takes some itself.
    expect_lt(taken, 12)
  }
})

test_that("what the system refuses is a memory error with a remedy", {
  failed <- function(condition) {
    error <- expect_error(
      memory_errors(stop(condition)), class = "hitmiss_error_memory"
    )
    expect_match(conditionMessage(error), "threads = 1.*hitmiss.max_memory")
    expect_identical(error$parent, condition)
  }
  failed(simpleError("std::bad_alloc"))
  failed(simpleError("cannot allocate vector of size 7.5 Mb"))
  failed(simpleError(
    "pthread_create has failed: Resource temporarily unavailable"
  ))
  expect_error(memory_errors(stop("something else")), "^something else$")
})

test_that("options that are no number of bytes are refused", {
  skip_if_not_installed("DelayedArray")
  withr::local_options(hitmiss.realise_memory = "much")
  refused(
    relief(DelayedArray::DelayedArray(toy$x), toy$y),
    "hitmiss.realise_memory.* must be a number, at least 0, not \"much\""
  )
})

test_that("what no memory holds is refused before it is made", {
  withr::local_seed(1)
  error <- tryCatch(simulate_localized(noise = 2e9), error = identity)
  expect_s3_class(error, "hitmiss_error_memory")
  expect_match(conditionMessage(error), "`noise` needs about")
  refused(simulate_localized(noise = 1e12), "from 0 to 2147483647, not 1e\\+12")
})

test_that("every verb asks for memory before it takes it", {
  many <- withr::with_seed(1, {
    list(x = matrix(rnorm(400), 200), y = factor(rep(c("a", "b"), 100)))
  })
  many$x <- many$x + 3 * as.integer(many$y)
  colnames(many$x) <- c("g1", "g2")
  fit <- relief(many$x, many$y, k = 3, threads = 1)
  local <- withr::with_seed(1, llfs(
    many$x, many$y, alpha = 2, representatives = 10, threads = 1
  ))
  big <- many$x[rep(1:200, 20), ]
  wide <- data.frame(lot = factor(rep(1:100, 2)), g1 = many$x[, 1])
  calls <- list(
    x = function() bayes_error(many$x, many$y),
    x = function() relief(many$x, many$y, pair = rep(1:100, each = 2)),
    x = function() relief(wide, many$y, k = 3),
    x = function() reference_scores(many$x, many$y, "spec"),
    probes = function() {
      probe_fdr(many$x, many$y, relief, probes = 10, times = 1)
    },
    newdata = function() predict(fit, big),
    newdata = function() predict(fit, big, type = "features", n = 2),
    newdata = function() predict(local, big),
    resampling = function() {
      error_curve(many$x, many$y, relief, 1, resampling = leave_one_out())
    },
    resampling = function() {
      error_curve(many$x, many$y, relief, 1, resampling = kfold(2, times = 500))
    },
    resampling = function() {
      error_curve(many$x, many$y, relief, 1, resampling = holdout(times = 999))
    },
    resampling = function() {
      tuned(relief, k = 1:2, resampling = kfold(5, 200))(many$x, many$y)
    },
    resampling = function() {
      error_curve(many$x, many$y, relief, 1:2, resampling = holdout(times = 20))
    },
    sets = function() stability(rep(list(c("g1", "g2")), 300), n_features = 9)
  )
  if (requireNamespace("ggplot2", quietly = TRUE)) {
    calls <- c(calls, x = function() plot_heatmap(many$x, many$y, "g1"))
  }
  withr::local_options(hitmiss.max_memory = 6e4)
  for (i in seq_along(calls)) {
    error <- expect_error(
      suppressMessages(calls[[i]]()), class = "hitmiss_error_memory"
    )
    # Not R's own end of memory.
    expect_gt(error$needed, 6e4)
    expect_identical(error$arg %||% names(calls)[[i]], names(calls)[[i]])
  }
  withr::local_options(hitmiss.max_memory = NULL)
  expect_identical(bayes_error(many$x, many$y, threads = 1)$n, 200L)
})
