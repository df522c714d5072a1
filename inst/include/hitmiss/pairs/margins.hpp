// Margins of all features from coefficients of pairs: one tile per unit.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_MARGINS_HPP
#define HITMISS_PAIRS_MARGINS_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include "distances.hpp"
#include "margin_kernels.hpp"

namespace hitmiss {

namespace detail {

/// Pairs of samples of a tile between two checkpoints: 20 ms or so.
constexpr std::ptrdiff_t slice_pairs = std::ptrdiff_t(1) << 22;

/// Calls work(first, count, fill) for tiles of `step` features; fill() copies
/// them into a scratch tile of the lane, whose unused features are 0.
template <class T, class Work>
void for_each_tile(const ScaledView &x, std::ptrdiff_t step, Runtime &runtime,
                   Work work) {
  const std::ptrdiff_t stride = tile_stride<T>(x.n_samples());
  const std::ptrdiff_t n_tiles = (x.n_features() + step - 1) / step;
  std::vector<AlignedBuffer<T>> tiles(
      static_cast<std::size_t>(runtime.lanes()));
  runtime.for_each(n_tiles, [&](std::ptrdiff_t unit, int lane) {
    const std::ptrdiff_t first = unit * step;
    const std::ptrdiff_t count = std::min(step, x.n_features() - first);
    work(first, count, [&]() -> const T * {
      auto &tile = tiles[static_cast<std::size_t>(lane)];
      if (tile.size() == 0)
        tile = AlignedBuffer<T>(step * stride);
      copy_tile(x, first, count, tile.data(), stride);
      std::fill(tile.data() + count * stride, tile.data() + step * stride,
                T(0));
      return tile.data();
    });
  });
}

} // namespace detail

/// g_j = sum_{n < i} S[n, i] |x_nj - x_ij| for every feature j. S is 0 on and
/// below the diagonal and in the padding. N^2 J / 2 pair features.
template <class T>
std::vector<double> pair_gradient(const ScaledView &x, const PairMatrix<T> &s,
                                  SimdPath simd, Runtime &runtime) {
  constexpr std::ptrdiff_t step = 64;
  const std::ptrdiff_t n = x.n_samples();
  std::vector<double> gradient(static_cast<std::size_t>(x.n_features()));
  const std::vector<double> sums =
      x.raw.sparse() ? symmetric_sums(s) : std::vector<double>();
  detail::for_each_tile<T>(
      x, step, runtime,
      [&](std::ptrdiff_t first, std::ptrdiff_t count, const auto &fill) {
        if (detail::is_sparse(x, first, count)) {
          for (std::ptrdiff_t j = first; j < first + count; ++j)
            gradient[static_cast<std::size_t>(j)] =
                sparse_gradient(x, j, s, sums);
          return;
        }
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
        std::copy(sum, sum + count, gradient.begin() + first);
      });
  return gradient;
}

/// Sorts features, those that sparse sums do not serve before the others: then
/// one tile at most holds both kinds.
inline void dense_first(const ScaledView &x, FeatureList &features) {
  std::sort(features.begin(), features.end());
  std::stable_partition(
      features.begin(), features.end(),
      [&](std::ptrdiff_t j) { return !detail::is_sparse(x, j, 1); });
}

/// Columns z_j for some features, each padded to `stride` samples.
struct MarginColumns {
  AlignedBuffer<double> values;
  std::ptrdiff_t stride = 0;
  const double *operator[](std::ptrdiff_t k) const {
    return values.data() + k * stride;
  }
};

/// z_nj = sum_i C[n, i] |x_nj - x_ij| for the listed features, from the
/// transposed coefficients (padding 0). N^2 pair features each; where features
/// are stored sparsely, tiles of sparse ones alone cost less (dense_first).
inline MarginColumns margin_columns(const ScaledView &x,
                                    const FeatureList &features,
                                    const PairMatrix<double> &transposed,
                                    SimdPath simd, Runtime &runtime) {
  constexpr std::ptrdiff_t step = 16;
  const std::ptrdiff_t n = x.n_samples();
  const std::ptrdiff_t stride = tile_stride<double>(n);
  const auto total = static_cast<std::ptrdiff_t>(features.size());
  MarginColumns result;
  result.stride = padded_samples(n);
  result.values = AlignedBuffer<double>(round_up(total, step) * result.stride);
  const auto sums =
      x.raw.sparse() ? column_sums(transposed) : std::vector<double>();
  runtime.for_each((total + step - 1) / step, [&](std::ptrdiff_t unit, int) {
    const std::ptrdiff_t first = unit * step;
    const std::ptrdiff_t *list = features.data() + first;
    const std::ptrdiff_t count = std::min(step, total - first);
    if (std::all_of(list, list + count, [&](std::ptrdiff_t j) {
          return detail::is_sparse(x, j, 1);
        })) {
      for (std::ptrdiff_t k = 0; k < count; ++k)
        sparse_margins(x, list[k], transposed, sums,
                       result.values.data() + (first + k) * result.stride);
      return;
    }
    AlignedBuffer<double> tile(step * stride);
    copy_features(x, list, count, tile.data(), stride);
    ColumnJob<double> job;
    job.tile = tile.data();
    job.stride = stride;
    job.n_features = step;
    job.transposed = transposed.row(0);
    job.pair_stride = transposed.stride();
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
  return result;
}

/// m_j = sum over the list of coefficient |x_first,j - x_second,j| for every
/// feature j; advances the monitor by J. O(J (N + list)).
inline std::vector<double>
pair_list_margins(const ScaledView &x, const std::vector<WeightedPair> &pairs,
                  SimdPath simd, Runtime &runtime) {
  constexpr std::ptrdiff_t group_size = PairListKernel::group_size;
  const std::ptrdiff_t n = x.n_samples();
  const std::ptrdiff_t stride = tile_stride<double>(n);
  std::vector<double> margins(static_cast<std::size_t>(x.n_features()));
  detail::for_each_tile<double>(
      x, group_size, runtime,
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
