// Margins of soft near hits and misses, as the papers write them: nothing of
// the core but the scaled values, so any path can be held against it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_FUZZ_SOFT_DEFINITION_HPP
#define HITMISS_FUZZ_SOFT_DEFINITION_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "../support/soft_margins.hpp"
#include "problem.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace fuzz {

struct SoftDefinition {
  /// By sample, then feature: expected distance to the near miss less that to
  /// the near hit (0 where there is none).
  Array<Array<double>> margins;
  Array<double> hit_mass; ///< of all other samples
  double widest = 0.0;    ///< distance along one feature
  /// What rounding does to a margin: a distance errs by some ulps, a chance by
  /// as many times its exponent.
  double slip = 0.0;
};

/// For the neighbours that `weights` imply.
inline SoftDefinition soft_definition(const Problem &problem, double sigma,
                                      const Array<double> &weights) {
  const auto x = problem.x();
  const auto apart = [&](int a, int b, Index j) {
    const Index feature = j;
    return std::abs(x(a, feature) - x(b, feature));
  };
  const auto distance = [&](int a, int b) {
    long double sum = 0.0L;
    for (Index j = 0; j < weights.size(); ++j)
      sum += static_cast<long double>(weights[j]) * apart(a, b, j);
    return sum;
  };
  const auto soft = soft_margins(problem.y(), sigma, distance);
  SoftDefinition result;
  result.hit_mass = soft.hit_mass;
  double farthest = 0.0;
  for (int a = 0; a < problem.n; ++a) {
    Array<double> z(weights.size(), 0.0);
    for (int b = 0; b < problem.n; ++b) {
      farthest = std::max(farthest, static_cast<double>(distance(a, b)));
      for (Index j = 0; j < z.size(); ++j) {
        result.widest = std::max(result.widest, apart(a, b, j));
        z[j] += soft.c[a][b] * apart(a, b, j);
      }
    }
    result.margins.push_back(z);
  }
  result.slip = 100.0 * std::numeric_limits<double>::epsilon() *
                (static_cast<double>(weights.size()) + farthest / sigma) *
                result.widest;
  return result;
}

} // namespace fuzz

#endif
