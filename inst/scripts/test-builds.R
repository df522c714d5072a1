# Does the compiler matter? The package built in another way: the tests against
# the definitions, and its results beside those of the build at hand. Only with
# --long.
# SPDX-License-Identifier: GPL-3.0-or-later

# What must hold on any build: the numbers, and fits stored by another one.
tests_of_numbers <- paste0(
  "^(compatibility|llfs|relief|logo|kbfs|pwfp|bayes_error|reference_scores|",
  "local)"
)

# What vignettes/trust.Rmd promises across builds.
build_tolerance <- 1e-8
least_same_subsets <- 0.95

#' A layer of another build.
#' @param makevars Lines of a personal Makevars file.
other_build <- function(compiler, makevars) {
  function(root) {
    if (Sys.which(compiler) == "") {
      return(skip_layer(paste("there is no", compiler)))
    }
    # A copy: objects must not lie where other layers build.
    copy <- tempfile("sources-")
    library_path <- tempfile("library-")
    dir.create(copy)
    dir.create(library_path)
    parts <- file.path(root, c("DESCRIPTION", "NAMESPACE", "R", "src", "inst"))
    file.copy(parts, copy, recursive = TRUE)
    unlink(list.files(file.path(copy, "src"), "[.]s?o$", full.names = TRUE))
    settings <- tempfile("Makevars-")
    writeLines(makevars, settings)
    withr::with_envvar(
      c(R_MAKEVARS_USER = settings),
      build_package(copy, library_path)
    )
    tested <- test_build(root, library_path)
    usual <- dirname(find.package("hitmiss"))
    compared <- compare_results(
      results_of(root, usual), results_of(root, library_path)
    )
    # Else it is the same build, and all of this shows nothing: clang++ rounds
    # as g++ does.
    fine <- c(compared$fine, `another library` = library_file(usual) !=
      library_file(library_path))
    if (!all(fine)) cat("differ:", names(fine)[!fine], sep = "\n  ")
    counts(
      tested$passed + sum(fine), tested$failed + sum(!fine), tested$skipped,
      compared$note
    )
  }
}

# What is in a build's shared library, debug symbols left out.
library_file <- function(library_path) {
  file <- list.files(
    file.path(library_path, "hitmiss", "libs"), "[.](so|dll)$",
    recursive = TRUE, full.names = TRUE
  )
  unname(tools::md5sum(file))
}

# In processes of their own: this one has loaded the build at hand.
run_with_library <- function(library_path, script, ...) {
  paths <- c(library_path, .libPaths())
  withr::with_envvar(
    c(R_LIBS = paste(paths, collapse = .Platform$path.sep)),
    system2(
      file.path(R.home("bin"), "Rscript"),
      c(shQuote(script), shQuote(library_path), shQuote(c(...)))
    )
  ) == 0L
}

test_build <- function(root, library_path) {
  file <- tempfile("counts-")
  ended <- run_with_library(
    library_path, file.path(root, "tests", "builds", "tests.R"),
    file, tests_of_numbers
  )
  if (ended) readRDS(file) else counts(failed = 1L, note = "tests ended early")
}

results_of <- function(root, library_path) {
  file <- tempfile("results-")
  script <- file.path(root, "tests", "builds", "results.R")
  if (!run_with_library(library_path, script, file)) {
    stop("a build gave no results; see above")
  }
  readRDS(file)
}

#' Which results of two builds agree? llfs() is judged by its sets, over all
#' microarrays together, and by how well they classify.
compare_results <- function(here, there) {
  cases <- do.call(rbind, lapply(names(here), function(problem) {
    data.frame(problem, of = names(here[[problem]]))
  }))
  pairs <- Map(function(problem, of) {
    list(a = here[[problem]][[of]], b = there[[problem]][[of]])
  }, cases$problem, cases$of)
  names(pairs) <- paste(cases$of, "on", cases$problem)
  same_bits <- vapply(pairs, function(p) identical(p$a, p$b), NA)
  local <- cases$of == "llfs"
  fine <- c(
    vapply(pairs[!local], function(p) agree(p$a, p$b), NA),
    vapply(pairs[local], function(p) abs(p$a$found - p$b$found) <= 0.02, NA)
  )
  real <- pairs[local & !startsWith(cases$problem, "small")]
  same <- unlist(lapply(real, function(p) {
    colSums(p$a$subsets != p$b$subsets) == 0
  }))
  if (length(same) > 0L) {
    fine <- c(fine, `subsets of llfs` = mean(same) >= least_same_subsets)
  }
  note <- sprintf(
    "%d of %d results the same bits; llfs: %d of %d samples the same subset",
    sum(same_bits), length(pairs), sum(same), length(same)
  )
  list(fine = fine, note = note)
}

close_to <- function(a, b) {
  length(a) == length(b) &&
    isTRUE(all(abs(a - b) <= build_tolerance * max(abs(a), 1e-300)))
}

# Where the selected features differ, their scores must be that close.
agree <- function(a, b) {
  close_to(a$scores, b$scores) && identical(a$class, b$class) &&
    (is.null(a$prob) || close_to(a$prob, b$prob)) &&
    (identical(a$selected, b$selected) ||
      close_to(a$scores[a$selected], a$scores[b$selected]))
}

# What users ask compilers for: all of this processor, fused multiply-add too,
# which rounds once where others round twice, as all compilers for arm64 do.
build_layers <- list(
  "built by clang++" = other_build("clang++", c(
    "CC = clang", "CXX = clang++", "CXX17 = clang++", "CXX17FLAGS = -O2"
  )),
  "built for this processor" = other_build(
    "g++", "CXX17FLAGS = -O3 -march=native -ffp-contract=fast"
  )
)
