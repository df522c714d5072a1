// Cox's score test of one feature at a time.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_COX_SCORE_HPP
#define HITMISS_COMPARATORS_COX_SCORE_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <tuple>
#include <utility>

#include "../data/require_values.hpp"
#include "../pairs/reference_samples.hpp"

namespace hitmiss {

/// Right-censored times: any numbers that increase with time.
struct CensoredTimes {
  Array<int> time;
  Array<char> event;
  Array<int> stratum; ///< each stratum has a baseline hazard
};

/// The scores of each feature; 0 if it varies in no risk set of an event.
struct CoxScores {
  Array<double> z;      ///< U / sqrt(V), score and variance at beta = 0
  Array<double> effect; ///< U / V (one Newton step to the log hazard ratio)
                        ///< times the standard deviation within strata
};

namespace detail {

/// The samples of each stratum from the last time to the first.
class RiskSets {
public:
  explicit RiskSets(const CensoredTimes &times)
      : times_(times), order_(all_samples(times.time.size())), one_of_(1) {
    std::stable_sort(order_.begin(), order_.end(), [&](int a, int b) {
      return std::tie(times.stratum[a], times.time[b]) <
             std::tie(times.stratum[b], times.time[a]); // late times first
    });
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

  /// The number of features computed together. A sum must wait for its previous
  /// addition; several sums wait at the same time.
  static constexpr std::size_t lanes = 8;
  using Lanes = std::array<double, lanes>;

  /// Returns z and effect of features whose values in sample n are values[n].
  /// Samples whose time ends at t are at risk at t (Breslow's rule for ties).
  /// Means and squares are updated, so that no digits cancel. A value may be
  /// missing (NaN) if `missing`: the sample then does not count for the
  /// feature.
  template <bool missing>
  std::pair<Lanes, Lanes> scores(const Array<Lanes> &values) const {
    Lanes score{}, variance{}, within{}, left{}, mean{}, squares{};
    std::array<Index, lanes> known{};
    Index count = 0, stratum = 0;
    const auto number = [&](std::size_t f) {
      return missing ? known[f] : count;
    };
    const auto add_within = [&] {
      for (std::size_t f = 0; f < lanes; ++f) {
        within[f] += squares[f];
        left[f] += static_cast<double>(std::max<Index>(number(f) - 1, 0));
      }
    };
    for (Index t = 0; t + 1 < ends_.size(); ++t) {
      if (ends_[t] == starts_[stratum]) {
        add_within();
        count = 0;
        known = {};
        mean = squares = {};
        ++stratum;
      }
      for (Index k = ends_[t]; k < ends_[t + 1]; ++k) {
        const Lanes &at = values[order_[k]];
        ++count;
        for (std::size_t f = 0; f < lanes; ++f) {
          const bool lacks = missing && std::isnan(at[f]);
          if (missing)
            known[f] += lacks ? 0 : 1;
          const double value = lacks ? mean[f] : at[f];
          const double off = value - mean[f];
          mean[f] += off * one_of_[number(f)];
          squares[f] += off * (value - mean[f]);
        }
      }
      for (Index k = ends_[t]; k < ends_[t + 1]; ++k)
        if (times_.event[order_[k]])
          for (std::size_t f = 0; f < lanes; ++f) {
            const double value = values[order_[k]][f];
            if (missing && std::isnan(value))
              continue;
            score[f] += value - mean[f];
            variance[f] += squares[f] * one_of_[number(f)];
          }
    }
    add_within();
    std::pair<Lanes, Lanes> result{};
    for (std::size_t f = 0; f < lanes; ++f)
      if (variance[f] > 0.0) {
        result.first[f] = score[f] / std::sqrt(variance[f]);
        result.second[f] =
            score[f] / variance[f] * std::sqrt(within[f] / left[f]);
      }
    return result;
  }

private:
  const CensoredTimes &times_;
  Array<int> order_;
  Array<Index> starts_, ends_; ///< first places of strata, of times
  Array<double> one_of_;       ///< 1 / n at place n
};

/// Writes the values of a feature to value(n), as shares of its range, so that
/// no square overflows; if `squared`, the squared differences of these from
/// their mean. A feature that does not vary becomes 0. Returns whether values
/// are missing (NaN).
template <class Value>
bool copy_shares(const MatrixView &x, Index feature, bool squared,
                 Value value) {
  const Index n = x.n_samples;
  double low = std::numeric_limits<double>::infinity(), high = -low;
  Index known = 0;
  for (Index i = 0; i < n; ++i) {
    const double v = value(i) = x(i, feature);
    low = v < low ? v : low; // a NaN changes nothing
    high = v > high ? v : high;
    known += v == v ? 1 : 0;
  }
  const double range = high / 2.0 - low / 2.0;
  for (Index i = 0; i < n; ++i)
    value(i) = range > 0.0 ? (value(i) / 2.0 - low / 2.0) / range : 0.0;
  double mean = 0.0;
  for (Index i = 0; squared && i < n; ++i)
    if (value(i) == value(i))
      mean += value(i) / static_cast<double>(known);
  for (Index i = 0; squared && i < n; ++i)
    value(i) = (value(i) - mean) * (value(i) - mean);
  return known < n;
}

} // namespace detail

/// Returns the scores of all features or, if `squared`, of the squares of their
/// differences from their means. A sample that lacks a feature (NaN) does not
/// count for it. Time: O(N J).
inline CoxScores cox_scores(const MatrixView &x, const CensoredTimes &times,
                            bool squared, Runtime &runtime) {
  detail::require_values(x, 1, true);
  detail::require(times.time.size() == x.n_samples &&
                      times.event.size() == x.n_samples &&
                      times.stratum.size() == x.n_samples,
                  "a time, a status and a stratum per sample are needed");
  const detail::RiskSets sets(times);
  constexpr Index lanes = detail::RiskSets::lanes;
  const Index n = x.n_samples;
  CoxScores result{Array<double>(x.n_features), Array<double>(x.n_features)};
  runtime.for_parts(x.n_features, 256, [&](Index first, Index end) {
    Array<detail::RiskSets::Lanes> values(n);
    Array<double> buffer;
    const MatrixView raw = feature_range(x, first, end - first, buffer);
    for (Index j = first; j < end; j += lanes) {
      const Index count = std::min(lanes, end - j);
      bool missing = false;
      for (Index f = 0; f < lanes; ++f)
        missing |=
            detail::copy_shares(raw, j - first + std::min(f, count - 1),
                                squared, [&](Index i) -> double & {
                                  return values[i][static_cast<std::size_t>(f)];
                                });
      const auto found =
          missing ? sets.scores<true>(values) : sets.scores<false>(values);
      for (Index f = 0; f < count; ++f) {
        const auto lane = static_cast<std::size_t>(f);
        result.z[j + f] = found.first[lane];
        result.effect[j + f] = found.second[lane];
      }
    }
  });
  return result;
}

} // namespace hitmiss

#endif
