// Near hits and near misses of samples, and their weights.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_NEAREST_TERMS_HPP
#define HITMISS_RELIEF_NEAREST_TERMS_HPP

#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/neighbour_kinds.hpp"
#include "../runtime/runtime.hpp"
#include "class_weights.hpp"
#include "sample_margins.hpp"

namespace hitmiss {

/// The samples that are compared, and the weights of neighbours. It holds
/// references to data that must outlive it.
struct NearRule {
  const ClassIndex &y;
  const AllowedPairs &allowed;
  const AllowedCounts &counts;
  MissRule miss = MissRule::conditional;
  int k = 10; ///< neighbours of each kind; not used with a radius
};

namespace detail {

/// Returns the terms of a sample, whose neighbours are row `row` of `lists`.
/// The weight of a kind (hits, or misses of one class, or all misses) is shared
/// among the neighbours of this kind.
inline SampleTerms weigh_nearest(int sample, Index row,
                                 const NearestLists &lists,
                                 const NearRule &rule) {
  SampleTerms result{sample, {}};
  const int own = rule.y[sample];
  ClassWeights weights(rule.y, rule.miss);
  weights.enter(sample,
                [&](int c) { return rule.counts.of_class(sample, c) > 0; });
  const auto add = [&](int kind, double weight) {
    lists.share(row, kind, [&](const Neighbour &near, double share) {
      result.terms.push_back({near.sample, weight * share});
    });
  };
  if (is_pooled(rule.miss)) {
    add(0, weights.hit());
    add(1, weights.pooled_miss());
    return result;
  }
  add(own, weights.hit());
  for (int c = 0; c < rule.y.n_classes(); ++c)
    if (c != own)
      add(c, weights.miss(c));
  return result;
}

} // namespace detail

/// Calls work(terms) with the k nearest hits and misses of `samples`, some
/// samples at a time, in order. The margin of a sample in a feature is the sum
/// of coefficient |difference| over its terms. The rows of `distances` must be
/// the `samples`. A class with fewer than k allowed samples gives them all. A
/// sample that is allowed no miss does not count: it is left out. `most`,
/// `centred`: see NearestSearch.
template <class Work>
void nearest_terms(const SampleDistances &distances, const Array<int> &samples,
                   const NearRule &rule, Runtime &runtime, Work work,
                   Index most = 0, const AllowedPairs *centred = nullptr) {
  const NeighbourKinds kinds(rule.y, rule.allowed, is_pooled(rule.miss));
  NearestSearch<NeighbourKinds> search(distances, kinds, rule.k, most, centred,
                                       &samples);
  search.run(runtime);
  search.for_rows(runtime, [&](const SampleRange &rows,
                               const NearestLists &lists) {
    Array<SampleTerms> terms;
    for (Index row = rows.begin; row < rows.end; ++row)
      if (rule.counts.counts(rule.y, samples[row]))
        terms.push_back(detail::weigh_nearest(samples[row], row, lists, rule));
    work(static_cast<const Array<SampleTerms> &>(terms));
  });
}

/// Adds to times[n] the number of lists of neighbours that sample n is in.
inline void count_listed(const Array<SampleTerms> &lists, Array<int> &times) {
  for (const SampleTerms &list : lists)
    for (const PairTerm &term : list.terms)
      ++times[term.sample];
}

} // namespace hitmiss

#endif
