// Cox's score test of one feature at a time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_COX_SCORE_HPP
#define HITMISS_COMPARATORS_COX_SCORE_HPP

#include <algorithm>
#include <cmath>
#include <tuple>
#include <utility>

#include "../data/for_each_feature.hpp"
#include "../data/require_values.hpp"
#include "../pairs/reference_samples.hpp"

namespace hitmiss {

/// Right-censored times: any numbers that increase with time.
struct CensoredTimes {
  Array<int> time;
  Array<char> event;
  Array<int> stratum; ///< baseline hazards differ between these
};

/// The scores of each feature; 0 for a feature that does not vary where it
/// would count.
struct CoxScores {
  Array<double> z;      ///< score U over the root of its variance V at 0
  Array<double> effect; ///< U / V, the first step to the log hazard ratio, of
                        ///< one standard deviation within strata
};

namespace detail {

/// The samples of each stratum from the last time to the first.
class RiskSets {
public:
  explicit RiskSets(const CensoredTimes &times)
      : times_(times), order_(all_samples(times.time.size())), one_of_(1) {
    const auto key = [&](int n) {
      return std::make_tuple(times.stratum[n], -times.time[n]);
    };
    std::stable_sort(order_.begin(), order_.end(),
                     [&](int a, int b) { return key(a) < key(b); });
    for (Index k = 0; k < order_.size(); ++k) {
      one_of_.push_back(1.0 / static_cast<double>(k + 1));
      if (k == 0 || times.stratum[order_[k]] != times.stratum[order_[k - 1]])
        starts_.push_back(k);
      else if (times.time[order_[k]] == times.time[order_[k - 1]])
        continue;
      ends_.push_back(k);
    }
    ends_.push_back(order_.size());
    starts_.push_back(order_.size());
  }

  /// z and effect. Those who leave at a time are at risk there (Breslow's way
  /// with ties). Means and squares are updated, so that no digits cancel.
  std::pair<double, double> operator()(const Array<double> &values) const {
    double score = 0.0, variance = 0.0, within = 0.0;
    double mean = 0.0, squares = 0.0;
    Index count = 0, stratum = 0;
    for (Index t = 0; t + 1 < ends_.size(); ++t) {
      if (ends_[t] == starts_[stratum]) {
        within += squares;
        count = 0;
        mean = squares = 0.0;
        ++stratum;
      }
      for (Index k = ends_[t]; k < ends_[t + 1]; ++k) {
        const double off = values[order_[k]] - mean;
        mean += off * one_of_[++count];
        squares += off * (values[order_[k]] - mean);
      }
      for (Index k = ends_[t]; k < ends_[t + 1]; ++k)
        if (times_.event[order_[k]]) {
          score += values[order_[k]] - mean;
          variance += squares * one_of_[count];
        }
    }
    within += squares;
    const auto left = static_cast<double>(order_.size() - starts_.size() + 1);
    if (!(variance > 0.0))
      return {0.0, 0.0};
    return {score / std::sqrt(variance),
            score / variance * std::sqrt(within / left)};
  }

private:
  const CensoredTimes &times_;
  Array<int> order_;
  Array<Index> starts_, ends_; ///< of strata and of times, in `order_`
  Array<double> one_of_;       ///< 1 / n at place n
};

} // namespace detail

/// Returns the scores of all features, or, if `squared`, those of the squares
/// of their differences from their means. Time: O(N J).
inline CoxScores cox_scores(const MatrixView &x, const CensoredTimes &times,
                            bool squared, Runtime &runtime) {
  detail::require_values(x, 1);
  detail::require(times.time.size() == x.n_samples &&
                      times.event.size() == x.n_samples &&
                      times.stratum.size() == x.n_samples,
                  "a time, a status and a stratum per sample are needed");
  const detail::RiskSets sets(times);
  CoxScores result{Array<double>(x.n_features), Array<double>(x.n_features)};
  for_each_feature(x, runtime, [&](Index j, const Array<double> &raw) {
    // Values become shares of the range of the feature, so that no square
    // overflows.
    const auto ends = std::minmax_element(raw.begin(), raw.end());
    const double range = *ends.second / 2.0 - *ends.first / 2.0;
    if (!(range > 0.0))
      return;
    Array<double> values(raw);
    double mean = 0.0;
    for (double &value : values) {
      value = (value / 2.0 - *ends.first / 2.0) / range;
      mean += value / static_cast<double>(values.size());
    }
    for (double &value : values)
      value = squared ? (value - mean) * (value - mean) : value;
    std::tie(result.z[j], result.effect[j]) = sets(values);
  });
  return result;
}

} // namespace hitmiss

#endif
