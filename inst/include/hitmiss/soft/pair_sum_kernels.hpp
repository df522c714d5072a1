// Kernels on a tile of features: gradients over pairs, margins of each sample.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOFT_PAIR_SUM_KERNELS_HPP
#define HITMISS_SOFT_PAIR_SUM_KERNELS_HPP

#include <algorithm>

#include "../runtime/simd.hpp"

namespace hitmiss {

/// gradient[f] += sum_{n < i} S[n, i] |x_nf - x_if| for every feature f of the
/// `tile` and the rows n in [begin, end), with S in `pairs`. S must be 0 on and
/// below the diagonal and in its padding; n_features must be a multiple of 4.
template <class T> struct GradientJob {
  const T *tile = nullptr;
  Index stride = 0;
  Index n_features = 0;
  const T *pairs = nullptr;
  Index pair_stride = 0;
  Index first = 0; ///< row 0 of `pairs` is this row n, a multiple of 32
  Index n_samples = 0;
  Index begin = 0, end = 0; ///< rows n: multiples of 16, or end = n_samples
  double *gradient = nullptr;
};

template <class T> struct GradientKernel {
  /// Pieces of S of 16 x 256 pairs stay in the first-level cache while all
  /// features of the tile use them.
  template <int Bytes>
  static HITMISS_INLINE void run(const GradientJob<T> &job) {
    constexpr Index lanes = Simd<T, Bytes>::lanes;
    const Index end = (job.n_samples + lanes - 1) / lanes * lanes;
    for (Index n = job.begin; n < job.end; n += 16)
      for (Index i = n / lanes * lanes; i < end; i += 256)
        for (Index f = 0; f < job.n_features; f += 4)
          add_piece<Bytes>(job, f, n, {i, std::min(end, i + 256)});
  }

private:
  struct Range {
    Index begin, end;
  };

  /// 4 features x 2 rows at a time: a vector of S is used four times.
  template <int Bytes>
  static HITMISS_INLINE void add_piece(const GradientJob<T> &job, Index f,
                                       Index first, const Range &columns) {
    using S = Simd<T, Bytes>;
    using V = typename S::Vector;
    const T *x = job.tile + f * job.stride;
    V sum[4] = {};
    for (Index n = first; n < first + 16; n += 2) {
      const T *row = job.pairs + (n - job.first) * job.pair_stride;
      V value[4][2];
      for (int k = 0; k < 4; ++k)
        for (int r = 0; r < 2; ++r)
          value[k][r] = V{} + x[k * job.stride + n + r];
      for (Index i = columns.begin; i < columns.end; i += S::lanes) {
        V pair[2];
        S::load(pair[0], row + i);
        S::load(pair[1], row + job.pair_stride + i);
#pragma GCC unroll 4
        for (int k = 0; k < 4; ++k) {
          V other;
          S::load(other, x + k * job.stride + i);
#pragma GCC unroll 2
          for (int r = 0; r < 2; ++r) {
            V difference = other - value[k][r];
            S::absolute(difference);
            sum[k] += difference * pair[r];
          }
        }
      }
    }
    for (int k = 0; k < 4; ++k)
      job.gradient[f + k] += S::sum(sum[k]);
  }
};

/// columns[f * column_stride + n] = sum_i C[n, i] |x_nf - x_if| for the samples
/// n in [begin, end), and for `end` too if their number is odd. `c` must start
/// with the row of `begin`, padded with 0; n_features must be a multiple of 4.
struct ColumnJob {
  const double *tile = nullptr;
  Index stride = 0;
  Index n_features = 0;
  const double *c = nullptr;
  Index c_stride = 0;
  Index begin = 0, end = 0; ///< samples n; begin is even
  double *columns = nullptr;
  Index column_stride = 0;
};

struct ColumnKernel {
  template <int Bytes> static HITMISS_INLINE void run(const ColumnJob &job) {
    for (Index f = 0; f < job.n_features; f += 4)
      for (Index n = job.begin; n < job.end; n += 2)
        fill_rows<Bytes>(job, f, n);
  }

private:
  /// 4 features x 2 rows at a time, as in GradientKernel.
  template <int Bytes>
  static HITMISS_INLINE void fill_rows(const ColumnJob &job, Index f, Index n) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    const double *x = job.tile + f * job.stride;
    const double *c = job.c + (n - job.begin) * job.c_stride;
    V sum[4][2] = {};
    V value[4][2];
    for (int k = 0; k < 4; ++k)
      for (int r = 0; r < 2; ++r)
        value[k][r] = V{} + x[k * job.stride + n + r];
    for (Index i = 0; i < job.c_stride; i += S::lanes) {
      V pair[2];
      S::load(pair[0], c + i);
      S::load(pair[1], c + job.c_stride + i);
#pragma GCC unroll 4
      for (int k = 0; k < 4; ++k) {
        V other;
        S::load(other, x + k * job.stride + i);
#pragma GCC unroll 2
        for (int r = 0; r < 2; ++r) {
          V difference = other - value[k][r];
          S::absolute(difference);
          sum[k][r] += difference * pair[r];
        }
      }
    }
    for (int k = 0; k < 4; ++k)
      for (int r = 0; r < 2; ++r)
        job.columns[(f + k) * job.column_stride + n + r] = S::sum(sum[k][r]);
  }
};

} // namespace hitmiss

#endif
