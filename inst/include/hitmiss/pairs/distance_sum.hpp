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

/// Adds the distances (the squares of Euclidean ones) over listed features, a
/// superblock of tiles at a time: every block of rows runs over its tiles,
/// while those of the next superblock are copied.
class DistanceSum {
public:
  DistanceSum(const BlockSide &rows, const BlockSide &columns, Metric metric,
              SimdLevel simd)
      : rows_(rows), columns_(columns), metric_(metric), simd_(simd),
        same_(rows.x.raw.same_values(columns.x.raw) &&
              rows.range == columns.range) {}

  void run(const FeatureList &features, const Array<double> &weights,
           PairMatrix<double> &distances, Runtime &runtime) {
    const Index total = features.size();
    // 2 MB for each of two superblocks.
    const Index budget = 1 << (same_ ? 18 : 17);
    const Index stride = padded_samples(columns_.range.size());
    const Index step =
        std::min(round_up(std::max<Index>(budget / stride, 1), tile_features),
                 round_up(total, tile_features));
    const auto part = [&](Index first) {
      return Part{features.data() + first, weights.data() + first,
                  std::min(step, total - first)};
    };
    Block now(*this, total > step ? step : 0), next(*this, step);
    for (Index first = -step; first < total; first += step) {
      const Index to_add = first < 0 ? 0 : row_units();
      if (first + step < total)
        next.part = part(first + step);
      else
        next.part.count = 0;
      runtime.for_each(to_add + next.part.tiles(), [&](Index unit, int) {
        if (unit < to_add)
          add(now, unit, distances);
        else
          fill(next, unit - to_add);
      });
      std::swap(now, next);
    }
  }

private:
  struct Part {
    const Index *features = nullptr;
    const double *weights = nullptr;
    Index count = 0;
    Index tiles() const { return (count + tile_features - 1) / tile_features; }
  };

  /// One superblock; `rows` is empty where both are the same samples.
  struct Block {
    Block(const DistanceSum &sum, Index n_features)
        : columns(sum.columns_.range.size(), n_features),
          rows(sum.rows_.range.size(), sum.same_ ? 0 : n_features) {}
    Part part;
    PanelTiles columns, rows;
  };

  Index row_units() const {
    return (rows_.range.size() + row_block - 1) / row_block;
  }

  void fill(Block &block, Index tile) const {
    const Index f = tile * tile_features;
    const Index *features = block.part.features + f;
    const Index count = std::min(tile_features, block.part.count - f);
    block.columns.fill(tile, columns_.x, columns_.range, features, count,
                       simd_);
    if (!same_)
      block.rows.fill(tile, rows_.x, rows_.range, features, count, simd_);
  }

  void add(const Block &block, Index unit,
           PairMatrix<double> &distances) const {
    const PanelTiles &rows = same_ ? block.columns : block.rows;
    DistanceJob<double> job;
    job.row_begin = unit * row_block;
    job.row_end = std::min(job.row_begin + row_block, rows_.range.size());
    job.column_begin = same_ ? job.row_begin / 32 * 32 : 0;
    job.column_end = columns_.range.size();
    job.upper = same_;
    job.distances = distances.row(0);
    job.distance_stride = distances.stride();
    for (Index t = 0; t < block.part.tiles(); ++t) {
      const Index f = t * tile_features;
      job.rows = rows.tile(t);
      job.columns = block.columns.tile(t);
      job.weights = block.part.weights + f;
      job.n_features = std::min(tile_features, block.part.count - f);
      if (metric_ == Metric::manhattan)
        run_simd<DistanceKernel<double, Metric::manhattan>>(simd_, job);
      else
        run_simd<DistanceKernel<double, Metric::euclidean>>(simd_, job);
    }
  }

  const BlockSide rows_, columns_;
  Metric metric_;
  SimdLevel simd_;
  bool same_;
};

} // namespace detail

} // namespace hitmiss

#endif
