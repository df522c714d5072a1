// Margins of all features from coefficients of pairs: one tile per unit.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_MARGINS_HPP
#define HITMISS_PAIRS_MARGINS_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include "distances.hpp"
#include "expected_margin.hpp"
#include "margin_kernels.hpp"
#include "sparse_margins.hpp"

namespace hitmiss {

namespace detail {

/// Pairs of samples of a tile between two checkpoints: 20 ms or so.
constexpr std::ptrdiff_t slice_pairs = std::ptrdiff_t(1) << 22;

/// Calls work(first, count, fill) for tiles of `step` features, of all or at
/// places [first, first + count) of a list; fill() copies them into a scratch
/// tile of the thread, whose unused features are 0.
template <class T, class Work>
void for_each_tile(const ScaledView &x, const FeatureList *list,
                   std::ptrdiff_t step, Runtime &runtime, Work work) {
  const std::ptrdiff_t stride = tile_stride<T>(x.n_samples());
  const std::ptrdiff_t total =
      list ? static_cast<std::ptrdiff_t>(list->size()) : x.n_features();
  std::vector<AlignedBuffer<T>> tiles(
      static_cast<std::size_t>(runtime.threads()));
  runtime.for_each(
      (total + step - 1) / step, [&](std::ptrdiff_t unit, int thread) {
        const std::ptrdiff_t first = unit * step;
        const std::ptrdiff_t count = std::min(step, total - first);
        work(first, count, [&]() -> const T * {
          auto &tile = tiles[static_cast<std::size_t>(thread)];
          if (tile.size() == 0)
            tile = AlignedBuffer<T>(step * stride);
          if (list)
            copy_features(x, list->data() + first, count, tile.data(), stride);
          else
            copy_tile(x, first, count, tile.data(), stride);
          std::fill(tile.data() + count * stride, tile.data() + step * stride,
                    T(0));
          return tile.data();
        });
      });
}

} // namespace detail

/// g_j = sum_{n < i} S[n, i] |x_nj - x_ij| for every feature j. S is 0 on and
/// below the diagonal and in the padding; `sums` are those of its rows, S read
/// as symmetric. N^2 J / 2 pair features, less where features are sparse.
template <class T>
std::vector<double> pair_gradient(const ScaledView &x, const PairMatrix<T> &s,
                                  const std::vector<double> &sums,
                                  SimdLevel simd, Runtime &runtime) {
  constexpr std::ptrdiff_t step = 64;
  const std::ptrdiff_t n = x.n_samples();
  std::vector<double> gradient(static_cast<std::size_t>(x.n_features()));
  FeatureList dense;
  const bool split = x.raw.sparse() != nullptr;
  if (split) {
    const auto parts = detail::split_features(x);
    detail::SparseGradient<T>(x, parts.sparse, s, sums).run(gradient, runtime);
    dense = parts.dense;
  }
  detail::for_each_tile<T>(
      x, split ? &dense : nullptr, step, runtime,
      [&](std::ptrdiff_t first, std::ptrdiff_t count, const auto &fill) {
        double sum[step] = {};
        GradientJob<T> job;
        job.tile = fill();
        job.stride = tile_stride<T>(n);
        job.n_features = round_up(count, 4);
        job.pairs = s.row(0);
        job.pair_stride = s.stride();
        job.n_samples = n;
        job.gradient = sum;
        const std::ptrdiff_t slice = round_up(detail::slice_pairs / n + 1, 16);
        for (job.begin = 0; job.begin < n; job.begin = job.end) {
          job.end = std::min(job.begin + slice, n);
          run_simd<GradientKernel<T>>(simd, job);
          runtime.checkpoint();
        }
        for (std::ptrdiff_t f = 0; f < count; ++f)
          gradient[static_cast<std::size_t>(
              split ? dense[static_cast<std::size_t>(first + f)] : first + f)] =
              sum[f];
      });
  return gradient;
}

/// Sorts features, those that sparse sums do not serve before the others.
/// Returns how many they are.
inline std::ptrdiff_t dense_first(const ScaledView &x, FeatureList &features) {
  std::sort(features.begin(), features.end());
  return std::stable_partition(
             features.begin(), features.end(),
             [&](std::ptrdiff_t j) { return !detail::is_sparse(x, j); }) -
         features.begin();
}

/// Columns z_j for some features, each padded to `stride` samples.
struct MarginColumns {
  AlignedBuffer<double> values;
  std::ptrdiff_t stride = 0;
  const double *operator[](std::ptrdiff_t k) const {
    return values.data() + k * stride;
  }
};

/// z_nj = sum_i C[n, i] |x_nj - x_ij| for the listed features, which it puts
/// into the order of the columns (dense_first). N^2 pair features each, less
/// where features are sparse.
inline MarginColumns margin_columns(const ScaledView &x, FeatureList &features,
                                    const ExpectedMargins &margins,
                                    SimdLevel simd, Runtime &runtime) {
  constexpr std::ptrdiff_t step = 16;
  const std::ptrdiff_t n = x.n_samples();
  const std::ptrdiff_t stride = tile_stride<double>(n);
  const std::ptrdiff_t dense = dense_first(x, features);
  const auto total = static_cast<std::ptrdiff_t>(features.size());
  MarginColumns result;
  result.stride = padded_samples(n);
  result.values = AlignedBuffer<double>(round_up(total, step) * result.stride);
  runtime.for_each((dense + step - 1) / step, [&](std::ptrdiff_t unit, int) {
    const std::ptrdiff_t first = unit * step;
    const std::ptrdiff_t count = std::min(step, dense - first);
    AlignedBuffer<double> tile(step * stride);
    copy_features(x, features.data() + first, count, tile.data(), stride);
    ColumnJob<double> job;
    job.tile = tile.data();
    job.stride = stride;
    job.n_features = round_up(count, 4);
    job.nearness = margins.column(0);
    job.pair_stride = margins.nearness.stride();
    job.labels = margins.labels.data();
    job.hit = margins.hit.data();
    job.miss = margins.miss.data();
    job.n_samples = n;
    job.columns = result.values.data() + first * result.stride;
    job.column_stride = result.stride;
    const std::ptrdiff_t slice = round_up(detail::slice_pairs / n + 1, 32);
    for (job.begin = 0; job.begin < n; job.begin = job.end) {
      job.end = std::min(job.begin + slice, n);
      run_simd<ColumnKernel<double>>(simd, job);
      runtime.checkpoint();
    }
  });
  // The tiles write whole groups of four columns.
  double *sparse = result.values.data() + dense * result.stride;
  std::fill(sparse, sparse + (round_up(dense, 4) - dense) * result.stride, 0.0);
  sparse_margins(x, {features.begin() + dense, features.end()}, margins, sparse,
                 result.stride, simd, runtime);
  return result;
}

/// m_j = sum over the list of coefficient |x_first,j - x_second,j| for every
/// feature j; advances the monitor by J. O(J (N + list)).
inline std::vector<double>
pair_list_margins(const ScaledView &x, const std::vector<WeightedPair> &pairs,
                  SimdLevel simd, Runtime &runtime) {
  constexpr std::ptrdiff_t group_size = PairListKernel::group_size;
  const std::ptrdiff_t n = x.n_samples();
  const std::ptrdiff_t stride = tile_stride<double>(n);
  std::vector<double> margins(static_cast<std::size_t>(x.n_features()));
  detail::for_each_tile<double>(
      x, nullptr, group_size, runtime,
      [&](std::ptrdiff_t first, std::ptrdiff_t count, const auto &fill) {
        const double *tile = fill();
        AlignedBuffer<double> group(n * group_size);
        for (std::ptrdiff_t i = 0; i < n; ++i)
          for (std::ptrdiff_t f = 0; f < group_size; ++f)
            group[i * group_size + f] = tile[f * stride + i];
        double sum[group_size];
        PairListJob job;
        job.group = group.data();
        job.pairs = pairs.data();
        job.n_pairs = pairs.size();
        job.margin = sum;
        run_simd<PairListKernel>(simd, job);
        std::copy(sum, sum + count, margins.begin() + first);
        runtime.monitor().advance(count);
      });
  return margins;
}

} // namespace hitmiss

#endif
