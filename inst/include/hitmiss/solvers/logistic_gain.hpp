// The concave gain of a distance, and its means over samples: LLFS (1), (3).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_LOGISTIC_GAIN_HPP
#define HITMISS_SOLVERS_LOGISTIC_GAIN_HPP

#include <cmath>

#include <Eigen/Core>

namespace hitmiss {

/// G(z) = 1/(1 + exp(-sigma z)) - 1/2 + lambda z, concave and increasing for
/// z >= 0.
struct LogisticGain {
  double sigma = 1.0;
  double lambda = 0.0;

  double value(double z) const {
    return 1.0 / (1.0 + std::exp(-sigma * z)) - 0.5 + lambda * z;
  }
  double slope(double z) const {
    const double e = std::exp(-sigma * z);
    return sigma * e / ((1.0 + e) * (1.0 + e)) + lambda;
  }
};

/// Mean of G over distances `z`; 0 where there are none.
template <class Vector>
double mean_gain(const LogisticGain &gain, const Vector &z) {
  double sum = 0.0;
  for (Eigen::Index i = 0; i < z.size(); ++i)
    sum += gain.value(z[i]);
  return z.size() > 0 ? sum / static_cast<double>(z.size()) : 0.0;
}

/// Derivatives of mean_gain by each distance: the weights that turn columns
/// of distances into a gradient.
template <class Vector>
Eigen::VectorXd gain_weights(const LogisticGain &gain, const Vector &z) {
  Eigen::VectorXd weights(z.size());
  for (Eigen::Index i = 0; i < z.size(); ++i)
    weights[i] = gain.slope(z[i]) / static_cast<double>(z.size());
  return weights;
}

} // namespace hitmiss

#endif
