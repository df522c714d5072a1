// One step of LOGO: the exact minimiser T(w) for the margins that w implies.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SELECTORS_LOGO_STEP_HPP
#define HITMISS_SELECTORS_LOGO_STEP_HPP

#include <algorithm>
#include <cmath>
#include <utility>

#include "../pairs/expected_margin.hpp"
#include "../pairs/fit_size.hpp"
#include "../pairs/margins.hpp"
#include "../runtime/require.hpp"
#include "../solvers/eigen.hpp"
#include "../solvers/nonneg_logistic.hpp"

namespace hitmiss {

struct LogoOptions {
  double sigma = 2.0;
  double lambda = 1.0;
  double tol = 0.01;
  int max_iter = 50;
  double start = -1.0; ///< first weight of every feature; < 0: 1 / sqrt(J)
  AllowedPairs allowed;
  bool unit_range = false; ///< features lie in [0, 1]: screen in float
  SimdLevel simd = best_simd_level();

  void check() const {
    detail::require(sigma > 0.0 && std::isfinite(sigma), "sigma is positive");
    detail::require(lambda >= 0.0 && std::isfinite(lambda),
                    "lambda is not negative");
    detail::require(tol >= 0.0, "tol is not negative");
    detail::require(max_iter >= 1, "max_iter is 1 at least");
    detail::require(std::isfinite(start), "the first weight is finite");
  }
};

/// Bytes beside the data that logo() takes: distances, their transposed and the
/// symmetric margins; columns of the working set.
inline double bytes_needed(const FitSize &size, const LogoOptions &) {
  return 3.0 * detail::pair_matrix_bytes(size) + detail::tile_bytes(size, 64) +
         16.0 * size.n_samples * std::min(size.n_features, 500.0);
}

/// The minimiser for fixed neighbours, and its certificates.
struct LogoStep {
  Array<double> weights; ///< all J, exactly sparse
  double objective = 0.0;
  double kkt = 0.0; ///< over all J features
  double gap = 0.0; ///< primal minus dual objective
  FeatureList next; ///< support and near ones: the next working set
};

/// Solves (2.6) on a working set W that grows until no feature outside has a
/// gradient above lambda. For fixed neighbours the gradient of the loss at
/// feature j is sum_{n<i} S_ni |x_nj - x_ij|, so margin columns exist for W
/// only, while every feature is checked every time. Memory O(N^2 + J + N |W|).
class LogoSolver {
public:
  LogoSolver(const ScaledView &x, const ClassIndex &y,
             const LogoOptions &options, Runtime &runtime)
      : x_(x), y_(y), options_(options), runtime_(runtime),
        n_counting_(AllowedCounts(y, options.allowed).n_counting()),
        // A float gradient errs by about 1e-6 sum |S| <= 2e-6 N.
        band_(options.unit_range &&
                      1e-3 * options.lambda >
                          2e-7 * static_cast<double>(x.n_samples())
                  ? 1e-3
                  : 0.0) {}

  LogoStep step(const Array<double> &w, FeatureList working) {
    expected_margins(x_, w, y_, options_.allowed, options_.sigma, options_.simd,
                     margins_, runtime_);
    columns_ = Eigen::MatrixXd(x_.n_samples(), 0);
    working_.clear();
    inside_.assign(x_.n_features(), 0);
    solution_ = NonnegLogisticResult();
    extend(working);
    Array<double> gradient;
    do {
      solve();
      gradient = screen();
    } while (add_violators(gradient));
    return finish(gradient);
  }

private:
  /// Features with a gradient above this share of lambda join as near ones:
  /// their columns are cheap, another pass over all features is not.
  static constexpr double near_share = 0.4;

  /// Forms the margin columns of features that join the working set.
  void extend(FeatureList &added) {
    const auto columns =
        margin_columns(x_, added, margins_, options_.simd, runtime_);
    const Index old = columns_.cols();
    const Index count = added.size();
    columns_.conservativeResize(Eigen::NoChange, old + count);
    solution_.weights.conservativeResize(old + count);
    for (Index k = 0; k < count; ++k) {
      columns_.col(old + k) =
          Eigen::Map<const Eigen::VectorXd>(columns[k], x_.n_samples());
      solution_.weights[old + k] = 0.0;
      const Index j = added[k];
      working_.push_back(j);
      inside_[j] = 1;
    }
  }

  void solve() {
    NonnegLogisticOptions options;
    options.lambda = options_.lambda;
    solution_ = NonnegLogistic(columns_, options).solve(solution_.weights);
  }

  /// The gradient of all features, in float where that is safe.
  Array<double> screen() {
    const Array<double> r(solution_.chance.data(),
                          solution_.chance.data() + solution_.chance.size());
    return band_ > 0.0 ? gradient(r, single_) : gradient(r, double_);
  }

  template <class T>
  Array<double> gradient(const Array<double> &r, PairMatrix<T> &s) {
    const auto sums =
        symmetric_margins(margins_, r, s, options_.simd, runtime_);
    return pair_gradient(x_, s, sums, options_.simd, runtime_);
  }

  /// Extends the working set by the violators, largest first, and by near ones
  /// up to 400 at a time; false if there is no violator.
  bool add_violators(const Array<double> &gradient) {
    const double lambda = options_.lambda;
    FeatureList near, doubtful;
    Index violators = 0;
    for (Index j = 0; j < gradient.size(); ++j) {
      if (inside_[j] || gradient[j] <= near_share * lambda || x_.is_constant(j))
        continue;
      near.push_back(j);
      if (gradient[j] > lambda * (1.0 + band_ + 1e-9))
        ++violators;
      else if (gradient[j] > lambda * (1.0 - band_ - 1e-9))
        doubtful.push_back(j);
    }
    if (violators == 0) { // what float leaves open is decided in double
      extend(doubtful);
      const Eigen::VectorXd exact = columns_.transpose() * solution_.chance;
      return !doubtful.empty() &&
             exact.tail(doubtful.size()).maxCoeff() > lambda * (1.0 + 1e-9);
    }
    std::stable_sort(near.begin(), near.end(), [&](Index a, Index b) {
      return gradient[a] > gradient[b];
    });
    near.resize(
        std::min<Index>({near.size(), std::max<Index>(violators, 200), 400}));
    extend(near);
    return true;
  }

  LogoStep finish(Array<double> &gradient) const {
    LogoStep result;
    result.weights.assign(gradient.size(), 0.0);
    const Eigen::VectorXd exact = columns_.transpose() * solution_.chance;
    for (Index k = 0; k < working_.size(); ++k) {
      const Index j = working_[k];
      gradient[j] = exact[k];
      const double w = solution_.weights[k];
      result.weights[j] = w;
      const double pull = exact[k] - options_.lambda;
      result.kkt = std::max(result.kkt, w > 0.0 ? std::abs(pull) : pull);
    }
    // Features that may not be chosen bound nothing.
    for (Index j = 0; j < gradient.size(); ++j)
      if (x_.is_constant(j))
        gradient[j] = 0.0;
    // A sample that does not count has a margin of 0, and a loss of log 2.
    const int n_idle = y_.n_samples() - n_counting_;
    result.objective = solution_.objective - n_idle * std::log(2.0);
    result.gap = duality_gap(gradient);
    result.next = next_working_set(result.weights, gradient);
    return result;
  }

  /// Primal minus the dual at a = r min(1, lambda / max g): sum of entropies.
  double duality_gap(const Array<double> &gradient) const {
    const double most = *std::max_element(gradient.begin(), gradient.end());
    const double shrink = most > options_.lambda ? options_.lambda / most : 1.0;
    double dual = 0.0;
    for (Index n = 0; n < solution_.chance.size(); ++n) {
      const double a = solution_.chance[n] * shrink;
      if (a > 0.0)
        dual -= a * std::log(a);
      if (a < 1.0)
        dual -= (1.0 - a) * std::log1p(-a);
    }
    return solution_.objective - dual;
  }

  FeatureList next_working_set(const Array<double> &weights,
                               const Array<double> &gradient) const {
    FeatureList support, near;
    for (Index j = 0; j < weights.size(); ++j)
      if (weights[j] > 0.0)
        support.push_back(j);
      else if (gradient[j] > near_share * options_.lambda)
        near.push_back(j);
    std::stable_sort(near.begin(), near.end(), [&](Index a, Index b) {
      return gradient[a] > gradient[b];
    });
    near.resize(std::min<Index>(near.size(), 300));
    support.insert(support.end(), near.begin(), near.end());
    return support;
  }

  const ScaledView &x_;
  const ClassIndex &y_;
  const LogoOptions &options_;
  Runtime &runtime_;
  int n_counting_;
  double band_;
  // Kept from step to step: fresh pages of N^2 numbers cost as much as a pass.
  ExpectedMargins margins_;
  PairMatrix<float> single_;
  PairMatrix<double> double_;
  Eigen::MatrixXd columns_;
  FeatureList working_;
  Array<char> inside_;
  NonnegLogisticResult solution_;
};

} // namespace hitmiss

#endif
