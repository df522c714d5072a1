// Weighted sums over samples x of |x - x_i|, for all features and without
// storing these distances. LLFS chooses and certifies working sets by the sums.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_PRICING_HPP
#define HITMISS_LLFS_LLFS_PRICING_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../runtime/eigen.hpp"
#include "../runtime/simd.hpp"

namespace hitmiss {

/// Scaled values: samples x features that are not constant.
struct ScaledSamples {
  Eigen::MatrixXd values;
  Eigen::MatrixXd totals; ///< column i: L1 distances from sample i; or empty
};

namespace detail {

/// out[c * n + k] += |columns[m * n + k] - columns[m * n + centres[c]]| for the
/// columns m, in their order.
struct ManhattanJob {
  const double *columns;
  Index n, n_columns;
  const int *centres;
  Index n_centres;
  double *out;
};

struct ManhattanKernel {
  template <int Bytes> static HITMISS_INLINE void run(const ManhattanJob &job) {
    using S = Simd<double, Bytes>;
    for (Index m = 0; m < job.n_columns; ++m) {
      const double *column = job.columns + m * job.n;
      for (Index c = 0; c < job.n_centres; ++c) {
        const double own = column[job.centres[c]];
        double *out = job.out + c * job.n;
        Index k = 0;
        for (; k + S::lanes <= job.n; k += S::lanes) {
          typename S::Vector sum, d;
          S::load(sum, out + k);
          S::load(d, column + k);
          d -= own;
          S::absolute(d);
          sum += d;
          S::store(out + k, sum);
        }
        for (; k < job.n; ++k)
          out[k] += std::abs(column[k] - own);
      }
    }
  }
};

/// sums[m * width + b] = sum_k |z[m * n + k] - z[m * n + centre]| weights[k *
/// width + b] for m = 0 ... count - 1, n = n_samples. Required: `width` is a
/// multiple of PricingKernel::sets, and `distances` has room for 8 n values.
struct PricingJob {
  const double *z;
  Index n_samples, count, centre;
  const double *weights;
  Index width;
  double *distances, *sums;
};

struct PricingKernel {
  static constexpr Index sets = 8; // of weights, in the widest vector

  template <int Bytes> static HITMISS_INLINE void run(const PricingJob &job) {
    constexpr Index together = Bytes / 8;
    Index m = 0;
    for (; m + together <= job.count; m += together)
      price<Simd<double, Bytes>, together>(job, m);
    for (; m < job.count; ++m)
      price<Simd<double, Bytes>, 1>(job, m);
  }

private:
  /// Prices several features at once, so that one load of weights serves all of
  /// them and no sum has to wait for another.
  template <class S, Index features>
  static HITMISS_INLINE void price(const PricingJob &job, Index m) {
    constexpr Index group = sets / S::lanes;
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
    for (Index b = 0; b < job.width; b += sets) {
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

/// Stores the weights of samples as PricingKernel reads them, and the sums that
/// it writes.
class Prices {
public:
  static constexpr Index block = 256; // features whose sums stay in cache

  Prices(const Eigen::MatrixXd &weights, Index centre, SimdLevel simd)
      : n_samples_(weights.rows()), centre_(centre), simd_(simd),
        width_((weights.cols() + sets - 1) / sets * sets),
        weights_(RowMajor::Zero(n_samples_, width_)), sums_(block, width_),
        distances_(n_samples_, 8) {
    weights_.leftCols(weights.cols()) = weights;
  }

  /// Computes the sums of `count` <= `block` features, the first at `z`.
  void find(const double *z, Index count) {
    run_simd<PricingKernel>(simd_, PricingJob{z, n_samples_, count, centre_,
                                              weights_.data(), width_,
                                              distances_.data(), sums_.data()});
  }
  /// The sums of feature m of the last find(), by set of weights.
  const double *of(Index m) const { return sums_.data() + m * width_; }

private:
  using RowMajor =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static constexpr Index sets = PricingKernel::sets;
  Index n_samples_, centre_;
  SimdLevel simd_;
  Index width_;
  RowMajor weights_, sums_;
  Eigen::MatrixXd distances_;
};

} // namespace detail

/// Returns Manhattan distances: samples in rows, `centres` in columns.
inline Eigen::MatrixXd manhattan_totals(const Eigen::MatrixXd &z,
                                        const Array<int> &centres) {
  Eigen::MatrixXd totals = Eigen::MatrixXd::Zero(z.rows(), centres.size());
  run_alike<detail::ManhattanKernel>(
      detail::ManhattanJob{z.data(), z.rows(), z.cols(), centres.data(),
                           centres.size(), totals.data()});
  return totals;
}

/// Calls visit(m, sums) for every feature m, in order: sums[b] is the sum over
/// samples k of |z(k, m) - z(centre, m)| weights(k, b). O(n_samples n_features
/// sets), with a set of weights in each column.
template <class Visit>
void price_features(const Eigen::MatrixXd &z, Index centre,
                    const Eigen::MatrixXd &weights, SimdLevel simd,
                    Visit visit) {
  detail::Prices prices(weights, centre, simd);
  constexpr Index block = detail::Prices::block;
  for (Index first = 0; first < z.cols(); first += block) {
    const Index count = std::min(block, z.cols() - first);
    prices.find(z.data() + first * z.rows(), count);
    for (Index m = 0; m < count; ++m)
      visit(first + m, prices.of(m));
  }
}

} // namespace hitmiss

#endif
