// Every instruction set that the processor has.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_TESTS_SIMD_PATHS_HPP
#define HITMISS_TESTS_SIMD_PATHS_HPP

#include <vector>

#include <hitmiss/runtime/simd.hpp>

inline std::vector<hitmiss::SimdPath> paths() {
  std::vector<hitmiss::SimdPath> result;
  for (const auto path : {hitmiss::SimdPath::baseline, hitmiss::SimdPath::avx2,
                          hitmiss::SimdPath::avx512})
    if (hitmiss::simd_supported(path))
      result.push_back(path);
  return result;
}

#endif
