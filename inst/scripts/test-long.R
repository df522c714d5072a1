# What takes longer than a cup of coffee: only with --long.
# SPDX-License-Identifier: GPL-3.0-or-later

# Seconds per selector.
fuzz_seconds <- as.integer(Sys.getenv("HITMISS_FUZZ_SECONDS", "600"))

long_layers <- list(
  fuzz = list("fuzzing the core" = core_preset("fuzz",
    sanitize = "fuzzer-no-link",
    options = paste0("-DHITMISS_FUZZ_SECONDS=", fuzz_seconds)
  )),
  builds = build_layers,
  mutation = script_layer("tests/mutation/run.R"),
  valgrind = list(
    "C++ core, TSan" = core_preset("tsan", sanitize = "thread"),
    "C++ core, valgrind" = core_preset("valgrind", "valgrind"),
    "C++ core, clang++" = core_preset("clang", "clang++"),
    "C++ core, this processor" = core_preset("native")
  ),
  # Not installed for it: compilers and emulators of several hundred megabytes.
  platforms = list(
    "C++ core, 64-bit ARM" = core_preset(
      "aarch64", c("aarch64-linux-gnu-g++", "qemu-aarch64-static")
    ),
    "C++ core, IBM Z" = core_preset(
      "s390x", c("s390x-linux-gnu-g++", "qemu-s390x-static")
    ),
    "C++ core, Windows" = core_preset(
      "windows", c("x86_64-w64-mingw32-g++-posix", "wine")
    )
  ),
  growth = script_layer("tests/bench/growth.R"),
  interrupts = list(
    "interrupts of fits" =
      script_layer("tests/bench/interrupt_latency.R"),
    "interrupts while blocks are read" =
      script_layer("tests/bench/interrupt_blocks.R")
  ),
  coverage = coverage_layers
)
