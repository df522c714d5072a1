// Near hits and near misses of samples, and their weights.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_NEAREST_TERMS_HPP
#define HITMISS_RELIEF_NEAREST_TERMS_HPP

#include <algorithm>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/neighbour_kinds.hpp"
#include "../runtime/runtime.hpp"
#include "balanced_weights.hpp"
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
  int k = 10;            ///< neighbours of each kind; not used with a radius
  bool balanced = false; ///< weigh by balanced_weights()
};

/// Adds to times[n] the number of lists of neighbours that sample n is in.
inline void count_listed(const Array<SampleTerms> &lists,
                         Array<double> &times) {
  for (const SampleTerms &list : lists)
    for (const PairTerm &term : list.terms)
      times[term.sample] += 1.0;
}

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

/// The lists of balanced weights: how many of the nearest they need, and their
/// terms.
class BalancedLists {
public:
  explicit BalancedLists(const NearRule &rule)
      : rule_(rule), pooled_(is_pooled(rule.miss)), weights_(rule.k) {}

  /// The groups, if only the nearest sample of each is a candidate; else none.
  const AllowedPairs *groups() const {
    return rule_.counts.most_in_group(pooled_) > 1 ? &rule_.allowed : nullptr;
  }

  /// Returns the number of neighbours that each list of `samples` needs.
  Array<int> needed(const Array<int> &samples) {
    Array<int> k;
    for (const int n : samples) {
      const Index first = k.size();
      k.resize(first + n_kinds(), 0);
      const int hits = own(n);
      for (int c = 0; c < n_kinds() && rule_.counts.counts(rule_.y, n); ++c)
        if (c != hits && candidates(n, c) > 0) {
          k[first + c] = length(n, c, hits);
          k[first + hits] = std::max(k[first + hits], length(n, hits, c));
        }
    }
    return k;
  }

  /// The terms of a sample, given its neighbours of each kind, nearest first.
  /// Near hits come before the misses that they are compared with. Adds to
  /// times[i] the weights that sample i has in its lists.
  template <class Lists>
  SampleTerms terms(int sample, const Lists &lists, Array<double> &times) {
    const int hits = own(sample), h = candidates(sample, hits);
    ClassWeights classes(rule_.y, rule_.miss);
    classes.enter(sample,
                  [&](int c) { return rule_.counts.of_class(sample, c) > 0; });
    std::map<int, Array<int>> by_count; // one list of hits for each
    double total = 0.0;
    const auto miss = [&](int c) { return pooled_ ? 1.0 : classes.miss(c); };
    for (int c = 0; c < n_kinds() && h > 0; ++c)
      if (const int q = candidates(sample, c); c != hits && q > 0) {
        total += miss(c);
        by_count[q].push_back(c);
      }
    Array<Array<RankedSample>> steps(n_kinds());
    for (int c = 0; c < n_kinds(); ++c) {
      auto near = lists(c);
      if (groups() != nullptr)
        keep_nearest(near, rule_.allowed);
      steps[c] = ranked(near, groups());
    }
    SampleTerms result{sample, {}};
    for (const auto &[q, same] : by_count) {
      double weight = 0.0;
      for (const int c : same)
        weight += miss(c);
      const auto add = [&](int c, const auto &ranks, double coefficient,
                           double listed) {
        share_ranks(steps[c], *ranks, [&](int i, double w) {
          result.terms.push_back({i, coefficient * w / ranks->k});
          times[i] += listed * w;
        });
      };
      add(hits, weights_(h, q), -weight, weight / total);
      for (const int c : same)
        add(c, weights_(q, h), miss(c), 1.0);
    }
    return result;
  }

private:
  int n_kinds() const { return pooled_ ? 2 : rule_.y.n_classes(); }
  int own(int n) const { return pooled_ ? 0 : rule_.y[n]; }
  /// The number of candidates of a kind that sample n has.
  int candidates(int n, int kind) const {
    return pooled_ && kind == 1
               ? rule_.counts.groups_of_misses(n)
               : rule_.counts.groups_of_class(n, pooled_ ? rule_.y[n] : kind);
  }
  /// How many samples of a kind have a weight or are nearer than one that has,
  /// at most, if sample n compares them with another kind.
  int length(int n, int kind, int other) {
    const auto ranks = weights_(candidates(n, kind), candidates(n, other));
    const Index most = rule_.counts.most_in_group(pooled_);
    return static_cast<int>(
        std::min<Index>(ranks->weights.size() * most, rule_.y.n_samples()));
  }

  const NearRule &rule_;
  bool pooled_;
  BalancedWeights weights_;
};

} // namespace detail

/// Calls work(terms) with the k nearest hits and misses of `samples`, some
/// samples at a time, in order. The margin of a sample in a feature is the sum
/// of coefficient |difference| over its terms. The rows of `distances` must be
/// the `samples`. A class with fewer than k allowed samples gives them all. A
/// sample that does not count is left out. Adds to times[n] the number of lists
/// that sample n is in (its weights in them, if balanced). `most`, `centred`:
/// see NearestSearch.
template <class Work>
void nearest_terms(const SampleDistances &distances, const Array<int> &samples,
                   const NearRule &rule, Runtime &runtime, Array<double> &times,
                   Work work, Index most = 0,
                   const AllowedPairs *centred = nullptr) {
  const NeighbourKinds kinds(rule.y, rule.allowed, is_pooled(rule.miss));
  NearestSearch<NeighbourKinds> search(distances, kinds, rule.k, most, centred,
                                       &samples);
  detail::BalancedLists balanced(rule);
  if (rule.balanced) {
    const auto needed = balanced.needed(samples);
    const double listed = std::accumulate(needed.begin(), needed.end(), 0.0);
    search.set_k(needed,
                 !detail::lists_fit(listed, static_cast<double>(samples.size()),
                                    balanced.groups() != nullptr),
                 [&](Array<Neighbour> &near) {
                   if (balanced.groups() != nullptr)
                     detail::keep_nearest(near, rule.allowed);
                 });
  }
  search.run(runtime);
  search.for_rows(
      runtime, [&](const SampleRange &rows, const NearestLists &lists) {
        Array<SampleTerms> terms;
        for (Index row = rows.begin; row < rows.end; ++row)
          if (rule.counts.counts(rule.y, samples[row]))
            terms.push_back(
                rule.balanced
                    ? balanced.terms(
                          samples[row],
                          [&](int kind) { return lists(row, kind); }, times)
                    : detail::weigh_nearest(samples[row], row, lists, rule));
        if (!rule.balanced)
          count_listed(terms, times);
        work(static_cast<const Array<SampleTerms> &>(terms));
      });
}

} // namespace hitmiss

#endif
