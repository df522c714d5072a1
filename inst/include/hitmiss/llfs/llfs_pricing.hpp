// Weighted sums over |x - x_i| for all features at once, without ever holding
// these distances: LLFS' working sets are chosen and certified by them.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_PRICING_HPP
#define HITMISS_LLFS_LLFS_PRICING_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../runtime/simd.hpp"
#include "../solvers/eigen.hpp"

namespace hitmiss {

/// Scaled values in single precision: passes over many features that only
/// propose go through half the bytes, in vectors of twice the lanes.
struct CoarseValues {
  CoarseValues() = default;
  explicit CoarseValues(const Eigen::MatrixXd &z)
      : values(z.cast<float>()), largest(z.cwiseAbs().colwise().maxCoeff()) {}

  Eigen::MatrixXf values;
  Eigen::VectorXd largest; ///< absolute value of each feature
};

/// Samples x features that are not constant; where there are many also what
/// spares passes over all of them.
struct ScaledSamples {
  Eigen::MatrixXd values;
  CoarseValues coarse;
  Eigen::MatrixXd totals; ///< Manhattan distances from a sample, by column
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
/// width + b] for the `count` features m from z on; `width` is a multiple of
/// PricingKernel<T>::sets. `distances` has room for 8 features.
template <class T> struct PricingJob {
  const T *z;
  Index n_samples, count, centre;
  const T *weights;
  Index width;
  T *distances, *sums;
};

template <class T> struct PricingKernel {
  static constexpr Index sets = 64 / bytes_of<T>; // in the widest vector

  template <int Bytes>
  static HITMISS_INLINE void run(const PricingJob<T> &job) {
    constexpr Index together = Bytes / 8;
    Index m = 0;
    for (; m + together <= job.count; m += together)
      price<Simd<T, Bytes>, together>(job, m);
    for (; m < job.count; ++m)
      price<Simd<T, Bytes>, 1>(job, m);
  }

private:
  /// Several features at once: a load of weights serves them all, and their
  /// sums do not wait for one another.
  template <class S, Index features>
  static HITMISS_INLINE void price(const PricingJob<T> &job, Index m) {
    constexpr Index group = sets / S::lanes;
    const Index n = job.n_samples;
    for (Index f = 0; f < features; ++f) {
      const T *column = job.z + (m + f) * n;
      const T own = column[job.centre];
      T *distance = job.distances + f * n;
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

/// The same of one set, whose weights go along the samples, as do the lanes.
/// Only for what need not be the same sum everywhere.
template <class T> struct NarrowPricingKernel {
  template <int Bytes>
  static HITMISS_INLINE void run(const PricingJob<T> &job) {
    using S = Simd<T, Bytes>;
    const Index n = job.n_samples;
    for (Index m = 0; m < job.count; ++m) {
      const T *column = job.z + m * n;
      const T own = column[job.centre];
      typename S::Vector sum = {}, d, w;
      Index k = 0;
      for (; k + S::lanes <= n; k += S::lanes) {
        S::load(d, column + k);
        S::load(w, job.weights + k);
        d -= own;
        S::absolute(d);
        sum += d * w;
      }
      T rest = 0;
      for (; k < n; ++k)
        rest += std::abs(column[k] - own) * job.weights[k];
      job.sums[m] = across(sum, S()) + rest;
    }
  }

private:
  template <class V, class S> static HITMISS_INLINE T across(const V &sum, S) {
    T lanes[S::lanes];
    S::store(lanes, sum);
#pragma GCC unroll 4
    for (Index half = S::lanes / 2; half > 0; half /= 2)
#pragma GCC unroll 8
      for (Index lane = 0; lane < half; ++lane)
        lanes[lane] += lanes[lane + half];
    return lanes[0];
  }
};

/// Weights as the kernel takes them, and room for what it makes of them.
template <class T> class Prices {
public:
  static constexpr Index block = 256; // features; their sums stay in cache

  Prices(const Eigen::MatrixXd &weights, Index centre, SimdLevel simd)
      : n_samples_(weights.rows()), centre_(centre), simd_(simd),
        width_((weights.cols() + sets - 1) / sets * sets),
        weights_(RowMajor::Zero(n_samples_, width_)), sums_(block, width_),
        distances_(n_samples_, 8) {
    weights_.leftCols(weights.cols()) = weights.cast<T>();
  }

  /// Of at most `block` features from `z` on.
  void find(const T *z, Index count) {
    run_simd<PricingKernel<T>>(
        simd_, PricingJob<T>{z, n_samples_, count, centre_, weights_.data(),
                             width_, distances_.data(), sums_.data()});
  }
  /// Of the m-th of these, by set.
  const T *of(Index m) const { return sums_.data() + m * width_; }

private:
  using RowMajor =
      Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  static constexpr Index sets = PricingKernel<T>::sets;
  Index n_samples_, centre_;
  SimdLevel simd_;
  Index width_;
  RowMajor weights_, sums_;
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> distances_;
};

} // namespace detail

/// Manhattan distances of all samples from some, by column, in one pass.
inline Eigen::MatrixXd manhattan_totals(const Eigen::MatrixXd &z,
                                        const Array<int> &centres) {
  Eigen::MatrixXd totals = Eigen::MatrixXd::Zero(z.rows(), centres.size());
  run_alike<detail::ManhattanKernel>(
      detail::ManhattanJob{z.data(), z.rows(), z.cols(), centres.data(),
                           centres.size(), totals.data()});
  return totals;
}

/// Calls visit(m, sums) for every feature m, in order; sums[b] belongs to
/// column b of `weights` (samples x sets, in sample order).
/// O(n_samples n_features sets).
template <class T, class Visit>
void price_features(const Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> &z,
                    Index centre, const Eigen::MatrixXd &weights,
                    SimdLevel simd, Visit visit) {
  detail::Prices<T> prices(weights, centre, simd);
  constexpr Index block = detail::Prices<T>::block;
  for (Index first = 0; first < z.cols(); first += block) {
    const Index count = std::min(block, z.cols() - first);
    prices.find(z.data() + first * z.rows(), count);
    for (Index m = 0; m < count; ++m)
      visit(first + m, prices.of(m));
  }
}

/// The prices of one feature, as price_features() has them to the last bit.
class SinglePrices {
public:
  SinglePrices(const Eigen::MatrixXd &z, Index centre,
               const Eigen::MatrixXd &weights, SimdLevel simd)
      : z_(z), prices_(weights, centre, simd) {}
  const double *of(Index m) {
    prices_.find(z_.data() + m * z_.rows(), 1);
    return prices_.of(0);
  }

private:
  const Eigen::MatrixXd &z_;
  detail::Prices<double> prices_;
};

/// Below this, numbers of single precision have fewer digits.
constexpr double smallest_coarse = 1e-30;

/// How far prices of coarse values may lie from those of the values, for each
/// set, over a feature's largest value. Every value, weight, difference and
/// product is rounded, and a sum of n terms n times: with u = 2^-24, each by a
/// share u, of what is at most twice the largest value times the weight.
inline Eigen::VectorXd coarse_error(const Eigen::MatrixXd &weights) {
  const auto terms = static_cast<double>(weights.rows() + 8);
  return weights.cwiseAbs().colwise().sum().transpose() *
         (2.0 * terms * std::ldexp(1.0, -24));
}

/// Prices of coarse values, of one set.
inline Eigen::VectorXf coarse_prices(const CoarseValues &z, Index centre,
                                     const Eigen::VectorXd &weights,
                                     SimdLevel simd) {
  const Eigen::VectorXf single = weights.cast<float>();
  Eigen::VectorXf sums(z.values.cols());
  run_simd<detail::NarrowPricingKernel<float>>(
      simd, detail::PricingJob<float>{z.values.data(), z.values.rows(),
                                      z.values.cols(), centre, single.data(), 1,
                                      nullptr, sums.data()});
  return sums;
}

/// Calls visit(m, sums) for the features m, in order, that may have a sum below
/// its set's limit, and perhaps others; not for those of which skip(m). Doubles
/// decide: single precision finds those of which a bound says that they may.
template <class Skip, class Visit>
void price_low_features(const ScaledSamples &z, Index centre,
                        const Eigen::MatrixXd &weights,
                        const Eigen::VectorXd &limits, SimdLevel simd,
                        Skip skip, Visit visit) {
  SinglePrices exact(z.values, centre, weights, simd);
  // In single precision themselves, rounded up.
  constexpr float up = 1.0f + 1e-5f;
  const Eigen::ArrayXf error = up * coarse_error(weights).cast<float>().array();
  const Eigen::ArrayXf limit =
      (limits.array() + 1e-6 * limits.array().abs() + smallest_coarse)
          .cast<float>();
  const Index sets = weights.cols();
  const auto visit_low = [&](Index m, const float *sums) {
    const float largest = up * static_cast<float>(z.coarse.largest[m]);
    const Eigen::Map<const Eigen::ArrayXf> found(sums, sets);
    // What is not a number is not above anything.
    if (!(found > limit + error * largest).all() && !skip(m))
      visit(m, exact.of(m));
  };
  if (sets == 1) {
    const auto sums = coarse_prices(z.coarse, centre, weights, simd);
    for (Index m = 0; m < sums.size(); ++m)
      visit_low(m, sums.data() + m);
  } else {
    price_features(z.coarse.values, centre, weights, simd, visit_low);
  }
}

} // namespace hitmiss

#endif
