// Nearest neighbours in growing prefixes of a list of features.
// SPDX-License-Identifier: GPL-3.0-or-later
#ifndef HITMISS_CLASSIFY_NESTED_VOTE_HPP
#define HITMISS_CLASSIFY_NESTED_VOTE_HPP

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "../pairs/distance_root.hpp"
#include "../runtime/require.hpp"
#include "nearest_vote.hpp"

namespace hitmiss {

struct NestedVoteOptions {
  std::vector<std::ptrdiff_t> sizes; ///< strictly increasing, the last <= M
  /// Numbers of neighbours tried at each size; all of the same length, >= 1.
  std::vector<std::vector<int>> k;
  bool want_share = false;
};

struct NestedVotes {
  std::vector<int> winner;   ///< query q, try t, size s: [(s * T + t) * Q + q]
  std::vector<double> share; ///< class c: [((s * T + t) * C + c) * Q + q]
};

namespace detail {

/// One query against all of x: squared distances grow with the features, so
/// that all sizes together cost as much as the largest alone.
class NestedQuery {
public:
  NestedQuery(const MatrixView &queries, const MatrixView &x,
              std::ptrdiff_t query)
      : queries_(queries), x_(x), query_(query),
        squared_(static_cast<std::size_t>(x.n_samples), 0.0),
        distance_(squared_.size()) {}

  void extend(std::ptrdiff_t from, std::ptrdiff_t to) {
    const auto *values = static_cast<const double *>(x_.data);
    const auto *asked = static_cast<const double *>(queries_.data);
    for (std::ptrdiff_t j = from; j < to; ++j) {
      const double *column = values + j * x_.feature_stride;
      const double at = asked[j * queries_.feature_stride + query_];
      for (std::size_t i = 0; i < squared_.size(); ++i) {
        const double d = column[i] - at;
        squared_[i] += d * d;
      }
    }
    for (std::size_t i = 0; i < squared_.size(); ++i)
      distance_[i] = DistanceRoots::is_sound(squared_[i])
                         ? std::sqrt(squared_[i])
                         : scaled_root(i, to);
  }

  std::vector<Neighbour> nearest(int k) const {
    return nearest_of(distance_.data(), x_.n_samples, k);
  }

private:
  /// In units of the largest difference, as DistanceRoots has it.
  double scaled_root(std::size_t i, std::ptrdiff_t to) const {
    const auto n = static_cast<std::ptrdiff_t>(i);
    double largest = 0.0, sum = 0.0;
    for (std::ptrdiff_t j = 0; j < to; ++j)
      largest = std::max(largest, std::abs(x_(n, j) - queries_(query_, j)));
    for (std::ptrdiff_t j = 0; j < to && largest > 0.0; ++j) {
      const double share = (x_(n, j) - queries_(query_, j)) / largest;
      sum += share * share;
    }
    return largest * std::sqrt(sum);
  }

  const MatrixView &queries_;
  const MatrixView &x_;
  std::ptrdiff_t query_;
  std::vector<double> squared_, distance_;
};

} // namespace detail

/// Classes of the queries by their k nearest among the labelled samples x, in
/// the first sizes[s] features, Euclidean, ties as in nearest_vote(). Both
/// views hold doubles, samples contiguous. Cost: queries x samples x the
/// largest size, plus queries x samples x sizes x tries.
inline NestedVotes nested_vote(const MatrixView &queries, const MatrixView &x,
                               const ClassIndex &y,
                               const NestedVoteOptions &options,
                               Runtime &runtime) {
  detail::require(y.n_samples() == x.n_samples &&
                      y.n_labelled() == y.n_samples(),
                  "one label per training sample is needed");
  detail::require(queries.n_features == x.n_features,
                  "queries and training samples have the same features");
  detail::require(options.k.empty() || options.k.size() == options.sizes.size(),
                  "every size has its numbers of neighbours");
  const auto n_queries = static_cast<std::size_t>(queries.n_samples);
  const auto n_classes = static_cast<std::size_t>(y.n_classes());
  const std::size_t n_tries = options.k.empty() ? 0 : options.k[0].size();
  const std::size_t cells = options.sizes.size() * n_tries * n_queries;
  NestedVotes votes{std::vector<int>(cells), {}};
  if (options.want_share)
    votes.share.resize(cells * n_classes);
  runtime.for_each(queries.n_samples, [&](std::ptrdiff_t query, int) {
    const auto q = static_cast<std::size_t>(query);
    detail::NestedQuery at(queries, x, query);
    std::ptrdiff_t done = 0;
    for (std::size_t s = 0; n_tries > 0 && s < options.sizes.size(); ++s) {
      at.extend(done, options.sizes[s]);
      done = options.sizes[s];
      const auto &tries = options.k[s];
      const auto near =
          at.nearest(*std::max_element(tries.begin(), tries.end()));
      for (std::size_t t = 0; t < n_tries; ++t) {
        std::vector<double> share(n_classes);
        const std::size_t cell = s * n_tries + t;
        const auto k =
            std::min(near.size(), static_cast<std::size_t>(tries[t]));
        votes.winner[cell * n_queries + q] =
            detail::hard_vote(near.data(), near.data() + k, y, share);
        if (options.want_share)
          for (std::size_t c = 0; c < n_classes; ++c)
            votes.share[(cell * n_classes + c) * n_queries + q] = share[c];
      }
    }
  });
  return votes;
}

} // namespace hitmiss

#endif
