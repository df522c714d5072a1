// Weighted sums over |x - x_i| for all features at once, without ever holding
// these distances: LLFS' working sets are chosen and certified by them.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LLFS_PRICING_HPP
#define HITMISS_SELECTORS_LLFS_PRICING_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/simd.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {
namespace detail {

/// sums[m * width + b] = sum_k |z[m * n + k] - z[m * n + centre]| weights[k *
/// width + b] for the `count` features m from z on; `width` is a multiple of 8.
/// `distances` has room for 8 features.
struct PricingJob {
  const double *z;
  Index n_samples, count, centre;
  const double *weights;
  Index width;
  double *distances, *sums;
};

struct PricingKernel {
  template <int Bytes> static HITMISS_INLINE void run(const PricingJob &job) {
    using S = Simd<double, Bytes>;
    Index m = 0;
    for (; m + S::lanes <= job.count; m += S::lanes)
      price<S, S::lanes>(job, m);
    for (; m < job.count; ++m)
      price<S, 1>(job, m);
  }

private:
  /// Several features at once: a load of weights serves them all, and their
  /// eight sums do not wait for one another.
  template <class S, Index features>
  static HITMISS_INLINE void price(const PricingJob &job, Index m) {
    constexpr Index group = 8 / S::lanes;
    const Index n = job.n_samples;
    for (Index f = 0; f < features; ++f) {
      const double *column = job.z + (m + f) * n;
      const double own = column[job.centre];
      double *distance = job.distances + f * n;
      Index k = 0;
      for (; k + S::lanes <= n; k += S::lanes) {
        typename S::Vector d;
        S::load(d, column + k);
        d -= own;
        S::absolute(d);
        S::store(distance + k, d);
      }
      for (; k < n; ++k)
        distance[k] = std::abs(column[k] - own);
    }
    for (Index b = 0; b < job.width; b += 8) {
      typename S::Vector sum[features * group] = {};
      for (Index k = 0; k < n; ++k) {
#pragma GCC unroll 4
        for (Index v = 0; v < group; ++v) {
          typename S::Vector w;
          S::load(w, job.weights + k * job.width + b + v * S::lanes);
#pragma GCC unroll 8
          for (Index f = 0; f < features; ++f)
            sum[f * group + v] += job.distances[f * n + k] * w;
        }
      }
#pragma GCC unroll 8
      for (Index f = 0; f < features; ++f)
#pragma GCC unroll 4
        for (Index v = 0; v < group; ++v)
          S::store(job.sums + (m + f) * job.width + b + v * S::lanes,
                   sum[f * group + v]);
    }
  }
};

} // namespace detail

/// Calls visit(m, sums) for every feature m, in order; sums[b] belongs to
/// column b of `weights` (samples x sets, in sample order).
/// O(n_samples n_features sets).
template <class Visit>
void price_features(const Eigen::MatrixXd &z, Index centre,
                    const Eigen::MatrixXd &weights, SimdLevel simd,
                    Visit visit) {
  constexpr Index block = 256; // features; their sums stay in cache
  const Index width = (weights.cols() + 7) / 8 * 8;
  using RowMajor =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor padded = RowMajor::Zero(weights.rows(), width);
  padded.leftCols(weights.cols()) = weights;
  RowMajor sums(block, width);
  Eigen::MatrixXd distances(z.rows(), 8);
  for (Index first = 0; first < z.cols(); first += block) {
    const Index count = std::min(block, z.cols() - first);
    run_simd<detail::PricingKernel>(
        simd, detail::PricingJob{z.data() + first * z.rows(), z.rows(), count,
                                 centre, padded.data(), width, distances.data(),
                                 sums.data()});
    for (Index m = 0; m < count; ++m)
      visit(first + m, static_cast<const double *>(sums.data() + m * width));
  }
}

} // namespace hitmiss

#endif
