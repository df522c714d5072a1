// Checks that an array holds neither NaN nor infinite values, in one pass.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_ALL_FINITE_HPP
#define HITMISS_DATA_ALL_FINITE_HPP

#include "../runtime/simd.hpp"

namespace hitmiss {

namespace detail {

struct FiniteJob {
  const double *values;
  Index count;
  bool *finite;
};

/// 0 x value is 0 for finite values and NaN for others, and stays so in sums.
struct FiniteKernel {
  template <int Bytes> static HITMISS_INLINE void run(const FiniteJob &job) {
    using S = Simd<double, Bytes>;
    typename S::Vector sum[4] = {};
    constexpr Index step = 4 * S::lanes;
    Index i = 0;
    for (; i + step <= job.count; i += step)
#pragma GCC unroll 4
      for (int v = 0; v < 4; ++v) {
        typename S::Vector values;
        S::load(values, job.values + i + v * S::lanes);
        sum[v] += values * 0.0;
      }
    double total = 0.0;
    for (; i < job.count; ++i)
      total += job.values[i] * 0.0;
    for (int v = 0; v < 4; ++v)
      total += S::sum(sum[v]);
    *job.finite = total == 0.0;
  }
};

} // namespace detail

inline bool all_finite(const double *values, Index count,
                       SimdLevel simd = best_simd_level()) {
  bool finite = true;
  run_simd<detail::FiniteKernel>(simd,
                                 detail::FiniteJob{values, count, &finite});
  return finite;
}

/// The first bad entry of an array and their number, for a message.
struct BadEntries {
  Index first = -1; ///< -1: there is none
  Index count = 0;
};

/// Finds the entries for which `bad(value)` holds, without a second array.
template <class Value, class Bad>
BadEntries bad_entries(const Value *values, Index count, Bad bad) {
  BadEntries found;
  for (Index i = 0; i < count; ++i)
    if (bad(values[i]) && found.count++ == 0)
      found.first = i;
  return found;
}

} // namespace hitmiss

#endif
