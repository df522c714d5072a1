// Sparse nonnegative logistic regression on margins: projected Newton.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_NONNEG_LOGISTIC_HPP
#define HITMISS_LOGO_NONNEG_LOGISTIC_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/eigen.hpp"
#include "../runtime/report.hpp"

namespace hitmiss {

struct NonnegLogisticOptions {
  double lambda = 1.0;
  double tol = 1e-10; ///< KKT residual, relative to max(1, lambda)
  int max_iter = 200;

  /// A solution with a larger residual must not be used.
  double largest_kkt() const { return 1e-6 * std::max(1.0, lambda); }
};

struct NonnegLogisticResult {
  Eigen::VectorXd weights;
  Eigen::VectorXd chance; ///< r_n = 1 / (1 + exp(w'z_n))
  double objective = 0.0;
  Report report;
};

/// min_w sum_n log(1 + exp(-w'z_n)) + lambda sum_j w_j, w >= 0 (LOGO, 2.6).
/// Rows of z are samples. Newton steps over the m features whose weight is
/// positive or would grow; each step by coordinate descent on the nonnegative
/// quadratic, with backtracking. O(n m^2) per step.
class NonnegLogistic {
public:
  using Columns = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

  NonnegLogistic(const Columns &z, const NonnegLogisticOptions &options)
      : z_(z), options_(options) {}

  /// Starts at `start` and, if that fails, at 0. Far from the solution all
  /// chances can round to 0 or 1, which leaves no curvature; at 0 all are 1/2.
  NonnegLogisticResult solve(const Eigen::VectorXd &start) {
    NonnegLogisticResult result = solve_from(start);
    if (result.report.status == Status::stalled &&
        result.report.kkt > options_.largest_kkt() && !start.isZero(0.0))
      result = solve_from(Eigen::VectorXd::Zero(start.size()));
    return result;
  }

private:
  NonnegLogisticResult solve_from(const Eigen::VectorXd &start) {
    NonnegLogisticResult result;
    Eigen::VectorXd &w = result.weights;
    w = start;
    evaluate(w, result);
    result.report.status = Status::max_iter;
    const double tol = options_.tol * std::max(1.0, options_.lambda);
    while (true) {
      const Eigen::VectorXd pull =
          (z_.transpose() * result.chance).array() - options_.lambda;
      result.report.kkt = residual(w, pull);
      if (result.report.kkt <= tol)
        result.report.status = Status::converged;
      if (result.report.kkt <= tol ||
          result.report.iterations == options_.max_iter)
        break;
      ++result.report.iterations;
      if (!step(pull, result)) {
        result.report.status = Status::stalled;
        break;
      }
    }
    return result;
  }

  /// Computes the objective and the chances at w without overflow.
  void evaluate(const Eigen::VectorXd &w, NonnegLogisticResult &at) const {
    const Eigen::VectorXd margin = z_ * w;
    at.chance.resize(margin.size());
    double loss = 0.0;
    for (Index n = 0; n < margin.size(); ++n) {
      const double e = std::exp(-std::abs(margin[n]));
      loss += std::log1p(e) + std::max(-margin[n], 0.0);
      at.chance[n] = (margin[n] > 0.0 ? e : 1.0) / (1.0 + e);
    }
    at.objective = loss + options_.lambda * w.sum();
  }

  static double residual(const Eigen::VectorXd &w,
                         const Eigen::VectorXd &pull) {
    double worst = 0.0;
    for (Index j = 0; j < w.size(); ++j)
      worst = std::max(worst, w[j] > 0.0 ? std::abs(pull[j]) : pull[j]);
    return worst;
  }

  bool step(const Eigen::VectorXd &pull, NonnegLogisticResult &at) const {
    Array<Index> free;
    for (Index j = 0; j < pull.size(); ++j)
      if (at.weights[j] > 0.0 || pull[j] > 0.0)
        free.push_back(j);
    const Eigen::VectorXd direction = newton(free, pull, at);
    const double slope = -pull.dot(direction);
    // Close to the solution, progress is lost in the objective's rounding.
    const double noise = 1e-14 * std::max(1.0, std::abs(at.objective));
    NonnegLogisticResult next;
    for (double length = 1.0; length > 1e-10; length *= 0.5) {
      next.weights = at.weights + length * direction;
      next.weights = next.weights.cwiseMax(0.0);
      evaluate(next.weights, next);
      if (next.objective <= at.objective + 1e-4 * length * slope + noise) {
        const bool moved = next.weights != at.weights;
        at.weights.swap(next.weights);
        at.chance.swap(next.chance);
        at.objective = next.objective;
        return moved;
      }
    }
    return false;
  }

  /// The step to the minimiser of the quadratic model over w >= 0.
  Eigen::VectorXd newton(const Array<Index> &free, const Eigen::VectorXd &pull,
                         const NonnegLogisticResult &at) const {
    const Index m = free.size();
    Eigen::MatrixXd weighted(z_.rows(), m);
    const Eigen::ArrayXd curvature =
        (at.chance.array() * (1.0 - at.chance.array())).sqrt();
    for (Index k = 0; k < m; ++k)
      weighted.col(k) = z_.col(free[k]).array() * curvature;
    const Eigen::MatrixXd hessian = weighted.transpose() * weighted;
    Eigen::VectorXd model(m); // minus the model's gradient
    Eigen::VectorXd moved = Eigen::VectorXd::Zero(at.weights.size());
    double scale = 0.0;
    for (Index k = 0; k < m; ++k) {
      model[k] = pull[free[k]];
      scale = std::max(scale, std::abs(model[k]));
    }
    for (int sweep = 0; sweep < 2000; ++sweep) {
      double largest = 0.0;
      for (Index k = 0; k < m; ++k) {
        const Index j = free[k];
        const double h = hessian(k, k);
        const double lowest = -(at.weights[j] + moved[j]);
        if (h <= 0.0) { // a column of zeros: its weight only costs
          moved[j] += model[k] < 0.0 ? lowest : 0.0;
          continue;
        }
        const double change = std::max(model[k] / h, lowest);
        if (change == 0.0)
          continue;
        moved[j] += change;
        model -= change * hessian.col(k);
        largest = std::max(largest, std::abs(change) * h);
      }
      if (largest <= 1e-10 * scale)
        break;
    }
    return moved;
  }

  Columns z_;
  NonnegLogisticOptions options_;
};

} // namespace hitmiss

#endif
