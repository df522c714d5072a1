// The instruction set that R asks for, by name.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_R_SIMD_H
#define HITMISS_R_SIMD_H

#include <string>

#include <Rcpp.h>

#include <hitmiss/runtime/simd.hpp>

/// "auto" is the widest there is. R has checked that the path is supported; but
/// a piece of work may be done by a worker on another processor.
inline hitmiss::SimdPath simd_path(const std::string &name) {
  using hitmiss::SimdPath;
  const SimdPath path = name == "avx512"     ? SimdPath::avx512
                        : name == "avx2"     ? SimdPath::avx2
                        : name == "baseline" ? SimdPath::baseline
                                             : hitmiss::best_simd_path();
  if (!hitmiss::simd_supported(path))
    Rcpp::stop("options(hitmiss.simd) is \"%s\", which this processor lacks",
               name);
  return path;
}

#endif
