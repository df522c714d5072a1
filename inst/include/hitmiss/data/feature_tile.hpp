// Tiles: a few features of all samples, scaled, side by side in fast memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_FEATURE_TILE_HPP
#define HITMISS_DATA_FEATURE_TILE_HPP

#include <limits>
#include <type_traits>

#include "matrix_view.hpp"

namespace hitmiss {

/// A scaled value is (x - center) / scale. A constant feature has scale 1, and
/// ScaledView reads it as 0.
struct Scaling {
  Array<double> center;
  Array<double> scale;
  Array<char> constant; ///< 1: no spread, no method may select it

  double operator()(double value, Index feature) const {
    return (value - center[feature]) / scale[feature];
  }
};

/// A scaling that leaves values as they are.
inline Scaling identity_scaling(Index n_features) {
  return {Array<double>(n_features), Array<double>(n_features, 1.0),
          Array<char>(n_features)};
}

/// Scaled training data as the selectors see it: a view and its scaling.
/// A constant feature reads as exactly 0 for every sample. The values and the
/// scaling are the caller's, and must outlive the view.
struct ScaledView {
  MatrixView raw;
  const Scaling *scaling;

  Index n_samples() const { return raw.n_samples; }
  Index n_features() const { return raw.n_features; }
  bool is_constant(Index feature) const {
    return scaling->constant[feature] != 0;
  }
  /// One value of a data set that is an array (and not read in tiles).
  double operator()(Index sample, Index feature) const {
    return is_constant(feature) ? 0.0
                                : (*scaling)(raw(sample, feature), feature);
  }
};

namespace detail {

template <class In, class Out>
void copy_tile_as(const ScaledView &x, const MatrixView &raw, Index first,
                  Out *tile, Index stride) {
  // The outer loop is over samples if the features of a sample are contiguous,
  // else over features: either way values are read in sequence. The tile is
  // small enough to be written in any order.
  const auto *data = static_cast<const In *>(raw.data);
  const Index n = raw.n_samples, count = raw.n_features;
  // Values in float are only used to choose features. So a product replaces the
  // slow division for them, unless the factor overflows.
  constexpr bool fast = std::is_same<Out, float>::value;
  Array<double> factor(fast ? count : 0);
  for (Index f = 0; f < factor.size(); ++f)
    factor[f] = 1.0 / x.scaling->scale[first + f];
  const auto value = [&](Index sample, Index f) {
    const double raw_value =
        number(data[sample * raw.sample_stride + f * raw.feature_stride]);
    if (fast && factor[f] <= std::numeric_limits<double>::max())
      return static_cast<Out>((raw_value - x.scaling->center[first + f]) *
                              factor[f]);
    return static_cast<Out>((*x.scaling)(raw_value, first + f));
  };
  if (raw.feature_stride < raw.sample_stride) {
    for (Index i = 0; i < n; ++i)
      for (Index f = 0; f < count; ++f)
        tile[f * stride + i] = value(i, f);
  } else {
    for (Index f = 0; f < count; ++f)
      for (Index i = 0; i < n; ++i)
        tile[f * stride + i] = value(i, f);
  }
  for (Index f = 0; f < count; ++f) {
    if (x.is_constant(first + f))
      for (Index i = 0; i < n; ++i)
        tile[f * stride + i] = Out(0);
    for (Index i = n; i < stride; ++i)
      tile[f * stride + i] = Out(0);
  }
}

} // namespace detail

/// Copies features [first, first + count) of all samples, scaled:
/// tile[f * stride + n] is feature first + f of sample n, and 0 for n >=
/// n_samples. Required: `stride` >= n_samples.
template <class Out>
void copy_tile(const ScaledView &x, Index first, Index count, Out *tile,
               Index stride) {
  Array<double> buffer;
  const MatrixView raw = feature_range(x.raw, first, count, buffer);
  if (raw.type == Scalar::f64)
    detail::copy_tile_as<double>(x, raw, first, tile, stride);
  else
    detail::copy_tile_as<int>(x, raw, first, tile, stride);
}

} // namespace hitmiss

#endif
