// Much relevance, little redundancy: features picked one by one.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_COMPARATORS_MRMR_HPP
#define HITMISS_COMPARATORS_MRMR_HPP

#include <algorithm>
#include <cmath>
#include <limits>

#include "association.hpp"

namespace hitmiss {

/// Combines relevance I(x_j; y) and redundancy, the mean of I(x_j; x_s) over
/// picked features s (Peng, Long, Ding 2005).
enum class MrmrCriterion { difference, quotient };

struct MrmrOptions {
  int n = 50; ///< features to pick
  MrmrCriterion criterion = MrmrCriterion::difference;
};

struct MrmrResult {
  Array<Index> picked;     ///< in the order of picking; none constant
  Array<double> relevance; ///< I(x_j; y), nats
};

namespace detail {

class MrmrSearch {
public:
  MrmrSearch(const BinnedFeatures &x, const ClassIndex &y, Runtime &runtime)
      : x_(x), runtime_(runtime), entropy_(y.n_samples()),
        relevance_(association_scores(x, y, Association::information, runtime)),
        redundancy_(relevance_.size(), 0.0), value_(relevance_.size()),
        open_(relevance_.size()) {
    for (Index j = 0; j < open_.size(); ++j)
      open_[j] = x.constant[j] == 0;
  }

  MrmrResult run(const MrmrOptions &options) {
    MrmrResult result;
    runtime_.monitor().expect(Index{options.n});
    while (result.picked.size() < options.n) {
      const Index best = pick(result.picked.size(), options.criterion);
      if (best < 0)
        break;
      open_[best] = 0;
      result.picked.push_back(best);
      if (result.picked.size() < options.n)
        add_redundancy(best);
      runtime_.monitor().advance();
    }
    result.relevance = relevance_;
    return result;
  }

private:
  /// Returns the open feature with the largest criterion, or -1 if none is
  /// open. Sums in another order round differently, so values that differ by
  /// rounding only count as equal: the lowest index among them is taken.
  Index pick(Index n_picked, MrmrCriterion criterion) {
    double most = -std::numeric_limits<double>::infinity();
    for (Index j = 0; j < open_.size(); ++j) {
      if (!open_[j])
        continue;
      value_[j] = value(j, n_picked, criterion);
      most = std::max(most, value_[j]);
    }
    const double slack = 1e-13 * std::max(1.0, std::abs(most));
    for (Index j = 0; j < open_.size(); ++j)
      if (open_[j] && value_[j] >= most - slack)
        return j;
    return -1;
  }

  double value(Index j, Index n_picked, MrmrCriterion criterion) const {
    if (n_picked == 0)
      return relevance_[j];
    const double mean = redundancy_[j] / static_cast<double>(n_picked);
    return criterion == MrmrCriterion::difference
               ? relevance_[j] - mean
               : relevance_[j] / (mean + 1e-12);
  }

  /// Adds the information shared with feature s to the redundancy sums, in O(N
  /// J) time.
  void add_redundancy(Index s) {
    const CodeGroups groups(x_.feature(s), x_.levels[s], x_.n_samples);
    runtime_.for_parts(x_.n_features, 1024, [&](Index first, Index end) {
      Comparison with(groups, entropy_);
      for (Index j = first; j < end; ++j)
        if (open_[j])
          redundancy_[j] += with.information(x_.feature(j), x_.levels[j]);
    });
  }

  const BinnedFeatures &x_;
  Runtime &runtime_;
  CountEntropy entropy_;
  Array<double> relevance_;
  Array<double> redundancy_; ///< sums over the picked features
  Array<double> value_;      ///< criterion of the open features
  Array<char> open_;         ///< may still be picked
};

} // namespace detail

/// Picks `n` features: first the most relevant one, then each time the one with
/// the largest criterion. Time: O(N J n).
inline MrmrResult mrmr(const BinnedFeatures &x, const ClassIndex &y,
                       const MrmrOptions &options, Runtime &runtime) {
  detail::require(options.n >= 1, "at least one feature must be asked for");
  return detail::MrmrSearch(x, y, runtime).run(options);
}

} // namespace hitmiss

#endif
