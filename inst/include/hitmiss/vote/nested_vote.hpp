// Nearest neighbours in growing prefixes of a list of features.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_VOTE_NESTED_VOTE_HPP
#define HITMISS_VOTE_NESTED_VOTE_HPP

#include <algorithm>
#include <cmath>

#include "../runtime/require.hpp"
#include "nearest_vote.hpp"

namespace hitmiss {

struct NestedVoteOptions {
  Array<Index> sizes; ///< strictly increasing, at most the number of features
  /// k[s]: numbers of neighbours (>= 1) to try at sizes[s], equally many each.
  Array<Array<int>> k;
  bool want_share = false;

  void check(Index n_features) const {
    detail::require(k.empty() || k.size() == sizes.size(),
                    "every size needs its numbers of neighbours");
    for (Index s = 0; s < sizes.size(); ++s)
      detail::require(sizes[s] >= (s > 0 ? sizes[s - 1] + 1 : 0) &&
                          sizes[s] <= n_features,
                      "sizes must increase, to the number of features at most");
    for (const auto &tries : k)
      detail::require(!tries.empty() && tries.size() == k[0].size() &&
                          *std::min_element(tries.begin(), tries.end()) >= 1,
                      "every size needs as many numbers of neighbours, from 1");
  }
};

/// Answers for query q of Q by try t of T (numbers of neighbours) at size s.
struct NestedVotes {
  Array<int> winner;   ///< class: [(s * T + t) * Q + q]
  Array<double> share; ///< of class c of C: [((s * T + t) * C + c) * Q + q]
  /// For how many queries each sample of x is a neighbour at the last size.
  Array<int> times_listed;
};

namespace detail {

/// The distances of one query to all samples of x. Squared differences are
/// added feature by feature, so that all sizes together take as long as the
/// largest alone.
class NestedQuery {
public:
  NestedQuery(const MatrixView &queries, const MatrixView &x, Index query)
      : queries_(queries), x_(x), query_(query), squared_(x.n_samples, 0.0),
        distance_(squared_.size()) {}

  void extend(Index from, Index to) {
    const auto *values = static_cast<const double *>(x_.data);
    const auto *asked = static_cast<const double *>(queries_.data);
    for (Index j = from; j < to; ++j) {
      const double *column = values + j * x_.feature_stride;
      const double at = asked[j * queries_.feature_stride + query_];
      for (Index i = 0; i < squared_.size(); ++i) {
        const double d = column[i] - at;
        squared_[i] += d * d;
      }
    }
    for (Index i = 0; i < squared_.size(); ++i)
      distance_[i] = std::sqrt(squared_[i]);
  }

  /// Returns the k nearest samples in order, with all that tie with the last.
  Array<Neighbour> nearest(int k) const {
    NearestList near(k);
    for (int i = 0; i < distance_.size(); ++i)
      near.offer({distance_[i], i});
    near.sort();
    if (near.is_cut()) {
      Array<Neighbour> all;
      for (int i = 0; i < distance_.size(); ++i)
        if (const Neighbour other(distance_[i], i); other.key <= near.reach())
          all.push_back(other);
      near.complete(std::move(all));
    }
    return near.neighbours();
  }

private:
  const MatrixView &queries_;
  const MatrixView &x_;
  Index query_;
  Array<double> squared_, distance_;
};

} // namespace detail

/// Calls work(query, s, near, thread) for every query and s, several queries at
/// once: `near` has the most[s] nearest samples of x (and all that tie with the
/// last of them) by Euclidean distance in the first sizes[s] features, nearest
/// first. Both views must hold doubles, and the samples must be contiguous.
/// Time: queries x samples x (largest size + number of sizes).
template <class Work>
void nested_neighbours(const MatrixView &queries, const MatrixView &x,
                       const Array<Index> &sizes, const Array<int> &most,
                       Runtime &runtime, Work work) {
  detail::require(queries.n_features == x.n_features,
                  "queries and training samples must have the same features");
  for (const MatrixView *view : {&queries, &x}) {
    detail::require(view->type == Scalar::f64 && !view->tiles &&
                        view->sample_stride == 1,
                    "arrays of doubles are needed, samples side by side");
    detail::require_values(*view, view == &x ? 1 : 0);
  }
  runtime.for_each(queries.n_samples, [&](Index query, int thread) {
    detail::NestedQuery at(queries, x, query);
    Index done = 0;
    for (Index s = 0; s < most.size(); ++s) {
      at.extend(done, sizes[s]);
      done = sizes[s];
      work(query, s, at.nearest(most[s]), thread);
    }
  });
}

/// Classifies the queries by their k nearest among the labelled samples x, in
/// the first sizes[s] features, with ties as in nearest_vote(): see
/// nested_neighbours().
inline NestedVotes nested_vote(const MatrixView &queries, const MatrixView &x,
                               const ClassIndex &y,
                               const NestedVoteOptions &options,
                               Runtime &runtime) {
  detail::require(y.n_samples() == x.n_samples &&
                      y.n_labelled() == y.n_samples(),
                  "one label per training sample is needed");
  options.check(x.n_features);
  const Index n_queries = queries.n_samples;
  const Index n_classes = y.n_classes();
  const Index n_tries = options.k.empty() ? 0 : options.k[0].size();
  const Index cells = options.sizes.size() * n_tries * n_queries;
  NestedVotes votes{Array<int>(cells), {}, Array<int>(x.n_samples)};
  if (options.want_share)
    votes.share.resize(cells * n_classes);
  Array<Array<int>> listed(runtime.threads(), votes.times_listed);
  Array<int> most;
  for (const auto &tries : options.k)
    most.push_back(*std::max_element(tries.begin(), tries.end()));
  nested_neighbours(
      queries, x, options.sizes, most, runtime,
      [&](Index query, Index s, const Array<Neighbour> &near, int thread) {
        if (s + 1 == most.size())
          for (const Neighbour &of : near)
            ++listed[thread][of.sample];
        for (Index t = 0; t < n_tries; ++t) {
          Array<double> share(n_classes);
          const Index cell = s * n_tries + t;
          votes.winner[cell * n_queries + query] =
              detail::hard_vote(near, options.k[s][t], y, share);
          for (Index c = 0; options.want_share && c < n_classes; ++c)
            votes.share[(cell * n_classes + c) * n_queries + query] = share[c];
        }
      });
  for (const auto &some : listed)
    for (Index i = 0; i < x.n_samples; ++i)
      votes.times_listed[i] += some[i];
  return votes;
}

} // namespace hitmiss

#endif
