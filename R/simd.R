# Which instances of the pair kernels run. Option `hitmiss.simd` forces one of
# "baseline", "avx2", "avx512" (for tests); "auto" takes the widest there is.
# SPDX-License-Identifier: GPL-3.0-or-later

resolve_simd <- function() {
  wanted <- getOption("hitmiss.simd", "auto")
  check_choice(wanted, c("auto", cpp_simd_levels()), "options(hitmiss.simd)")
}
