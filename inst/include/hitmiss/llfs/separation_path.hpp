// Solves LLFS (7) for every beta: the least within-class spread for a required
// share of the largest separation, by steps that minimise a linear cost.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SEPARATION_PATH_HPP
#define HITMISS_LLFS_SEPARATION_PATH_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "on_grid.hpp"
#include "separation_cost.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

struct PathOptions {
  double tol = 1e-3;   ///< of the required separation, relative to eps_max
  int most_steps = 25; ///< convex-concave steps per beta
};

/// The solution of (7) at one required separation, and the prices that certify
/// it: a feature with distances `a`, in the rows of the problem, has the
/// reduced cost a'weights - mass_dual, also if it is no column of the problem.
struct PathPoint {
  SparseVector f;
  Eigen::VectorXd weights;
  double mass_dual = 0.0;
  bool settled = false; ///< false if a limit of steps ended the search
};

/// Finds a local solution of (7), a stationary point, because the function that
/// (7) minimises is concave. Every step minimises a linear cost.
class SeparationPath {
public:
  SeparationPath(const SeparationProblem &problem,
                 const LargestSeparation &best, const PathOptions &options)
      : problem_(problem), best_(best), options_(options), least_(problem),
        separates_(
            problem.between_gradient(problem.between_weights(best.totals))) {
    separates_ /= std::max(separates_.maxCoeff(), 1e-300);
  }

  /// Solves (7) for U2(f) >= `required`. The first step starts from `start`.
  PathPoint solve(double required, const SparseVector &start) {
    PathPoint point;
    Eigen::VectorXd weights = problem_.within_weights(problem_.totals(start));
    SparseVector candidate = start;
    double spread = 0.0;
    for (int step = 0; step < options_.most_steps; ++step) {
      const bool solved = minimise_cost(required, weights, candidate, point);
      if (!solved && step > 0)
        break; // keeps point.f, which is feasible
      if (!solved)
        candidate = best_.f;
      const Eigen::VectorXd totals = problem_.totals(candidate);
      const double new_spread = problem_.within(totals);
      if (step > 0 && new_spread >= spread * (1.0 - 0.5 * options_.tol)) {
        point.settled = solved;
        break;
      }
      spread = new_spread;
      point.f = candidate;
      weights = problem_.within_weights(totals);
      if (!solved)
        break;
    }
    if (point.weights.size() == 0)
      point.weights = Eigen::VectorXd::Zero(problem_.distances.rows());
    return point;
  }

private:
  /// Minimises c'f subject to U2(f) >= required, where c is the gradient of U1,
  /// and sets the prices that certify the solution. False if none is found.
  bool minimise_cost(double required, const Eigen::VectorXd &within,
                     SparseVector &candidate, PathPoint &prices) {
    const double scale = set_cost(within), eps = best_.value;
    if (!least_.minimise(required,
                         {0.5 * options_.tol * eps, 0.1 * options_.tol * eps},
                         candidate))
      return false;
    candidate = least_.solution();
    for (auto &entry : candidate)
      entry.second = on_grid<26>(entry.second);
    candidate.erase(
        std::remove_if(candidate.begin(), candidate.end(),
                       [](const auto &entry) { return entry.second == 0.0; }),
        candidate.end());
    prices.weights.resize(problem_.distances.rows());
    prices.weights.head(problem_.same_rows()) = within / scale;
    prices.weights.tail(problem_.other_rows()) = -least_.weights();
    prices.mass_dual = least_.mass_dual();
    return true;
  }

  /// Sets the cost to the gradient of U1 divided by its largest entry, which is
  /// returned. A feature that does not vary within the class would cost 0, and
  /// (7) could not choose between several. It gets a negative cost, tiny beside
  /// most others and lowest for the features that separate best.
  double set_cost(const Eigen::VectorXd &weights) {
    constexpr double preference = 1e-6;
    if (cost_.size() > 0 && costed_ == weights)
      return scale_; // already set, by the last step of the previous beta
    costed_ = weights;
    const Eigen::VectorXd c = problem_.within_gradient(weights);
    const double largest = c.size() > 0 ? c.cwiseAbs().maxCoeff() : 0.0;
    scale_ = largest > 0.0 ? largest : 1.0;
    cost_.resize(c.size());
    for (Index j = 0; j < cost_.size(); ++j) {
      const double own = c[j];
      cost_[j] = own == 0.0 ? -preference * separates_[j] : own / scale_;
    }
    least_.set_cost(cost_);
    return scale_;
  }

  const SeparationProblem &problem_;
  const LargestSeparation &best_;
  const PathOptions options_;
  SeparationCost least_;
  Eigen::VectorXd separates_, cost_; // by column
  Eigen::VectorXd costed_;           // the weights that cost_ was found from
  double scale_ = 1.0;
};

} // namespace hitmiss

#endif
