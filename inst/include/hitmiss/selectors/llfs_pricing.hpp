// Weighted sums over |x - x_i| for all features at once, without ever holding
// these distances: LLFS' working sets are chosen and certified by them.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LLFS_PRICING_HPP
#define HITMISS_SELECTORS_LLFS_PRICING_HPP

#include <cmath>
#include <cstddef>
#include <vector>

#include <Eigen/Core>

#include "../pairs/simd.hpp"

namespace hitmiss {
namespace detail {

/// sums[m * width + b] = sum_n |z[m * n + n'] - z[m * n + centre]| w[n' * width
/// + b]; `width` is a multiple of 8.
struct PricingJob {
  const double *z;
  std::ptrdiff_t n_samples, n_features, centre;
  const double *weights;
  std::ptrdiff_t width;
  double *sums;
};

struct PricingKernel {
  template <int Bytes> static HITMISS_INLINE void run(const PricingJob &job) {
    using S = Simd<double, Bytes>;
    constexpr std::ptrdiff_t group = 8 / S::lanes > 0 ? 8 / S::lanes : 1;
    for (std::ptrdiff_t m = 0; m < job.n_features; ++m) {
      const double *column = job.z + m * job.n_samples;
      const double own = column[job.centre];
      for (std::ptrdiff_t b = 0; b < job.width; b += 8) {
        typename S::Vector sum[group] = {};
        for (std::ptrdiff_t n = 0; n < job.n_samples; ++n) {
          const double distance = std::abs(column[n] - own);
          for (std::ptrdiff_t v = 0; v < group; ++v) {
            typename S::Vector w;
            S::load(w, job.weights + n * job.width + b + v * S::lanes);
            sum[v] += distance * w;
          }
        }
        for (std::ptrdiff_t v = 0; v < group; ++v)
          S::store(job.sums + m * job.width + b + v * S::lanes, sum[v]);
      }
    }
  }
};

} // namespace detail

/// Sums for every feature (rows) and every column of `weights` (samples x
/// sets, in sample order). O(n_samples n_features sets).
inline Eigen::MatrixXd price_features(const Eigen::MatrixXd &z,
                                      Eigen::Index centre,
                                      const Eigen::MatrixXd &weights) {
  const Eigen::Index width = (weights.cols() + 7) / 8 * 8;
  using RowMajor =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  RowMajor padded = RowMajor::Zero(weights.rows(), width);
  padded.leftCols(weights.cols()) = weights;
  RowMajor sums(z.cols(), width);
  run_simd<detail::PricingKernel>(
      best_simd_path(), detail::PricingJob{z.data(), z.rows(), z.cols(), centre,
                                           padded.data(), width, sums.data()});
  return sums.leftCols(weights.cols());
}

} // namespace hitmiss

#endif
