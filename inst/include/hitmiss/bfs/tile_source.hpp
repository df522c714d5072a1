// Tiles of all features, held in memory or packed again whenever they are
// read. SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_TILE_SOURCE_HPP
#define HITMISS_BFS_TILE_SOURCE_HPP

#include <algorithm>
#include <utility>

#include "packed_tiles.hpp"

namespace hitmiss {

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
