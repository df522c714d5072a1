// I-Relief: all samples count, by the chance that they are nearest.
//
// irelief(x, y, options, runtime) gives weights of unit norm: the fixed point
// of Sun (2007), by default with a kernel width of 2, to a change of 1e-6 or
// after 100 iterations. Required: as for near_relief(). Memory: bytes_needed().
// Time: N^2 J pair features in each iteration (N samples, J features).
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_IRELIEF_HPP
#define HITMISS_RELIEF_IRELIEF_HPP

#include <cmath>
#include <utility>

#include "../pairs/bytes_needed.hpp"
#include "../pairs/require_problem.hpp"
#include "../runtime/report.hpp"
#include "../soft/pair_sums.hpp"
#include "margin_scores.hpp"

namespace hitmiss {

struct IReliefOptions {
  double sigma = 2.0;
  double tol = 1e-6;
  int max_iter = 100;
  AllowedPairs allowed;
  SimdLevel simd = best_simd_level();

  void check() const {
    detail::require(sigma > 0.0 && std::isfinite(sigma),
                    "sigma must be above 0");
    detail::require(tol > 0.0 && std::isfinite(tol), "tol must be above 0");
    detail::require(max_iter >= 1, "max_iter must be at least 1");
  }
};

inline double bytes_needed(const FitSize &size, const IReliefOptions &) {
  return detail::pair_matrix_bytes(size) + detail::margin_bytes(size) +
         detail::tile_bytes(size, 64);
}

struct IReliefResult {
  Array<double> weights; ///< unit norm, or all 0
  Report report;
};

/// I-Relief: repeats w <- unit-norm positive part of mean_n gamma_n z_n(w),
/// from equal weights, until w changes by less than tol. z_n(w) is the expected
/// margin of sample n at the weights w; gamma_n is the chance that the sample
/// nearest to n is of its class, small for an outlier. Every iteration measures
/// all distances, then sums over all pairs; each of the two takes at most
/// N^2 J / 2 differences.
inline IReliefResult irelief(const ScaledView &x, const ClassIndex &y,
                             const IReliefOptions &options, Runtime &runtime) {
  const auto counts = detail::require_problem(x, y, options.allowed);
  options.check();
  const Index n_features = x.n_features();
  IReliefResult result;
  auto &w = result.weights;
  w.assign(n_features, 1.0 / std::sqrt(static_cast<double>(n_features)));
  result.report.status = Status::max_iter;
  const double n_pairs = 0.5 * static_cast<double>(x.n_samples()) *
                         static_cast<double>(x.n_samples());
  runtime.monitor().expect(2.0 * options.max_iter * n_pairs *
                           static_cast<double>(n_features));
  const SoftRule rule{y, options.allowed, options.sigma, options.simd};
  PairMatrix<double> s, held;
  while (result.report.iterations < options.max_iter) {
    ++result.report.iterations;
    const SoftNeighbours expected(
        DistanceRows(x, w, options.simd, x.n_samples(), held, runtime), rule,
        runtime);
    auto gamma = expected.hit_mass();
    for (double &g : gamma)
      g /= counts.n_counting();
    const auto margins =
        pair_gradient(x, expected, gamma, s, options.simd, runtime);
    const auto next = positive_part(margins);
    double change = 0.0, objective = 0.0;
    for (Index j = 0; j < n_features; ++j) {
      change += (next[j] - w[j]) * (next[j] - w[j]);
      objective += next[j] * margins[j];
    }
    w = next;
    result.report.objective.push_back(objective);
    result.report.residual = std::sqrt(change);
    if (objective <= 0.0) { // no feature has a positive margin
      result.report.status = Status::stalled;
      break;
    }
    if (result.report.residual < options.tol) {
      result.report.status = Status::converged;
      break;
    }
  }
  result.weights = without_noise(std::move(result.weights));
  return result;
}

} // namespace hitmiss

#endif
