# Which lines do the tests reach? R code and bindings by covr, while testthat
# runs; the core by gcov, while its own tests run. Only with --long.
# SPDX-License-Identifier: GPL-3.0-or-later

coverage_wanted <- 97

# Lines that refuse or fail: every one must be reached, whatever the share.
error_path <- "\\babort_|\\babort\\(|\\bstop\\(|\\bthrow[ ;]"
# But for a processor that lacks what R has found on another one.
not_here <- "src/r_simd.h"

#' @param lines A data.frame of the lines that have code: file, line, text,
#'   reached.
coverage_counts <- function(lines) {
  share <- sort(100 * tapply(lines$reached, lines$file, mean))
  writeLines(sprintf("%5.1f %%  %s", share, names(share)))
  lines <- lines[order(lines$file, lines$line), ]
  # What only an exception runs through at a block's end tells nothing.
  told <- !grepl("^[ });]*$", lines$text)
  print_lines("not reached:", lines[told & !lines$reached, ])
  errors <- lines[grepl(error_path, lines$text, perl = TRUE) &
    lines$file != not_here, ]
  print_lines("error paths not reached:", errors[!errors$reached, ])
  percent <- 100 * mean(lines$reached)
  fine <- c(percent >= coverage_wanted, errors$reached)
  counts(sum(fine), sum(!fine), note = sprintf(
    "%.1f%% of %d lines, %d of %d error paths",
    percent, nrow(lines), sum(errors$reached), nrow(errors)
  ))
}

print_lines <- function(title, lines) {
  if (nrow(lines) > 0L) {
    cat(title,
      sprintf("  %s:%d %s", lines$file, lines$line, trimws(lines$text)),
      sep = "\n"
    )
  }
}

# ---- R and bindings ----------------------------------------------------------

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
    "for (file in list.files(library_path, '^covr_trace_', full.names = TRUE))",
    "{",
    "  tryCatch(readRDS(file), error = function(e) unlink(file))",
    "}"
  )
  copy <- copy_package(root)
  coverage <- covr::package_coverage(
    copy,
    type = "none", code = tests, quiet = TRUE
  )
  lines <- covr::tally_coverage(coverage, by = "line")
  coverage_counts(data.frame(
    file = lines$filename, line = lines$line,
    text = source_text(copy, lines$filename, lines$line),
    reached = lines$value > 0
  ))
}

source_text <- function(root, files, lines) {
  sources <- lapply(file.path(root, unique(files)), readLines, warn = FALSE)
  mapply(function(source, line) sources[[source]][[line]],
    match(files, unique(files)), lines,
    USE.NAMES = FALSE
  )
}

# ---- the core ----------------------------------------------------------------

coverage_core_layer <- function(root) {
  if (Sys.which("gcov") == "") {
    return(skip_layer("there is no gcov"))
  }
  build <- file.path(root, "tests", "cpp", "build-coverage")
  unlink(build, recursive = TRUE)
  tests <- core_preset("coverage")(root)
  if (tests$failed > 0L) {
    return(tests)
  }
  notes <- list.files(build, "[.]gcda$", recursive = TRUE, full.names = TRUE)
  reached <- lapply(notes, function(file) {
    withr::with_dir(build, system2("gcov", c("-t", shQuote(file)),
      stdout = TRUE, stderr = FALSE
    ))
  })
  coverage_counts(reached_lines(unlist(reached)))
}

#' @param report What `gcov -t` prints: `count: line: text`, a file's lines
#'   after one with `0:Source:path`; several reports have the same header.
#' @return What coverage_counts() takes: every line of the core that has code,
#'   reached if one of the reports says so.
reached_lines <- function(report) {
  parts <- regmatches(report, regexec("^ *([^: ]+): *([0-9]+):(.*)$", report))
  parts <- do.call(rbind, parts[lengths(parts) == 4L])
  header <- startsWith(parts[, 4L], "Source:")
  path <- sub("^Source:", "", parts[header, 4L])[cumsum(header)]
  core <- grepl("/include/hitmiss/", path) & parts[, 2L] != "-"
  file <- sub(".*/include/", "", path[core])
  line <- paste(file, parts[core, 3L])
  some <- tapply(!grepl("^[#=]", parts[core, 2L]), line, any)
  first <- !duplicated(line)
  data.frame(
    file = file[first], line = as.integer(parts[core, 3L][first]),
    text = parts[core, 4L][first], reached = as.vector(some[line[first]])
  )
}

coverage_layers <- list(
  "coverage, R" = coverage_r_layer, "coverage, C++ core" = coverage_core_layer
)
