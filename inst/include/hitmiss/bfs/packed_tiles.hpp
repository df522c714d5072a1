// Scaled training data packed for products, in tiles of 16 features.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PACKED_TILES_HPP
#define HITMISS_BFS_PACKED_TILES_HPP

#include <algorithm>
#include <utility>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {

/// The number of features side by side in one tile: as many doubles as two of
/// the widest SIMD vectors hold.
constexpr Index tile_width = 16;

/// Packs features [first, first + count) of the samples `order` of `x` into
/// tiles that begin at `to`. Lanes beyond the last feature become 0. Required:
/// `first` is a multiple of 16.
inline void pack_tiles(const ScaledView &x, const Array<int> &order,
                       Index first, Index count, double *to) {
  const Index stride = x.n_samples();
  const Index n = order.size();
  Array<double> plain(count * stride);
  copy_tile(x, first, count, plain.data(), stride);
  for (Index f = 0; f < count; ++f) {
    double *lane = to + f / tile_width * n * tile_width + f % tile_width;
    for (Index a = 0; a < n; ++a)
      lane[a * tile_width] = plain[f * stride + order[a]];
  }
  const Index last = count % tile_width;
  double *tile = to + count / tile_width * n * tile_width;
  for (Index a = 0; a < n && last > 0; ++a)
    std::fill_n(tile + a * tile_width + last, tile_width - last, 0.0);
}

/// n_samples x n_features doubles, all 0 at first. Feature 16 p + lane of
/// sample a is tile(p)[a * 16 + lane].
class PackedTiles {
public:
  PackedTiles(Index n_samples, Index n_features)
      : n_samples_(n_samples),
        n_tiles_((n_features + tile_width - 1) / tile_width),
        values_(n_samples * n_tiles_ * tile_width) {}
  Index n_samples() const { return n_samples_; }
  Index n_tiles() const { return n_tiles_; }
  const double *tile(Index p) const {
    return values_.data() + p * n_samples_ * tile_width;
  }
  double &operator()(Index sample, Index feature) {
    return values_[(feature / tile_width * n_samples_ + sample) * tile_width +
                   feature % tile_width];
  }

private:
  Index n_samples_, n_tiles_;
  AlignedBuffer<double> values_;
};

/// Samples order[0], order[1], ... of `x`; a Reader packs their tiles.
class TileSource {
public:
  TileSource(const ScaledView &x, Array<int> order)
      : x_(x), order_(std::move(order)) {}
  Index n_samples() const { return order_.size(); }
  Index n_features() const { return x_.n_features(); }
  Index n_tiles() const { return (n_features() + tile_width - 1) / tile_width; }
  bool is_constant(Index j) const { return x_.is_constant(j); }

  /// The values of features [first, first + count), feature by feature.
  Array<double> features(Index first, Index count) const {
    const Index stride = x_.n_samples();
    Array<double> all(count * stride), values;
    copy_tile(x_, first, count, all.data(), stride);
    values.reserve(count * n_samples());
    for (Index f = 0; f < count; ++f)
      for (const int n : order_)
        values.push_back(all[f * stride + n]);
    return values;
  }

  /// Packs tiles, 8 at a time. Every thread must use a reader of its own.
  class Reader {
  public:
    /// The number of tiles packed together: few enough to stay in cache.
    static constexpr Index group = 8;
    explicit Reader(const TileSource &source) : source_(source) {}
    /// Returns tile p, which is valid until the next call. Calls cost least if
    /// p increases.
    const double *operator()(Index p) {
      const Index size = source_.n_samples() * tile_width;
      if (first_ < 0 || p < first_ || p >= first_ + group)
        pack(p / group * group, size);
      return packed_.data() + (p - first_) * size;
    }

  private:
    void pack(Index first, Index size) {
      if (packed_.size() == 0)
        packed_ = AlignedBuffer<double>::uninitialised(group * size);
      const Index from = first * tile_width;
      pack_tiles(source_.x_, source_.order_, from,
                 std::min(group * tile_width, source_.n_features() - from),
                 packed_.data());
      first_ = first;
    }

    const TileSource &source_;
    Index first_ = -1;
    AlignedBuffer<double> packed_;
  };

private:
  ScaledView x_;
  Array<int> order_;
};

} // namespace hitmiss

#endif
