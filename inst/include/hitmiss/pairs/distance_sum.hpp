// Sums over features between blocks of samples, superblock by superblock.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_SUM_HPP
#define HITMISS_PAIRS_DISTANCE_SUM_HPP

#include <algorithm>
#include <utility>

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_kernel.hpp"
#include "panel_tiles.hpp"
#include "sparse_pairs.hpp"

namespace hitmiss {

namespace detail {

constexpr Index row_block = 32; // rows of distances per unit

/// The samples of one side of a block of pairs.
struct BlockSide {
  const ScaledView &x;
  SampleRange range;
};

/// A part of the features, and where its values go.
struct Superblock {
  const Index *features = nullptr;
  const double *weights = nullptr;
  Index count = 0;
  PanelTiles columns, rows;
  Index n_tiles() const { return (count + tile_features - 1) / tile_features; }
};

/// Memory of one sum at a time, for the next one: where features are few, fresh
/// pages would cost as much as the sum.
struct DistanceMemory {
  Superblock now, next;
};

/// Adds up distances (the squares of Euclidean ones) over listed features, a
/// superblock of tiles at a time: every block of rows runs over its tiles,
/// while those of the next superblock are copied.
class DistanceSum {
public:
  DistanceSum(const BlockSide &rows, const BlockSide &columns, Metric metric,
              SimdLevel simd)
      : rows_(rows), columns_(columns), metric_(metric), simd_(simd),
        same_(rows.x.raw.same_values(columns.x.raw) &&
              rows.range == columns.range) {}

  /// `distances` are 0 before.
  void run(const FeatureList &features, const Array<double> &weights,
           PairMatrix<double> &distances, DistanceMemory &memory,
           Runtime &runtime) {
    const Index total = features.size();
    // 2 MB for each of two superblocks.
    const Index budget = 1 << (same_ ? 18 : 17);
    const Index stride = padded_samples(columns_.range.size());
    const Index step =
        std::min(round_up(std::max<Index>(budget / stride, 1), tile_features),
                 round_up(total, tile_features));
    Superblock &now = memory.now, &next = memory.next;
    resize(now, total > step ? step : 0);
    resize(next, step);
    for (Index first = -step; first < total; first += step) {
      const Index rows = first < 0 ? 0 : units(rows_);
      const Index after = std::min(first + step, total);
      next.features = features.data() + after;
      next.weights = weights.data() + after;
      next.count = std::min(step, total - after);
      runtime.for_each(rows + next.n_tiles(), [&](Index unit, int) {
        if (unit < rows)
          add(now, unit, distances);
        else
          fill(next, unit - rows);
      });
      std::swap(now, next);
    }
  }

private:
  /// `rows` is empty where both are the same samples.
  void resize(Superblock &block, Index n_features) const {
    block.columns.resize(columns_.range.size(), n_features);
    block.rows.resize(rows_.range.size(), same_ ? 0 : n_features);
  }

  static Index units(const BlockSide &side) {
    return (side.range.size() + row_block - 1) / row_block;
  }

  void fill(Superblock &block, Index tile) const {
    const Index f = tile * tile_features;
    const Index *features = block.features + f;
    const Index count = std::min(tile_features, block.count - f);
    block.columns.fill(tile, columns_.x, columns_.range, features, count,
                       simd_);
    if (!same_)
      block.rows.fill(tile, rows_.x, rows_.range, features, count, simd_);
  }

  /// Calls work(job, t) for the tiles of a block, in order.
  template <class Work>
  static void for_tiles(const Superblock &block, DistanceJob job, Work work) {
    for (Index t = 0; t < block.n_tiles(); ++t) {
      const Index f = t * tile_features;
      job.weights = block.weights + f;
      job.n_features = std::min(tile_features, block.count - f);
      work(job, t);
    }
  }

  void add(const Superblock &block, Index unit,
           PairMatrix<double> &distances) const {
    const PanelTiles &rows = same_ ? block.columns : block.rows;
    DistanceJob all;
    all.row_begin = unit * row_block;
    all.row_end = std::min(all.row_begin + row_block, rows_.range.size());
    all.column_begin = same_ ? all.row_begin / 32 * 32 : 0;
    all.column_end = columns_.range.size();
    all.upper = same_;
    all.distances = distances.row(0);
    all.distance_stride = distances.stride();
    for_tiles(block, all, [&](DistanceJob &job, Index t) {
      job.rows = rows.tile(t);
      job.columns = block.columns.tile(t);
      if (metric_ == Metric::manhattan)
        run_simd<DistanceKernel<Metric::manhattan>>(simd_, job);
      else
        run_simd<DistanceKernel<Metric::euclidean>>(simd_, job);
    });
  }

  const BlockSide rows_, columns_;
  Metric metric_;
  SimdLevel simd_;
  bool same_;
};

} // namespace detail

} // namespace hitmiss

#endif
