// Nested neighbours against one plain search per size, for any threads.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <map>

#include <testthat/vendor/catch.h>

#include <hitmiss/vote/nested_vote.hpp>

#include "support/host.hpp"

using hitmiss::Array;
using hitmiss::Index;

namespace {

struct Plain {
  int winner;
  Array<double> share;
};

/// The k nearest, of whom those that are as near as the last share its place.
Plain plain_vote(const Array<double> &query, const Array<double> &x,
                 const hitmiss::ClassIndex &y, Index size, int k) {
  const Index n = y.n_samples();
  Array<double> distance(n, 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < size; ++j)
      distance[i] += (x[j * n + i] - query[j]) * (x[j * n + i] - query[j]);
    distance[i] = std::sqrt(distance[i]);
  }
  const double largest = *std::max_element(distance.begin(), distance.end());
  std::map<long long, Array<int>> classes;
  for (Index i = 0; i < n; ++i)
    classes[largest > 0.0 ? std::llround(distance[i] / largest * 1073741824.0)
                          : 0]
        .push_back(y[i]);
  Plain result{-1, Array<double>(y.n_classes())};
  const double places = std::min<double>(static_cast<double>(n), k);
  double left = places;
  for (const auto &tied : classes) {
    const auto count = static_cast<double>(tied.second.size());
    const double taken = std::min(left, count);
    for (const int c : tied.second)
      result.share[c] += taken / count / places;
    left -= taken;
  }
  const double most =
      *std::max_element(result.share.begin(), result.share.end());
  for (auto &tied : classes) {
    std::sort(tied.second.begin(), tied.second.end());
    for (const int c : tied.second)
      if (result.winner < 0 && result.share[c] > most - 1e-9)
        result.winner = c;
  }
  return result;
}

} // namespace

TEST_CASE("nested votes equal one search per size") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const Index n = 2 + seed % 17, m = 1 + seed % 6, features = 1 + seed % 9;
    // Few values, so that distances tie; some samples are equal.
    unsigned state = seed;
    const auto draw = [&state](unsigned below) {
      state = state * 1664525u + 1013904223u;
      return (state >> 16) % below;
    };
    Array<double> x(n * features), queries(m * features);
    for (double &value : x)
      value = draw(3);
    for (double &value : queries)
      value = draw(3);
    Array<int> labels(n);
    for (int &label : labels)
      label = static_cast<int>(draw(3));
    const hitmiss::ClassIndex y(labels, 3);

    hitmiss::NestedVoteOptions options;
    options.want_share = true;
    for (Index size = 1; size <= features; size += 2) {
      options.sizes.push_back(size);
      options.k.push_back({1, 3, 7});
    }
    const Index signed_n = n;
    const Index signed_m = m;
    const Index p = features;
    const auto run = [&](int threads) {
      hitmiss::NestedVotes votes;
      with_threads(threads, [&](hitmiss::Runtime &runtime) {
        votes = hitmiss::nested_vote(
            hitmiss::view_by_feature(queries.data(), signed_m, p),
            hitmiss::view_by_feature(x.data(), signed_n, p), y, options,
            runtime);
      });
      return votes;
    };
    const auto votes = run(1);
    const auto again = run(3);
    CHECK((votes.winner == again.winner));
    CHECK((votes.share == again.share));
    CHECK((votes.times_listed == again.times_listed));
    // A sample is listed if fewer than 7 are nearer.
    Array<int> listed(n);
    for (Index q = 0; q < m; ++q) {
      Array<double> squared(n);
      for (Index j = 0; j < options.sizes.back(); ++j)
        for (Index i = 0; i < n; ++i)
          squared[i] += std::pow(x[j * n + i] - queries[j * m + q], 2);
      for (Index i = 0; i < n; ++i)
        listed[i] +=
            std::count_if(squared.begin(), squared.end(),
                          [&](double d) { return d < squared[i]; }) < 7;
    }
    CHECK((votes.times_listed == listed));
    for (Index s = 0; s < options.sizes.size(); ++s)
      for (Index t = 0; t < 3; ++t)
        for (Index q = 0; q < m; ++q) {
          Array<double> query(features);
          for (Index j = 0; j < features; ++j)
            query[j] = queries[j * m + q];
          const Plain plain =
              plain_vote(query, x, y, options.sizes[s], options.k[s][t]);
          const Index cell = s * 3 + t;
          CHECK(votes.winner[cell * m + q] == plain.winner);
          for (Index c = 0; c < 3; ++c)
            CHECK(votes.share[(cell * 3 + c) * m + q] ==
                  Approx(plain.share[c]));
        }
  }
}
