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
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>

#include "../data/class_index.hpp"
#include "../pairs/allowed_pairs.hpp"
#include "../pairs/nearest.hpp"

namespace hitmiss {

/// The weights of the nearest, the second nearest, ... candidate. They add up
/// to k; the last one is above 0.
struct RankWeights {
  RankWeights(int k, Array<double> of_ranks)
      : k(k), weights(std::move(of_ranks)), farthest(weights.size() + 1) {
    for (Index n = 0; n < weights.size(); ++n)
      farthest[n + 1] = farthest[n] + weights[weights.size() - 1 - n] / k;
  }

  int k;
  Array<double> weights;
  Array<double> farthest; ///< at n: the weights of the last n ranks, over k
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

/// Holds balanced_weights() for the numbers of candidates that were asked for,
/// up to 16 MB of them. Threads may share it.
class BalancedWeights {
public:
  explicit BalancedWeights(int k) : k_(k) {}
  std::shared_ptr<const RankWeights> operator()(int n, int other) {
    constexpr Index most_held = 1 << 20;
    const std::lock_guard<std::mutex> lock(guard_);
    auto &table = tables_[{n, other}];
    if (table != nullptr)
      return table;
    auto made =
        std::make_shared<const RankWeights>(balanced_weights(k_, n, other));
    table = made;
    held_ += made->weights.size();
    if (held_ > most_held) {
      tables_.clear();
      held_ = 0;
    }
    return made;
  }

private:
  int k_;
  std::mutex guard_;
  Index held_ = 0;
  std::map<std::pair<int, int>, std::shared_ptr<const RankWeights>> tables_;
};

namespace detail {

/// Are lists of `listed` neighbours in all kept while the distances of all
/// `rows` are computed? Otherwise some rows are measured at a time. What fits
/// is announced by bytes_needed(), which does not know the `groups` of samples.
inline bool lists_fit(double listed, double rows, bool groups = false) {
  return listed <= (groups ? 0x1p19 : std::max(0x1p22, 512.0 * rows));
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
    const auto table = weights(whole(n), whole(other));
    const auto k = static_cast<int>(table->weights.size());
    return static_cast<double>(k + NearestList::room(k));
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

namespace detail {

/// A sample in a list, nearest first: those from this one to before step `end`
/// are equally near. It has `part` of a place in the order of the candidates.
struct RankedSample {
  int sample, end;
  double part;
};

/// Leaves only the nearest sample of each group, or several that tie.
inline void keep_nearest(Array<Neighbour> &near, const AllowedPairs &allowed) {
  Array<std::int64_t> reach(allowed.n_groups(),
                            std::numeric_limits<std::int64_t>::max());
  for (const Neighbour &i : near)
    reach[allowed.group(i.sample)] =
        std::min(reach[allowed.group(i.sample)], i.key);
  near.erase(std::remove_if(near.begin(), near.end(),
                            [&](const Neighbour &i) {
                              return i.key > reach[allowed.group(i.sample)];
                            }),
             near.end());
}

/// The steps of a sorted list. With `groups`, the samples of a group, which are
/// equally near, have one place together.
inline Array<RankedSample> ranked(const Array<Neighbour> &near,
                                  const AllowedPairs *groups) {
  Array<RankedSample> steps(near.size());
  Array<int> of_group(groups != nullptr ? groups->n_groups() : 0);
  int end = static_cast<int>(near.size());
  for (int i = end - 1; i >= 0; --i) {
    if (i + 1 < near.size() && near[i].key != near[i + 1].key)
      end = i + 1;
    steps[i] = {near[i].sample, end, 1.0};
    if (groups != nullptr)
      ++of_group[groups->group(near[i].sample)];
  }
  for (RankedSample &step : steps)
    if (groups != nullptr)
      step.part = 1.0 / of_group[groups->group(step.sample)];
  return steps;
}

/// Calls work(sample, weight) for the candidates of a list; those that are
/// equally near share the weights of their ranks.
template <class Work>
void share_ranks(const Array<RankedSample> &steps, const RankWeights &ranks,
                 Work work) {
  const auto weights = ranks.weights.begin();
  Index rank = 0;
  for (Index s = 0; s < steps.size() && rank < ranks.weights.size();) {
    const Index first = s;
    double here = 0.0;
    for (; s < steps[first].end; ++s)
      here += steps[s].part;
    const Index next =
        std::min<Index>(rank + std::lround(here), ranks.weights.size());
    const double sum = std::accumulate(weights + rank, weights + next, 0.0);
    rank = next;
    for (Index i = first; sum > 0.0 && i < s; ++i)
      work(steps[i].sample, sum / here * steps[i].part);
  }
}

} // namespace detail
} // namespace hitmiss

#endif
