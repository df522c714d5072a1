// The program of one LLFS representative: distances of its features to near
// hits and near misses, and the largest separation that can be had (6).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_SEPARATION_PROBLEM_HPP
#define HITMISS_LLFS_SEPARATION_PROBLEM_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "../runtime/eigen.hpp"
#include "logistic_gain.hpp"
#include "on_grid.hpp"

namespace hitmiss {

/// A vector with few nonzero entries: (column, value), increasing columns.
using SparseVector = Array<std::pair<int, double>>;

/// The product of the transposed matrix and a vector.
inline Eigen::VectorXd
column_products(const Eigen::Ref<const Eigen::MatrixXd> &columns,
                const Eigen::VectorXd &weights) {
  Eigen::VectorXd products(columns.cols());
  run_alike<ColumnProductKernel>(
      ColumnProductJob{columns.data(), columns.outerStride(), columns.cols(),
                       columns.rows(), weights.data(), products.data()});
  return products;
}

/// Column j holds |x_j - x_ij| over the other samples, those of the
/// representative's class (`same`) first, then the others.
struct SeparationProblem {
  Eigen::MatrixXd distances; ///< (n_same + n_other) x columns
  Index n_same = 0;
  double mass = 1.0; ///< A of the paper's alpha: at most this many features
  LogisticGain gain;

  int columns() const { return static_cast<int>(distances.cols()); }
  Index n_other() const { return distances.rows() - n_same; }

  /// Distances of all samples under weights f.
  Eigen::VectorXd totals(const SparseVector &f) const {
    return weighted_sum(f, 0, distances.rows());
  }
  /// Those of near hits, and those of near misses, alone.
  Eigen::VectorXd same_totals(const SparseVector &f) const {
    return weighted_sum(f, 0, n_same);
  }
  Eigen::VectorXd other_totals(const SparseVector &f) const {
    return weighted_sum(f, n_same, n_other());
  }
  double within(const Eigen::VectorXd &totals) const { // U1
    return mean_gain(gain, totals.head(n_same));
  }
  double between(const Eigen::VectorXd &totals) const { // U2
    return mean_gain(gain, totals.tail(n_other()));
  }
  Eigen::VectorXd within_weights(const Eigen::VectorXd &totals) const {
    return gain_weights(gain, totals.head(n_same));
  }
  Eigen::VectorXd between_weights(const Eigen::VectorXd &totals) const {
    return gain_weights(gain, totals.tail(n_other()));
  }
  Eigen::VectorXd within_gradient(const Eigen::VectorXd &weights) const {
    return column_products(distances.topRows(n_same), weights);
  }
  Eigen::VectorXd between_gradient(const Eigen::VectorXd &weights) const {
    return column_products(distances.bottomRows(n_other()), weights);
  }

private:
  Eigen::VectorXd weighted_sum(const SparseVector &f, Index row,
                               Index count) const {
    Eigen::VectorXd sum(count);
    run_alike<WeightedSumKernel>(
        WeightedSumJob{distances.data() + row, distances.rows(), sum.size(),
                       f.data(), f.size(), sum.data()});
    return sum;
  }
};

namespace detail {

inline SparseVector to_sparse(const Eigen::VectorXd &f) {
  SparseVector result;
  for (Index j = 0; j < f.size(); ++j)
    if (f[j] > 0.0)
      result.push_back({static_cast<int>(j), f[j]});
  return result;
}

/// The mass on the columns of largest score, a fraction on the last.
inline Eigen::VectorXd greedy_mass(const Eigen::VectorXd &score, double mass) {
  Array<int> order(score.size());
  std::iota(order.begin(), order.end(), 0);
  const auto whole = static_cast<Index>(std::floor(mass));
  const auto needed = std::min<Index>(whole + 1, score.size());
  std::partial_sort(
      order.begin(), order.begin() + needed, order.end(), [&](int a, int b) {
        return score[a] > score[b] || (score[a] == score[b] && a < b);
      });
  Eigen::VectorXd f = Eigen::VectorXd::Zero(score.size());
  for (Index k = 0; k < whole; ++k)
    f[order[k]] = 1.0;
  if (mass > static_cast<double>(whole))
    f[order[whole]] = mass - static_cast<double>(whole);
  return f;
}

/// Where on [0, longest] the concave function with slope(t) is largest.
template <class Slope> double concave_argmax(Slope slope, double longest) {
  double low = 0.0, high = longest;
  double slope_high = slope(high);
  if (slope_high >= 0.0)
    return high;
  double slope_low = slope(low);
  const double tolerance = 1e-12 * std::abs(slope_low);
  for (int i = 0; i < 60 && high - low > 1e-14 * longest; ++i) {
    double t = low + (high - low) * slope_low / (slope_low - slope_high);
    // Every other step halves, so that a flat side cannot stall the secant.
    if (i % 2 == 1 || !(t > low && t < high))
      t = 0.5 * (low + high);
    const double s = slope(t);
    if (std::abs(s) <= tolerance)
      return t;
    (s > 0.0 ? low : high) = t;
    (s > 0.0 ? slope_low : slope_high) = s;
  }
  return 0.5 * (low + high);
}

/// Mass to move along a direction of which slope(t) is known, at most
/// `longest`, on a grid. A step too short for the grid is taken as it is.
template <class Slope> double exchange_length(Slope slope, double longest) {
  const double t = concave_argmax(slope, longest);
  const double rounded = on_grid<32>(t);
  return t < longest && rounded > 0.0 && rounded < longest ? rounded : t;
}

} // namespace detail

/// Maximiser of U2 over {0 <= f <= 1, 1'f <= mass} (6), a concave problem, by
/// pairwise Frank-Wolfe with exact line search. Where columns are alike up to
/// scale, pairs zigzag: after `most_pairs` steps, Newton steps go between them.
struct LargestSeparation {
  SparseVector f;
  Eigen::VectorXd totals;
  double value = 0.0; ///< eps_max, attained by f
};

namespace detail {

class SeparationAscent {
public:
  explicit SeparationAscent(const SeparationProblem &problem)
      : problem_(problem),
        other_(problem.distances.bottomRows(problem.n_other())),
        f_(greedy_mass(other_.colwise().sum().transpose(), problem.mass)),
        z_(other_ * f_) {}

  /// False where no exchange of two columns promises more than `tolerance` of
  /// U2.
  bool exchange(double tolerance) {
    const Eigen::VectorXd g = gradient();
    Index up = -1, down = -1;
    for (Index j = 0; j < g.size(); ++j) {
      if (f_[j] < 1.0 && (up < 0 || g[j] > g[up]))
        up = j;
      if (f_[j] > 0.0 && (down < 0 || g[j] < g[down]))
        down = j;
    }
    const double value = mean_gain(problem_.gain, z_);
    if (up < 0 || (g[up] - g[down]) * problem_.mass <= tolerance * value)
      return false;
    const Eigen::VectorXd direction = other_.col(up) - other_.col(down);
    const double longest = std::min(1.0 - f_[up], f_[down]);
    const double t = length(direction, longest);
    f_[up] = t == longest && longest == 1.0 - f_[up] ? 1.0 : f_[up] + t;
    f_[down] = t == longest && longest == f_[down] ? 0.0 : f_[down] - t;
    z_ += t * direction;
    return true;
  }

  /// Towards the largest value of the quadratic model over the columns between
  /// 0 and 1, of which the mass stays, as far as they stay there.
  void newton() {
    Array<Index> inside;
    for (Index j = 0; j < f_.size(); ++j)
      if (f_[j] > 0.0 && f_[j] < 1.0)
        inside.push_back(j);
    const Index k = inside.size();
    if (k < 3 || k > most_inside)
      return;
    Eigen::MatrixXd columns(other_.rows(), k);
    for (Index i = 0; i < k; ++i)
      columns.col(i) = other_.col(inside[i]);
    const Eigen::VectorXd move = model_move(columns);
    double longest = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < k; ++i)
      if (move[i] != 0.0)
        longest = std::min(
            longest, ((move[i] > 0.0 ? 1.0 : 0.0) - f_[inside[i]]) / move[i]);
    if (!std::isfinite(longest))
      return;
    const Eigen::VectorXd direction = columns * move;
    const double t = length(direction, longest);
    for (Index i = 0; i < k; ++i)
      f_[inside[i]] = std::clamp(f_[inside[i]] + t * move[i], 0.0, 1.0);
    z_ = other_ * f_;
  }

  const Eigen::VectorXd &f() const { return f_; }

private:
  static constexpr Index most_inside = 200;

  Eigen::VectorXd gradient() const {
    return problem_.between_gradient(gain_weights(problem_.gain, z_));
  }

  double length(const Eigen::VectorXd &direction, double longest) const {
    return exchange_length(
        [&](double s) { return gain_slope(problem_.gain, z_, direction, s); },
        longest);
  }

  /// Of sum 0; the curvature is raised a little, so that it has an inverse.
  Eigen::VectorXd model_move(const Eigen::MatrixXd &columns) const {
    const Index k = columns.cols();
    Eigen::MatrixXd model = Eigen::MatrixXd::Ones(k + 1, k + 1);
    model.topLeftCorner(k, k) =
        columns.transpose() * gain_curvatures(problem_.gain, z_).asDiagonal() *
        columns;
    model.diagonal().head(k).array() += 1e-12 * model.diagonal().head(k).mean();
    model(k, k) = 0.0;
    Eigen::VectorXd pull = Eigen::VectorXd::Zero(k + 1);
    pull.head(k) = columns.transpose() * gain_weights(problem_.gain, z_);
    return model.partialPivLu().solve(pull).head(k);
  }

  const SeparationProblem &problem_;
  Eigen::Block<const Eigen::MatrixXd> other_;
  Eigen::VectorXd f_, z_;
};

} // namespace detail

inline LargestSeparation largest_separation(const SeparationProblem &problem,
                                            double tolerance = 1e-7,
                                            int most_steps = 10000) {
  constexpr int most_pairs = 1000, between = 10;
  LargestSeparation best;
  if (problem.mass >= static_cast<double>(problem.columns())) {
    best.f = detail::to_sparse(Eigen::VectorXd::Ones(problem.columns()));
  } else {
    detail::SeparationAscent ascent(problem);
    for (int step = 0; step < most_steps && ascent.exchange(tolerance); ++step)
      if (step >= most_pairs && step % between == 0)
        ascent.newton();
    best.f = detail::to_sparse(ascent.f());
  }
  best.totals = problem.totals(best.f);
  best.value = problem.between(best.totals);
  return best;
}

} // namespace hitmiss

#endif
