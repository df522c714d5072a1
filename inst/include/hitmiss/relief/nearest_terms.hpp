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

inline Array<RankedSample> ranked(const Array<Neighbour> &near) {
  Array<RankedSample> steps(near.size());
  int end = static_cast<int>(near.size());
  for (int i = end - 1; i >= 0; --i) {
    if (i + 1 < near.size() && near[i].key != near[i + 1].key)
      end = i + 1;
    steps[i] = {near[i].sample, end};
  }
  return steps;
}

/// The lists of balanced weights: how many of the nearest they need, and their
/// terms.
class BalancedLists {
public:
  BalancedLists(const NearRule &rule, int n_kinds)
      : rule_(rule), pooled_(is_pooled(rule.miss)), n_kinds_(n_kinds),
        weights_(rule.k) {}

  /// Are the candidates other samples than those with the first ranks?
  bool joins_groups() const {
    return rule_.allowed.has_groups() &&
           (rule_.counts.repeats() || (pooled_ && rule_.y.n_classes() > 2));
  }

  /// Returns the number of neighbours that each list of `samples` needs.
  Array<int> needed(const Array<int> &samples) {
    Array<int> k;
    for (const int n : samples) {
      const Index first = k.size();
      k.resize(first + n_kinds_, 0);
      if (!rule_.counts.counts(rule_.y, n))
        continue;
      const int hits = own(n), h = count(n, hits);
      for (int c = 0; c < n_kinds_; ++c)
        if (const int q = count(n, c); c != hits && q > 0) {
          k[first + c] = length(q, h);
          k[first + hits] = std::max(k[first + hits], length(h, q));
        }
    }
    return k;
  }

  /// The terms of a sample whose neighbours are row `row` of `lists`. Adds to
  /// times[i] the weights that sample i has in its lists.
  SampleTerms terms(int sample, Index row, const NearestLists &lists,
                    Array<double> &times) {
    Array<Array<RankedSample>> steps(n_kinds_);
    Array<Candidates<RankedSample>> kinds(n_kinds_);
    for (int c = 0; c < n_kinds_; ++c) {
      steps[c] = ranked(lists(row, c));
      kinds[c] = {steps[c].data(),
                  0,
                  static_cast<int>(steps[c].size()),
                  count(sample, c),
                  {}};
      if (joins_groups())
        kinds[c].join_groups(rule_.allowed, [](int) { return true; });
    }
    SampleTerms result{sample, {}};
    ClassWeights classes(rule_.y, rule_.miss);
    classes.enter(sample,
                  [&](int c) { return rule_.counts.of_class(sample, c) > 0; });
    balanced_terms(
        kinds, own(sample),
        [&](int c) { return pooled_ ? 1.0 : classes.miss(c); }, weights_,
        [&](int i, double coefficient, double listed) {
          result.terms.push_back({i, coefficient});
          times[i] += listed;
        });
    return result;
  }

private:
  int own(int n) const { return pooled_ ? 0 : rule_.y[n]; }
  /// The number of samples of a kind that sample n may be compared with.
  int count(int n, int kind) const {
    return !pooled_    ? rule_.counts.of_class(n, kind)
           : kind == 0 ? rule_.counts.of_class(n, rule_.y[n])
                       : rule_.counts.misses(n);
  }
  int length(int n, int other) {
    return static_cast<int>(weights_(n, other).weights.size());
  }

  const NearRule &rule_;
  bool pooled_;
  int n_kinds_;
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
  detail::BalancedLists balanced(rule, kinds.count());
  if (rule.balanced) {
    auto needed = balanced.needed(samples);
    if (balanced.joins_groups() ||
        !detail::lists_fit(std::accumulate(needed.begin(), needed.end(), 0.0),
                           static_cast<double>(samples.size())))
      search.take_all();
    else
      search.set_k(std::move(needed));
  }
  search.run(runtime);
  search.for_rows(
      runtime, [&](const SampleRange &rows, const NearestLists &lists) {
        Array<SampleTerms> terms;
        for (Index row = rows.begin; row < rows.end; ++row)
          if (rule.counts.counts(rule.y, samples[row]))
            terms.push_back(
                rule.balanced
                    ? balanced.terms(samples[row], row, lists, times)
                    : detail::weigh_nearest(samples[row], row, lists, rule));
        if (!rule.balanced)
          count_listed(terms, times);
        work(static_cast<const Array<SampleTerms> &>(terms));
      });
}

} // namespace hitmiss

#endif
