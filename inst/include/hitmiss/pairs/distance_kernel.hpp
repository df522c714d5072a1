// Adds weighted distances between two ranges of samples over one tile.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_KERNEL_HPP
#define HITMISS_PAIRS_DISTANCE_KERNEL_HPP

#include <algorithm>

#include "strip_tiles.hpp"

namespace hitmiss {

/// manhattan: sum_j w_j |a_j - b_j|; euclidean: sqrt(sum_j w_j (a_j - b_j)^2).
/// A new metric must be added to all code in pairs/ that names `Metric`.
/// SparseDistances and mean_distances() can only add up differences or their
/// squares.
enum class Metric { manhattan, euclidean };

/// distances[n, i] += sum_j w_j |x_nj - x_ij|, or sum_j w_j (x_nj - x_ij)^2,
/// over the features of the tile in increasing order, for n in [row_begin,
/// row_end) and i in [column_begin, column_end). Required: row bounds are
/// multiples of 4, column bounds of 32; an end may also be the number of
/// samples, and then the padding after it is overwritten.
struct DistanceJob {
  TileRef rows, columns;
  const double *weights = nullptr; ///< one per feature of the tile
  /// For the masked kernel: gaps[j] replaces the difference (or its square) of
  /// two samples if either lacks feature j (NaN).
  const double *gaps = nullptr;
  Index n_features = 0;
  Index row_begin = 0, row_end = 0;
  Index column_begin = 0, column_end = 0;
  bool upper = false; ///< skip vectors that lie wholly below the diagonal
  double *distances = nullptr;
  Index distance_stride = 0;
};

/// Vectors run over the columns, so there is no reduction inside the loop: the
/// sums of 4 rows x 2 vectors stay in registers for the whole tile.
template <Metric metric, bool masked = false> struct DistanceKernel {
  template <int Bytes> static HITMISS_INLINE void run(const DistanceJob &job) {
    constexpr Index step = vectors * Simd<double, Bytes>::lanes;
    static_assert(strip_width % step == 0,
                  "the vectors of a step lie in one strip");
    // Four rows at a time are combined with all vectors of one strip of
    // columns, so that the rows and the strip stay in the first-level cache.
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
