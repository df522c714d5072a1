// Every instruction set that the processor has.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_SIMD_PATHS_HPP
#define HITMISS_TESTS_SIMD_PATHS_HPP

#include <hitmiss/runtime/simd.hpp>

using hitmiss::Array;

inline Array<hitmiss::SimdLevel> levels() {
  Array<hitmiss::SimdLevel> result;
  for (const auto level :
       {hitmiss::SimdLevel::baseline, hitmiss::SimdLevel::avx2,
        hitmiss::SimdLevel::avx512})
    if (hitmiss::simd_supported(level))
      result.push_back(level);
  return result;
}

#endif
