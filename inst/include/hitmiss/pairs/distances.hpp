// Weighted distances between all pairs of samples, tile by tile.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCES_HPP
#define HITMISS_PAIRS_DISTANCES_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "distance_kernel.hpp"
#include "panel_tiles.hpp"
#include "sparse_pairs.hpp"

namespace hitmiss {

namespace detail {

constexpr std::ptrdiff_t row_block = 32; // rows of distances per unit

/// Adds the distances over listed features, a superblock of tiles at a time:
/// every block of rows runs over its tiles, while those of the next superblock
/// are copied.
class DistanceSum {
public:
  DistanceSum(const ScaledView &rows, const ScaledView &columns, Metric metric,
              SimdPath simd)
      : rows_(rows), columns_(columns), metric_(metric), simd_(simd),
        same_(rows.raw.same_values(columns.raw)) {}

  void run(const FeatureList &features, const std::vector<double> &weights,
           PairMatrix<double> &distances, Runtime &runtime) {
    const auto total = static_cast<std::ptrdiff_t>(features.size());
    constexpr std::ptrdiff_t budget = std::ptrdiff_t(1) << 18; // 2 MB
    const std::ptrdiff_t stride = padded_samples(columns_.n_samples());
    const std::ptrdiff_t step = std::min(
        round_up(std::max<std::ptrdiff_t>(budget / stride, 1), tile_features),
        round_up(total, tile_features));
    const auto part = [&](std::ptrdiff_t first) {
      return Part{features.data() + first, weights.data() + first,
                  std::min(step, total - first)};
    };
    Block now(*this, total > step ? step : 0), next(*this, step);
    for (std::ptrdiff_t first = -step; first < total; first += step) {
      const std::ptrdiff_t to_add = first < 0 ? 0 : row_units();
      if (first + step < total)
        next.part = part(first + step);
      else
        next.part.count = 0;
      runtime.for_each(to_add + next.part.tiles(),
                       [&](std::ptrdiff_t unit, int) {
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
    const std::ptrdiff_t *features = nullptr;
    const double *weights = nullptr;
    std::ptrdiff_t count = 0;
    std::ptrdiff_t tiles() const {
      return (count + tile_features - 1) / tile_features;
    }
  };

  /// One superblock; `rows` is empty where both are the same samples.
  struct Block {
    Block(const DistanceSum &sum, std::ptrdiff_t n_features)
        : columns(sum.columns_.n_samples(), n_features),
          rows(sum.rows_.n_samples(), sum.same_ ? 0 : n_features) {}
    Part part;
    PanelTiles columns, rows;
  };

  std::ptrdiff_t row_units() const {
    return (rows_.n_samples() + row_block - 1) / row_block;
  }

  void fill(Block &block, std::ptrdiff_t tile) const {
    const std::ptrdiff_t f = tile * tile_features;
    const std::ptrdiff_t *features = block.part.features + f;
    const std::ptrdiff_t count = std::min(tile_features, block.part.count - f);
    block.columns.fill(tile, columns_, features, count, simd_);
    if (!same_)
      block.rows.fill(tile, rows_, features, count, simd_);
  }

  void add(const Block &block, std::ptrdiff_t unit,
           PairMatrix<double> &distances) const {
    const PanelTiles &rows = same_ ? block.columns : block.rows;
    DistanceJob<double> job;
    job.row_begin = unit * row_block;
    job.row_end = std::min(job.row_begin + row_block, rows_.n_samples());
    job.column_begin = same_ ? job.row_begin / 32 * 32 : 0;
    job.column_end = columns_.n_samples();
    job.upper = same_;
    job.distances = distances.row(0);
    job.distance_stride = distances.stride();
    for (std::ptrdiff_t t = 0; t < block.part.tiles(); ++t) {
      const std::ptrdiff_t f = t * tile_features;
      job.rows = rows.tile(t);
      job.columns = block.columns.tile(t);
      job.weights = block.part.weights + f;
      job.n_features = std::min(tile_features, block.part.count - f);
      if (metric_ == Metric::manhattan)
        run_simd<DistanceKernel<double, Metric::manhattan>>(simd_, job);
      else
        run_simd<DistanceKernel<double, Metric::squared>>(simd_, job);
    }
  }

  const ScaledView &rows_;
  const ScaledView &columns_;
  Metric metric_;
  SimdPath simd_;
  bool same_;
};

/// Features that count: a positive weight, and some spread.
inline FeatureList weighted_features(const ScaledView &x,
                                     const std::vector<double> &weights) {
  FeatureList features;
  for (std::ptrdiff_t j = 0; j < x.n_features(); ++j)
    if (weights[static_cast<std::size_t>(j)] > 0.0 && !x.is_constant(j))
      features.push_back(j);
  return features;
}

inline std::vector<double> gather(const std::vector<double> &values,
                                  const FeatureList &at) {
  std::vector<double> result;
  result.reserve(at.size());
  for (const std::ptrdiff_t j : at)
    result.push_back(values[static_cast<std::size_t>(j)]);
  return result;
}

inline void mirror(PairMatrix<double> &pairs, Runtime &runtime) {
  constexpr std::ptrdiff_t block = 64;
  const std::ptrdiff_t n = pairs.n_rows();
  runtime.for_each((n + block - 1) / block, [&](std::ptrdiff_t unit, int) {
    const std::ptrdiff_t end = std::min((unit + 1) * block, n);
    for (std::ptrdiff_t c = 0; c < end; c += block)
      for (std::ptrdiff_t row = unit * block; row < end; ++row)
        for (std::ptrdiff_t i = c; i < std::min(c + block, row); ++i)
          pairs.row(row)[i] = pairs.row(i)[row];
  });
}

} // namespace detail

/// The distances of sample_distances() in the upper triangle of a matrix, in
/// place of what it held; the rest is unspecified.
inline void upper_distances(const ScaledView &x,
                            const std::vector<double> &weights, Metric metric,
                            SimdPath simd, PairMatrix<double> &distances,
                            Runtime &runtime) {
  const std::ptrdiff_t n = x.n_samples();
  runtime.for_each((n + detail::row_block - 1) / detail::row_block,
                   [&](std::ptrdiff_t unit, int) {
                     const std::ptrdiff_t begin = unit * detail::row_block;
                     for (std::ptrdiff_t i = begin;
                          i < std::min(begin + detail::row_block, n); ++i)
                       std::fill(distances.row(i) + begin,
                                 distances.row(i) + distances.stride(), 0.0);
                   });
  FeatureList features = detail::weighted_features(x, weights);
  auto listed = detail::gather(weights, features);
  add_sparse_distances(x, metric, features, listed, distances, runtime);
  detail::DistanceSum(x, x, metric, simd)
      .run(features, listed, distances, runtime);
}

/// d(n, i) = sum_j w_j |x_nj - x_ij| (Metric::squared: squared differences) for
/// all pairs of samples; features with w_j <= 0 and constant ones are skipped.
/// Symmetric, diagonal 0, padding unspecified. N^2 J / 2 pair features; memory
/// N^2 doubles and 4 MB.
inline PairMatrix<double> sample_distances(const ScaledView &x,
                                           const std::vector<double> &weights,
                                           Metric metric, SimdPath simd,
                                           Runtime &runtime) {
  PairMatrix<double> distances(x.n_samples(), x.n_samples());
  upper_distances(x, weights, metric, simd, distances, runtime);
  detail::mirror(distances, runtime);
  return distances;
}

/// The same between other samples (rows) and training samples (columns). Both
/// are scaled alike and have the same features.
inline PairMatrix<double> cross_distances(const ScaledView &queries,
                                          const ScaledView &x,
                                          const std::vector<double> &weights,
                                          Metric metric, SimdPath simd,
                                          Runtime &runtime) {
  PairMatrix<double> distances(queries.n_samples(), x.n_samples());
  const FeatureList features = detail::weighted_features(x, weights);
  detail::DistanceSum(queries, x, metric, simd)
      .run(features, detail::gather(weights, features), distances, runtime);
  return distances;
}

/// What the kernel summed, as distances: the root of sums of squares. Keys of
/// neighbours are of these: squared, near ones would fall into one key.
inline void finish_distances(PairMatrix<double> &distances, Metric metric,
                             Runtime &runtime) {
  if (metric != Metric::squared)
    return;
  runtime.for_each(distances.n_rows(), [&](std::ptrdiff_t n, int) {
    double *row = distances.row(n);
    for (std::ptrdiff_t i = 0; i < distances.n_columns(); ++i)
      row[i] = std::sqrt(row[i]);
  });
}

} // namespace hitmiss

#endif
