// One step of LOGO: the exact minimiser T(w) for the margins that w implies.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LOGO_LOGO_STEP_HPP
#define HITMISS_LOGO_LOGO_STEP_HPP

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "../data/for_each_feature.hpp"
#include "../runtime/eigen.hpp"
#include "logo_gradient.hpp"
#include "nonneg_logistic.hpp"

namespace hitmiss {

/// A copy of chosen features of all samples, unscaled, and their scaling. It
/// lies in memory, so reading it costs little even if the data lie in a file.
/// Features are added at its end.
class FeatureCopy {
public:
  FeatureCopy() { view_.scaling = &scaling_; }
  FeatureCopy(const FeatureCopy &) = delete;
  FeatureCopy &operator=(const FeatureCopy &) = delete;

  /// Adds features, in O(n_samples) time for each feature that the copy then
  /// holds.
  void add(const ScaledView &x, const Array<Index> &features,
           Runtime &runtime) {
    const Index n = x.n_samples(), old = values_.size();
    values_.resize(old + n * features.size());
    copy_raw_features(x.raw, features, values_.data() + old, runtime);
    for (const Index j : features) {
      features_.push_back(j);
      scaling_.center.push_back(x.scaling->center[j]);
      scaling_.scale.push_back(x.scaling->scale[j]);
      scaling_.constant.push_back(x.scaling->constant[j]);
    }
    view_.raw = view_by_feature(values_.data(), n, features_.size());
  }

  /// Feature k of view() is feature features()[k] of the data.
  const Array<Index> &features() const { return features_; }
  const ScaledView &view() const { return view_; }

private:
  Array<Index> features_;
  Array<double> values_;
  Scaling scaling_;
  ScaledView view_{};
};

namespace detail {

constexpr Index few_candidates = 128;  ///< up to here, all are candidates
constexpr Index new_candidates = 1000; ///< at most, at a time

} // namespace detail

/// The bytes that logo() takes beside the data: all distances if they are held,
/// rows of distances and of S, tiles, copies of candidates, margin columns.
inline double bytes_needed(const FitSize &size, const LogoOptions &) {
  const double held = size.n_samples > detail::held_samples
                          ? 0.0
                          : detail::pair_matrix_bytes(size);
  const double copies = std::min(size.n_features, 3.0 * detail::new_candidates);
  const double columns = std::min(size.n_features, 500.0);
  return held + detail::margin_bytes(size) + detail::tile_bytes(size, 64) +
         8.0 * size.n_samples * (copies + 3.0 * columns) +
         80.0 * size.n_features;
}

/// The minimiser of the objective for fixed neighbours, and its certificates.
struct LogoStep {
  Array<double> weights; ///< all J, exactly sparse
  double objective = 0.0;
  double kkt = 0.0;   ///< largest violation in the working set
  double gap = 0.0;   ///< primal minus dual objective
  bool solved = true; ///< false: rounding kept it from the minimiser
};

/// Solves (2.6) over candidates: a copy of the features of largest gradient.
/// The gradient (see LogoGradient) needs no margins, so margin columns exist
/// for a working set W only. It grows until no candidate outside W has a
/// gradient above lambda. A pass over all features, N^2 J / 2 pair features,
/// tells if the solution also holds for them. Memory: O(J + N (candidates +
/// |W|)), and all distances or a few rows of pairs.
class LogoSolver {
public:
  /// The first candidates are the features of largest gradient at w = 0, where
  /// all samples are equally near; all features, if they are few.
  LogoSolver(const ScaledView &x, const ClassIndex &y,
             const LogoOptions &options, Runtime &runtime)
      : x_(x), gradient_at_(y, options, runtime), lambda_(options.lambda),
        runtime_(runtime),
        n_idle_(y.n_samples() - AllowedCounts(y, options.allowed).n_counting()),
        is_candidate_(x.n_features(), 0) {
    const bool all = x.n_features() <= detail::few_candidates;
    choose_candidates(gradient_at_.first(x),
                      all ? -std::numeric_limits<double>::infinity()
                          : far_share * lambda_);
  }

  const FeatureList &candidates() const { return candidates_.features(); }

  /// T(w) over the candidates, for a w that is 0 at all other features.
  LogoStep step(const Array<double> &w) {
    move_to(w);
    solve_over_candidates();
    return result();
  }

  /// Reads all features once, and then finds T(w) again over more candidates.
  LogoStep widen() {
    choose_candidates(look().values, far_share * lambda_);
    solve_over_candidates();
    return result();
  }

  /// T(w) over all features.
  LogoStep certify() {
    while (true) {
      const LogoGradient::Values all = look();
      if (!choose_candidates(all.values, lambda_ - all.error))
        return result();
      choose_candidates(all.values, far_share * lambda_);
      solve_over_candidates();
    }
  }

private:
  /// Candidates with a gradient above near_share * lambda join the working set
  /// early; other features above far_share * lambda become candidates.
  static constexpr double near_share = 0.8, far_share = 0.4;

  Array<double> chance() const {
    return {solution_.chance.data(),
            solution_.chance.data() + solution_.chance.size()};
  }

  /// The gradient at the solution, of all candidates.
  LogoGradient::Values gradient() {
    return gradient_at_(candidates_.view(), *margins_, chance());
  }

  /// The gradient at the solution, of all features.
  LogoGradient::Values look() { return gradient_at_(x_, *margins_, chance()); }

  /// Returns the features that are not `taken` and have a gradient above
  /// `least`, largest gradient first.
  static FeatureList largest(const Array<double> &gradient,
                             const Array<char> &taken, double least) {
    FeatureList found;
    for (Index j = 0; j < gradient.size(); ++j)
      if (taken[j] == 0 && gradient[j] > least)
        found.push_back(j);
    std::stable_sort(found.begin(), found.end(), [&](Index a, Index b) {
      return gradient[a] > gradient[b];
    });
    return found;
  }

  /// Adds candidates: at most 1000 varying features with a gradient above
  /// `least`, largest first. Returns false if there are none.
  bool choose_candidates(const Array<double> &all, double least) {
    FeatureList found = largest(all, is_candidate_, least);
    found.erase(std::remove_if(found.begin(), found.end(),
                               [&](Index j) { return x_.is_constant(j); }),
                found.end());
    found.resize(std::min(found.size(), detail::new_candidates));
    candidates_.add(x_, found, runtime_);
    for (const Index j : found) {
      is_candidate_[j] = 1;
      gradient_.push_back(all[j]);
    }
    inside_.resize(gradient_.size(), 0);
    weights_.resize(gradient_.size(), 0.0);
    return !found.empty();
  }

  /// Forms the margins at w, and the columns of the first working set.
  void move_to(const Array<double> &w) {
    FeatureList near;
    for (Index k = 0; k < weights_.size(); ++k) {
      inside_[k] = weights_[k] > 0.0 ? 1 : 0;
      if (inside_[k] != 0)
        near.push_back(k);
    }
    auto others = largest(gradient_, inside_, near_share * lambda_);
    others.resize(std::min<Index>(others.size(), 300));
    near.insert(near.end(), others.begin(), others.end());
    std::sort(near.begin(), near.end());
    const ScaledView &x = candidates_.view();
    ColumnSums sums(x, near, gradient_at_.rule().simd, runtime_);
    point_ = detail::gather(w, candidates());
    margins_.reset();
    margins_.emplace(gradient_at_.distances(x, point_), gradient_at_.rule(),
                     runtime_, std::ref(sums));
    working_.clear();
    solution_ = NonnegLogisticResult();
    columns_ = Eigen::MatrixXd(x_.n_samples(), 0);
    extend(near, sums.columns());
  }

  /// Adds candidates and their margin columns to the working set.
  void extend(const FeatureList &added, const MarginColumns &columns) {
    const Index old = columns_.cols();
    const Index count = added.size();
    columns_.conservativeResize(Eigen::NoChange, old + count);
    solution_.weights.conservativeResize(old + count);
    for (Index k = 0; k < count; ++k) {
      columns_.col(old + k) =
          Eigen::Map<const Eigen::VectorXd>(columns[k], x_.n_samples());
      solution_.weights[old + k] = weights_[added[k]];
      working_.push_back(added[k]);
      inside_[added[k]] = 1;
    }
  }

  void solve_over_candidates() {
    const NonnegLogisticOptions options{lambda_};
    do
      solution_ = NonnegLogistic(columns_, options).solve(solution_.weights);
    while (add_violators(gradient()));
  }

  /// Extends the working set by the features that violate the condition
  /// (gradient above lambda), largest first, at most 400 at a time. If they are
  /// fewer than 200, features with a gradient above 0.8 lambda fill up to 200.
  /// Returns false if there is no violator.
  bool add_violators(LogoGradient::Values now) {
    gradient_ = std::move(now.values);
    FeatureList near = largest(gradient_, inside_, near_share * lambda_);
    const auto above = [&](double least) {
      return std::partition_point(
                 near.begin(), near.end(),
                 [&](Index k) { return gradient_[k] > least; }) -
             near.begin();
    };
    const Index violators = above(lambda_ + now.error);
    // Gradients within the float error of lambda are computed again in double.
    const Index doubtful = above(lambda_ - now.error);
    near.resize(violators == 0
                    ? doubtful
                    : std::min<Index>(
                          {near.size(), std::max<Index>(violators, 200), 400}));
    if (near.empty())
      return false;
    std::sort(near.begin(), near.end());
    ColumnSums sums(candidates_.view(), near, gradient_at_.rule().simd,
                    runtime_);
    margins_->for_rows(runtime_, std::ref(sums));
    extend(near, sums.columns());
    const Eigen::VectorXd exact = columns_.transpose() * solution_.chance;
    return violators > 0 ||
           exact.tail(near.size()).maxCoeff() > lambda_ * (1.0 + 1e-9);
  }

  LogoStep result() {
    LogoStep step;
    step.weights.assign(x_.n_features(), 0.0);
    std::fill(weights_.begin(), weights_.end(), 0.0);
    const Eigen::VectorXd exact = columns_.transpose() * solution_.chance;
    double most = 0.0;
    for (Index k = 0; k < working_.size(); ++k) {
      const Index at = working_[k];
      const double w = solution_.weights[k], pull = exact[k] - lambda_;
      gradient_[at] = exact[k];
      weights_[at] = w;
      step.weights[candidates_.features()[at]] = w;
      step.kkt = std::max(step.kkt, w > 0.0 ? std::abs(pull) : pull);
      most = std::max(most, exact[k]);
    }
    step.solved = step.kkt <= NonnegLogisticOptions{lambda_}.largest_kkt();
    // A sample that does not count has a margin of 0, and a loss of log 2.
    step.objective = solution_.objective - n_idle_ * std::log(2.0);
    step.gap = duality_gap(most);
    return step;
  }

  /// Returns the primal objective minus the dual objective at a = r min(1,
  /// lambda / max g). The dual objective is a sum of entropies.
  double duality_gap(double most) const {
    const double shrink = most > lambda_ ? lambda_ / most : 1.0;
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

  const ScaledView &x_;
  LogoGradient gradient_at_;
  double lambda_;
  Runtime &runtime_;
  int n_idle_;
  FeatureCopy candidates_;
  Array<char> is_candidate_;         ///< by feature
  Array<double> weights_, gradient_; ///< latest ones, by candidate
  FeatureList working_;              ///< places among the candidates
  Array<char> inside_;               ///< by candidate: in the working set
  Array<double> point_;              ///< w of margins_, by candidate
  std::optional<SoftNeighbours> margins_;
  Eigen::MatrixXd columns_; ///< of the working set
  NonnegLogisticResult solution_;
};

} // namespace hitmiss

#endif
