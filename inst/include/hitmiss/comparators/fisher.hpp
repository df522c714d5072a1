// The Fisher score: between-class over within-class variance.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_FISHER_HPP
#define HITMISS_COMPARATORS_FISHER_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "../data/class_index.hpp"
#include "../data/for_each_feature.hpp"
#include "../data/require_values.hpp"
#include "../data/scaling.hpp"
#include "../runtime/require.hpp"

namespace hitmiss {

enum class FisherForm {
  variances, ///< sum_c n_c (m_c - m)^2 / sum_c n_c v_c (Duda, Hart, Stork)
  means      ///< |m_1 - m_0| / sqrt(v_1 + v_0), two classes (Yang, Hu 2012)
};

namespace detail {

struct ClassSpread {
  double mean;
  double squares; ///< sum of squared deviations from the mean
};

/// The spread of (values - low) / range over a class. Its `squares` are exactly
/// 0 if the class does not vary.
inline ClassSpread class_spread(const Array<double> &values,
                                const Array<int> &members, double low,
                                double range) {
  const auto at = [&](int n) { return (values[n] - low) / range; };
  const double first = at(members.front());
  double mean = 0.0, squares = 0.0;
  for (const int n : members)
    mean += (at(n) - first) / static_cast<double>(members.size());
  mean += first;
  for (const int n : members)
    squares += (at(n) - mean) * (at(n) - mean);
  return {mean, squares};
}

inline double fisher_score(const Array<double> &values, const ClassIndex &y,
                           FisherForm form) {
  const auto ends = std::minmax_element(values.begin(), values.end());
  const double low = *ends.first, range = *ends.second - low;
  if (range == 0.0)
    return 0.0;
  Array<ClassSpread> classes;
  double mean = 0.0;
  for (int c = 0; c < y.n_classes(); ++c) {
    classes.push_back(class_spread(values, y.members(c), low, range));
    mean += y.count(c) * classes.back().mean / y.n_samples();
  }
  double between = 0.0, within = 0.0;
  for (int c = 0; c < y.n_classes(); ++c) {
    const auto &own = classes[c];
    const double off = own.mean - mean;
    between += y.count(c) * off * off;
    within +=
        form == FisherForm::means ? own.squares / y.count(c) : own.squares;
  }
  if (form == FisherForm::means) {
    between = std::abs(classes[0].mean - classes[1].mean);
    within = std::sqrt(within);
  }
  if (within > 0.0)
    return std::min(between / within, std::numeric_limits<double>::max());
  return between > 0.0 ? std::numeric_limits<double>::max() : 0.0;
}

} // namespace detail

/// Returns the score of every feature: 0 for a constant one, the largest double
/// if class means differ and no class varies. O(N J).
inline Array<double> fisher_scores(const MatrixView &x, const ClassIndex &y,
                                   Runtime &runtime,
                                   FisherForm form = FisherForm::variances) {
  detail::require_values(x, 1);
  detail::require(y.n_samples() == x.n_samples &&
                      y.n_labelled() == y.n_samples(),
                  "one label per sample is needed");
  detail::require(form == FisherForm::variances || y.n_classes() == 2,
                  "the form by means needs two classes");
  for (int c = 0; c < y.n_classes(); ++c)
    detail::require(y.count(c) > 0, "every class needs a sample");
  Array<double> scores(x.n_features);
  for_each_feature(x, runtime, [&](Index j, const Array<double> &values) {
    scores[j] = detail::fisher_score(values, y, form);
  });
  return scores;
}

/// Marks all but the `n` features of the largest Fisher score as constant, so
/// that no selector takes them; among ties the lower index stays.
inline void prune_by_fisher(const MatrixView &x, const ClassIndex &y, Index n,
                            Scaling &scaling, Runtime &runtime) {
  const auto scores = fisher_scores(x, y, runtime);
  detail::require(scaling.constant.size() == scores.size(),
                  "one scaling per feature is needed");
  auto order = all_samples(scores.size());
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return scores[a] > scores[b]; });
  for (Index k = std::max<Index>(n, 0); k < order.size(); ++k)
    scaling.constant[order[k]] = 1;
}

} // namespace hitmiss

#endif
