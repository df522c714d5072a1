// LOGO: sparse global weights by local learning (Sun, Todorovic, Goodison
// 2010).
//
// logo(x, y, options, runtime) gives weights that are at least 0, most of them
// exactly 0: a fixed point of eq. (2.6) with its certificates. By default
// (LogoOptions) the kernel width is 2 and lambda .5; at most 500 iterations, to
// a relative change of .01.
//
// Required: finite values, a centre and a scale for each feature, a class for
// each sample, and two samples of different classes that may be compared; else
// std::invalid_argument. Memory: bytes_needed(). Time: two or three passes over
// all features; each takes N^2 J / 2 differences.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_LOGO_HPP
#define HITMISS_LOGO_LOGO_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../pairs/require_problem.hpp"
#include "../runtime/report.hpp"
#include "damped_iteration.hpp"
#include "logo_step.hpp"

namespace hitmiss {

struct LogoResult {
  Array<double> weights; ///< >= 0, exactly sparse
  Array<double> point;   ///< w, for which weights = T(w)
  Report report;         ///< of T(w) over all features: kkt, gap, and residual
                         ///< ||T(w) - w||
};

namespace detail {

/// The distance from w to T(w), also divided by max(1, ||T(w)||).
struct Move {
  double length = 0.0, relative = std::numeric_limits<double>::infinity();

  Move() = default;
  Move(const Array<double> &w, const Array<double> &t) {
    const Eigen::Map<const Eigen::VectorXd> from(w.data(), w.size()),
        to(t.data(), t.size());
    length = norm_in_order(to - from);
    relative = length / std::max(1.0, norm_in_order(to));
  }
};

} // namespace detail

/// Returns T(w) over all features for a w with ||T(w) - w|| < tol max(1,
/// ||T(w)||): a fixed point of (2.6). Without convergence w is the point with
/// the smallest ||T(w) - w|| / max(1, ||T(w)||). Each step optimises over
/// candidate features, which start with equal weights. They are chosen before
/// the first step and, unless w has nearly converged, in the third step: the
/// gradient of a feature can be small until others have their weights. Time:
/// two or three passes over all features, N^2 J / 2 differences each.
inline LogoResult logo(const ScaledView &x, const ClassIndex &y,
                       const LogoOptions &options, Runtime &runtime) {
  detail::require_problem(x, y, options.allowed);
  options.check();
  const Index n_features = x.n_features();
  const double start =
      options.start > 0.0
          ? options.start
          : 1.0 / std::sqrt(static_cast<double>(x.n_features()));
  const auto n = static_cast<double>(x.n_samples());
  const auto some = std::min(n_features, detail::new_candidates);
  // A fit reads all features three times, and takes some steps over candidates.
  runtime.monitor().expect(0.5 * n * n *
                           static_cast<double>(3 * n_features + 8 * some));
  LogoSolver solver(x, y, options, runtime);
  Array<double> first(n_features, 0.0);
  for (const Index j : solver.candidates())
    first[j] = start;
  DampedIteration iteration(std::move(first));
  LogoResult result;
  result.point = iteration.point();
  LogoStep answer;
  detail::Move best;
  while (result.report.iterations < options.max_iter) {
    ++result.report.iterations;
    const Array<double> point = iteration.point();
    LogoStep step = solver.step(point);
    detail::Move move(point, step.weights);
    // Near convergence, the final check of all features also finds missing
    // candidates.
    if (result.report.iterations == 3 && move.relative >= 10.0 * options.tol) {
      step = solver.widen();
      move = detail::Move(point, step.weights);
    }
    if (move.relative < options.tol) {
      step = solver.certify();
      move = detail::Move(point, step.weights);
    }
    result.report.objective.push_back(step.objective);
    iteration.advance(step.weights);
    if (move.relative < best.relative) {
      best = move;
      result.point = point;
      answer = std::move(step);
    }
    if (move.relative < options.tol)
      break;
  }
  if (!(best.relative < options.tol)) {
    solver.step(result.point);
    answer = solver.certify();
    best = detail::Move(result.point, answer.weights);
  }
  result.report.status = !answer.solved                ? Status::stalled
                         : best.relative < options.tol ? Status::converged
                                                       : Status::max_iter;
  result.report.residual = best.length;
  result.report.kkt = answer.kkt;
  result.report.gap = answer.gap;
  result.weights = std::move(answer.weights);
  return result;
}

} // namespace hitmiss

#endif
