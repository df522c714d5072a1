// Margins of all features from coefficients of pairs: one tile per unit.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_MARGINS_HPP
#define HITMISS_PAIRS_MARGINS_HPP

#include <algorithm>

#include "distances.hpp"
#include "expected_margin.hpp"
#include "margin_kernels.hpp"
#include "sparse_margins.hpp"

namespace hitmiss {

namespace detail {

/// Pairs of samples of a tile between two checkpoints: 20 ms or so.
constexpr Index slice_pairs = 1 << 22;

/// Calls work(first, count, fill) for tiles of `step` features, of all or at
/// places [first, first + count) of a list; fill() copies them into a scratch
/// tile of the thread, whose unused features are 0.
template <class T, class Work>
void for_each_tile(const ScaledView &x, const FeatureList *list, Index step,
                   Runtime &runtime, Work work) {
  const Index stride = tile_stride<T>(x.n_samples());
  const Index total = list ? list->size() : x.n_features();
  Array<AlignedBuffer<T>> tiles(runtime.threads());
  runtime.for_each((total + step - 1) / step, [&](Index unit, int thread) {
    const Index first = unit * step;
    const Index count = std::min(step, total - first);
    work(first, count, [&]() -> const T * {
      auto &tile = tiles[thread];
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

/// Calls work(first, count, group) for all features, feature_group at a time:
/// group[n * feature_group + f] is feature first + f of sample n, 0 beyond the
/// last feature. Advances the monitor by the number of features.
template <class Work>
void for_each_group(const ScaledView &x, Runtime &runtime, Work work) {
  const Index n = x.n_samples(), stride = tile_stride<double>(n);
  for_each_tile<double>(x, nullptr, feature_group, runtime,
                        [&](Index first, Index count, const auto &fill) {
                          const double *tile = fill();
                          AlignedBuffer<double> group(n * feature_group);
                          for (Index i = 0; i < n; ++i)
                            for (Index f = 0; f < feature_group; ++f)
                              group[i * feature_group + f] =
                                  tile[f * stride + i];
                          work(first, count, group.data());
                          runtime.monitor().advance(count);
                        });
}

/// All rows of a tile by a kernel, `step` (a multiple of `unit`) between two
/// checkpoints.
template <class Kernel, class Job>
void run_slices(SimdLevel simd, Job &job, Index unit, Runtime &runtime) {
  const Index n = job.n_samples, slice = round_up(slice_pairs / n + 1, unit);
  for (job.begin = 0; job.begin < n; job.begin = job.end) {
    job.end = std::min(job.begin + slice, n);
    run_simd<Kernel>(simd, job);
    runtime.checkpoint();
  }
}

} // namespace detail

/// g_j = sum_{n < i} S[n, i] |x_nj - x_ij| for every feature j. S is 0 on and
/// below the diagonal and in the padding; `sums` are those of its rows, S read
/// as symmetric. N^2 J / 2 pair features, less where features are sparse.
template <class T>
Array<double> pair_gradient(const ScaledView &x, const PairMatrix<T> &s,
                            const Array<double> &sums, SimdLevel simd,
                            Runtime &runtime) {
  constexpr Index step = 64;
  const Index n = x.n_samples();
  Array<double> gradient(x.n_features());
  FeatureList dense;
  const bool split = x.raw.sparse() != nullptr;
  if (split) {
    const auto parts = detail::split_features(x);
    detail::SparseGradient<T>(x, parts.sparse, s, sums).run(gradient, runtime);
    dense = parts.dense;
  }
  detail::for_each_tile<T>(
      x, split ? &dense : nullptr, step, runtime,
      [&](Index first, Index count, const auto &fill) {
        double sum[step] = {};
        GradientJob<T> job;
        job.tile = fill();
        job.stride = tile_stride<T>(n);
        job.n_features = round_up(count, 4);
        job.pairs = s.row(0);
        job.pair_stride = s.stride();
        job.n_samples = n;
        job.gradient = sum;
        detail::run_slices<GradientKernel<T>>(simd, job, 16, runtime);
        for (Index f = 0; f < count; ++f)
          gradient[split ? dense[first + f] : first + f] = sum[f];
      });
  return gradient;
}

/// Sorts features, those that sparse sums do not serve before the others.
/// Returns how many they are.
inline Index dense_first(const ScaledView &x, FeatureList &features) {
  std::sort(features.begin(), features.end());
  return std::stable_partition(
             features.begin(), features.end(),
             [&](Index j) { return !detail::is_sparse(x, j); }) -
         features.begin();
}

/// Columns z_j for some features, each padded to `stride` samples.
struct MarginColumns {
  AlignedBuffer<double> values;
  Index stride = 0;
  const double *operator[](Index k) const { return values.data() + k * stride; }
};

/// z_nj = sum_i C[n, i] |x_nj - x_ij| for the listed features, which it puts
/// into the order of the columns (dense_first). N^2 pair features each, less
/// where features are sparse.
inline MarginColumns margin_columns(const ScaledView &x, FeatureList &features,
                                    const ExpectedMargins &margins,
                                    SimdLevel simd, Runtime &runtime) {
  constexpr Index step = 16;
  const Index n = x.n_samples();
  const Index stride = tile_stride<double>(n);
  const Index dense = dense_first(x, features);
  const Index total = features.size();
  MarginColumns result;
  result.stride = padded_samples(n);
  result.values = AlignedBuffer<double>(round_up(total, step) * result.stride);
  runtime.for_parts(dense, step, [&](Index first, Index end) {
    const Index count = end - first;
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
    detail::run_slices<ColumnKernel<double>>(simd, job, 32, runtime);
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
inline Array<double> pair_list_margins(const ScaledView &x,
                                       const Array<WeightedPair> &pairs,
                                       SimdLevel simd, Runtime &runtime) {
  Array<double> margins(x.n_features());
  detail::for_each_group(
      x, runtime, [&](Index first, Index count, const double *group) {
        double sum[feature_group];
        run_simd<PairListKernel>(
            simd, PairListJob{group, pairs.data(), pairs.size(), sum});
        std::copy(sum, sum + count, margins.begin() + first);
      });
  return margins;
}

} // namespace hitmiss

#endif
