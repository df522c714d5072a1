// Multiplies the vectors in a tile by a few columns at a time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_TILE_PRODUCT_HPP
#define HITMISS_PAIRS_TILE_PRODUCT_HPP

#include "../runtime/aligned_buffer.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// The number of columns that a tile is multiplied by at a time.
constexpr Index column_group = 4;

/// Columns packed in groups of 4: group(g)[a * 4 + k] is element a of column
/// 4 g + k. Columns that complete the last group are 0.
class PackedColumns {
public:
  PackedColumns(Index length, Index count)
      : length_(length), n_groups_((count + column_group - 1) / column_group),
        values_(length * n_groups_ * column_group) {}

  Index length() const { return length_; }
  Index n_groups() const { return n_groups_; }
  const double *group(Index g) const {
    return values_.data() + g * length_ * column_group;
  }
  double &operator()(Index element, Index column) {
    return values_[(column / column_group * length_ + element) * column_group +
                   column % column_group];
  }

private:
  Index length_;
  Index n_groups_;
  AlignedBuffer<double> values_;
};

/// Multiplies a tile by a group of 4 columns: for each `lane` < `lanes` and
/// each column c, out[c * out_stride + lane] = sum over a < length of tile[a *
/// lanes + lane] * columns[a * column_stride + c], with a increasing.
struct ProductJob {
  const double *tile = nullptr;
  Index lanes = 0; ///< a multiple of 16, two of the widest vectors
  const double *columns = nullptr;
  Index length = 0;
  double *out = nullptr;
  Index out_stride = 0;
  Index column_stride = column_group;
};

/// Sums of 2 vectors x 4 columns stay in registers for the whole length.
struct ProductKernel {
  template <int Bytes> static HITMISS_INLINE void run(const ProductJob &job) {
    for (Index v = 0; v < job.lanes; v += 2 * Simd<double, Bytes>::lanes)
      multiply<Bytes>(job, v);
  }

private:
  template <int Bytes>
  static HITMISS_INLINE void multiply(const ProductJob &job, Index v) {
    using S = Simd<double, Bytes>;
    using V = typename S::Vector;
    V sum[column_group][2] = {};
    const double *tile = job.tile + v;
    const double *columns = job.columns;
    for (Index a = 0; a < job.length; ++a) {
      V x[2];
      S::load(x[0], tile);
      S::load(x[1], tile + S::lanes);
#pragma GCC unroll 4
      for (int c = 0; c < column_group; ++c) {
        sum[c][0] += x[0] * columns[c];
        sum[c][1] += x[1] * columns[c];
      }
      tile += job.lanes;
      columns += job.column_stride;
    }
    for (int c = 0; c < column_group; ++c)
      for (int half = 0; half < 2; ++half) {
        S::store(job.out + c * job.out_stride + v + half * S::lanes,
                 sum[c][half]);
      }
  }
};

/// Runs the kernel of the instruction set that `level` names.
inline void tile_product(SimdLevel level, const ProductJob &job) {
  run_simd<ProductKernel>(level, job);
}

} // namespace hitmiss

#endif
