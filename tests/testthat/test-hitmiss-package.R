# Other sessions, locales, libraries and workers.
# SPDX-License-Identifier: GPL-3.0-or-later

# Fits of small data and their predictions, in any process that has hitmiss.
fits_and_predictions <- function() {
  task <- function(x, y, threads) {
    verbs <- c("llfs", "logo", "relief", "kbfs", "pwfp")
    fits <- lapply(stats::setNames(nm = verbs), function(verb) {
      set.seed(1)
      extra <- if (verb == "relief") list(k = 3) else list()
      do.call(
        getExportedValue("hitmiss", verb),
        c(list(x, y, threads = threads), extra)
      )
    })
    lapply(fits, function(fit) {
      work <- list(
        threads = fit$report$threads,
        class = stats::predict(fit, x, threads = threads),
        prob = stats::predict(fit, x, type = "prob", threads = threads)
      )
      fit$call <- fit$report$seconds <- fit$report$threads <- NULL
      c(list(fit = fit), work)
    })
  }
  # Not of this namespace, which would be the old one after unloading.
  environment(task) <- globalenv()
  task
}

same_work <- function(there, here) {
  for (verb in names(here)) {
    for (part in c("fit", "class", "prob")) {
      expect_identical(
        there[[verb]][[part]], here[[verb]][[part]],
        info = paste(verb, part)
      )
    }
  }
}

test_that("the locale changes nothing", {
  skip_if_not_installed("callr")
  data <- toy_data(classes = c("b", "A", "a"), n = 15L)
  y <- as.character(data$y)
  here <- fits_and_predictions()(data$x, y, 1L)
  orders <- lapply(c("C", "C.UTF-8", "en_US.UTF-8"), function(locale) {
    there <- elsewhere(
      function(task, x, y) list(work = task(x, y, 1L), order = sort(unique(y))),
      list(fits_and_predictions(), data$x, y),
      env = c(LC_ALL = locale, LANGUAGE = "en")
    )
    same_work(there$work, here)
    there$order
  })
  # A locale that this machine lacks is C.
  skip_if(length(unique(orders)) == 1L, "no locale here sorts by language")
  expect_identical(orders[[1L]], c("A", "a", "b"))
})

# A library with hitmiss and what it imports, and nothing else of what R's own
# library does not have.
library_of_imports <- function(env = parent.frame()) {
  known <- installed.packages()
  wanted <- c("hitmiss", unlist(tools::package_dependencies(
    "hitmiss",
    db = known, which = c("Depends", "Imports"), recursive = TRUE
  )))
  folder <- withr::local_tempdir(.local_envir = env)
  for (package in setdiff(wanted, rownames(installed.packages(.Library)))) {
    file.symlink(find.package(package), file.path(folder, package))
  }
  folder
}

test_that("nothing of Suggests is needed to fit, print and predict", {
  skip_if_not_installed("callr")
  skip_on_os("windows")
  imports <- library_of_imports()
  data <- toy_data()
  here <- fits_and_predictions()(data$x, data$y, 1L)
  # Not by callr, which would have to be there.
  files <- withr::local_tempfile(pattern = c("in", "code", "out"))
  saveRDS(list(fits_and_predictions(), data), files[[1L]])
  writeLines(c(
    sprintf(".libPaths('%s', include.site = FALSE)", imports),
    sprintf("task <- readRDS('%s')", files[[1L]]),
    "library(hitmiss)",
    "stopifnot(!requireNamespace('ggplot2', quietly = TRUE))",
    "there <- task[[1L]](task[[2L]]$x, task[[2L]]$y, 1L)",
    "fit <- relief(task[[2L]]$x, task[[2L]]$y, k = 3, threads = 1)",
    "no_plot <- tryCatch(plot(fit),",
    "  hitmiss_error_package = function(e) 'refused')",
    "stopifnot(no_plot == 'refused')",
    sprintf("saveRDS(there, '%s')", files[[3L]])
  ), files[[2L]])
  status <- system2(
    file.path(R.home("bin"), "Rscript"), c("--vanilla", files[[2L]]),
    env = c("R_LIBS=", "R_LIBS_SITE=", "R_LIBS_USER="),
    stdout = FALSE, stderr = FALSE
  )
  expect_identical(status, 0L)
  same_work(readRDS(files[[3L]]), here)
})

test_that("a forked child does the same work on one thread", {
  skip_on_os("windows")
  withr::local_envvar(OMP_THREAD_LIMIT = NA, RCPP_PARALLEL_NUM_THREADS = NA)
  data <- toy_data()
  # Threads have run in the parent before.
  here <- fits_and_predictions()(data$x, data$y, 2L)
  job <- parallel::mcparallel(fits_and_predictions()(data$x, data$y, 2L))
  there <- parallel::mccollect(job, wait = FALSE, timeout = 60)[[1L]]
  expect_false(is.null(there), info = "the child answers within 60 s")
  same_work(there, here)
  expect_identical(unique(unlist(lapply(there, `[[`, "threads"))), 1L)
})

test_that("workers of BiocParallel take one thread, and never hang", {
  skip_if_not_installed("callr")
  skip_if_not_installed("BiocParallel")
  skip_on_os("windows")
  data <- toy_data()
  here <- fits_and_predictions()(data$x, data$y, 2L)
  for (kind in c("MulticoreParam", "SnowParam")) {
    there <- elsewhere(function(kind, task, x, y) {
      param <- getExportedValue("BiocParallel", kind)(2L)
      BiocParallel::bplapply(1:2, function(i, task, x, y) {
        loadNamespace("hitmiss")
        task(x, y, 2L)
      }, task = task, x = x, y = y, BPPARAM = param)
    }, list(kind, fits_and_predictions(), data$x, data$y))
    for (worker in there) {
      same_work(worker, here)
      expect_identical(unique(unlist(lapply(worker, `[[`, "threads"))), 1L)
    }
  }
})

test_that("the package can be unloaded and loaded again", {
  skip_if_not_installed("callr")
  data <- toy_data()
  here <- fits_and_predictions()(data$x, data$y, 1L)
  there <- elsewhere(function(task, x, y) {
    for (time in 1:2) {
      task(x, y, 2L)
      unloadNamespace("hitmiss")
      stopifnot(
        !"hitmiss" %in% loadedNamespaces(),
        !"hitmiss" %in% names(getLoadedDLLs())
      )
      loadNamespace("hitmiss")
    }
    task(x, y, 1L)
  }, list(fits_and_predictions(), data$x, data$y))
  same_work(there, here)
})
