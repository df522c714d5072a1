# The C++ program of inst/examples, built on the headers alone, predicts what R
# predicts; options have the defaults that R has.
# SPDX-License-Identifier: GPL-3.0-or-later

headers <- function(package) system.file("include", package = package)

# Built where nothing named Rscript can be found.
build_example <- function(frame = parent.frame()) {
  folder <- withr::local_tempdir(.local_envir = frame)
  source <- system.file("examples", package = "hitmiss")
  paths <- vapply(c("hitmiss", "RcppEigen", "sitmo"), headers, "")
  tools <- withr::local_tempdir()
  file.symlink(Sys.which(c("cmake", "c++", "make", "as", "ld")), tools)
  cmake <- function(...) {
    output <- withr::with_envvar(c(PATH = tools), suppressWarnings(system2(
      file.path(tools, "cmake"), shQuote(c(...)), stdout = TRUE, stderr = TRUE
    )))
    if (!is.null(attr(output, "status"))) stop(paste(output, collapse = "\n"))
  }
  cmake(
    "-S", source, "-B", folder,
    # Optimising takes longer than all the rest of this file.
    "-DCMAKE_BUILD_TYPE=None",
    paste0("-DHEADERS=", paste(paths, collapse = ";"))
  )
  cmake("--build", folder)
  file.path(folder, "classify")
}

write_samples <- function(x, y, file) {
  lines <- apply(
    x, 1, \(row) paste(format(row, digits = 17, trim = TRUE), collapse = " ")
  )
  writeLines(paste(as.integer(y) - 1L, lines), file)
}

test_that("the program predicts what R predicts, for every family", {
  skip_on_cran()
  skip_if_quick()
  skip_if(Sys.which("cmake") == "", "there is no cmake")
  skip_if(Sys.which("c++") == "", "there is no C++ compiler")
  program <- build_example()
  run <- function(...) {
    suppressWarnings(
      system2(program, shQuote(c(...)), stdout = TRUE, stderr = TRUE)
    )
  }
  data <- toy_data(n = 60L, noise = 30L)
  train <- seq_len(60L) %% 4L < 2L
  files <- withr::local_tempfile(pattern = c("known", "fresh"))
  write_samples(data$x[train, ], data$y[train], files[[1L]])
  write_samples(data$x[!train, ], data$y[!train], files[[2L]])

  key <- withr::with_seed(7, hitmiss:::draw_key())
  key <- sprintf("%08x%08x", key[[1L]], key[[2L]])
  selectors <- list(
    relief = relief, logo = logo, bfs = kbfs, pwfp = pwfp, llfs = llfs
  )
  for (name in names(selectors)) {
    fit <- withr::with_seed(
      7, selectors[[name]](data$x[train, ], data$y[train], threads = 1)
    )
    expected <- as.integer(predict(fit, data$x[!train, ])) - 1L
    answer <- run(name, files, key)
    expect_identical(as.integer(answer), expected, info = name)
  }

  writeLines(c("0 1 2", "0 3 4"), files[[1L]])
  expect_match(run("relief", files[c(1, 1)]), "classify: no pair of")
  expect_match(run("relief"), "classify: a method and two files are needed")
})

# The value of a field of an Options struct, as its header has it.
option_default <- function(header, struct, field) {
  text <- paste(readLines(file.path(headers("hitmiss"), "hitmiss", header)),
    collapse = "\n"
  )
  body <- sub(sprintf("(?s).*struct %s \\{(.*?)\n\\};.*", struct), "\\1", text,
    perl = TRUE
  )
  value <- sub(
    sprintf("(?s).*\\b%s(?: = |\\{)([^;}]+)[;}].*", field), "\\1", body,
    perl = TRUE
  )
  eval(str2lang(paste0("c(", value, ")")))
}

test_that("options have R's defaults", {
  same <- function(selector, header, struct, fields) {
    defaults <- formals(utils::getS3method(selector, "default"))
    for (field in fields) {
      expect_equal(
        option_default(header, struct, field), eval(defaults[[field]]),
        info = paste(selector, field)
      )
    }
  }
  same("relief", "relief/parzen_relief.hpp", "ParzenOptions", "bandwidth")
  same(
    "relief", "relief/irelief.hpp", "IReliefOptions",
    c("sigma", "tol", "max_iter")
  )
  same(
    "logo", "logo/logo_gradient.hpp", "LogoOptions",
    c("sigma", "lambda", "tol", "max_iter")
  )
  same("kbfs", "bfs/bfs.hpp", "BfsOptions", "redundancy")
  expect_equal(
    option_default("bfs/bfs.hpp", "BfsOptions", "n_features"),
    formals(utils::getS3method("kbfs", "default"))$n
  )
  same("pwfp", "pwfp/pwfp.hpp", "PwfpOptions", "fraction")
  same("llfs", "llfs/llfs_options.hpp", "LlfsOptions", c("gamma", "beta"))
  expect_equal(
    option_default("llfs/llfs_options.hpp", "LlfsOptions", "alpha"),
    c(2, 3, 5, 10, 20)
  )
  expect_equal(
    option_default("relief/relief.hpp", "NearReliefOptions", "k"), 10
  )
})

test_that("the headers have the package's version", {
  parts <- unlist(utils::packageVersion("hitmiss"))
  line <- grep("define HITMISS_VERSION ", value = TRUE, readLines(
    file.path(headers("hitmiss"), "hitmiss", "version.hpp")
  ))
  expect_equal(
    as.numeric(sub(".* ", "", line)), sum(parts[1:3] * c(10000, 100, 1))
  )
})
