// LOGO: sparse global weights by local learning (Sun, Todorovic, Goodison).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LOGO_HPP
#define HITMISS_SELECTORS_LOGO_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../pairs/contracts.hpp"
#include "../solvers/damped_iteration.hpp"
#include "../solvers/report.hpp"
#include "logo_step.hpp"

namespace hitmiss {

struct LogoResult {
  Array<double> weights; ///< >= 0, exactly sparse
  Report report;         ///< kkt and gap of the last inner problem; residual
                         ///< ||T(w) - w|| where the answer is T(w)
};

/// A fixed point w = T(w) of (2.6), to ||T(w) - w|| < tol max(1, ||T(w)||).
/// Without convergence: the T(w) of the smallest relative residual. Every
/// iteration costs a few times N^2 J / 2 pair features.
inline LogoResult logo(const ScaledView &x, const ClassIndex &y,
                       const LogoOptions &options, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  const Index n_features = x.n_features();
  const double start = options.start > 0.0
                           ? options.start
                           : 1.0 / std::sqrt(static_cast<double>(n_features));
  LogoSolver solver(x, y, options, runtime);
  DampedIteration iteration(Array<double>(n_features, start));
  FeatureList working;
  LogoResult result;
  result.report.status = Status::max_iter;
  double best = std::numeric_limits<double>::infinity();
  runtime.monitor().expect(options.max_iter);
  while (result.report.iterations < options.max_iter) {
    ++result.report.iterations;
    LogoStep step = solver.step(iteration.point(), std::move(working));
    const double residual = iteration.residual(step.weights);
    double squares = 0.0;
    for (const double w : step.weights)
      squares += w * w;
    const double relative = residual / std::max(1.0, std::sqrt(squares));
    result.report.objective.push_back(step.objective);
    iteration.advance(step.weights);
    working = std::move(step.next);
    if (relative < best) {
      best = relative;
      result.report.residual = residual;
      result.report.kkt = step.kkt;
      result.report.gap = step.gap;
      result.weights = std::move(step.weights);
    }
    runtime.monitor().advance();
    if (relative < options.tol) {
      result.report.status = Status::converged;
      break;
    }
  }
  return result;
}

} // namespace hitmiss

#endif
