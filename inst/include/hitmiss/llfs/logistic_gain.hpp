// The concave gain of a distance, and its means over samples: LLFS (1), (3).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LOGISTIC_GAIN_HPP
#define HITMISS_LLFS_LOGISTIC_GAIN_HPP

#include <cmath>

#include "../runtime/eigen.hpp"
#include "gain_kernels.hpp"

namespace hitmiss {

/// G(z) = 1/(1 + exp(-sigma z)) - 1/2 + lambda z, concave and increasing for
/// z >= 0.
struct LogisticGain {
  double sigma = 1.0;
  double lambda = 0.0;

  double value(double z) const {
    return 1.0 / (1.0 + std::exp(-sigma * z)) - 0.5 + lambda * z;
  }
};

using ConstVector = Eigen::Ref<const Eigen::VectorXd>;

namespace detail {

inline GainJob gain_job(const LogisticGain &gain, const ConstVector &z,
                        Index count, double &sum) {
  return {z.data(),   z.size(),    static_cast<double>(count),
          gain.sigma, gain.lambda, &sum,
          nullptr,    nullptr};
}

} // namespace detail

/// Returns the mean of G over the distances `z` of `count` samples, padded (see
/// padded_part()); 0 if there are none.
inline double mean_gain(const LogisticGain &gain, const ConstVector &z,
                        Index count) {
  if (count == 0)
    return 0.0;
  double sum = 0.0;
  run_alike<GainKernel<false>>(detail::gain_job(gain, z, count, sum));
  return sum / static_cast<double>(count);
}

/// The mean of G over distances, its derivative by each distance (`weights`),
/// and its second derivatives with the opposite sign (`curvatures`, at least
/// 0). Columns of distances times `weights` are a gradient. An object should be
/// used for many form(): memory is kept while the number of distances is the
/// same.
struct GainTerms {
  double mean = 0.0;
  Eigen::VectorXd weights, curvatures;

  void form(const LogisticGain &gain, const ConstVector &z, Index count) {
    weights.resize(z.size());
    curvatures.resize(z.size());
    double sum = 0.0;
    GainJob job = detail::gain_job(gain, z, count, sum);
    job.weights = weights.data();
    job.curvatures = curvatures.data();
    run_alike<GainKernel<true>>(job);
    mean = sum / static_cast<double>(count);
  }
};

inline Eigen::VectorXd gain_weights(const LogisticGain &gain,
                                    const ConstVector &z, Index count) {
  GainTerms terms;
  terms.form(gain, z, count);
  return terms.weights;
}

/// The first and the second derivative by t of mean_gain(gain, from + t * way);
/// the second is never positive.
struct GainSlope {
  double slope, bend;
};

inline GainSlope gain_slope(const LogisticGain &gain, const ConstVector &from,
                            const ConstVector &way, double t, Index count,
                            GainTerms &terms) {
  terms.form(gain, from + t * way, count);
  return {terms.weights.dot(way), -terms.curvatures.cwiseProduct(way).dot(way)};
}

} // namespace hitmiss

#endif
