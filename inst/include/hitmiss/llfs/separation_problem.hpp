// The optimisation problem of one LLFS representative: its distances to near
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

/// Products of listed columns and a vector.
inline void column_products(const Eigen::Ref<const Eigen::MatrixXd> &columns,
                            const Array<int> &which, const double *weights,
                            double *products) {
  run_alike<ColumnProductKernel>(
      ColumnProductJob{columns.data(), columns.outerStride(), columns.rows(),
                       which.data(), which.size(), weights, products});
}

/// The product of the transposed matrix and a vector.
inline Eigen::VectorXd
column_products(const Eigen::Ref<const Eigen::MatrixXd> &columns,
                const Eigen::VectorXd &weights) {
  Eigen::VectorXd products(columns.cols());
  Array<int> all(columns.cols());
  std::iota(all.begin(), all.end(), 0);
  column_products(columns, all, weights.data(), products.data());
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
  /// The distances of near hits alone, and those of near misses.
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

/// Returns weights that put the mass on the columns of largest score: 1 on
/// each, and a fraction on the last.
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

/// Finds where on [0, longest] a concave function is largest, by Newton steps
/// within a bracket; slope(t) gives its derivatives.
template <class Slope> double concave_argmax(Slope slope, double longest) {
  if (slope(longest).slope >= 0.0)
    return longest;
  double low = 0.0, high = longest, t = 0.0;
  GainSlope at = slope(t);
  const double tolerance = 1e-12 * std::abs(at.slope);
  for (int i = 0; i < 60 && high - low > 1e-14 * longest; ++i) {
    (at.slope > 0.0 ? low : high) = t;
    const double next = t - at.slope / at.bend;
    t = next > low && next < high ? next : 0.5 * (low + high);
    at = slope(t);
    if (std::abs(at.slope) <= tolerance)
      break;
  }
  return t;
}

/// Mass to move along a direction of which slope(t) is known, at most
/// `longest`, on a grid. A step too short for the grid is taken as it is.
template <class Slope> double exchange_length(Slope slope, double longest) {
  const double t = concave_argmax(slope, longest);
  const double rounded = on_grid<32>(t);
  return t < longest && rounded > 0.0 && rounded < longest ? rounded : t;
}

} // namespace detail

/// Products of the columns of distances to other classes with weights that
/// change a little at a time: the gradient of U2, computed only where it is
/// asked for. Distances a are not negative, so that a product rises by at most
/// ||a|| ||max(w - v, 0)|| when the weights v become w. This bounds the
/// products of the other columns.
class SeparationGradient {
public:
  explicit SeparationGradient(const SeparationProblem &problem)
      : problem_(problem),
        norms_(problem.distances.bottomRows(problem.n_other())
                   .colwise()
                   .norm()
                   .transpose() *
               (1.0 + rounding)),
        bounds_(Eigen::VectorXd::Constant(
            problem.columns(), std::numeric_limits<double>::infinity())),
        products_(problem.columns()), known_(problem.columns(), 0) {}

  /// Replaces the weights.
  void move(const Eigen::VectorXd &weights) {
    if (weights_.size() > 0)
      bounds_ += (weights - weights_).cwiseMax(0.0).norm() * norms_;
    weights_ = weights;
    std::fill(known_.begin(), known_.end(), 0);
  }

  /// The upper bounds of the products, by column.
  const double *bounds() const { return bounds_.data(); }
  /// The product of a column that find() computed for the present weights.
  double operator[](Index j) const { return products_[j]; }

  void find(const Array<int> &columns) {
    wanted_.clear();
    for (const int j : columns)
      if (known_[j] == 0)
        wanted_.push_back(j);
    found_.resize(wanted_.size());
    column_products(problem_.distances.bottomRows(problem_.n_other()), wanted_,
                    weights_.data(), found_.data());
    for (Index k = 0; k < wanted_.size(); ++k) {
      const int j = wanted_[k];
      products_[j] = found_[k];
      bounds_[j] = found_[k] * (1.0 + rounding);
      known_[j] = 1;
    }
  }

private:
  static constexpr double rounding = 1e-10;
  const SeparationProblem &problem_;
  Eigen::VectorXd norms_, bounds_, weights_;
  Array<int> wanted_;
  Array<double> products_, found_;
  Array<char> known_;
};

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
        z_(other_ * f_), g_(problem) {}

  /// Returns false if no exchange of mass between two columns promises to raise
  /// U2 by more than `tolerance` of it.
  bool exchange(double tolerance) {
    terms_.form(problem_.gain, z_);
    g_.move(terms_.weights);
    Index up = -1, down = -1;
    wanted_.clear();
    for (int j = 0; j < static_cast<int>(f_.size()); ++j)
      if (f_[j] > 0.0)
        wanted_.push_back(j);
    g_.find(wanted_);
    double most = 0.0; // of those with mass that could have more
    for (const Index j : wanted_) {
      if (f_[j] < 1.0)
        most = std::max(most, g_[j]);
      if (down < 0 || g_[j] < g_[down])
        down = j;
    }
    wanted_.clear();
    for (int j = 0; j < static_cast<int>(f_.size()); ++j)
      if (f_[j] < 1.0 && g_.bounds()[j] >= most)
        wanted_.push_back(j);
    g_.find(wanted_);
    for (const Index j : wanted_)
      if (up < 0 || g_[j] > g_[up])
        up = j;
    if (up < 0 ||
        (g_[up] - g_[down]) * problem_.mass <= tolerance * terms_.mean)
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

  double length(const Eigen::VectorXd &direction, double longest) {
    return exchange_length(
        [&](double s) {
          return gain_slope(problem_.gain, z_, direction, s, terms_);
        },
        longest);
  }

  /// A move of sum 0; the curvature is raised a little, to have an inverse.
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
  SeparationGradient g_;
  GainTerms terms_;
  Array<int> wanted_;
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
