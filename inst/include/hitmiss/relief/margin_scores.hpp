// Scores and weights of features from their mean margins.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_MARGIN_SCORES_HPP
#define HITMISS_RELIEF_MARGIN_SCORES_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/array.hpp"

namespace hitmiss {

/// The rounding noise of sums that cancel must not decide what is selected: a
/// margin of at most 1e-13 of the largest, in absolute value, becomes 0.
inline Array<double> without_noise(Array<double> margins) {
  double largest = 0.0;
  for (const double margin : margins)
    largest = std::max(largest, std::abs(margin));
  for (double &margin : margins)
    if (std::abs(margin) <= 1e-13 * largest)
      margin = 0.0;
  return margins;
}

/// Returns the positive part of the margins with unit norm (Yang, Hu 2012,
/// eq. 4), or all 0 if no margin is positive.
inline Array<double> positive_part(const Array<double> &margins) {
  Array<double> weights(margins.size(), 0.0);
  double largest = 0.0, squares = 0.0;
  for (const double margin : margins)
    largest = std::max(largest, margin);
  if (largest == 0.0)
    return weights;
  // Margins are in units of the largest, because the squares of tiny margins
  // would underflow.
  for (Index j = 0; j < margins.size(); ++j) {
    weights[j] = std::max(margins[j], 0.0) / largest;
    squares += weights[j] * weights[j];
  }
  for (double &w : weights)
    w /= std::sqrt(squares);
  return weights;
}

} // namespace hitmiss

#endif
