// Scaled training data repacked once for products: tiles of 16 features.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_PACKED_TILES_HPP
#define HITMISS_BFS_PACKED_TILES_HPP

#include <algorithm>
#include <utility>

#include "../data/feature_tile.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"

namespace hitmiss {

/// Features side by side in one tile: two of the widest vectors of double.
constexpr Index tile_width = 16;

/// Packs features [first, first + count) of the samples `order` of `x` into
/// whole tiles from `to` on, `first` a multiple of 16. Lanes beyond the last
/// feature are 0.
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

/// n_samples x n_features doubles; tile p holds features 16 p ... 16 p + 15,
/// sample by sample: tile(p)[a * 16 + lane]. Lanes beyond the last feature
/// are 0. Owns its memory, as much as the input read as doubles.
class PackedTiles {
public:
  PackedTiles() = default;
  /// Features to be filled in by the caller; the last tile is 0.
  PackedTiles(Index n_samples, Index n_features)
      : n_samples_(n_samples), n_features_(n_features),
        values_(AlignedBuffer<double>::uninitialised(
            n_samples * round_up(n_features, tile_width))) {
    const Index last = n_samples * tile_width;
    if (n_features > 0)
      std::fill_n(values_.data() + values_.size() - last, last, 0.0);
  }

  /// Copies the samples `order` of `x`, in that order. O(samples features).
  PackedTiles(const ScaledView &x, const Array<int> &order, Runtime &runtime)
      : n_samples_(order.size()), n_features_(x.n_features()),
        values_(AlignedBuffer<double>::uninitialised(
            n_samples_ * round_up(n_features_, tile_width))) {
    runtime.for_parts(n_features_, 8 * tile_width, [&](Index first, Index end) {
      pack_tiles(x, order, first, end - first,
                 values_.data() + first * n_samples_);
    });
  }

  Index n_samples() const { return n_samples_; }
  Index n_features() const { return n_features_; }
  Index n_tiles() const { return (n_features_ + tile_width - 1) / tile_width; }
  const double *tile(Index p) const {
    return values_.data() + p * n_samples_ * tile_width;
  }
  double operator()(Index sample, Index feature) const {
    return values_[at(sample, feature)];
  }
  double &operator()(Index sample, Index feature) {
    return values_[at(sample, feature)];
  }

private:
  Index at(Index sample, Index feature) const {
    return (feature / tile_width * n_samples_ + sample) * tile_width +
           feature % tile_width;
  }

  Index n_samples_ = 0;
  Index n_features_ = 0;
  AlignedBuffer<double> values_;
};

/// The samples `order` of `x`, in that order. Held: one copy of x. Not held:
/// nothing but what a Reader has at hand, the same numbers.
class TileSource {
public:
  TileSource() = default;
  TileSource(const ScaledView &x, Array<int> order, bool hold, Runtime &runtime)
      : x_(x), order_(std::move(order)), n_features_(x.n_features()) {
    if (hold)
      held_ = PackedTiles(x, order_, runtime);
  }

  Index n_samples() const { return order_.size(); }
  Index n_features() const { return n_features_; }
  Index n_tiles() const { return (n_features_ + tile_width - 1) / tile_width; }

  bool is_held() const { return held_.n_features() > 0; }
  /// All tiles, if they are held.
  const PackedTiles &held() const { return held_; }

  /// The samples of one feature.
  Array<double> feature(Index j) const {
    Array<double> values(order_.size());
    if (is_held()) {
      for (Index a = 0; a < values.size(); ++a)
        values[a] = held_(a, j);
      return values;
    }
    Array<double> all(x_.n_samples());
    copy_tile(x_, j, 1, all.data(), x_.n_samples());
    for (Index a = 0; a < values.size(); ++a)
      values[a] = all[order_[a]];
    return values;
  }

  /// Reads tiles, a group at a time; one for each thread.
  class Reader {
  public:
    /// Tiles that are packed together: they stay in fast memory.
    static constexpr Index group = 8;

    explicit Reader(const TileSource &source) : source_(source) {}

    /// Tile p, valid until the next call. Cheapest in increasing order.
    const double *operator()(Index p) {
      if (source_.is_held())
        return source_.held_.tile(p);
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
                 std::min(group * tile_width, source_.n_features_ - from),
                 packed_.data());
      first_ = first;
    }

    const TileSource &source_;
    Index first_ = -1;
    AlignedBuffer<double> packed_;
  };

private:
  ScaledView x_{};
  Array<int> order_;
  Index n_features_ = 0;
  PackedTiles held_;
};

} // namespace hitmiss

#endif
