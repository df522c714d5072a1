// Margins of soft near hits and misses, as the papers write them: nothing of
// the core but the scaled values, so any path can be held against it.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_FUZZ_SOFT_DEFINITION_HPP
#define HITMISS_FUZZ_SOFT_DEFINITION_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "problem.hpp"

namespace fuzz {

struct SoftDefinition {
  /// By sample, then feature: expected distance to the near miss less that to
  /// the near hit (0 where there is none).
  std::vector<std::vector<double>> margins;
  std::vector<double> hit_mass; ///< of all other samples
  double widest = 0.0;          ///< distance along one feature
  /// What rounding does to a margin: a distance errs by some ulps, a chance by
  /// as many times its exponent.
  double slip = 0.0;
};

/// For the neighbours that `weights` imply.
inline SoftDefinition soft_definition(const Problem &problem, double sigma,
                                      const std::vector<double> &weights) {
  const auto x = problem.x();
  const auto n = static_cast<std::size_t>(problem.n);
  const auto apart = [&](std::size_t a, std::size_t b, std::size_t j) {
    const auto feature = static_cast<std::ptrdiff_t>(j);
    return std::abs(x(static_cast<std::ptrdiff_t>(a), feature) -
                    x(static_cast<std::ptrdiff_t>(b), feature));
  };
  SoftDefinition result;
  double farthest = 0.0;
  for (std::size_t a = 0; a < n; ++a) {
    std::vector<long double> distance(n, 0.0L);
    // Less the nearest of the kind, since long doubles underflow too.
    long double nearest[2] = {HUGE_VALL, HUGE_VALL}, sum[2] = {0.0L, 0.0L};
    const auto hit = [&](std::size_t b) {
      return problem.labels[a] == problem.labels[b] ? 1 : 0;
    };
    for (std::size_t b = 0; b < n; ++b) {
      for (std::size_t j = 0; j < weights.size(); ++j) {
        distance[b] += static_cast<long double>(weights[j]) * apart(a, b, j);
        result.widest = std::max(result.widest, apart(a, b, j));
      }
      farthest = std::max(farthest, static_cast<double>(distance[b]));
      if (b != a)
        nearest[hit(b)] = std::min(nearest[hit(b)], distance[b]);
    }
    std::vector<long double> near(n, 0.0L);
    for (std::size_t b = 0; b < n; ++b)
      if (b != a)
        sum[hit(b)] += near[b] =
            std::exp((nearest[hit(b)] - distance[b]) / sigma);
    std::vector<double> z(weights.size(), 0.0);
    for (std::size_t b = 0; b < n; ++b)
      for (std::size_t j = 0; b != a && j < z.size(); ++j)
        z[j] += static_cast<double>(near[b] / sum[hit(b)]) *
                (hit(b) == 1 ? -apart(a, b, j) : apart(a, b, j));
    result.margins.push_back(z);
    result.hit_mass.push_back(static_cast<double>(
        sum[1] == 0.0L
            ? 0.0L
            : sum[1] / (sum[1] +
                        sum[0] * std::exp((nearest[1] - nearest[0]) / sigma))));
  }
  result.slip = 100.0 * std::numeric_limits<double>::epsilon() *
                (static_cast<double>(weights.size()) + farthest / sigma) *
                result.widest;
  return result;
}

} // namespace fuzz

#endif
