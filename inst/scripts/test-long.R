# What takes longer than a cup of coffee: only with --long.

# ---- fuzzing ------------------------------------------------------------------

# Seconds per selector.
fuzz_seconds <- as.integer(Sys.getenv("HITMISS_FUZZ_SECONDS", "600"))

# libFuzzer brings the main() itself.
empty_target <- paste(
  "extern \"C\" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long)",
  "{ return 0; }"
)

#' A layer that lets libFuzzer look for problems on which a selector of the core
#' breaks a promise, under ASan and UBSan.
fuzz <- function(selector) {
  function(root) {
    if (!instruments("clang++", "fuzzer", empty_target)) {
      return(skip_layer("there is no clang++ with libFuzzer"))
    }
    folder <- file.path(root, "tests", "cpp")
    build <- file.path(folder, "build-fuzz")
    dir.create(build, showWarnings = FALSE)
    program <- file.path(build, paste0("fuzz_", selector))
    include <- c(
      "-I", shQuote(file.path(root, "inst", "include")), "-isystem",
      shQuote(system.file("include", package = "RcppEigen")), "-isystem",
      shQuote(system.file("include", package = "sitmo"))
    )
    log <- tempfile()
    compiled <- system2("clang++", c(
      "-std=c++17", "-O1", "-g", "-fsanitize=fuzzer,address,undefined",
      "-fno-sanitize-recover=all", include, "-pthread",
      shQuote(file.path(folder, "fuzz", paste0("fuzz_", selector, ".cpp"))),
      "-o", shQuote(program)
    ), stdout = log, stderr = log) == 0L
    if (!compiled) {
      writeLines(utils::tail(readLines(log, warn = FALSE), 60L))
      return(counts(failed = 1L, note = "does not build"))
    }
    # New inputs stay in the build folder; the corpus is kept small by hand.
    found <- file.path(build, paste0("found-", selector))
    dir.create(found, showWarnings = FALSE)
    # The limit for one input is by the clock, and a loaded machine is no fault:
    # far above the seconds that the longest takes.
    status <- system2(program, c(
      "-max_len=1024", "-timeout=300", "-rss_limit_mb=4096",
      paste0("-max_total_time=", fuzz_seconds),
      paste0("-artifact_prefix=", shQuote(paste0(found, "/"))),
      shQuote(found), shQuote(file.path(folder, "corpus", selector))
    ), stdout = log, stderr = log)
    output <- readLines(log, warn = FALSE)
    if (status != 0L) writeLines(utils::tail(output, 60L))
    runs <- sub("^Done ([0-9]+) runs.*", "\\1", grep("^Done", output, value = TRUE))
    counts(status == 0L, status != 0L, note = paste(runs, "inputs"))
  }
}

# ---- valgrind -------------------------------------------------------------------

# Suppresses nothing: the subset is the core's tests that need no minutes.
valgrind_layer <- function(root) {
  program <- file.path(root, "tests", "cpp", "build-plain", "core_tests")
  if (Sys.which("valgrind") == "") {
    return(skip_layer("there is no valgrind"))
  }
  # What an earlier run left there may be of older sources.
  if (!build_core(root, dirname(program), "")) {
    return(counts(failed = 1L, note = "does not build"))
  }
  # valgrind knows no AVX-512; the paths are chosen at run time.
  run_catch(program, c(
    "valgrind", "-q", "--error-exitcode=9", "--leak-check=full",
    "--errors-for-leak-kinds=definite"
  ))
}

long_layers <- list(
  fuzz = list(
    "fuzzing relief" = fuzz("relief"), "fuzzing logo" = fuzz("logo"),
    "fuzzing kbfs" = fuzz("kbfs"), "fuzzing llfs" = fuzz("llfs")
  ),
  # A layer of its own: it fills the other lane of test.R.
  fuzz_pwfp = list("fuzzing pwfp" = fuzz("pwfp")),
  fuzz_edits = list("fuzzing edited objects" = tampering_fuzz_layer),
  builds = build_layers,
  mutation = script_layer("tests/mutation/run.R"),
  valgrind = valgrind_layer,
  growth = script_layer("tests/bench/growth.R"),
  interrupts = list(
    "interrupts of fits" =
      script_layer("tests/bench/interrupt_latency.R"),
    "interrupts while blocks are read" =
      script_layer("tests/bench/interrupt_blocks.R"),
    "hard stops" = script_layer("tests/bench/hard_stops.R")
  ),
  coverage = coverage_layers
)
