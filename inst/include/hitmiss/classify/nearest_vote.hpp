// Votes of the training samples near a new one in a weighted space.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_CLASSIFY_NEAREST_VOTE_HPP
#define HITMISS_CLASSIFY_NEAREST_VOTE_HPP

#include <algorithm>
#include <cstddef>
#include <vector>

#include "../pairs/distances.hpp"
#include "../pairs/near_pairs.hpp"

namespace hitmiss {

struct VoteOptions {
  int k = 5; ///< neighbours that vote
  Metric metric = Metric::manhattan;
  SimdPath simd = best_simd_path();
};

struct Votes {
  std::vector<int> winner;   ///< one class per query
  std::vector<double> share; ///< query q, class c: share[c * n_queries + q]
};

namespace detail {

/// Shares of the classes among the k nearest; ties go to the class of the
/// nearest among the tied. The order does not depend on other queries.
inline int hard_vote(const double *distances, const ClassIndex &y, int k,
                     std::vector<double> &share) {
  const NeighbourKey key;
  std::vector<NearCandidate> nearest;
  for (int i = 0; i < y.n_samples(); ++i)
    nearest.emplace_back(key(distances[i]), i);
  keep_nearest(nearest, k);
  for (const NearCandidate &candidate : nearest)
    share[static_cast<std::size_t>(y[candidate.second])] += 1.0;
  const double most = *std::max_element(share.begin(), share.end());
  int winner = 0;
  for (std::size_t i = nearest.size(); i-- > 0;)
    if (share[static_cast<std::size_t>(y[nearest[i].second])] == most)
      winner = y[nearest[i].second];
  for (double &s : share)
    s /= static_cast<double>(nearest.size());
  return winner;
}

} // namespace detail

/// Classes of the queries by the labelled samples x, same features and scaling.
/// Queries go in batches of at most 32 MB of distances.
inline Votes nearest_vote(const ScaledView &queries, const ScaledView &x,
                          const ClassIndex &y,
                          const std::vector<double> &weights,
                          const VoteOptions &options, Runtime &runtime) {
  const std::ptrdiff_t total = queries.n_samples();
  const auto n_classes = static_cast<std::size_t>(y.n_classes());
  Votes votes{std::vector<int>(static_cast<std::size_t>(total)),
              std::vector<double>(static_cast<std::size_t>(total) * n_classes)};
  const std::ptrdiff_t batch = std::max<std::ptrdiff_t>(
      64, (std::ptrdiff_t(1) << 22) / padded_samples(x.n_samples()));
  for (std::ptrdiff_t first = 0; first < total; first += batch) {
    ScaledView part = queries;
    part.raw.n_samples = std::min(batch, total - first);
    const std::ptrdiff_t skip = first * queries.raw.sample_stride;
    if (queries.raw.type == Scalar::f64)
      part.raw.data = static_cast<const double *>(queries.raw.data) + skip;
    else
      part.raw.data = static_cast<const int *>(queries.raw.data) + skip;
    auto distances = cross_distances(part, x, weights, options.metric,
                                     options.simd, runtime);
    finish_distances(distances, options.metric, runtime);
    runtime.for_each(part.n_samples(), [&](std::ptrdiff_t q, int) {
      std::vector<double> share(n_classes);
      const double *row = distances.row(q);
      const auto at = static_cast<std::size_t>(first + q);
      votes.winner[at] = detail::hard_vote(row, y, options.k, share);
      for (std::size_t c = 0; c < n_classes; ++c)
        votes.share[c * static_cast<std::size_t>(total) + at] = share[c];
    });
  }
  return votes;
}

} // namespace hitmiss

#endif
