// The instruction set that R asks for, by name.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SIMD_H
#define HITMISS_R_SIMD_H

#include <string>

#include <Rcpp.h>

#include <hitmiss/runtime/simd.hpp>

#include "r_choice.h"

/// "auto" is the widest there is. R has checked that the level is supported;
/// but a piece of work may be done by a worker on another processor.
inline hitmiss::SimdLevel simd_level(const std::string &name) {
  using hitmiss::SimdLevel;
  const auto level =
      chosen<SimdLevel>(Rcpp::wrap(name), {{"auto", hitmiss::best_simd_level()},
                                           {"baseline", SimdLevel::baseline},
                                           {"avx2", SimdLevel::avx2},
                                           {"avx512", SimdLevel::avx512}});
  if (!hitmiss::simd_supported(level))
    Rcpp::stop(
        "options(hitmiss.simd) is \"%s\"; this processor does not support it",
        name);
  return level;
}

#endif
