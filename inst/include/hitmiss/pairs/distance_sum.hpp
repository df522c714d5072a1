// Adds up distances between two ranges of samples, a run of tiles at a time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_SUM_HPP
#define HITMISS_PAIRS_DISTANCE_SUM_HPP

#include <algorithm>
#include <utility>

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_kernel.hpp"
#include "sparse_distances.hpp"
#include "strip_tiles.hpp"

namespace hitmiss::detail {

constexpr Index row_part = 32; // rows of distances per unit

/// The samples on one side (rows or columns) of a part of the pairs.
struct PairSide {
  const ScaledView &x;
  SampleRange range;
};

/// A run of tiles: some features, their weights, their values on both sides.
struct TileRun {
  const Index *features = nullptr;
  const double *weights = nullptr, *gaps = nullptr;
  Index count = 0;
  StripTiles columns, rows;
  Index n_tiles() const { return (count + tile_features - 1) / tile_features; }
};

/// Adds up distances (the squares of Euclidean ones) over listed features, a
/// run of tiles at a time. Some units of work add one run to the distances of a
/// few rows each, while other units copy the tiles of the next run. Counts
/// progress in pair features (pairs of samples x features).
class DistanceSum {
public:
  DistanceSum(const PairSide &rows, const PairSide &columns, Metric metric,
              SimdLevel simd)
      : rows_(rows), columns_(columns), metric_(metric), simd_(simd),
        same_(rows.x.raw.same_values(columns.x.raw) &&
              rows.range == columns.range) {}

  /// `distances` must be 0 before the first call. `weights` and `gaps` have one
  /// entry per listed feature; `gaps` (see missing_gaps()) may be nullptr if no
  /// value of these features is missing.
  void run(const FeatureList &features, const Array<double> &weights,
           const double *gaps, PairMatrix<double> &distances,
           Runtime &runtime) const {
    const Index total = features.size();
    // Each of the two runs takes 2 MB, or one tile per side if this is more.
    const Index budget = 1 << (same_ ? 18 : 17);
    const Index stride = padded_samples(columns_.range.size());
    const Index step =
        std::min(round_up(std::max<Index>(budget / stride, 1), tile_features),
                 round_up(total, tile_features));
    TileRun now, next;
    resize(now, total > step ? step : 0);
    resize(next, step);
    for (Index first = -step; first < total; first += step) {
      const Index rows = first < 0 ? 0 : units(rows_);
      const Index after = std::min(first + step, total);
      next.features = features.data() + after;
      next.weights = weights.data() + after;
      next.gaps = gaps == nullptr ? nullptr : gaps + after;
      next.count = std::min(step, total - after);
      runtime.for_each(rows + next.n_tiles(), [&](Index unit, int) {
        if (unit < rows)
          add(now, unit, distances);
        else
          fill(next, unit - rows);
      });
      if (first >= 0)
        runtime.advance(n_pairs() * std::min(step, total - first));
      std::swap(now, next);
    }
  }

  /// The number of pairs of samples for which sums are formed.
  Index n_pairs() const {
    const Index all = rows_.range.size() * columns_.range.size();
    return same_ ? all / 2 : all;
  }

private:
  /// `run.rows` stays empty if rows and columns are the same samples.
  void resize(TileRun &run, Index n_features) const {
    run.columns.resize(columns_.range.size(), n_features);
    run.rows.resize(rows_.range.size(), same_ ? 0 : n_features);
  }

  static Index units(const PairSide &side) {
    return (side.range.size() + row_part - 1) / row_part;
  }

  void fill(TileRun &run, Index tile) const {
    const Index f = tile * tile_features;
    const Index *features = run.features + f;
    const Index count = std::min(tile_features, run.count - f);
    run.columns.fill(tile, columns_.x, columns_.range, features, count, simd_);
    if (!same_)
      run.rows.fill(tile, rows_.x, rows_.range, features, count, simd_);
  }

  void add(const TileRun &run, Index unit,
           PairMatrix<double> &distances) const {
    const StripTiles &rows = same_ ? run.columns : run.rows;
    DistanceJob job;
    job.row_begin = unit * row_part;
    job.row_end = std::min(job.row_begin + row_part, rows_.range.size());
    job.column_begin = same_ ? job.row_begin / 32 * 32 : 0;
    job.column_end = columns_.range.size();
    job.upper = same_;
    job.distances = distances.row(0);
    job.distance_stride = distances.stride();
    for (Index t = 0; t < run.n_tiles(); ++t) {
      const Index f = t * tile_features;
      job.weights = run.weights + f;
      job.gaps = run.gaps == nullptr ? nullptr : run.gaps + f;
      job.n_features = std::min(tile_features, run.count - f);
      job.rows = rows.tile(t);
      job.columns = run.columns.tile(t);
      if (metric_ == Metric::manhattan)
        add_tile<Metric::manhattan>(run, job);
      else
        add_tile<Metric::euclidean>(run, job);
    }
  }

  template <Metric metric>
  void add_tile(const TileRun &run, const DistanceJob &job) const {
    if (run.gaps == nullptr)
      run_simd<DistanceKernel<metric>>(simd_, job);
    else
      run_simd<DistanceKernel<metric, true>>(simd_, job);
  }

  const PairSide rows_, columns_;
  Metric metric_;
  SimdLevel simd_;
  bool same_;
};

} // namespace hitmiss::detail

#endif
