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

inline GainJob gain_job(const LogisticGain &gain, const ConstVector &z) {
  GainJob job{};
  job.z = z.data();
  job.n = z.size();
  job.sigma = gain.sigma;
  job.lambda = gain.lambda;
  return job;
}

template <int Order>
Eigen::VectorXd gain_derivatives(const LogisticGain &gain,
                                 const ConstVector &z) {
  Eigen::VectorXd result(z.size());
  GainJob job = gain_job(gain, z);
  job.out = result.data();
  run_alike<GainDerivativeKernel<Order>>(job);
  return result;
}

} // namespace detail

/// Returns the mean of G over the distances `z`; 0 if there are none.
inline double mean_gain(const LogisticGain &gain, const ConstVector &z) {
  if (z.size() == 0)
    return 0.0;
  double sum = 0.0;
  GainJob job = detail::gain_job(gain, z);
  job.value = &sum;
  run_alike<GainSumKernel>(job);
  return sum / static_cast<double>(z.size());
}

/// Returns the derivatives of mean_gain by each distance. With these weights,
/// columns of distances become a gradient.
inline Eigen::VectorXd gain_weights(const LogisticGain &gain,
                                    const ConstVector &z) {
  return detail::gain_derivatives<1>(gain, z);
}

/// The mean of G over distances, with what gain_weights() and gain_curvatures()
/// give, of one exponential for each distance. The vectors are used again: the
/// next distances are mostly as many.
struct GainTerms {
  double mean = 0.0;
  Eigen::VectorXd weights, curvatures;

  void form(const LogisticGain &gain, const ConstVector &z) {
    weights.resize(z.size());
    curvatures.resize(z.size());
    double sum = 0.0;
    GainJob job = detail::gain_job(gain, z);
    job.value = &sum;
    job.out = weights.data();
    job.curvatures = curvatures.data();
    run_alike<GainKernel>(job);
    mean = sum / static_cast<double>(z.size());
  }
};

/// The first and the second derivative by t of mean_gain(gain, from + t * way);
/// the second is never positive.
struct GainSlope {
  double slope, bend;
};

inline GainSlope gain_slope(const LogisticGain &gain, const ConstVector &from,
                            const ConstVector &way, double t,
                            GainTerms &terms) {
  terms.form(gain, from + t * way);
  return {terms.weights.dot(way), -terms.curvatures.cwiseProduct(way).dot(way)};
}

/// The second derivatives of mean_gain with the opposite sign, not negative.
inline Eigen::VectorXd gain_curvatures(const LogisticGain &gain,
                                       const ConstVector &z) {
  return detail::gain_derivatives<2>(gain, z);
}

} // namespace hitmiss

#endif
