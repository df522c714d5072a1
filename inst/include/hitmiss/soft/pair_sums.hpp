// Sums over pairs of samples for all features; a unit of work is one tile.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOFT_PAIR_SUMS_HPP
#define HITMISS_SOFT_PAIR_SUMS_HPP

#include <algorithm>

#include "../pairs/bytes_needed.hpp"
#include "../pairs/for_each_tile.hpp"
#include "pair_sum_kernels.hpp"
#include "soft_neighbours.hpp"
#include "sparse_pair_sums.hpp"

namespace hitmiss {

namespace detail {

/// The number of pairs of samples between two checkpoints: 20 ms or so for a
/// tile.
constexpr Index slice_pairs = 1 << 22;

/// Returns the number of rows of S (SoftNeighbours::symmetric()) that are in
/// memory together: as many as 32 MB of floats hold, at least 32.
inline Index gradient_rows(Index n_samples) {
  constexpr Index pairs = 1 << 23;
  const Index stride = padded_samples(std::max<Index>(n_samples, 1));
  return std::min(stride, std::max<Index>(pairs / stride / 32 * 32, 32));
}

/// Bytes for passes over SoftNeighbours by rows: rows of distances and the
/// tiles that they are measured in, for every thread; the rows of S that are in
/// memory together, as doubles; for sparse data, two copies of the values and
/// one of their places.
inline double margin_bytes(const FitSize &size) {
  const double n = padded(size.n_samples);
  const double unit = std::min(n, static_cast<double>(wide_unit));
  return 24.0 * size.nonzeros +
         size.threads * (8.0 * unit * n + 2.0 * tile_run_bytes(size, n) +
                         2.0 * tile_run_bytes(size, unit)) +
         8.0 * n * static_cast<double>(gradient_rows(whole_samples(size)));
}

/// Adds the sums over `rows` of S, which are the first rows of `s`, to
/// `gradient`. If tiles are few, the rows are divided among units as well. The
/// units depend on the data alone, so that threads change no bit of the sums.
template <class T>
void add_gradient(const ScaledView &x, const FeatureList &list,
                  const PairMatrix<T> &s, const SampleRange &rows,
                  SimdLevel simd, Array<double> &gradient, Runtime &runtime) {
  constexpr Index step = 64, enough_units = 64, least_rows = 256;
  const Index n = x.n_samples();
  const Index total = list.size();
  const Index tiles = (total + step - 1) / step;
  const Index all_tiles =
      std::max<Index>((x.n_features() + step - 1) / step, 1);
  const Index wanted = (enough_units + all_tiles - 1) / all_tiles;
  const Index part_rows =
      std::max(round_up((rows.size() + wanted - 1) / wanted, 16), least_rows);
  const Index parts = (rows.size() + part_rows - 1) / part_rows;
  Array<double> sums(tiles * parts * step, 0.0);
  for_each_tile_part<T>(
      x, list, step, parts, runtime,
      [&](Index first, Index count, Index part, const auto &fill) {
        GradientJob<T> job;
        job.tile = fill();
        job.stride = tile_stride<T>(n);
        job.n_features = round_up(count, 4);
        job.pairs = s.row(0);
        job.pair_stride = s.stride();
        job.first = rows.begin;
        job.n_samples = n;
        job.gradient = sums.data() + (first / step * parts + part) * step;
        const Index slice = round_up(slice_pairs / n + 1, 16);
        const Index begin = rows.begin + part * part_rows;
        const Index end = std::min(begin + part_rows, rows.end);
        for (job.begin = begin; job.begin < end; job.begin = job.end) {
          job.end = std::min(job.begin + slice, end);
          run_simd<GradientKernel<T>>(simd, job);
          runtime.checkpoint();
        }
        // Half of the pairs of a row have i > n, and only these are counted as
        // progress.
        runtime.advance(count * n * (end - begin) / 2);
      });
  for (Index f = 0; f < total; ++f)
    for (Index part = 0; part < parts; ++part)
      gradient[list[f]] += sums[(f / step * parts + part) * step + f % step];
}

} // namespace detail

/// g_j = sum_n r_n z_nj for every feature j, z_nj its margins: a sum over S of
/// SoftNeighbours::symmetric() in the precision of T. Time: N^2 J / 2 pair
/// features, fewer if features are sparse. `s` is scratch memory; its number of
/// rows is that of S held at a time; an empty `s` gets gradient_rows() rows.
/// Callers should pass the same `s` again: fresh pages take as long as a pass.
template <class T>
Array<double> pair_gradient(const ScaledView &x, const SoftNeighbours &margins,
                            const Array<double> &r, PairMatrix<T> &s,
                            SimdLevel simd, Runtime &runtime) {
  const Index n = x.n_samples();
  if (s.n_columns() != n || s.n_rows() < 32)
    s = PairMatrix<T>(detail::gradient_rows(n), n);
  const Index step = s.n_rows() / 32 * 32;
  Array<double> gradient(x.n_features(), 0.0);
  const auto parts = detail::split_features(x);
  detail::SparseGradient<T> sparse(x, parts.sparse);
  for (Index first = 0; first < n; first += step) {
    const SampleRange part{first, std::min(first + step, n)};
    margins.symmetric(r, part, s, runtime);
    detail::add_gradient(x, parts.dense, s, part, simd, gradient, runtime);
    if (!parts.sparse.empty()) {
      sparse.add(s, part, runtime);
      runtime.advance(parts.sparse.size() * n * part.size() / 2);
    }
  }
  sparse.finish(gradient);
  return gradient;
}

/// The margins z_nj of listed features j, in columns that are padded to
/// `stride` samples.
struct MarginColumns {
  AlignedBuffer<double> values;
  Index stride = 0;
  const double *operator[](Index k) const { return values.data() + k * stride; }
};

/// Forms z_nj = sum_i C[n, i] |x_nj - x_ij| of listed features j, none of them
/// sparse. It must be passed to SoftNeighbours as `work`. Time: N^2 differences
/// for each feature.
class ColumnSums {
public:
  ColumnSums(const ScaledView &x, const FeatureList &features, SimdLevel simd,
             Runtime &runtime)
      : simd_(simd), stride_(tile_stride<double>(x.n_samples())),
        n_features_(round_up(features.size(), 4)),
        tile_(n_features_ * stride_) {
    columns_.stride = padded_samples(x.n_samples());
    columns_.values = AlignedBuffer<double>(n_features_ * columns_.stride);
    runtime.for_parts(features.size(), 16, [&](Index first, Index end) {
      copy_features(x, features.data() + first, end - first,
                    tile_.data() + first * stride_, stride_);
    });
  }

  void operator()(const SampleRange &rows, const PairMatrix<double> &c) {
    run_simd<ColumnKernel>(simd_,
                           ColumnJob{tile_.data(), stride_, n_features_,
                                     c.row(0), c.stride(), rows.begin, rows.end,
                                     columns_.values.data(), columns_.stride});
  }

  const MarginColumns &columns() const { return columns_; }

private:
  SimdLevel simd_;
  Index stride_, n_features_;
  AlignedBuffer<double> tile_;
  MarginColumns columns_;
};

} // namespace hitmiss

#endif
