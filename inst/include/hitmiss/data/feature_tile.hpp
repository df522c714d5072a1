// Tiles: a few features of all samples, scaled, side by side in fast memory.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_DATA_FEATURE_TILE_HPP
#define HITMISS_DATA_FEATURE_TILE_HPP

#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "matrix_view.hpp"
#include "scaling.hpp"

namespace hitmiss {

/// Scaled training data as the selectors see it: a view and its scaling.
/// A constant feature reads as exactly 0 for every sample. Does not own.
struct ScaledView {
  MatrixView raw;
  const Scaling *scaling;

  std::ptrdiff_t n_samples() const { return raw.n_samples; }
  std::ptrdiff_t n_features() const { return raw.n_features; }
  bool is_constant(std::ptrdiff_t feature) const {
    return scaling->constant[static_cast<std::size_t>(feature)] != 0;
  }
  /// One value of an array (not of tiles).
  double operator()(std::ptrdiff_t sample, std::ptrdiff_t feature) const {
    return is_constant(feature) ? 0.0
                                : (*scaling)(raw(sample, feature), feature);
  }
};

namespace detail {

template <class In, class Out>
void copy_tile_as(const ScaledView &x, const MatrixView &raw,
                  std::ptrdiff_t first, Out *tile, std::ptrdiff_t stride) {
  // Sample by sample where a sample's features lie together (an assay), else
  // feature by feature: reads stay sequential, the tile is small.
  const auto *data = static_cast<const In *>(raw.data);
  const std::ptrdiff_t n = raw.n_samples, count = raw.n_features;
  // Float tiles only screen: there a product may stand for the slow division,
  // but where the factor is beyond a double.
  constexpr bool fast = std::is_same<Out, float>::value;
  std::vector<double> factor(fast ? static_cast<std::size_t>(count) : 0);
  for (std::size_t f = 0; f < factor.size(); ++f)
    factor[f] = 1.0 / x.scaling->scale[static_cast<std::size_t>(first) + f];
  const auto value = [&](std::ptrdiff_t sample, std::ptrdiff_t f) {
    const auto number = static_cast<double>(
        data[sample * raw.sample_stride + f * raw.feature_stride]);
    const auto at = static_cast<std::size_t>(f);
    if (fast && factor[at] <= std::numeric_limits<double>::max())
      return static_cast<Out>(
          (number - x.scaling->center[static_cast<std::size_t>(first + f)]) *
          factor[at]);
    return static_cast<Out>((*x.scaling)(number, first + f));
  };
  if (raw.feature_stride < raw.sample_stride) {
    for (std::ptrdiff_t i = 0; i < n; ++i)
      for (std::ptrdiff_t f = 0; f < count; ++f)
        tile[f * stride + i] = value(i, f);
  } else {
    for (std::ptrdiff_t f = 0; f < count; ++f)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        tile[f * stride + i] = value(i, f);
  }
  for (std::ptrdiff_t f = 0; f < count; ++f) {
    if (x.is_constant(first + f))
      for (std::ptrdiff_t i = 0; i < n; ++i)
        tile[f * stride + i] = Out(0);
    for (std::ptrdiff_t i = n; i < stride; ++i)
      tile[f * stride + i] = Out(0);
  }
}

} // namespace detail

/// Copies features [first, first + count) of all samples, scaled:
/// tile[f * stride + n] is feature first + f of sample n. `stride` >=
/// n_samples; what lies beyond the last sample is filled with 0.
template <class Out>
void copy_tile(const ScaledView &x, std::ptrdiff_t first, std::ptrdiff_t count,
               Out *tile, std::ptrdiff_t stride) {
  std::vector<double> buffer;
  const MatrixView raw = feature_range(x.raw, first, count, buffer);
  if (raw.type == Scalar::f64)
    detail::copy_tile_as<double>(x, raw, first, tile, stride);
  else
    detail::copy_tile_as<int>(x, raw, first, tile, stride);
}

} // namespace hitmiss

#endif
