// The path of the nonnegative lasso over a Gram operator.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_BFS_NONNEG_LASSO_HPP
#define HITMISS_BFS_NONNEG_LASSO_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "../runtime/report.hpp"
#include "nonneg_quadratic.hpp"

namespace hitmiss {

/// min ||T||^2 - 2 mu'Z'T + mu'H mu + lambda 1'mu, mu >= 0 (H: see PairGram).
struct LassoOptions {
  Array<double> lambdas; ///< decreasing
  Index enough = 0;      ///< stop when this many are active
  Index batch = 200;     ///< the most features to add at once
};

struct LassoPoint {
  double lambda = 0.0;
  int active = 0;
  double objective = 0.0;
  double gap = 0.0; ///< duality gap, relative to the objective
  double kkt = 0.0; ///< KKT residual, relative to lambda_max
};

/// `mu`, `entry` and `entry_mu` have one value for each of `features`: all
/// features that were ever in the working set.
struct LassoPath {
  Array<Index> features;
  Array<double> mu;
  Array<int> entry;       ///< first active at this point, from 1; 0: never
  Array<double> entry_mu; ///< mu at the point `entry`
  Array<LassoPoint> points;
  Status status = Status::converged;
  int rounds = 0; ///< optimality checks over all features
};

/// The smallest lambda at which mu = 0; 0 if mu = 0 at every lambda.
template <class Gram> double lambda_max(const Gram &gram) {
  const auto &rho = gram.target_correlations();
  return 2.0 * std::max(0.0, *std::max_element(rho.begin(), rho.end()));
}

/// Solves each point of the path (`Gram`: see PairGram) until no KKT condition
/// is violated by more than 1e-10 lambda_max / 2. First the strong rule adds
/// features, then features are added that violate their condition.
template <class Gram> class LassoSolver {
public:
  LassoSolver(Gram &gram, const LassoOptions &options, Runtime &runtime)
      : gram_(gram), options_(options), runtime_(runtime), program_(gram),
        scale_(lambda_max(gram) / 2.0), c_(gram.target_correlations()),
        inside_(c_.size(), 0) {}

  LassoPath run() {
    double previous = scale_;
    for (const double lambda : options_.lambdas) {
      const double h = lambda / 2.0;
      solve_point(h, previous);
      previous = h;
      record(lambda);
      runtime_.monitor().advance();
      if (path_.points.back().active >= options_.enough ||
          path_.status != Status::converged)
        break;
    }
    path_.features = gram_.working();
    return std::move(path_);
  }

private:
  static constexpr double tol = 1e-10; ///< largest violation / scale_

  void solve_point(double h, double previous) {
    const double slack = tol * scale_;
    add(violators(2.0 * h - std::min(previous, scale_) + slack));
    for (;;) {
      Array<double> q;
      for (const Index j : gram_.working())
        q.push_back(gram_.target_correlations()[j] - h);
      if (!program_.solve(q, slack / 10.0, runtime_))
        path_.status = Status::stalled;
      path_.mu = program_.solution();
      gram_.residual_correlations(path_.mu, c_, runtime_);
      ++path_.rounds;
      const auto missing = violators(h + slack);
      if (missing.empty() || path_.status != Status::converged)
        return;
      add(missing);
    }
  }

  /// Returns features outside the working set with c above `threshold`, largest
  /// c first, at most `batch`. A group of columns takes as long if it is not
  /// full: features with c above 0.8 `threshold` fill up the last group.
  Array<Index> violators(double threshold) {
    constexpr Index group = 8;
    const auto before = [&](Index a, Index b) {
      const double x = c_[a];
      const double y = c_[b];
      return x > y || (x == y && a < b);
    };
    Array<Index> found;
    Index above = 0;
    for (Index j = 0; j < c_.size(); ++j)
      if (!inside_[j] && c_[j] > 0.8 * threshold && c_[j] > 0.0) {
        found.push_back(j);
        above += c_[j] > threshold ? 1 : 0;
      }
    const Index most =
        std::min(options_.batch, (above + group - 1) / group * group);
    const Index wanted = std::min(found.size(), most);
    std::partial_sort(found.begin(), found.begin() + wanted, found.end(),
                      before);
    found.resize(wanted);
    return found;
  }

  void add(const Array<Index> &features) {
    if (features.empty())
      return;
    for (const Index j : features)
      inside_[j] = 1;
    gram_.extend(features, runtime_);
    path_.entry.resize(gram_.working().size(), 0);
    path_.entry_mu.resize(gram_.working().size(), 0.0);
  }

  /// Computes the objective, the gap and the KKT residual of the current mu.
  /// With rho = Z'T, h = lambda / 2, P = ||T||^2, residual R: mu'H mu = mu'(rho
  /// - c), ||R||^2 = P - mu'(rho + c); s R is dual feasible for s <= h / max c.
  void record(double lambda) {
    const auto &rho = gram_.target_correlations();
    const double h = lambda / 2.0, norm = gram_.target_norm();
    LassoPoint point;
    point.lambda = lambda;
    double fit = 0.0, square = norm, sum = 0.0, worst = 0.0;
    for (Index k = 0; k < path_.mu.size(); ++k) {
      const double mu = path_.mu[k];
      if (mu <= 0.0)
        continue;
      const Index j = gram_.working()[k];
      fit += mu * rho[j];
      square -= mu * (rho[j] + c_[j]);
      sum += mu;
      worst = std::max(worst, std::abs(c_[j] - h));
      ++point.active;
      if (path_.entry[k] == 0) {
        path_.entry[k] = static_cast<int>(path_.points.size()) + 1;
        path_.entry_mu[k] = mu;
      }
    }
    const double largest = *std::max_element(c_.begin(), c_.end());
    worst = std::max(worst, largest - h);
    const double s = largest > h ? h / largest : 1.0;
    point.objective = square + lambda * sum;
    const double dual = 2.0 * s * (norm - fit) - s * s * square;
    point.gap = (point.objective - dual) / std::max(point.objective, 1e-300);
    point.kkt = scale_ > 0.0 ? worst / scale_ : 0.0;
    path_.points.push_back(point);
  }

  Gram &gram_;
  const LassoOptions &options_;
  Runtime &runtime_;
  NonnegQuadratic<Gram> program_;
  double scale_; ///< lambda_max / 2
  Array<double> c_;
  Array<char> inside_;
  LassoPath path_;
};

template <class Gram>
LassoPath nonneg_lasso_path(Gram &gram, const LassoOptions &options,
                            Runtime &runtime) {
  return LassoSolver<Gram>(gram, options, runtime).run();
}

} // namespace hitmiss

#endif
