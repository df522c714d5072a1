# The core without R: its own tests, as they are and under sanitizers.

#' A layer that builds and runs tests/cpp.
#' @param sanitize What -fsanitize takes, or "".
core_tests <- function(sanitize) {
  function(root) {
    compiler <- core_compiler(sanitize)
    # The compiler is in the folder's name: CMake that finds another one in its
    # cache forgets the options, and would build without the sanitizer.
    kind <- if (sanitize == "") "plain" else {
      paste(c(gsub("[^a-z]", "-", sanitize), compiler), collapse = "-")
    }
    build <- file.path(root, "tests", "cpp", paste0("build-", kind))
    if (!build_core(root, build, sanitize, compiler)) {
      return(counts(failed = 1L, note = "does not build"))
    }
    program <- file.path(build, "core_tests")
    if (sanitize != "thread") {
      return(run_catch(program))
    }
    prefix <- thread_sanitizer_prefix(program)
    if (is.null(prefix)) {
      return(skip_layer("the thread sanitizer does not start here"))
    }
    run_catch(program, prefix)
  }
}

# Two sources of half the tests each: what they share, Eigen above all, is
# compiled twice and not sixteen times.
build_core <- function(root, build, sanitize, compiler = NULL,
                       options = character()) {
  run_cmake(root, build, c(
    if (!is.null(compiler)) paste0("-DCMAKE_CXX_COMPILER=", compiler),
    "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=8",
    shQuote(paste0("-DHITMISS_SANITIZE=", sanitize)), options
  ))
}

# clang++ instruments code in half of the time that g++ takes; where it cannot
# (its runtime is a package apart), the default compiler does: NULL.
core_compiler <- function(sanitize) {
  if (sanitize != "" && instruments("clang++", sanitize)) "clang++"
}

# Can this compiler build a program with these sanitizers here?
instruments <- function(compiler, sanitize, program = "int main() {}") {
  Sys.which(compiler) != "" && suppressWarnings(system2(compiler, c(
    paste0("-fsanitize=", sanitize), "-x", "c++", "-", "-o",
    shQuote(tempfile("instrumented"))
  ), input = program, stdout = FALSE, stderr = FALSE)) == 0L
}

run_cmake <- function(root, build, options) {
  log <- tempfile()
  quiet <- function(...) {
    system2("cmake", c(...), stdout = log, stderr = log) == 0L
  }
  fine <- quiet(
    "-S", shQuote(file.path(root, "tests", "cpp")), "-B", shQuote(build), options
  ) && quiet("--build", shQuote(build), "-j2")
  if (!fine) writeLines(utils::tail(readLines(log), 60L))
  fine
}

#' Where addresses are laid out too much at random, the thread sanitizer stops
#' at its start; `setarch -R` then helps, if it may be used.
#' @return The words to put before the program, or NULL if nothing helps.
thread_sanitizer_prefix <- function(program) {
  starts <- function(prefix) {
    words <- c(prefix, program, "--list-tests")
    quiet_system(words[[1L]], words[-1L]) != 66L
  }
  without_layout <- c("setarch", R.version$arch, "-R")
  if (starts(character())) {
    character()
  } else if (Sys.which("setarch") != "" && starts(without_layout)) {
    without_layout
  }
}

run_catch <- function(program, prefix = character()) {
  words <- c(prefix, program)
  log <- tempfile()
  status <- system2(words[[1L]], words[-1L], stdout = log, stderr = log)
  output <- readLines(log, warn = FALSE)
  if (status != 0L) writeLines(utils::tail(output, 80L))
  count_catch(output, status)
}

# Catch closes with `All tests passed (... in N test cases)` or with
# `test cases: 8 | 7 passed | 1 failed`; a crash with neither.
count_catch <- function(output, status) {
  number <- function(pattern) {
    line <- grep(pattern, output, value = TRUE)
    if (length(line) == 0L) {
      return(0L)
    }
    as.integer(regmatches(line[[1L]], regexec(pattern, line[[1L]]))[[1L]][[2L]])
  }
  passed <- number("([0-9]+) test cases?\\)")
  if (passed == 0L) passed <- number("test cases:.*\\| +([0-9]+) passed")
  failed <- number("test cases:.*\\| +([0-9]+) failed")
  if (status != 0L) failed <- max(1L, failed)
  counts(passed, failed)
}

core_layers <- list(
  "C++ core" = core_tests(""),
  "C++ core, ASan + UBSan" = core_tests("address,undefined"),
  "C++ core, TSan" = core_tests("thread")
)
