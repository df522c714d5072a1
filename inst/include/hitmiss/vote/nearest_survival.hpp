// Risks and survival curves from the nearest training samples.
//
// nearest_survival() finds these samples in a weighted space, as nearest_vote()
// does; nested_survival() in growing lists of features, as nested_vote() does.
//
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_VOTE_NEAREST_SURVIVAL_HPP
#define HITMISS_VOTE_NEAREST_SURVIVAL_HPP

#include <algorithm>

#include "nested_vote.hpp"

namespace hitmiss {

/// The training samples, which have right-censored times.
struct SurvivalVoters {
  Array<double> position; ///< expected share of samples with an earlier event
  Array<int> step; ///< number of the time among the distinct ones, from 0
  Array<char> event;
  Array<int> grid; ///< curves are given after so many distinct times

  void check(Index n_samples) const {
    const auto within = [](const Array<int> &numbers, Index most) {
      return std::all_of(numbers.begin(), numbers.end(),
                         [&](int n) { return n >= 0 && n <= most; });
    };
    detail::require(position.size() == n_samples && step.size() == n_samples &&
                        event.size() == n_samples && within(step, n_samples) &&
                        all_finite(position.data(), n_samples),
                    "a position, a time and a status per sample are needed");
    detail::require(within(grid, n_samples) &&
                        std::is_sorted(grid.begin(), grid.end()),
                    "the grid must be numbers of distinct times, increasing");
  }
};

/// Predictions for query q of Q at size s (0 in nearest_survival()).
struct SurvivalVotes {
  Array<double> risk;  ///< [s * Q + q]: 1 - mean position of the neighbours
  Array<double> curve; ///< [(s * G + g) * Q + q]: survival at grid time g of G
};

namespace detail {

/// Adds 1 to served[i] for the k nearest samples i; ties share the last places.
inline void count_served(const Array<Neighbour> &near, Index k,
                         double *served) {
  const auto places = static_cast<double>(std::min(k, near.size()));
  share_nearest(near, k, [&](const Neighbour &i, double share) {
    served[i.sample] += places * share;
  });
}

/// Sets the risk of query q and the Kaplan-Meier curve of its neighbours. In
/// the curve, neighbour i weighs 1 / (1 + served[i]), as samples that live long
/// are near to most others and would make an unweighted curve too high.
inline void vote_survival(const Array<Neighbour> &near, Index k,
                          const SurvivalVoters &voters, const double *served,
                          Index q, Index n_queries, double *risk,
                          double *curve) {
  double mean = 0.0;
  Array<double> leaving(voters.step.size() + 1), dying(leaving.size());
  share_nearest(near, k, [&](const Neighbour &i, double share) {
    const double weight = share / (1.0 + served[i.sample]);
    mean += share * voters.position[i.sample];
    leaving[voters.step[i.sample]] += weight;
    dying[voters.step[i.sample]] += voters.event[i.sample] ? weight : 0.0;
  });
  risk[q] = 1.0 - mean;
  for (Index t = leaving.size() - 1; t > 0; --t)
    leaving[t - 1] += leaving[t]; // from now on the weight at risk
  double alive = 1.0;
  Index t = 0;
  for (Index g = 0; g < voters.grid.size(); ++g) {
    for (; t < voters.grid[g]; ++t)
      if (dying[t] > 0.0)
        alive *= std::max(0.0, 1.0 - dying[t] / leaving[t]);
    curve[g * n_queries + q] = alive;
  }
}

} // namespace detail

/// Risks and curves of the queries by their k nearest among x. It takes as long
/// as nearest_vote() for the queries and for the samples x together.
inline SurvivalVotes
nearest_survival(const ScaledView &queries, const ScaledView &x,
                 const SurvivalVoters &voters, const Array<double> &weights,
                 const VoteOptions &options, Runtime &runtime) {
  detail::require_vote(queries, x, voters.position.size(), weights, options);
  voters.check(x.n_samples());
  Array<double> served(x.n_samples());
  const AllowedPairs all;
  const AllowedKind others{all};
  const SampleDistances distances(x, weights, options.metric, options.simd,
                                  detail::vote_gaps(x, options, runtime));
  NearestSearch<AllowedKind> search(distances, others, options.k);
  search.run(runtime);
  search.for_rows(runtime, [&](const auto &rows, const auto &lists) {
    for (Index n = rows.begin; n < rows.end; ++n)
      detail::count_served(lists(n, 0), options.k, served.data());
  });
  const Index total = queries.n_samples();
  SurvivalVotes votes{Array<double>(total),
                      Array<double>(total * voters.grid.size())};
  detail::each_query(queries, x, weights, options, runtime,
                     [&](Index q, const Array<Neighbour> &near) {
                       detail::vote_survival(
                           near, options.k, voters, served.data(), q, total,
                           votes.risk.data(), votes.curve.data());
                     });
  return votes;
}

/// Risks and curves in the first sizes[s] features: see nested_neighbours().
inline SurvivalVotes nested_survival(const MatrixView &queries,
                                     const MatrixView &x,
                                     const SurvivalVoters &voters,
                                     const Array<Index> &sizes, int k,
                                     Runtime &runtime) {
  voters.check(x.n_samples);
  detail::require(k >= 1, "k must be at least 1");
  NestedVoteOptions{sizes, {}}.check(x.n_features);
  const Index n = x.n_samples, total = queries.n_samples;
  k = static_cast<int>(std::min<Index>(k, n)); // k + 1 must be a number
  const Array<double> served = runtime.sum_in_parts(
      n, n * sizes.size(), [&](Index sample, Array<double> &into) {
        detail::NestedQuery at(x, x, sample);
        for (Index s = 0; s < sizes.size(); ++s) {
          at.extend(s > 0 ? sizes[s - 1] : 0, sizes[s]);
          auto near = at.nearest(k + 1);
          near.erase(std::find_if(near.begin(), near.end(), [&](const auto &i) {
            return i.sample == sample;
          }));
          detail::count_served(near, k, into.data() + s * n);
        }
      });
  SurvivalVotes votes{Array<double>(total * sizes.size()),
                      Array<double>(total * sizes.size() * voters.grid.size())};
  nested_neighbours(
      queries, x, sizes, Array<int>(sizes.size(), k), runtime,
      [&](Index query, Index s, const Array<Neighbour> &near, int) {
        detail::vote_survival(near, k, voters, served.data() + s * n, query,
                              total, votes.risk.data() + s * total,
                              votes.curve.data() +
                                  s * total * voters.grid.size());
      });
  return votes;
}

} // namespace hitmiss

#endif
