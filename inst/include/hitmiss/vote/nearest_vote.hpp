// Votes of the training samples near a new one in a weighted space.
//
// nearest_vote() predicts classes and nearest_mean() numbers for new samples
// from their k nearest training samples (by default k = 5, Manhattan distance).
// Neighbours that tie for the last places share these. Required: finite values
// in the scaling of the training samples, finite weights that are at least 0, a
// class or a finite outcome for each training sample; else
// std::invalid_argument. Time: queries x samples x features.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_VOTE_NEAREST_VOTE_HPP
#define HITMISS_VOTE_NEAREST_VOTE_HPP

#include <algorithm>
#include <limits>

#include "../data/class_index.hpp"
#include "../pairs/nearest.hpp"
#include "../pairs/neighbour_kinds.hpp"
#include "../pairs/require_problem.hpp"
#include "../runtime/require.hpp"

namespace hitmiss {

struct VoteOptions {
  int k = 5;               ///< neighbours that vote
  bool themselves = false; ///< the queries are x: none is its own neighbour
  bool missing = false;    ///< x has missing values (NaN), see missing_gaps();
                           ///< queries may have some then
  Metric metric = Metric::manhattan;
  SimdLevel simd = best_simd_level();
};

struct Votes {
  Array<int> winner;   ///< one class per query
  Array<double> share; ///< query q, class c: share[c * n_queries + q]
};

namespace detail {

inline void require_vote(const ScaledView &queries, const ScaledView &x,
                         Index n_answers, const Array<double> &weights,
                         const VoteOptions &options) {
  require_samples(x, 1, options.missing);
  require_samples(queries, 0, options.missing);
  require(x.n_samples() == n_answers,
          "one label or outcome per training sample is needed");
  require(queries.n_features() == x.n_features() &&
              x.n_features() == weights.size(),
          "queries, training samples and weights must have the same features");
  require(options.k >= 1, "k must be at least 1");
  require(all_finite(weights.data(), weights.size()) &&
              *std::min_element(weights.begin(), weights.end()) >= 0.0,
          "weights must be finite and not negative");
}

/// The `gaps` for SampleDistances; empty unless values are missing.
inline Array<double> vote_gaps(const ScaledView &x, const VoteOptions &options,
                               Runtime &runtime) {
  return options.missing ? missing_gaps(x, options.metric, runtime)
                         : Array<double>();
}

/// Calls work(query, near) for every query in order, with its k nearest samples
/// and all that tie with the last of them, nearest first.
template <class Work>
void each_query(const ScaledView &queries, const ScaledView &x,
                const Array<double> &weights, const VoteOptions &options,
                Runtime &runtime, Work work) {
  const SampleDistances distances(queries, x, weights, options.metric,
                                  options.simd, vote_gaps(x, options, runtime));
  const AnyOther kinds{options.themselves};
  NearestSearch<AnyOther> search(distances, kinds, options.k);
  runtime.monitor().expect(distances.pair_features());
  search.run(runtime);
  search.for_rows(runtime,
                  [&](const SampleRange &rows, const NearestLists &lists) {
                    for (Index q = rows.begin; q < rows.end; ++q)
                      work(q, lists(q, 0));
                  });
}

/// Sets the shares of the classes among the k nearest and returns the class
/// with the largest share. Of classes that tie it is the one whose nearest
/// sample is nearer; if these are equally near too, the first class.
inline int hard_vote(const Array<Neighbour> &near, Index k, const ClassIndex &y,
                     Array<double> &share) {
  share_nearest(near, k, [&](const Neighbour &i, double vote) {
    share[y[i.sample]] += vote;
  });
  const double most = *std::max_element(share.begin(), share.end()) - 1e-9;
  int winner = -1;
  std::int64_t nearest = 0;
  share_nearest(near, k, [&](const Neighbour &i, double) {
    const int c = y[i.sample];
    if (share[c] >= most && (winner < 0 || (i.key == nearest && c < winner))) {
      winner = c;
      nearest = i.key;
    }
  });
  return winner;
}

} // namespace detail

/// Classifies the queries by the labelled samples x, which have the same
/// features and scaling. The answer to one query does not depend on the others.
/// Memory: k neighbours of every query, and a part of the distances.
inline Votes nearest_vote(const ScaledView &queries, const ScaledView &x,
                          const ClassIndex &y, const Array<double> &weights,
                          const VoteOptions &options, Runtime &runtime) {
  detail::require_vote(queries, x, y.n_samples(), weights, options);
  detail::require(y.n_labelled() == y.n_samples(),
                  "training samples must have labels");
  const Index total = queries.n_samples();
  const Index n_classes = y.n_classes();
  Votes votes{Array<int>(total), Array<double>(total * n_classes)};
  detail::each_query(queries, x, weights, options, runtime,
                     [&](Index q, const Array<Neighbour> &near) {
                       Array<double> share(n_classes);
                       votes.winner[q] =
                           detail::hard_vote(near, options.k, y, share);
                       for (Index c = 0; c < n_classes; ++c)
                         votes.share[c * total + q] = share[c];
                     });
  return votes;
}

/// Returns the mean outcome of the k nearest samples of every query; ties share
/// places.
inline Array<double>
nearest_mean(const ScaledView &queries, const ScaledView &x,
             const Array<double> &outcome, const Array<double> &weights,
             const VoteOptions &options, Runtime &runtime) {
  detail::require_vote(queries, x, outcome.size(), weights, options);
  detail::require(all_finite(outcome.data(), outcome.size()),
                  "outcomes must be finite");
  Array<double> means(queries.n_samples());
  detail::each_query(queries, x, weights, options, runtime,
                     [&](Index q, const Array<Neighbour> &near) {
                       share_nearest(near, options.k,
                                     [&](const Neighbour &i, double share) {
                                       means[q] += share * outcome[i.sample];
                                     });
                     });
  return means;
}

/// The k nearest samples of x for every query, nearest first, and their
/// distances. If x has fewer than k, the rest are -1 and infinity.
struct NearestSamples {
  Array<int> sample;      ///< number i of query q: [q * k + i]
  Array<double> distance; ///< in the order of `sample`
};

inline NearestSamples nearest_samples(const ScaledView &queries,
                                      const ScaledView &x,
                                      const Array<double> &weights,
                                      const VoteOptions &options,
                                      Runtime &runtime) {
  detail::require_vote(queries, x, x.n_samples(), weights, options);
  const Index k = options.k, all = queries.n_samples() * k;
  NearestSamples found{
      Array<int>(all, -1),
      Array<double>(all, std::numeric_limits<double>::infinity())};
  detail::each_query(queries, x, weights, options, runtime,
                     [&](Index q, const Array<Neighbour> &near) {
                       for (Index i = 0; i < std::min(k, near.size()); ++i) {
                         found.sample[q * k + i] = near[i].sample;
                         found.distance[q * k + i] = near[i].distance;
                       }
                     });
  return found;
}

} // namespace hitmiss

#endif
