// Kernel K1: weighted distances between blocks of samples, over one tile.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_DISTANCE_KERNEL_HPP
#define HITMISS_PAIRS_DISTANCE_KERNEL_HPP

#include <cstddef>

#include "simd.hpp"

namespace hitmiss {

/// manhattan: sum of w |a - b|; squared: sum of w (a - b)^2.
enum class Metric { manhattan, squared };

/// distances[n, i] += sum over the tile of w_j |row_n - column_i|, for n in
/// [row_begin, row_end) and i in [column_begin, column_end), features in
/// increasing order. Both ranges are cut to whole blocks by the caller: rows
/// to multiples of 4, columns to multiples of 32, both within the padding.
template <class T> struct DistanceJob {
  const T *rows = nullptr; ///< feature f of row sample n: rows[f * stride + n]
  std::ptrdiff_t row_stride = 0;
  const T *columns = nullptr;
  std::ptrdiff_t column_stride = 0;
  const T *weights = nullptr; ///< one per feature of the tile
  std::ptrdiff_t n_features = 0;
  std::ptrdiff_t row_begin = 0, row_end = 0;
  std::ptrdiff_t column_begin = 0, column_end = 0;
  T *distances = nullptr;
  std::ptrdiff_t distance_stride = 0;
};

/// Vectors run over the columns, so there is no reduction inside the loop:
/// 4 rows x 2 vectors of columns stay in registers for the whole tile.
template <class T, Metric metric> struct DistanceKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const DistanceJob<T> &job) {
    constexpr std::ptrdiff_t step = 2 * Simd<T, Bytes>::lanes;
    for (std::ptrdiff_t i = job.column_begin; i < job.column_end; i += step)
      for (std::ptrdiff_t n = job.row_begin; n < job.row_end; n += 4)
        block<Bytes>(job, n, i);
  }

private:
  template <int Bytes>
  static HITMISS_INLINE void block(const DistanceJob<T> &job, std::ptrdiff_t n,
                                   std::ptrdiff_t i) {
    using S = Simd<T, Bytes>;
    using V = typename S::Vector;
    V sum[4][2];
    T *out = job.distances + n * job.distance_stride + i;
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 2; ++c)
        S::load(sum[r][c], out + r * job.distance_stride + c * S::lanes);
    const T *rows = job.rows + n;
    const T *columns = job.columns + i;
    for (std::ptrdiff_t f = 0; f < job.n_features; ++f) {
      V column[2];
      S::load(column[0], columns);
      S::load(column[1], columns + S::lanes);
      const T weight = job.weights[f];
#pragma GCC unroll 4
      for (int r = 0; r < 4; ++r)
#pragma GCC unroll 2
        for (int c = 0; c < 2; ++c) {
          V difference = column[c] - rows[r];
          if (metric == Metric::manhattan) {
            S::absolute(difference);
            sum[r][c] += difference * weight;
          } else {
            const V weighted = difference * weight;
            sum[r][c] += difference * weighted;
          }
        }
      rows += job.row_stride;
      columns += job.column_stride;
    }
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 2; ++c)
        S::store(out + r * job.distance_stride + c * S::lanes, sum[r][c]);
  }
};

} // namespace hitmiss

#endif
