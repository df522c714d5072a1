// The requirements of every entry function on the values it is given.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_REQUIRE_VALUES_HPP
#define HITMISS_DATA_REQUIRE_VALUES_HPP

#include <cmath>

#include "../runtime/require.hpp"
#include "../runtime/simd.hpp"
#include "matrix_view.hpp"

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

namespace detail {

/// `count` numbers side by side.
inline bool finite_run(const MatrixView &x, Index first, Index count) {
  const MatrixView run = x.from(first);
  if (x.type == Scalar::f64)
    return all_finite(static_cast<const double *>(run.data), count);
  const int *values = static_cast<const int *>(run.data);
  return bad_entries(values, count, [](int value) {
           return std::isnan(number(value));
         }).count == 0;
}

/// Reads contiguous values in one pass, as fast as memory delivers them.
inline bool has_finite_values(const MatrixView &x) {
  if (x.tiles)
    return x.tiles->sound(x.n_samples, x.n_features);
  const bool by_feature = x.sample_stride == 1;
  const Index inner = by_feature ? x.n_samples : x.n_features;
  const Index outer = by_feature ? x.n_features : x.n_samples;
  const Index step = by_feature ? x.feature_stride : x.sample_stride;
  require(by_feature || x.feature_stride == 1,
          "samples or features must lie side by side");
  if (step == inner)
    return finite_run(x, 0, inner * outer);
  for (Index k = 0; k < outer; ++k)
    if (!finite_run(x, k * step, inner))
      return false;
  return true;
}

/// Finite values of at least so many samples, and of a feature.
inline void require_values(const MatrixView &x, Index least_samples) {
  require(x.n_samples >= least_samples, "there are too few samples");
  require(x.n_features >= 1, "at least one feature is needed");
  require(x.data != nullptr || x.tiles || x.n_samples == 0, "x has no values");
  require(x.n_samples == 0 || has_finite_values(x),
          "x must be finite; sparse columns must be sorted and within x");
}

} // namespace detail

} // namespace hitmiss

#endif
