// The requirements of every entry function on the values it is given.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_REQUIRE_VALUES_HPP
#define HITMISS_DATA_REQUIRE_VALUES_HPP

#include <cmath>

#include "../runtime/require.hpp"
#include "matrix_view.hpp"

namespace hitmiss {

/// Says whether all values are finite. 0 x value is 0 for a finite value and
/// NaN for any other, and a sum with NaN is NaN. Four partial sums hide the
/// latency of additions: the loop is as fast as memory.
inline bool all_finite(const double *values, Index count) {
  double sum[4] = {};
  Index i = 0;
  for (; i + 4 <= count; i += 4)
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k)
      sum[k] += values[i + k] * 0.0;
  for (; i < count; ++i)
    sum[0] += values[i] * 0.0;
  return (sum[0] + sum[1]) + (sum[2] + sum[3]) == 0.0;
}

/// The first bad entry of an array, and the number of bad entries, for a
/// message.
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

/// Removes the entries whose value is missing (NaN). There is no branch,
/// because no processor could predict it.
template <class Entry, class Value>
void leave_known(Array<Entry> &entries, Value value) {
  Index kept = 0;
  for (const Entry entry : entries) {
    entries[kept] = entry;
    kept += std::isnan(value(entry)) ? 0 : 1;
  }
  entries.resize(kept);
}

/// Says whether `count` contiguous numbers from number `first` on are finite
/// or, if `may_miss`, missing.
inline bool finite_run(const MatrixView &x, Index first, Index count,
                       bool may_miss) {
  const MatrixView run = x.from(first);
  if (x.type == Scalar::f64) {
    const double *values = static_cast<const double *>(run.data);
    return all_finite(values, count) ||
           (may_miss && bad_entries(values, count, [](double value) {
                          return std::isinf(value);
                        }).count == 0);
  }
  if (may_miss)
    return true;
  const int *values = static_cast<const int *>(run.data);
  return bad_entries(values, count, [](int value) {
           return std::isnan(number(value));
         }).count == 0;
}

/// Says whether all values are finite or, if `may_miss`, missing. Contiguous
/// values are read in one pass, as fast as memory delivers them.
inline bool has_finite_values(const MatrixView &x, bool may_miss = false) {
  if (x.tiles)
    return x.tiles->sound(x.n_samples, x.n_features, may_miss);
  const bool by_feature = x.sample_stride == 1;
  const Index inner = by_feature ? x.n_samples : x.n_features;
  const Index outer = by_feature ? x.n_features : x.n_samples;
  const Index step = by_feature ? x.feature_stride : x.sample_stride;
  require(by_feature || x.feature_stride == 1,
          "samples or features must lie side by side");
  if (step == inner)
    return finite_run(x, 0, inner * outer, may_miss);
  for (Index k = 0; k < outer; ++k)
    if (!finite_run(x, k * step, inner, may_miss))
      return false;
  return true;
}

/// Throws unless there are `least_samples` samples, a feature, and values that
/// are finite or, if `may_miss`, missing (NaN).
inline void require_values(const MatrixView &x, Index least_samples,
                           bool may_miss = false) {
  require(x.n_samples >= least_samples, "there are too few samples");
  require(x.n_features >= 1, "at least one feature is needed");
  require(x.data != nullptr || x.tiles || x.n_samples == 0, "x has no values");
  require(x.n_samples == 0 || has_finite_values(x, may_miss),
          "x must be finite; sparse columns must be sorted and within x");
}

} // namespace detail

} // namespace hitmiss

#endif
