// Near hits and near misses: who they are, and what each pair counts.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_PAIRS_NEAR_PAIRS_HPP
#define HITMISS_PAIRS_NEAR_PAIRS_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "../data/class_index.hpp"
#include "../data/neighbour_key.hpp"
#include "../runtime/aligned_buffer.hpp"
#include "../runtime/runtime.hpp"
#include "margin_kernels.hpp"

namespace hitmiss {

/// How near misses of several classes are combined, and what a hit counts.
/// n is the sample, y its class, p the share of a class in the data, M a mean
/// over near misses, H a mean over near hits.
enum class MissRule {
  pooled,      ///< |x - M| - |x - H|, M among all other classes (Relief)
  map,         ///< p(y) |x - M| - (1 - p(y)) |x - H|, M pooled (M-Relief)
  prior,       ///< sum_c p(c) |x - M_c| - |x - H| (ReliefF as Yang, Hu 2012)
  conditional, ///< sum_c p(c) / (1 - p(y)) |x - M_c| - |x - H| (Kononenko)
};

namespace detail {

constexpr std::ptrdiff_t near_rows = 32; // samples per unit

using NearCandidate = std::pair<std::int64_t, int>; // key, index

/// Leaves the k least candidates (or all, if fewer), in order.
inline void keep_nearest(std::vector<NearCandidate> &candidates, int k) {
  const auto keep = std::min(candidates.size(), static_cast<std::size_t>(k));
  std::partial_sort(candidates.begin(),
                    candidates.begin() + static_cast<std::ptrdiff_t>(keep),
                    candidates.end());
  candidates.resize(keep);
}

/// Collects the pairs of one sample after the other.
class NearPairs {
public:
  NearPairs(const PairMatrix<double> &distances, const ClassIndex &y, int k)
      : distances_(distances), y_(y), k_(k) {}

  void add(int n, MissRule rule, std::vector<WeightedPair> &pairs) {
    const int own = y_[n];
    const double p = share(own);
    candidates_.clear();
    collect(n, own);
    keep(n, rule == MissRule::map ? p - 1.0 : -1.0, pairs);
    candidates_.clear();
    for (int c = 0; c < y_.n_classes(); ++c) {
      if (c == own)
        continue;
      collect(n, c);
      if (rule == MissRule::prior || rule == MissRule::conditional) {
        const double rest = rule == MissRule::prior ? 1.0 : 1.0 - p;
        keep(n, share(c) / rest, pairs);
        candidates_.clear();
      }
    }
    if (rule == MissRule::pooled || rule == MissRule::map)
      keep(n, rule == MissRule::map ? p : 1.0, pairs);
  }

private:
  double share(int c) const {
    return static_cast<double>(y_.count(c)) /
           static_cast<double>(y_.n_samples());
  }

  void collect(int n, int c) {
    for (const int i : y_.members(c))
      if (i != n)
        candidates_.emplace_back(key_(distances_.row(n)[i]), i);
  }

  /// Appends the nearest candidates with the mean's share of `weight`.
  void keep(int n, double weight, std::vector<WeightedPair> &pairs) {
    keep_nearest(candidates_, k_);
    const double each = weight / static_cast<double>(candidates_.size());
    for (const NearCandidate &candidate : candidates_)
      pairs.push_back(
          {std::min(n, candidate.second), std::max(n, candidate.second), each});
  }

  const PairMatrix<double> &distances_;
  const ClassIndex &y_;
  int k_;
  NeighbourKey key_;
  std::vector<NearCandidate> candidates_;
};

/// Joins pairs that occur from both sides, and orders the list.
inline void merge_pairs(std::vector<WeightedPair> &pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const WeightedPair &a, const WeightedPair &b) {
                     return std::make_pair(a.first, a.second) <
                            std::make_pair(b.first, b.second);
                   });
  std::size_t kept = 0;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
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
/// a feature is the sum of coefficient |difference| over the list. Neighbours
/// are ordered by NeighbourKey, then index; a class with fewer than k others
/// gives what it has, one with none has no term. O(N^2 + N k log N); memory: at
/// most two and a half times the list, before pairs seen from both sides join.
inline std::vector<WeightedPair> near_pairs(const PairMatrix<double> &distances,
                                            const ClassIndex &y, int k,
                                            MissRule rule, Runtime &runtime) {
  const std::ptrdiff_t n_samples = y.n_samples();
  const std::ptrdiff_t n_units =
      (n_samples + detail::near_rows - 1) / detail::near_rows;
  std::vector<std::vector<WeightedPair>> found(
      static_cast<std::size_t>(n_units));
  runtime.for_each(n_units, [&](std::ptrdiff_t unit, int) {
    detail::NearPairs collector(distances, y, k);
    const std::ptrdiff_t begin = unit * detail::near_rows;
    const std::ptrdiff_t end = std::min(begin + detail::near_rows, n_samples);
    for (std::ptrdiff_t n = begin; n < end; ++n)
      collector.add(static_cast<int>(n), rule,
                    found[static_cast<std::size_t>(unit)]);
  });
  std::size_t n_pairs = 0;
  for (const auto &some : found)
    n_pairs += some.size();
  std::vector<WeightedPair> pairs;
  pairs.reserve(n_pairs);
  for (const auto &some : found)
    pairs.insert(pairs.end(), some.begin(), some.end());
  for (WeightedPair &pair : pairs)
    pair.coefficient /= static_cast<double>(n_samples);
  runtime.checkpoint();
  detail::merge_pairs(pairs);
  return pairs;
}

} // namespace hitmiss

#endif
