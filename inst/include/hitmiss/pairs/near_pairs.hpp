// Near hits and near misses as a list of weighted pairs.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAR_PAIRS_HPP
#define HITMISS_PAIRS_NEAR_PAIRS_HPP

#include <algorithm>
#include <type_traits>
#include <utility>

#include "../data/class_index.hpp"
#include "../runtime/runtime.hpp"
#include "allowed_pairs.hpp"
#include "margin_kernels.hpp"
#include "nearest.hpp"
#include "neighbour_bins.hpp"
#include "pair_weights.hpp"

namespace hitmiss {

/// Whose neighbours are looked for, and how they count. Does not own.
struct NearRule {
  const ClassIndex &y;
  const AllowedPairs &allowed;
  MissRule miss = MissRule::conditional;
  int k = 10; ///< of the nearest rules
};

namespace detail {

/// A sample, and the row of its lists of neighbours.
struct ListedSample {
  int sample;
  Index row;
};

/// Hands the neighbours of a sample to keep(neighbour, weight), each with its
/// part of the weight of its kind. `counts`: how many samples are allowed.
template <class Keep>
void weigh_nearest(const ListedSample &of, const NearestLists &lists,
                   const NearRule &rule, const AllowedCounts &counts,
                   Keep keep) {
  const int own = rule.y[of.sample];
  PairWeights weights(rule.y, rule.miss);
  weights.enter(of.sample,
                [&](int c) { return counts.of_class(of.sample, c) > 0; });
  const auto add = [&](int bin, double weight) {
    const double each = weight / lists.size(of.row, bin);
    for (const auto *i = lists.begin(of.row, bin); i != lists.end(of.row, bin);
         ++i)
      keep(*i, each);
  };
  if (is_pooled(rule.miss)) {
    add(0, weights.hit());
    add(1, weights.pooled_miss());
    return;
  }
  add(own, weights.hit());
  for (int c = 0; c < rule.y.n_classes(); ++c)
    if (c != own)
      add(c, weights.miss(c));
}

/// Joins pairs that occur from both sides, and orders the list. A pair occurs
/// twice at most, so the sum does not depend on the order.
inline void merge_pairs(Array<WeightedPair> &pairs) {
  std::sort(pairs.begin(), pairs.end(),
            [](const WeightedPair &a, const WeightedPair &b) {
              return std::make_pair(a.first, a.second) <
                     std::make_pair(b.first, b.second);
            });
  Index kept = 0;
  for (Index p = 0; p < pairs.size(); ++p) {
    if (kept > 0 && pairs[kept - 1].first == pairs[p].first &&
        pairs[kept - 1].second == pairs[p].second)
      pairs[kept - 1].coefficient += pairs[p].coefficient;
    else
      pairs[kept++] = pairs[p];
  }
  pairs.resize(kept);
}

} // namespace detail

/// The pairs of every sample with its k nearest hits and misses: the margin of
/// a feature is the sum of coefficient |difference| over the list. `distances`
/// are SampleDistances, or a whole matrix of them. A class with fewer than k
/// others gives what it has, one with none has no term; a sample that is
/// allowed no miss does not count. Memory: the lists of neighbours and the
/// pairs, 16 bytes each.
template <class Distances>
Array<WeightedPair> near_pairs(const Distances &distances, const NearRule &rule,
                               Runtime &runtime, Index block = 0) {
  const AllowedCounts counts(rule.y, rule.allowed);
  const NeighbourBins bins(rule.y, rule.allowed, is_pooled(rule.miss));
  Array<WeightedPair> pairs;
  {
    const auto lists = [&] {
      if constexpr (std::is_same<Distances, SampleDistances>::value)
        return nearest_lists(distances, bins, rule.k, runtime, block);
      else
        return nearest_lists(distances, bins, rule.k, runtime);
    }();
    Index n_pairs = 0;
    for (Index n = 0; n < rule.y.n_samples(); ++n)
      for (int bin = 0; bin < bins.count(); ++bin)
        n_pairs += lists.size(n, bin);
    pairs.reserve(n_pairs);
    const double n_counting = counts.n_counting();
    for (int n = 0; n < rule.y.n_samples(); ++n)
      if (counts.counts(rule.y, n))
        detail::weigh_nearest({n, n}, lists, rule, counts,
                              [&](const Neighbour &i, double weight) {
                                pairs.push_back({std::min(n, i.sample),
                                                 std::max(n, i.sample),
                                                 weight / n_counting});
                              });
  }
  runtime.checkpoint();
  detail::merge_pairs(pairs);
  return pairs;
}

} // namespace hitmiss

#endif
