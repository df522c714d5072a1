// Chooses the features that an optimisation problem of LLFS starts from.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_LLFS_LLFS_COLUMNS_HPP
#define HITMISS_LLFS_LLFS_COLUMNS_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "../runtime/eigen.hpp"
#include "llfs_pricing.hpp"
#include "separation_problem.hpp"

namespace hitmiss {

/// Returns the Manhattan distance, over all features, from `centre` to the
/// sample of every row.
inline Eigen::VectorXd l1_totals(const ScaledSamples &samples, int centre,
                                 const Array<int> &rows) {
  Eigen::VectorXd by_sample;
  if (samples.totals.size() > 0)
    by_sample = samples.totals.col(centre);
  else
    by_sample = manhattan_totals(samples.values, {centre});
  Eigen::VectorXd totals(rows.size());
  for (Index r = 0; r < rows.size(); ++r)
    totals[r] = by_sample[rows[r]];
  return totals;
}

/// Converts weights of rows to weights of samples; a sample without a row has
/// weight 0.
inline Eigen::VectorXd in_sample_order(const Eigen::VectorXd &weights,
                                       const Array<int> &rows,
                                       Index n_samples) {
  Eigen::VectorXd w = Eigen::VectorXd::Zero(n_samples);
  for (Index r = 0; r < rows.size(); ++r)
    w[rows[r]] = weights[r];
  return w;
}

/// Returns the feature of least U1. It solves (7) for beta = 0 exactly, because
/// a concave increasing function has its least value on {1'f >= 1} at a single
/// feature. Among features of U1 = 0 the largest U2 wins. Ties, to 1e-12, go to
/// the lower index; if there are no hits, the result is 0.
/// `problem.distances` is not used.
///
/// G is concave, so U1 of a feature is at least the chord of G on [0, largest
/// distance] at the mean distance. A feature whose chord lies above the least
/// U1 found so far is skipped, which saves an exponential for every sample.
inline int best_single_feature(const Eigen::MatrixXd &z, int centre,
                               const Array<int> &rows,
                               const SeparationProblem &problem) {
  int best = 0;
  double least = std::numeric_limits<double>::infinity();
  double reachable = least, separation = -1.0;
  Eigen::VectorXd same(problem.same_rows()), other(problem.other_rows());
  for (Index m = 0; problem.n_same > 0 && m < z.cols(); ++m) {
    for (Index k = 0; k < same.size(); ++k)
      same[k] = std::abs(z(rows[k], m) - z(centre, m));
    const double largest = same.maxCoeff();
    const double mean = same.sum() / static_cast<double>(problem.n_same);
    const double chord =
        largest > 0.0 ? problem.gain.value(largest) * (mean / largest) : 0.0;
    if (chord > reachable + 1e-12)
      continue;
    const double spread = problem.spread(same);
    reachable = std::min(reachable, spread);
    if (largest == 0.0) {
      for (Index k = 0; k < other.size(); ++k)
        other[k] = std::abs(z(rows[same.size() + k], m) - z(centre, m));
      const double apart = problem.separation(other);
      if (apart <= separation + 1e-12)
        continue;
      separation = apart;
      least = 0.0;
      best = static_cast<int>(m);
    } else if (spread < least - 1e-12) {
      least = spread;
      best = static_cast<int>(m);
    }
  }
  return best;
}

namespace detail {

/// Appends the `count` positions of the lowest scores; ties go to the lower
/// position.
inline void add_least(const Eigen::VectorXd &score, Index count,
                      Array<int> &chosen) {
  Array<int> order(score.size());
  std::iota(order.begin(), order.end(), 0);
  count = std::min<Index>(count, score.size());
  std::nth_element(order.begin(), order.begin() + (count - 1), order.end(),
                   [&](int a, int b) {
                     return score[a] < score[b] ||
                            (score[a] == score[b] && a < b);
                   });
  chosen.insert(chosen.end(), order.begin(), order.begin() + count);
}

} // namespace detail

/// Returns features to start a working set with, some perhaps twice: `share`
/// each of smallest g1, of largest g2, of smallest g1 / g2 and of smallest g1 -
/// g2. `gradients`: features x (g1, g2), the gradients of U1 and U2.
inline Array<int> promising_features(const Eigen::MatrixXd &gradients,
                                     Index share) {
  const Eigen::VectorXd g1 = gradients.col(0), g2 = gradients.col(1);
  const Eigen::VectorXd ratio = (g1.array() + 1e-300) / (g2.array() + 1e-300);
  Array<int> chosen;
  detail::add_least(-g2, share, chosen);
  detail::add_least(g1, share, chosen);
  detail::add_least(ratio, share, chosen);
  detail::add_least(g1 - g2, share, chosen);
  return chosen;
}

} // namespace hitmiss

#endif
