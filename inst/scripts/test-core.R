# The core without R: each layer is a preset of tests/cpp/CMakePresets.json.
# SPDX-License-Identifier: GPL-3.0-or-later

#' A layer that configures, builds and runs a preset, and counts CTest's tests.
#' @param needs Programs without which it is skipped.
#' @param sanitize What clang++ must be able to instrument for it.
#' @param options More for CMake.
core_preset <- function(preset, needs = character(), sanitize = NULL,
                        options = character()) {
  function(root) {
    lacking <- needs[Sys.which(needs) == ""]
    if (length(lacking) > 0L) {
      return(skip_layer(paste("there is no", toString(lacking))))
    }
    if (!is.null(sanitize) && !instruments("clang++", sanitize)) {
      return(skip_layer(paste("there is no clang++ with", sanitize)))
    }
    log <- tempfile()
    report <- tempfile(fileext = ".xml")
    run <- function(...) system2(..., stdout = log, stderr = log) == 0L
    withr::with_dir(file.path(root, "tests", "cpp"), {
      built <- run("cmake", c("--preset", preset, options)) &&
        run("cmake", c("--build", "--preset", preset, "-j2"))
      passed <- built && run("ctest", c(
        "--preset", preset, "-j2", "--output-junit", shQuote(report)
      ))
    })
    if (!passed) writeLines(utils::tail(readLines(log, warn = FALSE), 80L))
    if (!file.exists(report)) {
      return(counts(failed = 1L, note = "does not build"))
    }
    count_junit(readLines(report, n = 20L))
  }
}

count_junit <- function(lines) {
  number <- function(name) {
    found <- regmatches(lines, regexpr(paste0("\\b", name, "=\"[0-9]+"), lines))
    as.integer(sub(".*\"", "", found[[1L]]))
  }
  skipped <- number("disabled") + number("skipped")
  counts(
    number("tests") - number("failures") - skipped, number("failures"), skipped,
    note = if (skipped > 0L) "disabled: a tool is missing" else "",
    of = "C++ tests"
  )
}

# Can this compiler build a program with these sanitizers here?
instruments <- function(compiler, sanitize, program = "int main() {}") {
  Sys.which(compiler) != "" && suppressWarnings(system2(compiler, c(
    paste0("-fsanitize=", sanitize), "-x", "c++", "-", "-o",
    shQuote(tempfile("instrumented"))
  ), input = program, stdout = FALSE, stderr = FALSE)) == 0L
}

core_layers <- list(
  "C++ core" = core_preset("plain"),
  "C++ core, ASan + UBSan" =
    core_preset("asan", sanitize = "address,undefined")
)
