// Work on tiles of features, several at once.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_FOR_EACH_TILE_HPP
#define HITMISS_PAIRS_FOR_EACH_TILE_HPP

#include <algorithm>
#include <numeric>

#include "../runtime/runtime.hpp"
#include "strip_tiles.hpp"

namespace hitmiss {

/// The number of features in a group. The values of a sample for the features
/// of a group lie side by side.
constexpr Index feature_group = 16;

namespace detail {

/// Calls work(first, count, part, fill) for each tile of `step` features of
/// `list`, once for every `part` in [0, parts). The features of the tile are at
/// [first, first + count) in `list`. fill() copies their values into a scratch
/// tile of the thread, and sets unused features to 0.
template <class T, class Work>
void for_each_tile_part(const ScaledView &x, const FeatureList &list,
                        Index step, Index parts, Runtime &runtime, Work work) {
  const Index stride = tile_stride<T>(x.n_samples());
  const Index total = list.size();
  Array<AlignedBuffer<T>> tiles(runtime.threads());
  const Index units = (total + step - 1) / step * parts;
  runtime.for_each(units, [&](Index unit, int thread) {
    const Index first = unit / parts * step;
    const Index count = std::min(step, total - first);
    work(first, count, unit % parts, [&]() -> const T * {
      auto &tile = tiles[thread];
      if (tile.size() == 0)
        tile = AlignedBuffer<T>(step * stride);
      copy_features(x, list.data() + first, count, tile.data(), stride);
      std::fill(tile.data() + count * stride, tile.data() + step * stride,
                T(0));
      return tile.data();
    });
  });
}

/// Calls work(first, count, fill) once for each tile of `step` features of `x`.
/// `fill`: see for_each_tile_part().
template <class T, class Work>
void for_each_tile(const ScaledView &x, Index step, Runtime &runtime,
                   Work work) {
  FeatureList all(x.n_features());
  std::iota(all.begin(), all.end(), 0);
  for_each_tile_part<T>(x, all, step, 1, runtime,
                        [&](Index first, Index count, Index, const auto &fill) {
                          work(first, count, fill);
                        });
}

/// Calls work(first, count, group) for all features, feature_group at a time:
/// group[n * feature_group + f] is feature first + f of sample n, 0 beyond the
/// last feature. Counts values (samples x features) as progress.
template <class Work>
void for_each_group(const ScaledView &x, Runtime &runtime, Work work) {
  const Index n = x.n_samples(), stride = tile_stride<double>(n);
  for_each_tile<double>(x, feature_group, runtime,
                        [&](Index first, Index count, const auto &fill) {
                          const double *tile = fill();
                          AlignedBuffer<double> group(n * feature_group);
                          for (Index i = 0; i < n; ++i)
                            for (Index f = 0; f < feature_group; ++f)
                              group[i * feature_group + f] =
                                  tile[f * stride + i];
                          work(first, count, group.data());
                          runtime.advance(count * n);
                        });
}

} // namespace detail
} // namespace hitmiss

#endif
