// Weights of near hits and near misses as if both came from equally many
// candidates.
//
// The k nearest of many samples are nearer than the k nearest of few. If the
// classes are unequal, a feature without information therefore gets a margin in
// proportion to its spread. With h hits and q misses to choose from, m = min(h,
// q) and L = max(h, q), k' = ceil(min(k, m) sqrt(m / L)) are taken of each, and
// the r-th nearest of N = h or q has the weight that it would be among the k'
// nearest of a random m of the N. Then every feature has an expected margin of
// 0 if labels are exchangeable.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_RELIEF_BALANCED_WEIGHTS_HPP
#define HITMISS_RELIEF_BALANCED_WEIGHTS_HPP

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/nearest.hpp"

namespace hitmiss {

/// The weights of the nearest, the second nearest, ... candidate. They add up
/// to k; the last one is above 0.
struct RankWeights {
  int k;
  Array<double> weights;
};

namespace detail {

/// The weights of ranks 1 ... : m / n times the chance that at most k - 1 of m
/// - 1 samples drawn from the n - 1 others are nearer. Required: k <= m < n.
inline Array<double> subset_weights(int n, int m, int k) {
  const double share = static_cast<double>(m) / n;
  if (k == m)
    return Array<double>(n, share);
  // at[r]: the chance that the k-th of the drawn has rank r among the others,
  // in units of that of a rank near the mean, where no chance is too small.
  constexpr double negligible = 1e-18;
  const int last = n - m + k;
  const int start = std::clamp(static_cast<int>(k / share), k, last);
  const auto step = [&](double r) { // from r to r + 1
    return r * (last - r) / ((r - k + 1.0) * (n - 1.0 - r));
  };
  Array<double> at(start + 1);
  at[start] = 1.0;
  for (int r = start; r > k && at[r] > negligible; --r)
    at[r - 1] = at[r] / step(r - 1);
  for (int r = start; r < last && at[r] > negligible; ++r)
    at.push_back(at[r] * step(r));
  // The r-th has its full weight unless k of the drawn are before it.
  for (Index r = at.size() - 1; r > k; --r)
    at[r - 1] += at[r];
  Array<double> weights(k, share);
  for (Index r = k + 1; r < at.size(); ++r)
    weights.push_back(share * at[r] / at[k]);
  return weights;
}

/// Joins the ranks into 20 blocks of about equal weight. The weight of a block
/// is given to its mean rank, or to the two ranks beside that.
inline Array<double> in_blocks(const Array<double> &weights, int k) {
  constexpr int n_blocks = 20;
  constexpr double rounding = 1e-9;
  double weight[n_blocks] = {}, ranks[n_blocks] = {}, before = 0.0;
  for (Index r = 0; r < weights.size(); ++r) {
    const double middle = (before + weights[r] / 2.0) / k * n_blocks;
    const int b = std::min(n_blocks - 1, static_cast<int>(middle + rounding));
    weight[b] += weights[r];
    ranks[b] += weights[r] * static_cast<double>(r);
    before += weights[r];
  }
  Array<double> joined(weights.size() + 1);
  for (int b = 0; b < n_blocks; ++b) {
    if (weight[b] == 0.0)
      continue;
    const double mean = ranks[b] / weight[b];
    const auto low = static_cast<Index>(mean + rounding);
    const double over = mean - static_cast<double>(low);
    joined[low] += weight[b] * (over > rounding ? 1.0 - over : 1.0);
    joined[low + 1] += over > rounding ? weight[b] * over : 0.0;
  }
  while (joined.back() == 0.0)
    joined.pop_back();
  return joined;
}

} // namespace detail

/// The number of near hits, and of near misses, that are compared if there are
/// `few` candidates of one kind and `many` of the other.
inline int balanced_k(int k, int few, int many) {
  const double wanted = std::min(k, few) * std::sqrt(1.0 * few / many);
  return std::max(1, static_cast<int>(std::ceil(wanted - 1e-9)));
}

/// The weights for n candidates of one kind and `other` of the other: at most
/// `most_exact` of them are not 0. They are the k nearest for n <= other.
inline RankWeights balanced_weights(int k, int n, int other) {
  constexpr int most_exact = 40;
  const int few = std::min(n, other);
  k = balanced_k(k, few, std::max(n, other));
  if (n <= other)
    return {k, Array<double>(k, 1.0)};
  auto weights = detail::subset_weights(n, few, k);
  return {k, n > most_exact ? detail::in_blocks(weights, k) : weights};
}

/// Holds balanced_weights() for the numbers of candidates that were asked for.
class BalancedWeights {
public:
  explicit BalancedWeights(int k) : k_(k) {}
  const RankWeights &operator()(int n, int other) {
    const auto at = tables_.find({n, other});
    if (at != tables_.end())
      return at->second;
    return tables_[{n, other}] = balanced_weights(k_, n, other);
  }

private:
  int k_;
  std::map<std::pair<int, int>, RankWeights> tables_;
};

namespace detail {

/// Are lists of `listed` neighbours in all kept while the distances of all
/// `rows` are computed? Otherwise the rows are measured one by one.
inline bool lists_fit(double listed, double rows) {
  return listed <= std::max(0x1p22, 512.0 * rows);
}

/// The length of the lists of all samples together, see listed_neighbours(). If
/// those of `rows` samples do not fit, few are held at a time.
inline double balanced_neighbours(const Array<double> &sizes, int k,
                                  bool pooled, double rows) {
  BalancedWeights weights(k);
  const double total = std::accumulate(sizes.begin(), sizes.end(), 0.0);
  double listed = 0.0;
  const auto whole = [](double n) { // formulas may ask for any number
    return n >= 1.0 ? static_cast<int>(std::min(n, 0x1p30)) : 0;
  };
  const auto length = [&](double n, double other) {
    if (whole(n) == 0 || whole(other) == 0)
      return 0.0;
    const auto &table = weights(whole(n), whole(other)).weights;
    return static_cast<double>(table.size() + NearestList::tied_room);
  };
  for (Index c = 0; c < sizes.size(); ++c) {
    double hits = 0.0, misses = 0.0;
    for (Index other = 0; other < sizes.size(); ++other)
      if (other != c) {
        const double q = pooled ? total - sizes[c] : sizes[other];
        hits = std::max(hits, length(sizes[c] - 1.0, q));
        misses = pooled ? length(q, sizes[c] - 1.0)
                        : misses + length(q, sizes[c] - 1.0);
      }
    listed += sizes[c] * (hits + misses);
  }
  return lists_fit(listed * rows / total, rows) ? listed : 0x1p18;
}

} // namespace detail

/// A sample in a list, nearest first: those from this one to before step `end`
/// are equally near.
struct RankedSample {
  int sample, end;
};

/// Steps [begin, end) of a list: the candidates of one kind. With groups, a
/// candidate is the sample of a group that is nearest, or several that tie.
template <class Step> struct Candidates {
  const Step *steps = nullptr;
  int begin = 0, end = 0;
  int count = 0;      ///< of candidates; may be more than are listed
  Array<double> part; ///< that each step has of a candidate; empty: 1

  /// Leaves only the nearest of each group of those with has(sample).
  template <class Has> void join_groups(const AllowedPairs &allowed, Has has) {
    Array<int> first(allowed.n_candidates(), -1), tied(first.size());
    part.assign(end - begin, 0.0);
    const auto each = [&](auto work) {
      for (int s = begin; s < end; ++s)
        if (has(steps[s].sample))
          work(s, allowed.candidate(steps[s].sample));
    };
    count = 0;
    each([&](int s, int group) {
      count += first[group] < 0 ? 1 : 0;
      if (first[group] < 0)
        first[group] = s;
      tied[group] += s < steps[first[group]].end ? 1 : 0;
    });
    each([&](int s, int group) {
      if (s < steps[first[group]].end)
        part[s - begin] = 1.0 / tied[group];
    });
  }

  /// Calls work(sample, weight) for the candidates with has(sample); those that
  /// are equally near share the weights of their ranks.
  template <class Has, class Work>
  void share(const RankWeights &ranks, Has has, Work work) const {
    const auto part_of = [&](int s) {
      return !part.empty() ? part[s - begin] : has(steps[s].sample) ? 1.0 : 0.0;
    };
    const auto weights = ranks.weights.begin();
    Index rank = 0;
    for (int s = begin; s < end && rank < ranks.weights.size();) {
      const int first = s;
      double here = 0.0;
      for (; s < steps[first].end; ++s)
        here += part_of(s);
      const Index next =
          std::min<Index>(rank + std::lround(here), ranks.weights.size());
      const double sum = std::accumulate(weights + rank, weights + next, 0.0);
      rank = next;
      for (int i = first; sum > 0.0 && i < s; ++i)
        if (const double own = part_of(i); own > 0.0)
          work(steps[i].sample, sum / here * own);
    }
  }
};

/// Calls work(neighbour, coefficient, listed) for the near hits and near misses
/// of a sample, the near hits before the misses they are compared with. `kinds`
/// are the candidates: kind `hits`, and one kind for each class of misses (or
/// for all of them). `miss(c)`: the weight of the margin against kind c.
/// `listed`: the weight of a neighbour among those of its kind.
template <class Step, class Miss, class Work>
void balanced_terms(const Array<Candidates<Step>> &kinds, int hits, Miss miss,
                    BalancedWeights &weights, Work work) {
  const auto there = [](int) { return true; };
  const auto &near = kinds[hits];
  double total = 0.0;
  std::map<int, Array<int>> by_count; // one list of hits for each
  for (int c = 0; c < kinds.size() && near.count > 0; ++c)
    if (c != hits && kinds[c].count > 0) {
      total += miss(c);
      by_count[kinds[c].count].push_back(c);
    }
  for (const auto &[count, same] : by_count) {
    double weight = 0.0;
    for (const int c : same)
      weight += miss(c);
    const auto &of_hits = weights(near.count, count);
    near.share(of_hits, there, [&](int i, double w) {
      work(i, -weight * w / of_hits.k, weight / total * w);
    });
    const auto &of_misses = weights(count, near.count);
    for (const int c : same)
      kinds[c].share(of_misses, there, [&](int i, double w) {
        work(i, miss(c) * w / of_misses.k, w);
      });
  }
}

} // namespace hitmiss

#endif
