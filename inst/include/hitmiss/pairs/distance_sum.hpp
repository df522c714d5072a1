// Sums over features between blocks of samples, superblock by superblock.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_SUM_HPP
#define HITMISS_PAIRS_DISTANCE_SUM_HPP

#include <algorithm>
#include <limits>
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

/// May sums of |a - b| be made of 2 max(a, b) - a - b? On SSE2 that is faster;
/// where values have a large offset, digits are lost to it, which scaling takes
/// away. Not where no feature shows that the data were scaled.
inline bool adds_larger(const ScaledView &x, const FeatureList &features,
                        Metric metric, SimdLevel simd) {
  return HITMISS_X86 && simd == SimdLevel::baseline &&
         metric == Metric::manhattan &&
         std::any_of(features.begin(), features.end(), [&](Index j) {
           return x.scaling->center[j] != 0.0 || x.scaling->scale[j] != 1.0;
         });
}

/// Sums of a tile's values over features for each sample, by the kernel that
/// adds the larger values of pairs: those of equal samples are then equal to
/// the bit, and their distance is 0.
class OwnSums {
public:
  explicit OwnSums(Index n_samples) : sums_(round_up(n_samples, side) * side) {}

  /// Samples of a unit of row_block, which has the rest of the job from its
  /// caller.
  void add(DistanceJob<double> job, const TileRef<double> &tile, Index unit) {
    job.upper = false;
    job.row_begin = job.column_begin = 0;
    job.row_end = job.column_end = side;
    job.distance_stride = side;
    const Index begin = unit * row_block * side;
    const Index end = std::min(begin + row_block * side, sums_.size());
    for (Index at = begin; at < end; at += side * side) {
      job.rows = job.columns = tile;
      job.rows.values = job.columns.values = tile.sample(at / side);
      job.distances = sums_.data() + at;
      run_simd<DistanceKernel<double, Summand::larger>>(SimdLevel::baseline,
                                                        job);
    }
  }

  double operator[](Index n) const { return sums_[n * side + n % side]; }

private:
  static constexpr Index side = 4; ///< of the baseline's blocks
  AlignedBuffer<double> sums_;     ///< of pairs of neighbours, block by block
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
    const bool larger = adds_larger(columns_.x, features, metric_, simd_);
    if (larger) {
      own_columns_ = OwnSums(columns_.range.size());
      own_rows_ = OwnSums(same_ ? 0 : rows_.range.size());
    }
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
      const Index own = first < 0 || !larger ? 0 : units(columns_);
      const Index own_rows = own == 0 || same_ ? 0 : rows;
      const Index to_add = rows + own + own_rows;
      const Index after = std::min(first + step, total);
      next.features = features.data() + after;
      next.weights = weights.data() + after;
      next.count = std::min(step, total - after);
      runtime.for_each(to_add + next.n_tiles(), [&](Index unit, int) {
        if (unit < rows)
          add(now, unit, larger, distances);
        else if (unit < rows + own)
          add_own(now, now.columns, unit - rows, own_columns_);
        else if (unit < to_add)
          add_own(now, now.rows, unit - rows - own, own_rows_);
        else
          fill(next, unit - to_add, larger);
      });
      std::swap(now, next);
    }
    if (larger)
      runtime.for_each(units(rows_),
                       [&](Index unit, int) { finish(unit, distances); });
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

  void fill(Superblock &block, Index tile, bool larger) const {
    const Index f = tile * tile_features;
    const Index *features = block.features + f;
    const Index count = std::min(tile_features, block.count - f);
    block.columns.fill(tile, columns_.x, columns_.range, features, count,
                       simd_);
    if (larger)
      block.columns.weigh(tile, block.weights + f, count);
    if (same_)
      return;
    block.rows.fill(tile, rows_.x, rows_.range, features, count, simd_);
    if (larger)
      block.rows.weigh(tile, block.weights + f, count);
  }

  /// Calls work(job, t) for the tiles of a block, in order.
  template <class Work>
  static void for_tiles(const Superblock &block, DistanceJob<double> job,
                        Work work) {
    for (Index t = 0; t < block.n_tiles(); ++t) {
      const Index f = t * tile_features;
      job.weights = block.weights + f;
      job.n_features = std::min(tile_features, block.count - f);
      work(job, t);
    }
  }

  void add(const Superblock &block, Index unit, bool larger,
           PairMatrix<double> &distances) const {
    const PanelTiles &rows = same_ ? block.columns : block.rows;
    DistanceJob<double> all;
    all.row_begin = unit * row_block;
    all.row_end = std::min(all.row_begin + row_block, rows_.range.size());
    all.column_begin = same_ ? all.row_begin / 32 * 32 : 0;
    all.column_end = columns_.range.size();
    all.upper = same_;
    all.distances = distances.row(0);
    all.distance_stride = distances.stride();
    for_tiles(block, all, [&](DistanceJob<double> &job, Index t) {
      job.rows = rows.tile(t);
      job.columns = block.columns.tile(t);
      if (larger)
        run_simd<DistanceKernel<double, Summand::larger>>(simd_, job);
      else if (metric_ == Metric::manhattan)
        run_simd<DistanceKernel<double, Summand::difference>>(simd_, job);
      else
        run_simd<DistanceKernel<double, Summand::square>>(simd_, job);
    });
  }

  static void add_own(const Superblock &block, const PanelTiles &tiles,
                      Index unit, OwnSums &own) {
    for_tiles(block, {}, [&](DistanceJob<double> &job, Index t) {
      own.add(job, tiles.tile(t), unit);
    });
  }

  /// Sums of larger values become distances: the same from both sides.
  void finish(Index unit, PairMatrix<double> &distances) const {
    const OwnSums &own_rows = same_ ? own_columns_ : own_rows_;
    const Index begin = unit * row_block;
    for (Index n = begin; n < std::min(begin + row_block, rows_.range.size());
         ++n) {
      double *row = distances.row(n);
      for (Index i = same_ ? begin : 0; i < columns_.range.size(); ++i) {
        const double half =
            row[i] - (0.5 * own_rows[n] + 0.5 * own_columns_[i]);
        // Not a number: a value beyond the doubles.
        row[i] = half >= 0.0  ? 2.0 * half
                 : half < 0.0 ? 0.0
                              : std::numeric_limits<double>::infinity();
      }
    }
  }

  const BlockSide rows_, columns_;
  Metric metric_;
  SimdLevel simd_;
  bool same_;
  OwnSums own_columns_{0}, own_rows_{0}; ///< of larger values
};

} // namespace detail

} // namespace hitmiss

#endif
