// Adds the weighted distances between two ranges of samples, over the features
// of one tile. SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_KERNEL_HPP
#define HITMISS_PAIRS_DISTANCE_KERNEL_HPP

#include <algorithm>

#include "strip_tiles.hpp"

namespace hitmiss {

/// manhattan: sum of w |a - b|; euclidean: root of the sum of w (a - b)^2.
/// Besides this kernel, DistanceSum::add(), SampleDistances, SparseDistances
/// and mean_distances() depend on the metric; the last two are made for sums of
/// differences or of their squares.
enum class Metric { manhattan, euclidean };

/// distances[n, i] += sum_j w_j |x_nj - x_ij|, or sum_j w_j (x_nj - x_ij)^2,
/// over the features of the tile in increasing order, for n in [row_begin,
/// row_end) and i in [column_begin, column_end). Bounds of rows are multiples
/// of 4, those of columns of 32; an end may also be the last one, which is
/// padded.
struct DistanceJob {
  TileRef rows, columns;
  const double *weights = nullptr; ///< one per feature of the tile
  /// Of the masked kernel: what stands for the difference (or its square) of
  /// two samples of which one lacks the feature (NaN).
  const double *gaps = nullptr;
  Index n_features = 0;
  Index row_begin = 0, row_end = 0;
  Index column_begin = 0, column_end = 0;
  bool upper = false; ///< leave out vectors that are all below the diagonal
  double *distances = nullptr;
  Index distance_stride = 0;
};

/// Vectors run over the columns, so there is no reduction inside the loop: 4
/// rows x some vectors of columns stay in registers for the whole tile.
template <Metric metric, bool masked = false> struct DistanceKernel {
  template <int Bytes> static HITMISS_INLINE void run(const DistanceJob &job) {
    constexpr Index step = vectors * Simd<double, Bytes>::lanes;
    static_assert(strip_width % step == 0,
                  "the vectors of a step lie in one strip");
    // Four rows at a time go over all vectors of one strip of columns: the rows
    // and the strip then stay in the first-level cache.
    for (Index p = job.column_begin; p < job.column_end; p += strip_width) {
      const Index last = std::min(p + strip_width, job.column_end);
      const Index end =
          job.upper ? std::min(job.row_end, p + strip_width) : job.row_end;
      for (Index n = job.row_begin; n < end; n += n_rows)
        for (Index i = p; i < last; i += step)
          if (!job.upper || n < i + step)
            add_pairs<Bytes>(job, n, i);
    }
  }

private:
  static constexpr int n_rows = 4, vectors = 2;

  template <int Bytes>
  static HITMISS_INLINE void add_pairs(const DistanceJob &job, Index n,
                                       Index i) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    V sum[n_rows][vectors];
    double *out = job.distances + n * job.distance_stride + i;
#pragma GCC unroll 4
    for (int r = 0; r < n_rows; ++r)
#pragma GCC unroll 4
      for (int c = 0; c < vectors; ++c)
        S::load(sum[r][c], out + r * job.distance_stride + c * S::lanes);
    const double *rows = job.rows.sample(n);
    const double *columns = job.columns.sample(i);
    for (Index f = 0; f < job.n_features; ++f) {
      V column[vectors];
#pragma GCC unroll 4
      for (int c = 0; c < vectors; ++c)
        S::load(column[c], columns + c * S::lanes);
      const double weight = job.weights[f];
#pragma GCC unroll 4
      for (int r = 0; r < n_rows; ++r)
#pragma GCC unroll 4
        for (int c = 0; c < vectors; ++c) {
          V difference = column[c] - rows[r];
          if (metric == Metric::manhattan)
            S::absolute(difference);
          if (masked) {
            if (metric == Metric::euclidean)
              difference *= difference;
            S::replace_nan(difference, job.gaps[f]);
          }
          if (masked || metric == Metric::manhattan) {
            sum[r][c] += difference * weight;
          } else {
            const V weighted = difference * weight;
            sum[r][c] += difference * weighted;
          }
        }
      rows += strip_width;
      columns += strip_width;
    }
#pragma GCC unroll 4
    for (int r = 0; r < n_rows; ++r)
#pragma GCC unroll 4
      for (int c = 0; c < vectors; ++c)
        S::store(out + r * job.distance_stride + c * S::lanes, sum[r][c]);
  }
};

} // namespace hitmiss

#endif
