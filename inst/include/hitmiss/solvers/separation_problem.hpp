// The program of one LLFS representative: distances of its features to near
// hits and near misses, and the largest separation that can be had (6).
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_SOLVERS_SEPARATION_PROBLEM_HPP
#define HITMISS_SOLVERS_SEPARATION_PROBLEM_HPP

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "eigen.hpp"
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
/// pairwise Frank-Wolfe with exact line search.
struct LargestSeparation {
  SparseVector f;
  Eigen::VectorXd totals;
  double value = 0.0; ///< eps_max, attained by f
};

inline LargestSeparation largest_separation(const SeparationProblem &problem,
                                            double tolerance = 1e-7,
                                            int most_steps = 10000) {
  const Index n = problem.columns();
  const Index n_other = problem.n_other();
  const auto other = problem.distances.bottomRows(n_other);
  Eigen::VectorXd f;
  if (problem.mass >= static_cast<double>(n)) {
    f = Eigen::VectorXd::Ones(n);
  } else {
    f = detail::greedy_mass(other.colwise().sum().transpose(), problem.mass);
    Eigen::VectorXd z = other * f;
    for (int step = 0; step < most_steps; ++step) {
      const Eigen::VectorXd g =
          problem.between_gradient(gain_weights(problem.gain, z));
      Index up = -1, down = -1;
      for (Index j = 0; j < n; ++j) {
        if (f[j] < 1.0 && (up < 0 || g[j] > g[up]))
          up = j;
        if (f[j] > 0.0 && (down < 0 || g[j] < g[down]))
          down = j;
      }
      const double value = mean_gain(problem.gain, z);
      if (up < 0 || (g[up] - g[down]) * problem.mass <= tolerance * value)
        break;
      const Eigen::VectorXd direction = other.col(up) - other.col(down);
      const double longest = std::min(1.0 - f[up], f[down]);
      const double t = detail::exchange_length(
          [&](double s) {
            return gain_on_line(problem.gain, z, direction, s).slope;
          },
          longest);
      f[up] = t == longest && longest == 1.0 - f[up] ? 1.0 : f[up] + t;
      f[down] = t == longest && longest == f[down] ? 0.0 : f[down] - t;
      z += t * direction;
    }
  }
  LargestSeparation best;
  best.f = detail::to_sparse(f);
  best.totals = problem.totals(best.f);
  best.value = problem.between(best.totals);
  return best;
}

} // namespace hitmiss

#endif
