// The optimisation problem of one LLFS representative: its distances to all
// samples of its class (hits) and all others (misses).
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

namespace hitmiss {

/// A vector with few nonzero entries: (column, value), increasing columns.
using SparseVector = Array<std::pair<int, double>>;

/// products[k] is the dot product of column which[k] and `weights`.
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

/// Column j holds |x_j - x_ij|, the distances in feature j between the
/// representative i and other samples x: first those of its class (`same`),
/// then all others (`other`), both padded with zeros (see padded_part()).
struct SeparationProblem {
  Eigen::MatrixXd distances;     ///< padded samples x features
  Index n_same = 0, n_other = 0; ///< samples
  double mass = 1.0;             ///< min(alpha, features): the largest sum of f
  LogisticGain gain;

  int columns() const { return static_cast<int>(distances.cols()); }
  Index same_rows() const { return padded_part(n_same); }
  Index other_rows() const { return padded_part(n_other); }
  auto others() const { return distances.bottomRows(other_rows()); }

  /// The weighted Manhattan distances of all rows, with the weights f.
  Eigen::VectorXd totals(const SparseVector &f) const {
    return weighted_sum(f, 0, distances.rows());
  }
  /// The parts of totals() for samples of the same class and for all others.
  Eigen::VectorXd same_totals(const SparseVector &f) const {
    return weighted_sum(f, 0, same_rows());
  }
  Eigen::VectorXd other_totals(const SparseVector &f) const {
    return weighted_sum(f, same_rows(), other_rows());
  }
  double spread(const ConstVector &same) const { // U1
    return mean_gain(gain, same, n_same);
  }
  double separation(const ConstVector &other) const { // U2
    return mean_gain(gain, other, n_other);
  }
  double within(const Eigen::VectorXd &totals) const {
    return spread(totals.head(same_rows()));
  }
  double between(const Eigen::VectorXd &totals) const {
    return separation(totals.tail(other_rows()));
  }
  Eigen::VectorXd within_weights(const Eigen::VectorXd &totals) const {
    return gain_weights(gain, totals.head(same_rows()), n_same);
  }
  Eigen::VectorXd between_weights(const Eigen::VectorXd &totals) const {
    return gain_weights(gain, totals.tail(other_rows()), n_other);
  }
  Eigen::VectorXd within_gradient(const Eigen::VectorXd &weights) const {
    return column_products(distances.topRows(same_rows()), weights);
  }
  Eigen::VectorXd between_gradient(const Eigen::VectorXd &weights) const {
    return column_products(others(), weights);
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

/// Returns the t in [0, longest] that maximises a concave function, by Newton
/// steps within a bracket. slope(t) must return both derivatives at t.
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

} // namespace detail

/// The gradient of U2: products of the misses' columns with weights that
/// change a little at a time. find() computes products for the columns that are
/// asked for. All others are only bounded: a column a has no negative entries,
/// so its product rises by at most ||a|| ||max(w - v, 0)|| when the weights v
/// become w.
class SeparationGradient {
public:
  explicit SeparationGradient(const SeparationProblem &problem)
      : problem_(problem),
        norms_(problem.others().colwise().norm().transpose() *
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
    column_products(problem_.others(), wanted_, weights_.data(), found_.data());
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

} // namespace hitmiss

#endif
