# Which lines do the tests reach? R code and bindings by covr, while testthat
# runs; the core by gcov, while its own tests run. Only with --long.

coverage_wanted <- 95

# From one logical per line, named by file.
coverage_counts <- function(reached) {
  share <- sort(100 * tapply(reached, names(reached), mean))
  writeLines(sprintf("%5.1f %%  %s", share, names(share)))
  percent <- 100 * mean(reached)
  fine <- percent >= coverage_wanted
  counts(fine, !fine,
    note = sprintf("%.1f%% of %d lines", percent, length(reached))
  )
}

# ---- R and bindings -------------------------------------------------------------

coverage_r_layer <- function(root) {
  if (!requireNamespace("covr", quietly = TRUE)) {
    return(skip_layer("there is no R package covr"))
  }
  # With the core's loops counted too, testthat would take an hour.
  flags <- getOption("covr.flags")
  compile <- grepl("CXX", names(flags))
  flags[compile] <- "-O1 --coverage -fprofile-exclude-files=.*include.*"
  old <- options(covr.flags = flags)
  on.exit(options(old))
  # A failure is testthat's affair. Processes that a test kills leave half a
  # count behind, which covr could not read.
  tests <- c(
    sprintf(
      "testthat::test_dir(%s, package = 'hitmiss', load_package = 'installed',
         reporter = 'silent', stop_on_failure = FALSE)",
      encodeString(file.path(root, "tests", "testthat"), quote = "\"")
    ),
    "library_path <- dirname(find.package('hitmiss'))",
    "for (file in list.files(library_path, '^covr_trace_', full.names = TRUE)) {",
    "  tryCatch(readRDS(file), error = function(e) unlink(file))",
    "}"
  )
  coverage <- covr::package_coverage(
    copy_package(root),
    type = "none", code = tests, quiet = TRUE
  )
  lines <- covr::tally_coverage(coverage, by = "line")
  coverage_counts(stats::setNames(lines$value > 0, lines$filename))
}

# ---- the core -------------------------------------------------------------------

coverage_core_layer <- function(root) {
  if (Sys.which("gcov") == "") {
    return(skip_layer("there is no gcov"))
  }
  build <- file.path(root, "tests", "cpp", "build-coverage")
  unlink(build, recursive = TRUE)
  built <- build_core(root, build, "", options = c(
    "-DCMAKE_BUILD_TYPE=Debug", shQuote("-DCMAKE_CXX_FLAGS=--coverage -O0")
  ))
  if (!built) {
    return(counts(failed = 1L, note = "does not build"))
  }
  tests <- run_catch(file.path(build, "core_tests"))
  if (tests$failed > 0L) {
    return(tests)
  }
  notes <- list.files(build, "[.]gcda$", recursive = TRUE, full.names = TRUE)
  reached <- lapply(notes, function(file) {
    in_folder(build, system2("gcov", c("-t", shQuote(file)),
      stdout = TRUE, stderr = FALSE
    ))
  })
  coverage_counts(reached_lines(unlist(reached)))
}

#' @param report What `gcov -t` prints: `count: line: text`, a file's lines after
#'   one with `0:Source:path`; several reports have the same header.
#' @return One logical for every line of the core that has code.
reached_lines <- function(report) {
  parts <- regmatches(report, regexec("^ *([^: ]+): *([0-9]+):(.*)$", report))
  parts <- do.call(rbind, parts[lengths(parts) == 4L])
  header <- startsWith(parts[, 4L], "Source:")
  path <- sub("^Source:", "", parts[header, 4L])[cumsum(header)]
  core <- grepl("/include/hitmiss/", path) & parts[, 2L] != "-"
  line <- paste(sub(".*/include/", "", path[core]), parts[core, 3L])
  some <- tapply(!grepl("^[#=]", parts[core, 2L]), line, any)
  stats::setNames(as.vector(some), sub(" [0-9]+$", "", names(some)))
}

coverage_layers <- list(
  "coverage, R" = coverage_r_layer, "coverage, C++ core" = coverage_core_layer
)
