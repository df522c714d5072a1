// The instruction set that R asks for, by name.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SIMD_H
#define HITMISS_R_SIMD_H

#include <string>

#include <hitmiss/pairs/simd.hpp>

/// "auto" is the widest there is. R has checked that the path is supported.
inline hitmiss::SimdPath simd_path(const std::string &name) {
  using hitmiss::SimdPath;
  return name == "avx512"     ? SimdPath::avx512
         : name == "avx2"     ? SimdPath::avx2
         : name == "baseline" ? SimdPath::baseline
                              : hitmiss::best_simd_path();
}

#endif
