// Nested neighbours against one plain search per size, for any threads.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <vector>

#include <testthat/vendor/catch.h>

#include <hitmiss/classify/nested_vote.hpp>

#include "support/host.hpp"

namespace {

struct Plain {
  int winner;
  std::vector<double> share;
};

/// Sorts all samples by (key of the distance, index) and counts the first k.
Plain plain_vote(const std::vector<double> &query, const std::vector<double> &x,
                 const hitmiss::ClassIndex &y, std::size_t size, int k) {
  const auto n = static_cast<std::size_t>(y.n_samples());
  std::vector<double> distance(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < size; ++j)
      distance[i] += (x[j * n + i] - query[j]) * (x[j * n + i] - query[j]);
    distance[i] = std::sqrt(distance[i]);
  }
  const double largest = *std::max_element(distance.begin(), distance.end());
  std::vector<std::pair<long long, std::size_t>> order;
  for (std::size_t i = 0; i < n; ++i)
    order.emplace_back(
        largest > 0.0 ? std::llround(distance[i] / largest * 1073741824.0) : 0,
        i);
  std::sort(order.begin(), order.end());
  order.resize(std::min(n, static_cast<std::size_t>(k)));
  Plain result{-1,
               std::vector<double>(static_cast<std::size_t>(y.n_classes()))};
  for (const auto &near : order)
    result.share[static_cast<std::size_t>(
        y[static_cast<std::ptrdiff_t>(near.second)])] += 1.0;
  const double most =
      *std::max_element(result.share.begin(), result.share.end());
  for (const auto &near : order) {
    const int c = y[static_cast<std::ptrdiff_t>(near.second)];
    if (result.winner < 0 && result.share[static_cast<std::size_t>(c)] == most)
      result.winner = c;
  }
  for (double &s : result.share)
    s /= static_cast<double>(order.size());
  return result;
}

} // namespace

TEST_CASE("nested votes equal one search per size") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const std::size_t n = 2 + seed % 17, m = 1 + seed % 6,
                      features = 1 + seed % 9;
    // Few values, so that distances tie; some samples are equal.
    unsigned state = seed;
    const auto draw = [&state](unsigned below) {
      state = state * 1664525u + 1013904223u;
      return (state >> 16) % below;
    };
    std::vector<double> x(n * features), queries(m * features);
    for (double &value : x)
      value = draw(3);
    for (double &value : queries)
      value = draw(3);
    std::vector<int> labels(n);
    for (int &label : labels)
      label = static_cast<int>(draw(3));
    const hitmiss::ClassIndex y(labels, 3);

    hitmiss::NestedVoteOptions options;
    options.want_share = true;
    for (std::size_t size = 1; size <= features; size += 2) {
      options.sizes.push_back(static_cast<std::ptrdiff_t>(size));
      options.k.push_back({1, 3, 7});
    }
    const auto signed_n = static_cast<std::ptrdiff_t>(n);
    const auto signed_m = static_cast<std::ptrdiff_t>(m);
    const auto p = static_cast<std::ptrdiff_t>(features);
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
    for (std::size_t s = 0; s < options.sizes.size(); ++s)
      for (std::size_t t = 0; t < 3; ++t)
        for (std::size_t q = 0; q < m; ++q) {
          std::vector<double> query(features);
          for (std::size_t j = 0; j < features; ++j)
            query[j] = queries[j * m + q];
          const Plain plain = plain_vote(
              query, x, y, static_cast<std::size_t>(options.sizes[s]),
              options.k[s][t]);
          const std::size_t cell = s * 3 + t;
          CHECK(votes.winner[cell * m + q] == plain.winner);
          for (std::size_t c = 0; c < 3; ++c)
            CHECK(votes.share[(cell * 3 + c) * m + q] == plain.share[c]);
        }
  }
}
