// The concave gain of a distance, and its means over samples: LLFS (1), (3).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_LOGISTIC_GAIN_HPP
#define HITMISS_SOLVERS_LOGISTIC_GAIN_HPP

#include <cmath>

#include "eigen.hpp"

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

/// Mean of G over distances `z`; 0 where there are none.
template <class Vector>
double mean_gain(const LogisticGain &gain, const Vector &z) {
  if (z.size() == 0)
    return 0.0;
  const auto logistic = (1.0 + (-gain.sigma * z.array()).exp()).inverse();
  return (logistic - 0.5 + gain.lambda * z.array()).sum() /
         static_cast<double>(z.size());
}

/// Derivatives of mean_gain by each distance: the weights that turn columns
/// of distances into a gradient.
template <class Vector>
Eigen::VectorXd gain_weights(const LogisticGain &gain, const Vector &z) {
  const Eigen::ArrayXd e = (-gain.sigma * z.array()).exp();
  return (gain.sigma * e / (1.0 + e).square() + gain.lambda) /
         static_cast<double>(z.size());
}

/// Their second derivatives, with the opposite sign: not negative.
template <class Vector>
Eigen::VectorXd gain_curvatures(const LogisticGain &gain, const Vector &z) {
  const Eigen::ArrayXd e = (-gain.sigma * z.array()).exp();
  return gain.sigma * gain.sigma * e * (1.0 - e) / (1.0 + e).cube() /
         static_cast<double>(z.size());
}

} // namespace hitmiss

#endif
